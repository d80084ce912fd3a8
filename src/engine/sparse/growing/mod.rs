//! The sparse rule while new rare heaps keep coming: up to a thousand heaps at a time.
//!
//! Every pair with a small part, up to a depth, is tried for each heap at once, whatever its class: that settles
//! nearly all values. What is left of the common class is looked for among the sums of the other rare heaps, or the least
//! values of it are compared with them ([`race`]); what is left of the rare class is looked for among the other pairs.
//! Pairs with a part that is in these heaps come last, heap by heap; a new rare heap is no special case among these.

mod race;

use std::ops::Range;
use std::slice;

use rayon::prelude::*;

use crate::kernel::Kernel;
use crate::kernel::met::{HEAPS, ManySums, Sum, Sums};
use crate::kernel::sieve::{self, Open};
use crate::rules::TAKE_ALL;

use super::decide::Decided;
use super::{History, RareSpace, Shape};
use race::race;

/// Fewer heaps than these are not worth the work.
pub const FIRST: u64 = 1 << 12;
/// With fewer rare heaps the plain rule is fast enough, and says how deep its witnesses are more precisely.
const MANY: usize = 256;
/// Pairs that are tried between two looks at what is left, when a witness is looked for; more where it has been looked for
/// among many.
const STRETCH: usize = 2048;
/// So many of them are shared by the threads.
const SHARED: usize = 1 << 16;
/// Groups of heaps that are worked at at once, at most: sums with the same rare heap lie side by side, and what was loaded
/// for one group serves the next. With more, too many pairs are near.
const GROUPS: usize = 32;
/// For each of so many values there is a group more: those of few heaps are in a cache anyway.
const CACHED: usize = 1 << 17;
/// The pairs that are not near are so many times as many as those that are, at least.
const FAR: usize = 8;
/// So many values above the largest known one are looked at.
const ABOVE: u32 = 32;
/// Pairs with smaller parts below this are crossed off, as measured with 0.007. A larger depth settles more values, a smaller
/// one leaves more to the sums of rare heaps, of which there are fewer.
const DEPTH: usize = 1 << 15;
/// Pairs that are crossed off in the time that a single sum takes.
const PAIRS_A_SUM: usize = 2;
/// Heaps that are taken together when it is asked whether rare heaps are crowded.
const NEIGHBOURS: usize = 4096;

/// A bit for every value there can be room for.
type Bits = [u64; sieve::MOST as usize / 64];

/// What the block-wise computation keeps of the values.
pub struct Growing {
    kernel: &'static Kernel,
    /// All values.
    values: Vec<u16>,
    /// The values of the first heaps, descending: smaller parts lie beside the larger ones.
    reversed: Vec<u16>,
    depth: usize,
    /// The sums with rare heaps that are no smaller than the depth.
    sums: Sums,
    /// How far rare heaps are so many that looking all pairs up is faster than taking their sums one by one, and how
    /// many of the sums are with these.
    crowded: (usize, usize),
    /// How many rare heaps have been looked at for these.
    rares: usize,
    /// For even and for odd heaps: the values of the common class.
    common: [Bits; 2],
}

/// What pairs of heaps before a block say of one of its heaps.
pub struct Far {
    /// What no pair gives whose smaller part is below the depth, and not near.
    open: Open,
    /// The least value of the common class in it that no other sum with a rare heap has, if that is known.
    candidate: Option<u32>,
    /// Smaller parts below this are left to be tried.
    near: usize,
}

impl Growing {
    /// Whether this is the way to decide the heaps after `history`.
    pub fn suits(shape: &Shape, history: &History, space: &RareSpace) -> bool {
        let len = history.len();
        (FIRST..u64::from(u32::MAX)).contains(&len)
            && history.base() == 0
            && shape.splits_freely()
            && shape.reach() < len / 4
            && space.positions().len() >= MANY
            && space.max_value() < sieve::MOST
    }

