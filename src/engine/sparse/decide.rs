//! The sparse rule for one heap, in plain words: what the engine runs, and what `verify` recomputes with.

use crate::engine::history::View;
use crate::rules::TAKE_ALL;
use crate::values::Cell;

use super::{RareSpace, Shape};

/// How many pairs are marked between two looks at what is still missing. A look costs `W` words; a chunk is the
/// precision of the depth that is reported.
const CHUNK: u64 = 32;

/// The value of a heap, and how deep the search for its witnesses went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decided {
    /// The nim-value.
    pub value: u32,
    /// An upper bound of the smaller parts of its witnesses: 0 if it needed none.
    pub depth: u64,
}

/// The rule with its marks: `W` words hold every value that a sum of known values can have.
pub struct Decider<'a, const W: usize> {
    shape: &'a Shape,
    /// For even and for odd heaps: the values of the common class.
    common: [[u64; W]; 2],
    marks: [u64; W],
}

impl<'a, const W: usize> Decider<'a, W> {
    /// The rule of a game with the mask of a rare space.
    pub fn new(shape: &'a Shape, space: &RareSpace) -> Decider<'a, W> {
        let mut common = [[0; W]; 2];
        for (parity, words) in common.iter_mut().enumerate() {
            for v in (0..W * 64).filter(|&v| space.mask().class(parity as u64, v as u32) == 1) {
                words[v / 64] |= 1 << (v % 64);
            }
        }
        Decider { shape, common, marks: [0; W] }
    }

    /// The value of heap `n`, or `None` if the history no longer holds a value that is needed.
    pub fn decide<T: Cell>(&mut self, n: u64, history: &View<'_, T>, space: &RareSpace) -> Option<Decided> {
        self.marks = [0; W];
        self.mark_takes(n, history)?;
        if self.all_in_reach(n, history, space) {
            self.mark_rare_sums_in_reach(n, history, space);
        } else {
            self.mark_rare_sums(n, history, space)?;
        }
        let common = self.common[(n % 2) as usize];
        // A sum of known values is below 64 W, so 64 W itself is never marked.
        let candidate = least_set::<W>(std::array::from_fn(|w| common[w] & !self.marks[w])).unwrap_or(W as u32 * 64);
        self.exclude(n, candidate, history)
    }

    fn mark(&mut self, value: u32) {
        // W is a power of two: the mask keeps the index in range without a check.
        self.marks[(value / 64) as usize & (W - 1)] |= 1 << (value % 64);
    }

    fn mark_takes<T: Cell>(&mut self, n: u64, history: &View<'_, T>) -> Option<()> {
        let shape = self.shape;
        if shape.rules.digit(n) & TAKE_ALL != 0 {
            self.mark(0);
        }
        for &i in shape.takes.iter().take_while(|&&i| i < n) {
            self.mark(history.get(n - i)?);
        }
        Some(())
    }

    /// Whether every rare heap can be a part of every split of `n`, the other part being a recent heap.
    fn all_in_reach<T: Cell>(&self, n: u64, history: &View<'_, T>, space: &RareSpace) -> bool {
        n > history.base + self.shape.reach() + space.last()
            && (self.shape.splits_freely() || n > 2 * space.last())
            && n >= 3 + self.shape.reach()
    }

    /// The sums of a rare heap and another, for a heap `n` that passes `all_in_reach`.
    fn mark_rare_sums_in_reach<T: Cell>(&mut self, n: u64, history: &View<'_, T>, space: &RareSpace) {
        let shape = self.shape;
        for &i in &shape.splits {
            let rest = n - i - history.base;
            for (&r, &value) in space.positions().iter().zip(space.values()) {
                self.mark(value ^ history.recent[(rest - r) as usize].value());
            }
        }
    }

    /// The same for any heap.
    fn mark_rare_sums<T: Cell>(&mut self, n: u64, history: &View<'_, T>, space: &RareSpace) -> Option<()> {
        let shape = self.shape;
        for rest in shape.splits.iter().filter_map(|i| n.checked_sub(*i)) {
            for (&r, &value) in space.positions().iter().zip(space.values()).take_while(|(r, _)| **r < rest) {
                if shape.rules.may_split(r, rest - r) {
                    self.mark(value ^ history.get(rest - r)?);
                }
            }
        }
        Some(())
    }

    /// Finds a witness for every value of the rare class below the candidate. The least one that has none, or
    /// else the candidate, is the value of the heap.
    fn exclude<T: Cell>(&mut self, n: u64, candidate: u32, history: &View<'_, T>) -> Option<Decided> {
        let common = self.common[(n % 2) as usize];
        let wanted: [u64; W] = std::array::from_fn(|w| !common[w] & below(candidate, w));
        let missing = |marks: &[u64; W]| std::array::from_fn(|w| wanted[w] & !marks[w]);
        let mut depth = 0;
        let mut next = 1;
        while least_set::<W>(missing(&self.marks)).is_some() && 2 * next <= n {
            let end = (next + CHUNK).min(n / 2 + 1);
            self.mark_sums_of(n, next, end, history)?;
            depth = end - 1;
            next = end;
        }
        let value = least_set(missing(&self.marks)).unwrap_or(candidate);
        Some(Decided { value, depth })
    }

    /// Marks the sums whose smaller part is in `from..to`.
    fn mark_sums_of<T: Cell>(&mut self, n: u64, from: u64, to: u64, history: &View<'_, T>) -> Option<()> {
        let shape = self.shape;
        for rest in shape.splits.iter().filter_map(|i| n.checked_sub(*i)) {
            for a in from..to.min(rest / 2 + 1) {
                if shape.rules.may_split(a, rest - a) {
                    self.mark(history.get(a)? ^ history.get(rest - a)?);
                }
            }
        }
        Some(())
    }
}

/// The least value whose bit is set.
fn least_set<const W: usize>(words: [u64; W]) -> Option<u32> {
    (0..W).find(|&w| words[w] != 0).map(|w| w as u32 * 64 + words[w].trailing_zeros())
}

/// The bits of word `w` that stand for values below `limit`.
fn below(limit: u32, w: usize) -> u64 {
    match (limit as usize).saturating_sub(w * 64) {
        0 => 0,
        bits @ 1..64 => (1 << bits) - 1,
        _ => u64::MAX,
    }
}
