//! Crossing sums off a set of values that are still open, for values that need two bytes.
//!
//! Marking a sum is one store. Where most values are marked already, it pays to ask first: many sums at a time are
//! looked up in the set of open values, and only those that are in it are taken out one by one.

use super::met::Sum;
use super::simd::Simd;
use super::words::WordSet;

/// Values in one table.
pub const TABLE: u32 = 2048;
/// Bytes in one table.
pub(super) const BYTES: usize = 256;
/// Tables at most.
pub(super) const MOST_TABLES: usize = 4;
/// All values must be below this.
pub const MOST: u32 = TABLE * MOST_TABLES as u32;

/// Values of smaller parts, and of the larger ones beside them.
pub type Pairs<'a> = [&'a [u16]; 2];

/// A set of values that no sum has had yet.
///
/// Value `v` is bit `v / 256 % 8` of byte `v % 256` in table `v / 2048`: the lower byte of a sum chooses a byte
/// as it is, and the upper byte the table and the bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    pub(super) bytes: [[u8; BYTES]; MOST_TABLES],
    pub(super) tables: usize,
}

impl Open {
    /// All values below `room`, rounded up to 2048 times a power of two. `None` if that is more than [`MOST`].
    pub fn new(room: u32) -> Option<Open> {
        let tables = tables(room);
        (tables <= MOST_TABLES).then(|| Open::below(tables as u32 * TABLE))
    }

    /// All values below `bound`, which is at most [`MOST`], with the room that [`Open::new`] makes.
    pub fn below(bound: u32) -> Open {
        let mut open = Open::none(bound);
        (0..bound).for_each(|value| open.insert(value));
        open
    }

    /// No values, with the room that [`Open::new`] makes.
    pub fn none(room: u32) -> Open {
        Open { bytes: [[0; BYTES]; MOST_TABLES], tables: tables(room) }
    }

    /// How many values are open.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        let words = self.bytes[..self.tables].as_flattened().as_chunks().0.iter();
        words.map(|&word| u64::from_ne_bytes(word).count_ones() as usize).sum()
    }

    /// Puts a value in that is below the room.
    pub fn insert(&mut self, value: u32) {
        self.bytes[(value / TABLE) as usize][value as usize % BYTES] |= bit(value);
    }

    /// One more than the largest value that can be open.
    pub fn room(&self) -> u32 {
        self.tables as u32 * TABLE
    }

    /// From now on only values below `room`, rounded up as by [`Open::new`], are looked at and taken out. The others stay
    /// as they are, for when there is room for them again; [`Open::remove`] takes them out nonetheless.
    pub fn set_room(&mut self, room: u32) {
        self.tables = tables(room);
    }

    /// Has each value change places with its sum with `power`: 0, or the size of one table or several.
    pub fn exchange(&mut self, power: u32) {
        let step = (power / TABLE) as usize;
        (0..MOST_TABLES).filter(|table| table & step > 0).for_each(|table| self.bytes.swap(table, table - step));
    }

    /// Takes a value out.
    #[inline(always)]
    pub fn remove(&mut self, value: u32) {
        if let Some(table) = self.bytes.get_mut((value / TABLE) as usize) {
            table[value as usize % BYTES] &= !bit(value);
        }
    }

    /// Takes the sums of heap `n` out.
    pub fn remove_sums(&mut self, values: &[u16], n: usize, sums: &[Sum]) {
        let mut marks = [0; MOST as usize];
        for sum in sums {
            marks[usize::from(values[n - sum.distance()] ^ sum.xor()) % MOST as usize] = 1;
        }
        self.remove_marked(&marks);
    }

    /// Takes the values out that are not open in another set.
    pub fn intersect(&mut self, other: &Open) {
        let bytes = self.bytes.as_flattened_mut().iter_mut();
        bytes.zip(other.bytes.as_flattened()).for_each(|(byte, other)| *byte &= other);
    }

    /// Whether the value is open.
    pub fn contains(&self, value: u32) -> bool {
        let table = self.bytes.get((value / TABLE) as usize);
        table.is_some_and(|table| table[value as usize % BYTES] & bit(value) != 0)
    }

    /// Takes those values out whose mark is 1.
    #[inline(always)]
    fn remove_marked(&mut self, marks: &[u8; MOST as usize]) {
        let tables = self.bytes[..self.tables].iter_mut();
        for (table, marks) in tables.zip(marks.as_chunks::<{ TABLE as usize }>().0) {
            for (bit, marks) in marks.as_chunks::<BYTES>().0.iter().enumerate() {
                table.iter_mut().zip(marks).for_each(|(byte, &mark)| *byte &= !(mark << bit));
            }
        }
    }

    /// The open values as words of 64 values each, which `bits` gives: the same bit, the one of that number, of 64 bytes.
    #[inline(always)]
    pub(super) fn words(&self, bits: impl Fn(&[u8; 64], usize) -> u64) -> [u64; MOST as usize / 64] {
        let mut words = [0; MOST as usize / 64];
        for (k, word) in words[..self.room() as usize / 64].iter_mut().enumerate() {
            let bytes = &self.bytes[64 * k / TABLE as usize].as_chunks().0[k % 4];
            *word = bits(bytes, k / 4 % 8);
        }
        words
    }
}

