//! A heap of a taking-and-breaking game: its value, and its moves to a given value, counted without visiting them all.

use std::sync::Arc;
use std::time::{Duration, Instant};

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use super::component::SHORT_REASON;
use super::tally::Tally;
use super::xor::Pairs;
use super::{Component, Found, Label, PATIENCE, Period, Reason, Step, SumError, Table};
use crate::Rules;
use crate::rules::{LEAVE_ONE, LEAVE_THREE, LEAVE_TWO, Split, TAKE_ALL};

/// How many moves are tried one by one, where no period lets them be counted in classes: a few seconds' work.
const MAX_TRIED: u64 = 1 << 30;

/// The clock is looked at after so many moves.
const TRIED_AT_ONCE: u64 = 1 << 16;

/// A heap of some game.
#[derive(Clone, Debug)]
pub struct Heap {
    rules: Arc<Rules>,
    table: Arc<Table>,
    size: BigUint,
    value: BigUint,
    patience: Duration,
}

impl Heap {
    /// A heap of `size` in the game `rules`, computing what it needs.
    ///
    /// # Errors
    /// As for [`Table::for_game`].
    pub fn new(rules: &Rules, size: BigUint) -> Result<Heap, SumError> {
        let table = Table::for_game(rules, &size, PATIENCE)?;
        Heap::with_table(Arc::new(rules.clone()), Arc::new(table), size)
    }

    /// A heap of `size` in the game `rules`, whose values are in `table`.
    ///
    /// # Errors
    /// [`SumError::NotInTable`] if the table does not reach it.
    pub fn with_table(rules: Arc<Rules>, table: Arc<Table>, size: BigUint) -> Result<Heap, SumError> {
        match table.value(&size) {
            Some(value) => Ok(Heap { rules, table, size, value, patience: PATIENCE }),
            None => Err(SumError::NotInTable {
                game: rules.to_string(),
                heap: size,
                reached: table.len().saturating_sub(1),
            }),
        }
    }

    /// The same; its moves, where they have to be tried one by one, are given up after about this time.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Heap {
        Heap { patience, ..self }
    }
}

impl Component for Heap {
    fn value(&self) -> Result<BigUint, SumError> {
        Ok(self.value.clone())
    }

    fn moves_to(&self, target: &BigUint, keep: usize) -> Result<Found<Step>, SumError> {
        let search =
            Search { heap: self, target, small_target: target.to_u128().unwrap_or(u128::MAX), since: Instant::now() };
        let mut tally = Tally::new(keep);
        search.run(&mut tally)?;
        let label = |parts: Vec<BigUint>| Step {
            from: Label::Number(self.size.clone()),
            to: parts.into_iter().map(Label::Number).collect(),
        };
        let (count, parts) = tally.finish();
        let mut found = Found::new(keep);
        found.listed = parts.into_iter().map(label).collect();
        found.count = count;
        Ok(found)
    }

    fn reason(&self) -> Option<Reason> {
        self.options().or_else(|| self.by_period())
    }
}

/// Heaps up to this size are small enough for all their moves to be a reason.
const SMALL_HEAP: u64 = 20;

impl Heap {
    /// All moves with their values, for a small heap.
    fn options(&self) -> Option<Reason> {
        let size = self.size.to_u64().filter(|&size| size <= SMALL_HEAP)?;
        let number = |&part: &u64| Label::Number(part.into());
        let option = |m: crate::rules::Move| {
            let step = Step { from: Label::Number(size.into()), to: m.parts.iter().map(number).collect() };
            (step, m.parts.iter().fold(0, |sum, &part| sum ^ self.table.small(part)).into())
        };
        let options: Vec<(Step, BigUint)> = self.rules.moves(size).take(SHORT_REASON + 1).map(option).collect();
        (options.len() <= SHORT_REASON).then_some(Reason::Options(options))
    }

    /// The heap of the first period that this one is like, if it is another.
    fn by_period(&self) -> Option<Reason> {
        let period = self.table.period()?;
        let is_past = self.size >= period.preperiod.into();
        let past = is_past.then(|| &self.size - period.preperiod)?;
        let heap = &past % period.period + period.preperiod;
        let less = past / period.period * period.saltus;
        (heap != self.size).then_some(Reason::Period { period, heap, less })
    }
}

/// One search for the moves from a heap to the target value.
struct Search<'a> {
    heap: &'a Heap,
    target: &'a BigUint,
    /// The target as a number; beyond 128 bits one that no small heap can reach.
    small_target: u128,
    since: Instant,
}

