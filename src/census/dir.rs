//! The directory of a census: its plan, the results of its units, and their union.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::check::Share;

use super::error::CensusError;
use super::games::Family;
use super::misere::{self, Misere};
use super::plan::{Kind, Plan, Unit, VERSION};
use super::unit::{self, Class};

const PLAN: &str = "plan.json";
const UNITS: &str = "units";

/// How many units are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Those that were done before.
    pub before: usize,
    /// Those done now.
    pub now: usize,
    /// All units of the share.
    pub units: usize,
}

/// Writes a plan into a new directory.
///
/// # Errors
/// [`CensusError`], also if there is a plan already.
pub fn create(dir: &Path, plan: &Plan) -> Result<(), CensusError> {
    let path = dir.join(PLAN);
    if path.exists() {
        return Err(CensusError::Exists(dir.to_owned()));
    }
    fs::create_dir_all(dir.join(UNITS)).map_err(CensusError::io(dir))?;
    let units: Vec<String> = plan.units.iter().map(text).collect();
    write_whole(&path, &lines("sprague-census", plan, "units", &units))
}

/// Does the units of a share that have no result yet, on all threads. `progress` is called after each one.
///
/// # Errors
/// [`CensusError`]: the results of units that were done before are kept.
pub fn run(dir: &Path, share: Share, progress: impl Fn(Progress) + Sync) -> Result<Progress, CensusError> {
    let plan = read_plan(dir)?;
    let mine: Vec<&Unit> = plan.units.iter().skip(share.index).step_by(share.of).collect();
    let missing: Vec<&&Unit> = mine.iter().filter(|unit| !is_done(&plan.kind, dir, unit)).collect();
    let so_far = |now| Progress { before: mine.len() - missing.len(), now, units: mine.len() };
    let done = AtomicUsize::new(0);
    missing.par_iter().with_max_len(1).try_for_each(|unit| {
        let found = analyse(&plan.kind, unit)?;
        write_whole(&path(dir, &unit.game), &(found + "\n"))?;
        progress(so_far(done.fetch_add(1, Ordering::Relaxed) + 1));
        Ok::<(), CensusError>(())
    })?;
    Ok(so_far(missing.len()))
}

/// The results of all units, in the order of the plan.
#[derive(Clone, Debug)]
pub enum Results {
    /// Of a census of normal play.
    Normal(Vec<Class>),
    /// Of a census of misère play.
    Misere(Vec<Misere>),
}

/// A census that is done.
#[derive(Clone, Debug)]
pub struct Merged {
    /// What was asked.
    pub plan: Plan,
    /// The answers.
    pub results: Results,
}

impl Merged {
    /// The file of all results.
    pub fn to_json(&self) -> String {
        let results: Vec<String> = match &self.results {
            Results::Normal(classes) => classes.iter().map(text).collect(),
            Results::Misere(games) => games.iter().map(text).collect(),
        };
        lines("sprague-atlas", &self.plan, "results", &results)
    }
}

/// Collects all results.
///
/// # Errors
/// [`CensusError`], also if units are missing.
pub fn merge(dir: &Path) -> Result<Merged, CensusError> {
    let plan = read_plan(dir)?;
    let results = match &plan.kind {
        Kind::Normal(_) => Results::Normal(collect(dir, &plan.units)?),
        Kind::Misere(_) => Results::Misere(collect(dir, &plan.units)?),
    };
    Ok(Merged { plan, results })
}

fn collect<T: Answer>(dir: &Path, units: &[Unit]) -> Result<Vec<T>, CensusError> {
    let found: Vec<T> = units.iter().filter_map(|unit| result(dir, unit)).collect();
    match units.len() - found.len() {
        0 => Ok(found),
        missing => Err(CensusError::Unfinished { missing, units: units.len() }),
    }
}

fn analyse(kind: &Kind, unit: &Unit) -> Result<String, CensusError> {
    Ok(match kind {
        Kind::Normal(limits) => text(&unit::analyse(unit, limits)?),
        Kind::Misere(limits) => text(&misere::analyse(unit, limits)?),
    })
}

/// The result of a unit.
trait Answer: DeserializeOwned {
    fn game(&self) -> &str;
}

impl Answer for Class {
    fn game(&self) -> &str {
        &self.game
    }
}

impl Answer for Misere {
    fn game(&self) -> &str {
        &self.game
    }
}

/// The result of a unit, if there is one and it is whole.
fn result<T: Answer>(dir: &Path, unit: &Unit) -> Option<T> {
    let found = fs::read_to_string(path(dir, &unit.game)).ok()?;
    serde_json::from_str(&found).ok().filter(|answer: &T| answer.game() == unit.game)
}

fn is_done(kind: &Kind, dir: &Path, unit: &Unit) -> bool {
    match kind {
        Kind::Normal(_) => result::<Class>(dir, unit).is_some(),
        Kind::Misere(_) => result::<Misere>(dir, unit).is_some(),
    }
}

fn text(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("plain data in memory is always serialised")
}

/// The file of a unit.
fn path(dir: &Path, game: &str) -> PathBuf {
    dir.join(UNITS).join(format!("{game}.json"))
}

fn read_plan(dir: &Path) -> Result<Plan, CensusError> {
    let path = dir.join(PLAN);
    let text = fs::read_to_string(&path).map_err(CensusError::io(&path))?;
    let json: Value = serde_json::from_str(&text).map_err(|e| CensusError::damaged(&path, e))?;
    if json["format"] != "sprague-census" || json["version"] != VERSION {
        return Err(CensusError::damaged(&path, format!("is not a plan of version {VERSION}: make it anew")));
    }
    serde_json::from_value(json).map_err(|e| CensusError::damaged(&path, e))
}

/// The keys that a plan and its results share.
#[derive(Serialize)]
struct Header<'a> {
    format: &'a str,
    version: u32,
    #[serde(flatten)]
    kind: &'a Kind,
    families: &'a [Family],
    games: usize,
}

/// An object with the keys of a plan on one line, and a list of which each item is on a line of its own.
fn lines(format: &str, plan: &Plan, key: &str, items: &[String]) -> String {
    let Plan { kind, families, games, .. } = plan;
    let header = text(&Header { format, version: VERSION, kind, families, games: *games });
    let header = header.strip_suffix('}').expect("an object ends so");
    format!("{header},\n\"{key}\":[\n{}\n]}}\n", items.join(",\n"))
}

/// Writes a file whole or not at all. Two processes may write the same file: each has its own name for it until then.
fn write_whole(path: &Path, text: &str) -> Result<(), CensusError> {
    let new = path.with_extension(format!("{}.new", std::process::id()));
    let written = || -> io::Result<()> {
        let mut file = File::create(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    written().map_err(CensusError::io(path)).inspect_err(|_| {
        // The failure that led here is the one to report.
        let _ = fs::remove_file(&new);
    })
}
