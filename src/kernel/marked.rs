//! Which heaps of a block have a witness for every value that needs one, where there are many values.
//!
//! The sums of some common heaps, of values as different as can be, and their other parts are marked as the sums
//! with rare heaps are ([`super::wide`]). The few values that are not among them are looked for one by one.

use super::simd::Simd;
use super::small::{BLOCK, LANES, Term};
use super::wide::{MOST, Set, SpreadTerm, planes_below};
use super::witness::{Lanes, Parts};

/// The sums to mark, and the values that need witnesses.
#[derive(Clone, Debug)]
pub struct Marked {
    terms: Vec<SpreadTerm>,
    /// The largest smaller part in the terms.
    depth: u32,
    planes: usize,
    /// For every candidate of an even and of an odd heap, the values below that need a witness.
    wanted: Vec<[Set; 2]>,
}

impl Marked {
    /// `terms`: sums of two common heaps, the smaller of them at most `depth`. `usual`: nearly all candidates are
    /// below. `firsts`: for each value, for even and odd heaps, the least candidate above it.
    pub fn new(terms: &[Term], depth: u32, usual: u32, firsts: &[[u32; 2]]) -> Marked {
        let terms = terms.iter().map(SpreadTerm::from).collect();
        let mut marked = Marked { terms, depth, planes: planes_below(usual), wanted: Vec::new() };
        marked.want(firsts);
        marked
    }

    /// Takes other values as those that need witnesses.
    pub fn want(&mut self, firsts: &[[u32; 2]]) {
        let below = |candidate: u32, parity: usize| {
            let mut set = Set::default();
            for v in (0..firsts.len()).filter(|&v| firsts[v][parity] <= candidate) {
                set[v / 64] |= 1 << (v % 64);
            }
            set
        };
        self.wanted = (0..MOST).map(|candidate| [0, 1].map(|parity| below(candidate, parity))).collect();
    }

    /// How many heaps before a block its terms look back.
    pub fn reach(&self) -> usize {
        self.terms.iter().map(|t| t.distance as usize).max().unwrap_or(0)
    }

    /// The heaps of a block for which no witness of a value below their candidate is found, and the depth of the
    /// witnesses of the others. `heaps`: compressed values, the last are those of the block; all from `least` on are
    /// common, and the reach is there.
    #[inline(always)]
    pub(super) unsafe fn unproven<S: Simd>(&self, parts: &Parts, heaps: &[u8], least: usize) -> (Lanes, u32) {
        let start = heaps.len() - BLOCK;
        assert!(start >= least + self.reach());
        let mut left = Lanes::default();
        let mut depth = self.depth;
        for (k, left) in left.iter_mut().enumerate() {
            let at = start + LANES * k;
            let mut sets = [Set::default(); LANES];
            // SAFETY: the caller has seen to it that the CPU has the features; the assertion, that the heaps are there.
            unsafe { S::mark(heaps, at, &self.terms, self.planes, &mut sets) };
            for (lane, set) in sets.iter().enumerate() {
                let wanted = &self.wanted[heaps[at + lane] as usize][lane % 2];
                for (word, (want, set)) in wanted.iter().zip(set).enumerate() {
                    let mut missing = want & !set;
                    while missing != 0 {
                        let v = 64 * word as u32 + missing.trailing_zeros();
                        missing &= missing - 1;
                        // SAFETY: as above.
                        match unsafe { parts.find::<S>(heaps, at + lane, least, v as u8) } {
                            Some(q) => depth = depth.max(q),
                            None => *left |= 1 << lane,
                        }
                    }
                }
            }
        }
        (left, depth)
    }
}
