//! Witnesses for whole blocks of heaps.
//!
//! For a few of the most frequent values `u` there is a row of bits that says which heaps have it. A common heap
//! `q` whose value is `v ^ u` then gives a witness of `v` to every heap `n` whose other part `n - i - q` has its
//! bit in that row: one OR for a whole block. For every `v` there are two lists of such pairs. In the first the
//! parts lie whole bytes of bits away; the second has all of them, for what the first has left.

use std::cmp::Reverse;

use crate::kernel::Kernel;
use crate::kernel::small::{BLOCK, LANES};
use crate::kernel::witness::{Lanes, List, Parts, Search, Target};

use super::pairs::{SAMPLE, Supply};
use super::rows::Rows;

/// How many heaps before the first of a block may be needed beyond the depth.
pub const MARGIN: usize = SAMPLE + BLOCK;
/// Rows. More of them find more witnesses in a smaller depth, and take more time to write.
const ROWS: usize = 32;
/// A pair comes into a list if it is likely to serve so many heaps of a block: one heap by itself takes some
/// thirty times as long.
const WORTH: f64 = 0.03;
/// The same for pairs whose rows must be shifted.
const WORTH_SHIFTED: f64 = 0.02;

/// The rows, and the lists for the values from 0 on.
#[derive(Clone, Debug)]
pub struct Witnesses {
    rows: Rows,
    parts: Parts,
    targets: Vec<Target>,
}

impl Witnesses {
    /// Chooses rows and lists. `tail`: compressed values of the last heaps, a multiple of `LANES`, at least
    /// `small.len()`, the largest split and `MARGIN`; heaps that `common` denies are left out. `small`: the
    /// compressed values of the heaps from 0 on that may be smaller parts, `None` for rare ones. `splits`: the
    /// numbers of tokens that a split takes. `firsts`: for each value, for even and odd heaps, the least
    /// candidate above it.
    pub fn choose(
        kernel: &Kernel,
        tail: &[u8],
        common: impl Fn(usize) -> bool,
        small: &[Option<u8>],
        splits: &[u64],
        firsts: impl Iterator<Item = [u32; 2]>,
    ) -> Witnesses {
        let sample = tail[tail.len() - SAMPLE..].as_chunks::<BLOCK>().0;
        let deepest = small.len() + splits.iter().copied().max().unwrap_or(0) as usize;
        let mut rows = Rows::new(most_frequent(sample.as_flattened()), deepest + MARGIN);
        let tail = &tail[tail.len() - (deepest + SAMPLE).next_multiple_of(LANES)..];
        rows.append(kernel, tail);
        (0..tail.len()).filter(|i| !common(*i)).for_each(|i| rows.clear(tail.len() - i));
        let supply = Supply::new(&rows, splits, small);
        let target = |(v, first_above): (u32, [u32; 2])| {
            let mut wanted: Vec<u64> = sample.iter().flat_map(|b| kernel.above(b, first_above)).collect();
            if wanted.iter().all(|&w| w == 0) {
                wanted.fill(u64::MAX);
            }
            let words = wanted.len();
            let whole_bytes = supply.list(v, &mut wanted, words - words / 4..words, 8, WORTH);
            let any = supply.list(v, &mut wanted, 0..words, 1, WORTH_SHIFTED);
            Target { first_above, whole_bytes, any }
        };
        let targets = (0..).zip(firsts).map(target).collect();
        Witnesses { rows, parts: Parts::new(small, splits, 0), targets }
    }

    /// Sees to it that there is a target for each of `firsts`; new ones have no lists yet.
    pub fn extend_to(&mut self, firsts: impl Iterator<Item = [u32; 2]>) {
        let fresh = firsts.skip(self.targets.len());
        let target = |first_above| Target { first_above, whole_bytes: List::new(8), any: List::new(1) };
        self.targets.extend(fresh.map(target));
    }

    /// Adds heaps, a multiple of `LANES`.
    pub fn append(&mut self, kernel: &Kernel, values: &[u8]) {
        values.chunks(BLOCK).for_each(|block| self.rows.append(kernel, block));
    }

    /// Takes the last blocks back. False if the rows do not reach so far: then they are of no use any more.
    pub fn forget(&mut self, blocks: usize) -> bool {
        // Rows hold `MARGIN` heaps more than the block after them needs, itself included.
        let fits = (blocks + 1) * BLOCK <= MARGIN;
        if fits {
            self.rows.forget(blocks * BLOCK);
        }
        fits
    }

    /// Adds the last block of `heaps`, and proves it as [`Witnesses::unproven`] does.
    pub fn prove(&mut self, kernel: &Kernel, heaps: &[u8], least: usize) -> (Lanes, u32) {
        self.append(kernel, &heaps[heaps.len() - BLOCK..]);
        self.unproven(kernel, heaps, least)
    }

    /// The heaps of the last block appended for which no witness of a rare-class value below them is found, and the
    /// depth of the witnesses of the others. `heaps`: compressed values, the last are those of the block; from
    /// `least` on all are common.
    pub fn unproven(&self, kernel: &Kernel, heaps: &[u8], least: usize) -> (Lanes, u32) {
        let Witnesses { rows, parts, targets } = self;
        kernel.unproven(&Search { targets, rows: rows.words(), bit: rows.position(BLOCK), parts, heaps, least })
    }
}

/// The values that occur most often.
fn most_frequent(sample: &[u8]) -> Vec<u8> {
    let mut counts = [0usize; 256];
    sample.iter().for_each(|&c| counts[c as usize] += 1);
    let mut values: Vec<u8> = (0..=255).filter(|&v| counts[v as usize] > 0).collect();
    values.sort_by_key(|&v| Reverse(counts[v as usize]));
    values.truncate(ROWS);
    values
}
