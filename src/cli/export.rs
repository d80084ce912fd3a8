//! `sprague export`: the values of a run directory in another format.

use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

use crate::report::sequence::{self, Format, Subject};
use crate::store::{StoredRun, npy};

use super::args;
use super::{Failure, Outcome, file};

/// Write the values of a run directory as CSV, b-file, JSON, text or NumPy file
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run directory
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// How to write the values
    #[arg(long, value_enum)]
    format: Format,
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
    let dir = args.dir.display();
    let values = run.values().ok_or_else(|| {
        Failure::Usage(format!("{dir} keeps no values (--values none): run it again with --values all"))
    })?;
    let known = values.len() as u64;
    let last = known.checked_sub(1).ok_or_else(|| Failure::Usage(format!("{dir} has no values yet")))?;
    let to = args.to.unwrap_or(last);
    if to > last || args.from > to {
        return Err(Failure::Usage(format!("{dir} has heaps 0 to {last}, not {} to {to}", args.from)));
    }
    let game = &run.manifest().game;
    let subject = Subject { game, canonical: game, from: args.from, to };
    let part = values.range(args.from as usize..to as usize + 1);
    let write = |mut out: &mut dyn Write| {
        match args.format {
            Format::Npy => npy::write(&mut out, part),
            format => sequence::write(&mut out, format, subject, part.iter().map(u64::from)),
        }
        .and_then(|()| out.flush())
    };
    match &args.output {
        None => write(&mut BufWriter::new(stdout().lock()))?,
        Some(path) => file::Replacement::create(path)?.finish(|out| write(out))?,
    }
    Ok(Outcome::Done)
}
