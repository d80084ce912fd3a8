//! The values of the options of a heap.

use crate::Rules;
use crate::rules::{LEAVE_ONE, LEAVE_THREE, LEAVE_TWO, TAKE_ALL};

use super::bits::BitSet;
use super::monoid::Monoid;

/// The option values of heaps 1, 2, ... in a monoid, each from the values of the smaller heaps.
///
/// What the splits of a rest give is kept, since every digit that splits needs it again.
#[derive(Clone, Debug, Default)]
pub(super) struct OptionValues {
    pairs: Vec<BitSet>,
    triples: Vec<BitSet>,
}

impl OptionValues {
    /// The values of the options of `heap`. `phi` holds those of heaps 0 (the identity) to `heap - 1` at least.
    pub(super) fn of(&mut self, rules: &Rules, monoid: &Monoid, phi: &[u16], heap: usize) -> BitSet {
        let mut values = BitSet::new(monoid.order());
        let last = rules.last_index().map_or(heap, |k| heap.min(k as usize));
        for taken in 0..=last {
            let (digit, rest) = (rules.digit(taken as u64), heap - taken);
            if digit & TAKE_ALL != 0 && rest == 0 {
                values.insert(0);
            }
            if digit & LEAVE_ONE != 0 && rest > 0 {
                values.insert(phi[rest] as usize);
            }
            if digit & LEAVE_TWO != 0 {
                self.fill_pairs(rules, monoid, phi, rest);
                values.union_with(&self.pairs[rest]);
            }
            if digit & LEAVE_THREE != 0 {
                self.fill_triples(rules, monoid, phi, rest);
                values.union_with(&self.triples[rest]);
            }
        }
        values
    }

    fn fill_pairs(&mut self, rules: &Rules, monoid: &Monoid, phi: &[u16], rest: usize) {
        for rest in self.pairs.len()..=rest {
            // Marks that are only ever set are faster than bits that are read back.
            let mut marks = vec![false; monoid.order()];
            for a in (1..=rest / 2).filter(|&a| rules.may_split(a as u64, (rest - a) as u64)) {
                marks[monoid.product(phi[a], phi[rest - a]) as usize] = true;
            }
            let values = BitSet::from_elements(marks.len(), (0..marks.len()).filter(|&x| marks[x]));
            self.pairs.push(values);
        }
    }

    /// All splits into three come from a smallest part and any two others.
    fn fill_triples(&mut self, rules: &Rules, monoid: &Monoid, phi: &[u16], rest: usize) {
        self.fill_pairs(rules, monoid, phi, rest.saturating_sub(1));
        for rest in self.triples.len()..=rest {
            let mut values = BitSet::new(monoid.order());
            for (a, &value) in phi.iter().enumerate().take(rest / 3 + 1).skip(1) {
                monoid.multiply_into(value, &self.pairs[rest - a], &mut values);
            }
            self.triples.push(values);
        }
    }
}
