//! The manifest: what a run is of, how far it has come, and the checksums of its values.
//!
//! One JSON object, a key a line. The last key, `crc32`, is the CRC-32 of all text before its line.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::{blocks, json, npy};
use crate::engine::sparse::Mask;
use crate::period::{Exclusion, Period};
use crate::statistics::{Milestone, Record};
use crate::values::Width;

const FORMAT: &str = "sprague-run";
/// The newest format version that can be read, and the one that is written.
pub(super) const VERSION: u32 = 1;

/// What a new run is to be.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game in canonical form.
    pub game: String,
    /// The last heap to decide; the run has `to + 1` values.
    pub to: u64,
    /// Whether the values are kept, or only the statistics.
    pub keep_values: bool,
    /// How the run is computed.
    pub settings: Settings,
    /// The width to start with; a run widens its file when it has to.
    pub width: Width,
    /// How many bytes one checkpoint's payload may take, for the check of free disk space.
    pub checkpoint_bytes: u64,
}

/// A run's manifest. Keys that this version does not know are ignored when it is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    format: String,
    format_version: u32,
    /// The version of the program that wrote this.
    pub program_version: String,
    /// The game in canonical form.
    pub game: String,
    /// The last heap to decide.
    pub to: u64,
    /// Whether the values are kept.
    pub keep_values: bool,
    /// How the run is computed.
    #[serde(default)]
    pub settings: Settings,
    /// The width of the values that `blocks` are the checksums of. In a run that was killed after a value outgrew
    /// this width, `values.npy` may be wider already.
    #[serde(with = "width")]
    pub width: Width,
    /// How many values are known: those of heaps 0 to `done - 1`.
    pub done: u64,
    /// Whether the run has reached `to`.
    pub complete: bool,
    /// What is known of the game so far.
    pub progress: Progress,
    /// The CRC-32 of each block of [`BLOCK`](super::BLOCK) values, as stored; the last block may be shorter. Empty
    /// when values are not kept.
    pub blocks: Vec<u32>,
}

/// What a run was told of how to compute, for when it has no checkpoint to go on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// How many values are kept in memory at either end, where the game allows it; `None` for all.
    pub window: Option<usize>,
    /// Whether a period is looked for.
    pub detect: bool,
}

impl Default for Settings {
    /// Those of manifests that do not name them.
    fn default() -> Settings {
        Settings { window: None, detect: true }
    }
}

/// What a run knows of its game besides the values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Progress {
    /// The engine that computed last.
    pub engine: Option<String>,
    /// The kernel that computed last.
    pub kernel: Option<String>,
    /// Seconds of computing so far, over all sessions.
    pub seconds: f64,
    /// How many heaps have each value; `None` when there are too many values to count.
    pub value_counts: Option<BTreeMap<u32, u64>>,
    /// The same when the number of heaps was a power of two, ascending, as long as all values were below 4096.
    pub milestones: Vec<Milestone>,
    /// The largest value.
    pub max_value: u64,
    /// The first heap that has it.
    pub max_at: u64,
    /// The values larger than all before them, as far as they are below 4096.
    pub records: Vec<Record>,
    /// The mask that tells rare from common, when there is one.
    pub mask: Option<Mask>,
    /// The rare heaps, ascending.
    pub rare: Vec<u64>,
    /// The proven period.
    pub period: Option<Period>,
    /// What has been ruled out while none was proven, if a period was looked for.
    pub excluded: Option<Exclusion>,
}

impl Progress {
    /// Whether there are numbers that no run has, and that nothing can be reckoned with.
    fn is_absurd(&self) -> bool {
        self.milestones.iter().any(|milestone| milestone.heaps == 0)
            || self.period.as_ref().is_some_and(|period| period.period == 0)
            || self.mask.is_some_and(|mask| mask.bits == 0)
    }

    /// The largest rare heap.
    pub fn last_rare(&self) -> Option<u64> {
        self.rare.last().copied()
    }
}

