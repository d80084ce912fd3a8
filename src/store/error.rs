//! What can go wrong with a run directory. Every message names the file and the cure; the cure of a bad checkpoint is
//! named by those who find it.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a run directory could not be made, read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The directory already holds a run.
    #[error("{} already holds a run of {game}: \
        go on with `sprague resume {}`, or choose another directory", .dir.display(), .dir.display())]
    Exists {
        /// The run directory.
        dir: PathBuf,
        /// The game that the run is of.
        game: String,
    },
    /// The directory holds a file of another program under a name that a run would take.
    #[error("{} is in the way and not a run's: choose another directory", .path.display())]
    InTheWay {
        /// The file.
        path: PathBuf,
    },
    /// A run cannot be made shorter.
    #[error("{} is a run to heap {to}: --to can only be larger", .dir.display())]
    Shorter {
        /// The run directory.
        dir: PathBuf,
        /// The last heap of the run.
        to: u64,
    },
    /// There is no run in the directory.
    #[error("{} holds no run (there is no manifest.json): \
        start one with `sprague run GAME --to N -o {}`", .dir.display(), .dir.display())]
    NoRun {
        /// The directory.
        dir: PathBuf,
    },
    /// Another process writes to the run.
    #[error("{} is in use by another sprague: \
        wait until it ends, or stop it (Ctrl-C saves its work)", .dir.display())]
    Locked {
        /// The run directory.
        dir: PathBuf,
    },
    /// The disk does not have the room that the run will need.
    #[error("{}: the run needs {} of disk, \
        and {} are free: \
        make room (a run that has begun goes on with `sprague resume`), or choose another disk, fewer heaps (--to) or --values none", .dir.display(), in_units(*.needed), in_units(*.free))]
    NoSpace {
        /// The run directory.
        dir: PathBuf,
        /// Bytes that the run will still need.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// The disk became full; what the last checkpoint holds is safe.
    #[error("the disk is full: {} could not be written; \
        make room, then `sprague resume` goes on from the last checkpoint", .path.display())]
    Full {
        /// The file that could not be written.
        path: PathBuf,
    },
    /// A file that this program did not write.
    #[error("{} is not {what}: restore it from a copy, or choose another directory", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it should have been.
        what: &'static str,
    },
    /// A file that a newer version of this program wrote.
    #[error("{} has format version {found} and was made by a newer sprague; \
        this one reads up to {known}: upgrade", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: u64,
        /// The newest version that can be read.
        known: u32,
    },
    /// A file that was changed or cut short after it was written.
    #[error("{} is damaged ({why}): \
        restore it from a copy, or run the game again in a new directory", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        why: String,
    },
    /// A checkpoint that cannot be gone on with. It stops nothing: an older one is used, or the values alone.
    #[error("{} is damaged ({why})", .path.display())]
    BadCheckpoint {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        why: String,
    },
    /// Any other failure of the file system.
    #[error("{}: {source}; check that the path exists and may be {doing}", .path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was being done: `read` or `written`.
        doing: &'static str,
        /// The system's reason.
        source: io::Error,
    },
}

/// Bytes as a person reads them.
fn in_units(bytes: u64) -> String {
    match bytes {
        0..10_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        10_000_000..10_000_000_000 => format!("{} MB", bytes.div_ceil(1_000_000)),
        _ => format!("{} GB", bytes.div_ceil(1_000_000_000)),
    }
}

impl StoreError {
    /// Turns a failure to read `path` into a `StoreError`; for `map_err`.
    pub(super) fn reading(path: &Path) -> impl FnOnce(io::Error) -> StoreError + '_ {
        move |source| StoreError::Io { path: path.to_owned(), doing: "read", source }
    }

    /// Turns a failure to write `path` into a `StoreError`; for `map_err`.
    pub(super) fn writing(path: &Path) -> impl FnOnce(io::Error) -> StoreError + '_ {
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full { path: path.to_owned() },
            _ => StoreError::Io { path: path.to_owned(), doing: "written", source },
        }
    }

    pub(super) fn damaged(path: &Path, why: impl Into<String>) -> StoreError {
        StoreError::Damaged { path: path.to_owned(), why: why.into() }
    }

    pub(super) fn bad_checkpoint(path: &Path, why: impl Into<String>) -> StoreError {
        StoreError::BadCheckpoint { path: path.to_owned(), why: why.into() }
    }

    /// Whether a file is not there.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self, StoreError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }
}
