//! Ctrl-C and SIGTERM: the block in hand is finished, the state saved, and the command says how to go on.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::Failure;

/// When the first signal came.
static STOP: OnceLock<Instant> = OnceLock::new();
/// Signals that come so soon after the first one are the same wish: `timeout` and batch systems send one to the program and
/// another to all of its group.
const ONE_WISH: Duration = Duration::from_secs(1);

/// From now on, signals only ask to stop. One that comes a second later ends the program at once.
///
/// # Errors
/// If the system refuses.
pub fn on_signals() -> Result<(), Failure> {
    let handler = || {
        if STOP.get_or_init(Instant::now).elapsed() > ONE_WISH {
            // Nothing is half written: files are replaced whole.
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).map_err(|e| Failure::Data(format!("cannot watch for signals: {e}")))
}

/// Whether a signal has asked to stop.
pub fn requested() -> bool {
    STOP.get().is_some()
}
