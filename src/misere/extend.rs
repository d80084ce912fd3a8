//! Conservative extension: one more heap whose value is already in the quotient.

use std::collections::HashMap;

use super::bits::BitSet;
use super::budget::{Budget, OutOfTime};
use super::chain::{Chain, Generator, Stop};
use super::monoid::Monoid;

/// A reduced quotient, its chain, and the values that were already found for sets of option values.
#[derive(Clone, Debug)]
pub(super) struct Extender {
    chain: Chain,
    known: HashMap<BitSet, u16>,
}

impl Extender {
    /// `chain`: the closed chain of the heaps so far.
    pub(super) fn new(chain: Chain) -> Extender {
        Extender { chain, known: HashMap::new() }
    }

    /// The value in the monoid of a further heap with these option values, if the larger set of heaps has the same
    /// quotient. `None` is a proof that its quotient is larger.
    pub(super) fn value(
        &mut self,
        monoid: &Monoid,
        heap: usize,
        options: &BitSet,
        budget: &Budget,
    ) -> Result<Option<u16>, OutOfTime> {
        if options.is_empty() {
            return Ok(Some(0));
        }
        if let Some(&value) = self.known.get(options) {
            return Ok(Some(value));
        }
        let candidates = candidates(monoid, options);
        let covered = candidates.iter().copied().find(|&x| self.chain.covers(x, options));
        let value = match covered {
            Some(x) => Some(x),
            None => self.close(monoid, heap, options, &candidates, budget)?,
        };
        if let Some(value) = value {
            self.known.insert(options.clone(), value);
        }
        Ok(value)
    }

    /// The candidate under which the chain can be closed: there is at most one.
    fn close(
        &mut self,
        monoid: &Monoid,
        heap: usize,
        options: &BitSet,
        candidates: &[u16],
        budget: &Budget,
    ) -> Result<Option<u16>, OutOfTime> {
        for &value in candidates {
            let mut chain = self.chain.clone();
            match chain.extend(monoid, vec![Generator { heap, value, options: options.clone() }], budget) {
                Ok(()) => {
                    self.chain = chain;
                    return Ok(Some(value));
                }
                Err(Stop::Violation(_)) => {}
                Err(Stop::OutOfTime) => return Err(OutOfTime),
            }
        }
        Ok(None)
    }
}

/// The values that a heap with these option values may have as far as P-positions without P-options go: no position
/// may be in P together with its option, and the heap alone is in P just when no option is.
fn candidates(monoid: &Monoid, options: &BitSet) -> Vec<u16> {
    let mut taken = BitSet::new(monoid.order());
    options.iter().for_each(|y| taken.union_with(monoid.wins(y as u16)));
    let lost = !options.meets(monoid.p());
    (0..monoid.order() as u16)
        .filter(|&x| monoid.p().contains(x as usize) == lost && !monoid.wins(x).meets(&taken))
        .collect()
}
