//! Candidates in lanes, compared with sums.

use std::arch::x86_64::*;

use super::load16;
use crate::kernel::met::{HEAPS, Lanes, SLOTS, Sum};

/// See [`crate::kernel::simd::Simd::met`].
///
/// # Safety
/// The heaps must be there.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
pub unsafe fn met(values: &[u16], at: usize, sums: &[Sum], soon: &[Sum], lanes: &Lanes) -> [u32; SLOTS] {
    let candidates = lanes.values.each_ref().map(|words| load16(words));
    let picks = lanes.picks.each_ref().map(|words| load16(words));
    let step = |left: &mut [__m512i; SLOTS], sum: &Sum| {
        // SAFETY: the caller says that the heaps are there.
        let others = unsafe { _mm512_loadu_si512(values.as_ptr().add(at - sum.distance()).cast()) };
        let xor = _mm512_set1_epi32(sum.xor as i32);
        for slot in 0..SLOTS {
            let others = _mm512_shuffle_epi8(others, picks[slot]);
            let differs = _mm512_ternarylogic_epi64(others, xor, candidates[slot], 0x96);
            left[slot] = _mm512_min_epu16(left[slot], differs);
        }
    };
    let fetch = |sum: &Sum| {
        let last = values.as_ptr().wrapping_add(at + HEAPS - 1).wrapping_sub(sum.distance());
        _mm_prefetch::<_MM_HINT_T1>(last.cast());
    };
    // A lane becomes 0 when it is met. Two sets of lanes, so that one need not wait for the other.
    let mut left = [[_mm512_set1_epi16(-1); SLOTS]; 2];
    let (pairs, rest) = sums.as_chunks::<2>();
    let mut soon = soon.as_chunks::<2>().0.iter();
    for [a, b] in pairs {
        step(&mut left[0], a);
        step(&mut left[1], b);
        if let Some([a, b]) = soon.next() {
            fetch(a);
            fetch(b);
        }
    }
    rest.iter().for_each(|sum| step(&mut left[0], sum));
    std::array::from_fn(|slot| {
        let left = _mm512_min_epu16(left[0][slot], left[1][slot]);
        _mm512_testn_epi16_mask(left, left)
    })
}
