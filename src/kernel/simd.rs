//! What the fast kernels need of a CPU, in one trait: the algorithms are written once over it.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not};

use super::count;
use super::met::{self, Lanes as Runners, ManySums, SLOTS, Sum};
use super::sieve::{MOST, Marks, Open, Pairs};
use super::small::{LANES, Term};
use super::wide::{self, Planes, SpreadTerm};
use super::witness::Lanes;

/// Rows are ORed this many at a time between two looks at what is missing.
pub const ROWS_AT_ONCE: usize = 8;

/// A set of small values in a machine word.
pub trait Word:
    Copy + Debug + Default + Eq + BitOr<Output = Self> + BitAnd<Output = Self> + Not<Output = Self>
{
    /// Values below this fit.
    const BITS: u32;
    /// No values.
    const EMPTY: Self;
    /// The set of one value, taken modulo `BITS`.
    fn one(value: u32) -> Self;
    /// The set with these bits, as far as they fit.
    fn from_bits(bits: u64) -> Self;
    /// The least value that is missing, or `BITS`.
    fn mex(self) -> u32;
    /// The set of the least value that is missing, or the empty set.
    fn least_missing(self) -> Self;
}

macro_rules! word {
    ($($type:ident)*) => {$(
        impl Word for $type {
            const BITS: u32 = $type::BITS;
            const EMPTY: Self = 0;
            #[inline(always)]
            fn one(value: u32) -> Self {
                (1 as $type).wrapping_shl(value)
            }
            #[inline(always)]
            fn from_bits(bits: u64) -> Self {
                bits as $type
            }
            #[inline(always)]
            fn mex(self) -> u32 {
                self.trailing_ones()
            }
            #[inline(always)]
            fn least_missing(self) -> Self {
                !self & self.wrapping_add(1)
            }
        }
    )*};
}
word!(u16 u32 u64);

/// The vector operations of one kind of CPU.
///
/// # Safety
/// The functions may only be called on a CPU that has the features of the implementation.
pub unsafe trait Simd {
    /// For each of `LANES` heaps from `at` on, the set of `c[heap - distance] ^ xor` over the terms, as far as these
    /// are below `room`.
    ///
    /// # Safety
    /// The CPU must have the features. All distances are at least `LANES` and at most `at`; `at <= c.len()`.
    unsafe fn far_words<W: Word>(c: &[u8], at: usize, terms: &[Term], room: u32, out: &mut [W; LANES]);

    /// The lanes whose byte is `value`.
    ///
    /// # Safety
    /// The CPU must have the features.
    unsafe fn equal(lanes: &[u8; LANES], value: u8) -> u64;

    /// The lanes whose byte is at least `values[0]` (even lanes) or `values[1]` (odd ones).
    ///
    /// # Safety
    /// The CPU must have the features.
    unsafe fn at_least(lanes: &[u8; LANES], values: [u8; 2]) -> u64;

    /// Takes the heaps of a block away from `missing` that some row has, until none is left. A row is the block's
    /// worth of bits from bit `at + offset` of `rows` on. Returns how many offsets were looked at.
    ///
    /// # Safety
    /// The CPU must have the features; `BLOCK + 64` bits must be there at every offset.
    unsafe fn cover(rows: &[u64], at: usize, offsets: &[i32], missing: &mut Lanes) -> usize;

    /// The same where `at` and all offsets are counted in bytes.
    ///
    /// # Safety
    /// As for `cover`.
    unsafe fn cover_whole_bytes(rows: &[u64], at: usize, offsets: &[i32], missing: &mut Lanes) -> usize;

    /// `table[c]` for every lane, xored with `odd` in the odd ones. Values are below 64.
    ///
    /// # Safety
    /// The CPU must have the features.
    unsafe fn look_up(lanes: &[u8; LANES], table: &[u8; 64], odd: u8) -> [u8; LANES];

    /// Adds to the set of each of `LANES` heaps from `at` on sums over the terms: all of them in the first `count`
    /// planes. These are empty before.
    ///
    /// # Safety
    /// As for `far_words`, but distances may be less than `LANES` where `c` has the heaps.
    unsafe fn mark(c: &[u8], at: usize, terms: &[SpreadTerm], count: usize, planes: &mut Planes);

