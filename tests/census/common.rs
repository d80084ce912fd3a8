//! Running the program.

use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;

/// Runs the program, which must end with `code`.
#[track_caller]
pub fn ends_with(code: i32, args: &[&str]) -> Assert {
    Command::new(env!("CARGO_BIN_EXE_sprague")).args(args).assert().code(code)
}

/// Runs the program, which must succeed, and gives what it says on stderr.
#[track_caller]
pub fn said(args: &[&str]) -> String {
    String::from_utf8(ends_with(0, args).get_output().stderr.clone()).unwrap()
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("temporary paths are UTF-8")
}
