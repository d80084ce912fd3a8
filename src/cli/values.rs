//! `sprague values`: the nim-values of a game.

use std::io::Write;
use std::path::PathBuf;

use crate::driver::Computation;
use crate::report::sequence::{self, Format, Subject};
use crate::store::npy;
use crate::values::Values;

use super::args::{self, GameArg, Processor};
use super::{Failure, Global, Outcome, compute, file, stop};

/// Print the nim-values of heaps 0 to N
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameArg,
    /// The last heap: 1000000, 1_000_000, 1e6, 2^20, 10k, 10M, 10G or a sum of these
    #[arg(long, value_name = "N", value_parser = args::heap)]
    to: u64,
    /// The first heap
    #[arg(long, value_name = "A", default_value = "0", value_parser = args::heap)]
    from: u64,
    /// How to write the values
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Compute every heap, even when a period is proven
    #[arg(long)]
    no_detect: bool,
    #[command(flatten)]
    processor: Processor,
}

/// Runs the command.
///
/// # Errors
/// Bad arguments, or output that cannot be written.
pub fn run(args: Args, global: Global) -> Result<Outcome, Failure> {
    let rules = args.game.rules()?;
    if args.from > args.to {
        return Err(Failure::Usage(format!("--from {} is beyond --to {}", args.from, args.to)));
    }
    args.processor.apply()?;
    // A bad path is told before the work, not after it.
    let output = args.output.as_deref().map(file::Replacement::create).transpose()?;
    stop::on_signals()?;
    let mut computation = Computation::new(&rules, None, !args.no_detect);
    let end = args.to.checked_add(1).ok_or_else(|| Failure::Usage("--to ends below 2^64 - 1".to_owned()))?;
    if compute::advance(&mut computation, end, global, |_| false)? {
        let known = computation.known();
        eprintln!("sprague: stopped at heap {known}; `sprague run` keeps what it has computed and can be resumed");
        return Ok(Outcome::Stopped);
    }
    let subject = Subject { game: &args.game.game, canonical: &rules.to_string(), from: args.from, to: args.to };
    file::write_or_print(output, |out| write(out, args.format, subject, &computation))
}

fn write(mut out: impl Write, format: Format, subject: Subject<'_>, computation: &Computation) -> std::io::Result<()> {
    let value =
        |n| computation.value(n).ok_or_else(|| std::io::Error::other(format!("heap {n} has a value of 2^64 or more")));
    value(subject.to)?;
    if format == Format::Npy {
        let narrow = |n| value(n).and_then(|v| u32::try_from(v).map_err(std::io::Error::other));
        let mut values = Values::new();
        (subject.from..=subject.to).try_for_each(|n| narrow(n).map(|v| values.push(v)))?;
        npy::write(&mut out, values.as_slice())?;
    } else {
        let values = (subject.from..=subject.to).map_while(|n| computation.value(n));
        sequence::write(&mut out, format, subject, values)?;
    }
    out.flush()
}
