//! Plans, shards, interruptions, merging.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use tempfile::tempdir;

use crate::common::{ends_with, said, text};

fn plan(dir: &Path, more: &[&str]) {
    said(&[&["census", "plan", "-q", "-o", text(dir)], more].concat());
}

fn run(dir: &Path, more: &[&str]) -> String {
    said(&[&["census", "run", text(dir)], more].concat())
}

fn merged(dir: &Path) -> String {
    let file = dir.join("atlas.json");
    said(&["census", "merge", text(dir), "-o", text(&file)]);
    fs::read_to_string(file).unwrap()
}

/// One-digit codes, done at once on one thread.
fn whole(more: &[&str]) -> String {
    let dir = tempdir().unwrap();
    plan(dir.path(), &[&["--codes", "octal1"], more].concat());
    run(dir.path(), &["--threads", "1"]);
    merged(dir.path())
}

#[test]
fn shards_in_any_order_merge_to_the_same_bytes() {
    for more in [&["--limit", "5000"][..], &["--misere", "--steps", "1000000"]] {
        let dir = tempdir().unwrap();
        plan(dir.path(), &[&["--codes", "octal1"], more].concat());
        for (shard, threads) in [("3/3", "2"), ("1/3", "1"), ("2/3", "3")] {
            let early = ends_with(4, &["census", "merge", text(dir.path()), "-o", "/dev/null"]);
            let early = String::from_utf8(early.get_output().stderr.clone()).unwrap();
            assert!(early.contains("not done yet"), "{shard}: {early}");
            run(dir.path(), &["--shard", shard, "--threads", threads]);
        }
        assert_eq!(merged(dir.path()), whole(more));
    }
}

#[test]
fn what_is_done_is_not_done_again_and_damaged_results_are() {
    let dir = tempdir().unwrap();
    plan(dir.path(), &["--codes", "octal1", "--limit", "5000"]);
    let first = run(dir.path(), &[]);
    let units = fs::read_dir(dir.path().join("units")).unwrap().count();
    assert!(first.contains(&format!("{units} units done, 0 of {units}")), "{first}");
    let before = merged(dir.path());
    let file = dir.path().join("units/0.6.json");
    let written = |file: &Path| fs::metadata(file).unwrap().modified().unwrap();
    let kept = dir.path().join("units/4.0.json");
    let time = written(&kept);
    for damage in ["", "{\"game\":\"0.6\"}", &fs::read_to_string(&kept).unwrap()] {
        fs::write(&file, damage).unwrap();
        let again = run(dir.path(), &[]);
        assert!(again.contains(&format!("1 units done, {} of {units}", units - 1)), "{again}");
    }
    assert_eq!((merged(dir.path()), written(&kept)), (before, time));
}

/// kill -9 at some moments: each loses the units at hand, and the end is the same.
#[test]
fn a_run_that_is_killed_goes_on() {
    let dir = tempdir().unwrap();
    plan(dir.path(), &["--codes", "octal1", "--limit", "5000"]);
    let units = dir.path().join("units");
    let mut kills = 0;
    for pause in [5, 20, 60, 120] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sprague"))
            .args(["census", "run", text(dir.path()), "-q"])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        kills += usize::from(!child.wait().unwrap().success());
        for entry in fs::read_dir(&units).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "json") {
                serde_json::from_str::<serde_json::Value>(&fs::read_to_string(path).unwrap()).unwrap();
            }
        }
    }
    assert!(kills > 0, "the run was over before it was killed");
    run(dir.path(), &[]);
    assert_eq!(merged(dir.path()), whole(&["--limit", "5000"]));
}

#[test]
fn a_plan_is_not_overwritten_and_other_files_are_no_plans() {
    let dir = tempdir().unwrap();
    plan(dir.path(), &["--codes", "octal1", "--limit", "5000"]);
    ends_with(2, &["census", "plan", "-o", text(dir.path())]);
    let nothing = tempdir().unwrap();
    ends_with(3, &["census", "run", text(nothing.path())]);
    for wrong in ["{", "{}", "{\"format\":\"sprague-census\",\"version\":99}"] {
        fs::write(nothing.path().join("plan.json"), wrong).unwrap();
        ends_with(3, &["census", "run", text(nothing.path())]);
    }
    ends_with(2, &["census", "run", text(dir.path()), "--shard", "4/3"]);
}
