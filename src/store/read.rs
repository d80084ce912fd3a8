//! A run directory that is only looked at.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::blocks;
use super::checkpoint::{self, Checkpoint};
use super::error::StoreError;
use super::manifest::Manifest;
use super::run_dir::{read_manifest, values_path};
use super::values_file::ValuesMap;
use crate::values::Slice;

/// A run as its manifest tells of it, whether finished, stopped or still being written by another process.
#[derive(Debug)]
pub struct StoredRun {
    dir: PathBuf,
    manifest: Manifest,
    values: Option<ValuesMap>,
}

/// A block of values that does not have its checksum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadBlock {
    /// The number of the block.
    pub block: u64,
    /// The heaps whose values are in it.
    pub heaps: Range<u64>,
}

impl StoredRun {
    /// Reads the manifest and maps the values. It is quick: no value is read, and none compared with its checksum.
    ///
    /// While this lives, nothing but a sprague that appends to the run may change `values.npy`.
    ///
    /// # Errors
    /// If there is no run, or if the manifest or the header of `values.npy` is damaged, foreign, newer than this
    /// program, or does not fit the other.
    pub fn read(dir: &Path) -> Result<StoredRun, StoreError> {
        let manifest = read_manifest(dir)?;
        let values = manifest.keep_values.then(|| open_values(dir, &manifest)).transpose()?.flatten();
        Ok(StoredRun { dir: dir.to_owned(), manifest, values })
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The values of heaps 0 to `manifest().done - 1`; `None` when values are not kept.
    pub fn values(&self) -> Option<Slice<'_>> {
        let values = || self.values.as_ref().map_or(Slice::U8(&[]), |values| values.first(self.manifest.done));
        self.manifest.keep_values.then(values)
    }

    /// The state in the newest checkpoint, as [`RunDir::checkpoint`](super::RunDir::checkpoint) was given it; `None` if
    /// there is no checkpoint of what the manifest tells of.
    ///
    /// # Errors
    /// If a checkpoint cannot be read.
    pub fn payload(&self) -> Result<Option<Vec<u8>>, StoreError> {
        for path in checkpoint::list(&self.dir)? {
            match Checkpoint::read(&path) {
                Ok(found) if found.manifest.same_moment(&self.manifest) => return Ok(Some(found.payload)),
                Ok(_) | Err(StoreError::BadCheckpoint { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// What is wrong with the checkpoints, a sentence for each that could not be gone on with.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn bad_checkpoints(&self) -> Result<Vec<String>, StoreError> {
        let mut bad = Vec::new();
        for path in checkpoint::list(&self.dir)? {
            match Checkpoint::read(&path) {
                Ok(_) => {}
                Err(error @ StoreError::BadCheckpoint { .. }) => bad.push(error.to_string()),
                // A run that goes on meanwhile has removed it.
                Err(error) if error.is_missing() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(bad)
    }

    /// The checkpoint of the last heap that the manifest tells of, if neither it is there nor a later one, which a run
    /// that goes on meanwhile would write.
    ///
    /// # Errors
    /// If the directory cannot be read.
    pub fn missing_checkpoint(&self) -> Result<Option<PathBuf>, StoreError> {
        let last = checkpoint::path(&self.dir, self.manifest.done);
        let there = self.manifest.done == 0 || checkpoint::list(&self.dir)?.first().is_some_and(|path| *path >= last);
        Ok((!there).then_some(last))
    }

    /// How many bytes `values.npy` has after its values. While a run is not complete there may be any number: space is
    /// reserved ahead, and what a run that was killed had not yet saved is computed again. Then this is 0.
    pub fn surplus(&self) -> u64 {
        self.values.as_ref().filter(|_| self.manifest.complete).map_or(0, ValuesMap::surplus)
    }

    /// Compares all values with their checksums, on all of rayon's threads; returns the blocks that differ, in order.
    /// A run without values has none.
    pub fn verify_blocks(&self) -> Vec<BadBlock> {
        self.verify_blocks_of(0..self.manifest.done)
    }

    /// The same for the blocks that have a heap of `heaps`: no others are read.
    pub fn verify_blocks_of(&self, heaps: Range<u64>) -> Vec<BadBlock> {
        let Some(values) = self.values() else { return Vec::new() };
        blocks::bad(values, heaps, &self.manifest.blocks, self.manifest.width)
            .into_iter()
            .map(|block| BadBlock { block, heaps: blocks::heaps(block, self.manifest.done) })
            .collect()
    }
}

/// Maps the values. A run may have died before it made the file.
fn open_values(dir: &Path, manifest: &Manifest) -> Result<Option<ValuesMap>, StoreError> {
    let path = values_path(dir);
    if manifest.done == 0 && !path.exists() {
        return Ok(None);
    }
    let values = ValuesMap::open(&path)?;
    let (len, done) = (values.len(), manifest.done);
    if len < done || values.width() < manifest.width || (manifest.complete && len != done) {
        let why = format!("it tells of {len} values, manifest.json of {done}");
        return Err(StoreError::damaged(&path, why));
    }
    Ok(Some(values))
}
