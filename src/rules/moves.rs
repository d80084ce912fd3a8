//! The moves from a heap, straight from the rules: what `naive`, `play` and every brute-force check use.

use super::{LEAVE_ONE, LEAVE_THREE, LEAVE_TWO, Rules, Split, TAKE_ALL};

/// The heaps that a move leaves, none of them empty, smallest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Parts {
    heaps: [u64; 3],
    len: u8,
}

impl Parts {
    fn new(heaps: &[u64]) -> Parts {
        let mut parts = Parts { heaps: [0; 3], len: heaps.len() as u8 };
        parts.heaps[..heaps.len()].copy_from_slice(heaps);
        parts
    }
}

impl std::ops::Deref for Parts {
    type Target = [u64];
    fn deref(&self) -> &[u64] {
        &self.heaps[..self.len as usize]
    }
}

/// One move from one heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// How many tokens are taken.
    pub taken: u64,
    /// The heaps that are left.
    pub parts: Parts,
}

impl Rules {
    /// Every move from a heap of `n`: fewest tokens taken first, then the smaller heaps first.
    ///
    /// There can be of the order of `n` moves for every digit that splits, `n^2` for three heaps.
    pub fn moves(&self, n: u64) -> impl Iterator<Item = Move> + '_ {
        let last = self.last_index().unwrap_or(n).min(n);
        (0..=last).flat_map(move |taken| self.moves_taking(n, taken))
    }

    /// The moves from a heap of `n` that take exactly `taken` tokens.
    pub fn moves_taking(&self, n: u64, taken: u64) -> impl Iterator<Item = Move> + '_ {
        let digit = if taken <= n { self.digit(taken) } else { 0 };
        let rest = n.saturating_sub(taken);
        let none = (digit & TAKE_ALL != 0 && rest == 0).then(|| Parts::new(&[]));
        let one = (digit & LEAVE_ONE != 0 && rest > 0).then(|| Parts::new(&[rest]));
        let pairs = if digit & LEAVE_TWO != 0 { rest / 2 } else { 0 };
        let two = (1..=pairs).filter(move |&a| self.may_split(a, rest - a)).map(move |a| Parts::new(&[a, rest - a]));
        let smallest = if digit & LEAVE_THREE != 0 { rest / 3 } else { 0 };
        let three =
            (1..=smallest).flat_map(move |a| (a..=(rest - a) / 2).map(move |b| Parts::new(&[a, b, rest - a - b])));
        none.into_iter().chain(one).chain(two).chain(three).map(move |parts| Move { taken, parts })
    }

    /// Whether a split into non-empty heaps `a` and `b` is one that [`Rules::split`] allows.
    pub fn may_split(&self, a: u64, b: u64) -> bool {
        match self.split {
            Split::Any => true,
            Split::Unequal => a != b,
            Split::FromThree => a + b >= 3,
        }
    }
}
