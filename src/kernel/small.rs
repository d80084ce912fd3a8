//! The candidates of a game with few rare positions and small values, heap after heap.
//!
//! Values are *compressed* (see [`crate::engine::sparse`]): one byte a heap. A set of compressed values below the
//! width of a word is a word. For the block of heaps `n` the set of values that are taken is
//!
//! `S(n) = U(n - i1) | U(n - i2) | ... | sets of moves that only take`, with
//! `U(m) =` union over the rare terms `(d, r)` of `{ c(m - d) ^ r }`,
//!
//! and the candidate is the least value that is not in `S(n)`. *Far* terms, whose heaps are all decided before a
//! run of [`LANES`] heaps begins, are done for all of these at once, in byte lanes. *Near* terms go by sets with
//! one element, kept for the last heaps: one OR each. Those are what the heaps wait for.

use super::simd::{Simd, Word};

/// Heaps in a block.
pub const BLOCK: usize = 512;
/// Heaps whose far terms are done together, and the reach of the near ones.
pub const LANES: usize = 64;

/// Near terms are ORed four at a time: fewer counts and branches.
const QUAD: usize = 4;
/// More near terms, more different rare values among them or more later terms than these are not worth the words.
const MAX_NEAR: usize = 64;
const MAX_XORS: usize = 16;
const MAX_LATER: usize = 16;

/// A sum with one rare heap: the set of options has `c(m - distance) ^ xor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Term {
    /// How many heaps back the other part lies.
    pub distance: u32,
    /// The compressed value of the rare heap.
    pub xor: u32,
}

/// The terms of a game, sorted by how they are computed, and what is known of the last heaps.
#[derive(Clone, Debug, Default)]
pub struct Small<W> {
    room: u32,
    far: Vec<Term>,
    /// The different `xor` of near terms; the first is 0.
    xors: Vec<u32>,
    /// Near terms: which of `xors`, and the distance.
    near: Vec<(usize, usize)>,
    /// Distances of further unions `U` that are part of `S`.
    unions: Vec<usize>,
    /// Distances of heaps that are options themselves, where these are no part of `U`.
    takes: Vec<usize>,
    /// `U` of the last `LANES` heaps and of the block.
    sums: Vec<W>,
    /// For each of `xors`, the one-element sets of the last `LANES` heaps and of the block.
    ones: Vec<Vec<W>>,
    none: Vec<W>,
}

impl<W: Word> Small<W> {
    /// Sorts the terms, for values below `room`: those of `U`, and the distances at which `U` and single heaps are part of `S`.
    /// The distance 0 of `U` itself is understood. `None` if a distance of the latter is too large.
    pub fn new(room: u32, terms: &[Term], unions: &[usize], takes: &[usize]) -> Option<Small<W>> {
        if room > W::BITS || unions.iter().chain(takes).any(|&i| i == 0 || i > LANES) {
            return None;
        }
        let mut terms = terms.to_vec();
        terms.sort_unstable();
        terms.dedup();
        let (far, close): (Vec<Term>, Vec<Term>) = terms.iter().partition(|t| t.distance as usize >= LANES);
        let mut xors: Vec<u32> = close.iter().map(|t| t.xor).chain([0]).collect();
        xors.sort_unstable();
        xors.dedup();
        if close.len() > MAX_NEAR || xors.len() > MAX_XORS || unions.len() + takes.len() > MAX_LATER {
            return None;
        }
        let index = |xor| xors.iter().position(|&x| x == xor).expect("all are listed");
        // The nearest comes last: it is the one that has to be waited for.
        let near = close.iter().rev().map(|t| (index(t.xor), t.distance as usize)).collect();
        let buffer = || vec![W::EMPTY; LANES + BLOCK];
        Some(Small {
            room,
            far,
            near,
            unions: unions.to_vec(),
            takes: takes.to_vec(),
            sums: buffer(),
            ones: xors.iter().map(|_| buffer()).collect(),
            none: buffer(),
            xors,
        })
    }

    /// Values below this can be decided.
    pub fn room(&self) -> u32 {
        self.room
    }

    /// How many heaps before a block its terms look back.
    pub fn reach(&self) -> usize {
        let deepest = self.far.iter().map(|t| t.distance as usize).max().unwrap_or(0);
        deepest.max(LANES) + 2 * LANES
    }

