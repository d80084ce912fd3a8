//! The candidates of a game with many rare positions and values in a byte, 64 heaps at a time.
//!
//! The sums with *far* rare heaps, those that need only heaps before the 64, are marked for all of these at once:
//! a byte of bits a heap for every eight values. Of many sums only the most useful are marked. They leave few values
//! that are not sums below the candidates, and to compare the least of those with the other sums takes a tenth of
//! the time for each. The sums with *near* rare heaps meet few of the values that are missing then; such a heap is
//! decided by itself.

use super::simd::Simd;
use super::small::{BLOCK, LANES, Term};

/// Values that one word of a set has bits for.
const WORD: u32 = 64;
/// Values in one plane.
const PLANE: u32 = 8;
/// The largest number of values there can be room for.
pub const MOST: u32 = 256;

/// Terms that are compared between two looks at what they have met.
const COMPARED: usize = 160;

/// The bits of all values for one heap.
pub type Set = [u64; (MOST / WORD) as usize];

/// The bits of all values for 64 heaps: a byte a heap for every eight values.
#[repr(align(64))]
#[derive(Clone)]
pub struct Planes(pub [[u8; LANES]; (MOST / PLANE) as usize]);

impl Default for Planes {
    fn default() -> Planes {
        Planes([[0; LANES]; (MOST / PLANE) as usize])
    }
}

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
    /// Far terms whose sums are marked.
    marked: Vec<SpreadTerm>,
    /// The other far terms.
    compared: Vec<SpreadTerm>,
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
        let (marked, near) = (spread(far), spread(near));
        Some(Wide { room, usual: planes_below(usual.min(room)), marked, compared: Vec::new(), near })
    }

    /// Makes room for more values, if there can be so much.
    pub fn widen(&mut self, room: u32) -> bool {
        let fits = room <= MOST;
        if fits {
            self.room = room;
        }
        fits
    }

    /// Marks the first `count` far terms only, in the order that `sort` puts them in.
    pub fn mark_first(&mut self, count: usize, sort: impl FnOnce(&mut Vec<SpreadTerm>)) {
        sort(&mut self.marked);
        self.compared = self.marked.split_off(count.min(self.marked.len()));
    }

    /// How many sums with far rare heaps every heap has.
    pub fn terms(&self) -> usize {
        self.marked.len() + self.compared.len()
    }

    /// Values below this can be decided.
    pub fn room(&self) -> u32 {
        self.room
    }

    /// How many heaps before a block its terms look back.
    pub fn reach(&self) -> usize {
        self.marked.iter().chain(&self.compared).map(|t| t.distance as usize).max().unwrap_or(0).max(LANES)
    }

    /// Decides the candidates of `BLOCK` heaps from `at` on, until one is not below the room: says how many are.
    #[inline(always)]
    pub(super) unsafe fn block<S: Simd>(&self, c: &mut [u8], at: usize) -> usize {
        assert!(at >= self.reach() && c.len() >= at + BLOCK);
        for start in (0..BLOCK).step_by(LANES) {
            for count in [self.usual, planes_below(self.room)] {
                let mut planes = Planes::default();
                // SAFETY: the caller has seen to it that the CPU has the features, and the reach is there.
                let done = unsafe {
                    S::mark(c, at + start, &self.marked, count, &mut planes);
                    self.decide::<S>(c, at + start, &mut planes.0[..count])
                };
                if done {
                    break;
                }
            }
            let lanes = &c[at + start..at + start + LANES];
            if let Some(lane) = lanes.iter().position(|&v| u32::from(v) >= self.room.min(255)) {
                return start + lane;
            }
        }
        BLOCK
    }

    /// Decides 64 heaps, given the sums that are marked. False if there are too few planes.
    #[inline(always)]
    unsafe fn decide<S: Simd>(&self, c: &mut [u8], at: usize, planes: &mut [[u8; LANES]]) -> bool {
        // SAFETY: as for the caller.
        let race = unsafe { self.compare::<S>(c, at, planes) };
        let mut values = race.candidates();
        let mut from = 0;
        // The values before the first heap that a near term meets are right, and so that heap needs another.
        loop {
            c[at..at + LANES].copy_from_slice(&values);
            // SAFETY: as for the caller.
            let met = unsafe {
                let [near] = S::hits(c, at, &self.near, &[values]);
                S::equal(&near, 0)
            };
            let lane = from + met.checked_shr(from as u32).unwrap_or(0).trailing_zeros() as usize;
            if lane >= LANES {
                break;
            }
            let is_sum = |terms: &[SpreadTerm], value| {
                terms.iter().any(|t| c[at + lane - t.distance as usize] ^ t.xor() == value)
            };
            let meets =
                |value| is_sum(&self.near, value) || !race.is_sure(lane, value) && is_sum(&self.compared, value);
            while values[lane] < u8::MAX && meets(values[lane]) {
                values[lane] = race.next(planes, lane, values[lane]);
            }
            from = lane + 1;
        }
        values.iter().all(|&v| v < u8::MAX)
    }

    /// Compares the terms that are not marked.
    #[inline(always)]
    unsafe fn compare<S: Simd>(&self, c: &[u8], at: usize, planes: &mut [[u8; LANES]]) -> Race {
        let group = COMPARED.max(self.compared.len().div_ceil(255));
        // SAFETY: as for the caller.
        unsafe {
            let mut race = Race::new::<S>(planes, self.compared.len().div_ceil(group) as u8);
            for terms in self.compared.chunks(group).cycle() {
                let differences = S::hits(c, at, terms, &race.open);
                if race.go_on::<S>(planes, &differences) {
                    break;
                }
            }
            race
        }
    }
}

