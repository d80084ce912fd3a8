//! Sets of elements of one monoid, as machine words.

/// A subset of `0..len`, where `len` is fixed by whoever makes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct BitSet {
    words: Box<[u64]>,
}

impl BitSet {
    /// The empty subset of `0..len`.
    pub(super) fn new(len: usize) -> BitSet {
        BitSet { words: vec![0; len.div_ceil(64)].into() }
    }

    pub(super) fn from_elements(len: usize, elements: impl IntoIterator<Item = usize>) -> BitSet {
        let mut set = BitSet::new(len);
        elements.into_iter().for_each(|x| set.insert(x));
        set
    }

    pub(super) fn insert(&mut self, x: usize) {
        self.words[x / 64] |= 1 << (x % 64);
    }

    pub(super) fn contains(&self, x: usize) -> bool {
        self.words[x / 64] >> (x % 64) & 1 == 1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    pub(super) fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    pub(super) fn union_with(&mut self, other: &BitSet) {
        self.words.iter_mut().zip(&other.words).for_each(|(w, o)| *w |= o);
    }

    pub(super) fn is_subset(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).all(|(w, o)| w & !o == 0)
    }

    pub(super) fn meets(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).any(|(w, o)| w & o != 0)
    }

    /// The elements of both sets, least first.
    pub(super) fn common<'a>(&'a self, other: &'a BitSet) -> impl Iterator<Item = usize> + 'a {
        let words = self.words.iter().zip(&other.words).map(|(w, o)| w & o);
        words.enumerate().flat_map(|(i, w)| ones(w).map(move |bit| i * 64 + bit))
    }

    /// The elements, least first.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &w)| ones(w).map(move |bit| i * 64 + bit))
    }
}

/// The places of the bits of a word that are set.
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn sets_behave_like_sets() {
        let of = |step: usize| (0..200).step_by(step).collect::<BTreeSet<usize>>();
        let bits = |set: &BTreeSet<usize>| BitSet::from_elements(200, set.iter().copied());
        for (a, b) in [(2, 3), (2, 4), (64, 65), (7, 199)] {
            let (set_a, set_b) = (of(a), of(b));
            let (bits_a, mut bits_b) = (bits(&set_a), bits(&set_b));
            assert!(bits_a.iter().eq(set_a.iter().copied()));
            assert!(bits_a.common(&bits_b).eq(set_a.intersection(&set_b).copied()));
            assert_eq!(bits_b.is_subset(&bits_a), set_b.is_subset(&set_a));
            assert_eq!(bits_a.meets(&bits_b), !set_a.is_disjoint(&set_b));
            assert_eq!(bits_a.count(), set_a.len());
            bits_b.union_with(&bits_a);
            assert!(bits_b.iter().eq(set_b.union(&set_a).copied()));
        }
        assert!(BitSet::new(70).is_empty() && !bits(&of(2)).is_empty());
    }
}
