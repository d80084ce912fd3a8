//! The file system: files that are replaced whole, reserved space, the lock.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rustix::fs::FallocateFlags;
use rustix::io::Errno;

use super::error::StoreError;

/// What a file is called until it is whole.
pub(super) const UNFINISHED: &str = "new";

/// Writes the file `path` so that whoever looks finds the old one or the new one, whole: into a new file, which is
/// synced and then renamed. A failure leaves the old one and no new one.
pub(super) fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), StoreError> {
    let new = unfinished(path);
    let written = || -> io::Result<()> {
        let mut out = BufWriter::new(File::create(&new)?);
        write(&mut out)?;
        out.flush()?;
        out.get_ref().sync_all()
    }();
    written.map_err(StoreError::writing(path)).and_then(|()| put_in_place(path)).inspect_err(|_| {
        // The failure that led here is the one to report.
        let _ = fs::remove_file(&new);
    })
}

/// The name under which `path` is written.
pub(super) fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(UNFINISHED);
    name.into()
}

/// Renames the finished, synced new file to `path`, and makes that last.
pub(super) fn put_in_place(path: &Path) -> Result<(), StoreError> {
    fs::rename(unfinished(path), path).map_err(StoreError::writing(path))?;
    sync_parent(path)
}

/// Makes renames and removals in the directory of `path` last.
pub(super) fn sync_parent(path: &Path) -> Result<(), StoreError> {
    let dir = path.parent().expect("a file has a directory");
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(StoreError::writing(dir))
}

/// Lengthens a file from `len` to `new_len` bytes that are really there, so that writing to them through a map cannot
/// meet a full disk, which would be a SIGBUS.
pub(super) fn reserve(file: &File, len: u64, new_len: u64) -> io::Result<()> {
    let allocate = || rustix::fs::fallocate(file, FallocateFlags::empty(), len, new_len - len);
    match rustix::io::retry_on_intr(allocate) {
        Ok(()) => Ok(()),
        Err(Errno::OPNOTSUPP | Errno::NOSYS) => write_zeros(file, len, new_len),
        Err(error) => Err(error.into()),
    }
}

/// Makes sure that all `len` bytes of a file are really there: a copy of a file may have holes where zeros were.
pub(super) fn fill_holes(file: &File, len: u64) -> io::Result<()> {
    match rustix::io::retry_on_intr(|| rustix::fs::fallocate(file, FallocateFlags::empty(), 0, len)) {
        Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// For file systems that cannot reserve.
fn write_zeros(file: &File, len: u64, new_len: u64) -> io::Result<()> {
    let zeros = vec![0; 1 << 20];
    let mut at = len;
    while at < new_len {
        let count = (new_len - at).min(zeros.len() as u64);
        file.write_all_at(&zeros[..count as usize], at)?;
        at += count;
    }
    Ok(())
}

/// Refuses to begin what the disk of `dir` has no room for.
pub(super) fn check_space(dir: &Path, needed: u64) -> Result<(), StoreError> {
    let stat = rustix::fs::statvfs(dir).map_err(io::Error::from).map_err(StoreError::reading(dir))?;
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    if needed > free {
        return Err(StoreError::NoSpace { dir: dir.to_owned(), needed, free });
    }
    Ok(())
}

/// Keeps other writers out of a directory while it lives. The system lets go of it however the process ends.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock, or fails at once if someone has it.
    pub(super) fn take(dir: &Path) -> Result<Lock, StoreError> {
        let path = dir.join("lock");
        let file =
            File::options().write(true).create(true).truncate(false).open(&path).map_err(StoreError::writing(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked { dir: dir.to_owned() }),
            Err(TryLockError::Error(error)) => Err(StoreError::writing(&path)(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        replace(&path, |out| out.write_all(b"old")).unwrap();
        let failed = replace(&path, |out| {
            out.write_all(b"ne")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        assert!(matches!(failed, Err(StoreError::Full { path: p }) if p == path));
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[test]
    fn reserved_space_is_zeros_either_way() {
        let dir = tempfile::tempdir().unwrap();
        for reserve in [reserve, write_zeros] {
            let path = dir.path().join("file");
            fs::write(&path, b"abc").unwrap();
            reserve(&File::options().write(true).open(&path).unwrap(), 3, (2 << 20) + 5).unwrap();
            let bytes = fs::read(&path).unwrap();
            assert_eq!((bytes.len(), &bytes[..3]), ((2 << 20) + 5, &b"abc"[..]));
            assert!(bytes[3..].iter().all(|&b| b == 0));
        }
    }

    #[test]
    fn more_space_than_there_is_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        check_space(dir.path(), 1).unwrap();
        assert!(matches!(check_space(dir.path(), u64::MAX), Err(StoreError::NoSpace { needed: u64::MAX, .. })));
    }
}
