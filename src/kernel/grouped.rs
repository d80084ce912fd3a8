//! The candidates of a game with few rare positions and values below 16, four heaps at a time.
//!
//! The same as [`super::small`], for games none of whose terms looks at the last three heaps: the sets of four heaps,
//! a *group*, fit into 64 bits and do not wait for one another. A term is one OR for all of them, if a CPU has an
//! instruction that exchanges the bits of bytes: others take no less time than for one heap after the other.

use super::simd::Word;
use super::small::{BLOCK, LANES, Term};

/// Values below this can be decided.
pub const ROOM: u32 = u16::BITS;
/// Heaps in a group.
pub const GROUP: usize = 4;
/// Groups before a block whose sets are kept: near terms reach so far.
pub const KEPT: usize = 2 * LANES / GROUP;
/// More near terms than these are not worth the words.
pub const MAX_NEAR: usize = 32;
/// The values of rare heaps of near terms are below this: vectors exchange the bits of a byte.
pub const MAX_XOR: u32 = 8;
/// Terms that could be near or far, since they reach back into the run before, are near if there are so few of them:
/// then no run waits for all values of the one before.
const FEW: usize = 6;

/// A group and the one before it, so that any four heaps that end in it can be had as one word.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub struct Pair(pub [u64; 2]);

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

    /// Moves what is kept to the front, before the block at `at` is decided with the near and the far terms.
    pub fn advance(&mut self, c: &[u8], at: usize) -> (&mut Near, &[Term]) {
        assert!(at >= self.reach() && c.len() >= at + BLOCK);
        self.near.pairs.copy_within(BLOCK / GROUP.., 0);
        (&mut self.near, &self.far)
    }
}

/// The sets of the heaps of a group.
#[inline(always)]
fn to_group(sets: [u16; GROUP]) -> u64 {
    sets.iter().rev().fold(0, |group, &set| group << 16 | u64::from(set))
}
