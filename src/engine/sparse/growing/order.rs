//! In which order the smaller parts of pairs are tried.
//!
//! Heaps that lie close together have similar values in many games, so that their sums are a few values again and again. So after the
//! least parts, among which are many rare heaps, come blocks that lie some way apart, then those between them.

use std::ops::Range;

/// Parts of a block.
const BLOCK: usize = if cfg!(test) { 1 << 8 } else { 1 << 10 };
/// Blocks from the beginning of one to that of the next: which is best depends on the game.
pub const STRIDES: [usize; 3] = [1, 8, 32];

/// The order for a number of heaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Order {
    /// Parts below this come first.
    least: usize,
    /// No part of a block is from here on.
    end: usize,
    stride: usize,
}

impl Order {
    /// For all pairs that so many known heaps make up, whose parts below `least` come first, and one of the strides.
    pub fn new(least: usize, heaps: usize, stride: usize) -> Order {
        let end = heaps / 2;
        Order { least, end, stride: (stride * BLOCK).min(end.next_power_of_two() / 16).max(BLOCK) }
    }

    /// The blocks in order: each part from the least on is in one of them.
    pub fn blocks(self) -> impl Iterator<Item = Range<usize>> + Clone {
        let sweep = move |first: usize| (first..self.end).step_by(self.stride);
        let starts = (0..self.stride).step_by(BLOCK).flat_map(move |offset| sweep(self.least + offset));
        starts.map(move |start| start..self.end.min(start + BLOCK))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_in_one_block() {
        for (least, heaps) in
            [(0, 0), (0, 1), (5, 9), (0, 1000), (512, 4099), (1024, 20_000), (9_000, 20_000), (11_000, 20_000)]
        {
            for stride in STRIDES {
                let mut parts: Vec<usize> = Order::new(least, heaps, stride).blocks().flatten().collect();
                parts.sort_unstable();
                assert!(parts.into_iter().eq(least..least.max(heaps / 2)), "{least} {heaps} {stride}");
            }
        }
    }
}
