//! Which engine computes a game, and why; and the engine that changes over when the values call for another.

use std::slice;
use std::time::{Duration, Instant};

use crate::Rules;
use crate::kernel::sieve::Open;
use crate::kernel::{self, words};
use crate::values::Slice;

use super::dense::Dense;
use super::finite::Finite;
use super::sparse::{RareSpace, Shape, Sparse, choose_mask};
use super::tail::Tail;
use super::{Engine, EngineError, History};

/// The heap at which a game is first looked at for rare positions: earlier there is too little to see, and all
/// pairs are cheap.
const FIRST_REVIEW: u64 = 1024;
/// One sum with a rare heap costs about as much as this many pairs of the dense engine: its values are fetched
/// one by one, and the witnesses come on top.
const RARE_COST: usize = 2;
/// A new mask replaces the old one if it leaves less than this share of the rare positions, in percent: a change
/// makes the witnesses so far useless for a proof.
const WORTH_A_CHANGE: usize = 90;

/// Runs the engine that suits the game, and looks again at every doubling.
pub struct Planned {
    rules: Rules,
    shape: Option<Shape>,
    engine: Box<dyn Engine>,
    review_at: u64,
    reason: String,
}

impl Planned {
    /// The engine for a game, from heap 0 on.
    ///
    /// `window`: how many values to keep at either end, where the game allows bounded memory; `None` keeps all.
    pub fn new(rules: &Rules, window: Option<usize>) -> Planned {
        let window = match rules.last_index() {
            // However little memory is asked for: the state must be in it, and a block of new heaps beside it.
            Some(k) if Finite::covers(rules) => window.map(|window| window.max(4 * k as usize)),
            _ => window.filter(|_| Shape::of(rules).is_some()),
        };
        Planned::resume(rules, History::new(window), None)
    }

    /// Goes on from values that are known, with the rare space that they were computed with, if there was one.
    pub fn resume(rules: &Rules, history: History, space: Option<RareSpace>) -> Planned {
        let shape = Shape::of(rules);
        let review_at = match shape {
            Some(_) if history.base() == 0 => (history.len() + 1).next_power_of_two().max(FIRST_REVIEW),
            _ => u64::MAX,
        };
        let (engine, reason): (Box<dyn Engine>, String) = match (&shape, space) {
            _ if Finite::covers(rules) => {
                let k = rules.last_index().unwrap_or(0);
                (
                    Box::new(Finite::new(rules, history)),
                    format!("moves only take, at most {k}: the last {k} values decide a heap"),
                )
            }
            _ if Tail::covers(rules) => (
                Box::new(Tail::new(rules, history)),
                "moves only take: the values of far heaps are kept as sets".to_owned(),
            ),
            (Some(shape), Some(space)) => {
                let reason = sparse_reason(&space);
                (Box::new(Sparse::new(shape.clone(), history, space)), reason)
            }
            (Some(_), None) => {
                let reason = format!("all pairs, until rare positions are looked for at heap {review_at}");
                (Box::new(Dense::new(rules, history)), reason)
            }
            (None, _) => {
                let reason = if rules.max_parts() == 3 {
                    "three heaps may be left"
                } else {
                    "digits that split repeat for ever"
                };
                (Box::new(Dense::new(rules, history)), format!("all pairs: {reason}"))
            }
        };
        Planned { rules: rules.clone(), shape, engine, review_at, reason }
    }

