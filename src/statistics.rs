//! What a sequence looks like: how often each value occurs, and the largest.

use serde::{Deserialize, Serialize};

use crate::for_width;
use crate::values::{Cell, Slice};

/// Values above this are not counted one by one: Nim has as many values as heaps.
const COUNTED: usize = 1 << 16;

/// Counts over heaps 0 to `heaps - 1`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// How many heaps were counted.
    pub heaps: u64,
    /// How often each value occurs, as long as no value is above 65,535.
    pub counts: Option<Vec<u64>>,
    /// The largest value.
    pub max_value: u64,
    /// The first heap with the largest value.
    pub max_at: u64,
}

impl Statistics {
    /// No heaps yet.
    pub fn new() -> Statistics {
        Statistics { counts: Some(Vec::new()), ..Statistics::default() }
    }

    /// Adds the values of the next heaps.
    pub fn add(&mut self, values: Slice<'_>) {
        for_width!(Slice, values, v => self.add_typed(v));
        self.heaps += values.len() as u64;
    }

    fn add_typed<T: Cell>(&mut self, values: &[T]) {
        let Some(max) = values.iter().max().map(|v| v.value()) else { return };
        if u64::from(max) > self.max_value {
            self.max_value = u64::from(max);
            self.max_at = self.heaps + values.iter().position(|v| v.value() == max).unwrap_or(0) as u64;
        }
        if self.max_value as usize >= COUNTED {
            self.counts = None;
        }
        let Some(counts) = &mut self.counts else { return };
        counts.resize(counts.len().max(max as usize + 1), 0);
        // Two tables, so that a run of equal values does not wait for its own last count.
        let mut odd = vec![0u64; max as usize + 1];
        for pair in values.chunks(2) {
            counts[pair[0].value() as usize] += 1;
            if let Some(v) = pair.get(1) {
                odd[v.value() as usize] += 1;
            }
        }
        counts.iter_mut().zip(odd).for_each(|(count, more)| *count += more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Values;
    use proptest::prelude::*;

    proptest! {
        /// Counting in pieces is counting.
        #[test]
        fn pieces_add_up(values in prop::collection::vec(0u32..400, 1..200), cut in 0usize..200) {
            let all: Values = values.iter().copied().collect();
            let cut = cut.min(values.len());
            let mut statistics = Statistics::new();
            statistics.add(all.as_slice().range(0..cut));
            statistics.add(all.as_slice().range(cut..values.len()));
            let max = *values.iter().max().unwrap();
            prop_assert_eq!(statistics.max_value, u64::from(max));
            prop_assert_eq!(statistics.max_at, values.iter().position(|&v| v == max).unwrap() as u64);
            let counts: Vec<u64> = (0..=max).map(|v| values.iter().filter(|&&w| w == v).count() as u64).collect();
            prop_assert_eq!(statistics.counts, Some(counts));
        }
    }

    #[test]
    fn huge_values_are_not_counted_one_by_one() {
        let mut statistics = Statistics::new();
        statistics.add(Slice::U32(&[1, 70_000, 2]));
        assert_eq!((statistics.counts, statistics.max_value, statistics.max_at), (None, 70_000, 1));
    }
}
