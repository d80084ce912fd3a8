//! Every pair of heaps, once: for games without rare positions, and for three heaps.
//!
//! All moves that leave two heaps of total `m` give the set `Sum2(m) = { g(a) ^ g(b) : a + b = m }`, whatever
//! was taken. It is computed once for each `m` and kept for the next `k` heaps, so the work does not grow with
//! the number of splitting digits. Digits that repeat for ever take the union of the sums of all totals of one
//! residue, which only grows. Three heaps are `Sum2` moved by the value of the third.
//!
//! Heaps are decided in blocks. What the pairs of earlier heaps give to each total of the block is computed in
//! parallel; the few pairs with a heap of the block itself follow in order.

use std::collections::VecDeque;
use std::ops::Range;

use rayon::prelude::*;

use crate::Rules;
use crate::for_width;
use crate::kernel::sieve::Open;
use crate::kernel::{self, Kernel, WordSet, words};
use crate::rules::{LEAVE_ONE, LEAVE_THREE, LEAVE_TWO, TAKE_ALL};

use super::{Engine, EngineError, History};

/// A block is this fraction of the heaps before it: the pairs inside a block are marked by one thread, and must
/// stay few beside the pairs before it.
const BLOCK_FRACTION: u64 = 64;
/// Smaller blocks would spend more on handing out work than on the work.
const MIN_BLOCK: u64 = 32;
/// Larger blocks would hold more sets of sums than a cache does.
const MAX_BLOCK: u64 = 1024;
/// Totals that are taken together: most of their smaller parts are the same, and stay in the first cache.
const TOGETHER: u64 = 8;
/// From this total on, the sums of three heaps are worth handing to several threads.
const PARALLEL_TRIPLES: u64 = 512;

/// The engine that marks all pairs.
pub struct Dense {
    rules: Rules,
    kernel: &'static Kernel,
    history: History,
    /// The next total whose sums are computed: it needs only the values of smaller heaps.
    next: u64,
    pairs: Totals,
    triples: Totals,
    /// For digits that repeat: the values of one, two and three heaps over all far totals, by their residue.
    far: [Vec<WordSet>; 3],
}

/// Sets of sums for consecutive totals, the oldest of which are forgotten when no digit reaches them.
struct Totals {
    first: u64,
    sets: VecDeque<WordSet>,
    keep: usize,
}

impl Totals {
    fn new(first: u64, keep: usize) -> Totals {
        Totals { first, sets: VecDeque::new(), keep }
    }

    fn push(&mut self, set: WordSet) {
        self.sets.push_back(set);
        if self.sets.len() > self.keep {
            self.sets.pop_front();
            self.first += 1;
        }
    }

    fn of(&self, total: u64) -> &WordSet {
        &self.sets[(total - self.first) as usize]
    }
}

impl Dense {
    /// Goes on from `history`, which must keep everything.
    ///
    /// Taking up a history of `n` heaps computes the sums that the next heaps need once more: those of the last
    /// `k` totals, but of all totals if digits repeat for ever or three heaps may be left.
    pub fn new(rules: &Rules, history: History) -> Dense {
        assert!(history.base() == 0, "the dense engine reads all values");
        let len = history.len();
        let reach = rules.prefix().len();
        let triples = rules.max_parts() == 3;
        let next = if triples || !rules.tail().is_empty() { 0 } else { len.saturating_sub(reach as u64) };
        let mut engine = Dense {
            rules: rules.clone(),
            kernel: kernel::best(),
            history,
            next,
            pairs: Totals::new(next, if triples { usize::MAX } else { reach + 1 }),
            triples: Totals::new(next, reach + 1),
            far: std::array::from_fn(|_| vec![WordSet::new(); rules.tail().len()]),
        };
        engine.compute(len);
        engine
    }

    /// Computes the sums of the totals below `to`, and decides those heaps that are not decided yet.
    fn compute(&mut self, to: u64) {
        while self.next < to {
            let block = (self.next / BLOCK_FRACTION).clamp(MIN_BLOCK, MAX_BLOCK);
            let end = (self.next + block).min(to);
            let known = self.history.len();
            for pairs in self.early_pairs(self.next..end, known) {
                self.step(pairs, known);
            }
        }
    }

    /// For each total of the block: the sums of two heaps that are both below `known`.
    fn early_pairs(&self, block: Range<u64>, known: u64) -> Vec<WordSet> {
        if self.rules.max_parts() < 2 {
            return vec![WordSet::new(); (block.end - block.start) as usize];
        }
        let values = self.history.recent();
        let max = values.max().unwrap_or(0);
        if let Some(open) = Open::new(max + 1) {
            return self.early_pairs_of_words(block, known, &open);
        }
        let room = (max as usize + 1).next_power_of_two();
        let sums = |marks: &mut Vec<u8>, m: u64| {
            marks.fill(0);
            if let Some((smaller, larger)) = self.splits_of(m, known) {
                for_width!(Slice, values, g => words::mark_sums(&g[smaller], &g[larger], marks));
            }
            words::gather(marks)
        };
        block.into_par_iter().map_init(|| vec![0; room], sums).collect()
    }

