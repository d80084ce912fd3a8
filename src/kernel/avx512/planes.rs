//! Sets of small values as planes: a byte a heap for eight values each.

use std::arch::x86_64::*;

use super::load;
use crate::kernel::small::{LANES, Term};
use crate::kernel::wide::SpreadTerm;

/// For each value below 64, the bit that stands for it in plane `p`: a plane has a byte a heap and holds the
/// values `8 p` to `8 p + 7`.
pub const PLANES: [[u8; 64]; 8] = {
    let mut planes = [[0; 64]; 8];
    let mut v = 0;
    while v < 64 {
        planes[v / 8][v] = 1 << (v % 8);
        v += 1;
    }
    planes
};

/// The matrix that gives eight times bit 0.
const SPREAD: i64 = 0x0101_0101_0101_0101;

/// The union of the terms, in `P` planes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
pub fn planes<const P: usize>(c: &[u8], at: usize, terms: &[Term]) -> [__m512i; P] {
    let tables: [__m512i; P] = std::array::from_fn(|p| load(&PLANES[p]));
    let mut planes = [_mm512_setzero_si512(); P];
    for term in terms {
        let from = at - term.distance as usize;
        let lanes: &[u8; 64] = c[from..from + 64].try_into().expect("64 lanes");
        let sums = _mm512_xor_si512(load(lanes), _mm512_set1_epi8(term.xor as i8));
        for p in 0..P {
            planes[p] = _mm512_or_si512(planes[p], _mm512_permutexvar_epi8(sums, tables[p]));
        }
    }
    planes
}

/// Four planes as 32-bit words, in order.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
pub fn words32(planes: [__m512i; 4]) -> [__m512i; 4] {
    // Unpacking works within each 128 bits: the groups of four heaps are put where that leaves them in order.
    let order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    let [a, b, c, d] = planes.map(|p| _mm512_permutexvar_epi32(order, p));
    let (low, high) = (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b));
    let (low2, high2) = (_mm512_unpacklo_epi8(c, d), _mm512_unpackhi_epi8(c, d));
    [
        _mm512_unpacklo_epi16(low, low2),
        _mm512_unpackhi_epi16(low, low2),
        _mm512_unpacklo_epi16(high, high2),
        _mm512_unpackhi_epi16(high, high2),
    ]
}

/// Two planes as 16-bit words, in order.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
pub fn words16(planes: [__m512i; 2]) -> [__m512i; 2] {
    // As in `words32`, but groups of eight heaps are moved.
    let order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    let [a, b] = planes.map(|p| _mm512_permutexvar_epi64(order, p));
    [_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)]
}

/// Eight planes as 64-bit words, in order.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
pub fn words64(planes: [__m512i; 8]) -> [u64; LANES] {
    const ORDER: [u16; 32] = {
        let mut order = [0; 32];
        let mut i = 0;
        while i < 32 {
            order[i] = (4 * (i % 8) + i / 8) as u16;
            i += 1;
        }
        order
    };
    // SAFETY: 64 bytes are there.
    let order = unsafe { _mm512_loadu_si512(ORDER.as_ptr().cast()) };
    // As in `words32`, but groups of two heaps are moved.
    let [a, b, c, d, e, f, g, h] = planes.map(|p| _mm512_permutexvar_epi16(order, p));
    let bytes = |a, b| [_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)];
    let (ab, cd, ef, gh) = (bytes(a, b), bytes(c, d), bytes(e, f), bytes(g, h));
    let mut out = [0; LANES];
    for half in 0..2 {
        let pairs = |a, b| [_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)];
        let (abcd, efgh) = (pairs(ab[half], cd[half]), pairs(ef[half], gh[half]));
        for quarter in 0..2 {
            let words = [
                _mm512_unpacklo_epi32(abcd[quarter], efgh[quarter]),
                _mm512_unpackhi_epi32(abcd[quarter], efgh[quarter]),
            ];
            for (eighth, word) in words.into_iter().enumerate() {
                let at = 8 * (4 * half + 2 * quarter + eighth);
                // SAFETY: 8 words from `at` on are there.
                unsafe { _mm512_storeu_si512(out.as_mut_ptr().add(at).cast(), word) };
            }
        }
    }
    out
}

/// The sums over the terms in `P` planes, of the values from `first` on, a multiple of 64.
///
/// # Safety
/// The heaps that the terms speak of are there.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
pub unsafe fn mark_planes<const P: usize>(
    c: &[u8],
    at: usize,
    terms: &[SpreadTerm],
    first: u32,
    out: &mut [[u8; LANES]],
) {
    let tables: [__m512i; 8] = std::array::from_fn(|p| load(&PLANES[p]));
    let mut planes = [_mm512_setzero_si512(); P];
    let start = first * 0x0101_0101;
    // One permutation serves a plane of each word: the tables see the low six bits, and the top two choose the word.
    for term in terms {
        // SAFETY: the caller says that the heaps are there.
        let lanes = unsafe { _mm512_loadu_si512(c.as_ptr().add(at - term.distance as usize).cast()) };
        let sums = _mm512_xor_si512(lanes, _mm512_set1_epi32((term.xors ^ start) as i32));
        let bit = |bit: u32| _mm512_gf2p8affine_epi64_epi8::<0>(sums, _mm512_set1_epi64(SPREAD << bit));
        let (six, seven) = (bit(6), bit(7));
        let neither = _mm512_ternarylogic_epi64(six, seven, seven, 0x03);
        let words = [neither, _mm512_andnot_si512(seven, six), _mm512_andnot_si512(six, seven)];
        for (k, table) in tables.iter().enumerate() {
            let ones = _mm512_permutexvar_epi8(sums, *table);
            for (plane, word) in planes.iter_mut().skip(k).step_by(8).zip(words) {
                *plane = _mm512_ternarylogic_epi64(*plane, ones, word, 0xf8);
            }
        }
    }
    for (out, plane) in out.iter_mut().zip(planes) {
        // SAFETY: 64 bytes are there.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), plane) };
    }
}
