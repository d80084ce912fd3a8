//! From the rules of a game to its misère quotient, heap by heap.

use std::time::{Duration, Instant};

use thiserror::Error;

use crate::Rules;

use super::bits::BitSet;
use super::budget::{Budget, OutOfTime};
use super::certificate::Certificate;
use super::chain::{self, Chain};
use super::check::{self, Refusal};
use super::extend::Extender;
use super::guess::{self, Found};
use super::monoid::Monoid;
use super::options::OptionValues;
use super::period::{Period, Schedule};
use super::quotient::Quotient;
use super::search::{self, NotFound};
use super::tame::{self, End};

/// Of the time that is left when a quotient has to be found, the share that the guesses may take. The rest is for the
/// search, which at least proves a lower bound.
const GUESSING: f64 = 0.6;

/// A forecast of the final check that is more than this part of the time that is left is worth a check at once.
const WORTH_A_CHECK: u32 = 16;

/// How quotients that are larger than the one before are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Method {
    /// By the fast path while the game is tame, then by guesses, then by search.
    #[default]
    Auto,
    /// By guesses alone.
    Guess,
    /// By search alone.
    Search,
}

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest heap.
    pub heaps: u64,
    /// The time that may be spent.
    pub budget: Duration,
    /// How quotients are found.
    pub method: Method,
}

/// What is known at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The quotient is that of the whole game: its period is proven.
    Solved,
    /// The quotient is exact for its heaps, and nothing is said about larger ones.
    Partial,
    /// The quotient is exact for its heaps; with one heap more it was not found to be finite within the
    /// budget. That is no proof that it is infinite.
    Unresolved {
        /// The quotient with the next heap has at least so many elements: this is proven.
        lower_bound: usize,
    },
}

impl Status {
    /// `solved`, `partial` or `unresolved`.
    pub fn name(self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::Partial => "partial",
            Status::Unresolved { .. } => "unresolved",
        }
    }

    /// The proven lower bound of the order with the next heap, if that is unresolved.
    pub fn lower_bound(self) -> Option<usize> {
        match self {
            Status::Solved | Status::Partial => None,
            Status::Unresolved { lower_bound } => Some(lower_bound),
        }
    }
}

/// A heap with which the quotient grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The heap.
    pub heap: u64,
    /// The order of the quotient of the heaps up to it.
    pub order: usize,
    /// How many of its elements are values of P-positions.
    pub p_count: usize,
}

/// The misère quotient of a game as far as it was found.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// What the quotient covers.
    pub status: Status,
    /// The last quotient that was verified.
    pub quotient: Quotient,
    /// The heaps with which it grew.
    pub changes: Vec<Change>,
    /// The time that was spent.
    pub spent: Duration,
    /// Why the heaps asked for were not all decided and no period was proven; `None` if that was done.
    pub halt: Option<Halt>,
}

/// Why no more heaps were decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The budget ended.
    Time,
    /// The quotient with the next heap is proven to have more than [`MAX_ORDER`](super::MAX_ORDER) elements.
    Order,
    /// The ways to find the quotient with the next heap came to their end, or to what fits the memory, without it.
    Exhausted,
}

/// The checker refuses a quotient that was found: then what found it is wrong, and no answer is better than a wrong one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the misère quotient that was found for {game}, heaps up to {heaps}, did not pass its check: {refusal}; this is a fault \
     of sprague, please report it with this line"
)]
pub struct CheckFailed {
    /// The game.
    pub game: String,
    /// The last heap of the quotient.
    pub heaps: u64,
    /// What the checker says.
    pub refusal: Refusal,
}

