//! The values of any heaps, however large, from a proven period.

use std::ops::Range;

use crate::values::{Slice, Values, Width};

use super::Period;

/// The tile of a plain period is repeated to about this many values, so that filling is copying.
const TILE: usize = 1 << 20;

/// A proven period together with the values that it repeats.
#[derive(Clone, Debug)]
pub struct Filler {
    period: Period,
    /// The values of the heaps below `preperiod + period`, the period repeated if it is short and plain.
    table: Values,
}

impl Filler {
    /// `values`: those of heaps from 0 on, up to `preperiod + period` at least.
    pub fn new(period: &Period, values: Slice<'_>) -> Filler {
        let (start, once) = (period.preperiod as usize, period.period as usize);
        let mut table = Values::new();
        table.extend(values.range(0..start + once));
        if period.saltus == 0 {
            while table.len() < start + TILE {
                let round = values.range(start..start + once);
                table.extend(round);
            }
        }
        Filler { period: period.clone(), table }
    }

    /// The period.
    pub fn period(&self) -> &Period {
        &self.period
    }

    /// The value of heap `n`: `None` if it is 2^64 or more.
    pub fn value(&self, n: u64) -> Option<u64> {
        self.period.value(self.table.as_slice(), n)
    }

    /// The first heap of `range` whose value is 2^32 or more, which is beyond what is stored.
    pub fn overflow(&self, range: Range<u64>) -> Option<u64> {
        let Period { preperiod, period, saltus, .. } = self.period;
        if saltus == 0 {
            return None;
        }
        // The values of one residue only grow: each has a first heap that is too large.
        let first = |heap: u64| {
            let room = u64::from(u32::MAX - self.table.get(heap as usize));
            (room / saltus + 1).checked_mul(period)?.checked_add(heap)
        };
        let firsts = (preperiod..preperiod + period).filter_map(first);
        firsts.map(|n| n + range.start.saturating_sub(n).div_ceil(period) * period).filter(|n| range.contains(n)).min()
    }

    /// The values of the heaps of `range`, as many as one copy gives: at least one of them.
    ///
    /// # Panics
    /// If a value is 2^32 or more ([`Filler::overflow`] tells), or the range is empty.
    pub fn next(&self, range: Range<u64>) -> Values {
        let mut values = Values::new();
        if self.period.saltus == 0 || range.start < self.period.preperiod {
            let (heap, _) = self.period.reduce(range.start).expect("a plain period adds nothing");
            let heap = heap as usize;
            let end = if self.period.saltus == 0 { self.table.len() } else { self.period.preperiod as usize };
            let count = (end - heap).min((range.end - range.start) as usize);
            values.extend(self.table.as_slice().range(heap..heap + count));
            return values;
        }
        let end = range.end.min(range.start + TILE as u64);
        let value = |n| self.value(n).and_then(|v| u32::try_from(v).ok()).expect("overflow was looked for");
        values.widen_for(value(end - 1));
        (range.start..end).for_each(|n| values.push(value(n)));
        values
    }

    /// The narrowest width that holds all heaps below `end`.
    pub fn width(&self, end: u64) -> Width {
        let last = end.saturating_sub(self.period.period).min(end)..end;
        let largest = last.filter_map(|n| self.value(n)).chain(self.table.as_slice().max().map(u64::from)).max();
        Width::of(largest.and_then(|v| u32::try_from(v).ok()).unwrap_or(u32::MAX))
    }
}
