//! From the rules of a game to its misère quotient, heap by heap.

use std::time::Duration;

use crate::Rules;

use super::bits::BitSet;
use super::budget::{Budget, OutOfTime};
use super::certificate::Certificate;
use super::chain::{self, Chain};
use super::check;
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

/// Finds the misère quotient of the heaps of a game, up to a heap, a proven period, a heap whose quotient cannot be
/// found, or the end of the budget.
///
/// Every quotient that is reported was verified: the tame ones by Conway's theorem on tame games, all others by the
/// checker, which shares no code with what found them.
///
/// ```
/// use std::time::Duration;
/// use sprague::misere::{Limits, Method, Status, solve};
/// let limits = Limits { heaps: 200, budget: Duration::from_secs(10), method: Method::Auto };
/// let kayles = solve(&"kayles".parse().unwrap(), &limits);
/// assert_eq!(kayles.status, Status::Solved);
/// assert_eq!((kayles.quotient.order(), kayles.quotient.p_count()), (40, 9));
/// ```
pub fn solve(rules: &Rules, limits: &Limits) -> Analysis {
    run(rules, limits.heaps, limits.method, Budget::new(limits.budget))
}

/// As [`solve`], with an amount of work as the budget instead of a time: the result is the same on every machine.
///
/// `steps`: about one product of two elements each; 10^8 of them take a second or so.
///
/// ```
/// use sprague::misere::{Status, solve_by_work};
/// let kayles = solve_by_work(&"kayles".parse().unwrap(), 200, 100_000_000);
/// assert_eq!((kayles.status, kayles.quotient.order()), (Status::Solved, 40));
/// ```
pub fn solve_by_work(rules: &Rules, heaps: u64, steps: u64) -> Analysis {
    run(rules, heaps, Method::Auto, Budget::of_steps(steps))
}

fn run(rules: &Rules, heaps: u64, method: Method, budget: Budget) -> Analysis {
    let heaps = usize::try_from(heaps).unwrap_or(usize::MAX);
    if method != Method::Auto {
        return Solver::new(rules, heaps, method, budget).run();
    }
    let (values, end) = tame::run(rules, heaps, &budget);
    let (monoid, phi) = tame::quotient(&values);
    let changes = tame::changes(&values);
    let solver = Solver { monoid, phi, changes, ..Solver::new(rules, heaps, method, budget) };
    match end {
        End::Period(period) => solver.finish_tame(Status::Solved, Some(period), None),
        End::Limit => {
            let halt = (solver.known() < heaps).then_some(Halt::Time);
            solver.finish_tame(Status::Partial, None, halt)
        }
        End::Order => solver.finish_tame(Status::Partial, None, Some(Halt::Order)),
        End::Wild => solver.run(),
    }
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
        }
    }

    fn run(mut self) -> Analysis {
        let Ok(chain) = chain::verify(self.rules, &self.monoid, &self.phi, &self.budget) else {
            // The starting quotient is the trivial or a tame one, which no position refutes: time ran out.
            return self.finish_tame(Status::Partial, None, Some(Halt::Time));
        };
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
            let heap = self.phi.len();
            self.budget.note(heap + self.monoid.order());
            let value = self
                .options
                .of(self.rules, &self.monoid, &self.phi, heap, &self.budget)
                .and_then(|options| extender.value(&self.monoid, heap, &options, &self.budget));
            match value {
                Ok(Some(value)) => self.phi.push(value),
                Ok(None) => match self.grow() {
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

    /// Takes in a heap with which the quotient is larger; else the order that it has at least.
    fn grow(&mut self) -> Result<Chain, NotFound> {
        let guessed = match self.method {
            Method::Auto => self.guess(&self.budget.share(GUESSING)),
            Method::Guess => self.guess(&self.budget),
            Method::Search => None,
        };
        let found = match (guessed, self.method) {
            (Some(found), _) => Ok(found),
            (None, Method::Guess) => {
                let halt = if self.budget.check().is_err() { Halt::Time } else { Halt::Exhausted };
                Err(NotFound { lower_bound: 0, halt })
            }
            (None, _) => search::find(self.rules, &self.monoid, &self.phi, &self.budget),
        };
        // Without a conservative extension the quotient is larger than the one before.
        let larger = self.monoid.order() + 1;
        let Found { hypothesis, chain } =
            found.map_err(|n| NotFound { lower_bound: n.lower_bound.max(larger), ..n })?;
        self.phi = hypothesis.phi;
        self.monoid = hypothesis.monoid;
        self.options = OptionValues::new(self.rules);
        self.checked(None);
        self.changes.push(Change {
            heap: self.phi.len() as u64 - 1,
            order: self.monoid.order(),
            p_count: self.monoid.p().count(),
        });
        Ok(chain)
    }

    fn guess(&self, budget: &Budget) -> Option<Found> {
        guess::find(self.rules, &self.monoid, &self.phi, budget)
    }

    /// The current quotient, checked.
    ///
    /// # Panics
    /// If the checker refuses it: then the finder is wrong, and no answer is better than a wrong one.
    fn checked(&self, period: Option<Period>) -> Quotient {
        let quotient = Quotient::new(self.rules, &self.monoid, &self.phi, period);
        if let Err(refusal) = check::check(self.rules, &Certificate::of(&quotient)) {
            panic!("the quotient of {} to heap {} was refused: {refusal}", self.rules, self.phi.len() - 1);
        }
        quotient
    }

    /// Ends with a tame quotient, which the theorem on tame games vouches for.
    fn finish_tame(self, status: Status, period: Option<Period>, halt: Option<Halt>) -> Analysis {
        let quotient = Quotient::new(self.rules, &self.monoid, &self.phi, period);
        Analysis { status, quotient, changes: self.changes, spent: self.budget.spent(), halt }
    }

    /// Ends with a quotient that the checker vouches for.
    fn finish(mut self, status: Status, period: Option<Period>, halt: Option<Halt>) -> Analysis {
        if let Some(needed) = period.and_then(|p| p.heaps_needed(self.rules)) {
            self.phi.truncate(needed as usize + 1);
        }
        let quotient = self.checked(period);
        Analysis { status, quotient, changes: self.changes, spent: self.budget.spent(), halt }
    }
}
