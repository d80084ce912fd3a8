//! Which pairs of heaps to try as witnesses of a value, and in which order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use crate::kernel::small::BLOCK;
use crate::kernel::witness::List;

use super::rows::Rows;

/// Heaps that lists are chosen with: the last ones known.
pub const SAMPLE: usize = 8192;
/// Pairs with one row that are looked at for a list.
const PAIRS_A_ROW: usize = 48;

/// A smaller part and a row: the pair is a witness for the heaps whose larger part has its bit in the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    /// How many heaps of the sample it serves: pairs are ordered by this.
    gain: u32,
    depth: Reverse<u32>,
    offset: i32,
}

/// What lists are made from.
pub struct Supply<'a> {
    /// The rows; they end with the heaps of the sample.
    rows: &'a Rows,
    /// The numbers of tokens that a split takes.
    splits: &'a [u64],
    /// The common heaps that may be smaller parts, by their compressed value.
    by_value: Vec<Vec<usize>>,
}

impl<'a> Supply<'a> {
    /// `small`: the compressed values of the heaps from 0 on that may be smaller parts, `None` for rare ones.
    pub fn new(rows: &'a Rows, splits: &'a [u64], small: &[Option<u8>]) -> Supply<'a> {
        let mut by_value = vec![Vec::new(); 256];
        for (q, c) in small.iter().enumerate().filter_map(|(q, c)| Some((q, (*c)?))) {
            by_value[c as usize].push(q);
        }
        Supply { rows, splits, by_value }
    }

    /// Witnesses of `v`. `missing`: the heaps of the sample that need one; those that the list serves are taken
    /// away. The list is chosen with the words `chosen_by` of the sample: those first that serve most of the heaps
    /// that the ones before do not, and from the beginning when all are served. It ends where a pair is likely to
    /// serve fewer than `worth` heaps of a block. `step`: offsets are multiples of it.
    pub fn list(&self, v: u32, missing: &mut [u64], chosen_by: Range<usize>, step: usize, worth: f64) -> List {
        let wanted = missing[chosen_by.clone()].to_vec();
        let first = chosen_by.start;
        let total = f64::from(count(&wanted));
        let mut open = count(missing);
        let mut left = self.pairs(v, step, &wanted, first);
        let mut list = List::new(step);
        while left.iter().any(|pair| pair.gain > 0) {
            let mut unserved = wanted.clone();
            let mut queue: BinaryHeap<(u32, Pair)> = left.drain(..).map(|pair| (pair.gain, pair)).collect();
            // The gain of a pair only falls, so one that is still the largest after a fresh look is the best.
            while let Some((_, pair)) = queue.pop().filter(|(gain, _)| *gain > 0) {
                let gain = self.gain(&unserved, first, pair.offset);
                if queue.peek().is_some_and(|next| next.0 > gain) {
                    queue.push((gain, pair));
                } else if gain == 0 {
                    left.push(pair);
                } else {
                    let share = f64::from(pair.gain) / total;
                    if f64::from(open) * share * (BLOCK as f64 / SAMPLE as f64) < worth {
                        return list;
                    }
                    list.push(pair.offset, pair.depth.0);
                    self.serve(&mut unserved, first, pair.offset);
                    self.serve(missing, 0, pair.offset);
                    open = count(missing);
                }
            }
            left.extend(queue.into_iter().map(|(_, pair)| pair));
            left.sort_unstable_by(|a, b| b.cmp(a));
        }
        list
    }

    /// The pairs that give `v`, the least smaller parts for each row, with their gain alone.
    fn pairs(&self, v: u32, step: usize, wanted: &[u64], first: usize) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (row, &u) in self.rows.values().iter().enumerate() {
            let fitting = self.by_value.get((u32::from(u) ^ v) as usize).into_iter().flatten();
            let parts = fitting.flat_map(|&q| self.splits.iter().map(move |&i| (q, q + i as usize)));
            let offset = |part: usize| (row * self.rows.bits()) as i32 - part as i32;
            pairs.extend(parts.filter(|(_, part)| part.is_multiple_of(step)).take(PAIRS_A_ROW).map(|(q, part)| Pair {
                gain: self.gain(wanted, first, offset(part)),
                depth: Reverse(q as u32),
                offset: offset(part),
            }));
        }
        pairs
    }

    /// How many of the heaps a pair serves. They begin with word `first` of the sample.
    fn gain(&self, heaps: &[u64], first: usize, offset: i32) -> u32 {
        (first..).zip(heaps).map(|(k, m)| (m & self.word(offset, k)).count_ones()).sum()
    }

    /// Takes the heaps away that a pair serves.
    fn serve(&self, heaps: &mut [u64], first: usize, offset: i32) {
        (first..).zip(heaps).for_each(|(k, m)| *m &= !self.word(offset, k));
    }

    /// The `k`-th word of the row of a pair, over the sample.
    fn word(&self, offset: i32, k: usize) -> u64 {
        self.rows.word((self.rows.position(SAMPLE - 64 * k) as i64 + i64::from(offset)) as usize)
    }
}

fn count(words: &[u64]) -> u32 {
    words.iter().map(|w| w.count_ones()).sum()
}
