//! Crossing sums off a set of values that are still open, for values that need two bytes.
//!
//! Marking a sum is one store. Where most values are marked already, it pays to ask first: 32 sums at a time are
//! looked up in the set of open values, and only those that are in it are taken out one by one.

use super::words::WordSet;

/// Values in one table.
const TABLE: usize = 1024;
/// Words in one table.
const WORDS: usize = 64;
/// Tables at most.
pub(super) const MOST_TABLES: usize = 4;
/// All values must be below this.
pub const MOST: u32 = (TABLE * MOST_TABLES) as u32;
/// Heaps whose candidates are compared with sums together.
pub const HEAPS: usize = 32;
/// Candidates of each heap that are compared.
pub const SLOTS: usize = 2;

/// A sum with a fixed heap: how far back the other heap is, and the value of the fixed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    /// Distance to the other heap.
    pub distance: u32,
    /// Value of the fixed heap.
    pub xor: u16,
}

/// A set of values that no sum has had yet.
///
/// Value `v` is bit `v / 64 % 16` of word `v % 64` in table `v / 1024`: the lower bits of a sum choose a word
/// as they are, and the others the bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    pub(super) words: [[u16; WORDS]; MOST_TABLES],
    pub(super) tables: usize,
}

impl Open {
    /// All values below `room`, rounded up to 1024 times a power of two. `None` if that is more than [`MOST`].
    pub fn new(room: u32) -> Option<Open> {
        let tables = (room as usize).div_ceil(TABLE).next_power_of_two();
        (tables <= MOST_TABLES).then(|| {
            let words = std::array::from_fn(|t| [if t < tables { u16::MAX } else { 0 }; WORDS]);
            Open { words, tables }
        })
    }

    /// No values below `room`, which is that of another set.
    pub fn none(room: u32) -> Open {
        Open { words: [[0; WORDS]; MOST_TABLES], tables: room as usize / TABLE }
    }

    /// Whether no value is open.
    pub fn is_empty(&self) -> bool {
        self.words.as_flattened().iter().all(|&word| word == 0)
    }

    /// How many values are open.
    pub(super) fn len(&self) -> u32 {
        self.words.as_flattened().iter().map(|word| word.count_ones()).sum()
    }

    /// Puts a value in that is below the room.
    pub fn insert(&mut self, value: u32) {
        self.words[value as usize / TABLE][value as usize % WORDS] |= 1 << (value / 64 % 16);
    }

    /// One more than the largest value that can be open.
    pub fn room(&self) -> u32 {
        (self.tables * TABLE) as u32
    }

    /// Takes a value out.
    #[inline(always)]
    pub fn remove(&mut self, value: u32) {
        if let Some(table) = self.words.get_mut(value as usize / TABLE) {
            table[value as usize % WORDS] &= !(1 << (value / 64 % 16));
        }
    }

    /// Whether the value is open.
    pub fn contains(&self, value: u32) -> bool {
        let table = self.words.get(value as usize / TABLE);
        table.is_some_and(|table| table[value as usize % WORDS] >> (value / 64 % 16) & 1 == 1)
    }

    /// Takes those values out whose mark is 1.
    #[inline(always)]
    pub(super) fn remove_marked(&mut self, marks: &[u8; MOST as usize]) {
        let tables = self.words[..self.tables].iter_mut();
        for (table, marks) in tables.zip(marks.as_chunks::<TABLE>().0) {
            for (bit, marks) in marks.as_chunks::<WORDS>().0.iter().enumerate() {
                table.iter_mut().zip(marks).for_each(|(word, &mark)| *word &= !(u16::from(mark) << bit));
            }
        }
    }

    /// The open values as words of 64 values each.
    #[inline(always)]
    pub(super) fn transposed(&self) -> [u64; MOST as usize / 64] {
        std::array::from_fn(|k| match self.words.get(k / 16).filter(|_| k / 16 < self.tables) {
            Some(table) => table.iter().rev().fold(0, |bits, &word| bits << 1 | u64::from(word >> (k % 16) & 1)),
            None => 0,
        })
    }
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

/// Marks the sums `a[k] ^ b[k]`.
#[inline(always)]
pub(super) fn mark(a: &[u16], b: &[u16], open: &mut Open) {
    let mut marks = [0; MOST as usize];
    a.iter().zip(b).for_each(|(a, b)| marks[usize::from(a ^ b) & (MOST as usize - 1)] = 1);
    open.remove_marked(&marks);
}

/// The lanes whose candidate is a sum, in plain code.
#[inline(always)]
pub(super) fn met(values: &[u16], at: usize, sums: &[Sum], candidates: &[[u16; HEAPS]; SLOTS]) -> [u32; SLOTS] {
    let mut met = [[false; HEAPS]; SLOTS];
    for sum in sums {
        let others = values[at - sum.distance as usize..].first_chunk::<HEAPS>().expect("32 heaps");
        for (met, candidates) in met.iter_mut().zip(candidates) {
            for ((met, other), candidate) in met.iter_mut().zip(others).zip(candidates) {
                *met |= other ^ sum.xor == *candidate;
            }
        }
    }
    met.map(|met| met.iter().rev().fold(0, |mask, &met| mask << 1 | u32::from(met)))
}
