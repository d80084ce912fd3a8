//! What a sequence looks like: how often each value occurs, and the largest.

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::for_width;
use crate::kernel::{self, count};
use crate::period::{Filler, Period};
use crate::values::{Cell, Slice};

/// Values above this are not counted one by one: Nim has as many values as heaps.
const COUNTED: usize = 1 << 16;

/// How many values a thread counts at a time.
const PIECE: usize = 1 << 22;

/// Small values are counted together if there are so many more values than counts.
const MANY: usize = 1 << 9;

/// Growing values are counted one by one for so many heaps at most.
const COUNTED_HEAPS: u64 = 1 << 24;

/// Milestones are kept as long as all values are below this: beyond it they would be most of a manifest.
const MILESTONE_VALUES: usize = 1 << 12;

/// How often each value occurred among the first `heaps` heaps, a power of two: that is how runs are published.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Milestone {
    /// How many heaps were counted: 0 to `heaps - 1`.
    pub heaps: u64,
    /// How often each value occurs, from value 0 on.
    pub counts: Vec<u64>,
}

/// A value larger than all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The value.
    pub value: u64,
    /// The first heap that has it.
    pub heap: u64,
}

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
    /// The counts when the number of heaps was a power of two, ascending.
    #[serde(default)]
    pub milestones: Vec<Milestone>,
    /// Values larger than all before them, as long as they are below 4096.
    #[serde(default)]
    pub records: Vec<Record>,
}

impl Statistics {
    /// No heaps yet.
    pub fn new() -> Statistics {
        Statistics { counts: Some(Vec::new()), ..Statistics::default() }
    }

    /// Adds the values of the next heaps.
    pub fn add(&mut self, values: Slice<'_>) {
        let mut rest = values;
        while rest.len() as u64 >= self.to_milestone() {
            let next = self.to_milestone() as usize;
            self.count(rest.range(0..next));
            self.keep_milestone();
            rest = rest.range(next..rest.len());
        }
        self.count(rest);
    }

    /// How many more heaps there are to the next milestone.
    fn to_milestone(&self) -> u64 {
        (self.heaps + 1).checked_next_power_of_two().unwrap_or(u64::MAX) - self.heaps
    }

    fn keep_milestone(&mut self) {
        if let Some(counts) = self.counts.as_ref().filter(|counts| counts.len() <= MILESTONE_VALUES) {
            self.milestones.push(Milestone { heaps: self.heaps, counts: counts.clone() });
        }
    }

    /// The statistics of the values of heaps 0 and on, counted on all threads.
    pub fn of(values: Slice<'_>) -> Statistics {
        let count = |i: usize| {
            let start = i * PIECE;
            let mut part = Statistics { heaps: start as u64, ..Statistics::new() };
            part.add(values.range(start..values.len().min(start + PIECE)));
            part
        };
        (0..values.len().div_ceil(PIECE)).into_par_iter().map(count).reduce(Statistics::new, Statistics::merge)
    }

