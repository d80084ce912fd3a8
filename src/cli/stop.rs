//! Ctrl-C and SIGTERM: the block in hand is finished, the state saved, and the command says how to go on.

use std::sync::atomic::{AtomicBool, Ordering};

use super::Failure;

static STOP: AtomicBool = AtomicBool::new(false);

/// From now on, signals only ask to stop. A second one ends the program at once.
///
/// # Errors
/// If the system refuses.
pub fn on_signals() -> Result<(), Failure> {
    let handler = || {
        if STOP.swap(true, Ordering::SeqCst) {
            // Nothing is half written: files are replaced whole.
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).map_err(|e| Failure::Data(format!("cannot watch for signals: {e}")))
}

/// Whether a signal has asked to stop.
pub fn requested() -> bool {
    STOP.load(Ordering::SeqCst)
}
