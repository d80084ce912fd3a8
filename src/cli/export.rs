//! `sprague export`: the values of a run directory in another format, or the proof of its period.

use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

use crate::driver::certificate_of_run;
use crate::report::sequence::{self, Format, Subject};
use crate::store::{StoredRun, npy};
use crate::values::Slice;

use super::args;
use super::{Failure, Outcome, file};

/// Write the values of a run directory as CSV, b-file, JSON, text or NumPy file, or what proves its period
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run directory
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// How to write the values
    #[arg(long, value_enum, required_unless_present = "certificate")]
    format: Option<Format>,
    /// Write what proves the period to this file, for `sprague verify`, and no values
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "from", "to", "output"])]
    certificate: Option<PathBuf>,
    /// The first heap
    #[arg(long, value_name = "A", default_value = "0", value_parser = args::heap)]
    from: u64,
    /// The last heap [default: the last that is known]
    #[arg(long, value_name = "N", value_parser = args::heap)]
    to: Option<u64>,
    /// Write to this file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// If the run cannot be read, has no values there, or the output cannot be written.
pub fn run(args: Args) -> Result<Outcome, Failure> {
    let run = StoredRun::read(&args.dir).map_err(crate::driver::RunError::from)?;
    match args.format {
        Some(format) => export_values(&args, &run, format),
        None => export_certificate(&args, &run),
    }
}

fn export_certificate(args: &Args, run: &StoredRun) -> Result<Outcome, Failure> {
    let path = args.certificate.as_deref().expect("required where there is no format");
    let file = file::Replacement::create(path)?;
    check_blocks(run, 0..run.manifest().done)?;
    let certificate = certificate_of_run(run).map_err(|e| Failure::Data(format!("{}: {e}", args.dir.display())))?;
    file.finish(|out| certificate.write(out))?;
    Ok(Outcome::Done)
}

/// Sees to it that the values of `heaps` are as they were when they were written.
fn check_blocks(run: &StoredRun, heaps: Range<u64>) -> Result<(), Failure> {
    match run.verify_blocks_of(heaps).first() {
        None => Ok(()),
        Some(bad) => Err(Failure::Data(format!(
            "{}: the values of heaps {} to {} are damaged; run the game again",
            run.dir().display(),
            bad.heaps.start,
            bad.heaps.end - 1
        ))),
    }
}

/// The values of heaps `from` to `to`, or to the last that is known, of a run that keeps them; and that last heap.
pub fn part(run: &StoredRun, from: u64, to: Option<u64>) -> Result<(Slice<'_>, u64), Failure> {
    let dir = run.dir().display();
    let values = run.values().ok_or_else(|| {
        Failure::Usage(format!("{dir} keeps no values (--values none): run it again with --values all"))
    })?;
    let known = values.len() as u64;
    let last = known.checked_sub(1).ok_or_else(|| Failure::Usage(format!("{dir} has no values yet")))?;
    let to = to.unwrap_or(last);
    if to > last || from > to {
        return Err(Failure::Usage(format!("{dir} has heaps 0 to {last}, not {from} to {to}")));
    }
    check_blocks(run, from..to + 1)?;
    Ok((values.range(from as usize..to as usize + 1), to))
}

fn export_values(args: &Args, run: &StoredRun, format: Format) -> Result<Outcome, Failure> {
    let file = args.output.as_deref().map(file::Replacement::create).transpose()?;
    let (part, to) = part(run, args.from, args.to)?;
    let game = &run.manifest().game;
    let subject = Subject { game, canonical: game, from: args.from, to };
    let write = |mut out: &mut dyn Write| {
        match format {
            Format::Npy => npy::write(&mut out, part),
            format => sequence::write(&mut out, format, subject, part.iter().map(u64::from)),
        }
        .and_then(|()| out.flush())
    };
    file::write_or_print(file, |out| write(out))
}
