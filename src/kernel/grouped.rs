//! The candidates of a game with few rare positions and values below 16, four heaps at a time.
//!
//! The same as [`super::small`], for games none of whose terms looks at the last three heaps: the sets of four heaps,
//! a *group*, fit into 64 bits and do not wait for one another. A term is one OR for all of them.

use super::simd::{Simd, Word};
use super::small::{BLOCK, LANES, Term};
use super::words::translate;

/// Values below this can be decided.
pub const ROOM: u32 = u16::BITS;
/// Heaps in a group.
pub const GROUP: usize = 4;
/// More near terms than these are not worth the words.
pub const MAX_NEAR: usize = 64;
/// Different rare values of near terms are below this: vectors exchange the bits of a byte.
pub const MAX_XORS: usize = 8;

/// A group and the one before it, so that any four heaps that end in it can be had as one word.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub struct Pair(pub [u64; 2]);

impl Pair {
    /// The four heaps that begin so many before those of the later group.
    #[inline(always)]
    fn back(self, heaps: usize) -> u64 {
        let both = u128::from(self.0[1]) << 64 | u128::from(self.0[0]);
        (both >> (16 * (GROUP - heaps))) as u64
    }
}

/// A term whose heaps may be in the run of `LANES` heaps that is being decided.
#[derive(Clone, Copy, Debug)]
pub struct NearTerm {
    /// Which of the `xors` it has.
    pub xor: usize,
    /// How many groups before the one to be decided the pair is.
    pub groups: usize,
    /// How many heaps before the later group of that pair its heaps begin.
    pub heaps: usize,
}

/// The near terms, and what is known of the last heaps.
#[derive(Clone, Debug)]
pub struct Near {
    /// The different `xor` of the terms; the first is 0.
    pub xors: Vec<u32>,
    /// The terms; the nearest is the last.
    pub terms: Vec<NearTerm>,
    /// For each of `xors`, the one-element sets of the last `LANES` heaps and of the block.
    pub pairs: Vec<Vec<Pair>>,
}

/// The terms of a game, sorted by how they are computed, and what is known of the last heaps.
#[derive(Clone, Debug)]
pub struct Grouped {
    far: Vec<Term>,
    near: Near,
}

impl Grouped {
    /// Sorts the terms. `None` if some look at the last heaps, or there are too many near ones.
    pub fn new(terms: &[Term]) -> Option<Grouped> {
        let mut terms = terms.to_vec();
        // What lies furthest back is known first.
        terms.sort_unstable_by(|a, b| b.cmp(a));
        terms.dedup();
        let (far, close): (Vec<Term>, Vec<Term>) = terms.iter().partition(|t| t.distance as usize >= LANES);
        let fits = |t: &Term| t.distance as usize >= GROUP && t.xor < MAX_XORS as u32;
        if close.len() > MAX_NEAR || !close.iter().all(fits) {
            return None;
        }
        let mut xors: Vec<u32> = close.iter().map(|t| t.xor).chain([0]).collect();
        xors.sort_unstable();
        xors.dedup();
        let near = |t: &Term| NearTerm {
            xor: xors.iter().position(|&x| x == t.xor).expect("all are listed"),
            groups: t.distance as usize / GROUP,
            heaps: t.distance as usize % GROUP,
        };
        let terms = close.iter().map(near).collect();
        let pairs = vec![vec![Pair::default(); (LANES + BLOCK) / GROUP]; xors.len()];
        Some(Grouped { far, near: Near { xors, terms, pairs } })
    }

    /// How many heaps before a block its terms look back.
    pub fn reach(&self) -> usize {
        self.far.first().map_or(LANES, |t| t.distance as usize) + LANES
    }

    /// Fills what is kept of the last heaps, those before `at`, from their values.
    pub fn warm(&mut self, c: &[u8], at: usize) {
        let (groups, _) = c[at - LANES - GROUP..at].as_chunks::<GROUP>();
        for (pairs, &xor) in self.near.pairs.iter_mut().zip(&self.near.xors) {
            let group = |values: &[u8; GROUP]| to_group(values.map(|v| u16::one(u32::from(v) ^ xor)));
            for (pair, groups) in pairs[BLOCK / GROUP..].iter_mut().zip(groups.windows(2)) {
                *pair = Pair([group(&groups[0]), group(&groups[1])]);
            }
        }
    }

    /// Decides the candidates of `BLOCK` heaps from `at` on. A value that is not below the room means that
    /// there was none for the right one; it, and what follows, is void.
    #[inline(always)]
    pub(super) unsafe fn block<S: Simd>(&mut self, c: &mut [u8], at: usize) {
        assert!(at >= self.reach() && c.len() >= at + BLOCK);
        self.near.pairs.iter_mut().for_each(|pairs| pairs.copy_within(BLOCK / GROUP.., 0));
        // SAFETY: the caller has seen to it that the CPU has the features; the heaps are there.
        unsafe { S::grouped_block(&mut self.near, &self.far, c, at) }
    }
}

/// The sets of the heaps of a group.
#[inline(always)]
fn to_group(sets: [u16; GROUP]) -> u64 {
    sets.iter().rev().fold(0, |group, &set| group << 16 | u64::from(set))
}

/// See [`Simd::grouped_block`].
#[inline(always)]
pub(super) unsafe fn block<S: Simd>(near: &mut Near, far: &[Term], c: &mut [u8], at: usize) {
    let mut sets = [0; LANES];
    for start in (0..BLOCK).step_by(LANES) {
        // SAFETY: the conditions are the same.
        unsafe { S::far_words(c, at + start, far, ROOM, &mut sets) };
        let groups = sets.as_chunks().0.iter().zip(c[at + start..].as_chunks_mut().0);
        for (group, (&sets, values)) in ((LANES + start) / GROUP..).zip(groups) {
            *values = near_group(near, to_group(sets), group);
        }
    }
}

/// Decides a group. `set`: what the far terms give.
#[inline(always)]
fn near_group(near: &mut Near, set: u64, group: usize) -> [u8; GROUP] {
    const ONES: u64 = 0x0001_0001_0001_0001;
    let heaps = |term: &NearTerm| near.pairs[term.xor][group - term.groups].back(term.heaps);
    let set = near.terms.iter().fold(set, |set, term| set | heaps(term));
    // A set that is full carries into those after it, which are void.
    let missing = !set & set.wrapping_add(ONES);
    for (pairs, &xor) in near.pairs.iter_mut().zip(&near.xors) {
        pairs[group] = Pair([pairs[group - 1].0[1], translate(missing, xor)]);
    }
    std::array::from_fn(|heap| ((missing >> (16 * heap)) as u16).trailing_zeros() as u8)
}
