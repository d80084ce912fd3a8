//! `sprague verify`: is a stored run what it says it is?

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::{Instant, SystemTime};

use serde_json::json;

use crate::driver::{Verification, verify};

use super::args::Threads;
use super::{Failure, Global, Outcome};

/// Verify a run directory: checksums, statistics, rare heaps, period, and a sample of the values by the rules
///
/// Exit code 0: all of it holds. 1: something does not, and a heap is named where there is one.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run directory
    #[arg(value_name = "DIR")]
    path: PathBuf,
    /// The share of the values to recompute from the stored values of smaller heaps, 0 to 1
    #[arg(long, value_name = "FRACTION", default_value = "0", value_parser = fraction)]
    recompute: f64,
    /// Chooses which values are recomputed [default: another choice every time]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
}

fn fraction(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|f| (0.0..=1.0).contains(f));
    share.ok_or_else(|| format!("`{text}` is not a share: write a number from 0 to 1, such as 0.01"))
}

/// Runs the command.
///
/// # Errors
/// If the run cannot be read.
pub fn run(args: Args, global: Global) -> Result<Outcome, Failure> {
    args.threads.apply()?;
    let clock = Instant::now();
    let seed = args.seed.unwrap_or_else(|| SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos() as u64));
    let found = verify(&args.path, args.recompute, seed)?;
    report(&args, &found, seed, clock.elapsed().as_secs_f64())?;
    if found.wrong.is_empty() {
        return Ok(Outcome::Done);
    }
    if !global.quiet {
        eprintln!("sprague: {} does not verify; run the game again in a new directory", args.path.display());
    }
    Ok(Outcome::False)
}

fn report(args: &Args, found: &Verification, seed: u64, seconds: f64) -> Result<(), Failure> {
    let mut out = stdout().lock();
    if args.json {
        let json = json!({
            "path": args.path.to_string_lossy(),
            "verified": found.wrong.is_empty(),
            "values": found.values,
            "recomputed": found.recomputed,
            "seed": seed,
            "wrong": found.wrong,
            "seconds": seconds,
        });
        writeln!(out, "{json}")?;
        return Ok(());
    }
    writeln!(out, "{}: {} values compared with their checksums", args.path.display(), found.values)?;
    if args.recompute > 0.0 {
        writeln!(out, "  {} values recomputed by the rules (--seed {seed} chooses the same)", found.recomputed)?;
    }
    found.wrong.iter().try_for_each(|wrong| writeln!(out, "  WRONG: {wrong}"))?;
    if found.wrong.is_empty() {
        writeln!(out, "  verified")?;
    }
    Ok(())
}
