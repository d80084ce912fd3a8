//! Counting by comparing.

use std::arch::x86_64::*;

use super::load;

/// Values that are looked for at a time.
const VALUES: usize = 4;
/// So many heaps that no byte of a count overflows.
const PIECE: usize = 255 * 64;

/// See [`crate::kernel::simd::Simd::count`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
pub fn count(values: &[u8], counts: &mut [u64]) {
    for piece in values.chunks(PIECE) {
        let (groups, rest) = piece.as_chunks();
        for (k, counts) in counts.chunks_mut(VALUES).enumerate() {
            let more = occurrences(groups, (VALUES * k) as u8);
            counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        }
        rest.iter().for_each(|&value| counts[usize::from(value)] += 1);
    }
}

/// How often the values from `first` on occur.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
fn occurrences(groups: &[[u8; 64]], first: u8) -> [u64; VALUES] {
    let values: [__m512i; VALUES] = std::array::from_fn(|k| _mm512_set1_epi8((first + k as u8) as i8));
    let mut counts = [_mm512_setzero_si512(); VALUES];
    let minus_one = _mm512_set1_epi8(-1);
    for group in groups {
        let group = load(group);
        for (count, value) in counts.iter_mut().zip(values) {
            *count = _mm512_mask_sub_epi8(*count, _mm512_cmpeq_epi8_mask(group, value), *count, minus_one);
        }
    }
    counts.map(|count| _mm512_reduce_add_epi64(_mm512_sad_epu8(count, _mm512_setzero_si512())) as u64)
}
