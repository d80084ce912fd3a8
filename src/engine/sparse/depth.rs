//! How deep the witnesses are: for every `n1`, the largest smaller part of a witness that a heap from `n1` on
//! needed.

use serde::{Deserialize, Serialize};

/// The suffix maxima of the witness depths, a heap and its depth each, depths falling.
///
/// Only these are needed to answer "how deep from `n1` on", and there are few: a new record removes all before it
/// that are no deeper.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DepthLog {
    records: Vec<(u64, u64)>,
}

impl DepthLog {
    /// Heap `n`, later than all before, needed a witness with a smaller part of `depth`.
    pub fn push(&mut self, n: u64, depth: u64) {
        while self.records.last().is_some_and(|&(_, last)| last <= depth) {
            self.records.pop();
        }
        self.records.push((n, depth));
    }

    /// The deepest witness of the heaps from `n1` on: 0 if they needed none.
    pub fn from(&self, n1: u64) -> u64 {
        let first = self.records.partition_point(|&(n, _)| n < n1);
        self.records.get(first).map_or(0, |&(_, depth)| depth)
    }

    /// The heaps after which the bound is smaller, ascending: the places worth trying as `n1`.
    pub fn steps(&self) -> impl Iterator<Item = u64> + '_ {
        self.records.iter().map(|&(n, _)| n + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn answers_are_maxima_of_suffixes(depths in prop::collection::vec(0u64..50, 0..60)) {
            let mut log = DepthLog::default();
            depths.iter().enumerate().for_each(|(n, &depth)| log.push(n as u64, depth));
            for n1 in 0..depths.len() {
                prop_assert_eq!(log.from(n1 as u64), *depths[n1..].iter().max().unwrap());
            }
            prop_assert_eq!(log.from(depths.len() as u64), 0);
            let falls: Vec<u64> = (1..=depths.len() as u64).filter(|&n| log.from(n) < log.from(n - 1)).collect();
            let steps: Vec<u64> = log.steps().filter(|&n| log.from(n) < log.from(n - 1)).collect();
            prop_assert_eq!(steps, falls);
        }
    }
}
