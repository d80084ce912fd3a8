//! What the tests of the program share.

use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use serde_json::Value;

/// The program, to be run with these arguments.
pub fn sprague(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sprague"));
    command.args(args);
    command
}

/// Runs the program, which must end with `code`.
#[track_caller]
pub fn ends_with(code: i32, args: &[&str]) -> Assert {
    sprague(args).assert().code(code)
}

/// What the program, which must succeed, prints on stdout.
#[track_caller]
pub fn printed(args: &[&str]) -> String {
    stdout(&ends_with(0, args))
}

pub fn stdout(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

pub fn stderr(assert: &Assert) -> String {
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// The JSON object on stdout.
#[track_caller]
pub fn json(assert: &Assert) -> Value {
    let text = stdout(assert);
    assert_eq!(text.lines().count(), 1, "one object on one line");
    serde_json::from_str(&text).unwrap()
}

/// The names of an object's keys, sorted.
pub fn keys(object: &Value) -> Vec<&str> {
    object.as_object().expect("an object").keys().map(String::as_str).collect()
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("temporary paths are UTF-8")
}
