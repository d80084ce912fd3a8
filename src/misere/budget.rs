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
    /// Time that is kept for what comes after the search.
    reserved: Duration,
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
        Budget { started: Instant::now(), allowed, reserved: Duration::ZERO, steps }
    }

    pub(super) fn spent(&self) -> Duration {
        self.started.elapsed()
    }

    /// A budget of `share` (below 1) of what is left.
    pub(super) fn share(&self, share: f64) -> Budget {
        let done = self.steps.get();
        let allowed = match self.allowed {
            Allowed::Time(_) => Allowed::Time(self.time_left().unwrap_or_default().mul_f64(share)),
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
            Allowed::Time(time) => self.spent() + self.reserved < time,
            Allowed::Steps(all) => self.steps.get() < all,
        };
        if left { Ok(()) } else { Err(OutOfTime) }
    }

    /// Whether there is time left, for work that does not count as steps: it has no end in a budget of steps.
    pub(super) fn check_time(&self) -> Result<(), OutOfTime> {
        match self.allowed {
            Allowed::Time(_) => self.check(),
            Allowed::Steps(_) => Ok(()),
        }
    }

    /// The time that is left and not reserved; `None` if it is steps that are allowed.
    pub(super) fn time_left(&self) -> Option<Duration> {
        match self.allowed {
            Allowed::Time(time) => Some(time.saturating_sub(self.spent() + self.reserved)),
            Allowed::Steps(_) => None,
        }
    }

    /// Keeps so much time for what has to be done when the budget has ended, instead of what was kept before.
    pub(super) fn reserve(&mut self, time: Duration) {
        self.reserved = time;
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
        assert_eq!(budget.check_time(), Ok(()));
    }

    #[test]
    fn time_that_is_reserved_is_not_left() {
        let mut budget = Budget::new(Duration::from_secs(3600));
        assert_eq!((budget.check(), budget.check_time()), (Ok(()), Ok(())));
        budget.reserve(Duration::from_secs(3600));
        assert_eq!((budget.check(), budget.check_time()), (Err(OutOfTime), Err(OutOfTime)));
        assert_eq!((budget.time_left(), budget.share(0.5).check()), (Some(Duration::ZERO), Err(OutOfTime)));
        budget.reserve(Duration::from_secs(1800));
        assert!(budget.share(0.5).time_left().is_some_and(|left| left <= Duration::from_secs(900)));
    }
}
