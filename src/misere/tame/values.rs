//! The values of tame positions, and the definition of a heap's.

use crate::Rules;
use crate::rules::{LEAVE_ONE, LEAVE_THREE, LEAVE_TWO, TAKE_ALL};

use super::super::digits::Digits;

/// The two values of a tame position in one number: twice the normal value, and 1 more if it is firm.
///
/// A firm position's misère value is the normal one, that of a fickle one is the other of 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::misere) struct Tame(u32);

impl Tame {
    /// No heaps: normal value 0, misère value 1.
    pub(super) const ZERO: Tame = Tame(0);

    /// The value of a position whose options are all firm and have this normal value as their mex.
    pub(super) fn firm(normal: u32) -> Tame {
        Tame(2 * normal + 1)
    }

    pub(super) fn sum(self, other: Tame) -> Tame {
        Tame((self.0 ^ other.0) & !1 | (self.0 | other.0) & 1)
    }

    pub(super) fn normal(self) -> u32 {
        self.0 >> 1
    }

    pub(super) fn misere(self) -> u32 {
        if self.is_firm() { self.normal() } else { self.normal() ^ 1 }
    }

    pub(super) fn is_firm(self) -> bool {
        self.0 & 1 == 1
    }
}

/// The tame values among the options of a position, as a set that grows.
#[derive(Clone, Debug, Default)]
pub(super) struct Options(Vec<u64>);

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
    pub(super) fn value(&self) -> Option<Tame> {
        let fickle = |x: u32| Tame(2 * x);
        if self.0.iter().all(|&word| word == 0) {
            return Some(Tame::ZERO);
        }
        let normal = (0..).find(|&x| !self.contains(fickle(x)) && !self.contains(Tame::firm(x)))?;
        let misere = (0..).find(|&x| !self.contains(fickle(x ^ 1)) && !self.contains(Tame::firm(x)))?;
        if normal == misere { Some(Tame::firm(normal)) } else { (normal <= 1 && misere <= 1).then(|| fickle(normal)) }
    }
}

/// What the splits of every rest give: each digit that splits needs it again.
#[derive(Debug)]
pub(super) struct Splits {
    digits: Digits,
    pairs: Vec<Options>,
}

impl Splits {
    pub(super) fn new(rules: &Rules) -> Splits {
        Splits { digits: Digits::of(rules), pairs: Vec::new() }
    }

    pub(super) fn options(&mut self, rules: &Rules, values: &[Tame], heap: usize) -> Options {
        let mut options = Options::default();
        let Splits { digits, pairs } = self;
        for (taken, digit) in digits.up_to(heap) {
            let rest = heap - taken;
            if digit & TAKE_ALL != 0 && rest == 0 {
                options.insert(Tame::ZERO);
            }
            if digit & LEAVE_ONE != 0 && rest > 0 {
                options.insert(values[rest]);
            }
            if digit & LEAVE_TWO != 0 {
                options.union_with(fill(pairs, rules, values, rest));
            }
            if digit & LEAVE_THREE != 0 {
                for moved in rules.moves_taking(heap as u64, taken as u64).filter(|m| m.parts.len() == 3) {
                    options.insert(moved.parts.iter().fold(Tame::ZERO, |sum, &part| sum.sum(values[part as usize])));
                }
            }
        }
        options
    }
}

/// What the splits of `rest` into two give, after those of all smaller rests.
fn fill<'a>(pairs: &'a mut Vec<Options>, rules: &Rules, values: &[Tame], rest: usize) -> &'a Options {
    for rest in pairs.len()..=rest {
        let mut options = Options::default();
        for a in (1..=rest / 2).filter(|&a| rules.may_split(a as u64, (rest - a) as u64)) {
            options.insert(values[a].sum(values[rest - a]));
        }
        pairs.push(options);
    }
    &pairs[rest]
}
