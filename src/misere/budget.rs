//! How long the search for a quotient may take.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Time, or work, ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OutOfTime;

/// A span of time that started to run when it was made, or an amount of work.
#[derive(Clone, Debug)]
pub(super) struct Budget {
    started: Instant,
    allowed: Allowed,
    /// The steps done so far: one count for a budget and all shares of it.
    steps: Rc<Cell<u64>>,
}

#[derive(Clone, Copy, Debug)]
enum Allowed {
    Time(Duration),
    /// Steps, those of the budget that this one is a share of included.
    Steps(u64),
}

impl Budget {
    pub(super) fn new(allowed: Duration) -> Budget {
        Budget::starting(Allowed::Time(allowed), Rc::default())
    }

    /// So many steps, each about one product of two elements: the same on every machine.
    pub(super) fn of_steps(steps: u64) -> Budget {
        Budget::starting(Allowed::Steps(steps), Rc::default())
    }

    fn starting(allowed: Allowed, steps: Rc<Cell<u64>>) -> Budget {
        Budget { started: Instant::now(), allowed, steps }
    }

    pub(super) fn spent(&self) -> Duration {
        self.started.elapsed()
    }

    /// A budget of `share` (below 1) of what is left.
    pub(super) fn share(&self, share: f64) -> Budget {
        let done = self.steps.get();
        let allowed = match self.allowed {
            Allowed::Time(time) => Allowed::Time(time.saturating_sub(self.spent()).mul_f64(share)),
            Allowed::Steps(all) => Allowed::Steps(done + (all.saturating_sub(done) as f64 * share) as u64),
        };
        Budget::starting(allowed, Rc::clone(&self.steps))
    }

    /// Notes that `steps` steps were done or are about to be.
    pub(super) fn note(&self, steps: usize) {
        self.steps.set(self.steps.get() + steps as u64);
    }

    /// The same, and tells whether anything is left.
    pub(super) fn spend(&self, steps: usize) -> Result<(), OutOfTime> {
        self.note(steps);
        self.check()
    }

    /// Whether anything is left.
    pub(super) fn check(&self) -> Result<(), OutOfTime> {
        let left = match self.allowed {
            Allowed::Time(time) => self.spent() < time,
            Allowed::Steps(all) => self.steps.get() < all,
        };
        if left { Ok(()) } else { Err(OutOfTime) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_a_share_count_for_the_whole() {
        let budget = Budget::of_steps(100);
        assert_eq!(budget.spend(20), Ok(()));
        let share = budget.share(0.5);
        assert_eq!((share.spend(39), share.spend(1)), (Ok(()), Err(OutOfTime)));
        assert_eq!((budget.check(), budget.spend(40)), (Ok(()), Err(OutOfTime)));
        assert_eq!(budget.share(0.5).check(), Err(OutOfTime));
    }
}
