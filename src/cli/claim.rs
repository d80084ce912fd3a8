//! `sprague claim`: is a published period true?

use std::io::{Write, stdout};
use std::time::Instant;

use serde::Serialize;

use crate::driver::Computation;
use crate::period::Claim;
use crate::report::period::{PeriodReport, Status};

use super::args::{self, GameArg, Processor};
use super::{Failure, Global, Outcome, compute, period, stop};

/// Verify a published claim: g(n + P) = g(n) + S for all n >= N0
///
/// Exit code 0: it holds for all heaps. 1: it is refuted, and a heap is named. 4: neither up to the limit.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameArg,
    /// The claimed period
    #[arg(long, value_name = "P", value_parser = args::heap)]
    period: u64,
    /// The claimed first heap of the periodic part (one more than the last exception)
    #[arg(long, value_name = "N0", value_parser = args::heap)]
    preperiod: u64,
    /// The claimed saltus, added with every period
    #[arg(long, value_name = "S", default_value = "0", value_parser = args::heap)]
    saltus: u64,
    /// The last heap to compute [default: as for `period`, and at least two claimed periods after the preperiod]
    #[arg(long, value_name = "N", value_parser = args::heap)]
    limit: Option<u64>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    processor: Processor,
}

/// The least period and preperiod.
#[derive(Debug, Serialize)]
struct Least {
    period: u64,
    preperiod: u64,
    saltus: u64,
}

/// The keys of `claim --json`: those of `period --json`, with the claim's status.
#[derive(Debug, Serialize)]
struct ClaimReport {
    #[serde(flatten)]
    report: PeriodReport,
    claimed: Claim,
    least: Option<Least>,
    refuted_at: Option<u128>,
}

/// Runs the command.
///
/// # Errors
/// Bad arguments, or output that cannot be written.
pub fn run(args: Args, global: Global) -> Result<Outcome, Failure> {
    let rules = args.game.rules()?;
    if args.period == 0 {
        return Err(Failure::Usage("--period 0 claims nothing: a period is at least 1".to_owned()));
    }
    let threads = args.processor.apply()?;
    stop::on_signals()?;
    let clock = Instant::now();
    let claim = Claim { period: args.period, preperiod: args.preperiod, saltus: args.saltus };
    let mut computation = Computation::new(&rules, None, true);
    let (end, mut enough) = period::limit(&rules, args.limit);
    let needed = claim.preperiod.saturating_add(claim.period.saturating_mul(2)).saturating_add(1);
    let end = if args.limit.is_none() { end.max(needed) } else { end };
    let mut checked = claim.preperiod;
    let mut refuted = None;
    let stopped = compute::advance(&mut computation, end, global, |computation| {
        let known = computation.known();
        refuted = claim.refuted_below(known, checked, |n| computation.value(n));
        checked = checked.max(known.saturating_sub(claim.period));
        refuted.is_some() || (known > needed && enough(computation))
    })?;
    // The last block has not been looked at.
    let refuted = refuted.or_else(|| claim.refuted_below(computation.known(), checked, |n| computation.value(n)));
    let proven = computation.filler();
    let refuted = refuted.map(u128::from).or_else(|| proven.and_then(|filler| claim.refuted_by(filler)));
    let found = Found { refuted, stopped, threads, seconds: clock.elapsed().as_secs_f64() };
    report(&args, global, claim, &found, &computation)
}

/// What the computation found, and how it ended.
struct Found {
    refuted: Option<u128>,
    stopped: bool,
    threads: usize,
    seconds: f64,
}

fn report(
    args: &Args,
    global: Global,
    claim: Claim,
    found: &Found,
    computation: &Computation,
) -> Result<Outcome, Failure> {
    let refuted = found.refuted;
    let mut report = PeriodReport::new(&args.game.game, computation, found.threads, found.seconds);
    let least = computation.filler().map(|filler| {
        let p = filler.period();
        Least { period: p.period, preperiod: p.preperiod, saltus: p.saltus }
    });
    let outcome = match (refuted, &least) {
        (Some(_), _) => Outcome::False,
        (None, Some(_)) => Outcome::Done,
        (None, None) => Outcome::Stopped,
    };
    if refuted.is_some() {
        report.status = Status::Refuted;
    }
    let mut out = stdout().lock();
    if args.json {
        let json = ClaimReport { report, claimed: claim, least, refuted_at: refuted };
        writeln!(out, "{}", serde_json::to_string(&json).map_err(std::io::Error::other)?)?;
        return Ok(outcome);
    }
    writeln!(out, "{}: {claim}", report.canonical)?;
    match (refuted, &least) {
        (Some(n), _) => {
            let value = |n: u128| match (computation.filler(), u64::try_from(n)) {
                (Some(filler), _) => filler.wide_value(n).to_string(),
                (None, Ok(n)) => computation.value(n).map_or(String::new(), |v| v.to_string()),
                (None, Err(_)) => String::new(),
            };
            let later = value(n + u128::from(claim.period));
            writeln!(out, "  refuted at heap {n}: g({n}) = {}, g({n} + {}) = {later}", value(n), claim.period)?;
        }
        (None, Some(_)) => writeln!(out, "  holds for all heaps ({})", report.theorem.unwrap_or_default())?,
        (None, None) => writeln!(out, "  neither proven nor refuted on {} heaps", computation.known())?,
    }
    if let Some(least) = least {
        let saltus = if least.saltus > 0 { format!(", saltus {}", least.saltus) } else { String::new() };
        let same = (least.period, least.preperiod) == (claim.period, claim.preperiod) && refuted.is_none();
        let verb = if same { "both are" } else { "the least are" };
        writeln!(out, "  {verb} period {}, preperiod {}{saltus}", least.period, least.preperiod)?;
    }
    if outcome == Outcome::Stopped && !global.quiet {
        let why =
            if found.stopped { "a signal came first" } else { "the limit came first; a higher --limit goes further" };
        eprintln!("sprague: {why}");
    }
    Ok(outcome)
}
