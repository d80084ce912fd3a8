//! Run directories: the values of a run, its manifest and its checkpoints, safe against kill -9, damage and full disks.
//!
//! [`RunDir::create`] starts a run and [`RunDir::open`] goes on with one, both as the only writer;
//! [`StoredRun::read`] looks at one, even while it is being written.
//!
//! # Format, version 1
//!
//! All integers are little-endian; CRC-32 is that of zlib.
//!
//! | file | what it is |
//! |---|---|
//! | `manifest.json` | a JSON object, [`Manifest`], sealed as below |
//! | `values.npy` | NumPy 1.0, `\|u1`, `<u2` or `<u4`, a header of 128 bytes, then the values of heaps 0, 1, ... |
//! | `checkpoint-<done>.bin` | the run when `done` values (20 digits) were known; the last two are kept |
//! | `checkpoint-<done>.bin.bad` | one that could not be used |
//! | `lock` | locked while a process writes to the run; empty |
//! | `*.new` | a file that was not finished; ignored, and removed when the run goes on |
//!
//! `values.npy` is absent when values are not kept. The last key of a manifest is `crc32`: 8 hexadecimal digits, the
//! CRC-32 of the text up to, and without, the comma before that key. `blocks` has one CRC-32 for each 2^20 values, of
//! their bytes as stored; the last block may be shorter.
//!
//! A checkpoint is: the magic `SPRGCKPT`; u32 format version (1); u64 length of the manifest; u64 length of the
//! payload; u32 CRC-32 of the bytes so far; the manifest as it then was, checksums of all blocks of values included;
//! the payload, which is the engine's own; u32 CRC-32 of manifest and payload.
//!
//! # Order of writing
//!
//! A checkpoint is written so: the values are synced, with a header that tells of `done` values; then
//! `checkpoint-<done>.bin`; then `manifest.json`; then the checkpoint before the last is removed. Checkpoint, manifest
//! and wider `values.npy` are each written as `*.new`, synced and renamed, and the directory is synced after that.
//! So, whenever the process dies,
//!
//! * each checkpoint is whole and knows the checksums of the values that it builds on, so that none of these can differ
//!   unnoticed; what `values.npy` holds beyond them is not trusted and is computed again;
//! * `manifest.json` is whole and tells of no more values than are in `values.npy`, for those who only read;
//! * a `values.npy` that has been made wider since has the same values, and their checksums are taken as of the width
//!   that the manifest gives.
//!
//! In between, `values.npy` is longer than its header tells, because space is reserved ahead; NumPy does not mind. A
//! clean stop ([`RunDir::finish`]) cuts it to the values it has, and it is cut before a manifest tells that the run is
//! complete: that of a complete run is never longer than its header tells.
//!
//! # Recovery
//!
//! [`RunDir::open`] takes the newest checkpoint that is whole and whose values have their checksums. One that is not is
//! set aside as `.bad`, and the one before is tried. If none is left, the run goes on from the blocks of values that
//! have the checksums in `manifest.json`, without an engine's state, or from the beginning.

mod blocks;
mod cast;
mod checkpoint;
mod disk;
mod error;
mod json;
mod manifest;
pub mod npy;
mod read;
mod recover;
mod run_dir;
mod values_file;

pub use blocks::BLOCK;
pub use error::StoreError;
pub use manifest::{Manifest, Plan, Progress, Settings};
pub use read::{BadBlock, StoredRun};
pub use recover::Recovered;
pub use run_dir::RunDir;
