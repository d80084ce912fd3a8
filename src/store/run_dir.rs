//! A run directory that is being written.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::blocks::Blocks;
use super::error::StoreError;
use super::manifest::{Manifest, Plan, Progress};
use super::values_file::ValuesFile;
use super::{checkpoint, disk, npy};
use crate::values::{Slice, Width};

/// How many checkpoints' payloads there may be on disk at once: the two that are kept and the one being written.
const CHECKPOINTS: u64 = 3;

/// A run directory, locked and open for writing. Dropping it without [`RunDir::finish`] is as harmless as killing the
/// process: what came after the last checkpoint is lost.
pub struct RunDir {
    pub(super) dir: PathBuf,
    pub(super) manifest: Manifest,
    /// `None` when values are not kept.
    pub(super) values: Option<ValuesFile>,
    pub(super) blocks: Blocks,
    pub(super) done: u64,
    pub(super) _lock: disk::Lock,
}

impl RunDir {
    /// Makes `dir`, which need not exist, the directory of a new run.
    ///
    /// # Errors
    /// If `dir` holds a run or a file in a run's way, if another process is writing to it, if the disk has no room for
    /// all of the run, or if it cannot be written.
    pub fn create(dir: &Path, plan: &Plan) -> Result<RunDir, StoreError> {
        refuse_occupied(dir)?;
        fs::create_dir_all(dir).map_err(StoreError::writing(dir))?;
        let lock = disk::Lock::take(dir)?;
        // Again, now that nobody else can be starting a run here.
        refuse_occupied(dir)?;
        disk::check_space(dir, space_needed(plan))?;
        let manifest = Manifest::new(plan);
        write_manifest(dir, &manifest)?;
        let values = create_values(dir, &manifest)?;
        Ok(RunDir { dir: dir.to_owned(), manifest, values, blocks: Blocks::default(), done: 0, _lock: lock })
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The run as of the last checkpoint.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// How many values are known: the next to be appended is that of heap `done`.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The values of heaps 0 to `done - 1`; `None` when values are not kept.
    pub fn values(&self) -> Option<Slice<'_>> {
        self.values.as_ref().map(ValuesFile::as_slice)
    }

    /// Lets the run go on to heap `to`, whatever becomes of it from now on.
    ///
    /// # Errors
    /// If the run is to go beyond `to` already, the disk has no room for the rest, or the manifest cannot be written.
    pub fn extend(&mut self, to: u64) -> Result<(), StoreError> {
        if to < self.manifest.to {
            return Err(StoreError::Shorter { dir: self.dir.clone(), to: self.manifest.to });
        }
        if to == self.manifest.to {
            return Ok(());
        }
        self.manifest.to = to;
        self.manifest.complete = self.manifest.done > to;
        if let Some(values) = &mut self.values {
            values.set_limit(to.saturating_add(1));
            disk::check_space(&self.dir, values.missing_bytes())?;
        }
        // Before there are more values: a complete run has no more than its manifest tells of.
        write_manifest(&self.dir, &self.manifest)
    }

    /// Adds the values of heaps `done`, `done + 1`, ... When values are not kept they are only counted. The file is
    /// rewritten wider when a value does not fit.
    ///
    /// # Errors
    /// If the disk is full, or the file cannot be written; then none of the values was added.
    pub fn append(&mut self, values: Slice<'_>) -> Result<(), StoreError> {
        if let Some(file) = &mut self.values {
            if let Some(width) = width_lacking(file.width(), values) {
                self.blocks = file.widen(width)?;
            }
            file.append(values, &mut self.blocks)?;
        }
        self.done += values.len() as u64;
        Ok(())
    }

    /// Counts the next `heaps` heaps as decided, in a run that does not keep their values.
    ///
    /// # Panics
    /// If the run keeps values.
    pub fn skip(&mut self, heaps: u64) {
        assert!(self.values.is_none(), "a run that keeps values needs them");
        self.done += heaps;
    }

