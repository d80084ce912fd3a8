//! `sprague verify`: is a stored run, or a certificate, what it says it is?

use std::fs;
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::time::{Instant, SystemTime};

use serde_json::json;

use crate::check::{Certificate, Checked, Refusal, Share, check};
use crate::driver::{Verification, verify};
use crate::misere::CertificateError;
use crate::misere::certificate as quotient;

use super::args::{self, Threads};
use super::{Failure, Outcome};

/// Verify a run directory, or the certificate of a period
///
/// A run directory: checksums, statistics, rare heaps, period, and a sample of the values by the rules. A
/// certificate: everything, by a checker that shares no code with what computed it.
/// Exit code 0: all of it holds. 1: something does not, and the reason is given.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The run directory, or the certificate
    #[arg(value_name = "DIR|CERTIFICATE")]
    path: PathBuf,
    /// For a run: the share of the values to recompute from the stored values of smaller heaps, 0 to 1
    #[arg(long, value_name = "FRACTION", default_value = "0", value_parser = fraction)]
    recompute: f64,
    /// For a run: chooses which values are recomputed [default: another choice every time]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,
    /// For a certificate: check the I-th of N shares of its rungs only, such as 1/4
    #[arg(long, value_name = "I/N", value_parser = args::share, default_value = "1/1")]
    rungs: Share,
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
/// If the run or the certificate cannot be read.
pub fn run(args: &Args) -> Result<Outcome, Failure> {
    args.threads.apply()?;
    if args.path.is_dir() { verify_run(args) } else { verify_certificate(args) }
}

fn verify_run(args: &Args) -> Result<Outcome, Failure> {
    let clock = Instant::now();
    let now = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos() as u64);
    let seed = args.seed.unwrap_or_else(now);
    let found = verify(&args.path, args.recompute, seed)?;
    report_run(args, &found, seed, clock.elapsed().as_secs_f64())?;
    Ok(if found.wrong.is_empty() { Outcome::Done } else { Outcome::False })
}

fn report_run(args: &Args, found: &Verification, seed: u64, seconds: f64) -> Result<(), Failure> {
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
    let name = args.path.display();
    match found.values {
        0 => writeln!(out, "{name}: no values are kept; manifest and checkpoints compared with their checksums")?,
        count => writeln!(out, "{name}: {count} values compared with their checksums")?,
    }
    if args.recompute > 0.0 && found.values > 0 {
        writeln!(out, "  {} values recomputed by the rules (--seed {seed} chooses the same)", found.recomputed)?;
    }
    found.wrong.iter().try_for_each(|wrong| writeln!(out, "  WRONG: {wrong}"))?;
    if found.wrong.is_empty() {
        writeln!(out, "  verified")?;
    } else {
        writeln!(out, "  does not verify: run the game again in a new directory")?;
    }
    Ok(())
}

fn verify_certificate(args: &Args) -> Result<Outcome, Failure> {
    let clock = Instant::now();
    let name = args.path.display();
    let text = fs::read_to_string(&args.path).map_err(|e| Failure::Data(format!("{name}: {e}; check the path")))?;
    if quotient::looks_like(&text) {
        return verify_quotient(args, &text, clock);
    }
    let outcome = match Certificate::read(&text) {
        Err(error @ (Refusal::Foreign(_) | Refusal::Newer { .. })) => {
            return Err(Failure::Data(format!("{name}: {error}")));
        }
        Err(refusal) => Err(refusal),
        Ok(certificate) => check(&certificate, args.rungs).map(|checked| (certificate, checked)),
    };
    report_certificate(args, &outcome, clock.elapsed().as_secs_f64())?;
    Ok(if outcome.is_ok() { Outcome::Done } else { Outcome::False })
}

fn report_certificate(
    args: &Args,
    outcome: &Result<(Certificate, Checked), Refusal>,
    seconds: f64,
) -> Result<(), Failure> {
    let mut out = stdout().lock();
    if args.json {
        let certificate = outcome.as_ref().ok().map(|(certificate, _)| certificate);
        let checked = outcome.as_ref().ok().map(|(_, checked)| checked);
        let json = json!({
            "path": args.path.to_string_lossy(),
            "verified": outcome.is_ok(),
            "game": certificate.map(|c| &c.game),
            "period": certificate.map(|c| c.period),
            "preperiod": certificate.map(|c| c.preperiod),
            "saltus": certificate.map(|c| c.saltus),
            "rungs_checked": checked.map(|c| c.segments),
            "rungs": checked.map(|c| c.of),
            "heaps": checked.map(|c| c.heaps),
            "wrong": outcome.as_ref().err().map(Refusal::to_string),
            "seconds": seconds,
        });
        writeln!(out, "{json}")?;
        return Ok(());
    }
    match outcome {
        Err(refusal) => writeln!(out, "{}: REFUSED: {refusal}", args.path.display())?,
        Ok((c, checked)) => {
            let saltus = if c.saltus > 0 { format!(", saltus {}", c.saltus) } else { String::new() };
            writeln!(
                out,
                "{}: {} has period {}, preperiod {}{saltus}",
                args.path.display(),
                c.game,
                c.period,
                c.preperiod
            )?;
            let Checked { segments, of, heaps } = checked;
            writeln!(out, "  {segments} of {of} rungs checked, {heaps} heaps recomputed")?;
            let all = segments == of;
            writeln!(out, "  {}", if all { "verified" } else { "verified, as far as this share goes" })?;
        }
    }
    Ok(())
}

fn verify_quotient(args: &Args, text: &str, clock: Instant) -> Result<Outcome, Failure> {
    let outcome = match quotient::verify(text) {
        Err(error) if !matches!(error, CertificateError::Refused(_)) => {
            return Err(Failure::Data(format!("{}: {error}", args.path.display())));
        }
        outcome => outcome,
    };
    let mut out = stdout().lock();
    let name = args.path.display();
    if args.json {
        let found = outcome.as_ref().ok();
        let json = json!({
            "path": args.path.to_string_lossy(),
            "verified": outcome.is_ok(),
            "game": found.map(|v| &v.game),
            "heaps": found.map(|v| v.heaps),
            "order": found.map(|v| v.order),
            "p_count": found.map(|v| v.p_count),
            "preperiod": found.and_then(|v| v.period).map(|p| p.0),
            "period": found.and_then(|v| v.period).map(|p| p.1),
            "wrong": outcome.as_ref().err().map(CertificateError::to_string),
            "seconds": clock.elapsed().as_secs_f64(),
        });
        writeln!(out, "{json}")?;
    } else {
        match &outcome {
            Err(error) => writeln!(out, "{name}: REFUSED: {error}")?,
            Ok(found) => {
                let scope = match found.period {
                    Some((preperiod, period)) => format!("for all heaps (period {period} from heap {preperiod} on)"),
                    None => format!("for heaps up to {}", found.heaps),
                };
                writeln!(
                    out,
                    "{name}: {}, misère play: order {}, {} P-elements {scope}",
                    found.game, found.order, found.p_count
                )?;
                writeln!(out, "  verified")?;
            }
        }
    }
    Ok(if outcome.is_ok() { Outcome::Done } else { Outcome::False })
}
