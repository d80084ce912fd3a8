//! What the tests of interrupted runs share.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

pub fn text(path: &Path) -> &str {
    path.to_str().expect("temporary paths are UTF-8")
}

/// The program, with its outputs piped.
pub fn sprague(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sprague"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the program, which must end with `code`, and gives what it says on stderr.
#[track_caller]
pub fn says(code: i32, args: &[&str]) -> String {
    let output = sprague(args).output().unwrap();
    said(code, &output)
}

#[track_caller]
pub fn said(code: i32, output: &Output) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{said}");
    said
}

/// The manifest of a run, without what differs from one run to the next: the time, and its seal.
pub fn manifest(dir: &Path) -> Value {
    let text = fs::read_to_string(dir.join("manifest.json")).unwrap();
    let mut manifest: Value = serde_json::from_str(&text).unwrap();
    manifest.as_object_mut().unwrap().remove("crc32");
    // What computed the heaps since the last checkpoint may be another kernel, where these are few.
    for key in ["seconds", "kernel"] {
        manifest["progress"].as_object_mut().unwrap().remove(key);
    }
    manifest
}

/// Both runs are complete and have the same values, byte by byte, value counts, rare heaps and all the rest.
#[track_caller]
pub fn assert_same(whole: &Path, dir: &Path) {
    let (expected, found) = (manifest(whole), manifest(dir));
    assert_eq!(expected["complete"], true);
    for key in ["value_counts", "rare"] {
        assert!(expected["progress"][key] == found["progress"][key], "{key} differ");
    }
    assert!(expected == found, "the manifests differ: {found}");
    let values = |dir: &Path| fs::read(dir.join("values.npy")).ok();
    assert!(values(whole) == values(dir), "values.npy differs");
}

/// Waits until `done` says so, which it must within a minute.
#[track_caller]
pub fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what} takes too long");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// D. Knuth's MMIX generator: the next number from 0 to `below - 1`.
pub fn random(state: &mut u64, below: u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) % below
}