impl Search<'_> {
    fn run(&self, found: &mut Tally) -> Result<(), SumError> {
        let size = &self.heap.size;
        if self.target.is_zero() && self.digit(size) & TAKE_ALL != 0 && !size.is_zero() {
            found.add(vec![]);
        }
        let rules = &self.heap.rules;
        for (taken, &digit) in rules.prefix().iter().enumerate().filter(|(_, d)| **d > TAKE_ALL) {
            if *size <= BigUint::from(taken) {
                break;
            }
            self.taking(&(size - taken), digit, found)?;
        }
        if rules.tail().iter().any(|d| d & (LEAVE_TWO | LEAVE_THREE) != 0) {
            return self.tail_one_by_one(found);
        }
        if rules.tail().iter().any(|d| d & LEAVE_ONE != 0) && *size > BigUint::from(rules.prefix().len()) {
            self.tail_leaving_one(found)?;
        }
        Ok(())
    }

    /// The moves that leave `rest` tokens, as `digit` allows.
    fn taking(&self, rest: &BigUint, digit: u8, found: &mut Tally) -> Result<(), SumError> {
        if digit & LEAVE_ONE != 0 && self.heap.table.value(rest).as_ref() == Some(self.target) {
            found.add(vec![rest.clone()]);
        }
        if digit & LEAVE_TWO != 0 {
            self.leaving_two(rest, found)?;
        }
        if digit & LEAVE_THREE != 0 {
            self.leaving_three(rest, found)?;
        }
        Ok(())
    }

    /// The moves that a repeating tail allows, where some of them split: every number of tokens taken has its turn.
    fn tail_one_by_one(&self, found: &mut Tally) -> Result<(), SumError> {
        let rules = &self.heap.rules;
        let size = self.affordable(&self.heap.size, rules.max_parts())?;
        for taken in rules.prefix().len() as u64..size {
            self.taking(&BigUint::from(size - taken), rules.digit(taken), found)?;
        }
        Ok(())
    }

    /// The moves that a repeating tail allows, when all of them leave one heap or none.
    fn tail_leaving_one(&self, found: &mut Tally) -> Result<(), SumError> {
        let (rules, table) = (&self.heap.rules, &self.heap.table);
        let (size, tail) = (&self.heap.size, rules.tail().len() as u64);
        let most = size - rules.prefix().len();
        let near = table.period().map_or(table.len(), |p| p.preperiod);
        for rest in (1..near).map(BigUint::from).take_while(|rest| *rest <= most) {
            if self.leaves(&rest) {
                found.add(vec![rest]);
            }
        }
        let Some(Period { preperiod, period, saltus }) = table.period() else { return Ok(()) };
        // Zero is no heap to leave, so the classes start at 1 at least.
        let from = preperiod.max(1);
        if saltus > 0 {
            // In every class the values grow, so that one heap at most has the target.
            let once = (from..from + period).filter_map(|first| self.rise(first, period, saltus));
            once.filter(|rest| *rest <= most && self.leaves(rest)).for_each(|rest| found.add(vec![rest]));
        } else {
            let step = (period / gcd(period, tail)).checked_mul(tail).filter(|&step| step <= MAX_TRIED);
            let step = step.ok_or_else(|| self.too_many())?;
            let firsts = (from..from + step).take_while(|&first| BigUint::from(first) <= most);
            let starts: Vec<u64> = firsts.filter(|&first| self.leaves(&BigUint::from(first))).collect();
            found.add_classes(&starts, step, &most, |rest| Some(vec![rest.clone()]));
        }
        Ok(())
    }

    /// Whether a move may leave the one heap `rest`, and it has the target value.
    fn leaves(&self, rest: &BigUint) -> bool {
        self.heap.table.value(rest).as_ref() == Some(self.target)
            && self.digit(&(&self.heap.size - rest)) & LEAVE_ONE != 0
    }

    /// The heap among `first`, `first + period`, ... whose value rises to the target.
    fn rise(&self, first: u64, period: u64, saltus: u64) -> Option<BigUint> {
        let value = self.heap.table.value(&BigUint::from(first))?;
        let rise = if *self.target >= value { self.target - value } else { return None };
        (&rise % saltus).is_zero().then(|| rise / saltus * period + first)
    }

    /// The splits of `rest` into two heaps.
    fn leaving_two(&self, rest: &BigUint, found: &mut Tally) -> Result<(), SumError> {
        if self.heap.rules.split() == Split::FromThree && *rest < BigUint::from(3u32) {
            return Ok(());
        }
        match self.heap.table.period() {
            Some(period) if period.saltus > 0 && self.heap.rules.split() != Split::Unequal => {
                self.splits_of_growing_values(rest, period, found)
            }
            Some(period) if period.saltus == 0 => self.splits_in_classes(rest, period, found),
            _ => self.splits_up_to(self.affordable(&(rest >> 1), 1)?, rest, found),
        }
    }

    /// The splits of `rest` with a smaller part of at most `most`, one by one.
    fn splits_up_to(&self, most: u64, rest: &BigUint, found: &mut Tally) -> Result<(), SumError> {
        let shadow = self.heap.table.shadow(rest).ok_or_else(|| self.too_many())?;
        for first in (1..=most).step_by(TRIED_AT_ONCE as usize) {
            self.check_patience()?;
            let last = most.min(first + TRIED_AT_ONCE - 1);
            for a in (first..=last).filter(|&a| self.hits([a, shadow - a])) {
                let a = BigUint::from(a);
                if self.allows(&a, rest) {
                    let b = rest - &a;
                    found.add(vec![a, b]);
                }
            }
        }
        Ok(())
    }

    fn allows(&self, a: &BigUint, rest: &BigUint) -> bool {
        self.heap.rules.split() != Split::Unequal || a << 1 != *rest
    }

    /// The splits where the values repeat: below the preperiod one by one; from there on both heaps are in the periodic
    /// part, and the values depend on the smaller one modulo the period alone.
    fn splits_in_classes(&self, rest: &BigUint, period: Period, found: &mut Tally) -> Result<(), SumError> {
        let Period { preperiod, period, .. } = period;
        let half: BigUint = rest >> 1;
        let small_half = half.to_u64().unwrap_or(u64::MAX);
        self.splits_up_to(small_half.min(preperiod.saturating_sub(1)), rest, found)?;
        let shadow = self.heap.table.shadow(rest).ok_or_else(|| self.too_many())?;
        let from = preperiod.max(1);
        let last = small_half.min(from + period - 1);
        let starts: Vec<u64> = (from..=last).filter(|&a| self.hits([a, shadow - a])).collect();
        found.add_classes(&starts, period, &half, |a| self.allows(a, rest).then(|| vec![a.clone(), rest - a]));
        let unequal = self.heap.rules.split() == Split::Unequal;
        if unequal && !rest.bit(0) && half >= BigUint::from(from) && self.target.is_zero() {
            found.uncount();
        }
        Ok(())
    }

    /// The splits where the values grow. The smaller heap is `first + x p` and the larger one `second + y p`, for each
    /// pair of heaps of the first period, so that `x + y` is known, and so are the sum and the exclusive or of the two
    /// values: [`Pairs`] are all such values.
    fn splits_of_growing_values(&self, rest: &BigUint, period: Period, found: &mut Tally) -> Result<(), SumError> {
        let Period { preperiod, period, saltus } = period;
        let half: BigUint = rest >> 1;
        let near = half.to_u64().unwrap_or(u64::MAX).min(preperiod.saturating_sub(1));
        for a in (1..=near).map(BigUint::from) {
            let b = rest - &a;
            let (u, t) = (self.heap.table.value(&a), self.heap.table.value(&b));
            if u.zip(t).is_some_and(|(u, t)| u ^ t == *self.target) {
                found.add(vec![a, b]);
            }
        }
        let from = preperiod.max(1);
        for first in (from..from + period).take_while(|&first| BigUint::from(first) <= half) {
            let second = &((rest - first - from) % period) + from;
            let both = (rest - first - &second) / period;
            let value = |heap: &BigUint| self.heap.table.value(heap).expect("a proven period reaches every heap");
            let (least, other) = (value(&first.into()), value(&second));
            let most = (&half - first) / period * saltus + &least;
            let pairs =
                Pairs { sum: &both * saltus + &least + &other, xor: self.target.clone(), least, most, step: saltus };
            let (count, values) = pairs.find(found.keep()).ok_or_else(|| self.too_many())?;
            let heap = |u: BigUint| (u - &pairs.least) / saltus * period + first;
            found.add_counted(count, values.into_iter().map(heap).map(|a| vec![a.clone(), rest - a]));
        }
        Ok(())
    }

    /// The splits of `rest` into three heaps, one by one.
    fn leaving_three(&self, rest: &BigUint, found: &mut Tally) -> Result<(), SumError> {
        let rest = self.affordable(rest, 2)?;
        for a in 1..=rest / 3 {
            self.check_patience()?;
            for b in (a..=(rest - a) / 2).filter(|b| self.hits([a, *b, rest - a - b])) {
                found.add([a, b, rest - a - b].map(BigUint::from).to_vec());
            }
        }
        Ok(())
    }

    fn check_patience(&self) -> Result<(), SumError> {
        if self.since.elapsed() > self.heap.patience { Err(self.too_many()) } else { Ok(()) }
    }

    /// Whether these heaps together have the target value.
    fn hits<const N: usize>(&self, heaps: [u64; N]) -> bool {
        heaps.iter().fold(0, |sum, &heap| sum ^ self.heap.table.small(heap)) == self.small_target
    }

    /// The digit for taking any number of tokens: beyond 64 bits only the place in the tail matters.
    fn digit(&self, taken: &BigUint) -> u8 {
        let rules = &self.heap.rules;
        match (taken.to_u64(), rules.tail().len()) {
            (Some(taken), _) => rules.digit(taken),
            (None, 0) => 0,
            (None, tail) => {
                let past = (taken - rules.prefix().len()) % tail;
                rules.tail()[past.to_usize().expect("a remainder is below its divisor")]
            }
        }
    }

    /// `heap` as a number, if its `power`-th power of moves can be tried.
    fn affordable(&self, heap: &BigUint, power: u32) -> Result<u64, SumError> {
        let small = heap.to_u64().filter(|n| n.checked_pow(power).is_some_and(|tries| tries <= MAX_TRIED));
        small.ok_or_else(|| self.too_many())
    }

    fn too_many(&self) -> SumError {
        SumError::TooManyMoves { game: self.heap.rules.to_string(), heap: self.heap.size.clone() }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