    /// Makes all that has been appended last, together with `payload`, which is all that the engine needs besides the
    /// values in order to go on, and `progress`.
    ///
    /// # Errors
    /// If the disk is full, or cannot be written; then the checkpoint before is still there.
    pub fn checkpoint(&mut self, payload: &[u8], progress: Progress) -> Result<(), StoreError> {
        let complete = self.done > self.manifest.to;
        if let Some(values) = &mut self.values {
            if complete {
                values.trim()?;
            }
            values.sync()?;
        }
        self.manifest.progress = progress;
        self.manifest.width = self.values.as_ref().map_or(self.manifest.width, ValuesFile::width);
        self.manifest.blocks = self.blocks.sums();
        self.manifest.done = self.done;
        self.manifest.complete = complete;
        checkpoint::write(&self.dir, &self.manifest, payload)?;
        write_manifest(&self.dir, &self.manifest)?;
        checkpoint::remove_old(&self.dir)
    }

    /// Stops cleanly, at the end of the run or before: a last checkpoint, and `values.npy` cut to the values it has.
    ///
    /// # Errors
    /// As [`RunDir::checkpoint`].
    pub fn finish(mut self, payload: &[u8], progress: Progress) -> Result<Manifest, StoreError> {
        self.checkpoint(payload, progress)?;
        if let Some(values) = &mut self.values {
            values.trim()?;
        }
        Ok(self.manifest)
    }
}

/// The width that `values` need, if `have` is too narrow for them.
fn width_lacking(have: Width, values: Slice<'_>) -> Option<Width> {
    // The type answers for most; only values of a wider one must be looked at.
    let need = if values.width() <= have { have } else { Width::of(values.max().unwrap_or(0)) };
    (need > have).then_some(need)
}

/// Refuses a directory that holds a run, or files under names that the run would take.
fn refuse_occupied(dir: &Path) -> Result<(), StoreError> {
    if manifest_path(dir).exists() {
        return Err(match read_manifest(dir) {
            Ok(manifest) => StoreError::Exists { dir: dir.to_owned(), game: manifest.game },
            Err(StoreError::Foreign { path, .. }) => StoreError::InTheWay { path },
            Err(error) => error,
        });
    }
    let values = values_path(dir);
    let checkpoint = || if dir.exists() { checkpoint::list(dir) } else { Ok(Vec::new()) };
    let in_the_way = if values.exists() { Some(values) } else { checkpoint()?.pop() };
    in_the_way.map_or(Ok(()), |path| Err(StoreError::InTheWay { path }))
}

fn space_needed(plan: &Plan) -> u64 {
    let limit = if plan.keep_values { plan.to.saturating_add(1) } else { 0 };
    let values = npy::Header { width: plan.width, len: limit }.file_len();
    values.saturating_add(plan.checkpoint_bytes.saturating_mul(CHECKPOINTS))
}

pub(super) fn manifest_path(dir: &Path) -> PathBuf {
    dir.join("manifest.json")
}

pub(super) fn values_path(dir: &Path) -> PathBuf {
    dir.join("values.npy")
}

/// Makes the file for the values of `manifest`'s run, if they are kept.
pub(super) fn create_values(dir: &Path, manifest: &Manifest) -> Result<Option<ValuesFile>, StoreError> {
    let create = || ValuesFile::create(&values_path(dir), manifest.width, manifest.to.saturating_add(1));
    manifest.keep_values.then(create).transpose()
}

pub(super) fn write_manifest(dir: &Path, manifest: &Manifest) -> Result<(), StoreError> {
    disk::replace(&manifest_path(dir), |out| out.write_all(manifest.to_text().as_bytes()))
}

pub(super) fn read_manifest(dir: &Path) -> Result<Manifest, StoreError> {
    let path = manifest_path(dir);
    match fs::read(&path) {
        Ok(text) => Manifest::parse(&path, &text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(StoreError::NoRun { dir: dir.to_owned() }),
        Err(error) => Err(StoreError::reading(&path)(error)),
    }
}
