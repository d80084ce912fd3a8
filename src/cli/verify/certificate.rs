//! Certificates of periods.

use std::io::{Write, stdout};
use std::time::Instant;

use serde_json::{Value, json};

use crate::check::{Certificate, Checked, Refusal, Report, check_watched, merge as merge_reports};

use super::{Failure, Outcome, Subject, Watched, read};

/// Checks the certificate, or a share of it.
pub fn verify(subject: &Subject<'_>, text: &str) -> Result<Outcome, Failure> {
    let clock = Instant::now();
    let certificate = Certificate::read(text).map_err(|error| unreadable(subject, &error))?;
    let watched = Watched::new(subject.path, subject.global);
    let outcome = match check_watched(&certificate, subject.args.rungs, &|done, of| watched.show(done, of)) {
        Ok(checked) => Ok((certificate, checked)),
        Err(refusal @ Refusal::False(_)) => Err(refusal),
        Err(error) => return Err(unreadable(subject, &error)),
    };
    drop(watched);
    report(subject, &outcome, clock.elapsed().as_secs_f64())?;
    Ok(if outcome.is_ok() { Outcome::Done } else { Outcome::False })
}

fn unreadable(subject: &Subject<'_>, error: &Refusal) -> Failure {
    Failure::Data(format!("{}: {error}", subject.path.display()))
}

fn report(
    subject: &Subject<'_>,
    outcome: &Result<(Certificate, Checked), Refusal>,
    seconds: f64,
) -> Result<(), Failure> {
    let mut out = stdout().lock();
    if subject.args.json {
        let certificate = outcome.as_ref().ok().map(|(certificate, _)| certificate);
        let checked = outcome.as_ref().ok().map(|(_, checked)| checked);
        let json = json!({
            "path": subject.path.to_string_lossy(),
            "certificate": certificate.map(Certificate::crc32),
            "verified": outcome.is_ok(),
            "game": certificate.map(|c| &c.game),
            "period": certificate.map(|c| c.period),
            "preperiod": certificate.map(|c| c.preperiod),
            "saltus": certificate.map(|c| c.saltus),
            "share": [subject.args.rungs.index + 1, subject.args.rungs.of],
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
        Err(refusal) => writeln!(out, "{}: REFUSED: {refusal}", subject.path.display())?,
        Ok((c, checked)) => {
            writeln!(out, "{}", claim(subject, c))?;
            let Checked { segments, of, heaps } = checked;
            writeln!(out, "  {segments} of {of} rungs checked, {heaps} heaps recomputed")?;
            let all = segments == of;
            writeln!(out, "  {}", if all { "verified" } else { "verified, as far as this share goes" })?;
        }
    }
    Ok(())
}

fn claim(subject: &Subject<'_>, c: &Certificate) -> String {
    let saltus = if c.saltus > 0 { format!(", saltus {}", c.saltus) } else { String::new() };
    format!("{}: {} has period {}, preperiod {}{saltus}", subject.path.display(), c.game, c.period, c.preperiod)
}

/// Tells whether reports of shares make up all of the certificate.
pub fn merge(subject: &Subject<'_>, text: &str) -> Result<Outcome, Failure> {
    let certificate = Certificate::read(text).map_err(|error| unreadable(subject, &error))?;
    let mut reports = Vec::new();
    for path in &subject.args.merge {
        let bad = |what: String| Failure::Data(format!("{}: {what}", path.display()));
        let json: Value = serde_json::from_str(&read(path)?)
            .map_err(|e| bad(format!("it is no report of `sprague verify --rungs I/N --json` ({e})")))?;
        reports.push(Report::read(&json, &certificate).map_err(|e| bad(e.to_string()))?);
    }
    let missing = merge_reports(&reports);
    let of = reports[0].rungs;
    let checked = of - missing.len();
    let mut out = stdout().lock();
    if subject.args.json {
        let json = json!({
            "path": subject.path.to_string_lossy(),
            "certificate": certificate.crc32(),
            "verified": missing.is_empty(),
            "reports": reports.len(),
            "rungs_checked": checked,
            "rungs": of,
            "missing": missing,
        });
        writeln!(out, "{json}")?;
    } else {
        writeln!(out, "{}", claim(subject, &certificate))?;
        writeln!(out, "  {checked} of {of} rungs checked, by the word of {} reports", reports.len())?;
        match missing.first() {
            None => writeln!(out, "  verified")?,
            Some(first) => {
                writeln!(out, "  not all: rung {first} is among those missing; check it with --rungs {first}/{of}")?;
            }
        }
    }
    Ok(if missing.is_empty() { Outcome::Done } else { Outcome::Stopped })
}
