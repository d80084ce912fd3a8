//! Sets of nim-values on 64-bit words.

use crate::values::Cell;

/// A set of nim-values that grows with the largest of them.
#[derive(Clone, Debug, Default)]
pub struct WordSet {
    words: Vec<u64>,
}

impl WordSet {
    /// An empty set.
    pub fn new() -> WordSet {
        WordSet::default()
    }

    /// The set whose bit `v % 64` of word `v / 64` says whether `v` is in it.
    pub fn from_words(words: Vec<u64>) -> WordSet {
        WordSet { words }
    }

    /// Adds a value.
    pub fn insert(&mut self, value: u32) {
        let word = value as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (value % 64);
    }

    /// Takes a value out.
    pub fn remove(&mut self, value: u32) {
        if let Some(word) = self.words.get_mut(value as usize / 64) {
            *word &= !(1 << (value % 64));
        }
    }

    /// Whether the value is in the set.
    pub fn contains(&self, value: u32) -> bool {
        self.words.get(value as usize / 64).is_some_and(|word| word >> (value % 64) & 1 == 1)
    }

    /// Empties the set, keeping its room.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Adds every value of `other`.
    pub fn union(&mut self, other: &WordSet) {
        self.union_translated(other, 0);
    }

    /// Adds `v ^ by` for every `v` of `other`: what the set of sums becomes when a heap of value `by` is added.
    pub fn union_translated(&mut self, other: &WordSet, by: u32) {
        if other.words.is_empty() {
            return;
        }
        let (far, near) = (by as usize / 64, by % 64);
        // The translate of a word index below a power of two is below it too.
        let end = other.words.len().next_power_of_two().max((far + 1).next_power_of_two());
        if far > 0 && self.words.len() < end {
            self.words.resize(end, 0);
        } else if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (i, &word) in other.words.iter().enumerate() {
            self.words[i ^ far] |= translate(word, near);
        }
    }

    /// The least value that is not in the set.
    pub fn mex(&self) -> u32 {
        self.mex_from(0)
    }

    /// The least value that is at least `from` and not in the set.
    pub fn mex_from(&self, from: u32) -> u32 {
        let first = from as usize / 64;
        let below = (1u64 << (from % 64)) - 1;
        let mut skip = below;
        for (i, &word) in self.words.iter().enumerate().skip(first) {
            let taken = word | skip;
            if taken != u64::MAX {
                return i as u32 * 64 + taken.trailing_ones();
            }
            skip = 0;
        }
        from.max(self.words.len() as u32 * 64)
    }
}

impl PartialEq for WordSet {
    /// Equal as sets: empty words at the end do not count.
    fn eq(&self, other: &WordSet) -> bool {
        let (short, long) = if self.words.len() < other.words.len() { (self, other) } else { (other, self) };
        let (common, rest) = long.words.split_at(short.words.len());
        common == short.words && rest.iter().all(|&w| w == 0)
    }
}

impl Eq for WordSet {}

/// The word whose bit `v ^ by` is bit `v` of `word`.
fn translate(mut word: u64, by: u32) -> u64 {
    const LOW: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0f0f_0f0f_0f0f_0f0f,
        0x00ff_00ff_00ff_00ff,
        0x0000_ffff_0000_ffff,
        0x0000_0000_ffff_ffff,
    ];
    for (bit, &low) in LOW.iter().enumerate() {
        if by >> bit & 1 == 1 {
            let shift = 1 << bit;
            word = (word & low) << shift | word >> shift & low;
        }
    }
    word
}

/// Marks `left[j] ^ right[len - 1 - j]` for every `j`: the sums of all pairs whose sizes add up to one total,
/// for two runs of the same length. `marks` has a byte for every value that such a sum can have.
///
/// Bytes and not bits, since a store that depends on no earlier load is three times as fast as a read, an OR
/// and a store to a word that the last pair has just written.
pub fn mark_sums<T: Cell>(left: &[T], right: &[T], marks: &mut [u8]) {
    assert!(marks.len().is_power_of_two() && left.len() == right.len());
    let within = marks.len() - 1;
    for (a, b) in left.iter().zip(right.iter().rev()) {
        marks[(a.value() ^ b.value()) as usize & within] = 1;
    }
}

/// The set of the values whose mark is 1.
pub fn gather(marks: &[u8]) -> WordSet {
    let word = |bytes: &[u8]| bytes.iter().enumerate().fold(0, |word, (i, &mark)| word | u64::from(mark) << i);
    WordSet::from_words(marks.chunks(64).map(word).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::reference::BitvecSet;
    use super::*;

    fn both(values: &[u32]) -> (WordSet, BitvecSet) {
        let (mut words, mut reference) = (WordSet::new(), BitvecSet::default());
        values.iter().for_each(|&v| {
            words.insert(v);
            reference.insert(v);
        });
        (words, reference)
    }

    #[test]
    fn mex_around_word_boundaries() {
        for end in [0, 1, 63, 64, 65, 127, 128, 129, 4096] {
            let (words, reference) = both(&(0..end).collect::<Vec<_>>());
            assert_eq!((words.mex(), reference.mex()), (end, end));
            assert_eq!(words.mex_from(end + 70), end + 70);
        }
    }

    proptest! {
        /// mex(S) is the least value outside S, in both kernels.
        #[test]
        fn mex_is_least_missing(values in prop::collection::vec(0u32..200, 0..300), from in 0u32..260) {
            let (words, reference) = both(&values);
            let least = (0..).find(|v| !values.contains(v)).unwrap();
            prop_assert_eq!((words.mex(), reference.mex()), (least, least));
            prop_assert_eq!(words.mex_from(from), (from..).find(|v| !values.contains(v)).unwrap());
            for v in 0..260 {
                prop_assert_eq!(words.contains(v), values.contains(&v));
                prop_assert_eq!(reference.contains(v), values.contains(&v));
            }
        }

        /// {v ^ x} over S, element by element.
        #[test]
        fn translation_is_xor(
            values in prop::collection::vec(0u32..1000, 0..50),
            old in prop::collection::vec(0u32..1000, 0..50),
            by in 0u32..3000,
        ) {
            let (set, _) = both(&values);
            let (mut sum, _) = both(&old);
            sum.union_translated(&set, by);
            let wanted: Vec<u32> = values.iter().map(|v| v ^ by).chain(old).collect();
            prop_assert_eq!(sum, both(&wanted).0);
        }

        /// The marks of all pairs are the sums of all pairs.
        #[test]
        fn marks_are_sums(values in prop::collection::vec(0u16..500, 1..100)) {
            let mut marks = [0; 512];
            mark_sums(&values, &values, &mut marks);
            let sums: Vec<u32> = (0..values.len())
                .map(|j| u32::from(values[j] ^ values[values.len() - 1 - j]))
                .collect();
            prop_assert_eq!(gather(&marks), both(&sums).0);
        }
    }
}
