//! Numbers with a given sum and a given exclusive or.
//!
//! `u + t = (u xor t) + 2 (u and t)`, so the sum and the exclusive or give the bits that both have; the bits of the
//! exclusive or are shared out between the two in any way. So `u` is fixed in some bits and free in the others, and
//! those that are congruent to a number and lie in an interval are counted bit by bit, from the top.

use std::collections::HashMap;

use num_bigint::BigUint;
use num_traits::One;

/// More bits are not searched: the counts have as many bits again, and the search is as deep.
const MAX_BITS: u64 = 4096;

/// The largest step.
const MAX_STEP: u64 = 64;

/// The numbers `u = least, least + step, ... <= most` for which `t = sum - u` has `u xor t = xor`.
pub(super) struct Pairs {
    pub sum: BigUint,
    pub xor: BigUint,
    pub least: BigUint,
    pub most: BigUint,
    pub step: u64,
}

impl Pairs {
    /// How many there are, and the first `keep` of them, least first. `None` if that is too much work.
    pub fn find(&self, keep: usize) -> Option<(BigUint, Vec<BigUint>)> {
        let bits = self.sum.bits().max(self.most.bits());
        if bits > MAX_BITS || self.step > MAX_STEP {
            return None;
        }
        let twice = if self.xor <= self.sum { &self.sum - &self.xor } else { return Some(Default::default()) };
        let both: BigUint = &twice >> 1;
        if twice.bit(0) || &both & &self.xor != BigUint::ZERO || self.least > self.most {
            return Some(Default::default());
        }
        let powers = (0..bits).scan(1 % self.step, |power, _| Some(std::mem::replace(power, *power * 2 % self.step)));
        let mut search = Search { pairs: self, both, powers: powers.collect(), counts: HashMap::new() };
        let rest = &self.least % self.step;
        let start = State { bits, rest: rest.iter_u64_digits().next().unwrap_or(0), above: false, below: false };
        let count = search.count(start);
        let mut found = Vec::new();
        search.list(start, BigUint::ZERO, keep, &mut found);
        Some((count, found))
    }
}

/// Where a search from the top bit down is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    /// How many bits are still to be chosen.
    bits: u64,
    /// What they must be congruent to.
    rest: u64,
    /// Whether the bits chosen are already above those of the lower end.
    above: bool,
    /// Whether they are already below those of the upper end.
    below: bool,
}

struct Search<'a> {
    pairs: &'a Pairs,
    /// The bits that `u` and `t` have both.
    both: BigUint,
    /// The powers of 2 modulo the step.
    powers: Vec<u64>,
    counts: HashMap<State, BigUint>,
}

impl Search<'_> {
    /// The states after the next bit, 0 first, with that bit.
    fn next(&self, state: State) -> impl Iterator<Item = (bool, State)> + use<> {
        let bit = state.bits - 1;
        let (low, high) = (self.pairs.least.bit(bit), self.pairs.most.bit(bit));
        let (free, fixed) = (self.pairs.xor.bit(bit), self.both.bit(bit));
        let (power, step) = (self.powers[bit as usize], self.pairs.step);
        [false, true].into_iter().filter(move |&one| free || one == fixed).filter_map(move |one| {
            let inside = (state.above || one >= low) && (state.below || one <= high);
            let rest = if one { (state.rest + step - power) % step } else { state.rest };
            let next =
                State { bits: bit, rest, above: state.above || (one && !low), below: state.below || (!one && high) };
            inside.then_some((one, next))
        })
    }

    fn count(&mut self, state: State) -> BigUint {
        if state.bits == 0 {
            return u32::from(state.rest == 0).into();
        }
        if let Some(known) = self.counts.get(&state) {
            return known.clone();
        }
        let count = self.next(state).map(|(_, next)| self.count(next)).sum();
        self.counts.insert(state, count);
        self.counts[&state].clone()
    }

    fn list(&mut self, state: State, chosen: BigUint, keep: usize, found: &mut Vec<BigUint>) {
        if found.len() >= keep || self.count(state) == BigUint::ZERO {
            return;
        }
        if state.bits == 0 {
            return found.push(chosen);
        }
        for (one, next) in self.next(state) {
            let bit = if one { BigUint::one() << next.bits } else { BigUint::ZERO };
            self.list(next, &chosen | bit, keep, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pairs_are_those_that_are_tried_one_by_one(
            sum in 0u32..600, xor in 0u32..600, least in 0u32..100, most in 0u32..600, step in 1u32..9, keep in 0usize..9,
        ) {
            let most = most.min(sum);
            let pairs = Pairs {
                sum: sum.into(), xor: xor.into(), least: least.into(), most: most.into(), step: step.into(),
            };
            let tried = (least..=most).step_by(step as usize).filter(|u| u ^ (sum - u) == xor);
            let wanted: Vec<BigUint> = tried.map(BigUint::from).collect();
            let (count, found) = pairs.find(keep).unwrap();
            prop_assert_eq!(count, wanted.len().into());
            prop_assert_eq!(&found[..], &wanted[..keep.min(wanted.len())]);
        }
    }
}
