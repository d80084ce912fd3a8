//! A heap of a taking-and-breaking game: its value, and its moves to a given value, counted without visiting them all.

use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use super::tally::Tally;
use super::{Component, Found, Label, Period, Step, SumError, Table};
use crate::Rules;
use crate::rules::{LEAVE_ONE, LEAVE_THREE, LEAVE_TWO, Split, TAKE_ALL};

/// How many moves are tried one by one, where no period lets them be counted in classes: a few seconds' work.
const MAX_TRIED: u64 = 1 << 30;

/// A heap of some game.
#[derive(Clone, Debug)]
pub struct Heap {
    rules: Arc<Rules>,
    table: Arc<Table>,
    size: BigUint,
    value: BigUint,
}

impl Heap {
    /// A heap of `size` in the game `rules`, computing what it needs.
    ///
    /// # Errors
    /// As for [`Table::for_game`].
    pub fn new(rules: &Rules, size: BigUint) -> Result<Heap, SumError> {
        let table = Table::for_game(rules, &size)?;
        Heap::with_table(Arc::new(rules.clone()), Arc::new(table), size)
    }

    /// A heap of `size` in the game `rules`, whose values are in `table`.
    ///
    /// # Errors
    /// [`SumError::TooFar`] if the table does not reach it.
    pub fn with_table(rules: Arc<Rules>, table: Arc<Table>, size: BigUint) -> Result<Heap, SumError> {
        match table.value(&size) {
            Some(value) => Ok(Heap { rules, table, size, value }),
            None => Err(SumError::TooFar {
                game: rules.to_string(),
                heap: size,
                reached: table.len().saturating_sub(1),
                time: "a time that was not estimated".to_owned(),
            }),
        }
    }
}

impl Component for Heap {
    fn value(&self) -> Result<BigUint, SumError> {
        Ok(self.value.clone())
    }

    fn moves_to(&self, target: &BigUint, keep: usize) -> Result<Found<Step>, SumError> {
        let search = Search { heap: self, target, small_target: target.to_u128().unwrap_or(u128::MAX) };
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
}

/// One search for the moves from a heap to the target value.
struct Search<'a> {
    heap: &'a Heap,
    target: &'a BigUint,
    /// The target as a number; beyond 128 bits one that no small heap can reach.
    small_target: u128,
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
        let (split, table) = (self.heap.rules.split(), &self.heap.table);
        if split == Split::FromThree && *rest < BigUint::from(3u32) {
            return Ok(());
        }
        let half: BigUint = rest >> 1;
        let allowed = |a: &BigUint| split != Split::Unequal || a << 1 != *rest;
        let period = table.period().filter(|p| p.saltus == 0);
        // Below the preperiod one by one; without a plain period, everything.
        let near = match period {
            Some(p) => half.to_u64().unwrap_or(u64::MAX).min(p.preperiod.saturating_sub(1)),
            None => self.affordable(&half, 1)?,
        };
        let shadow = table.shadow(rest).ok_or_else(|| self.too_many())?;
        for a in (1..=near).filter(|&a| self.hits([a, shadow - a])) {
            let a = BigUint::from(a);
            if allowed(&a) {
                let b = rest - &a;
                found.add(vec![a, b]);
            }
        }
        let Some(Period { preperiod, period, .. }) = period else { return Ok(()) };
        // From there on both heaps are in the periodic part, and the values depend on `a` modulo the period alone.
        let from = preperiod.max(1);
        let last = half.to_u64().unwrap_or(u64::MAX).min(from + period - 1);
        let starts: Vec<u64> = (from..=last).filter(|&a| self.hits([a, shadow - a])).collect();
        found.add_classes(&starts, period, &half, |a| allowed(a).then(|| vec![a.clone(), rest - a]));
        if split == Split::Unequal && !rest.bit(0) && half >= BigUint::from(from) && self.target.is_zero() {
            found.uncount();
        }
        Ok(())
    }

    /// The splits of `rest` into three heaps, one by one.
    fn leaving_three(&self, rest: &BigUint, found: &mut Tally) -> Result<(), SumError> {
        let rest = self.affordable(rest, 2)?;
        for a in 1..=rest / 3 {
            for b in (a..=(rest - a) / 2).filter(|b| self.hits([a, *b, rest - a - b])) {
                found.add([a, b, rest - a - b].map(BigUint::from).to_vec());
            }
        }
        Ok(())
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