/// How many tables make room for the values below `room`.
fn tables(room: u32) -> usize {
    room.div_ceil(TABLE).next_power_of_two() as usize
}

/// Where a value is in its byte.
#[inline(always)]
fn bit(value: u32) -> u8 {
    1 << (value / BYTES as u32 % 8)
}

/// The open values in ascending order, as a kernel gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenWords {
    pub(super) words: [u64; MOST as usize / 64],
    pub(super) room: u32,
}

impl OpenWords {
    /// The words: value `v` is bit `v % 64` of word `v / 64`.
    pub fn words(&self) -> &[u64] {
        &self.words[..self.room as usize / 64]
    }

    /// The least open value.
    pub fn least(&self) -> Option<u32> {
        let k = self.words().iter().position(|&word| word != 0)?;
        Some(64 * k as u32 + self.words[k].trailing_zeros())
    }

    /// The values that are not open.
    pub fn closed(&self) -> WordSet {
        let used = self.words().iter().rposition(|&word| word != u64::MAX).map_or(0, |last| last + 1);
        WordSet::from_words(self.words[..used].iter().map(|word| !word).collect())
    }
}

/// Leaves those of `values` that are none of the sums `smaller[k] ^ larger[k]`.
///
/// # Safety
/// The CPU must have the features.
#[inline(always)]
pub(super) unsafe fn leave_others<S: Simd>(smaller: &[u16], larger: &[u16], values: &mut Vec<u16>) {
    let mut left = 0;
    for first in (0..values.len()).step_by(4) {
        let count = (values.len() - first).min(4);
        let four: [u16; 4] = std::array::from_fn(|k| values[first + k.min(count - 1)]);
        let [a, b, ..] = four;
        let mut sums = [false; 4];
        // SAFETY: as the caller says.
        unsafe {
            match count {
                1 => sums[..1].copy_from_slice(&S::are_sums(smaller, larger, &[a])),
                2 => sums[..2].copy_from_slice(&S::are_sums(smaller, larger, &[a, b])),
                _ => sums = S::are_sums(smaller, larger, &four),
            }
        }
        for k in (0..count).filter(|&k| !sums[k]) {
            values[left] = four[k];
            left += 1;
        }
    }
    values.truncate(left);
}

/// A mark for every sum.
pub(super) struct Marks([u8; MOST as usize]);

impl Default for Marks {
    fn default() -> Marks {
        Marks([0; MOST as usize])
    }
}

impl Marks {
    /// Takes the sums `a[k] ^ b[k]` out of a set. What is taken out of others after it must have the same room.
    #[inline(always)]
    pub(super) fn mark(&mut self, a: &[u16], b: &[u16], open: &mut Open) {
        // Marks from the room on are never looked at: they stay.
        self.0[..open.room() as usize].fill(0);
        let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
        // Four values are one load.
        let word = |values: &[u16; 4]| values.iter().rev().fold(0, |word, &value| word << 16 | u64::from(value));
        for (a, b) in a.iter().zip(b) {
            let sums = word(a) ^ word(b);
            for k in 0..4 {
                self.0[(sums >> (16 * k)) as usize % MOST as usize] = 1;
            }
        }
        a_rest.iter().zip(b_rest).for_each(|(a, b)| self.0[usize::from(a ^ b) % MOST as usize] = 1);
        open.remove_marked(&self.0);
    }
}
