//! `sprague bench`: how fast this machine is, and whether it computes what others do.

use std::io::{Write, stdout};

use crate::Rules;
use crate::bench::{self, WORKLOADS};
use crate::report::bench::{BenchReport, BenchResult};

use super::args::{self, Processor};
use super::{Failure, Outcome};

/// Measure the engines on fixed games: no search for periods, no statistics
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only these of the games; with --to, any games [default: all]
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// The last heap of every game, instead of its own
    #[arg(long, value_name = "N", value_parser = args::heap)]
    to: Option<u64>,
    /// Fewer heaps: a second in all
    #[arg(long, conflicts_with = "to")]
    quick: bool,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    /// Measure nothing: print the checksum of the values of fixed games, which is the same on every machine
    #[arg(long, conflicts_with_all = ["games", "to", "quick", "json"])]
    signature: bool,
    #[command(flatten)]
    processor: Processor,
}

/// A game with its last heap.
struct Work {
    game: String,
    rules: Rules,
    to: u64,
}

/// Runs the command.
///
/// # Errors
/// Bad arguments, or output that cannot be written.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    let threads = args.processor.apply()?;
    let mut out = stdout().lock();
    if args.signature {
        writeln!(out, "{:08x}", bench::signature()?)?;
        return Ok(Outcome::Done);
    }
    let works = works(args)?;
    let mut report = BenchReport::new(bench::cpu_name(), threads);
    if !args.json {
        writeln!(out, "{}", report.head())?;
    }
    for Work { game, rules, to } in &works {
        let result = BenchResult::new(game, &bench::measure(rules, *to)?);
        if !args.json {
            writeln!(out, "{result}")?;
        }
        report.results.push(result);
    }
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report).map_err(std::io::Error::other)?)?;
    }
    Ok(Outcome::Done)
}

/// What is to be measured.
fn works(args: &Args) -> Result<Vec<Work>, Failure> {
    if args.games.is_empty() {
        return WORKLOADS.iter().map(|w| work(w.game, args)).collect();
    }
    args.games.iter().map(|game| work(game, args)).collect()
}

fn work(game: &str, args: &Args) -> Result<Work, Failure> {
    let rules: Rules = game.parse()?;
    let known = || WORKLOADS.iter().find(|w| w.game.parse().is_ok_and(|known: Rules| known == rules));
    let own = || known().map(|w| if args.quick { w.quick } else { w.to });
    match args.to.or_else(own) {
        Some(to) => Ok(Work { game: game.to_owned(), rules, to }),
        None => {
            let names: Vec<&str> = WORKLOADS.iter().map(|w| w.game).collect();
            Err(Failure::Usage(format!(
                "{game} has no fixed number of heaps: give --to N, or one of {}",
                names.join(", ")
            )))
        }
    }
}
