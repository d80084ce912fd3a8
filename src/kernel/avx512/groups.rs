//! Groups of heaps, each in half a register of 16 bytes.

use std::arch::x86_64::*;

use super::Avx512;
use crate::kernel::grouped::{GROUP, Grouped, KEPT, MAX_NEAR, MAX_XOR, Near, NearTerm, Pair, ROOM};
use crate::kernel::simd::Simd;
use crate::kernel::small::{BLOCK, LANES, Term};

/// Groups in a run and in a block.
const RUN: usize = LANES / GROUP;
const ALL: usize = BLOCK / GROUP;

/// The last pairs that are held in registers: what was stored a few steps ago takes too long to load.
const LAGS: usize = 3;

/// The matrix for each `by` that moves bit `v` of a byte to bit `v ^ by`.
const TRANSLATIONS: [i64; MAX_XOR as usize] = {
    let mut matrices = [0; MAX_XOR as usize];
    let mut k = 0;
    while k < 64 {
        let (by, v) = (k / 8, k % 8);
        matrices[by] |= 1 << (v ^ by) << (8 * (7 - v));
        k += 1;
    }
    matrices
};

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn translation(by: u32) -> __m128i {
    _mm_set1_epi64x(TRANSLATIONS[by as usize])
}

/// A term whose heaps are loaded.
#[derive(Clone, Copy)]
struct Load {
    /// How many bytes before the pair of the group its heaps begin.
    back: usize,
    /// What makes its sums of them.
    matrix: __m128i,
}

/// A term whose heaps are in a register.
#[derive(Clone, Copy)]
struct Held {
    /// What takes its heaps out of the pair.
    window: __m128i,
    /// What makes its sums of them.
    matrix: __m128i,
}

/// Decides the candidates of `BLOCK` heaps from `at` on.
///
/// # Safety
/// The CPU must have the features.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
pub unsafe fn block(grouped: &mut Grouped, c: &mut [u8], at: usize) {
    let (near, far) = grouped.advance(c, at);
    // SAFETY: the CPU has the features, and the heaps are there.
    unsafe {
        match near.terms.iter().filter(|term| !is_held(near, term)).count() {
            0 => decide::<0>(near, far, c, at),
            1 => decide::<1>(near, far, c, at),
            2 => decide::<2>(near, far, c, at),
            3 => decide::<3>(near, far, c, at),
            4 => decide::<4>(near, far, c, at),
            5 => decide::<5>(near, far, c, at),
            6 => decide::<6>(near, far, c, at),
            7..=8 => decide::<8>(near, far, c, at),
            9..=10 => decide::<10>(near, far, c, at),
            11..=12 => decide::<12>(near, far, c, at),
            _ => decide::<MAX_NEAR>(near, far, c, at),
        }
    }
}

/// The term whose heaps are taken from the pair that is so many groups back. The very last pair is waited for: its
/// heaps are not held if they need a matrix, too.
fn held(near: &Near, lag: usize) -> Option<&NearTerm> {
    near.terms.iter().find(|term| term.groups == lag && (lag > 1 || term.xor == 0))
}

fn is_held(near: &Near, term: &NearTerm) -> bool {
    term.groups <= LAGS && held(near, term.groups).is_some_and(|held| std::ptr::eq(held, term))
}

/// Where in a pair the heaps of a term begin.
fn byte_in_pair(term: &NearTerm) -> usize {
    size_of::<u64>() - term.heaps * size_of::<u16>()
}

impl Held {
    /// Without a term, nothing is taken out.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    fn new(term: Option<&NearTerm>) -> Held {
        let bytes = |from: usize| 0x0706_0504_0302_0100 + 0x0101_0101_0101_0101 * from as i64;
        let window = _mm_set_epi64x(-1, term.map_or(-1, |term| bytes(byte_in_pair(term))));
        Held { window, matrix: translation(term.map_or(0, |term| term.xor)) }
    }
}

