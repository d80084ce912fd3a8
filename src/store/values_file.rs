//! `values.npy`: a NumPy file that grows, memory-mapped.
#![allow(unsafe_code)]

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use memmap2::{Mmap, MmapMut};

use super::blocks::Blocks;
use super::error::StoreError;
use super::npy::{HEADER_LEN, Header};
use super::{cast, disk};
use crate::values::{Slice, Width};

/// The least and the most that a file grows by at once: in between it doubles.
const STEP: (u64, u64) = (1 << 20, 1 << 30);

/// The values of a run that is being written.
pub(super) struct ValuesFile {
    path: PathBuf,
    file: File,
    map: MmapMut,
    width: Width,
    /// How many values there are; the file is longer than they need.
    len: u64,
    /// How many values there will be.
    limit: u64,
}

impl ValuesFile {
    /// Makes a file without values that is to have `limit` of them.
    pub(super) fn create(path: &Path, width: Width, limit: u64) -> Result<ValuesFile, StoreError> {
        disk::replace(path, |out| io::Write::write_all(out, &Header { width, len: 0 }.to_bytes()))?;
        ValuesFile::open(path, limit)
    }

    /// Opens a file that is to have `limit` values; none of those in it is trusted yet.
    pub(super) fn open(path: &Path, limit: u64) -> Result<ValuesFile, StoreError> {
        let file = File::options().read(true).write(true).open(path).map_err(StoreError::reading(path))?;
        let width = read_header(path, &file)?.width;
        let len = file.metadata().map_err(StoreError::reading(path))?.len();
        disk::fill_holes(&file, len).map_err(StoreError::writing(path))?;
        let map = map_mut(path, &file)?;
        Ok(ValuesFile { path: path.to_owned(), file, map, width, len: 0, limit })
    }

    /// The width of the values.
    pub(super) fn width(&self) -> Width {
        self.width
    }

    /// The values.
    pub(super) fn as_slice(&self) -> Slice<'_> {
        cast::values(&self.map[HEADER_LEN..self.end(self.len)], self.width)
    }

    /// How many values the file has room for.
    pub(super) fn room(&self) -> u64 {
        (self.map.len() - HEADER_LEN) as u64 / self.width.bytes() as u64
    }

    /// Changes how many values there will be.
    pub(super) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// How many more bytes of disk the file will take, if the values get no wider.
    pub(super) fn missing_bytes(&self) -> u64 {
        self.header(self.limit).file_len().saturating_sub(self.map.len() as u64)
    }

    /// Trusts the first `len` values, which the file must have room for.
    pub(super) fn set_len(&mut self, len: u64) {
        assert!(len <= self.room(), "the values are there");
        self.len = len;
    }

    /// Appends values that fit the width, and takes their checksums.
    pub(super) fn append(&mut self, values: Slice<'_>, blocks: &mut Blocks) -> Result<(), StoreError> {
        let len = self.len + values.len() as u64;
        self.grow(len)?;
        let range = self.end(self.len)..self.end(len);
        blocks.copy(&mut self.map[range], self.width, values);
        self.len = len;
        Ok(())
    }

    /// Makes room for `len` values.
    fn grow(&mut self, len: u64) -> Result<(), StoreError> {
        let (have, need) = (self.map.len() as u64, self.header(len).file_len());
        if need <= have {
            return Ok(());
        }
        let most = self.header(self.limit.max(len)).file_len();
        let wanted = need.max(have + have.clamp(STEP.0, STEP.1)).min(most);
        disk::reserve(&self.file, have, wanted).map_err(StoreError::writing(&self.path))?;
        self.map = map_mut(&self.path, &self.file)?;
        Ok(())
    }

    /// Rewrites the file with wider values, atomically, and takes their checksums anew.
    pub(super) fn widen(&mut self, width: Width) -> Result<Blocks, StoreError> {
        let dir = self.path.parent().expect("a file has a directory");
        disk::check_space(dir, Header { width, len: self.limit }.file_len())?;
        let new = disk::unfinished(&self.path);
        let widened = self.widened(&new, width).and_then(|done| {
            disk::put_in_place(&self.path)?;
            Ok(done)
        });
        let (mut wide, blocks) = widened.inspect_err(|_| {
            // The failure that led here is the one to report.
            let _ = fs::remove_file(&new);
        })?;
        wide.path.clone_from(&self.path);
        *self = wide;
        Ok(blocks)
    }

    /// The same values in the file `new`, synced.
    fn widened(&self, new: &Path, width: Width) -> Result<(ValuesFile, Blocks), StoreError> {
        fs::write(new, Header { width, len: 0 }.to_bytes()).map_err(StoreError::writing(new))?;
        let mut wide = ValuesFile::open(new, self.limit)?;
        let mut blocks = Blocks::default();
        wide.append(self.as_slice(), &mut blocks)?;
        wide.sync()?;
        Ok((wide, blocks))
    }

    /// Writes the header for the values there are, and waits until all is on disk.
    pub(super) fn sync(&self) -> Result<(), StoreError> {
        // Not through the map: a process killed in the middle of that would leave half a header.
        let header = self.header(self.len).to_bytes();
        self.file
            .write_all_at(&header, 0)
            .and_then(|()| self.map.flush())
            .and_then(|()| self.file.sync_all())
            .map_err(StoreError::writing(&self.path))
    }

    /// Gives back what the values do not need.
    pub(super) fn trim(&mut self) -> Result<(), StoreError> {
        let len = self.header(self.len).file_len();
        self.file.set_len(len).and_then(|()| self.file.sync_all()).map_err(StoreError::writing(&self.path))?;
        self.map = map_mut(&self.path, &self.file)?;
        Ok(())
    }

    fn header(&self, len: u64) -> Header {
        Header { width: self.width, len }
    }

    /// Where in the file `len` values end.
    fn end(&self, len: u64) -> usize {
        self.header(len).file_len() as usize
    }
}

