//! The sparse rule while new rare heaps keep coming: 32 heaps at a time.
//!
//! Every pair with a small part, up to a depth, is tried for each heap at once, whatever its class: that settles
//! nearly all values. What is left of the common class is compared with the sums of the other rare heaps
//! ([`race`]), and what is left of the rare class is looked for among the other pairs. Pairs with both parts in the
//! 32 heaps or close to them come last, heap by heap; a new rare heap is no special case among these.

mod race;

use crate::kernel::Kernel;
use crate::kernel::sieve::{self, HEAPS, Open, Sum};
use crate::rules::TAKE_ALL;

use super::decide::Decided;
use super::{History, RareSpace, Shape};
use race::race;

/// Smaller parts below this are tried for every heap. A larger depth settles more values, a smaller one leaves more
/// to the sums of rare heaps, of which there are fewer.
const DEPTH: usize = 1 << 15;
/// Fewer heaps than these are not worth the work.
pub const FIRST: u64 = 1 << 12;
/// With fewer rare heaps the plain rule is fast enough, and says how deep its witnesses are more precisely.
const MANY: usize = 256;
/// Pairs that are tried between two looks at what is left, when a witness is looked for.
const STRETCH: usize = 2048;

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
    sums: Vec<Sum>,
    /// How many rare heaps have been looked at for these.
    rares: usize,
    /// For even and for odd heaps: the values of the common class.
    common: [Bits; 2],
}

/// What the heaps before a block say of one of its heaps.
pub struct Far {
    open: Open,
    /// The least value of the common class that no sum with an earlier heap has.
    candidate: u32,
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
            sums: Vec::new(),
            rares: 0,
            common: [0, 1].map(|parity| std::array::from_fn(|k| word(parity, k))),
        }
    }

    /// Takes up what has been decided since.
    pub fn catch_up(&mut self, shape: &Shape, history: &History, space: &RareSpace) {
        let len = history.len();
        self.values.extend(history.range(self.values.len() as u64, len).iter().map(|v| v as u16));
        let needed = self.values.len() / 2 + HEAPS;
        if self.reversed.len() < needed {
            let end = (needed + needed / 4).min(self.values.len());
            self.reversed = self.values[..end].iter().rev().copied().collect();
        }
        let depth = DEPTH.min(1 << (len / 2).ilog2());
        if depth > self.depth {
            self.depth = depth;
            self.sums.clear();
            self.rares = space.positions().partition_point(|&p| p < depth as u64);
        }
        let rares = space.positions().iter().zip(space.values()).skip(self.rares);
        for (&p, &value) in rares.take_while(|(p, _)| **p + shape.reach() < len) {
            let sum = |i: &u64| Sum { distance: (p + i) as u32, xor: value as u16 };
            self.sums.extend(shape.splits.iter().map(sum));
            self.rares += 1;
        }
    }

    /// What the decided heaps say of the next `HEAPS`.
    pub fn far(&self, shape: &Shape, space: &RareSpace) -> Vec<Far> {
        let n = self.values.len();
        let mut opens: Vec<Open> = Vec::with_capacity(HEAPS);
        let mut lanes = Vec::with_capacity(HEAPS);
        let fresh = Open::new(space.max_value() + 1).expect("the values suit");
        for lane in 0..HEAPS {
            let mut open = fresh.clone();
            for &i in &shape.splits {
                // With a smaller part than this the other heap is not decided yet.
                let first = (lane + 1).saturating_sub(i as usize).max(1);
                self.try_pairs(n + lane - i as usize, first, self.depth, &mut open);
            }
            let words = self.kernel.open_words(&open);
            let common = &self.common[(n + lane) % 2];
            lanes.push(std::array::from_fn(|k| words.words().get(k).map_or(0, |word| word & common[k])));
            opens.push(open);
        }
        let candidates = race(self.kernel, &self.values, &self.sums, &lanes, fresh.room());
        opens.into_iter().zip(candidates).map(|(open, candidate)| Far { open, candidate }).collect()
    }

    /// Takes the sums out whose smaller part is from `first` to `end - 1`, for one total.
    fn try_pairs(&self, total: usize, first: usize, end: usize, open: &mut Open) {
        if first < end {
            let smaller = self.reversed.len() - end..self.reversed.len() - first;
            self.kernel.cross_off(&self.reversed[smaller], &self.values[total - end + 1..=total - first], open);
        }
    }

    /// Decides the next heap, the `lane`-th of a block. `None` if the plain rule has to.
    pub fn finish(&self, shape: &Shape, far: &mut Far, lane: usize) -> Option<Decided> {
        let Far { open, candidate } = far;
        let n = self.values.len();
        for &i in &shape.splits {
            let total = n - i as usize;
            for a in 1..(lane + 1).saturating_sub(i as usize) {
                open.remove(u32::from(self.values[a] ^ self.values[total - a]));
            }
        }
        shape.takes.iter().for_each(|&i| open.remove(u32::from(self.values[n - i as usize])));
        if shape.rules.digit(n as u64) & TAKE_ALL != 0 {
            open.remove(0);
        }
        open.contains(*candidate).then(|| self.exclude(shape, open, *candidate))
    }

    /// Looks for a witness of every value of the rare class below the candidate.
    fn exclude(&self, shape: &Shape, open: &Open, candidate: u32) -> Decided {
        let n = self.values.len();
        let common = &self.common[n % 2];
        let words = self.kernel.open_words(open);
        let mut wanted = Open::none(open.room());
        for (k, word) in words.words().iter().enumerate().take(candidate as usize / 64 + 1) {
            values_of(k, word & !common[k]).take_while(|&v| v < candidate).for_each(|v| wanted.insert(v));
        }
        let mut depth = self.depth;
        while !wanted.is_empty() && 2 * depth <= n {
            let end = (depth + STRETCH).min(n / 2 + 1);
            for &i in &shape.splits {
                // The two parts of a total that is smaller than `n` may change places.
                let total = n - i as usize;
                self.try_pairs(total, depth, end.min(total), &mut wanted);
            }
            depth = end;
        }
        let least = self.kernel.open_words(&wanted).least();
        Decided { value: least.unwrap_or(candidate), depth: if candidate > 0 { depth as u64 - 1 } else { 0 } }
    }

    /// Takes a decided value.
    pub fn push(&mut self, value: u32) {
        self.values.push(value as u16);
    }
}

/// The values whose bits are set in word `k`, ascending.
fn values_of(k: usize, mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros())?;
        word &= word - 1;
        Some(64 * k as u32 + bit)
    })
}
