//! Output files that are whole or not there: written beside the old one, synced, renamed over it.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::Failure;

/// A file that will replace the one at its path when it is finished.
pub struct Replacement {
    path: PathBuf,
    unfinished: PathBuf,
    file: Option<File>,
}

impl Replacement {
    /// Opens the new file, so that a bad path is known before the work is done.
    ///
    /// # Errors
    /// If it cannot be written there.
    pub fn create(path: &Path) -> Result<Replacement, Failure> {
        let name = path.file_name().ok_or_else(|| failure(path, "is not a file name; give one"))?;
        let mut unfinished = name.to_owned();
        unfinished.push(".new");
        let unfinished = path.with_file_name(unfinished);
        if path.is_dir() {
            return Err(failure(path, "is a directory; give a file name"));
        }
        let file = File::create(&unfinished).map_err(|e| failure(path, format!("cannot be written: {e}")))?;
        Ok(Replacement { path: path.to_owned(), unfinished, file: Some(file) })
    }

    /// Writes the file and puts it in its place.
    ///
    /// # Errors
    /// Those of `write`, and of the file system; then what was at the path before is still there.
    pub fn finish(mut self, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<(), Failure> {
        let file = self.file.take().expect("a replacement is finished once");
        let mut out = BufWriter::new(file);
        let synced = write(&mut out).and_then(|()| out.flush()).and_then(|()| out.get_ref().sync_all());
        let placed = synced.and_then(|()| fs::rename(&self.unfinished, &self.path));
        placed.map_err(|e| failure(&self.path, format!("could not be written: {e}")))
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // After a rename there is nothing left under this name; otherwise it is of no use to anybody.
        let _ = fs::remove_file(&self.unfinished);
    }
}

fn failure(path: &Path, what: impl std::fmt::Display) -> Failure {
    Failure::Data(format!("{} {what}", path.display()))
}
