//! Which heaps of a block have a witness for every value that needs one.
//!
//! Most are found by an OR of rows of bits for each value, for all heaps of the block at once. What these leave is
//! looked for heap by heap, 64 smaller parts at a time.

use super::simd::Simd;
use super::small::{BLOCK, LANES};

/// A bit for every heap of a block.
pub type Lanes = [u64; BLOCK / LANES];

/// Whether no lane's bit is set.
#[inline(always)]
pub fn is_empty(lanes: &Lanes) -> bool {
    lanes.iter().fold(0, |all, word| all | word) == 0
}

/// The heaps that need a witness are listed for so many values at once: what has just been stored in parts takes long
/// to load as a whole.
const AT_ONCE: usize = 16;

/// Pairs of heaps that are witnesses of one value, the best first.
#[derive(Clone, Debug)]
pub struct List {
    /// From the bit of a heap in the first row to the bit of its larger part in the row of the pair, in units of so
    /// many bits.
    offsets: Vec<i32>,
    unit: i32,
    /// The deepest of the pairs up to this one.
    depths: Vec<u32>,
    /// The least and the greatest offset, in bits.
    range: (i32, i32),
}

impl List {
    /// An empty list for offsets that are multiples of `unit`.
    pub fn new(unit: usize) -> List {
        List { offsets: Vec::new(), unit: unit as i32, depths: Vec::new(), range: (0, 0) }
    }

    /// Adds a pair: its offset in bits, and the size of its smaller part.
    pub fn push(&mut self, offset: i32, depth: u32) {
        self.range = if self.offsets.is_empty() {
            (offset, offset)
        } else {
            (self.range.0.min(offset), self.range.1.max(offset))
        };
        self.offsets.push(offset / self.unit);
        self.depths.push(self.depths.last().map_or(depth, |&d| d.max(depth)));
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// Whether a block from bit `at` on has all its rows, and 64 bits more, in `bits`.
    fn is_inside(&self, at: usize, bits: usize) -> bool {
        let start = |offset: i32| at as i64 + i64::from(offset);
        start(self.range.0) >= 0 && start(self.range.1) + ((BLOCK + 64) as i64) <= bits as i64
    }

    fn depth(&self, used: usize) -> u32 {
        self.depths[..used].last().copied().unwrap_or(0)
    }
}

/// A value that needs witnesses, and where to look for them.
#[derive(Clone, Debug)]
pub struct Target {
    /// For even and for odd heaps, the least candidate that is above the value.
    pub first_above: [u32; 2],
    /// Pairs with offsets that are multiples of 8.
    pub whole_bytes: List,
    /// Pairs with any offsets, for what the others leave.
    pub any: List,
}

/// The heaps that may be smaller parts, in descending order, so that they lie beside the larger ones.
#[derive(Clone, Debug)]
pub struct Parts {
    values: Vec<[u8; LANES]>,
    /// Which of them are common heaps.
    common: Vec<u64>,
    /// The numbers of tokens that a split takes.
    splits: Vec<usize>,
    /// How many of the smaller parts, in runs of `LANES`, are looked at last.
    last: usize,
}

impl Parts {
    /// From the compressed values of the heaps from 0 on, `None` for rare ones. The first `last` runs of `LANES` heaps
    /// are looked at after all others.
    pub fn new(small: &[Option<u8>], splits: &[u64], last: usize) -> Parts {
        let descending = |group: &[Option<u8>]| {
            let value = |k: usize| group.get(LANES - 1 - k).copied().flatten();
            let values = std::array::from_fn(|k| value(k).unwrap_or(0));
            (values, (0..LANES).fold(0, |mask, k| mask | u64::from(value(k).is_some()) << k))
        };
        let (values, common) = small.chunks(LANES).map(descending).unzip();
        Parts { values, common, splits: splits.iter().map(|&i| i as usize).collect(), last }
    }

    /// The smaller part of a witness of `v` for the heap at `n`. All heaps from `least` on are common.
    #[inline(always)]
    pub(super) unsafe fn find<S: Simd>(&self, c: &[u8], n: usize, least: usize, v: u8) -> Option<u32> {
        let last = self.last.min(self.values.len());
        for k in (last..self.values.len()).chain(0..last) {
            for &i in &self.splits {
                let Some(end) = (n - i + 1).checked_sub(LANES * k).filter(|end| *end >= least + LANES) else {
                    break;
                };
                let others = c[..end].last_chunk().expect("64 heaps");
                // SAFETY: the caller has seen to it that the CPU has the features.
                let found = unsafe { S::equal_sums(&self.values[k], others, v) } & self.common[k];
                if found != 0 {
                    return Some((LANES * k) as u32 + found.leading_zeros());
                }
            }
        }
        None
    }
}

/// What the witnesses of a block are found with.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The values, and the lists for them.
    pub targets: &'a [Target],
    /// The rows of bits.
    pub rows: &'a [u64],
    /// The bit of the first heap of the block in the first row.
    pub bit: usize,
    /// The smaller parts.
    pub parts: &'a Parts,
    /// The compressed values; the last are those of the block.
    pub heaps: &'a [u8],
    /// All heaps from this one on are common.
    pub least: usize,
}