    /// For a game and values that it suits.
    pub fn new(kernel: &'static Kernel, space: &RareSpace) -> Growing {
        let mask = space.mask();
        let word = |parity, k: usize| {
            (0..64).fold(0, |bits, v| bits | u64::from(mask.class(parity, (64 * k + v) as u32)) << v)
        };
        Growing {
            kernel,
            values: Vec::new(),
            reversed: Vec::new(),
            depth: 0,
            sums: Sums::default(),
            crowded: (0, 0),
            rares: 0,
            common: [0, 1].map(|parity| std::array::from_fn(|k| word(parity, k))),
        }
    }

    /// Takes up what has been decided since.
    pub fn catch_up(&mut self, shape: &Shape, history: &History, space: &RareSpace) {
        let len = history.len();
        self.values.extend(history.range(self.values.len() as u64, len).iter().map(|v| v as u16));
        let needed = self.values.len() / 2 + GROUPS * HEAPS;
        if self.reversed.len() < needed {
            let end = (needed + needed / 4).min(self.values.len());
            self.reversed = self.values[..end].iter().rev().copied().collect();
        }
        let depth = DEPTH.min(1 << (len / 2).ilog2());
        if depth > self.depth {
            self.depth = depth;
            self.sums = Sums::default();
            self.crowded = (depth, 0);
            self.rares = space.positions().partition_point(|&p| p < depth as u64);
        }
        let rares = space.positions().iter().zip(space.values()).skip(self.rares);
        for (&p, &value) in rares.take_while(|(p, _)| **p + shape.reach() < len) {
            shape.splits.iter().for_each(|i| self.sums.push(Sum::new((p + i) as u32, value as u16)));
            self.rares += 1;
        }
        self.find_crowded(shape, space);
    }

    /// Looks how much further rare heaps are crowded, among those whose sums are known.
    fn find_crowded(&mut self, shape: &Shape, space: &RareSpace) {
        let rares = &space.positions()[..self.rares];
        let before = |heap: usize| rares.partition_point(|&p| p < heap as u64);
        loop {
            let (from, _) = self.crowded;
            let to = from + NEIGHBOURS;
            if to > self.values.len() / 2 || before(to) - before(from) < NEIGHBOURS / PAIRS_A_SUM {
                break;
            }
            self.crowded = (to, shape.splits.len() * (before(to) - before(self.depth)));
        }
    }

    /// How many groups of `HEAPS` heaps are to be taken together: as many for each thread, as far
    /// as there may be so many.
    pub fn groups(&self) -> usize {
        let worth = (self.values.len() / CACHED).clamp(1, GROUPS);
        worth.next_multiple_of(rayon::current_num_threads()).min(GROUPS).min(self.depth / FAR / HEAPS)
    }

    /// What the decided heaps say of the next `HEAPS` times `groups`.
    pub fn far(&self, shape: &Shape, space: &RareSpace, groups: usize) -> Vec<Far> {
        let near = HEAPS * groups;
        let mut opens = vec![Open::below(bound(space.max_value())); near];
        let each = HEAPS * groups.div_ceil(rayon::current_num_threads());
        let candidates = opens.par_chunks_mut(each).enumerate().flat_map_iter(|(k, opens)| {
            let n = self.values.len() + k * each;
            self.cross_off_pairs(shape, n, near, opens);
            self.cross_off_sums(n, opens)
        });
        let candidates: Vec<Option<u32>> = candidates.collect();
        opens.into_iter().zip(candidates).map(|(open, candidate)| Far { open, candidate, near }).collect()
    }

    /// Takes the pairs out whose smaller part is from `near` to the depth, for the heaps from `n` on.
    fn cross_off_pairs(&self, shape: &Shape, n: usize, near: usize, opens: &mut [Open]) {
        let smaller = &self.reversed[self.reversed.len() - self.depth..self.reversed.len() - near];
        for &i in &shape.splits {
            let total = n - i as usize;
            let larger = &self.values[total + 1 - self.depth..total + opens.len() - near];
            self.kernel.cross_off(smaller, larger, opens);
        }
    }