/// Two values of each heap that are compared with groups of terms, time and again, and give way to the next ones when
/// they are met. The lower one that is not, when all groups have had their turn, is the candidate.
struct Race {
    /// The two values. The planes have them as well, and none above them but marked ones.
    open: [[u8; LANES]; 2],
    /// How many groups each of them has still to be compared with.
    left: [[u8; LANES]; 2],
    groups: u8,
}

impl Race {
    #[inline(always)]
    unsafe fn new<S: Simd>(planes: &mut [[u8; LANES]], groups: u8) -> Race {
        let all = [u8::MAX; LANES];
        // SAFETY: as for the caller.
        let open = unsafe { [S::take_missing(planes, &all), S::take_missing(planes, &all)] };
        Race { open, left: [[groups; LANES]; 2], groups }
    }

    /// Replaces the values that the next group of terms has met: those that have no difference. True if all candidates
    /// are found.
    #[inline(always)]
    unsafe fn go_on<S: Simd>(&mut self, planes: &mut [[u8; LANES]], differences: &[[u8; LANES]; 2]) -> bool {
        for ((open, left), differences) in self.open.iter_mut().zip(&mut self.left).zip(differences) {
            // Masks rather than conditions, so that this goes by vectors.
            let mut met = [0; LANES];
            for (met, difference) in met.iter_mut().zip(differences) {
                *met = mask(*difference == 0);
            }
            // SAFETY: as for the caller.
            let fresh = unsafe { S::take_missing(planes, &met) };
            for j in 0..LANES {
                let groups = self.groups & mask(fresh[j] != u8::MAX);
                open[j] = open[j] & !met[j] | fresh[j] & met[j];
                left[j] = (left[j] - left[j].min(1)) & !met[j] | groups & met[j];
            }
        }
        let ([low, high], [left_low, left_high]) = (self.open, self.left);
        let mut to_go = 0;
        for j in 0..LANES {
            let is_low = mask(low[j] < high[j]);
            to_go |= left_low[j] & is_low | left_high[j] & !is_low;
        }
        to_go == 0
    }

    /// The lower values.
    #[inline(always)]
    fn candidates(&self) -> [u8; LANES] {
        let [mut candidates, high] = self.open;
        for j in 0..LANES {
            candidates[j] = candidates[j].min(high[j]);
        }
        candidates
    }

    /// Whether all groups have been compared with a value.
    fn is_sure(&self, lane: usize, value: u8) -> bool {
        (0..2).any(|k| self.open[k][lane] == value && self.left[k][lane] == 0)
    }

    /// The next value of a heap that no marked sum has, and that is not known to be met.
    fn next(&self, planes: &[[u8; LANES]], lane: usize, value: u8) -> u8 {
        let taken = self.open.iter().map(|open| open[lane]).find(|open| *open > value);
        taken.unwrap_or_else(|| next_missing(planes, lane, value))
    }
}

/// All bits, or none.
#[inline(always)]
fn mask(all: bool) -> u8 {
    u8::from(all).wrapping_neg()
}

/// What `Simd::take_missing` does.
#[inline(always)]
pub fn take_missing(planes: &mut [[u8; LANES]], wanted: &[u8; LANES]) -> [u8; LANES] {
    let mut values = [u8::MAX; LANES];
    for (lane, value) in values.iter_mut().enumerate().filter(|(lane, _)| wanted[*lane] != 0) {
        if let Some(p) = planes.iter().position(|plane| plane[lane] != u8::MAX) {
            let bits = &mut planes[p][lane];
            *value = PLANE as u8 * p as u8 + bits.trailing_ones() as u8;
            *bits |= *bits + 1;
        }
    }
    values
}

/// The least value of one heap above `value` that is not in the planes, or 255.
fn next_missing(planes: &[[u8; LANES]], lane: usize, value: u8) -> u8 {
    let from = u32::from(value) + 1;
    let missing = |p: usize| !planes[p][lane] & (0xff00u32 << (from.saturating_sub(8 * p as u32).min(8)) >> 8) as u8;
    (from as usize / 8..planes.len())
        .find(|&p| missing(p) != 0)
        .map_or(u8::MAX, |p| 8 * p as u8 + missing(p).trailing_zeros() as u8)
}
