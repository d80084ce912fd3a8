//! `sprague selftest`: known answers, on this machine.

use std::io::{Write, stdout};
use std::time::Instant;

use super::args::Processor;
use super::{Failure, Global, Outcome};
use crate::selftest;

/// Check this program on this machine: all engines against the definition, published values and periods
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    processor: Processor,
}

/// Runs the command.
///
/// # Errors
/// Output that cannot be written.
pub fn run(args: &Args, global: Global) -> Result<Outcome, Failure> {
    args.processor.apply()?;
    let clock = Instant::now();
    let (mut passed, mut written) = (0, Ok(()));
    let mut out = stdout().lock();
    let failed = selftest::run(|name, outcome| {
        let line = match &outcome {
            Ok(()) if global.verbose => format!("ok      {name}\n"),
            Ok(()) => String::new(),
            Err(wrong) => format!("FAILED  {name}: {wrong}\n"),
        };
        passed += usize::from(outcome.is_ok());
        if written.is_ok() {
            written = out.write_all(line.as_bytes());
        }
    });
    written?;
    writeln!(out, "{passed} checks passed, {failed} failed, {:.1} s", clock.elapsed().as_secs_f64())?;
    Ok(if failed == 0 { Outcome::Done } else { Outcome::False })
}
