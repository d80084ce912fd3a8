//! Going on with a run, whatever has become of it.

use std::fs;
use std::path::Path;

use super::blocks::{self, BLOCK, Blocks};
use super::checkpoint::{self, Checkpoint};
use super::disk::{self, Lock, UNFINISHED};
use super::error::StoreError;
use super::manifest::{Manifest, Progress};
use super::run_dir::{RunDir, create_values, read_manifest, values_path, write_manifest};
use super::values_file::ValuesFile;

/// A run to go on with.
pub struct Recovered {
    /// The run. Its `manifest()` and `done()` are those of the moment that `payload` is of.
    pub run: RunDir,
    /// What [`RunDir::checkpoint`] was given. `None` when there is no usable checkpoint: then the engine has only the
    /// values that the run still has ([`RunDir::values`], perhaps none) to go on from, and the progress is empty. When
    /// values are not kept the run is then at its beginning.
    pub payload: Option<Vec<u8>>,
    /// What was lost and why, for the user.
    pub warnings: Vec<String>,
}

impl RunDir {
    /// Opens a run to go on with it, after a clean stop or any other.
    ///
    /// Values that the last checkpoint does not vouch for are dropped. All others are read and compared with their
    /// checksums, which takes as long as reading the file.
    ///
    /// # Errors
    /// If there is no run, if another process is writing to it, if the manifest or the header of `values.npy` is
    /// damaged, foreign or newer than this program, if the disk has no room for the rest of the run, or if it cannot be
    /// read or written.
    pub fn open(dir: &Path) -> Result<Recovered, StoreError> {
        // Before the lock, which leaves a file behind: `dir` may be anything.
        read_manifest(dir)?;
        let lock = Lock::take(dir)?;
        let stored = read_manifest(dir)?;
        remove_unfinished(dir)?;
        let mut values = open_values(dir, &stored)?;
        let mut warnings = Vec::new();
        let (mut manifest, payload) = match newest_usable(dir, &stored, &mut values, &mut warnings)? {
            Some(Checkpoint { manifest, payload }) => (manifest, Some(payload)),
            None => (from_values_alone(&stored, &mut values, &mut warnings), None),
        };
        // A run that was to go further since then still is.
        manifest.to = manifest.to.max(stored.to);
        manifest.complete = manifest.done > manifest.to;
        // Before any header that tells of fewer values: readers count on the manifest telling of no more.
        if manifest != stored {
            write_manifest(dir, &manifest)?;
        }
        let blocks = settle(dir, &mut values, &manifest, payload.as_ref().map_or(0, Vec::len))?;
        let done = manifest.done;
        let run = RunDir { dir: dir.to_owned(), manifest, values, blocks, done, _lock: lock };
        Ok(Recovered { run, payload, warnings })
    }
}

/// Removes files that were being written when the process died.
fn remove_unfinished(dir: &Path) -> Result<(), StoreError> {
    let ours = ["manifest.json", "values.npy", "checkpoint-"];
    for entry in fs::read_dir(dir).map_err(StoreError::reading(dir))? {
        let path = entry.map_err(StoreError::reading(dir))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name.ends_with(UNFINISHED) && ours.iter().any(|start| name.starts_with(start)) {
            fs::remove_file(&path).map_err(StoreError::writing(&path))?;
        }
    }
    Ok(())
}

/// Opens the values, if they are kept. A run may have died before it made the file.
fn open_values(dir: &Path, manifest: &Manifest) -> Result<Option<ValuesFile>, StoreError> {
    let path = values_path(dir);
    match (manifest.keep_values, path.exists()) {
        (false, _) => Ok(None),
        (true, true) => ValuesFile::open(&path, manifest.to.saturating_add(1)).map(Some),
        (true, false) if manifest.done == 0 => create_values(dir, manifest),
        (true, false) => Err(StoreError::damaged(&path, "it is missing")),
    }
}

/// The newest checkpoint that is whole, of this run, and whose values are as they were. Newer ones are set aside.
fn newest_usable(
    dir: &Path,
    stored: &Manifest,
    values: &mut Option<ValuesFile>,
    warnings: &mut Vec<String>,
) -> Result<Option<Checkpoint>, StoreError> {
    for path in checkpoint::list(dir)? {
        let why = match Checkpoint::read(&path) {
            Ok(checkpoint) if !checkpoint.manifest.same_run(stored) => format!("{} is of another run", path.display()),
            Ok(checkpoint) => match good_values(values, &checkpoint.manifest) {
                good if good == checkpoint.manifest.done => return Ok(Some(checkpoint)),
                good => format!("{} is damaged from heap {good} on, or a little later", values_path(dir).display()),
            },
            Err(error @ StoreError::BadCheckpoint { .. }) => error.to_string(),
            Err(error) => return Err(error),
        };
        let aside = checkpoint::set_aside(&path)?;
        warnings.push(format!("{why}; that checkpoint is set aside as {}", aside.display()));
    }
    Ok(None)
}

/// How many of the values that `manifest` tells of are as they were; if not all, whole blocks of them.
fn good_values(values: &mut Option<ValuesFile>, manifest: &Manifest) -> u64 {
    let Some(values) = values else { return manifest.done };
    let here = if values.room() < manifest.done { values.room() / BLOCK * BLOCK } else { manifest.done };
    values.set_len(here);
    let sums = &manifest.blocks[..blocks::count(here) as usize];
    blocks::bad(values.as_slice(), 0..u64::MAX, sums, manifest.width).first().map_or(here, |bad| bad * BLOCK)
}

/// The run without a checkpoint: what values there are, and no progress.
fn from_values_alone(stored: &Manifest, values: &mut Option<ValuesFile>, warnings: &mut Vec<String>) -> Manifest {
    let good = if values.is_some() { good_values(values, stored) } else { 0 };
    if stored.done > 0 {
        warnings.push(format!("no checkpoint can be used: going on from the {good} values that have their checksums"));
    }
    let mut manifest = stored.clone();
    manifest.blocks.truncate(blocks::count(good) as usize);
    (manifest.done, manifest.complete, manifest.progress) = (good, false, Progress::default());
    manifest
}

/// Takes the values back to what `manifest` tells of, and makes sure that there is room for the rest.
fn settle(
    dir: &Path,
    values: &mut Option<ValuesFile>,
    manifest: &Manifest,
    payload_len: usize,
) -> Result<Blocks, StoreError> {
    let Some(values) = values else { return Ok(Blocks::default()) };
    values.set_len(manifest.done);
    values.sync()?;
    disk::check_space(dir, values.missing_bytes().saturating_add(2 * payload_len as u64))?;
    let wider = values.width() != manifest.width;
    let sums = if wider { blocks::sums(values.as_slice()) } else { manifest.blocks.clone() };
    Ok(Blocks::resume(&sums, manifest.done, values.width()))
}
