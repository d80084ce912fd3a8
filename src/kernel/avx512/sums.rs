//! Sums of many fixed heaps, for 32 heaps at once: turned round, so that all sums of one heap are looked up together.

use std::arch::x86_64::*;

use super::{load, load_table, load16, open_bytes};
use crate::kernel::met::{HEAPS, Sum};
use crate::kernel::sieve::Open;

/// Sums that are looked up at once.
const SUMS: usize = 64;
/// Sums that are turned at once.
const ROWS: usize = 16;
/// Registers that have the same bytes of so many sums: each has four heaps.
const COLUMNS: usize = 8;
/// Parts of a register that most shuffles do not leave.
const LANES: usize = 4;

/// Which bytes of two registers of words are put beside each other: the lower ones, and the upper ones.
const PAIRS: [[u8; 64]; 2] = {
    let mut pairs = [[0; 64]; 2];
    let mut k = 0;
    while k < 64 {
        let byte = (k / 2 * 2 + 64 * (k % 2)) as u8;
        pairs[0][k] = byte;
        pairs[1][k] = byte + 1;
        k += 1;
    }
    pairs
};

/// See [`crate::kernel::simd::Simd::cross_off_sums`].
///
/// # Safety
/// The heaps must be there.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
pub unsafe fn cross_off_sums(values: &[u16], at: usize, sums: &[Sum], opens: &mut [Open]) {
    // SAFETY: as the caller says.
    unsafe {
        match opens.first().map(|open| open.tables) {
            None => (),
            Some(1) => look_up_tiles::<1>(values, at, sums, opens),
            Some(2) => look_up_tiles::<2>(values, at, sums, opens),
            Some(_) => look_up_tiles::<4>(values, at, sums, opens),
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
unsafe fn look_up_tiles<const T: usize>(values: &[u16], at: usize, sums: &[Sum], opens: &mut [Open]) {
    let (tiles, rest) = sums.as_chunks::<SUMS>();
    for tile in tiles {
        for (at, opens) in (at..).step_by(HEAPS).zip(opens.as_chunks_mut().0) {
            // SAFETY: as the caller says.
            let found = unsafe { look_up::<T>(values, at, tile, opens) };
            remove_found(values, at, tile, &found, opens);
        }
    }
    for (heap, open) in (at..).zip(opens) {
        rest.iter().for_each(|sum| remove(values, heap, sum, open));
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn remove_found(values: &[u16], at: usize, sums: &[Sum; SUMS], found: &[u64; HEAPS], opens: &mut [Open; HEAPS]) {
    for (first, found) in (0..).step_by(8).zip(found.as_chunks::<8>().0) {
        let mut heaps = nonzero(found);
        while heaps != 0 {
            let heap = heaps.trailing_zeros() as usize;
            let mut left = found[heap];
            while left != 0 {
                let sum = &sums[left.trailing_zeros() as usize];
                remove(values, at + first + heap, sum, &mut opens[first + heap]);
                left &= left - 1;
            }
            heaps &= heaps - 1;
        }
    }
}

/// Which of the words are not 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn nonzero(words: &[u64; 8]) -> u8 {
    // SAFETY: 64 bytes are there.
    let words = unsafe { _mm512_loadu_si512(words.as_ptr().cast()) };
    _mm512_test_epi64_mask(words, words)
}

#[inline(always)]
fn remove(values: &[u16], heap: usize, sum: &Sum, open: &mut Open) {
    open.remove(u32::from(values[heap - sum.distance()] ^ sum.xor()));
}

/// For each heap those of 64 sums that are open.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
unsafe fn look_up<const T: usize>(
    values: &[u16],
    at: usize,
    sums: &[Sum; SUMS],
    opens: &[Open; HEAPS],
) -> [u64; HEAPS] {
    let mut turned = [[[_mm512_setzero_si512(); SUMS / ROWS]; COLUMNS]; 2];
    for (group, sums) in sums.as_chunks().0.iter().enumerate() {
        // SAFETY: as the caller says.
        let rows = unsafe { load_sums(values, at, sums) };
        for (turned, pairs) in turned.iter_mut().zip(&PAIRS) {
            let columns = turn(&rows, load(pairs));
            turned.iter_mut().zip(columns).for_each(|(turned, column)| turned[group] = column);
        }
    }
    let [lower, upper] = &turned;
    let mut found = [0; HEAPS];
    for (column, (lower, upper)) in lower.iter().zip(upper).enumerate() {
        for (lane, (lower, upper)) in gather(lower).into_iter().zip(gather(upper)).enumerate() {
            let heap = COLUMNS * lane + column;
            let tables = std::array::from_fn::<_, T, _>(|t| load_table(&opens[heap].bytes[t]));
            found[heap] = open_bytes(lower, upper, &tables);
        }
    }
    found
}

/// The sums of all heaps.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
unsafe fn load_sums(values: &[u16], at: usize, sums: &[Sum; ROWS]) -> [__m512i; ROWS] {
    std::array::from_fn(|k| {
        // SAFETY: the caller says that the heaps are there.
        let heaps: &[u16; HEAPS] = unsafe { &*values.as_ptr().add(at - sums[k].distance()).cast() };
        _mm512_xor_si512(load16(heaps), _mm512_set1_epi32(sums[k].xor as i32))
    })
}

/// The upper or the lower bytes of the sums: register `k` has those of heap `8 l + k` in its part `l`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn turn(rows: &[__m512i; ROWS], pairs: __m512i) -> [__m512i; COLUMNS] {
    let two = |k: usize| _mm512_permutex2var_epi8(rows[2 * k], pairs, rows[2 * k + 1]);
    let four = |k: usize| {
        let (a, b) = (two(2 * k), two(2 * k + 1));
        [_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)]
    };
    let eight = |k: usize| {
        let ([a, b], [c, d]) = (four(2 * k), four(2 * k + 1));
        [
            _mm512_unpacklo_epi32(a, c),
            _mm512_unpackhi_epi32(a, c),
            _mm512_unpacklo_epi32(b, d),
            _mm512_unpackhi_epi32(b, d),
        ]
    };
    let (first, second) = (eight(0), eight(1));
    std::array::from_fn(|k| {
        let (a, b) = (first[k / 2], second[k / 2]);
        if k % 2 == 0 { _mm512_unpacklo_epi64(a, b) } else { _mm512_unpackhi_epi64(a, b) }
    })
}

/// Part `l` of each of the registers, for every `l`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn gather(parts: &[__m512i; LANES]) -> [__m512i; LANES] {
    let [a, b, c, d] = *parts;
    let (ab, cd) = (_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0x44>(c, d));
    let (ab2, cd2) = (_mm512_shuffle_i64x2::<0xee>(a, b), _mm512_shuffle_i64x2::<0xee>(c, d));
    [
        _mm512_shuffle_i64x2::<0x88>(ab, cd),
        _mm512_shuffle_i64x2::<0xdd>(ab, cd),
        _mm512_shuffle_i64x2::<0x88>(ab2, cd2),
        _mm512_shuffle_i64x2::<0xdd>(ab2, cd2),
    ]
}
