//! AVX-512 with byte permutes, compression of words and bit matrices (F, BW, VBMI, VBMI2, GFNI): Ice Lake, Zen 4 and later.

mod count;
pub mod groups;
mod met;
mod planes;
mod sums;

use std::arch::x86_64::*;
use std::cell::LazyCell;
use std::mem::MaybeUninit;

use super::met::{Lanes as Runners, ManySums, SLOTS, Sum};
use super::sieve::{MOST, Marks, Open, Pairs, TABLE};
use super::simd::{ROWS_AT_ONCE, Simd, Word};
use super::small::{LANES, Term};
use super::wide::{Planes, SpreadTerm};
use super::witness::Lanes;
use planes::{PLANES, mark_planes, planes, words16, words32, words64};

/// 64 byte lanes.
pub struct Avx512;

/// Smaller parts that are taken together: these and the larger ones stay in the first cache.
const TILE: usize = 1024;
/// Words in a register.
const WORDS: usize = 32;
/// Marking the sums of a tile is worth its time if so many values are no longer open then.
const WORTH_MARKING: usize = TILE / 8;

/// Which bytes of two registers of words are the lower and which are the upper ones.
const BYTES_OF_WORDS: [[u8; 64]; 2] = {
    let mut bytes = [[0; 64]; 2];
    let mut k = 0;
    while k < 64 {
        bytes[0][k] = 2 * k as u8;
        bytes[1][k] = 2 * k as u8 + 1;
        k += 1;
    }
    bytes
};

/// The matrix that gives the number of the only bit.
const NUMBER_OF_BIT: i64 = 0xaacc_f000_0000_0000_u64 as i64;
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn load(bytes: &[u8; 64]) -> __m512i {
    // SAFETY: 64 bytes are there.
    unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
}

/// Takes rows away from `missing` until nothing is left, and says how many it took.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn cover_with(offsets: &[i32], missing: &mut Lanes, row: impl Fn(i32) -> __m512i) -> usize {
    // SAFETY: 64 bytes are there.
    let mut left = unsafe { _mm512_loadu_si512(missing.as_ptr().cast()) };
    let mut seen = 0;
    for group in offsets.chunks(ROWS_AT_ONCE) {
        left = match *group {
            [a, b, c, d, e, f, g, h] => {
                let or = |[a, b, c, d]: [i32; 4]| {
                    let (ab, cd) = (_mm512_or_si512(row(a), row(b)), _mm512_or_si512(row(c), row(d)));
                    _mm512_or_si512(ab, cd)
                };
                _mm512_andnot_si512(_mm512_or_si512(or([a, b, c, d]), or([e, f, g, h])), left)
            }
            _ => group.iter().fold(left, |left, &a| _mm512_andnot_si512(row(a), left)),
        };
        seen += group.len();
        if _mm512_test_epi64_mask(left, left) == 0 {
            break;
        }
    }
    // SAFETY: as above.
    unsafe { _mm512_storeu_si512(missing.as_mut_ptr().cast(), left) };
    seen
}

