//! `kill -9`, again and again.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::common::*;

/// A run must last this long to have checkpoints, and to be killed between them.
const LASTS: Duration = Duration::from_millis(2500);
/// Checkpoints come often, so that most kills come after one.
const EVERY: &str = "100ms";

/// Runs the game without interruption, as far as it takes to last for a while on this machine. How far that is.
fn run_for_a_while(game: &str, keep: &[&str], dir: &Path) -> String {
    for to in (0..).map(|doublings| (300_000u64 << doublings).to_string()) {
        let clock = Instant::now();
        says(0, &[&["run", game, "--to", &to, "-o", text(dir)], keep].concat());
        if clock.elapsed() > LASTS {
            return to;
        }
        fs::remove_dir_all(dir).unwrap();
    }
    unreachable!("the doublings do not end")
}

/// Kills a run at random moments, going on after each, until it was killed `kills` times with a checkpoint to go on
/// from, and lets it end. Tells how often that was: a slow disk may have no checkpoint for a long time.
fn kill_again_and_again(dir: &Path, start: &[&str], kills: u32, seed: u64) -> u32 {
    let mut random_state = seed;
    let mut useful = 0;
    let resume = ["resume", text(dir), "--checkpoint-every", EVERY];
    for _ in 0..10 * kills {
        if useful == kills {
            break;
        }
        let begun = dir.join("manifest.json").exists();
        let mut child = sprague(if begun { &resume } else { start }).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(1 + random(&mut random_state, 1000)));
        child.kill().unwrap();
        child.wait().unwrap();
        if begun {
            useful += u32::from(manifest(dir)["done"].as_u64() > Some(0));
        }
    }
    if dir.join("manifest.json").exists() {
        says(0, &resume);
    } else {
        says(0, start);
    }
    useful
}

/// `keep`: what is kept of the values.
fn ends_as_if_never_killed(game: &str, keep: &[&str], seed: u64) {
    let temp = tempfile::tempdir().unwrap();
    let [whole, dir] = ["whole", "killed"].map(|name| temp.path().join(name));
    let to = run_for_a_while(game, keep, &whole);
    let start = [&["run", game, "--to", &to, "-o", text(&dir), "--checkpoint-every", EVERY], keep].concat();
    let useful = kill_again_and_again(&dir, &start, 4, seed);
    assert!(useful > 0, "no kill came after a checkpoint");
    assert_same(&whole, &dir);
    says(0, &["verify", text(&dir), "--recompute", "0.01"]);
}

#[test]
fn a_killed_run_ends_as_one_that_is_not() {
    ends_as_if_never_killed("0.6", &[], 1);
}

#[test]
fn a_killed_run_without_values_ends_as_one_that_is_not() {
    ends_as_if_never_killed("0.6", &["--values", "none"], 2);
}

/// In memory for a small part of the period, 5425890: it is found and proven across the kills.
#[test]
fn a_killed_run_in_bounded_memory_ends_as_one_that_is_not() {
    ends_as_if_never_killed("sub{13,22,39,48,61}", &["--values", "none", "--memory", "1MiB"], 3);
}

/// Two processes never write to one run.
#[test]
fn a_run_that_is_being_written_is_locked() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    let mut child = sprague(&["run", "0.6", "--to", "1e9", "-o", text(&dir)]).spawn().unwrap();
    wait_until("the run's start", || dir.join("values.npy").exists());
    let refused = says(3, &["resume", text(&dir)]);
    assert!(refused.contains("in use") && refused.contains(text(&dir)), "{refused}");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Killed while its values outgrow a byte, and right after that, before any checkpoint knows of it.
#[test]
fn a_run_killed_while_its_file_is_made_wider_ends_as_one_that_is_not() {
    let temp = tempfile::tempdir().unwrap();
    let [whole, dir] = ["whole", "killed"].map(|name| temp.path().join(name));
    let run = |dir| ["run", "0.6", "--to", "60000", "-o", text(dir)].map(str::to_owned);
    says(0, &run(&whole).each_ref().map(String::as_str));
    let is_wide = || fs::read(dir.join("values.npy")).is_ok_and(|bytes| bytes.get(21..24) == Some(b"<u2"));
    let is_made_wider = || dir.join("values.npy.new").exists() || is_wide();
    let kill_when = |what: &str, args: &[&str], done: &dyn Fn() -> bool| {
        let mut child = sprague(args).spawn().unwrap();
        wait_until(what, done);
        child.kill().unwrap();
        child.wait().unwrap();
    };
    kill_when("the wider file", &run(&dir).each_ref().map(String::as_str), &is_made_wider);
    assert_eq!(manifest(&dir)["width"], "|u1");
    says(0, &["verify", text(&dir)]);
    kill_when("the wide file", &["resume", text(&dir)], &is_wide);
    assert_eq!(manifest(&dir)["width"], "|u1");
    says(0, &["verify", text(&dir)]);
    says(0, &["resume", text(&dir)]);
    assert_same(&whole, &dir);
}
