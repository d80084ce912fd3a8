//! `sprague misere`: the misère quotient of a game, or the genus of its heaps.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use crate::misere::{Analysis, Certificate, Halt, Limits, MAX_ORDER, Method, Status, genera, solve};
use crate::report::misere::{GenusReport, MisereReport};
use crate::rules::parse_heap_size;

use super::args::{self, GameArg};
use super::file::Replacement;
use super::{Failure, Global, Outcome};

/// The largest heap that is asked for at once: a value of each is kept in memory.
const MAX_HEAPS: u64 = 1 << 26;

/// Solve misère play, where whoever makes the last move loses: find the misère quotient, or the genus of single heaps
///
/// Every answer is proven. Exit code 4: the heaps asked for were not all decided, and standard error says why.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameArg,
    /// The largest heap to go to, if no period is proven before
    #[arg(long, value_name = "N", value_parser = heaps, required_unless_present = "genus")]
    heaps: Option<u64>,
    /// The genus symbols of heaps 1 to N (50 at most) instead of the quotient. tame: the symbol is one of Nim's; restive and restless: it is not, but those of all positions below are
    #[arg(long, value_name = "N", conflicts_with_all = ["heaps", "budget", "certificate", "method"])]
    genus: Option<u64>,
    /// How long to try, such as 90s, 10m or 2h
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = args::duration)]
    budget: Duration,
    /// How to find a larger quotient; all ways give the same
    #[arg(long, value_enum, default_value = "auto")]
    method: Method,
    /// Write the quotient to this file, for `sprague verify`
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

fn heaps(text: &str) -> Result<u64, String> {
    match parse_heap_size(text) {
        Ok(n) if n <= MAX_HEAPS => Ok(n),
        Ok(_) => Err(format!("quotients go up to heap 2^26 ({MAX_HEAPS})")),
        Err(error) => Err(error.to_string()),
    }
}

/// Runs the command.
///
/// # Errors
/// Bad arguments, or output that cannot be written.
pub fn run(args: Args, global: Global) -> Result<Outcome, Failure> {
    let rules = args.game.rules()?;
    if let Some(to) = args.genus {
        let genera = genera(&rules, to).map_err(|error| Failure::Usage(error.to_string()))?;
        print(&GenusReport::new(&rules, &genera), args.json)?;
        return Ok(Outcome::Done);
    }
    let file = args.certificate.as_deref().map(Replacement::create).transpose()?;
    let heaps = args.heaps.unwrap_or(MAX_HEAPS);
    let analysis = solve(&rules, &Limits { heaps, budget: args.budget, method: args.method })?;
    if let Some(file) = file {
        let text = Certificate::of(&analysis.quotient).to_json();
        file.finish(|out| out.write_all(text.as_bytes()))?;
    }
    print(&MisereReport::new(&analysis), args.json)?;
    let Some(halt) = analysis.halt else { return Ok(Outcome::Done) };
    if !global.quiet {
        eprintln!("sprague: {}", reason(&analysis, halt, args.method));
    }
    Ok(Outcome::Stopped)
}

/// Why the heaps asked for were not all decided, and what helps.
fn reason(analysis: &Analysis, halt: Halt, method: Method) -> String {
    let next = analysis.quotient.heaps() + 1;
    let what = match analysis.status {
        Status::Unresolved { .. } => {
            format!("heap {next} was not resolved, which does not prove its quotient infinite")
        }
        _ => format!("heap {next} was not reached"),
    };
    match (halt, method) {
        (Halt::Time, _) => {
            format!("after {:.1} s {what}; a larger --budget tries longer", analysis.spent.as_secs_f64())
        }
        (Halt::Order, _) => format!(
            "heap {next} was not decided: with it the quotient has more than {MAX_ORDER} elements, the most that are \
             kept; --heaps {} ends before it",
            next - 1
        ),
        (Halt::Exhausted, Method::Guess) => format!("{what}; all guesses failed: --method auto searches as well"),
        (Halt::Exhausted, _) => {
            format!("{what}; the search needs more memory than is allowed: --heaps {} ends before it", next - 1)
        }
    }
}

fn print(report: &(impl Serialize + std::fmt::Display), json: bool) -> Result<(), Failure> {
    let mut out = stdout().lock();
    match json {
        true => writeln!(out, "{}", serde_json::to_string(report).map_err(std::io::Error::other)?)?,
        false => writeln!(out, "{report}")?,
    }
    Ok(())
}
