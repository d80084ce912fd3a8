//! Output files that are whole or not there: written beside the old one, synced, renamed over it. A device or a pipe
//! is written to directly, and a symbolic link is followed.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Failure, Outcome};

/// A file that will replace the one at its path when it is finished.
pub struct Replacement {
    path: PathBuf,
    /// Where it is written until then; `None` for what cannot be replaced, such as a device.
    unfinished: Option<PathBuf>,
    file: Option<File>,
}

impl Replacement {
    /// Opens the new file, so that a bad path is known before the work is done.
    ///
    /// # Errors
    /// If it cannot be written there.
    pub fn create(path: &Path) -> Result<Replacement, Failure> {
        if path.is_dir() {
            return Err(failure(path, "is a directory; give a file name"));
        }
        // What a link points to is replaced, and not the link.
        let path = if path.is_symlink() { fs::canonicalize(path).map_err(unwritable(path))? } else { path.to_owned() };
        let name = path.file_name().ok_or_else(|| failure(&path, "is not a file name; give one"))?;
        if path.exists() && !path.is_file() {
            let file = File::options().write(true).open(&path).map_err(unwritable(&path))?;
            return Ok(Replacement { path, unfinished: None, file: Some(file) });
        }
        let mut unfinished = name.to_owned();
        unfinished.push(".new");
        let unfinished = path.with_file_name(unfinished);
        let file = File::create(&unfinished).map_err(unwritable(&path))?;
        Ok(Replacement { path, unfinished: Some(unfinished), file: Some(file) })
    }

    /// Writes the file and puts it in its place.
    ///
    /// # Errors
    /// Those of `write`, and of the file system; then what was at the path before is still there.
    pub fn finish(mut self, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<(), Failure> {
        let file = self.file.take().expect("a replacement is finished once");
        let mut out = BufWriter::new(file);
        let written = write(&mut out).and_then(|()| out.flush());
        let placed = written.and_then(|()| match &self.unfinished {
            Some(unfinished) => out.get_ref().sync_all().and_then(|()| fs::rename(unfinished, &self.path)),
            None => Ok(()),
        });
        placed.map_err(|e| failure(&self.path, format!("could not be written: {e}")))
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // After a rename there is nothing left under this name; otherwise it is of no use to anybody.
        if let Some(unfinished) = &self.unfinished {
            let _ = fs::remove_file(unfinished);
        }
    }
}

/// Writes the file, or to stdout if there is none.
///
/// # Errors
/// Those of `write`, and of the file system.
pub fn write_or_print(
    file: Option<Replacement>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Outcome, Failure> {
    match file {
        Some(file) => file.finish(|out| write(out))?,
        None => {
            let mut out = BufWriter::new(io::stdout().lock());
            write(&mut out).and_then(|()| out.flush())?;
        }
    }
    Ok(Outcome::Done)
}

fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> Failure + '_ {
    move |error| failure(path, format!("cannot be written: {error}"))
}

fn failure(path: &Path, what: impl std::fmt::Display) -> Failure {
    Failure::Data(format!("{} {what}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(path: &Path, text: &str) -> Result<(), Failure> {
        Replacement::create(path)?.finish(|out| out.write_all(text.as_bytes()))
    }

    #[test]
    fn files_are_replaced_links_followed_and_devices_written_to() {
        let dir = tempfile::tempdir().unwrap();
        let (file, link) = (dir.path().join("file"), dir.path().join("link"));
        put(&file, "one").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        put(&link, "two").unwrap();
        assert!(link.is_symlink() && fs::read_to_string(&file).unwrap() == "two");
        let names: Vec<_> = fs::read_dir(dir.path()).unwrap().collect();
        assert_eq!(names.len(), 2, "nothing unfinished is left");
        // A device that everybody may write to; it cannot be replaced by mistake where it is a device still.
        put(Path::new("/dev/null"), "three").unwrap();
        assert!(!Path::new("/dev/null").is_file());
        assert!(put(dir.path(), "four").is_err());
    }

    #[test]
    fn a_failure_leaves_what_was_there() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        put(&file, "one").unwrap();
        let broken = Replacement::create(&file).unwrap();
        assert!(broken.finish(|_| Err(io::Error::other("no"))).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "one");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
