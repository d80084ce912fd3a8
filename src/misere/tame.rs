//! Tame games: misère play like misère Nim, found without any quotient (Conway, "On Numbers and Games", chapter 12).
//!
//! Every heap gets two values, the mex of its options' normal values and the mex of their misère values (a heap
//! without options: 0 and 1). A sum has the nim-sum x of the normal values, and the misère value x ^ 1 if every
//! part is *fickle* (its two values differ) and x if one is *firm*. As long as each heap's values are (0, 1), (1, 0) or
//! (m, m) the quotient of these heaps is tame and the P-positions are those of misère value 0.

use std::collections::HashMap;

use crate::Rules;
use crate::rules::{LEAVE_ONE, LEAVE_THREE, LEAVE_TWO, TAKE_ALL};

use super::bits::BitSet;
use super::budget::Budget;
use super::monoid::{MAX_ORDER, Monoid};
use super::period::{Period, Schedule};
use super::solve::Change;

/// The two values of a tame position in one number: twice the normal value, and 1 more if it is firm.
///
/// A firm position's misère value is the normal one, that of a fickle one is the other of 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tame(u32);

impl Tame {
    /// No heaps: normal value 0, misère value 1.
    const ZERO: Tame = Tame(0);

    fn sum(self, other: Tame) -> Tame {
        Tame((self.0 ^ other.0) & !1 | (self.0 | other.0) & 1)
    }

    fn normal(self) -> u32 {
        self.0 >> 1
    }

    fn misere(self) -> u32 {
        if self.is_firm() { self.normal() } else { self.normal() ^ 1 }
    }

    fn is_firm(self) -> bool {
        self.0 & 1 == 1
    }
}

/// How a run of the tame values ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The values repeat for ever, and with them the game is tame and solved.
    Period(Period),
    /// The next heap is not tame.
    Wild,
    /// The heap or time limit was reached, or the quotient outgrew what a table holds.
    Limit,
}

/// The tame values of heaps 1, 2, ... up to `heaps`, the first heap that is not tame or a proven period.
pub(super) fn run(rules: &Rules, heaps: usize, budget: &Budget) -> (Vec<Tame>, End) {
    let mut values = vec![Tame::ZERO];
    let (mut splits, mut schedule, mut shape) = (Splits::default(), Schedule::default(), Shape::default());
    let end = loop {
        let heap = values.len();
        let last = heap > heaps || budget.check().is_err();
        if (last || schedule.due(heap - 1))
            && let Some(period) = Period::proven(rules, &values[1..])
        {
            let needed = period.heaps_needed(rules).expect("a proven period has a bound") as usize;
            values.truncate(needed + 1);
            break End::Period(period);
        }
        if last {
            break End::Limit;
        }
        match splits.options(rules, &values, heap).value() {
            Some(value) => {
                shape.add(value);
                if shape.order() > MAX_ORDER {
                    break End::Limit;
                }
                values.push(value);
            }
            None => break End::Wild,
        }
    };
    values.remove(0);
    (values, end)
}

/// The tame values among the options of a position, as a set that grows.
#[derive(Clone, Debug, Default)]
struct Options(Vec<u64>);

impl Options {
    fn insert(&mut self, value: Tame) {
        let word = value.0 as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (value.0 % 64);
    }

    fn contains(&self, value: Tame) -> bool {
        self.0.get(value.0 as usize / 64).is_some_and(|word| word >> (value.0 % 64) & 1 == 1)
    }

    fn union_with(&mut self, other: &Options) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        self.0.iter_mut().zip(&other.0).for_each(|(w, o)| *w |= o);
    }

    /// The value of the position with these options; `None` if it is not tame.
    fn value(&self) -> Option<Tame> {
        let (fickle, firm) = (|x: u32| Tame(2 * x), |x: u32| Tame(2 * x + 1));
        if self.0.iter().all(|&word| word == 0) {
            return Some(Tame::ZERO);
        }
        let normal = (0..).find(|&x| !self.contains(fickle(x)) && !self.contains(firm(x)))?;
        let misere = (0..).find(|&x| !self.contains(fickle(x ^ 1)) && !self.contains(firm(x)))?;
        if normal == misere {
            Some(firm(normal))
        } else {
            (normal <= 1 && misere <= 1).then(|| fickle(normal))
        }
    }
}

