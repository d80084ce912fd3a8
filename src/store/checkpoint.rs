//! Checkpoint files: `checkpoint-<values known, 20 digits>.bin`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::disk;
use super::error::StoreError;
use super::manifest::Manifest;

const MAGIC: &[u8; 8] = b"SPRGCKPT";
const VERSION: u32 = 1;
const HEADER_LEN: usize = 32;
/// How many are kept.
const KEEP: usize = 2;

/// All that a run needs to go on, except the values.
#[derive(Debug, PartialEq)]
pub(super) struct Checkpoint {
    /// The run at that moment.
    pub(super) manifest: Manifest,
    /// The engine's state.
    pub(super) payload: Vec<u8>,
}

impl Checkpoint {
    /// Reads and checks a file.
    pub(super) fn read(path: &Path) -> Result<Checkpoint, StoreError> {
        let bytes = fs::read(path).map_err(StoreError::reading(path))?;
        let manifest_len = read_header(path, &bytes)?;
        let body = &bytes[HEADER_LEN..bytes.len() - 4];
        if bytes[bytes.len() - 4..] != crc32fast::hash(body).to_le_bytes() {
            return Err(StoreError::bad_checkpoint(path, "its checksum differs"));
        }
        let (manifest, payload) = body.split_at(manifest_len);
        let manifest = Manifest::parse(path, manifest).map_err(|error| match error {
            StoreError::Damaged { path, why } => StoreError::BadCheckpoint { path, why },
            StoreError::Foreign { path, what } => StoreError::BadCheckpoint { path, why: format!("it has not {what}") },
            other => other,
        })?;
        if *path != self::path(path.parent().expect("a file has a directory"), manifest.done) {
            return Err(StoreError::bad_checkpoint(path, "it was renamed"));
        }
        Ok(Checkpoint { manifest, payload: payload.to_vec() })
    }
}

/// Checks the header, and that the lengths in it are those of the file; returns the manifest's length.
fn read_header(path: &Path, bytes: &[u8]) -> Result<usize, StoreError> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let double = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    if !bytes.starts_with(MAGIC) {
        return Err(StoreError::bad_checkpoint(path, "it is not a checkpoint"));
    }
    if bytes.len() < HEADER_LEN + 4 {
        return Err(StoreError::bad_checkpoint(path, "it is cut short"));
    }
    if word(HEADER_LEN - 4) != crc32fast::hash(&bytes[..HEADER_LEN - 4]) {
        return Err(StoreError::bad_checkpoint(path, "its header's checksum differs"));
    }
    if word(8) > VERSION {
        return Err(StoreError::Newer { path: path.to_owned(), found: word(8).into(), known: VERSION });
    }
    let (manifest_len, payload_len) = (double(12), double(20));
    let body_len = (bytes.len() - HEADER_LEN - 4) as u64;
    if manifest_len.checked_add(payload_len) != Some(body_len) {
        return Err(StoreError::bad_checkpoint(path, "it is cut short"));
    }
    Ok(manifest_len as usize)
}

/// Writes a checkpoint into `dir`, atomically.
pub(super) fn write(dir: &Path, manifest: &Manifest, payload: &[u8]) -> Result<(), StoreError> {
    let manifest_text = manifest.to_text();
    let mut header = Vec::with_capacity(HEADER_LEN);
    header.extend_from_slice(MAGIC);
    header.extend_from_slice(&VERSION.to_le_bytes());
    header.extend_from_slice(&(manifest_text.len() as u64).to_le_bytes());
    header.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    header.extend_from_slice(&crc32fast::hash(&header).to_le_bytes());
    let mut sum = crc32fast::Hasher::new();
    sum.update(manifest_text.as_bytes());
    sum.update(payload);
    disk::replace(&path(dir, manifest.done), |out| {
        out.write_all(&header)?;
        out.write_all(manifest_text.as_bytes())?;
        out.write_all(payload)?;
        out.write_all(&sum.finalize().to_le_bytes())
    })
}

/// Where the checkpoint is of the moment when `done` values were known.
pub(super) fn path(dir: &Path, done: u64) -> PathBuf {
    dir.join(format!("checkpoint-{done:020}.bin"))
}

/// The checkpoints in `dir`, the newest first.
pub(super) fn list(dir: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).map_err(StoreError::reading(dir))? {
        let name = entry.map_err(StoreError::reading(dir))?.file_name();
        if name.to_str().is_some_and(|name| name.starts_with("checkpoint-") && name.ends_with(".bin")) {
            found.push(dir.join(name));
        }
    }
    found.sort_unstable_by(|a, b| b.cmp(a));
    Ok(found)
}

/// Removes all but the newest.
pub(super) fn remove_old(dir: &Path) -> Result<(), StoreError> {
    list(dir)?.iter().skip(KEEP).try_for_each(|path| fs::remove_file(path).map_err(StoreError::writing(path)))
}

/// Renames a checkpoint that cannot be used, so that it is not looked at again but can be examined.
pub(super) fn set_aside(path: &Path) -> Result<PathBuf, StoreError> {
    let aside = path.with_extension("bin.bad");
    fs::rename(path, &aside).map_err(StoreError::writing(path))?;
    disk::sync_parent(path)?;
    Ok(aside)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt;

    use super::*;
    use crate::store::{Plan, Settings};
    use crate::values::Width;

    fn manifest() -> Manifest {
        Manifest::new(&Plan {
            game: "0.77".to_owned(),
            to: 9,
            keep_values: false,
            settings: Settings::default(),
            width: Width::U8,
            checkpoint_bytes: 0,
        })
    }

    #[test]
    fn a_checkpoint_is_read_as_it_was_written_and_any_change_shows() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), &manifest(), b"payload").unwrap();
        let [path] = &list(dir.path()).unwrap()[..] else { panic!("there is one") };
        let read = Checkpoint::read(path).unwrap();
        assert_eq!(read, Checkpoint { manifest: manifest(), payload: b"payload".to_vec() });

        let good = fs::read(path).unwrap();
        let file = fs::File::options().write(true).open(path).unwrap();
        for bit in 0..8 * good.len() {
            let (byte, at) = (good[bit / 8], (bit / 8) as u64);
            file.write_all_at(&[byte ^ 1 << (bit % 8)], at).unwrap();
            assert!(Checkpoint::read(path).is_err(), "bit {bit}");
            file.write_all_at(&[byte], at).unwrap();
        }
        file.write_all_at(b"!", good.len() as u64).unwrap();
        for len in (0..=good.len() + 1).rev() {
            file.set_len(len as u64).unwrap();
            assert_eq!(Checkpoint::read(path).is_ok(), len == good.len(), "{len} bytes");
        }
    }

    #[test]
    fn the_last_two_are_kept_in_order_of_values() {
        let dir = tempfile::tempdir().unwrap();
        for done in [9, 100, 20] {
            let mut manifest = manifest();
            manifest.done = done;
            write(dir.path(), &manifest, b"").unwrap();
        }
        remove_old(dir.path()).unwrap();
        assert_eq!(list(dir.path()).unwrap(), [path(dir.path(), 100), path(dir.path(), 20)]);
    }
}
