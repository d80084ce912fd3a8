//! What the tests of run directories share.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;

use sprague::engine::sparse::Mask;
use sprague::period::{Period, Theorem};
use sprague::statistics::{Milestone, Record};
use sprague::store::{BLOCK, Plan, Progress, RunDir, Settings, StoreError};
use sprague::{Slice, Width};

/// More than two blocks, and no whole number of them.
pub const LEN: usize = 2 * BLOCK as usize + 12_345;

pub fn plan(values: usize) -> Plan {
    Plan {
        game: "0.6".to_owned(),
        to: values as u64 - 1,
        keep_values: true,
        settings: Settings::default(),
        width: Width::U8,
        checkpoint_bytes: 1000,
    }
}

pub fn noise(len: usize) -> Vec<u8> {
    (0..len as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

pub fn progress(done: u64) -> Progress {
    Progress {
        engine: Some("sparse".to_owned()),
        kernel: Some("scalar".to_owned()),
        seconds: 1.5,
        value_counts: Some([(0, done), (7, 1)].into()),
        milestones: vec![Milestone { heaps: 1, counts: vec![1] }],
        max_value: 255,
        max_at: 9,
        records: vec![Record { value: 0, heap: 0 }],
        mask: Some(Mask { bits: 0x1ee, domain: Some(1) }),
        rare: vec![0, 1, done],
        period: Some(Period { period: 12, preperiod: 71, saltus: 0, theorem: Theorem::Window { heaps: 2 } }),
        excluded: None,
    }
}

/// A checkpoint whose payload tells where it was made.
pub fn checkpoint(run: &mut RunDir) {
    let done = run.done();
    run.checkpoint(&done.to_le_bytes(), progress(done)).unwrap();
}

pub fn finish(run: RunDir) {
    let done = run.done();
    run.finish(&done.to_le_bytes(), progress(done)).unwrap();
}

/// A finished run of `values`, with checkpoints at a third, two thirds and the end.
pub fn write_run(dir: &Path, values: &[u8]) {
    let mut run = RunDir::create(dir, &plan(values.len())).unwrap();
    for piece in values.chunks(values.len().div_ceil(3)) {
        run.append(Slice::U8(piece)).unwrap();
        checkpoint(&mut run);
    }
    finish(run);
}

pub fn copy_dir(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
    }
}

pub fn names(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Flips a bit in place: cutting a file and writing it anew is slow on some file systems.
pub fn flip(path: &Path, byte: usize, bit: usize) {
    let file = fs::File::options().read(true).write(true).open(path).unwrap();
    let mut cell = [0];
    file.read_exact_at(&mut cell, byte as u64).unwrap();
    file.write_all_at(&[cell[0] ^ 1 << bit], byte as u64).unwrap();
}

/// Cuts a file.
pub fn cut(path: &Path, len: usize) {
    fs::File::options().write(true).open(path).unwrap().set_len(len as u64).unwrap();
}

/// The error, which must name `file`.
#[track_caller]
pub fn refused<T>(result: Result<T, StoreError>, file: &Path) -> String {
    let message = result.err().expect("the file is refused").to_string();
    assert!(message.contains(file.to_str().unwrap()), "{message}");
    message
}
