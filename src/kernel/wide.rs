//! The candidates of a game with many rare positions and values in a byte, 64 heaps at a time.
//!
//! The sums with *far* rare heaps, those that need only heaps before the 64, are dealt with in two ways. The first
//! are *marked*: a byte of bits a heap for every eight values says which sums occur. That leaves few values
//! unmarked below the right one. The others are *compared*: each heap has two values that may be missing, and the
//! one that is met gives way to the next unmarked one, until all have passed all of the others. The sums with
//! *near* heaps then decide between the two, heap after heap.

use super::simd::Simd;
use super::small::{BLOCK, LANES, Term};

/// Values that one group of planes has bits for.
const GROUP: usize = 64;
/// The largest number of values there can be room for.
pub const MOST: usize = 256;
/// Far terms that are marked. More of them leave fewer values to compare: a marked term costs ten times as much.
const MARKED: usize = 384;
/// Terms that are compared between two looks at what they met.
const CHUNK: usize = 16;

/// The bits of all values for one heap.
type Set = [u64; MOST / 64];

/// The terms of a game.
#[derive(Clone, Debug)]
pub struct Wide {
    marked: Vec<Term>,
    compared: Vec<Term>,
    near: Vec<Term>,
    /// How many groups of values are marked.
    groups: usize,
}

/// The values of 64 heaps that may be missing: the least, and the next.
struct Pair {
    first: [u8; LANES],
    second: [u8; LANES],
}

impl Wide {
    /// The terms, those with the greatest worth first, for values below `room`. `None` if there is not so much.
    pub fn new(terms: &[Term], room: u32) -> Option<Wide> {
        let groups = (room as usize).div_ceil(GROUP);
        if groups > MOST / GROUP {
            return None;
        }
        let (near, far): (Vec<Term>, Vec<Term>) = terms.iter().partition(|t| (t.distance as usize) < LANES);
        let (marked, compared) = far.split_at(MARKED.min(far.len()));
        Some(Wide { marked: marked.to_vec(), compared: compared.to_vec(), near, groups })
    }

    /// Values below this can be decided.
    pub fn room(&self) -> u32 {
        (self.groups * GROUP) as u32
    }

    /// How many heaps before a block its terms look back.
    pub fn reach(&self) -> usize {
        let terms = self.marked.iter().chain(&self.compared);
        terms.map(|t| t.distance as usize).max().unwrap_or(0).max(LANES)
    }

    /// Decides the candidates of `BLOCK` heaps from `at` on; says how many there was room for.
    #[inline(always)]
    pub(super) unsafe fn block<S: Simd>(&self, c: &mut [u8], at: usize) -> usize {
        assert!(at >= self.reach() && c.len() >= at + BLOCK);
        for start in (0..BLOCK).step_by(LANES) {
            // SAFETY: the caller has seen to it that the CPU has the features, and the reach is there.
            let done = unsafe { self.lanes::<S>(c, at + start) };
            if done < LANES {
                return start + done;
            }
        }
        BLOCK
    }

    #[inline(always)]
    unsafe fn lanes<S: Simd>(&self, c: &mut [u8], at: usize) -> usize {
        let mut sets = [[u64::MAX; MOST / 64]; LANES];
        for group in 0..self.groups {
            // SAFETY: as for the caller.
            let words = unsafe { S::mark(c, at, &self.marked, (group * GROUP) as u8) };
            sets.iter_mut().zip(words).for_each(|(set, word)| set[group] = word);
        }
        let mut pair = Pair { first: [0; LANES], second: [0; LANES] };
        for (lane, set) in sets.iter().enumerate() {
            pair.first[lane] = next_missing(set, 0);
            pair.second[lane] = after(set, pair.first[lane]);
        }
        // SAFETY: as for the caller.
        unsafe {
            self.compare::<S>(c, at, &sets, &mut pair);
            self.decide::<S>(c, at, &pair)
        }
    }

    /// Replaces the values of the pairs that a term meets until none is.
    #[inline(always)]
    unsafe fn compare<S: Simd>(&self, c: &[u8], at: usize, sets: &[Set; LANES], pair: &mut Pair) {
        let chunks = self.compared.len().div_ceil(CHUNK);
        let mut passed = 0;
        for chunk in self.compared.chunks(CHUNK).cycle() {
            if passed == chunks {
                break;
            }
            // SAFETY: as for the caller.
            let (first, second) = unsafe { S::hits(c, at, chunk, &pair.first, &pair.second) };
            passed = if first | second == 0 { passed + 1 } else { 0 };
            let mut lanes = first | second;
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let next = after(&sets[lane], pair.second[lane]);
                match (first >> lane & 1, second >> lane & 1) {
                    (0, _) => pair.second[lane] = next,
                    (_, 0) => (pair.first[lane], pair.second[lane]) = (pair.second[lane], next),
                    _ => (pair.first[lane], pair.second[lane]) = (next, after(&sets[lane], next)),
                }
            }
        }
    }

    /// Decides between the values of the pairs by the near terms. Says how many heaps there was room for.
    #[inline(always)]
    unsafe fn decide<S: Simd>(&self, c: &mut [u8], at: usize, pair: &Pair) -> usize {
        c[at..at + LANES].copy_from_slice(&pair.first);
        let mut from = 0;
        // The values up to the first heap that a near term meets are right, and so that heap needs another.
        while from < LANES {
            // SAFETY: as for the caller.
            let (hit, _) = unsafe { S::hits(c, at, &self.near, &pair.first, &pair.first) };
            let lane = (hit >> from << from).trailing_zeros() as usize;
            if lane >= LANES {
                break;
            }
            let second = pair.second[lane];
            let met = self.near.iter().any(|t| c[at + lane - t.distance as usize] ^ t.xor as u8 == second);
            c[at + lane] = if met { self.plainly(c, at + lane) } else { second };
            from = lane + 1;
        }
        let room = self.room();
        c[at..at + LANES].iter().position(|&v| u32::from(v) >= room).unwrap_or(LANES)
    }

    /// One candidate from all sums.
    #[cold]
    fn plainly(&self, c: &[u8], at: usize) -> u8 {
        let mut marks = [false; MOST];
        for t in self.marked.iter().chain(&self.compared).chain(&self.near) {
            marks[(c[at - t.distance as usize] ^ t.xor as u8) as usize] = true;
        }
        marks.iter().position(|m| !m).unwrap_or(MOST - 1) as u8
    }
}

/// The least value from `from` on that is not in the set; `MOST - 1` if there is none.
#[inline(always)]
fn next_missing(set: &Set, from: usize) -> u8 {
    let mut skip = (1u64 << (from % 64)) - 1;
    for word in from / 64..MOST / 64 {
        let taken = set[word] | skip;
        if taken != u64::MAX {
            return (word * 64) as u8 + taken.trailing_ones() as u8;
        }
        skip = 0;
    }
    u8::MAX
}

#[inline(always)]
fn after(set: &Set, value: u8) -> u8 {
    if value == u8::MAX { value } else { next_missing(set, value as usize + 1) }
}
