//! Which heaps of a block have a witness for every value that needs one: an OR of rows of bits for each value.

use super::simd::Simd;
use super::small::{BLOCK, LANES};

/// A bit for every heap of a block.
pub type Lanes = [u64; BLOCK / LANES];

/// Whether no lane's bit is set.
#[inline(always)]
pub fn is_empty(lanes: &Lanes) -> bool {
    lanes.iter().fold(0, |all, word| all | word) == 0
}

/// Pairs of heaps that are witnesses of one value, the best first.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// From the bit of a heap in the first row to the bit of its larger part in the row of the pair.
    offsets: Vec<i32>,
    /// The deepest of the pairs up to this one.
    depths: Vec<u32>,
    /// The least and the greatest offset.
    range: (i32, i32),
}

impl List {
    /// Adds a pair: its offset, and the size of its smaller part.
    pub fn push(&mut self, offset: i32, depth: u32) {
        self.range = if self.offsets.is_empty() {
            (offset, offset)
        } else {
            (self.range.0.min(offset), self.range.1.max(offset))
        };
        self.offsets.push(offset);
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

/// The heaps of the block that have no witness in the lists for a value below their candidate, and the depth of
/// the lists that were used. `at`: the bit of the first heap of the block in the first row, a multiple of 8.
#[inline(always)]
pub(super) unsafe fn unproven<S: Simd>(
    targets: &[Target],
    rows: &[u64],
    at: usize,
    block: &[u8; BLOCK],
) -> (Lanes, u32) {
    let mut left = Lanes::default();
    let mut depth = 0;
    for Target { first_above, whole_bytes, any } in targets {
        assert!(whole_bytes.is_inside(at, rows.len() * 64) && any.is_inside(at, rows.len() * 64));
        // SAFETY: the caller has seen to it that the CPU has the features; the rows are there.
        unsafe {
            let mut missing = above::<S>(block, *first_above);
            if is_empty(&missing) {
                continue;
            }
            let used = S::cover_whole_bytes(rows, at, &whole_bytes.offsets, &mut missing);
            depth = depth.max(whole_bytes.depth(used));
            if !is_empty(&missing) {
                let used = S::cover(rows, at, &any.offsets, &mut missing);
                depth = depth.max(any.depth(used));
                left.iter_mut().zip(missing).for_each(|(l, m)| *l |= m);
            }
        }
    }
    (left, depth)
}

/// The heaps of a block whose compressed value is at least `first`, for even and for odd heaps.
#[inline(always)]
pub(super) unsafe fn above<S: Simd>(block: &[u8; BLOCK], first: [u32; 2]) -> Lanes {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let groups = block.as_chunks::<LANES>().0;
    let [even, odd] = first.map(|first| first.min(255) as u8);
    // SAFETY: the caller has seen to it that the CPU has the features.
    std::array::from_fn(|k| unsafe {
        let evens = S::at_least(&groups[k], even);
        if even == odd { evens } else { evens & EVEN | S::at_least(&groups[k], odd) & !EVEN }
    })
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
