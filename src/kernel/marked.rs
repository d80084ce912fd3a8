//! Which heaps of a block have a witness for every value that needs one, where there are many values.
//!
//! The sums of some common heaps, of values as different as can be, and their other parts are marked as the sums
//! with rare heaps are ([`super::wide`]). The few values that are not among them are looked for one by one.

use super::simd::Simd;
use super::small::{BLOCK, LANES};
use super::wide::{MOST, Planes, Set, SpreadTerm, planes_below};
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
    /// below. `wanted`: as [`wanted`] gives it.
    pub fn new(terms: Vec<SpreadTerm>, depth: u32, usual: u32, wanted: Vec<[Set; 2]>) -> Marked {
        Marked { terms, depth, planes: planes_below(usual), wanted }
    }

    /// Takes other values as those that need witnesses.
    pub fn want(&mut self, wanted: Vec<[Set; 2]>) {
        self.wanted = wanted;
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
            // SAFETY: the caller has seen to it that the CPU has the features; the assertion, that the heaps are there.
            let sets = unsafe { self.sums::<S>(heaps, at) };
            for lane in 0..LANES {
                let wanted = &self.wanted[heaps[at + lane] as usize][lane % 2];
                for (word, (want, set)) in wanted.iter().zip(&sets).enumerate() {
                    let set = set[lane];
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

    /// The sums that each of 64 heaps has, a word for every 64 values.
    #[inline(always)]
    unsafe fn sums<S: Simd>(&self, heaps: &[u8], at: usize) -> [[u64; LANES]; 4] {
        let mut planes = Planes::default();
        let mut sums = [[0; LANES]; 4];
        // SAFETY: as for the caller.
        unsafe {
            S::mark(heaps, at, &self.terms, self.planes, &mut planes);
            for (sums, planes) in sums.iter_mut().zip(planes.0.as_chunks().0).take(self.planes.div_ceil(8)) {
                *sums = S::transpose(planes);
            }
        }
        sums
    }
}

/// For every candidate of an even and of an odd heap, the values below that need a witness. `firsts`: for each value,
/// for even and odd heaps, the least candidate above it.
pub fn wanted(firsts: &[[u32; 2]]) -> Vec<[Set; 2]> {
    let below = |candidate: u32, parity: usize| {
        let mut set = Set::default();
        for v in (0..firsts.len()).filter(|&v| firsts[v][parity] <= candidate) {
            set[v / 64] |= 1 << (v % 64);
        }
        set
    };
    (0..MOST).map(|candidate| [0, 1].map(|parity| below(candidate, parity))).collect()
}
