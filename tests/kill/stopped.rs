//! Ctrl-C and SIGTERM.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command};
use std::time::Duration;

use crate::common::*;

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Starts the run with `--verbose` and stops it with a signal a little after it has told of its engine, which it does
/// when it begins to compute. What it says after that on stderr.
fn stop(args: &[&str], name: &str) -> String {
    let mut child = sprague(args).arg("-v").spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("engine: ") {
        line.clear();
        assert!(lines.read_line(&mut line).unwrap() > 0, "it ended before it began");
    }
    std::thread::sleep(Duration::from_millis(40));
    // Twice, as `timeout` does.
    signal(&child, name);
    signal(&child, name);
    let mut said = String::new();
    lines.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(4), "{said}");
    said
}

fn stopped_runs_go_on(game: &str, to: &str, values: &str) {
    let temp = tempfile::tempdir().unwrap();
    let [whole, dir] = ["whole", "stopped"].map(|name| temp.path().join(name));
    says(0, &["run", game, "--to", to, "--values", values, "-o", text(&whole)]);
    let start = ["run", game, "--to", to, "--values", values, "-o", text(&dir)];
    let resume = ["resume", text(&dir)];
    let mut before = 0;
    for (args, name) in [(&start[..], "TERM"), (&resume, "INT"), (&resume, "TERM")] {
        let said = stop(args, name);
        assert!(said.contains(&format!("go on with: sprague resume {}", text(&dir))), "{said}");
        let stored = manifest(&dir);
        let done = stored["done"].as_u64().unwrap();
        assert!(done >= before && stored["complete"] == false, "{done} after {before}");
        assert!(said.contains(&format!("{done} heaps are saved")), "{said}");
        before = done;
        // After a clean stop all is in order: the file of values is as long as it says.
        says(0, &["verify", text(&dir), "--recompute", "0.01"]);
    }
    assert!(before > 0, "nothing was computed between the signals");
    says(0, &resume);
    assert_same(&whole, &dir);
}

#[test]
fn a_stopped_run_goes_on() {
    stopped_runs_go_on("0.6", "300000", "all");
}

#[test]
fn a_stopped_run_without_values_goes_on() {
    stopped_runs_go_on("0.6", "300000", "none");
}

/// Commands that keep nothing end with the same code.
#[test]
fn values_and_period_stop_too() {
    for args in [&["values", "0.007", "--to", "1e7"][..], &["period", "0.007", "--limit", "1e7"]] {
        let said = stop(args, "INT");
        assert!(said.contains("sprague run"), "{said}");
    }
}