    /// Takes the other sums with rare heaps out, or finds the least value of the common class that is none of them.
    fn cross_off_sums(&self, n: usize, opens: &mut [Open]) -> Vec<Option<u32>> {
        match self.kernel.many_sums() {
            ManySums::LookedUp => {
                self.kernel.cross_off_sums(&self.values, n, &self.sums, 0..self.sums.as_slice().len(), opens);
                (n..).zip(opens).map(|(n, open)| least_from(&self.of_class(open, n, 1), 0)).collect()
            }
            ManySums::Compared => {
                let groups = (n..).step_by(HEAPS).zip(opens.as_chunks::<HEAPS>().0);
                let found = groups.flat_map(|(n, opens)| {
                    let lanes: Vec<Bits> = (n..).zip(opens).map(|(n, open)| self.of_class(open, n, 1)).collect();
                    race(self.kernel, &self.values, n, &self.sums, &lanes)
                });
                found.collect()
            }
            ManySums::Marked => vec![None; opens.len()],
        }
    }

    /// The open values that are of a class for heap `n`.
    fn of_class(&self, open: &Open, n: usize, class: u64) -> Bits {
        let words = self.kernel.open_words(open);
        let common = &self.common[n % 2];
        std::array::from_fn(|k| {
            words.words().get(k).map_or(0, |word| word & if class == 1 { common[k] } else { !common[k] })
        })
    }

    /// Takes the sums out whose smaller part is from `first` to `end - 1`, for one total.
    fn try_pairs(&self, total: usize, first: usize, end: usize, open: &mut Open) {
        if first < end {
            let smaller = self.reversed.len() - end..self.reversed.len() - first;
            let larger = &self.values[total - end + 1..=total - first];
            self.kernel.cross_off(&self.reversed[smaller], larger, slice::from_mut(open));
        }
    }

    /// Decides the next heap. `None` if its value is above all that are looked at.
    pub fn decide(&self, shape: &Shape, far: &mut Far) -> Option<Decided> {
        let Far { open, candidate, near } = far;
        let n = self.values.len();
        for &i in &shape.splits {
            self.try_pairs(n - i as usize, 1, *near, open);
        }
        shape.takes.iter().for_each(|&i| open.remove(u32::from(self.values[n - i as usize])));
        if shape.rules.digit(n as u64) & TAKE_ALL != 0 {
            open.remove(0);
        }
        let known = candidate.filter(|&candidate| open.contains(candidate));
        let candidate = known.or_else(|| self.candidate(shape, open))?;
        Some(self.exclude(shape, open, candidate))
    }

    /// The least value of the common class that is open when all sums with rare heaps have been taken out. They have
    /// been, where they are looked up.
    fn candidate(&self, shape: &Shape, open: &mut Open) -> Option<u32> {
        let n = self.values.len();
        if self.kernel.many_sums() == ManySums::LookedUp {
            return least_from(&self.of_class(open, n, 1), 0);
        }
        let (end, sums) = self.crowded;
        shape.splits.iter().for_each(|&i| self.try_pairs(n - i as usize, self.depth, end, open));
        open.remove_sums(&self.values, n, &self.sums.as_slice()[sums..]);
        least_from(&self.of_class(open, n, 1), 0)
    }

    /// Looks for a witness of every value of the rare class below the candidate.
    fn exclude(&self, shape: &Shape, open: &Open, candidate: u32) -> Decided {
        let n = self.values.len();
        let mut wanted = Open::none(open.room());
        let rare = self.of_class(open, n, 0);
        std::iter::successors(least_from(&rare, 0), |&value| least_from(&rare, value + 1))
            .take_while(|&value| value < candidate)
            .for_each(|value| wanted.insert(value));
        let mut depth = self.depth;
        while !wanted.is_empty() && 2 * depth <= n {
            let end = (depth + STRETCH.max(depth / 8)).min(n / 2 + 1);
            self.look_for_witnesses(shape, depth..end, &mut wanted);
            depth = end;
        }
        let least = self.kernel.open_words(&wanted).least();
        Decided { value: least.unwrap_or(candidate), depth: if candidate > 0 { depth as u64 - 1 } else { 0 } }
    }