impl Search<'_> {
    /// The heaps of the block for which no witness of a value below their candidate is found, and the depth of the
    /// witnesses of the others.
    #[inline(always)]
    pub(super) unsafe fn unproven<S: Simd>(&self) -> (Lanes, u32) {
        let block = self.heaps.last_chunk::<BLOCK>().expect("a block");
        let mut left = Lanes::default();
        let mut depth = 0;
        for (group, targets) in self.targets.chunks(AT_ONCE).enumerate() {
            let mut missing = [Lanes::default(); AT_ONCE];
            // SAFETY: the caller has seen to it that the CPU has the features.
            unsafe {
                for (missing, target) in missing.iter_mut().zip(targets) {
                    *missing = above::<S>(block, target.first_above);
                }
                for (v, (missing, target)) in missing.iter_mut().zip(targets).enumerate() {
                    if is_empty(missing) {
                        continue;
                    }
                    depth = depth.max(self.cover::<S>(target, missing));
                    if !is_empty(missing) {
                        depth = depth.max(self.find::<S>((AT_ONCE * group + v) as u8, missing, &mut left));
                    }
                }
            }
        }
        (left, depth)
    }

    /// Takes the heaps away that the lists serve, and says how deep these went.
    #[inline(always)]
    unsafe fn cover<S: Simd>(&self, target: &Target, missing: &mut Lanes) -> u32 {
        let Target { whole_bytes, any, .. } = target;
        let bits = self.rows.len() * 64;
        assert!((whole_bytes.unit, any.unit) == (8, 1));
        assert!(whole_bytes.is_inside(self.bit, bits) && any.is_inside(self.bit, bits));
        // SAFETY: the caller has seen to it that the CPU has the features; the rows are there.
        unsafe {
            let used = S::cover_whole_bytes(self.rows, self.bit / 8, &whole_bytes.offsets, missing);
            let depth = whole_bytes.depth(used);
            if is_empty(missing) {
                return depth;
            }
            let used = S::cover(self.rows, self.bit, &any.offsets, missing);
            depth.max(any.depth(used))
        }
    }

    /// Looks for a witness for each heap by itself; those without go to `left`.
    #[inline(always)]
    unsafe fn find<S: Simd>(&self, v: u8, missing: &Lanes, left: &mut Lanes) -> u32 {
        let start = self.heaps.len() - BLOCK;
        let mut depth = 0;
        for (k, &word) in missing.iter().enumerate() {
            let mut lanes = word;
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                // SAFETY: the caller has seen to it that the CPU has the features.
                match unsafe { self.parts.find::<S>(self.heaps, start + 64 * k + lane, self.least, v) } {
                    Some(q) => depth = depth.max(q),
                    None => left[k] |= 1 << lane,
                }
            }
        }
        depth
    }
}

/// The heaps of a block whose compressed value is at least `first`, for even and for odd heaps.
#[inline(always)]
pub(super) unsafe fn above<S: Simd>(block: &[u8; BLOCK], first: [u32; 2]) -> Lanes {
    let groups = block.as_chunks::<LANES>().0;
    let first = first.map(|first| first.min(255) as u8);
    // SAFETY: the caller has seen to it that the CPU has the features.
    std::array::from_fn(|k| unsafe { S::at_least(&groups[k], first) })
}

/// Writes, for each row, the bits of `heaps` that have its value. `words`: from the first word of the heaps in the
/// first row on; rows are `stride` words long.
#[inline(always)]
pub(super) unsafe fn write_rows<S: Simd>(heaps: &[u8], values: &[u8], words: &mut [u64], stride: usize) {
    for (k, lanes) in heaps.as_chunks::<LANES>().0.iter().enumerate() {
        for (row, &value) in values.iter().enumerate() {
            // SAFETY: the caller has seen to it that the CPU has the features.
            words[row * stride + k] = unsafe { S::equal(lanes, value) };
        }
    }
}
