//! Which pairs of heaps to try as witnesses of a value, and in which order.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::kernel::witness::List;

use super::rows::Rows;

/// Heaps that lists are chosen with: the last ones known.
pub const SAMPLE: usize = 2048;
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

    /// Witnesses of `v`, those first that serve most of the `missing` heaps of the sample, as long as they serve
    /// `worth` of them. The heaps that are served are taken away from `missing`. `step`: offsets are multiples of it.
    pub fn list(&self, v: u32, missing: &mut [u64], step: usize, worth: u32) -> List {
        let mut list = List::default();
        let mut queue = BinaryHeap::from(self.pairs(v, step, missing));
        // The gain of a pair only falls, so one that is still the largest after a fresh look is the best.
        while let Some(pair) = queue.pop().filter(|pair| pair.gain >= worth) {
            let gain = self.gain(missing, pair.offset);
            if queue.peek().is_some_and(|next| next.gain > gain) {
                queue.push(Pair { gain, ..pair });
            } else if gain >= worth {
                list.push(pair.offset, pair.depth.0);
                missing.iter_mut().enumerate().for_each(|(k, m)| *m &= !self.word(pair.offset, k));
            }
        }
        list
    }

    /// The pairs that give `v`, the least smaller parts for each row, with their gain alone.
    fn pairs(&self, v: u32, step: usize, wanted: &[u64]) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (row, &u) in self.rows.values().iter().enumerate() {
            let fitting = self.by_value.get((u32::from(u) ^ v) as usize).into_iter().flatten();
            let parts = fitting.flat_map(|&q| self.splits.iter().map(move |&i| (q, q + i as usize)));
            let offset = |part: usize| (row * self.rows.bits()) as i32 - part as i32;
            pairs.extend(parts.filter(|(_, part)| part.is_multiple_of(step)).take(PAIRS_A_ROW).map(|(q, part)| Pair {
                gain: self.gain(wanted, offset(part)),
                depth: Reverse(q as u32),
                offset: offset(part),
            }));
        }
        pairs
    }

    /// How many of the missing heaps of the sample a pair serves.
    fn gain(&self, missing: &[u64], offset: i32) -> u32 {
        missing.iter().enumerate().map(|(k, m)| (m & self.word(offset, k)).count_ones()).sum()
    }

    /// The `k`-th word of the row of a pair, over the sample.
    fn word(&self, offset: i32, k: usize) -> u64 {
        self.rows.word((self.rows.position(SAMPLE - 64 * k) as i64 + i64::from(offset)) as usize)
    }
}
