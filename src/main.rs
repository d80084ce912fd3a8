//! The program: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser;
use sprague::cli::{Cli, Failure};

fn main() -> ExitCode {
    match Cli::parse().run() {
        Ok(outcome) => outcome.into(),
        Err(failure) => {
            if !matches!(failure, Failure::ClosedPipe) {
                eprintln!("sprague: {failure}");
            }
            failure.exit_code()
        }
    }
}
