//! The loop that `values`, `period` and `claim` share: compute in memory, until there is enough.

use crate::driver::Computation;
use crate::engine::EngineError;

use super::progress::Progress;
use super::{Failure, Global, stop};

/// Computes heaps below `to` until all are known, a period is proven, or `enough` says so. Returns whether a
/// signal came first.
///
/// # Errors
/// If a value is beyond what can be kept.
pub fn advance(
    computation: &mut Computation,
    to: u64,
    global: Global,
    mut enough: impl FnMut(&Computation) -> bool,
) -> Result<bool, Failure> {
    let mut progress = Progress::new(global, computation.known(), to);
    progress.show(computation, computation.known());
    let mut stopped = false;
    while !stopped && computation.known() < to && computation.period().is_none() && !enough(computation) {
        computation.step(to)?;
        progress.show(computation, computation.known());
        stopped = stop::requested();
    }
    progress.finish();
    Ok(stopped)
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        let cure = match error {
            EngineError::Window { .. } => "; `sprague run` keeps all values",
            EngineError::Value { .. } => "",
        };
        Failure::Usage(format!("{error}{cure}"))
    }
}
