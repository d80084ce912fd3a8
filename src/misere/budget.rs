//! How long the search for a quotient may take.

use std::time::{Duration, Instant};

/// Time ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutOfTime;

/// A span of time that started to run when it was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    started: Instant,
    allowed: Duration,
}

impl Budget {
    pub(super) fn new(allowed: Duration) -> Budget {
        Budget { started: Instant::now(), allowed }
    }

    pub(super) fn spent(&self) -> Duration {
        self.started.elapsed()
    }

    /// A budget of `share` (below 1) of the time that is left.
    pub(super) fn share(&self, share: f64) -> Budget {
        Budget::new(self.allowed.saturating_sub(self.spent()).mul_f64(share))
    }

    /// Whether there is time left.
    pub(super) fn check(&self) -> Result<(), OutOfTime> {
        if self.spent() < self.allowed { Ok(()) } else { Err(OutOfTime) }
    }
}
