//! `sprague period`: find the period of a game and prove it.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Instant;

use crate::Rules;
use crate::driver::Computation;
use crate::engine::Engine;
use crate::report::period::PeriodReport;

use super::args::{self, GameArg, Processor};
use super::{Failure, Global, Outcome, compute, file, stop};

/// How far a game is computed when no limit is given, if its work for a heap does not grow.
pub const LIMIT: u64 = 1_000_000_000;
/// The same where all pairs of heaps must be marked.
pub const QUADRATIC_LIMIT: u64 = 1 << 17;
/// The same where all triples must be.
pub const CUBIC_LIMIT: u64 = 1 << 12;

/// How many values are kept at either end: below twice as many all are, beyond it memory is bounded.
const WINDOW: usize = 1 << 29;
/// The same for games that only take: their last few values are the whole state.
const TAKING_WINDOW: usize = 1 << 24;

/// Find the period of a game and prove it
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameArg,
    /// The last heap to compute if no period is proven before [default: 1e9; 2^17 where all pairs must be marked, 2^12 for three heaps]
    #[arg(long, value_name = "N", value_parser = args::heap)]
    limit: Option<u64>,
    /// Write what proves the period to this file, for `sprague verify`
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    processor: Processor,
}

/// Runs the command.
///
/// # Errors
/// Bad arguments, or output that cannot be written.
pub fn run(args: Args, global: Global) -> Result<Outcome, Failure> {
    let rules = args.game.rules()?;
    let threads = args.processor.apply()?;
    let file = args.certificate.as_deref().map(file::Replacement::create).transpose()?;
    stop::on_signals()?;
    let clock = Instant::now();
    let window = if rules.max_parts() <= 1 { TAKING_WINDOW } else { WINDOW };
    let mut computation = Computation::new(&rules, Some(window), true);
    let (end, enough) = limit(&rules, args.limit);
    let stopped = compute::advance(&mut computation, end, global, enough)?;
    let report = PeriodReport::new(&args.game.game, &computation, threads, clock.elapsed().as_secs_f64());
    let mut out = stdout().lock();
    match args.json {
        true => writeln!(out, "{}", serde_json::to_string(&report).map_err(std::io::Error::other)?)?,
        false => writeln!(out, "{report}")?,
    }
    if computation.period().is_some() {
        if let Some(file) = file {
            let certificate = computation.certificate().map_err(|e| Failure::Data(e.to_string()))?;
            file.finish(|out| certificate.write(out))?;
        }
        return Ok(Outcome::Done);
    }
    if !global.quiet {
        let why = if stopped { "stopped by a signal" } else { "stopped at the limit" };
        let known = computation.known();
        eprintln!(
            "sprague: {why}, no period proven on {known} heaps; a higher --limit goes further, and `sprague run` keeps what it computes"
        );
    }
    Ok(Outcome::Stopped)
}

/// Where a search for a period ends (exclusive), and when it is enough even before: a game may turn out to need
/// all pairs on the way.
pub fn limit(rules: &Rules, given: Option<u64>) -> (u64, impl FnMut(&Computation) -> bool) {
    let few = if rules.max_parts() == 3 { CUBIC_LIMIT } else { QUADRATIC_LIMIT };
    let all_pairs = rules.max_parts() == 3 || (rules.max_parts() == 2 && rules.last_index().is_none());
    let end = given.unwrap_or(if all_pairs { few } else { LIMIT }).saturating_add(1);
    let enough = move |computation: &Computation| {
        given.is_none() && computation.engine().name() == "dense" && computation.known() > few
    };
    (end, enough)
}
