//! Which of many pieces of work are worth the most: a greedy cover.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a piece would settle: its number, and that of the thing.
pub type Hit = (u32, u32);

/// All pieces below `pieces`, each the one that settles the most of what those before it leave. Pieces that settle the same
/// come in an order that mixes those from everywhere.
///
/// A piece never settles more than it did before another one: so most need not be counted anew (Minoux, Accelerated greedy
/// algorithms for maximizing submodular set functions, 1978).
pub fn greedy(pieces: usize, mut hits: Vec<Hit>) -> Vec<usize> {
    hits.sort_unstable();
    hits.dedup();
    let things = hits.iter().map(|hit| hit.1 as usize + 1).max().unwrap_or(0);
    let of_piece = |piece: u32| {
        let start = hits.partition_point(|hit| hit.0 < piece);
        &hits[start..start + hits[start..].partition_point(|hit| hit.0 == piece)]
    };
    let mixed = |piece: u32| Reverse(piece.wrapping_mul(0x9e37_79b9));
    let mut heap: BinaryHeap<_> =
        (0..pieces as u32).map(|piece| (of_piece(piece).len(), mixed(piece), piece)).collect();
    let mut settled = vec![false; things];
    let mut order = Vec::with_capacity(pieces);
    while let Some((before, mix, piece)) = heap.pop() {
        let hits = of_piece(piece);
        let now = hits.iter().filter(|hit| !settled[hit.1 as usize]).count();
        if now < before {
            heap.push((now, mix, piece));
            continue;
        }
        hits.iter().for_each(|hit| settled[hit.1 as usize] = true);
        order.push(piece as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// Every piece comes once, and none settles less than one that comes later would in its place.
        #[test]
        fn the_most_comes_first(hits in prop::collection::vec((0u32..20, 0u32..40), 0..200)) {
            let order = greedy(20, hits.clone());
            prop_assert_eq!(order.iter().copied().collect::<BTreeSet<_>>(), (0..20).collect());
            let mut left: BTreeSet<u32> = (0..40).collect();
            let settles = |piece: usize, left: &BTreeSet<u32>| {
                let of_piece = hits.iter().filter(|hit| hit.0 as usize == piece && left.contains(&hit.1));
                of_piece.map(|hit| hit.1).collect::<BTreeSet<_>>()
            };
            for (k, &piece) in order.iter().enumerate() {
                let now = settles(piece, &left);
                prop_assert!(order[k..].iter().all(|&other| settles(other, &left).len() <= now.len()));
                left.retain(|thing| !now.contains(thing));
            }
        }
    }
}
