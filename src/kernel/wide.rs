//! The candidates of a game with many rare positions and values in a byte, 64 heaps at a time.
//!
//! The sums with *far* rare heaps, those that need only heaps before the 64, are marked for all of these at once:
//! a byte of bits a heap for every eight values. The sums with *near* ones meet few of the values that are missing
//! then; such a heap is decided by itself.

use super::simd::Simd;
use super::small::{BLOCK, LANES, Term};

/// Values that one word of a set has bits for.
const WORD: u32 = 64;
/// Values in one plane.
const PLANE: u32 = 8;
/// The largest number of values there can be room for.
pub const MOST: u32 = 256;

/// The bits of all values for one heap.
pub type Set = [u64; (MOST / WORD) as usize];

/// The planes that have bits for all values below `room`.
pub fn planes_below(room: u32) -> usize {
    room.min(MOST).div_ceil(PLANE) as usize
}

/// The terms of a game.
#[derive(Clone, Debug)]
pub struct Wide {
    room: u32,
    /// Planes for nearly all candidates.
    usual: usize,
    far: Vec<SpreadTerm>,
    near: Vec<SpreadTerm>,
}

/// A term whose `xor` is there for four heaps at once: a vector of it is one load.
#[derive(Clone, Copy, Debug)]
pub struct SpreadTerm {
    /// How many heaps back the other part lies.
    pub distance: u32,
    /// The compressed value of the one part, in each byte.
    pub xors: u32,
}

impl From<&Term> for SpreadTerm {
    fn from(term: &Term) -> SpreadTerm {
        SpreadTerm { distance: term.distance, xors: (term.xor & 255) * 0x0101_0101 }
    }
}

impl SpreadTerm {
    /// The compressed value of the one part.
    #[inline(always)]
    pub fn xor(&self) -> u8 {
        self.xors as u8
    }
}

impl Wide {
    /// The terms of a game all of whose values are below `room` so far, and nearly all below `usual`: beyond that
    /// a run of heaps takes twice as long. `None` if there cannot be so much room.
    pub fn new(terms: &[Term], room: u32, usual: u32) -> Option<Wide> {
        if room == 0 || room > MOST {
            return None;
        }
        let (near, far): (Vec<&Term>, Vec<&Term>) = terms.iter().partition(|t| (t.distance as usize) < LANES);
        let spread = |terms: Vec<&Term>| terms.into_iter().map(SpreadTerm::from).collect();
        Some(Wide { room, usual: planes_below(usual.min(room)), far: spread(far), near: spread(near) })
    }

    /// How many sums are marked for every heap.
    pub fn terms(&self) -> usize {
        self.far.len()
    }

    /// Values below this can be decided.
    pub fn room(&self) -> u32 {
        self.room
    }

    /// How many heaps before a block its terms look back.
    pub fn reach(&self) -> usize {
        self.far.iter().map(|t| t.distance as usize).max().unwrap_or(0).max(LANES)
    }

    /// Decides the candidates of `BLOCK` heaps from `at` on, until one is not below the room: says how many are.
    #[inline(always)]
    pub(super) unsafe fn block<S: Simd>(&self, c: &mut [u8], at: usize) -> usize {
        assert!(at >= self.reach() && c.len() >= at + BLOCK);
        for start in (0..BLOCK).step_by(LANES) {
            for planes in [self.usual, planes_below(self.room)] {
                let mut sets = [Set::default(); LANES];
                // SAFETY: the caller has seen to it that the CPU has the features, and the reach is there.
                let done = unsafe {
                    S::mark(c, at + start, &self.far, planes, &mut sets);
                    self.decide::<S>(c, at + start, &sets, planes)
                };
                if done {
                    break;
                }
            }
            let lanes = &c[at + start..at + start + LANES];
            if let Some(lane) = lanes.iter().position(|&v| u32::from(v) >= self.room) {
                return start + lane;
            }
        }
        BLOCK
    }

    /// Decides 64 heaps, given their sums with far rare heaps in so many planes. False if these are too few.
    #[inline(always)]
    unsafe fn decide<S: Simd>(&self, c: &mut [u8], at: usize, sets: &[Set; LANES], planes: usize) -> bool {
        let mut values = sets.map(|set| least_missing(&set, 0));
        let mut from = 0;
        // The values before the first heap that a near term meets are right, and so that heap needs another.
        loop {
            c[at..at + LANES].copy_from_slice(&values);
            // SAFETY: as for the caller.
            let met = unsafe { S::hits(c, at, &self.near, &values) };
            let lane = (met >> from << from).trailing_zeros() as usize;
            if lane >= LANES {
                break;
            }
            let meets = |value| self.near.iter().any(|t| c[at + lane - t.distance as usize] ^ t.xor() == value);
            while values[lane] < u8::MAX && meets(values[lane]) {
                values[lane] = least_missing(&sets[lane], values[lane] as usize + 1);
            }
            // The shift by 64 is not one.
            from = (lane + 1).min(LANES - 1);
        }
        values.iter().all(|&v| u32::from(v) < planes as u32 * PLANE)
    }
}

/// The least value from `from` on that is not in the set; 255 if there is none.
#[inline(always)]
fn least_missing(set: &Set, from: usize) -> u8 {
    let mut skip = (1u64 << (from % 64)) - 1;
    for (word, bits) in set.iter().enumerate().skip(from / 64) {
        let taken = bits | skip;
        if taken != u64::MAX {
            return (word * 64) as u8 + taken.trailing_ones() as u8;
        }
        skip = 0;
    }
    u8::MAX
}
