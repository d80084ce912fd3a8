//! The candidates of a game with many rare positions and values in a byte, 64 heaps at a time.
//!
//! The sums with *far* rare heaps, those that need only heaps before the 64, are marked for all of these at once:
//! a byte of bits a heap for every eight values. The sums with *near* ones meet few of the values that are missing
//! then; such a heap is decided by itself.

use super::simd::Simd;
use super::small::{BLOCK, LANES, Term};

/// Values that one group of planes has bits for.
const GROUP: u32 = 64;
/// Values in one plane.
const PLANE: u32 = 8;
/// The largest number of values there can be room for.
pub const MOST: u32 = 256;

/// The bits of all values for one heap.
type Set = [u64; (MOST / GROUP) as usize];

/// The terms of a game.
#[derive(Clone, Debug)]
pub struct Wide {
    room: u32,
    /// For each group of values, the far terms that can have such a sum.
    far: Vec<Vec<Term>>,
    near: Vec<Term>,
}

impl Wide {
    /// The terms of a game all of whose values are below `room` so far. `None` if there cannot be so much room.
    pub fn new(terms: &[Term], room: u32) -> Option<Wide> {
        if room == 0 || room > MOST {
            return None;
        }
        let (near, far): (Vec<Term>, Vec<Term>) = terms.iter().partition(|t| (t.distance as usize) < LANES);
        let planes = room.div_ceil(PLANE);
        let reaches = |group: u32, term: &Term| {
            let first = group * GROUP / PLANE;
            (first..planes.min(first + GROUP / PLANE)).any(|plane| plane ^ (term.xor / PLANE) < planes)
        };
        let terms_of = |group| far.iter().copied().filter(|term| reaches(group, term)).collect();
        Some(Wide { room, far: (0..room.div_ceil(GROUP)).map(terms_of).collect(), near })
    }

    /// Values below this can be decided.
    pub fn room(&self) -> u32 {
        self.room
    }

    /// How many heaps before a block its terms look back.
    pub fn reach(&self) -> usize {
        self.far.iter().flatten().map(|t| t.distance as usize).max().unwrap_or(0).max(LANES)
    }

    /// Decides the candidates of `BLOCK` heaps from `at` on, until one is not below the room: says how many are.
    #[inline(always)]
    pub(super) unsafe fn block<S: Simd>(&self, c: &mut [u8], at: usize) -> usize {
        assert!(at >= self.reach() && c.len() >= at + BLOCK);
        for start in (0..BLOCK).step_by(LANES) {
            let mut sets = [Set::default(); LANES];
            for (group, terms) in self.far.iter().enumerate() {
                // SAFETY: the caller has seen to it that the CPU has the features, and the reach is there.
                let words = unsafe { S::mark(c, at + start, terms, (group as u32 * GROUP) as u8) };
                sets.iter_mut().zip(words).for_each(|(set, word)| set[group] = word);
            }
            // SAFETY: as above.
            unsafe { self.decide::<S>(c, at + start, &sets) };
            let lanes = &c[at + start..at + start + LANES];
            if let Some(lane) = lanes.iter().position(|&v| u32::from(v) >= self.room) {
                return start + lane;
            }
        }
        BLOCK
    }

    /// Decides 64 heaps, given their sums with far rare heaps.
    #[inline(always)]
    unsafe fn decide<S: Simd>(&self, c: &mut [u8], at: usize, sets: &[Set; LANES]) {
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
            let meets = |value| self.near.iter().any(|t| c[at + lane - t.distance as usize] ^ t.xor as u8 == value);
            while values[lane] < u8::MAX && meets(values[lane]) {
                values[lane] = least_missing(&sets[lane], values[lane] as usize + 1);
            }
            // The shift by 64 is not one.
            from = (lane + 1).min(LANES - 1);
        }
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