/// What the splits of every rest give: each digit that splits needs it again.
#[derive(Debug, Default)]
struct Splits {
    pairs: Vec<Options>,
}

impl Splits {
    fn options(&mut self, rules: &Rules, values: &[Tame], heap: usize) -> Options {
        let mut options = Options::default();
        let last = rules.last_index().map_or(heap, |k| heap.min(k as usize));
        for taken in 0..=last {
            let (digit, rest) = (rules.digit(taken as u64), heap - taken);
            if digit & TAKE_ALL != 0 && rest == 0 {
                options.insert(Tame::ZERO);
            }
            if digit & LEAVE_ONE != 0 && rest > 0 {
                options.insert(values[rest]);
            }
            if digit & LEAVE_TWO != 0 {
                options.union_with(self.pairs(rules, values, rest));
            }
            if digit & LEAVE_THREE != 0 {
                for moved in rules.moves_taking(heap as u64, taken as u64).filter(|m| m.parts.len() == 3) {
                    options.insert(moved.parts.iter().fold(Tame::ZERO, |sum, &part| sum.sum(values[part as usize])));
                }
            }
        }
        options
    }

    fn pairs(&mut self, rules: &Rules, values: &[Tame], rest: usize) -> &Options {
        for rest in self.pairs.len()..=rest {
            let mut options = Options::default();
            for a in (1..=rest / 2).filter(|&a| rules.may_split(a as u64, (rest - a) as u64)) {
                options.insert(values[a].sum(values[rest - a]));
            }
            self.pairs.push(options);
        }
        &self.pairs[rest]
    }
}

/// The order and the number of P-elements of a tame quotient: 1 and none, 2 and one, or 2^k + 2 and two, where the
/// nim-values of the heaps span 2^k nim-values.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    moves: bool,
    firm: bool,
    /// Independent nim-values, each with a leading bit of its own.
    basis: Vec<u32>,
}

impl Shape {
    pub(super) fn add(&mut self, value: Tame) {
        self.moves |= value != Tame::ZERO;
        self.firm |= value.is_firm();
        let rest = self.basis.iter().fold(value.normal(), |v, &b| v.min(v ^ b));
        if rest != 0 {
            self.basis.push(rest);
        }
    }

    pub(super) fn order(&self) -> usize {
        match (self.firm, self.moves) {
            (true, _) => (1 << self.basis.len()) + 2,
            (false, moves) => 1 + usize::from(moves),
        }
    }

    pub(super) fn p_count(&self) -> usize {
        usize::from(self.moves) + usize::from(self.firm)
    }
}

/// The tame quotient of heaps with these values (of heaps 1, 2, ...), and Φ of heaps 0, 1, 2, ... in it.
pub(super) fn quotient(values: &[Tame]) -> (Monoid, Vec<u16>) {
    let mut letters: Vec<Tame> = Vec::new();
    values.iter().for_each(|v| {
        if !letters.contains(v) {
            letters.push(*v);
        }
    });
    let mut numbers = HashMap::from([(Tame::ZERO, 0u16)]);
    let mut elements = vec![Tame::ZERO];
    let mut actions = vec![Vec::new(); letters.len()];
    let mut at = 0;
    while let Some(&element) = elements.get(at) {
        for (letter, action) in letters.iter().zip(&mut actions) {
            let product = element.sum(*letter);
            let number = *numbers.entry(product).or_insert_with(|| {
                elements.push(product);
                elements.len() as u16 - 1
            });
            action.push(number);
        }
        at += 1;
    }
    let p = (0..elements.len()).filter(|&i| elements[i].misere() == 0);
    let monoid = Monoid::from_actions(&actions, BitSet::from_elements(elements.len(), p));
    let phi = std::iter::once(0).chain(values.iter().map(|value| numbers[value])).collect();
    (monoid, phi)
}

/// The heaps with which the tame quotient of heaps with these values (of heaps 1, 2, ...) grows.
pub(super) fn changes(values: &[Tame]) -> Vec<Change> {
    let mut shape = Shape::default();
    let mut changes = Vec::new();
    for (heap, &value) in (1..).zip(values) {
        let before = shape.order();
        shape.add(value);
        if shape.order() > before {
            changes.push(Change { heap, order: shape.order(), p_count: shape.p_count() });
        }
    }
    changes
}
