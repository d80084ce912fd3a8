//! Which candidates are sums with a fixed heap: many sums against many candidates.
//!
//! Candidates stand in lanes, several for one heap where it has many to try: a lane is given the value of any of the
//! heaps of its family, which are loaded together.

/// Heaps that are loaded together, and lanes in a slot.
pub const HEAPS: usize = 32;
/// Lanes for each heap on average.
pub const SLOTS: usize = 2;
/// Heaps that lanes with the same number divided by this can choose from.
pub const FAMILY: usize = 8;

/// What a kernel does fastest with many sums with fixed heaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManySums {
    /// It looks them up among the open values: [`Kernel::cross_off_sums`](super::Kernel::cross_off_sums).
    LookedUp,
    /// It compares candidates with them: [`Kernel::met`](super::Kernel::met).
    Compared,
    /// It takes those of one heap after the other.
    Marked,
}

/// A sum with a fixed heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    /// How far back the other heap is.
    pub(super) distance: u32,
    /// The value of the fixed heap, twice: it can be loaded into lanes of two bytes as it is.
    pub(super) xor: u32,
}

impl Sum {
    /// The sum of a heap that has the value `xor` with the heap `distance` back.
    pub fn new(distance: u32, xor: u16) -> Sum {
        Sum { distance, xor: u32::from(xor) << 16 | u32::from(xor) }
    }

    /// How far back the other heap is.
    pub fn distance(&self) -> usize {
        self.distance as usize
    }

    /// The value of the fixed heap.
    pub fn xor(&self) -> u16 {
        self.xor as u16
    }
}

/// Sums, and how far back they reach.
#[derive(Clone, Debug)]
pub struct Sums {
    sums: Vec<Sum>,
    least: u32,
    most: u32,
}

impl Default for Sums {
    fn default() -> Sums {
        Sums { sums: Vec::new(), least: u32::MAX, most: 0 }
    }
}

impl FromIterator<Sum> for Sums {
    fn from_iter<I: IntoIterator<Item = Sum>>(sums: I) -> Sums {
        let mut all = Sums::default();
        sums.into_iter().for_each(|sum| all.push(sum));
        all
    }
}

impl Sums {
    /// Adds a sum.
    pub fn push(&mut self, sum: Sum) {
        self.least = self.least.min(sum.distance);
        self.most = self.most.max(sum.distance);
        self.sums.push(sum);
    }

    /// All of them in the order in which they came.
    pub fn as_slice(&self) -> &[Sum] {
        &self.sums
    }

    /// Whether `values` has `lanes` heaps from each distance before `at` on.
    pub(super) fn are_within(&self, values: &[u16], at: usize, lanes: usize) -> bool {
        self.sums.is_empty() || self.most as usize <= at && at + lanes <= values.len() + self.least as usize
    }
}

/// Candidates in their lanes.
#[derive(Clone, Debug)]
pub struct Lanes {
    pub(super) values: [[u16; HEAPS]; SLOTS],
    /// For each lane the bytes that the value of its heap has among those of its family.
    pub(super) picks: [[u16; HEAPS]; SLOTS],
}

impl Default for Lanes {
    /// In each lane value 0 of the first heap of its family.
    fn default() -> Lanes {
        Lanes { values: [[0; HEAPS]; SLOTS], picks: [[pick(0); HEAPS]; SLOTS] }
    }
}

impl Lanes {
    /// Puts a candidate of `heap`, which must be one of the family of the lane, into a lane.
    pub fn set(&mut self, slot: usize, lane: usize, heap: usize, value: u16) {
        debug_assert_eq!(lane / FAMILY, heap / FAMILY);
        self.values[slot][lane] = value;
        self.picks[slot][lane] = pick(heap);
    }

    /// The heap whose value the lane is given.
    pub(super) fn heap(&self, slot: usize, lane: usize) -> usize {
        lane / FAMILY * FAMILY + usize::from(self.picks[slot][lane] & 0xff) / 2
    }
}

/// The two bytes of a heap's value.
const fn pick(heap: usize) -> u16 {
    let first = 2 * (heap % FAMILY) as u16;
    (first + 1) << 8 | first
}

/// The lanes whose candidate is a sum, in plain code.
#[inline(always)]
pub(super) fn met(values: &[u16], at: usize, sums: &[Sum], lanes: &Lanes) -> [u32; SLOTS] {
    let met = |slot: usize, lane: usize| {
        let (heap, value) = (at + lanes.heap(slot, lane), lanes.values[slot][lane]);
        sums.iter().any(|sum| values[heap - sum.distance()] ^ sum.xor() == value)
    };
    std::array::from_fn(|slot| (0..HEAPS).rev().fold(0, |mask, lane| mask << 1 | u32::from(met(slot, lane))))
}