    /// Adds how often each value occurs to its count. All values are below `counts.len()`, which is at most `COUNTED`.
    ///
    /// # Safety
    /// The CPU must have the features.
    #[inline(always)]
    unsafe fn count(values: &[u8], counts: &mut [u64]) {
        count::by_pairs(values, counts);
    }

    /// The word of each heap that has the bits of eight planes.
    ///
    /// # Safety
    /// The CPU must have the features.
    unsafe fn transpose(planes: &[[u8; LANES]; 8]) -> [u64; LANES];

    /// For each of `K` values a lane, 0 in the lanes in which a sum over the terms is that value.
    ///
    /// # Safety
    /// The CPU must have the features. All distances are at most `at`; `at + LANES <= c.len()`.
    unsafe fn hits<const K: usize>(
        c: &[u8],
        at: usize,
        terms: &[SpreadTerm],
        values: &[[u8; LANES]; K],
    ) -> [[u8; LANES]; K];

    /// The least value of each heap that is not in the planes: it is put in. 255 if there is none, and for the heaps
    /// that are not `wanted`: 255 says that they are, 0 that not.
    ///
    /// # Safety
    /// The CPU must have the features.
    #[inline(always)]
    unsafe fn take_missing(planes: &mut [[u8; LANES]], wanted: &[u8; LANES]) -> [u8; LANES] {
        wide::take_missing(planes, wanted)
    }

    /// The lanes in which `a[k] ^ b[k]` is `value`.
    ///
    /// # Safety
    /// The CPU must have the features.
    unsafe fn equal_sums(a: &[u8; LANES], b: &[u8; LANES], value: u8) -> u64;

    /// Takes the sums `smaller[k] ^ larger[k + l]` of each of the stretches `[smaller, larger]` out of the open values of
    /// `opens[l]`. All are below the room, which is that of all sets, and `larger` has `opens.len() - 1` more than `smaller`.
    ///
    /// # Safety
    /// The CPU must have the features.
    #[inline(always)]
    unsafe fn cross_off(stretches: &[Pairs<'_>], opens: &mut [Open]) {
        let mut marks = Marks::default();
        for [smaller, larger] in stretches {
            for (open, larger) in opens.iter_mut().zip(larger.windows(smaller.len().max(1))) {
                marks.mark(smaller, larger, open);
            }
        }
    }

    /// The open values, 64 to a word.
    ///
    /// # Safety
    /// The CPU must have the features.
    #[inline(always)]
    unsafe fn open_words(open: &Open) -> [u64; MOST as usize / 64] {
        open.words(|bytes, bit| bytes.iter().rev().fold(0, |word, &byte| word << 1 | u64::from(byte >> bit & 1)))
    }

    /// Which of the values are one of the sums `smaller[k] ^ larger[k]`.
    ///
    /// # Safety
    /// The CPU must have the features.
    #[inline(always)]
    unsafe fn are_sums<const K: usize>(smaller: &[u16], larger: &[u16], values: &[u16; K]) -> [bool; K] {
        // Without a way out, the compiler makes vectors of it.
        values.map(|value| smaller.iter().zip(larger).fold(false, |any, (a, b)| any | (a ^ b == value)))
    }

    /// What takes the least time for many sums with fixed heaps.
    const MANY_SUMS: ManySums = ManySums::Compared;

    /// Takes the sums `values[heap - distance] ^ xor` out of the open values of the heaps from `at` on, of which
    /// there is a multiple of `HEAPS`. All are below the room, which is that of all sets.
    ///
    /// # Safety
    /// The CPU must have the features. All distances are at most `at`, and as many values as sets are there
    /// from `at - distance` on.
    #[inline(always)]
    unsafe fn cross_off_sums(values: &[u16], at: usize, sums: &[Sum], opens: &mut [Open]) {
        (at..).zip(opens).for_each(|(n, open)| open.remove_sums(values, n, sums));
    }

    /// The lanes whose candidate is a sum `values[heap - distance] ^ xor`, where `at` is the first heap. The heaps of the
    /// sums `soon` may be fetched meanwhile.
    ///
    /// # Safety
    /// The CPU must have the features. All distances are at most `at`, and `HEAPS` values are there from
    /// `at - distance` on.
    #[inline(always)]
    unsafe fn met(values: &[u16], at: usize, sums: &[Sum], _soon: &[Sum], lanes: &Runners) -> [u32; SLOTS] {
        met::met(values, at, sums, lanes)
    }
}
