//! In which order the smaller parts of pairs are tried.
//!
//! Heaps that lie close together have similar values in many games, so that their sums are a few values again and again.
//! So after the least parts, among which are many rare heaps, come blocks from everywhere: first those that give the most of what
//! the last heaps needed, which the next ones need as well.

use std::ops::Range;

/// Parts of a block.
const BLOCK: usize = if cfg!(test) { 1 << 8 } else { 1 << 10 };
/// Blocks that are looked at.
const LOOKED_AT: usize = 2048;

/// Blocks of smaller parts from `least` on, from everywhere among so many known heaps.
pub fn blocks(least: usize, heaps: usize) -> Vec<Range<usize>> {
    let end = heaps / 2;
    let step = (end.saturating_sub(least) / LOOKED_AT).next_multiple_of(BLOCK).max(BLOCK);
    (least..end).step_by(step).map(|start| start..end.min(start + BLOCK)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_apart_and_from_everywhere() {
        for (least, heaps) in [(0, 0), (5, 9), (5, 12), (1024, 20_000), (11_000, 20_000), (1024, 40_000_000)] {
            let blocks = blocks(least, heaps);
            assert!(blocks.iter().all(|parts| parts.start >= least && parts.end <= heaps / 2 && !parts.is_empty()));
            assert!(blocks.windows(2).all(|pair| pair[0].end <= pair[1].start));
            assert!(blocks.len() <= 2 * LOOKED_AT);
            let gaps = blocks.windows(2).map(|pair| pair[1].start - pair[0].end);
            assert!(gaps.max().unwrap_or(0) <= heaps / LOOKED_AT + BLOCK);
            assert_eq!(blocks.is_empty(), heaps / 2 <= least);
        }
    }
}