    /// The same for values below the room of `open`, in which all values are.
    fn early_pairs_of_words(&self, block: Range<u64>, known: u64, open: &Open) -> Vec<WordSet> {
        let values: Vec<u16> = self.history.recent().iter().map(|v| v as u16).collect();
        // Descending, so that smaller parts lie beside the larger ones.
        let reversed: Vec<u16> = values[..(block.end / 2 + 1).min(known) as usize].iter().rev().copied().collect();
        let sums = |group: u64| {
            let first = block.start + TOGETHER * group;
            let totals = first..(first + TOGETHER).min(block.end);
            let splits = totals.clone().map(|m| self.splits_of(m, known).map_or(0..0, |(smaller, _)| smaller));
            let shared = splits.clone().reduce(|a, b| a.start.max(b.start)..a.end.min(b.end));
            let shared = shared.filter(|range| !range.is_empty()).unwrap_or(0..0);
            let mut opens = vec![open.clone(); splits.clone().count()];
            if !shared.is_empty() {
                let smaller = &reversed[reversed.len() - shared.end..reversed.len() - shared.start];
                let larger = first as usize + 1 - shared.end..first as usize + opens.len() - shared.start;
                self.kernel.cross_off(&[[smaller, &values[larger]]], &mut opens);
            }
            for ((m, split), open) in totals.zip(splits).zip(&mut opens) {
                let rest = (split.start..shared.start).chain(shared.end.max(split.start)..split.end);
                rest.for_each(|a| open.remove(u32::from(values[a] ^ values[m as usize - a])));
            }
            opens.into_iter().map(|open| self.kernel.open_words(&open).closed())
        };
        let groups = (block.end - block.start).div_ceil(TOGETHER);
        (0..groups).into_par_iter().flat_map_iter(sums).collect()
    }

    /// The smaller and the larger parts of the splits of `m` into two heaps below `known`.
    fn splits_of(&self, m: u64, known: u64) -> Option<(Range<usize>, Range<usize>)> {
        let first = (m + 1).saturating_sub(known).max(1);
        let last = (first..=m / 2).rev().take(2).find(|&a| self.rules.may_split(a, m - a))?;
        Some((first as usize..last as usize + 1, (m - last) as usize..(m - first) as usize + 1))
    }

    /// Takes the sums of total `next` into account, given its pairs below `known`, and decides heap `next`.
    fn step(&mut self, mut pairs: WordSet, known: u64) {
        let n = self.next;
        self.add_late_pairs(n, known, &mut pairs);
        self.pairs.push(pairs);
        let triples = self.sums_of_three(n);
        self.triples.push(triples);
        self.add_far(n);
        if n == self.history.len() {
            let value = self.options(n).mex();
            self.history.push(value);
        }
        self.next += 1;
    }

    /// The pairs whose larger part is `known` or more.
    fn add_late_pairs(&self, m: u64, known: u64, pairs: &mut WordSet) {
        if self.rules.max_parts() < 2 {
            return;
        }
        let values = self.history.recent();
        for b in known.max(m.div_ceil(2))..m {
            if self.rules.may_split(m - b, b) {
                pairs.insert(values.get((m - b) as usize) ^ values.get(b as usize));
            }
        }
    }

    /// The sums of three heaps of total `m`: the smallest is at most a third, the others are any pair.
    fn sums_of_three(&self, m: u64) -> WordSet {
        let values = self.history.recent();
        let add = |mut set: WordSet, c: u64| {
            set.union_translated(self.pairs.of(m - c), values.get(c as usize));
            set
        };
        match m {
            _ if self.rules.max_parts() < 3 => WordSet::new(),
            0..PARALLEL_TRIPLES => (1..=m / 3).fold(WordSet::new(), add),
            _ => (1..=m / 3).into_par_iter().fold(WordSet::new, add).reduce(WordSet::new, |mut a, b| {
                a.union(&b);
                a
            }),
        }
    }

    /// Adds the one total that a repeating digit reaches from heap `n` and not from heap `n - 1`.
    fn add_far(&mut self, n: u64) {
        let far = n.checked_sub(self.rules.prefix().len() as u64);
        let Some(m) = far.filter(|&m| m > 0 && !self.rules.tail().is_empty()) else { return };
        let residue = (m % self.rules.tail().len() as u64) as usize;
        self.far[0][residue].insert(self.history.recent().get(m as usize));
        self.far[1][residue].union(self.pairs.of(m));
        self.far[2][residue].union(self.triples.of(m));
    }

    /// The values of all moves from heap `n`.
    fn options(&self, n: u64) -> WordSet {
        let mut options = WordSet::new();
        if self.rules.digit(n) & TAKE_ALL != 0 {
            options.insert(0);
        }
        for (i, &digit) in (0..n).zip(self.rules.prefix()) {
            if digit & LEAVE_ONE != 0 {
                options.insert(self.history.recent().get((n - i) as usize));
            }
            if digit & LEAVE_TWO != 0 {
                options.union(self.pairs.of(n - i));
            }
            if digit & LEAVE_THREE != 0 {
                options.union(self.triples.of(n - i));
            }
        }
        let tail = self.rules.tail();
        let far = n.saturating_sub(self.rules.prefix().len() as u64);
        for (j, &digit) in (0..far).zip(tail) {
            let residue = ((far - j) % tail.len() as u64) as usize;
            for (sets, part) in self.far.iter().zip([LEAVE_ONE, LEAVE_TWO, LEAVE_THREE]) {
                if digit & part != 0 {
                    options.union(&sets[residue]);
                }
            }
        }
        options
    }
}

impl Engine for Dense {
    fn name(&self) -> &'static str {
        "dense"
    }

    fn kernel(&self) -> &'static str {
        if self.rules.max_parts() < 2 { "words" } else { self.kernel.name() }
    }

    fn history(&self) -> &History {
        &self.history
    }

    fn extend(&mut self, to: u64) -> Result<(), EngineError> {
        let limit = u64::from(u32::MAX);
        self.compute(to.min(limit));
        if to > limit { Err(EngineError::Value { heap: limit }) } else { Ok(()) }
    }

    fn take_history(&mut self) -> History {
        std::mem::take(&mut self.history)
    }
}
