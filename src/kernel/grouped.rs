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
/// Groups before a block whose sets are kept: near terms reach so far.
pub const KEPT: usize = 2 * LANES / GROUP;
/// More near terms than these are not worth the words.
pub const MAX_NEAR: usize = 32;
/// The values of rare heaps of near terms are below this: vectors exchange the bits of a byte.
const MAX_XOR: u32 = 8;
/// Terms that could be near or far, since they reach back into the run before, are near if there are so few of them:
/// then no run waits for all values of the one before.
const FEW: usize = 6;

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

/// A term whose heaps are taken from the pairs.
#[derive(Clone, Copy, Debug)]
pub struct NearTerm {
    /// The compressed value of the rare heap.
    pub xor: u32,
    /// How many groups before the one to be decided the pair is.
    pub groups: usize,
    /// How many heaps before the later group of that pair its heaps begin.
    pub heaps: usize,
}

impl NearTerm {
    fn new(term: &Term) -> NearTerm {
        let distance = term.distance as usize;
        NearTerm { xor: term.xor, groups: distance / GROUP, heaps: distance % GROUP }
    }
}

/// The near terms, and what is known of the last heaps.
#[derive(Clone, Debug)]
pub struct Near {
    /// The terms; the nearest is the last.
    pub terms: Vec<NearTerm>,
    /// The one-element sets of the last `KEPT` groups and of the block.
    pub pairs: Vec<Pair>,
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
        let run_back = LANES as u32..2 * LANES as u32;
        let middle: Vec<&Term> = terms.iter().filter(|t| run_back.contains(&t.distance)).collect();
        let few = middle.len() <= FEW && middle.iter().all(|t| t.xor < MAX_XOR);
        let from = if few { run_back.end } else { run_back.start };
        let (far, near): (Vec<Term>, Vec<Term>) = terms.iter().partition(|t| t.distance >= from);
        let fits = |t: &Term| t.distance as usize >= GROUP && t.xor < MAX_XOR;
        if near.len() > MAX_NEAR || !near.iter().all(fits) {
            return None;
        }
        let terms = near.iter().map(NearTerm::new).collect();
        Some(Grouped { far, near: Near { terms, pairs: vec![Pair::default(); KEPT + BLOCK / GROUP] } })
    }

    /// How many heaps before a block its terms look back.
    pub fn reach(&self) -> usize {
        let deepest = self.far.first().map_or(0, |t| t.distance as usize);
        deepest.max(KEPT * GROUP) + LANES
    }

    /// Fills what is kept of the last heaps, those before `at`, from their values.
    pub fn warm(&mut self, c: &[u8], at: usize) {
        let (groups, _) = c[at - (KEPT + 1) * GROUP..at].as_chunks::<GROUP>();
        let group = |values: &[u8; GROUP]| to_group(values.map(|v| u16::one(v.into())));
        for (pair, groups) in self.near.pairs[BLOCK / GROUP..].iter_mut().zip(groups.windows(2)) {
            *pair = Pair([group(&groups[0]), group(&groups[1])]);
        }
    }

    /// Decides the candidates of `BLOCK` heaps from `at` on. A value that is not below the room means that
    /// there was none for the right one; it, and what follows, is void.
    #[inline(always)]
    pub(super) unsafe fn block<S: Simd>(&mut self, c: &mut [u8], at: usize) {
        assert!(at >= self.reach() && c.len() >= at + BLOCK);
        self.near.pairs.copy_within(BLOCK / GROUP.., 0);
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
        for (group, (&sets, values)) in (KEPT + start / GROUP..).zip(groups) {
            *values = near_group(near, to_group(sets), group);
        }
    }
}

/// Decides a group. `set`: what the far terms give.
#[inline(always)]
fn near_group(near: &mut Near, set: u64, group: usize) -> [u8; GROUP] {
    const ONES: u64 = 0x0001_0001_0001_0001;
    let sums = |term: &NearTerm| translate(near.pairs[group - term.groups].back(term.heaps), term.xor);
    let set = near.terms.iter().fold(set, |set, term| set | sums(term));
    // A set that is full carries into those after it, which are void.
    let missing = !set & set.wrapping_add(ONES);
    near.pairs[group] = Pair([near.pairs[group - 1].0[1], missing]);
    std::array::from_fn(|heap| ((missing >> (16 * heap)) as u16).trailing_zeros() as u8)
}