// SAFETY: each function enables the features that it uses; the callers see to it that the CPU has them.
unsafe impl Simd for Avx512 {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn far_words<W: Word>(c: &[u8], at: usize, terms: &[Term], room: u32, out: &mut [W; LANES]) {
        if W::BITS == 16 {
            let words = words16(planes::<2>(c, at, terms));
            for (k, word) in words.into_iter().enumerate() {
                // SAFETY: 32 words of 16 bits from `32 k` on are in `out`.
                unsafe { _mm512_storeu_si512(out.as_mut_ptr().add(32 * k).cast(), word) };
            }
        } else if W::BITS == 32 {
            let none = _mm512_setzero_si512();
            let planes = if room <= 16 {
                let [a, b] = planes::<2>(c, at, terms);
                [a, b, none, none]
            } else {
                planes::<4>(c, at, terms)
            };
            let words = words32(planes);
            for (k, word) in words.into_iter().enumerate() {
                // SAFETY: 16 words of 32 bits from `16 k` on are in `out`.
                unsafe { _mm512_storeu_si512(out.as_mut_ptr().add(16 * k).cast(), word) };
            }
        } else {
            let words = words64(planes::<8>(c, at, terms));
            out.iter_mut().zip(words).for_each(|(out, word)| *out = W::from_bits(word));
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn equal(lanes: &[u8; LANES], value: u8) -> u64 {
        _mm512_cmpeq_epi8_mask(load(lanes), _mm512_set1_epi8(value as i8))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn at_least(lanes: &[u8; LANES], values: [u8; 2]) -> u64 {
        _mm512_cmpge_epu8_mask(load(lanes), _mm512_set1_epi16(i16::from_le_bytes(values)))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn cover(rows: &[u64], at: usize, offsets: &[i32], missing: &mut Lanes) -> usize {
        cover_with(offsets, missing, |offset| {
            let bit = (at as i64 + i64::from(offset)) as usize;
            let (right, left) = (_mm_cvtsi64_si128((bit % 8) as i64), _mm_cvtsi64_si128((64 - bit % 8) as i64));
            // SAFETY: the caller says that the row is there, and 64 bits more.
            let (low, high) = unsafe {
                let row = rows.as_ptr().cast::<u8>().add(bit / 8);
                (_mm512_loadu_si512(row.cast()), _mm512_loadu_si512(row.add(8).cast()))
            };
            _mm512_or_si512(_mm512_srl_epi64(low, right), _mm512_sll_epi64(high, left))
        })
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn cover_whole_bytes(rows: &[u64], at: usize, offsets: &[i32], missing: &mut Lanes) -> usize {
        let block = rows.as_ptr().cast::<u8>().wrapping_add(at);
        cover_with(offsets, missing, |offset| {
            // SAFETY: the caller says that the row is there.
            unsafe { _mm512_loadu_si512(block.wrapping_offset(offset as isize).cast()) }
        })
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn look_up(lanes: &[u8; LANES], table: &[u8; 64], odd: u8) -> [u8; LANES] {
        let mut out = [0; LANES];
        let entries = _mm512_permutexvar_epi8(load(lanes), load(table));
        let odd = _mm512_set1_epi16(i16::from_le_bytes([0, odd]));
        // SAFETY: 64 bytes are there.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_xor_si512(entries, odd)) };
        out
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn mark(c: &[u8], at: usize, terms: &[SpreadTerm], count: usize, planes: &mut Planes) {
        let (low, high) = planes.0.split_at_mut(16);
        // SAFETY: the conditions are the same.
        unsafe {
            match count {
                0..=8 => mark_planes::<8>(c, at, terms, 0, low),
                9..=12 => mark_planes::<12>(c, at, terms, 0, low),
                13..=16 => mark_planes::<16>(c, at, terms, 0, low),
                17 => mark_planes::<17>(c, at, terms, 0, &mut planes.0),
                18..=20 => mark_planes::<20>(c, at, terms, 0, &mut planes.0),
                21..=24 => mark_planes::<24>(c, at, terms, 0, &mut planes.0),
                _ => {
                    mark_planes::<16>(c, at, terms, 0, low);
                    mark_planes::<16>(c, at, terms, 128, high);
                }
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn count(values: &[u8], counts: &mut [u64]) {
        count::count(values, counts);
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn transpose(planes: &[[u8; LANES]; 8]) -> [u64; LANES] {
        words64(planes.each_ref().map(|plane| load(plane)))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn hits<const K: usize>(
        c: &[u8],
        at: usize,
        terms: &[SpreadTerm],
        values: &[[u8; LANES]; K],
    ) -> [[u8; LANES]; K] {
        let values = values.each_ref().map(|values| load(values));
        let mut least = [_mm512_set1_epi8(-1); K];
        for term in terms {
            // SAFETY: the caller says that the heaps are there.
            let lanes = unsafe { _mm512_loadu_si512(c.as_ptr().add(at - term.distance as usize).cast()) };
            let sums = _mm512_xor_si512(lanes, _mm512_set1_epi32(term.xors as i32));
            for k in 0..K {
                least[k] = _mm512_min_epu8(least[k], _mm512_xor_si512(sums, values[k]));
            }
        }
        let mut out = [[0; LANES]; K];
        for (out, least) in out.iter_mut().zip(least) {
            // SAFETY: 64 bytes are there.
            unsafe { _mm512_storeu_si512(out.as_mut_ptr().cast(), least) };
        }
        out
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn take_missing(planes: &mut [[u8; LANES]], wanted: &[u8; LANES]) -> [u8; LANES] {
        let wanted = load(wanted);
        let (mut first, mut missing) = (_mm512_setzero_si512(), _mm512_setzero_si512());
        for (p, plane) in planes.iter().enumerate().rev() {
            let here = _mm512_andnot_si512(load(plane), wanted);
            let any = _mm512_test_epi8_mask(here, here);
            first = _mm512_mask_mov_epi8(first, any, _mm512_set1_epi8(p as i8));
            missing = _mm512_mask_mov_epi8(missing, any, here);
        }
        let lowest = _mm512_and_si512(missing, _mm512_sub_epi8(_mm512_setzero_si512(), missing));
        for (p, plane) in planes.iter_mut().enumerate() {
            let here = _mm512_cmpeq_epi8_mask(first, _mm512_set1_epi8(p as i8));
            let with = _mm512_or_si512(load(plane), _mm512_maskz_mov_epi8(here, lowest));
            // SAFETY: 64 bytes are there.
            unsafe { _mm512_storeu_si512(plane.as_mut_ptr().cast(), with) };
        }
        let bit = _mm512_gf2p8affine_epi64_epi8::<0>(lowest, _mm512_set1_epi64(NUMBER_OF_BIT));
        // Planes are below 32: nothing is shifted into the next byte.
        let value = _mm512_or_si512(_mm512_slli_epi16::<3>(first), bit);
        let none = _mm512_testn_epi8_mask(lowest, lowest);
        let mut out = [0; LANES];
        // SAFETY: 64 bytes are there.
        unsafe {
            _mm512_storeu_si512(out.as_mut_ptr().cast(), _mm512_mask_mov_epi8(value, none, _mm512_set1_epi8(-1)))
        };
        out
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn equal_sums(a: &[u8; LANES], b: &[u8; LANES], value: u8) -> u64 {
        _mm512_cmpeq_epi8_mask(_mm512_xor_si512(load(a), load(b)), _mm512_set1_epi8(value as i8))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn cross_off(stretches: &[Pairs<'_>], opens: &mut [Open]) {
        match opens.first().map(|open| open.tables) {
            None => (),
            Some(1) => sift::<1>(stretches, opens),
            Some(2) => sift::<2>(stretches, opens),
            Some(_) => sift::<4>(stretches, opens),
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn open_words(open: &Open) -> [u64; MOST as usize / 64] {
        open.words(|bytes, bit| _mm512_test_epi8_mask(load(bytes), _mm512_set1_epi8(1 << bit)))
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn are_sums<const K: usize>(smaller: &[u16], larger: &[u16], values: &[u16; K]) -> [bool; K] {
        let wanted = values.map(|value| _mm512_set1_epi16(value as i16));
        // A lane becomes 0 when its sum is wanted.
        let mut left = [_mm512_set1_epi16(-1); K];
        let ((a, a_rest), (b, b_rest)) = (smaller.as_chunks(), larger.as_chunks());
        for (a, b) in a.iter().zip(b) {
            let (a, b) = (load16(a), load16(b));
            for k in 0..K {
                left[k] = _mm512_min_epu16(left[k], _mm512_ternarylogic_epi64(a, b, wanted[k], 0x96));
            }
        }
        std::array::from_fn(|k| {
            _mm512_testn_epi16_mask(left[k], left[k]) != 0 || a_rest.iter().zip(b_rest).any(|(a, b)| a ^ b == values[k])
        })
    }

    const MANY_SUMS: ManySums = ManySums::LookedUp;

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn cross_off_sums(values: &[u16], at: usize, sums: &[Sum], opens: &mut [Open]) {
        // SAFETY: as the caller says.
        unsafe { sums::cross_off_sums(values, at, sums, opens) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    unsafe fn met(values: &[u16], at: usize, sums: &[Sum], soon: &[Sum], lanes: &Runners) -> [u32; SLOTS] {
        // SAFETY: as the caller says.
        unsafe { met::met(values, at, sums, soon, lanes) }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn load16(words: &[u16; 32]) -> __m512i {
    // SAFETY: 64 bytes are there.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

/// Takes sums out of the `T` tables of open values, in the way that is fastest for as many as the last ones took out.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn sift<const T: usize>(stretches: &[Pairs<'_>], opens: &mut [Open]) {
    let count = |opens: &[Open]| opens.iter().map(Open::len).sum::<usize>();
    let mut left = count(opens);
    // As if the sums were spread evenly.
    let mut settled = left * TILE / (T * TABLE as usize);
    // They are large: only made if they are used.
    let mut marks = LazyCell::new(Marks::default);
    for [smaller, larger] in stretches {
        for (first, tile) in (0..).step_by(TILE).zip(smaller.chunks(TILE)) {
            let larger = |lane: usize| &larger[first + lane..][..tile.len()];
            let lanes = opens.iter_mut().enumerate();
            settled = if settled > WORTH_MARKING * lanes.len() {
                lanes.for_each(|(lane, open)| marks.mark(tile, larger(lane), open));
                let before = std::mem::replace(&mut left, count(opens));
                before - left
            } else {
                lanes.map(|(lane, open)| look_up_sums::<T>(tile, larger(lane), open)).sum()
            }
        }
    }
}

/// A table of open values in registers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn load_table(bytes: &[u8; 256]) -> [__m512i; 4] {
    std::array::from_fn(|k| load(&bytes.as_chunks().0[k]))
}

/// Takes the sums of a tile out that are found in the tables, and says how many were.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn look_up_sums<const T: usize>(a: &[u16], b: &[u16], open: &mut Open) -> usize {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<64>(), b.as_chunks::<64>());
    let tables: [[__m512i; 4]; T] = std::array::from_fn(|t| load_table(&open.bytes[t]));
    // How many are found among 64 is hard to foresee: so they are put beside each other first, without asking.
    let mut found = [MaybeUninit::<u16>::uninit(); TILE + WORDS];
    let mut count = 0;
    for (a, b) in a.iter().zip(b) {
        let sums = [0, 1].map(|k| _mm512_xor_si512(load16(&a.as_chunks().0[k]), load16(&b.as_chunks().0[k])));
        let hits = open_sums(sums, &tables);
        for (sums, hits) in sums.into_iter().zip([hits as u32, (hits >> 32) as u32]) {
            let hit = _mm512_maskz_compress_epi16(hits, sums);
            // SAFETY: at most the sums of a tile come before these, and there is room for as many words more.
            unsafe { _mm512_storeu_si512(found.as_mut_ptr().add(count).cast(), hit) };
            count += hits.count_ones() as usize;
        }
    }
    for sum in &found[..count] {
        // SAFETY: so many have been written.
        open.remove(u32::from(unsafe { sum.assume_init() }));
    }
    a_rest.iter().zip(b_rest).for_each(|(a, b)| open.remove(u32::from(a ^ b)));
    count
}

/// Which of the sums in two registers are open.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn open_sums<const T: usize>([x, y]: [__m512i; 2], tables: &[[__m512i; 4]; T]) -> u64 {
    let bytes = |k: usize| _mm512_permutex2var_epi8(x, load(&BYTES_OF_WORDS[k]), y);
    open_bytes(bytes(0), bytes(1), tables)
}

/// Which of 64 sums are open, from their lower and upper bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn open_bytes<const T: usize>(lower: __m512i, upper: __m512i, tables: &[[__m512i; 4]; T]) -> u64 {
    let second_half = _mm512_movepi8_mask(lower);
    let mut hits = _mm512_setzero_si512();
    for (table, plane) in tables.iter().zip(&PLANES) {
        let halves = [0, 2].map(|k| _mm512_permutex2var_epi8(table[k], lower, table[k + 1]));
        let byte = _mm512_mask_blend_epi8(second_half, halves[0], halves[1]);
        let bit = _mm512_permutexvar_epi8(upper, load(plane));
        // hits | byte & bit
        hits = _mm512_ternarylogic_epi64(hits, byte, bit, 0xf8);
    }
    _mm512_test_epi8_mask(hits, hits)
}