/// The terms whose heaps are loaded, and how many of them there are: the first is there again where there are fewer.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn loads(near: &Near) -> ([Load; MAX_NEAR], usize) {
    let load = |term: &NearTerm| Load {
        back: term.groups * size_of::<Pair>() - byte_in_pair(term),
        matrix: translation(term.xor),
    };
    let mut terms = near.terms.iter().filter(|term| !is_held(near, term));
    let first = terms.next().map_or(Load { back: 0, matrix: _mm_setzero_si128() }, load);
    let mut loads = [first; MAX_NEAR];
    let others = loads[1..].iter_mut().zip(terms).map(|(slot, term)| *slot = load(term)).count();
    (loads, others + 1)
}

/// Decides a block. `N`: how many terms have to be loaded, or a few more; `MAX_NEAR` for any number. What is known of
/// them stays in registers if they are few.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
unsafe fn decide<const N: usize>(near: &mut Near, far: &[Term], c: &mut [u8], at: usize) {
    assert!(near.pairs.len() == KEPT + ALL && near.terms.iter().all(|term| (1..=KEPT).contains(&term.groups)));
    let [first, second, third] = std::array::from_fn(|k| Held::new(held(near, k + 1)));
    let (loads, count) = loads(near);
    let loads = &loads[..if N < MAX_NEAR { N } else { count }];
    // SAFETY: a term reaches back to the `KEPT` groups before the block at most. Its 8 bytes are within one pair, and
    // nothing else refers to the pairs meanwhile.
    unsafe {
        let mut pair = near.pairs.as_mut_ptr().add(KEPT);
        let [mut last, mut older, mut oldest] = std::array::from_fn(|k| _mm_load_si128(pair.sub(k + 1).cast()));
        let mut sets = [0u16; LANES];
        for heap in (at..at + BLOCK).step_by(LANES) {
            Avx512::far_words(c, heap, far, ROOM, &mut sets);
            for sets in sets.as_chunks::<GROUP>().0 {
                let mut set = _mm_loadl_epi64(sets.as_ptr().cast());
                for load in loads {
                    let heaps = _mm_loadl_epi64(pair.cast::<u8>().sub(load.back).cast());
                    set = _mm_or_si128(set, _mm_gf2p8affine_epi64_epi8::<0>(heaps, load.matrix));
                }
                for (pair, held) in [(oldest, third), (older, second)] {
                    let heaps = _mm_shuffle_epi8(pair, held.window);
                    set = _mm_or_si128(set, _mm_gf2p8affine_epi64_epi8::<0>(heaps, held.matrix));
                }
                set = _mm_or_si128(set, _mm_shuffle_epi8(last, first.window));
                let missing = _mm_andnot_si128(set, _mm_add_epi16(set, _mm_set1_epi16(1)));
                (last, older, oldest) = (_mm_alignr_epi8::<8>(missing, last), last, older);
                _mm_store_si128(pair.cast(), last);
                pair = pair.add(1);
            }
            let groups = std::slice::from_raw_parts(pair.sub(RUN), RUN);
            let values = c[heap..heap + LANES].as_chunks_mut::<16>().0;
            for (values, four) in values.iter_mut().zip(groups.as_chunks().0) {
                _mm_storeu_si128(values.as_mut_ptr().cast(), numbers(four));
            }
        }
    }
}

/// The values of the later groups from their sets of one; for the empty set a large one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn numbers(pairs: &[Pair; 4]) -> __m128i {
    // SAFETY: 64 bytes are there.
    let pairs = unsafe { _mm512_loadu_si512(pairs.as_ptr().cast()) };
    let later = _mm512_maskz_compress_epi64(0b1010_1010, pairs);
    let sets = _mm512_cvtepu16_epi32(_mm512_castsi512_si256(later));
    // The exponent of a power of two; 0 has none, which leaves -127.
    let floats = _mm512_castps_si512(_mm512_cvtepi32_ps(sets));
    _mm512_cvtepi32_epi8(_mm512_sub_epi32(_mm512_srli_epi32::<23>(floats), _mm512_set1_epi32(127)))
}
