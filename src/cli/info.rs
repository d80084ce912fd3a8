//! `sprague info`: what a game is, or what a run directory holds.

use std::collections::BTreeMap;
use std::io::{Write, stdout};
use std::path::Path;

use serde_json::{Value, json};

use crate::Rules;
use crate::driver::{Computation, RunError};
use crate::engine::Engine;
use crate::store::{Manifest, Progress, StoredRun};

use super::args::{self, Subject};
use super::{Failure, Outcome, progress::span};

/// Show what a game is and how it would be computed, or what a run directory holds
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A game, or a run directory
    #[arg(value_name = "GAME|DIR")]
    subject: String,
    /// For a game: how long heaps up to N would take, where it can be told
    #[arg(long, value_name = "N", value_parser = args::heap)]
    to: Option<u64>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// How many rows of a table of value counts are shown.
const ROWS: usize = 12;
/// How many columns of it, each for a power of two.
const MILESTONES: usize = 4;

/// Runs the command.
///
/// # Errors
/// If the subject is neither a game nor a directory that holds a run.
pub fn run(args: Args) -> Result<Outcome, Failure> {
    match Subject::read(&args.subject)? {
        Subject::Game(rules) => game(&args, &rules),
        Subject::Run(path) => {
            let run = StoredRun::read(&path).map_err(RunError::from)?;
            if args.json { run_json(run.manifest()) } else { run_text(&path, run.manifest()) }
        }
    }
}

fn game(args: &Args, rules: &Rules) -> Result<Outcome, Failure> {
    let computation = Computation::new(rules, None, true);
    let engine = computation.engine();
    let name = rules.name();
    let forecast = args.to.and_then(|to| engine.forecast(to.saturating_add(1))).map(|d| d.as_secs_f64());
    let mut out = stdout().lock();
    if args.json {
        let json = json!({
            "game": args.subject,
            "canonical": rules.to_string(),
            "name": name.map(|n| n.name),
            "about": name.map(|n| n.about),
            "last_index": rules.last_index(),
            "max_heaps": rules.max_parts(),
            "engine": engine.name(),
            "reason": engine.reason(),
            "seconds": forecast,
        });
        writeln!(out, "{json}")?;
        return Ok(Outcome::Done);
    }
    writeln!(out, "{rules}")?;
    if let Some(named) = name {
        writeln!(out, "  {}: {}", named.name, named.about)?;
    }
    let digits = rules
        .last_index()
        .map_or("the digits repeat for ever".to_owned(), |k| format!("the last non-zero digit is d({k})"));
    let heaps = match rules.max_parts() {
        0 => "no heap".to_owned(),
        1 => "at most one heap".to_owned(),
        many => format!("at most {many} heaps"),
    };
    writeln!(out, "  a move leaves {heaps}; {digits}")?;
    writeln!(out, "  {} engine: {}", engine.name(), engine.reason())?;
    if let (Some(seconds), Some(to)) = (forecast, args.to) {
        writeln!(
            out,
            "  heaps up to {to} take about {}, unless a period is proven or rare positions become few before",
            span(seconds)
        )?;
    }
    Ok(Outcome::Done)
}

fn run_json(manifest: &Manifest) -> Result<Outcome, Failure> {
    let mut json = serde_json::to_value(manifest).map_err(std::io::Error::other)?;
    // One level of keys: what is known of the game beside what the run is.
    if let Value::Object(keys) = &mut json
        && let Some(Value::Object(progress)) = keys.remove("progress")
    {
        keys.extend(progress);
        // As `period --json` and tables have it.
        keys.insert("mask".to_owned(), mask_text(manifest).into());
        keys.insert("mask_type".to_owned(), manifest.progress.mask.map(|mask| mask.kind()).into());
    }
    writeln!(stdout().lock(), "{json}")?;
    Ok(Outcome::Done)
}

/// The bits of the mask that matter, in hexadecimal.
fn mask_text(manifest: &Manifest) -> Option<String> {
    let progress = &manifest.progress;
    progress.mask.map(|mask| mask.text(u32::try_from(progress.max_value).unwrap_or(u32::MAX)))
}

fn run_text(path: &Path, manifest: &Manifest) -> Result<Outcome, Failure> {
    let progress = &manifest.progress;
    let mut out = stdout().lock();
    writeln!(out, "{}: {}", path.display(), manifest.game)?;
    let state = if manifest.complete { "complete" } else { "not complete" };
    writeln!(out, "  heaps         {} of {} ({state})", manifest.done, manifest.to.saturating_add(1))?;
    writeln!(out, "  values        {}", if manifest.keep_values { "kept in values.npy" } else { "not kept" })?;
    writeln!(out, "  largest       {} at heap {}", progress.max_value, progress.max_at)?;
    if let Some(period) = &progress.period {
        writeln!(out, "  period        {}, preperiod {}, saltus {}", period.period, period.preperiod, period.saltus)?;
        writeln!(out, "  proven by     {}", period.theorem)?;
    }
    if let Some(excluded) = &progress.excluded {
        let (period, preperiod) = (excluded.max_period, excluded.max_preperiod);
        writeln!(out, "  excluded      periods up to {period} with preperiods up to {preperiod}")?;
    }
    if let (Some(mask), Some(text)) = (progress.mask, mask_text(manifest)) {
        let last = progress.last_rare().map_or(String::new(), |last| format!(", the last at heap {last}"));
        writeln!(out, "  rare heaps    {}{last} (mask {text}, {} type)", progress.rare.len(), mask.kind())?;
    }
    writeln!(
        out,
        "  computed by   {} engine, {} kernel, {:.1} s",
        progress.engine.as_deref().unwrap_or("no"),
        progress.kernel.as_deref().unwrap_or("no"),
        progress.seconds
    )?;
    if let Some(counts) = &progress.value_counts {
        write_counts(&mut out, counts, progress)?;
    }
    Ok(Outcome::Done)
}

/// How often each value occurs: among all heaps, and when their number was a power of two.
fn write_counts(out: &mut impl Write, counts: &BTreeMap<u32, u64>, progress: &Progress) -> std::io::Result<()> {
    let skipped = progress.milestones.len().saturating_sub(MILESTONES);
    let milestones = &progress.milestones[skipped..];
    let powers: String = milestones.iter().map(|m| format!("{:>16}", format!("below 2^{}", m.heaps.ilog2()))).collect();
    writeln!(out, "  value counts  {} values occur", counts.len())?;
    writeln!(out, "  {:>12}{:>16}{powers}", "value", "all heaps")?;
    for (&value, count) in counts.iter().take(ROWS) {
        let row = milestones.iter().map(|m| m.counts.get(value as usize).copied().unwrap_or(0));
        let row: String = row.map(|count| format!("{count:>16}")).collect();
        writeln!(out, "  {value:>12}{count:>16}{row}")?;
    }
    let more = counts.len().saturating_sub(ROWS);
    if more > 0 || skipped > 0 {
        writeln!(out, "  {:>12}  {more} more values, {skipped} more powers of two with --json", "...")?;
    }
    Ok(())
}