    /// Takes the sums of the next heap out whose smaller part is one of those.
    fn look_for_witnesses(&self, shape: &Shape, parts: Range<usize>, wanted: &mut Open) {
        let n = self.values.len();
        let look = |parts: Range<usize>, wanted: &mut Open| {
            for &i in &shape.splits {
                // The two parts of a total that is smaller than `n` may change places.
                let total = n - i as usize;
                self.try_pairs(total, parts.start, parts.end.min(total), wanted);
            }
        };
        if parts.len() < SHARED {
            return look(parts, wanted);
        }
        let shares = (parts.start..parts.end).into_par_iter().step_by(SHARED / 2);
        let left = shares.map(|start| {
            let mut left = wanted.clone();
            look(start..parts.end.min(start + SHARED / 2), &mut left);
            left
        });
        *wanted = left.reduce(|| wanted.clone(), Open::intersection);
    }

    /// Takes a decided value.
    pub fn push(&mut self, value: u32) {
        self.values.push(value as u16);
    }
}

/// Values from here on are not looked at: a few above the largest known one are, since that is where new ones are.
fn bound(max_value: u32) -> u32 {
    (max_value + ABOVE).min((max_value + 1).next_power_of_two())
}

/// The least value from `from` on that is in the set.
fn least_from(set: &Bits, from: u32) -> Option<u32> {
    let mut within = u64::MAX << (from % 64);
    for (k, word) in set.iter().enumerate().skip(from as usize / 64) {
        if word & within != 0 {
            return Some(64 * k as u32 + (word & within).trailing_zeros());
        }
        within = u64::MAX;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Values;
    use crate::engine::sparse::Mask;
    use crate::kernel::variants;

    /// More threads than groups do not make more groups: so far, and no further, small parts are kept beside the larger ones.
    #[test]
    fn groups_are_bounded() {
        let shape = Shape::of(&"0.007".parse().unwrap()).unwrap();
        let values: Values = (0..400_001).map(|_| 0).collect();
        let space = RareSpace::new(Mask { bits: u32::MAX, domain: None }, values.as_slice());
        let history = History::from_parts(Values::new(), values, 0, None);
        let mut growing = Growing::new(crate::kernel::best(), &space);
        growing.catch_up(&shape, &history, &space);
        for (threads, groups) in [(1, 3), (2, 4), (3, 3), (GROUPS + 1, GROUPS), (3 * GROUPS, GROUPS)] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| growing.groups()), groups, "{threads} threads");
        }
    }

    /// A witness in one of the shares is found, and nothing else is taken out.
    #[test]
    fn threads_share_the_search_for_witnesses() {
        let shape = Shape::of(&"0.007".parse().unwrap()).unwrap();
        for late in [SHARED / 2, 2 * SHARED + 7] {
            let values: Values = (0..400_001).map(|n| u32::from(n == late)).collect();
            let space = RareSpace::new(Mask { bits: u32::MAX, domain: None }, values.as_slice());
            let history = History::from_parts(Values::new(), values, 0, None);
            for kernel in variants() {
                let mut growing = Growing::new(kernel, &space);
                growing.catch_up(&shape, &history, &space);
                for parts in [SHARED / 4..SHARED, SHARED / 4..2 * SHARED + 8, 1..late, late..late + 1] {
                    let mut wanted = Open::below(4);
                    growing.look_for_witnesses(&shape, parts.clone(), &mut wanted);
                    let found = [parts.len() > 1, parts.contains(&late), false, false];
                    let is_found = |value: u32| !wanted.contains(value);
                    assert_eq!([0, 1, 2, 3].map(is_found), found, "{}: {parts:?}", kernel.name());
                }
            }
        }
    }
}
