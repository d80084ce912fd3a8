//! Periods: found while a sequence is computed, and proven.
//!
//! A period is (`preperiod` n0, `period` p, `saltus` s): `g(n + p) = g(n) + s` for all `n >= n0`, with p and then
//! n0 least. What has been observed up to some heap proves nothing by itself; one of these theorems must apply.
//! Throughout, `k` is the index of the last non-zero digit, and heaps are decided from 0 on.
//!
//! **Whole window** ([`Theorem::Window`]; R. Guy and C. Smith, *The G-values of various games*, Proc. Cambridge
//! Philos. Soc. 52, 1956, for h = 2). Let a move leave at most `h >= 1` heaps, let the code be finite, `n0 >= 1` and
//! `p >= 1`. If `g(n + p) = g(n)` for `n0 <= n < h n0 + (h - 1) p + k`, then for all `n >= n0`. *Proof* by
//! induction, for `n >= h n0 + (h - 1) p + k`. A move from `n + p` leaves at most `h` heaps of a total of at least
//! `h (n0 + p)`: the largest is at least `n0 + p`, and making it smaller by `p` gives a move from `n` of the same
//! value. A move from `n` leaves a total of at least `h n0 + (h - 1) p`, the largest is at least `n0`, and making
//! it larger by `p` gives a move from `n + p`. So both heaps have the same options' values. (No move empties a
//! heap of more than `k`.) For Grundy's game, where the two heaps must differ, `n0 <= n < 2 n0 + 2 p` suffices: if
//! the change makes the two heaps equal, the value is 0, and so is that of `(a - p, a + p)` for `n = 2a`.
//!
//! **State window** ([`Theorem::State`]), for games computed by the sparse rule ([`crate::engine::sparse`]) with one
//! mask from heap `since` on. Let all rare heaps found be at most `L`, let every witness used from `n1` on have a
//! smaller part of at most `A`, and put `w = max(L, A) + k`. If `g(n + p) = g(n)` for `n1 <= n < n1 + w`, with
//! `n1 > L`, `n1 >= since` and no rare heap in `n1 .. n1 + w + p`, then for all `n >= n1`. *Proof* by induction,
//! for `n >= n1 + w`: the other part of every sum with a rare heap, every heap that a taking move leaves and the
//! larger part of every witness of `n` is at least `n - k - max(L, A) >= n1`, so it may be moved by `p`. Thus the
//! candidates of `n` and `n + p` are the same, and the witnesses of `n` moved by `p` are those of `n + p`: neither
//! heap is rare, and both have the candidate as their value.
//!
//! **Tail state** ([`Theorem::Tail`]), for games that only take, with digits that repeat with length `t` after the
//! first `K` (`d(0)` to `d(K - 1)`). What decides heap `n` and all later ones is `n mod t`, the values of the last
//! `K - 1` heaps, and for every residue the set of the values of the heaps that are at least `K` away. Let `x(n)` be
//! the least value that is missing in the far options of some residue: no heap from `n` on has a value below
//! `x(n)`, so values below it decide nothing, and the state counts only relative to `x(n)`. If the states at `n1`
//! and `n1 + p` are equal so, `t` divides `p`, `n1 >= K` and `s = x(n1 + p) - x(n1)`, with `s = 0` or
//! `x(n1) > 0`, then `g(n + p) = g(n) + s` for all `n >= n1`, since the same state goes on in the same way. (The
//! value 0 of an emptied heap is a far option too; it is below `x(n1)`, or the same in both states.)
//!
//! These three are all that is ever reported as proven. Any other regularity is reported as observed.

mod claim;
mod detect;
mod fill;
mod recur;
mod reduce;
mod state;
mod theorem;

pub use claim::Claim;
pub use detect::{Detector, Exclusion, Match};
pub use fill::Filler;
pub use recur::Recurrence;
pub use reduce::{first_misfit, last_misfit, prime_factors};
pub use state::State;
pub use theorem::{Theorem, heaps_needed, prove};

use serde::{Deserialize, Serialize};

use crate::values::Slice;

/// A period with its preperiod and saltus, all least, and the theorem that proves it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Period {
    /// The least heap `n0` with `g(n + period) = g(n) + saltus` for all `n >= n0`.
    pub preperiod: u64,
    /// The least period.
    pub period: u64,
    /// What is added with every period: 0 for plain periodicity.
    pub saltus: u64,
    /// Why this holds for all heaps.
    pub theorem: Theorem,
}

impl Period {
    /// The last heap that does not fit the period: -1 if there is none.
    pub fn last_exception(&self) -> i128 {
        i128::from(self.preperiod) - 1
    }

    /// The heap below `preperiod + period` whose value that of heap `n` is, and what is to be added to it.
    pub fn reduce(&self, n: u128) -> (u64, u128) {
        let Some(past) = n.checked_sub(u128::from(self.preperiod)) else { return (n as u64, 0) };
        let (rounds, rest) = (past / u128::from(self.period), past % u128::from(self.period));
        // A period of values below 2^32 adds less than 2^32, so that heaps up to 2^95 are safe.
        (self.preperiod + rest as u64, rounds * u128::from(self.saltus))
    }

    /// The value of heap `n`, from the values of the heaps below `preperiod + period`.
    pub fn value(&self, table: Slice<'_>, n: u128) -> u128 {
        let (heap, more) = self.reduce(n);
        u128::from(table.get(heap as usize)) + more
    }
}

#[cfg(test)]
mod tests;