/// Finds the misère quotient of the heaps of a game, up to a heap, a proven period, a heap whose quotient cannot be
/// found, or the end of the budget.
///
/// Every quotient that is reported was verified: the tame ones by Conway's theorem on tame games, all others by the
/// checker, which shares no code with what found them.
///
/// # Errors
/// [`CheckFailed`], which never happens unless there is a fault in this library.
///
/// ```
/// use std::time::Duration;
/// use sprague::misere::{Limits, Method, Status, solve};
/// let limits = Limits { heaps: 200, budget: Duration::from_secs(10), method: Method::Auto };
/// let kayles = solve(&"kayles".parse().unwrap(), &limits)?;
/// assert_eq!(kayles.status, Status::Solved);
/// assert_eq!((kayles.quotient.order(), kayles.quotient.p_count()), (40, 9));
/// # Ok::<(), sprague::misere::CheckFailed>(())
/// ```
pub fn solve(rules: &Rules, limits: &Limits) -> Result<Analysis, CheckFailed> {
    run(rules, limits.heaps, limits.method, Budget::new(limits.budget))
}

/// As [`solve`], with an amount of work as the budget instead of a time: the result is the same on every machine.
///
/// `steps`: about one product of two elements each; 10^8 of them take a second or so.
///
/// # Errors
/// As [`solve`].
///
/// ```
/// use sprague::misere::{Status, solve_by_work};
/// let kayles = solve_by_work(&"kayles".parse().unwrap(), 200, 100_000_000)?;
/// assert_eq!((kayles.status, kayles.quotient.order()), (Status::Solved, 40));
/// # Ok::<(), sprague::misere::CheckFailed>(())
/// ```
pub fn solve_by_work(rules: &Rules, heaps: u64, steps: u64) -> Result<Analysis, CheckFailed> {
    run(rules, heaps, Method::Auto, Budget::of_steps(steps))
}

fn run(rules: &Rules, heaps: u64, method: Method, budget: Budget) -> Result<Analysis, CheckFailed> {
    let heaps = usize::try_from(heaps).unwrap_or(usize::MAX);
    if method != Method::Auto {
        return Solver::new(rules, heaps, method, budget).run();
    }
    let (values, end) = tame::run(rules, heaps, &budget);
    let (monoid, phi) = tame::quotient(&values);
    let changes = tame::changes(&values);
    let checked = Checked { heaps: phi.len() - 1, took: Duration::ZERO };
    let solver = Solver { monoid, phi, changes, checked, ..Solver::new(rules, heaps, method, budget) };
    Ok(match end {
        End::Period(period) => solver.finish_tame(Status::Solved, Some(period), None),
        End::Limit => {
            let halt = (solver.known() < heaps).then_some(Halt::Time);
            solver.finish_tame(Status::Partial, None, halt)
        }
        End::Order => solver.finish_tame(Status::Partial, None, Some(Halt::Order)),
        End::Wild => return solver.run(),
    })
}

/// A verified quotient that grows.
struct Solver<'a> {
    rules: &'a Rules,
    heaps: usize,
    method: Method,
    budget: Budget,
    monoid: Monoid,
    /// The values of heaps 0, 1, ...
    phi: Vec<u16>,
    options: OptionValues,
    changes: Vec<Change>,
    checked: Checked,
}

/// How far the current quotient is verified, by the checker or by the theorem on tame games.
struct Checked {
    heaps: usize,
    /// How long that took.
    took: Duration,
}

impl Checked {
    /// How long a check of more heaps may take: most of it are the pairs of heaps that a heap splits into.
    fn forecast(&self, heaps: usize) -> Duration {
        let ratio = heaps as f64 / self.heaps.max(1) as f64;
        self.took.mul_f64(ratio * ratio)
    }
}