impl Manifest {
    /// The manifest of a run that has not begun.
    pub(super) fn new(plan: &Plan) -> Manifest {
        Manifest {
            format: FORMAT.to_owned(),
            format_version: VERSION,
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            game: plan.game.clone(),
            to: plan.to,
            keep_values: plan.keep_values,
            settings: plan.settings,
            width: plan.width,
            done: 0,
            complete: false,
            progress: Progress::default(),
            blocks: Vec::new(),
        }
    }

    /// The text of the file.
    pub(super) fn to_text(&self) -> String {
        let text = json::one_key_a_line(self);
        let body = text.strip_suffix("\n}\n").expect("a JSON object ends so");
        format!("{body},{}", seal(body))
    }

    /// Reads the text of `path`.
    pub(super) fn parse(path: &Path, text: &[u8]) -> Result<Manifest, StoreError> {
        check_format(path, text)?;
        let cut = text.len().saturating_sub(SEAL_LEN);
        let body = std::str::from_utf8(&text[..cut]).map_err(|e| StoreError::damaged(path, e.to_string()))?;
        let body = body.strip_suffix(',').ok_or_else(|| StoreError::damaged(path, "its checksum is missing"))?;
        if text[cut..] != *seal(body).as_bytes() {
            return Err(StoreError::damaged(path, "its checksum differs"));
        }
        let manifest: Manifest = serde_json::from_slice(text).map_err(|e| StoreError::damaged(path, e.to_string()))?;
        if manifest.keep_values && manifest.blocks.len() as u64 != blocks::count(manifest.done) {
            return Err(StoreError::damaged(path, "it has not one checksum for each block"));
        }
        if manifest.progress.is_absurd() {
            return Err(StoreError::damaged(path, "it has a number that makes no sense"));
        }
        Ok(manifest)
    }

    /// Whether both are of one run at one moment, though it may have been told to go further since.
    pub(super) fn same_moment(&self, other: &Manifest) -> bool {
        Manifest { to: other.to, complete: other.complete, ..self.clone() } == *other
    }

    /// Whether both are of one run, at different moments perhaps.
    pub(super) fn same_run(&self, other: &Manifest) -> bool {
        (&self.game, self.keep_values) == (&other.game, other.keep_values)
    }
}

/// The last lines of a manifest that begins with `body`.
fn seal(body: &str) -> String {
    format!("\n  \"crc32\": \"{:08x}\"\n}}\n", crc32fast::hash(body.as_bytes()))
}

const SEAL_LEN: usize = "\n  \"crc32\": \"00000000\"\n}\n".len();

/// Refuses files of other programs and of newer versions by name, before anything else is looked at.
fn check_format(path: &Path, text: &[u8]) -> Result<(), StoreError> {
    #[derive(Deserialize)]
    struct Format {
        format: String,
        format_version: u64,
    }
    let foreign = || StoreError::Foreign { path: path.to_owned(), what: "the manifest of a run" };
    let format = match serde_json::from_slice::<Format>(text) {
        Ok(format) if format.format == FORMAT => format,
        Ok(_) => return Err(foreign()),
        Err(_) if find(text, FORMAT.as_bytes()) => return Err(StoreError::damaged(path, "it is cut short or garbled")),
        Err(_) => return Err(foreign()),
    };
    match format.format_version {
        found if found > VERSION.into() => Err(StoreError::Newer { path: path.to_owned(), found, known: VERSION }),
        _ => Ok(()),
    }
}

fn find(text: &[u8], word: &[u8]) -> bool {
    memchr::memmem::find(text, word).is_some()
}

/// Widths in JSON: NumPy's names of them.
mod width {
    use super::{Width, npy};
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(width: &Width, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(npy::descr(*width))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Width, D::Error> {
        let name = String::deserialize(deserializer)?;
        [Width::U8, Width::U16, Width::U32]
            .into_iter()
            .find(|&w| npy::descr(w) == name)
            .ok_or_else(|| D::Error::custom(format!("unknown width {name}")))
    }
}