fn map_mut(path: &Path, file: &File) -> Result<MmapMut, StoreError> {
    // SAFETY: the run's lock keeps every other sprague from writing to the file or cutting it, and all of its length
    // has been reserved on disk.
    unsafe { MmapMut::map_mut(file) }.map_err(StoreError::writing(path))
}

/// Reads and checks the header.
fn read_header(path: &Path, file: &File) -> Result<Header, StoreError> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(file, HEADER_LEN as u64), &mut bytes)
        .map_err(StoreError::reading(path))?;
    let header = Header::parse(&bytes)
        .ok_or_else(|| StoreError::Foreign { path: path.to_owned(), what: "as sprague wrote it" })?;
    let len = file.metadata().map_err(StoreError::reading(path))?.len();
    if len < header.file_len() {
        let why = format!("it has {len} bytes, and its header tells of {}", header.file_len());
        return Err(StoreError::damaged(path, why));
    }
    Ok(header)
}

/// Values that are only read.
#[derive(Debug)]
pub(super) struct ValuesMap {
    map: Mmap,
    header: Header,
}

impl ValuesMap {
    /// Maps the values in the file `path`.
    pub(super) fn open(path: &Path) -> Result<ValuesMap, StoreError> {
        let file = File::open(path).map_err(StoreError::reading(path))?;
        let header = read_header(path, &file)?;
        // SAFETY: only values that a manifest has told of are looked at, and a writer changes none of these: it
        // appends, and replaces a file that it makes wider. Only a run that goes on after damage writes over values
        // that a manifest had told of before; that others leave the file alone is asked of the user.
        let map = unsafe { Mmap::map(&file) }.map_err(StoreError::reading(path))?;
        Ok(ValuesMap { map, header })
    }

    /// How many values the header tells of.
    pub(super) fn len(&self) -> u64 {
        self.header.len
    }

    /// The width of the values.
    pub(super) fn width(&self) -> Width {
        self.header.width
    }

    /// How many bytes follow the values.
    pub(super) fn surplus(&self) -> u64 {
        self.map.len() as u64 - self.header.file_len()
    }

    /// The first `len` values.
    pub(super) fn first(&self, len: u64) -> Slice<'_> {
        let end = Header { len, ..self.header }.file_len() as usize;
        cast::values(&self.map[HEADER_LEN..end], self.header.width)
    }
}
