//! `sprague plot`: a picture of the nim-values of a game or a run.

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::Rules;
use crate::driver::{Computation, RunError};
use crate::period::Period;
use crate::report::svg::Plot;
use crate::store::StoredRun;

use super::args::{self, GameArg, Processor, Subject};
use super::file::{self, Replacement};
use super::{Failure, Global, Outcome, compute, export, stop};

/// A game's plot ends so many heaps after the first, unless told otherwise.
const TO: u64 = 1000;

/// Plot nim-values against heap sizes, as an SVG picture
///
/// A game is computed; of a run directory, the stored values are taken. However many heaps there are, the file stays below
/// a megabyte. The preperiod and the first period are marked when they are known.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A game, or a run directory that keeps its values
    #[arg(value_name = "GAME|DIR", allow_hyphen_values = true)]
    subject: String,
    /// The picture [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The first heap
    #[arg(long, value_name = "A", default_value = "0", value_parser = args::heap)]
    from: u64,
    /// The last heap [default: a thousand after the first; of a run, the last that is known]
    #[arg(long, value_name = "N", value_parser = args::heap)]
    to: Option<u64>,
    #[command(flatten)]
    processor: Processor,
}

/// Runs the command.
///
/// # Errors
/// If there is no such game or run, it has no values there, or the picture cannot be written.
pub fn run(args: Args, global: Global) -> Result<Outcome, Failure> {
    args.processor.apply()?;
    let subject = Subject::read(&args.subject)?;
    let file = args.output.as_deref().map(Replacement::create).transpose()?;
    match subject {
        Subject::Run(dir) => plot_run(&args, &dir, file),
        Subject::Game(rules) => plot_game(args, &rules, file, global),
    }
}

fn plot_run(args: &Args, dir: &Path, file: Option<Replacement>) -> Result<Outcome, Failure> {
    let run = StoredRun::read(dir).map_err(RunError::from)?;
    let (values, to) = export::part(&run, args.from, args.to)?;
    let manifest = run.manifest();
    write(
        file,
        &manifest.game,
        args.from..=to,
        manifest.progress.period.as_ref(),
        (0..values.len()).map(|i| values.get(i).into()),
    )
}

fn plot_game(args: Args, rules: &Rules, file: Option<Replacement>, global: Global) -> Result<Outcome, Failure> {
    let game = GameArg { game: args.subject };
    let to = args.to.unwrap_or(args.from.saturating_add(TO));
    if to < args.from {
        return Err(Failure::Usage(format!("heaps {} to {to} are none: --to must not be below --from", args.from)));
    }
    stop::on_signals()?;
    let mut computation = Computation::new(rules, None, true);
    if compute::advance(&mut computation, to.saturating_add(1), global, |_| false)? {
        eprintln!("sprague: stopped at heap {}, nothing is plotted", computation.known());
        return Ok(Outcome::Stopped);
    }
    let values = (args.from..=to).map_while(|n| computation.value(n));
    write(file, &game.title(rules), args.from..=to, computation.period(), values)
}

fn write(
    file: Option<Replacement>,
    game: &str,
    heaps: RangeInclusive<u64>,
    period: Option<&Period>,
    values: impl Iterator<Item = u64> + Clone,
) -> Result<Outcome, Failure> {
    let (from, to) = heaps.into_inner();
    let title = format!("{game}: nim-values of heaps {from} to {to}");
    let plot = Plot { title: &title, from, to, period: period.map(|p| (p.preperiod, p.period)) };
    file::write_or_print(file, |mut out: &mut dyn Write| plot.write(&mut out, values))
}
