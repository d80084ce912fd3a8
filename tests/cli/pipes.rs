//! Readers that go away, outputs that are full, and silence.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::common::*;

/// Runs the program until it has printed a line, and closes its stdout then.
fn read_a_line(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sprague"));
    let mut child = command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(0), ""), "{args:?}");
    line
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for format in ["text", "csv", "bfile"] {
        let line = read_a_line(&["values", "0.77", "--to", "1e7", "--format", format]);
        assert!(line.ends_with('\n'), "{line}");
    }
    assert_eq!(read_a_line(&["values", "0.77", "--to", "1e7", "--from", "3", "--format", "bfile"]), "3 3\n");
    read_a_line(&["completions", "bash"]);
    read_a_line(&["man"]);
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    ends_with(0, &["-q", "run", "0.77", "--to", "2e6", "-o", text(&dir)]).stdout("").stderr("");
    assert_eq!(read_a_line(&["export", text(&dir), "--format", "csv"]), "n,value\n");
}

/// What does not fit in a pipe's buffer is not printed at all when nobody reads.
#[test]
fn a_reader_that_was_never_there_is_no_error() {
    for args in [
        &["period", "kayles"][..],
        &["info", "kayles", "--json"],
        &["claim", "0.77", "--period", "12", "--preperiod", "71"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sprague"));
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command.args(args).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{args:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_output_is_an_error() {
    for args in [&["values", "0.77", "--to", "100"][..], &["period", "kayles"], &["man"], &["completions", "fish"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_sprague"));
        let output = command.args(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("No space left"), "{args:?}");
    }
}

#[test]
fn quiet_is_silent_and_verbose_is_not() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    ends_with(0, &["run", "0.6", "--to", "3000", "-o", text(&dir), "-q"]).stdout("").stderr("");
    ends_with(0, &["-q", "resume", text(&dir)]).stdout("").stderr("");
    ends_with(4, &["-q", "period", "0.6", "--limit", "2000"]).stderr("");
    ends_with(4, &["-q", "claim", "0.6", "--period", "99", "--preperiod", "9999", "--limit", "2000"]).stderr("");
    ends_with(0, &["-q", "verify", text(&dir)]).stderr("");
    let failed = ends_with(2, &["-q", "values", "0.x", "--to", "9"]);
    assert!(stderr(&failed).contains('^'), "errors are told all the same");

    let talk = stderr(&ends_with(0, &["-v", "values", "0.6", "--to", "3000"]));
    assert!(talk.contains("dense engine") && talk.contains("sparse engine"), "{talk}");
    assert_eq!(stderr(&ends_with(0, &["values", "0.6", "--to", "3000"])), "");
}
