//! Groups of heaps, each in half a register of 16 bytes.

use std::arch::x86_64::*;

use super::Avx512;
use crate::kernel::grouped::{GROUP, MAX_NEAR, MAX_XORS, Near, Pair, ROOM};
use crate::kernel::simd::Simd;
use crate::kernel::small::{BLOCK, LANES, Term};

/// Near terms are ORed four at a time: fewer counts and branches.
const QUAD: usize = 4;
const MAX_QUADS: usize = MAX_NEAR / QUAD;

/// Groups in a run and in a block.
const RUN: usize = LANES / GROUP;
const ALL: usize = BLOCK / GROUP;

/// What is taken where a term is missing of the last four.
static NONE: [Pair; ALL] = [Pair([0; 2]); ALL];

/// See [`Simd::grouped_block`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
pub unsafe fn block(near: &mut Near, far: &[Term], c: &mut [u8], at: usize) {
    // SAFETY: the conditions are the same.
    unsafe {
        match near.xors.len() {
            1 => by_quads::<1>(near, far, c, at),
            2 => by_quads::<2>(near, far, c, at),
            3 => by_quads::<3>(near, far, c, at),
            4 => by_quads::<4>(near, far, c, at),
            5 => by_quads::<5>(near, far, c, at),
            _ => by_quads::<0>(near, far, c, at),
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
unsafe fn by_quads<const X: usize>(near: &mut Near, far: &[Term], c: &mut [u8], at: usize) {
    // SAFETY: the conditions are the same.
    unsafe {
        match in_memory(near).div_ceil(QUAD) {
            0 => decide::<X, 0>(near, far, c, at),
            1 => decide::<X, 1>(near, far, c, at),
            2 => decide::<X, 2>(near, far, c, at),
            3 => decide::<X, 3>(near, far, c, at),
            4 => decide::<X, 4>(near, far, c, at),
            _ => decide::<X, MAX_QUADS>(near, far, c, at),
        }
    }
}

/// How many terms are not served by a register.
fn in_memory(near: &Near) -> usize {
    near.terms.len() - usize::from(is_nearest_in_register(near))
}

/// Whether the heaps of the nearest term are in the last pair, so that they need not be waited for in memory.
fn is_nearest_in_register(near: &Near) -> bool {
    near.terms.last().is_some_and(|term| term.xor == 0 && term.groups == 1)
}

/// What takes the heaps of the nearest term out of a pair, or gives no heaps if it is not served by a register.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn nearest(near: &Near) -> __m128i {
    let Some(term) = near.terms.last().filter(|_| is_nearest_in_register(near)) else { return _mm_set1_epi8(-1) };
    let from = byte_in_pair(term.heaps) as i64;
    _mm_set_epi64x(-1, 0x0706_0504_0302_0100 + 0x0101_0101_0101_0101 * from)
}

/// Where in a pair the heaps are that begin so many before those of the later group.
fn byte_in_pair(heaps: usize) -> usize {
    size_of::<u64>() - heaps * size_of::<u16>()
}

/// Decides a block. `X`: how many `xors`, 0 for any number; `Q`: how many times four terms in memory, `MAX_QUADS` for
/// any number. The pointers stay in registers where these are known.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
unsafe fn decide<const X: usize, const Q: usize>(near: &mut Near, far: &[Term], c: &mut [u8], at: usize) {
    let count = if X > 0 { X } else { near.xors.len() };
    let in_memory = in_memory(near);
    let quads = if Q < MAX_QUADS { Q } else { in_memory.div_ceil(QUAD) };
    let nearest = nearest(near);
    let mut matrices = [_mm_setzero_si128(); MAX_XORS];
    near.xors.iter().zip(&mut matrices).for_each(|(&xor, matrix)| *matrix = _mm_set1_epi64x(translation(xor)));
    let mut pairs = [std::ptr::null_mut::<Pair>(); MAX_XORS];
    assert!(near.pairs.iter().all(|v| v.len() == RUN + ALL));
    let mut terms = [[NONE.as_ptr().cast::<u8>(); QUAD]; MAX_QUADS];
    // SAFETY: a term reaches back to the `RUN` groups before the block at most, and these have their pairs. Its 8 bytes
    // are within one of them, and nothing else refers to the pairs meanwhile.
    unsafe {
        near.pairs.iter_mut().zip(&mut pairs).for_each(|(v, p)| *p = v.as_mut_ptr().add(RUN));
        for (t, term) in near.terms[..in_memory].iter().enumerate() {
            let pair = pairs[term.xor].sub(term.groups).cast::<u8>().cast_const();
            terms[t / QUAD][t % QUAD] = pair.add(byte_in_pair(term.heaps));
        }
        let mut last = _mm_load_si128(pairs[0].sub(1).cast());
        let mut sets = [0u16; LANES];
        for run in (0..ALL).step_by(RUN) {
            let heap = at + run * GROUP;
            Avx512::far_words(c, heap, far, ROOM, &mut sets);
            for (group, sets) in (run..run + RUN).zip(sets.as_chunks::<GROUP>().0) {
                let heaps = |term: *const u8| _mm_loadl_epi64(term.add(group * size_of::<Pair>()).cast());
                let mut set = _mm_loadl_epi64(sets.as_ptr().cast());
                for quad in &terms[..quads] {
                    let [a, b, c, d] = quad.map(heaps);
                    set = _mm_or_si128(set, _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d)));
                }
                set = _mm_or_si128(set, _mm_shuffle_epi8(last, nearest));
                let missing = _mm_andnot_si128(set, _mm_add_epi16(set, _mm_set1_epi16(1)));
                last = _mm_alignr_epi8::<8>(missing, last);
                _mm_store_si128(pairs[0].add(group).cast(), last);
                for k in 1..count {
                    let translated = _mm_gf2p8affine_epi64_epi8::<0>(last, matrices[k]);
                    _mm_store_si128(pairs[k].add(group).cast(), translated);
                }
            }
            let groups = std::slice::from_raw_parts(pairs[0].add(run), RUN);
            let values = c[heap..heap + LANES].as_chunks_mut::<16>().0;
            for (values, four) in values.iter_mut().zip(groups.as_chunks().0) {
                _mm_storeu_si128(values.as_mut_ptr().cast(), numbers(four));
            }
        }
    }
}

/// The matrix that moves bit `v` of a byte to bit `v ^ by`.
fn translation(by: u32) -> i64 {
    (0..8).fold(0u64, |matrix, v| matrix | 1 << (v ^ by) << (8 * (7 - v))) as i64
}

/// The values of the later groups from their sets of one; for the empty set a large one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn numbers(pairs: &[Pair; 4]) -> __m128i {
    // SAFETY: 64 bytes are there.
    let pairs = unsafe { _mm512_loadu_si512(pairs.as_ptr().cast()) };
    let later = _mm512_maskz_compress_epi64(0b1010_1010, pairs);
    let sets = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(later));
    // The exponent of a power of two; 0 has none, which leaves -127.
    let floats = _mm512_castps_si512(_mm512_cvtepi32_ps(sets));
    _mm512_cvtepi32_epi8(_mm512_sub_epi32(_mm512_srli_epi32::<23>(floats), _mm512_set1_epi32(127)))
}
