//! The definition, for every family of games: the oracle that all other engines are compared with.
//! It is never optimised.

use std::collections::HashSet;

use crate::Rules;

/// The least non-negative integer that is not in the set.
pub fn mex(set: &HashSet<u32>) -> u32 {
    (0..).find(|v| !set.contains(v)).expect("a finite set misses a value")
}

/// The nim-values of heaps 0 to `to`, `to` included, by the definition: the mex over all moves of the
/// nim-sum of the heaps that the move leaves.
///
/// ```
/// let kayles = "0.77".parse().unwrap();
/// assert_eq!(sprague::engine::naive::values(&kayles, 8), [0, 1, 2, 3, 1, 4, 3, 2, 1]);
/// ```
pub fn values(rules: &Rules, to: u64) -> Vec<u32> {
    let mut g: Vec<u32> = Vec::new();
    for n in 0..=to {
        g.push(value(rules, n, |heap| g[heap as usize]));
    }
    g
}

/// The nim-value of heap `n` by the definition, given those of smaller heaps.
pub fn value(rules: &Rules, n: u64, g: impl Fn(u64) -> u32) -> u32 {
    mex(&rules.moves(n).map(|m| m.parts.iter().fold(0, |sum, &heap| sum ^ g(heap))).collect())
}