    /// The statistics of two runs of heaps, `later` being that of the later one.
    fn merge(mut self, later: Statistics) -> Statistics {
        let base = self.counts.take();
        let more = |counts: Vec<u64>| base.clone().map(|base| sum(base, &counts));
        let milestones = later.milestones.into_iter();
        self.milestones.extend(milestones.filter_map(|m| Some(Milestone { counts: more(m.counts)?, ..m })));
        self.counts = later.counts.and_then(more);
        let is_record = |record: &Record| record.value > self.max_value || self.heaps == 0;
        self.records.extend(later.records.into_iter().filter(is_record));
        if later.max_value > self.max_value {
            (self.max_value, self.max_at) = (later.max_value, later.max_at);
        }
        self.heaps = self.heaps.max(later.heaps);
        self
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
        while saltus == 0 && at < range.end {
            // Counts are to be right at every milestone on the way.
            let rounds = (range.end - at).min(self.to_milestone() - 1) / period;
            if rounds > 1 {
                let before = self.counts.clone().unwrap_or_default();
                let start = at;
                add(self, &mut at, start + period);
                for (i, count) in self.counts.iter_mut().flatten().enumerate() {
                    *count += (*count - before.get(i).copied().unwrap_or(0)) * (rounds - 1);
                }
                self.heaps += (rounds - 1) * period;
                at += (rounds - 1) * period;
            }
            let end = range.end.min(at + self.to_milestone());
            add(self, &mut at, end);
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

    /// Adds values of heaps up to the next milestone.
    fn count(&mut self, values: Slice<'_>) {
        // A fold, unlike `Iterator::max`, goes by vectors.
        let max = for_width!(Slice, values, v => v.iter().fold(0, |max, &v| v.max(max)).value());
        if u64::from(max) > self.max_value || self.heaps == 0 {
            for_width!(Slice, values, v => self.note_records(v));
        }
        if self.max_value as usize >= COUNTED {
            self.counts = None;
        }
        if let Some(counts) = self.counts.take() {
            let room = max as usize + 1;
            let more = match values {
                Slice::U8(bytes) if room <= count::COUNTED && bytes.len() >= MANY * room => {
                    kernel::best().count(bytes, room)
                }
                _ => for_width!(Slice, values, v => histogram(v, room)),
            };
            self.counts = Some(sum(counts, &more));
        }
        self.heaps += values.len() as u64;
    }

    /// `values`, those of the next heaps, have a new largest one.
    fn note_records<T: Cell>(&mut self, values: &[T]) {
        for (heap, value) in (self.heaps..).zip(values.iter().map(|v| u64::from(v.value()))) {
            if value > self.max_value || heap == 0 {
                (self.max_value, self.max_at) = (value, heap);
                if value < MILESTONE_VALUES as u64 {
                    self.records.push(Record { value, heap });
                }
            }
        }
    }
}

/// How often each value below `room` occurs.
fn histogram<T: Cell>(values: &[T], room: usize) -> Vec<u64> {
    // So many tables that a run of equal values does not wait for its own last count.
    let mut tables = [(); 4].map(|()| vec![0u32; room]);
    let [a, b, c, d] = tables.each_mut().map(Vec::as_mut_slice);
    let (groups, rest) = values.as_chunks::<4>();
    for &[p, q, r, s] in groups {
        a[p.value() as usize] += 1;
        b[q.value() as usize] += 1;
        c[r.value() as usize] += 1;
        d[s.value() as usize] += 1;
    }
    rest.iter().for_each(|value| a[value.value() as usize] += 1);
    (0..room).map(|v| tables.iter().map(|table| u64::from(table[v])).sum()).collect()
}

/// The sums of two tables of counts.
fn sum(mut counts: Vec<u64>, more: &[u64]) -> Vec<u64> {
    counts.resize(counts.len().max(more.len()), 0);
    counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
    counts
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
            prop_assert_eq!(&statistics.counts, &Some(counts));
            for milestone in &statistics.milestones {
                let first = &values[..milestone.heaps as usize];
                let counts: Vec<u64> = (0u32..).map(|v| first.iter().filter(|&&w| w == v).count() as u64)
                    .take(*first.iter().max().unwrap() as usize + 1).collect();
                prop_assert_eq!(&milestone.counts, &counts);
            }
            let powers: Vec<u64> = (0..).map(|k| 1 << k).take_while(|&n| n <= values.len() as u64).collect();
            prop_assert_eq!(statistics.milestones.iter().map(|m| m.heaps).collect::<Vec<_>>(), powers);
            for (n, &value) in (0..).zip(&values) {
                let is_record = values[..n as usize].iter().all(|&earlier| earlier < value);
                prop_assert_eq!(is_record, statistics.records.contains(&Record { value: value.into(), heap: n }));
            }
            let later = Statistics { heaps: cut as u64, ..Statistics::new() };
            let (mut head, mut tail) = (Statistics::new(), later);
            head.add(all.as_slice().range(0..cut));
            tail.add(all.as_slice().range(cut..values.len()));
            prop_assert_eq!(&head.merge(tail), &statistics);
            prop_assert_eq!(Statistics::of(all.as_slice()), statistics);
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