    /// Fills what is kept of the last heaps, those before `at`, from their values.
    #[inline(always)]
    pub(super) unsafe fn warm<S: Simd>(&mut self, c: &[u8], at: usize) {
        let mut far = [W::EMPTY; LANES];
        // SAFETY: the caller has seen to it that the CPU has the features.
        unsafe { S::far_words(c, at - LANES, &self.far, self.room, &mut far) };
        for j in 0..LANES {
            let near = self.near.iter().map(|&(k, d)| W::one(u32::from(c[at - LANES + j - d]) ^ self.xors[k]));
            self.sums[BLOCK + j] = near.fold(far[j], |u, one| u | one);
            for (ones, &xor) in self.ones.iter_mut().zip(&self.xors) {
                ones[BLOCK + j] = W::one(u32::from(c[at - LANES + j]) ^ xor);
            }
        }
    }

    /// Decides the candidates of `BLOCK` heaps from `at` on. A value that is not below the room means that
    /// there was none for the right one; it, and what follows, is void.
    #[inline(always)]
    pub(super) unsafe fn block<S: Simd>(&mut self, c: &mut [u8], at: usize) {
        assert!(at >= self.reach() && c.len() >= at + BLOCK);
        self.sums.copy_within(BLOCK.., 0);
        self.ones.iter_mut().for_each(|ones| ones.copy_within(BLOCK.., 0));
        let mut far = [W::EMPTY; LANES];
        for start in (0..BLOCK).step_by(LANES) {
            // SAFETY: as above.
            unsafe { S::far_words(c, at + start, &self.far, self.room, &mut far) };
            match self.xors.len() {
                1 => self.near_with::<1>(&mut c[at..], start, &far),
                2 => self.near_with::<2>(&mut c[at..], start, &far),
                3 => self.near_with::<3>(&mut c[at..], start, &far),
                4 => self.near_with::<4>(&mut c[at..], start, &far),
                _ => self.near_with::<0>(&mut c[at..], start, &far),
            }
        }
    }

    #[inline(always)]
    fn near_with<const X: usize>(&mut self, c: &mut [u8], start: usize, far: &[W; LANES]) {
        match self.near.len().div_ceil(QUAD) {
            0 | 1 => self.near::<X, 1>(c, start, far),
            2 => self.near::<X, 2>(c, start, far),
            3 => self.near::<X, 3>(c, start, far),
            4 => self.near::<X, 4>(c, start, far),
            _ => self.near::<X, 0>(c, start, far),
        }
    }

    /// The near terms of `LANES` heaps, one heap after the other. `X`: how many `xors`, `Q`: how many times four
    /// near terms; 0 for any number. The pointers stay in registers where these are known.
    #[inline(always)]
    fn near<const X: usize, const Q: usize>(&mut self, c: &mut [u8], start: usize, far: &[W; LANES]) {
        let first = start + LANES;
        let none = self.none.as_ptr();
        let mut terms = [[none; QUAD]; MAX_NEAR / QUAD];
        let quads = if Q > 0 { Q } else { self.near.len().div_ceil(QUAD) };
        let mut ones = [std::ptr::null_mut(); MAX_XORS];
        self.ones.iter_mut().zip(&mut ones).for_each(|(v, p)| *p = v[first..first + LANES].as_mut_ptr());
        let sums = self.sums[first..first + LANES].as_mut_ptr();
        let mut xors = [0; MAX_XORS];
        xors[..self.xors.len()].copy_from_slice(&self.xors);
        let count = if X > 0 { X } else { self.xors.len() };
        let mut later = [none; MAX_LATER];
        // SAFETY: distances are at most LANES, and `first >= LANES`: all pointers stay within the vectors that they
        // come from, for the LANES words from them on, and nothing else refers to these vectors meanwhile.
        unsafe {
            for (t, &(k, d)) in self.near.iter().enumerate() {
                terms[t / QUAD][t % QUAD] = ones[k].sub(d);
            }
            let unions = self.unions.iter().map(|&i| sums.sub(i).cast_const());
            let takes = self.takes.iter().map(|&i| ones[0].sub(i).cast_const());
            unions.chain(takes).zip(&mut later).for_each(|(p, slot)| *slot = p);
            let later = &later[..self.unions.len() + self.takes.len()];
            for (j, (&far, c)) in far.iter().zip(&mut c[start..start + LANES]).enumerate() {
                let mut set = far;
                for quad in &terms[..quads] {
                    set = set | (*quad[0].add(j) | *quad[1].add(j)) | (*quad[2].add(j) | *quad[3].add(j));
                }
                if !later.is_empty() {
                    *sums.add(j) = set;
                    for term in later {
                        set = set | *term.add(j);
                    }
                }
                let value = set.mex();
                *c = value as u8;
                *ones[0].add(j) = set.least_missing();
                for k in 1..count {
                    *ones[k].add(j) = W::one(value ^ xors[k]);
                }
            }
        }
    }
}
