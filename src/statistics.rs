//! What a sequence looks like: how often each value occurs, and the largest.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::for_width;
use crate::period::{Filler, Period};
use crate::values::{Cell, Slice};

/// Values above this are not counted one by one: Nim has as many values as heaps.
const COUNTED: usize = 1 << 16;

/// Growing values are counted one by one for so many heaps at most.
const COUNTED_HEAPS: u64 = 1 << 24;

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

    /// Adds the heaps of `range`, the next ones, whose values follow from a proven period.
    pub fn add_filled(&mut self, filler: &Filler, range: Range<u64>) {
        let Period { period, saltus, .. } = *filler.period();
        if saltus > 0 && range.end - range.start > COUNTED_HEAPS {
            return self.add_growing(filler, range);
        }
        let mut at = range.start;
        let add = |statistics: &mut Statistics, at: &mut u64, end: u64| {
            while *at < end {
                let values = filler.next(*at..end);
                statistics.add(values.as_slice());
                *at += values.len() as u64;
            }
        };
        // One period one by one; after that only its repetitions are counted, if they add the same counts again.
        let once = range.end.min(at.max(filler.period().preperiod).saturating_add(period));
        add(self, &mut at, once);
        let rounds = (range.end - at) / period;
        if saltus == 0 && rounds > 0 {
            let before = self.counts.clone();
            let start = at;
            add(self, &mut at, start + period);
            for (i, count) in self.counts.iter_mut().flatten().enumerate() {
                let earlier = before.as_ref().and_then(|b| b.get(i)).copied().unwrap_or(0);
                *count += (*count - earlier) * (rounds - 1);
            }
            self.heaps += (rounds - 1) * period;
            at += (rounds - 1) * period;
        }
        add(self, &mut at, range.end);
    }

    /// The same for values that grow for ever: too many to count, and the largest is in the last period.
    fn add_growing(&mut self, filler: &Filler, range: Range<u64>) {
        let Period { preperiod, period, saltus, .. } = *filler.period();
        let last = range.end - period.min(range.end - range.start)..range.end;
        let max = last.filter_map(|n| filler.value(n)).max().unwrap_or(0);
        if max > self.max_value {
            // Each residue has one heap, or none, of the largest value.
            let heap = |residue: u64| {
                let more = max.checked_sub(filler.value(residue)?)?;
                more.is_multiple_of(saltus).then(|| residue + more / saltus * period)
            };
            let early = (range.start..preperiod).find(|&n| filler.value(n) == Some(max));
            let first = (preperiod..preperiod + period).filter_map(heap).filter(|n| range.contains(n)).min();
            self.max_value = max;
            self.max_at = early.or(first).unwrap_or(range.start);
        }
        self.counts = None;
        self.heaps += range.end - range.start;
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
    use crate::driver::Computation;
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

    /// Filling counts what counting the filled values counts.
    #[test]
    fn filled_heaps_are_counted() {
        for text in ["0.77", "0.1", "sub{2,5}", "sub{2+}", "allbut{4,6,7,11}"] {
            let mut computation = Computation::new(&text.parse().unwrap(), None, true);
            while computation.filler().is_none() {
                computation.step(10_000).unwrap();
            }
            let filler = computation.filler().unwrap();
            for (start, end) in [(0, 1), (0, 20_000), (computation.known(), 3000), (150, 151), (90, 400)] {
                let mut one_by_one = Statistics { heaps: start, ..Statistics::new() };
                let mut at = start;
                while at < end {
                    let values = filler.next(at..end);
                    one_by_one.add(values.as_slice());
                    at += values.len() as u64;
                }
                let mut filled = Statistics { heaps: start, ..Statistics::new() };
                filled.add_filled(filler, start..end);
                assert_eq!(filled, one_by_one, "{text} {start}..{end}");
                if filler.period().saltus > 0 {
                    let mut growing = Statistics { heaps: start, ..Statistics::new() };
                    growing.add_growing(filler, start..end);
                    assert_eq!((growing.max_value, growing.max_at), (filled.max_value, filled.max_at), "{text}");
                }
            }
        }
    }

    #[test]
    fn huge_values_are_not_counted_one_by_one() {
        let mut statistics = Statistics::new();
        statistics.add(Slice::U32(&[1, 70_000, 2]));
        assert_eq!((statistics.counts, statistics.max_value, statistics.max_at), (None, 70_000, 1));
    }
}
