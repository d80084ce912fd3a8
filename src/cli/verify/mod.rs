//! `sprague verify`: is a stored run, or a certificate, what it says it is?

mod certificate;
mod quotient;

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use serde_json::json;

use crate::check::Share;
use crate::driver::{Recomputed, Sample, Verification, verify};
use crate::misere::certificate::looks_like;

use super::args::{self, Processor};
use super::watched::Watched;
use super::{Failure, Global, Outcome};

/// Verify run directories, or certificates of periods
///
/// A run directory: checksums, statistics, rare heaps, period, and a sample of the values by the rules. A
/// certificate: everything, by a checker that shares no code with what computed it.
/// Exit code 0: all of it holds. 1: something does not, and the reason is given. 3: something cannot be read, or was altered; the
/// others are verified all the same.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run directories and certificates
    #[arg(value_name = "DIR|CERTIFICATE", required = true)]
    paths: Vec<PathBuf>,
    /// For a run: the share of the values to compute once more, such as 0.01 or 1/100: from the stored values of smaller heaps by the rules, or, with --kernel or where no values are kept, by the engine from stored windows of values
    #[arg(long, value_name = "FRACTION", default_value = "0", value_parser = fraction)]
    recompute: f64,
    /// For a run: chooses which values are recomputed [default: another choice every time]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// For a certificate: check the I-th of N shares of its rungs only, such as 1/4; a rung is checked whole, so that a share has one at least
    #[arg(long, value_name = "I/N", value_parser = args::share, default_value = "1/1")]
    rungs: Share,
    /// For a certificate: check nothing, but tell whether these reports of shares, written by `--rungs I/N --json` perhaps on other machines, make up all of it; the certificate comes before
    #[arg(long, value_name = "REPORT", num_args = 1.., conflicts_with = "rungs")]
    merge: Vec<PathBuf>,
    /// Print a JSON object, for each path on a line of its own
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    processor: Processor,
}

impl Args {
    /// Why an option has nothing to do with the paths.
    fn misplaced(&self) -> Option<&'static str> {
        let runs = self.paths.iter().filter(|path| path.is_dir()).count();
        if !self.merge.is_empty() && self.paths.len() > 1 {
            Some("--merge tells of one certificate: give its path alone")
        } else if !self.merge.is_empty() && runs > 0 {
            Some("--merge is for certificates: verify a run without it")
        } else if self.rungs.of > 1 && runs == self.paths.len() {
            Some("--rungs is for certificates: to check a part of the values of a run, use --recompute")
        } else if (self.recompute > 0.0 || self.seed.is_some()) && runs == 0 {
            Some("--recompute and --seed are for run directories: to check a part of a certificate, use --rungs")
        } else {
            None
        }
    }
}

fn fraction(text: &str) -> Result<f64, String> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let share = match text.split_once('/') {
        Some((part, of)) => number(part).zip(number(of)).map(|(part, of)| part / of),
        None => number(text),
    };
    let share = share.filter(|f| (0.0..=1.0).contains(f));
    share.ok_or_else(|| format!("`{text}` is not a share: write a number from 0 to 1, such as 0.01 or 1/100"))
}

/// One thing to verify.
struct Subject<'a> {
    path: &'a Path,
    args: &'a Args,
    global: Global,
}

/// Runs the command.
///
/// # Errors
/// If a run or a certificate cannot be read, when the others have been looked at.
pub fn run(args: &Args, global: Global) -> Result<Outcome, Failure> {
    args.processor.apply()?;
    if let Some(reason) = args.misplaced() {
        return Err(Failure::Usage(reason.to_owned()));
    }
    let mut worst = Outcome::Done;
    let mut unread = Vec::new();
    for path in &args.paths {
        match verify_one(&Subject { path, args, global }) {
            Ok(Outcome::Done) => {}
            Ok(outcome) => worst = outcome,
            Err(Failure::Data(reason)) if args.paths.len() > 1 => {
                report_unread(path, args, &reason)?;
                unread.push(path.display().to_string());
            }
            Err(failure) => return Err(failure),
        }
    }
    match unread.is_empty() {
        true => Ok(worst),
        false => Err(Failure::Data(format!("{} cannot be verified: see above", unread.join(", ")))),
    }
}

