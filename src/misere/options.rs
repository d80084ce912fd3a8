//! The values of the options of a heap.

use crate::Rules;
use crate::rules::{LEAVE_ONE, LEAVE_THREE, LEAVE_TWO, TAKE_ALL};

use super::bits::BitSet;
use super::budget::{Budget, OutOfTime};
use super::digits::Digits;
use super::monoid::Monoid;

/// The option values of heaps 1, 2, ... in a monoid, each from the values of the smaller heaps.
///
/// What the splits of a rest give is kept, since every digit that splits needs it again.
#[derive(Clone, Debug)]
pub(super) struct OptionValues {
    digits: Digits,
    pairs: Vec<BitSet>,
    triples: Vec<BitSet>,
}

impl OptionValues {
    pub(super) fn new(rules: &Rules) -> OptionValues {
        OptionValues { digits: Digits::of(rules), pairs: Vec::new(), triples: Vec::new() }
    }

    /// The values of the options of `heap`. `phi` holds those of heaps 0 (the identity) to `heap - 1` at least.
    pub(super) fn of(
        &mut self,
        rules: &Rules,
        monoid: &Monoid,
        phi: &[u16],
        heap: usize,
        budget: &Budget,
    ) -> Result<BitSet, OutOfTime> {
        let mut values = BitSet::new(monoid.order());
        let OptionValues { digits, pairs, triples } = self;
        for (taken, digit) in digits.up_to(heap) {
            let rest = heap - taken;
            if digit & TAKE_ALL != 0 && rest == 0 {
                values.insert(0);
            }
            if digit & LEAVE_ONE != 0 && rest > 0 {
                values.insert(phi[rest] as usize);
            }
            if digit & LEAVE_TWO != 0 {
                fill_pairs(pairs, rules, monoid, phi, rest, budget)?;
                values.union_with(&pairs[rest]);
            }
            if digit & LEAVE_THREE != 0 {
                fill_pairs(pairs, rules, monoid, phi, rest.saturating_sub(1), budget)?;
                fill_triples(triples, pairs, monoid, phi, rest, budget)?;
                values.union_with(&triples[rest]);
            }
        }
        Ok(values)
    }
}

/// What the splits into two give, of all rests up to one.
fn fill_pairs(
    pairs: &mut Vec<BitSet>,
    rules: &Rules,
    monoid: &Monoid,
    phi: &[u16],
    rest: usize,
    budget: &Budget,
) -> Result<(), OutOfTime> {
    for rest in pairs.len()..=rest {
        budget.check_time()?;
        // Marks that are only ever set are faster than bits that are read back.
        let mut marks = vec![false; monoid.order()];
        for a in (1..=rest / 2).filter(|&a| rules.may_split(a as u64, (rest - a) as u64)) {
            marks[monoid.product(phi[a], phi[rest - a]) as usize] = true;
        }
        pairs.push(BitSet::from_elements(marks.len(), (0..marks.len()).filter(|&x| marks[x])));
    }
    Ok(())
}

/// What the splits into three give, of all rests up to one: they come from a smallest part and any two others.
fn fill_triples(
    triples: &mut Vec<BitSet>,
    pairs: &[BitSet],
    monoid: &Monoid,
    phi: &[u16],
    rest: usize,
    budget: &Budget,
) -> Result<(), OutOfTime> {
    for rest in triples.len()..=rest {
        budget.check_time()?;
        let mut values = BitSet::new(monoid.order());
        for (a, &value) in phi.iter().enumerate().take(rest / 3 + 1).skip(1) {
            monoid.multiply_into(value, &pairs[rest - a], &mut values);
        }
        triples.push(values);
    }
    Ok(())
}