impl<'a> Solver<'a> {
    fn new(rules: &'a Rules, heaps: usize, method: Method, budget: Budget) -> Solver<'a> {
        let monoid = Monoid::from_actions(&[], BitSet::new(1));
        Solver {
            rules,
            heaps,
            method,
            budget,
            monoid,
            phi: vec![0],
            options: OptionValues::new(rules),
            changes: Vec::new(),
            checked: Checked { heaps: 0, took: Duration::ZERO },
        }
    }

    fn run(mut self) -> Result<Analysis, CheckFailed> {
        let clock = Instant::now();
        let Ok(chain) = chain::verify(self.rules, &self.monoid, &self.phi, &self.budget) else {
            // The starting quotient is the trivial or a tame one, which no position refutes: time ran out.
            return Ok(self.finish_tame(Status::Partial, None, Some(Halt::Time)));
        };
        self.checked.took = clock.elapsed();
        let (mut extender, mut schedule) = (Extender::new(chain), Schedule::default());
        loop {
            let known = self.known();
            let last = known >= self.heaps || self.budget.check().is_err();
            if (last || schedule.due(known))
                && let Some(period) = Period::proven(self.rules, &self.phi[1..])
            {
                return self.finish(Status::Solved, Some(period), None);
            }
            if last {
                let halt = (known < self.heaps).then_some(Halt::Time);
                return self.finish(Status::Partial, None, halt);
            }
            self.keep_time_for_the_check()?;
            let heap = self.phi.len();
            self.budget.note(heap + self.monoid.order());
            let value = self
                .options
                .of(self.rules, &self.monoid, &self.phi, heap, &self.budget)
                .and_then(|options| extender.value(&self.monoid, heap, &options, &self.budget));
            match value {
                Ok(Some(value)) => self.phi.push(value),
                Ok(None) => match self.grow()? {
                    Ok(chain) => extender = Extender::new(chain),
                    Err(NotFound { lower_bound, halt }) => {
                        return self.finish(Status::Unresolved { lower_bound }, None, Some(halt));
                    }
                },
                Err(OutOfTime) => return self.finish(Status::Partial, None, Some(Halt::Time)),
            }
        }
    }

    /// The largest heap whose value is known.
    fn known(&self) -> usize {
        self.phi.len() - 1
    }

    /// Keeps as much time as the final check may take. Where that is much by the last check, a new one tells it better.
    fn keep_time_for_the_check(&mut self) -> Result<(), CheckFailed> {
        let (known, Some(left)) = (self.known(), self.budget.time_left()) else { return Ok(()) };
        if known >= 2 * self.checked.heaps && self.checked.forecast(known) > left / WORTH_A_CHECK {
            self.checked(None)?;
        }
        self.budget.reserve(self.checked.forecast(known));
        Ok(())
    }

    /// Takes in a heap with which the quotient is larger; else the order that it has at least.
    fn grow(&mut self) -> Result<Result<Chain, NotFound>, CheckFailed> {
        let Found { hypothesis, chain, .. } = match self.larger() {
            Ok(found) => found,
            Err(not_found) => return Ok(Err(not_found)),
        };
        self.phi = hypothesis.phi;
        self.monoid = hypothesis.monoid;
        self.options = OptionValues::new(self.rules);
        self.checked(None)?;
        self.changes.push(Change {
            heap: self.phi.len() as u64 - 1,
            order: self.monoid.order(),
            p_count: self.monoid.p().count(),
        });
        Ok(Ok(chain))
    }

    /// A quotient with the next heap, which is larger than the one before, and that there is time to check.
    fn larger(&self) -> Result<Found, NotFound> {
        let found = match self.method {
            Method::Auto => self.guess(&self.budget.share(GUESSING)).or_else(|guess| {
                self.search().map_err(|search| match search.halt {
                    // With more time the guesses go on, whatever becomes of the search.
                    Halt::Exhausted => NotFound { halt: guess.halt, ..search },
                    _ => search,
                })
            }),
            Method::Guess => self.guess(&self.budget),
            Method::Search => self.search(),
        };
        // Without a conservative extension the quotient is larger than the one before.
        let larger = self.monoid.order() + 1;
        let found = found.map_err(|n| NotFound { lower_bound: n.lower_bound.max(larger), ..n })?;
        // The check takes less time than the finder's own test; a quotient that cannot be checked is not taken in.
        if self.budget.time_left().is_some_and(|left| left < found.took / 2) {
            return Err(NotFound { lower_bound: larger, halt: Halt::Time });
        }
        Ok(found)
    }

    fn guess(&self, budget: &Budget) -> Result<Found, NotFound> {
        guess::find(self.rules, &self.monoid, &self.phi, budget).ok_or_else(|| {
            let halt = if budget.check().is_err() { Halt::Time } else { Halt::Exhausted };
            NotFound { lower_bound: 0, halt }
        })
    }

    fn search(&self) -> Result<Found, NotFound> {
        search::find(self.rules, &self.monoid, &self.phi, &self.budget)
    }

    /// The current quotient, checked if it was not with these heaps.
    fn checked(&mut self, period: Option<Period>) -> Result<Quotient, CheckFailed> {
        let quotient = Quotient::new(self.rules, &self.monoid, &self.phi, period);
        if period.is_none() && self.checked.heaps == self.known() {
            return Ok(quotient);
        }
        let clock = Instant::now();
        let failed = |refusal| CheckFailed { game: self.rules.to_string(), heaps: self.known() as u64, refusal };
        check::check(self.rules, &Certificate::of(&quotient)).map_err(failed)?;
        self.checked = Checked { heaps: self.known(), took: clock.elapsed() };
        Ok(quotient)
    }

    /// Ends with a tame quotient, which the theorem on tame games vouches for.
    fn finish_tame(self, status: Status, period: Option<Period>, halt: Option<Halt>) -> Analysis {
        let quotient = Quotient::new(self.rules, &self.monoid, &self.phi, period);
        Analysis { status, quotient, changes: self.changes, spent: self.budget.spent(), halt }
    }

    /// Ends with a quotient that the checker vouches for.
    fn finish(mut self, status: Status, period: Option<Period>, halt: Option<Halt>) -> Result<Analysis, CheckFailed> {
        if let Some(needed) = period.and_then(|p| p.heaps_needed(self.rules)) {
            self.phi.truncate(needed as usize + 1);
        }
        let quotient = self.checked(period)?;
        Ok(Analysis { status, quotient, changes: self.changes, spent: self.budget.spent(), halt })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_the_check_is_kept_back() {
        let checked = Checked { heaps: 100, took: Duration::from_secs(1) };
        assert_eq!(checked.forecast(300), Duration::from_secs(9));
        let rules: Rules = "0.77".parse().unwrap();
        let mut solver = Solver::new(&rules, 1000, Method::Auto, Budget::new(Duration::from_secs(3600)));
        solver.phi = vec![0; 101];
        solver.checked = Checked { heaps: 100, took: Duration::from_secs(60) };
        solver.keep_time_for_the_check().unwrap();
        assert!(solver.budget.time_left().is_some_and(|left| left <= Duration::from_secs(3540)));
        solver.phi = vec![0; 101 + 99];
        solver.keep_time_for_the_check().unwrap();
        assert!(solver.budget.time_left().is_some_and(|left| left <= Duration::from_secs(3600 - 237)));
    }

    /// A quotient that is wrong, as a fault of what finds them would make it, is reported and not given out.
    #[test]
    fn what_the_checker_refuses_is_an_error() {
        let rules: Rules = "0.77".parse().unwrap();
        let solver = || Solver::new(&rules, 1000, Method::Auto, Budget::new(Duration::from_secs(60)));
        // In one element without P-positions, no heap has a winning move.
        let wrong = Solver { phi: vec![0, 0], ..solver() };
        let failed = wrong.finish(Status::Partial, None, None).unwrap_err();
        assert_eq!(failed, CheckFailed { game: "0.77".to_owned(), heaps: 1, refusal: Refusal::NoMoveToP(0) });
        assert!(
            failed.to_string().starts_with("the misère quotient that was found for 0.77, heaps up to 1, did not pass")
        );
        // So is it when it is checked on the way.
        let mut wrong =
            Solver { phi: vec![0; 101], checked: Checked { heaps: 1, took: Duration::from_secs(1) }, ..solver() };
        assert!(matches!(wrong.keep_time_for_the_check(), Err(CheckFailed { heaps: 100, .. })));
    }
}