    /// Why this engine was chosen.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// How long the heaps below `to` will take if all pairs must be tried, on all threads: `None` for the engines
    /// whose work for a heap does not grow with it, and as long as that is not known. A short probe measures the speed.
    pub fn forecast(&self, to: u64) -> Option<Duration> {
        let undecided = self.shape.is_some() && self.review_at <= FIRST_REVIEW;
        if self.engine.name() != "dense" || undecided {
            return None;
        }
        let square = |n: u64| (n as f64) * (n as f64);
        let done = self.engine.history().len();
        let pairs = (square(to) - square(done)) / 4.0;
        // Three heaps: for each third heap, a set of about `n` bits is moved and added, a word at a time.
        let words = if self.rules.max_parts() == 3 {
            (square(to) * to as f64 - square(done) * done as f64) / 576.0
        } else {
            0.0
        };
        let values = self.engine.history().recent();
        let fits = Open::new(values.max().unwrap_or(0) + 1);
        let seconds_a_pair = match fits.filter(|_| self.rules.max_parts() < 3) {
            Some(open) => seconds_a_pair_crossed_off(values, &open),
            None => seconds_a_pair_marked(),
        };
        let seconds = (pairs + words) * seconds_a_pair / rayon::current_num_threads() as f64;
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// Looks at the values for rare positions, and changes over if another engine would do less.
    fn review(&mut self) {
        let history = self.engine.history();
        let (Some(shape), 0) = (self.shape.clone(), history.base()) else {
            self.review_at = u64::MAX;
            return;
        };
        let len = history.len();
        self.review_at = 2 * len;
        if self.engine.rare().is_some_and(|space| space.last() < len / 2) {
            return;
        }
        let rares = |space: &RareSpace| space.positions().len();
        let values = history.from_zero();
        let mask = choose_mask(values.range((len / 2) as usize..len as usize), len / 2, shape.parity());
        let fresh = mask.map(|mask| RareSpace::new(mask, values));
        let worse = |old: &&RareSpace| fresh.as_ref().is_none_or(|new| rares(new) * 100 >= rares(old) * WORTH_A_CHANGE);
        let kept = self.engine.rare().filter(worse);
        let few = kept.or(fresh.as_ref()).map(rares).filter(|r| ((r * shape.splits() * RARE_COST) as u64) < len / 2);
        match (few, kept.is_some(), fresh) {
            (Some(_), true, _) => {}
            (Some(_), false, Some(space)) => {
                self.reason = sparse_reason(&space);
                self.engine = Box::new(Sparse::new(shape, self.engine.take_history(), space));
            }
            _ => {
                self.reason = "all pairs: no mask leaves few enough rare positions".to_owned();
                if self.engine.name() != "dense" {
                    self.engine = Box::new(Dense::new(&self.rules, self.engine.take_history()));
                }
            }
        }
    }
}

impl Engine for Planned {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn kernel(&self) -> &'static str {
        self.engine.kernel()
    }

    fn history(&self) -> &History {
        self.engine.history()
    }

    fn take_history(&mut self) -> History {
        self.engine.take_history()
    }

    fn extend(&mut self, to: u64) -> Result<(), EngineError> {
        while self.history().len() < to {
            self.engine.extend(to.min(self.review_at))?;
            if self.history().len() == self.review_at {
                self.review();
            }
        }
        Ok(())
    }

    fn rare(&self) -> Option<&RareSpace> {
        self.engine.rare()
    }
}

fn sparse_reason(space: &RareSpace) -> String {
    let (mask, count) = (space.mask(), space.positions().len());
    let text = mask.text(space.max_value());
    format!("{count} rare positions, the last at heap {}, with mask {text} of {} type", space.last(), mask.kind())
}

/// The time that one thread takes for a pair of heaps with these values when it is looked up, measured on the spot.
fn seconds_a_pair_crossed_off(values: Slice<'_>, open: &Open) -> f64 {
    let first: Vec<u16> = values.iter().map(|v| v as u16).chain([0]).take(1 << 16).collect();
    let heaps: Vec<u16> = first.iter().copied().cycle().take(1 << 16).collect();
    let mut open = open.clone();
    let start = Instant::now();
    kernel::best().cross_off(&[[&heaps[1..], &heaps[1..]]], slice::from_mut(&mut open));
    std::hint::black_box(&open);
    start.elapsed().as_secs_f64() / heaps.len() as f64
}

/// The same when every pair is marked.
fn seconds_a_pair_marked() -> f64 {
    let heaps: Vec<u16> = (0..1u32 << 16).map(|n| (n.wrapping_mul(40_503) >> 7 & 1023) as u16).collect();
    let mut marks = vec![0; 1024];
    let start = Instant::now();
    words::mark_sums(&heaps, &heaps, &mut marks);
    std::hint::black_box(&marks);
    start.elapsed().as_secs_f64() / heaps.len() as f64
}
