//! Tame games: misère play like misère Nim, found without any quotient (Conway, "On Numbers and Games", chapter 12).
//!
//! Every heap gets two values, the mex of its options' normal values and the mex of their misère values (a heap
//! without options: 0 and 1). A sum has the nim-sum x of the normal values, and the misère value x ^ 1 if every
//! part is *fickle* (its two values differ) and x if one is *firm*. As long as each heap's values are (0, 1), (1, 0) or
//! (m, m) the quotient of these heaps is tame and the P-positions are those of misère value 0.

mod shape;
mod values;

use crate::Rules;
use crate::engine::{Engine, Planned};

use self::shape::Shape;
use self::values::Splits;
use super::budget::Budget;
use super::monoid::MAX_ORDER;
use super::period::{Period, Schedule};

pub(super) use self::shape::{changes, quotient};
pub(super) use self::values::Tame;

/// The engines of normal play are given so many heaps at a time, between two looks at the clock.
const BLOCK: usize = 1 << 14;

/// How a run of the tame values ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The values repeat for ever, and with them the game is tame and solved.
    Period(Period),
    /// The next heap is not tame.
    Wild,
    /// The last heap was reached, or the budget ended.
    Limit,
    /// With the next heap the quotient, tame still, has more than [`MAX_ORDER`] elements.
    Order,
}

/// The tame values of heaps 1, 2, ... up to `heaps`, to a heap that is not tame or to a proven period.
pub(super) fn run(rules: &Rules, heaps: usize, budget: &Budget) -> (Vec<Tame>, End) {
    let mut run = Run::new(rules, heaps);
    let end = loop {
        let last = run.values.len() > heaps || budget.check().is_err();
        if let Some(end) = run.end(last) {
            break end;
        }
        let known = run.values.len();
        let goes_on = if run.is_settled() { run.normal_block() } else { run.next_heap() };
        if let Err(end) = goes_on {
            break end;
        }
        // As if all pairs were marked, some dozens of them in the time of a step.
        budget.note((run.values.len() - known) * (known / 32 + 1));
    };
    run.values.remove(0);
    (run.values, end)
}

struct Run<'a> {
    rules: &'a Rules,
    heaps: usize,
    /// The values of heaps 0, 1, ...
    values: Vec<Tame>,
    last_fickle: usize,
    /// The most heaps that a move leaves, and the last index of a digit if there is one.
    parts: usize,
    last_index: Option<usize>,
    splits: Splits,
    shape: Shape,
    schedule: Schedule,
    /// The normal play of a game that is settled.
    normal: Option<Planned>,
}

impl<'a> Run<'a> {
    fn new(rules: &'a Rules, heaps: usize) -> Run<'a> {
        Run {
            rules,
            heaps,
            values: vec![Tame::ZERO],
            last_fickle: 0,
            parts: rules.max_parts() as usize,
            last_index: rules.last_index().map(|k| k as usize),
            splits: Splits::new(rules),
            shape: Shape::default(),
            schedule: Schedule::default(),
            normal: None,
        }
    }

    /// A period, if it is time to look for one and it is proven; the limit, if this was the last heap.
    fn end(&mut self, last: bool) -> Option<End> {
        let due = self.schedule.due(self.values.len() - 1);
        let period = if due || last { Period::proven(self.rules, &self.values[1..]) } else { None };
        if let Some(period) = period {
            let needed = period.heaps_needed(self.rules).expect("a proven period has a bound");
            self.values.truncate(needed as usize + 1);
            return Some(End::Period(period));
        }
        last.then_some(End::Limit)
    }

    /// Whether all further heaps are firm: they are so large that each of their options has a firm part, all options are then
    /// firm, and the two mexes are one. From here on normal play decides.
    fn is_settled(&self) -> bool {
        let Some(k) = self.last_index else { return false };
        // Larger heaps have options, since some digit leaves a heap.
        let large = (self.parts * self.last_fickle).max(3) + k;
        self.normal.is_some() || (self.parts > 0 && self.values.len() > large)
    }

    /// Decides the next heap by the definition.
    fn next_heap(&mut self) -> Result<(), End> {
        let heap = self.values.len();
        let value = self.splits.options(self.rules, &self.values, heap).value().ok_or(End::Wild)?;
        self.push(value)
    }

    /// Has an engine of normal play decide the next heaps.
    fn normal_block(&mut self) -> Result<(), End> {
        let normal = self.normal.get_or_insert_with(|| Planned::new(self.rules, None));
        let known = self.values.len();
        let to = (known + BLOCK.min(known / 16 + 1)).min(self.heaps + 1);
        // All values are kept, so what can fail is a value of 2^32 or more, far beyond the largest order.
        normal.extend(to as u64).map_err(|_| End::Order)?;
        let values: Vec<u32> = normal.history().range(known as u64, to as u64).iter().collect();
        values.into_iter().try_for_each(|value| self.push(Tame::firm(value)))
    }

    fn push(&mut self, value: Tame) -> Result<(), End> {
        if !value.is_firm() {
            self.last_fickle = self.values.len();
        }
        self.shape.add(value);
        self.values.push(value);
        if self.shape.order() <= MAX_ORDER {
            return Ok(());
        }
        self.values.pop();
        Err(End::Order)
    }
}