/// Says why a path cannot be verified, among others that can.
fn report_unread(path: &Path, args: &Args, reason: &str) -> Result<(), Failure> {
    let mut out = stdout().lock();
    match args.json {
        true => writeln!(out, "{}", json!({"path": path.to_string_lossy(), "verified": false, "error": reason}))?,
        false => writeln!(out, "{}: not verified: {reason}", path.display())?,
    }
    Ok(())
}

fn verify_one(subject: &Subject<'_>) -> Result<Outcome, Failure> {
    if subject.path.is_dir() {
        return verify_run(subject);
    }
    let text = read(subject.path)?;
    match looks_like(&text) {
        true => quotient::verify(subject, &text),
        false if !subject.args.merge.is_empty() => certificate::merge(subject, &text),
        false => certificate::verify(subject, &text),
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|e| Failure::Data(format!("{}: {e}; check the path", path.display())))
}

fn verify_run(subject: &Subject<'_>) -> Result<Outcome, Failure> {
    let Subject { path, args, global } = *subject;
    let clock = Instant::now();
    let now = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos() as u64);
    let seed = args.seed.unwrap_or_else(now);
    let sample = Sample { fraction: args.recompute, seed, by_engine: args.processor.names_kernel() };
    let watched = Watched::new(path, global);
    let found = verify(path, sample, &|done, of| watched.show(done, of))?;
    drop(watched);
    report_run(subject, &found, seed, clock.elapsed().as_secs_f64())?;
    Ok(if found.wrong.is_empty() { Outcome::Done } else { Outcome::False })
}

fn report_run(subject: &Subject<'_>, found: &Verification, seed: u64, seconds: f64) -> Result<(), Failure> {
    let Subject { path, args, .. } = *subject;
    let mut out = stdout().lock();
    if args.json {
        let json = json!({
            "path": path.to_string_lossy(),
            "verified": found.wrong.is_empty(),
            "heaps": found.heaps,
            "values": found.values,
            "recomputed": found.again.as_ref().map_or(found.recomputed, |again| again.heaps),
            "recomputed_by": found.again.as_ref().map(|again| &again.by),
            "seed": seed,
            "wrong": found.wrong,
            "seconds": seconds,
        });
        writeln!(out, "{json}")?;
        return Ok(());
    }
    let name = path.display();
    match (found.heaps, found.values) {
        (0, _) => writeln!(out, "{name}: nothing has been saved yet: the first checkpoint is still to come")?,
        (_, 0) => writeln!(out, "{name}: no values are kept; manifest and checkpoints compared with their checksums")?,
        (_, count) => writeln!(out, "{name}: {count} values compared with their checksums")?,
    }
    let chooses = format!("(--seed {seed} chooses the same)");
    if let Some(Recomputed { heaps, parts, of, by, .. }) = &found.again {
        let by = by.iter().map(String::as_str).collect::<Vec<_>>().join("; ");
        writeln!(out, "  {heaps} heaps in {parts} of {of} parts computed once more {chooses}")?;
        writeln!(out, "  by {by}")?;
    } else if args.recompute > 0.0 && found.values > 0 {
        writeln!(out, "  {} values recomputed by the rules {chooses}", found.recomputed)?;
    }
    found.wrong.iter().try_for_each(|wrong| writeln!(out, "  WRONG: {wrong}"))?;
    match found.wrong.is_empty() {
        true if found.heaps == 0 => {}
        true => writeln!(out, "  verified")?,
        false if found.damaged => {
            writeln!(
                out,
                "  does not verify: `sprague resume {name}` goes on from what is whole; verify the run again after it"
            )?;
        }
        false => writeln!(out, "  does not verify: run the game again in a new directory")?,
    }
    Ok(())
}
