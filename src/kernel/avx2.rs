//! AVX2: 32 byte lanes, and tables of 16 bytes.

use std::arch::x86_64::*;

use super::met::{HEAPS, Lanes as Runners, SLOTS, Sum};
use super::sieve::{MOST, Open};
use super::simd::{ROWS_AT_ONCE, Simd, Word};
use super::small::{LANES, Term};
use super::wide::{Planes, SpreadTerm};
use super::witness::Lanes;

/// 32 byte lanes.
pub struct Avx2;

/// Half of the lanes.
const HALF: usize = 32;

/// For each value below 16, the bit that stands for it in the lower plane (values 0 to 7) and the upper one.
const PLANES: [[u8; 16]; 2] = {
    let mut planes = [[0; 16]; 2];
    let mut v = 0;
    while v < 16 {
        planes[v / 8][v] = 1 << (v % 8);
        v += 1;
    }
    planes
};

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8]) -> __m256i {
    let half: &[u8; HALF] = bytes.first_chunk().expect("half of the lanes");
    // SAFETY: 32 bytes are there.
    unsafe { _mm256_loadu_si256(half.as_ptr().cast()) }
}

/// 16 bytes, twice.
#[inline]
#[target_feature(enable = "avx2")]
fn table(bytes: &[u8; 16]) -> __m256i {
    // SAFETY: 16 bytes are there.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
}

/// The index into a table for the 16 values from `first` on: its top bit is set, which gives 0, for other values.
#[inline]
#[target_feature(enable = "avx2")]
fn index(values: __m256i, first: u8) -> __m256i {
    _mm256_adds_epu8(_mm256_sub_epi8(values, _mm256_set1_epi8(first as i8)), _mm256_set1_epi8(0x70))
}

/// The union of the terms for half of the lanes, in `G` pairs of planes.
#[inline]
#[target_feature(enable = "avx2")]
fn planes<const G: usize>(c: &[u8], at: usize, terms: &[Term]) -> [[__m256i; 2]; G] {
    let sums =
        |term: &Term| _mm256_xor_si256(load(&c[at - term.distance as usize..]), _mm256_set1_epi8(term.xor as i8));
    one_hot(terms.iter().map(sums))
}

/// The same for the values from `first` on.
#[inline]
#[target_feature(enable = "avx2")]
fn wide_planes<const G: usize>(c: &[u8], at: usize, terms: &[SpreadTerm], first: u8) -> [[__m256i; 2]; G] {
    let first = _mm256_set1_epi8(first as i8);
    let sums = |term: &SpreadTerm| {
        let sums = _mm256_xor_si256(load(&c[at - term.distance as usize..]), _mm256_set1_epi32(term.xors as i32));
        _mm256_xor_si256(sums, first)
    };
    one_hot(terms.iter().map(sums))
}

/// The sets of the given values, in `G` pairs of planes.
#[inline]
#[target_feature(enable = "avx2")]
fn one_hot<const G: usize>(sums: impl Iterator<Item = __m256i>) -> [[__m256i; 2]; G] {
    let tables = [table(&PLANES[0]), table(&PLANES[1])];
    let mut planes = [[_mm256_setzero_si256(); 2]; G];
    for sums in sums {
        for (g, pair) in planes.iter_mut().enumerate() {
            let index = index(sums, 16 * g as u8);
            for (plane, table) in pair.iter_mut().zip(tables) {
                *plane = _mm256_or_si256(*plane, _mm256_shuffle_epi8(table, index));
            }
        }
    }
    planes
}

/// Writes half of the lanes of as many planes as there are.
#[inline]
#[target_feature(enable = "avx2")]
fn store<const G: usize>(found: [[__m256i; 2]; G], half: usize, planes: &mut [[u8; LANES]]) {
    for (plane, found) in planes.iter_mut().zip(found.as_flattened()) {
        // SAFETY: 32 bytes from each half on are there.
        unsafe { _mm256_storeu_si256(plane.as_mut_ptr().add(HALF * half).cast(), *found) };
    }
}

/// The planes of half of the lanes as one word a heap.
#[inline]
#[target_feature(enable = "avx2")]
fn words<const G: usize>(planes: [[__m256i; 2]; G]) -> [u64; HALF] {
    let mut bytes = [[_mm_setzero_si128(); 8]; 2];
    for (p, plane) in planes.as_flattened().iter().enumerate() {
        bytes[0][p] = _mm256_castsi256_si128(*plane);
        bytes[1][p] = _mm256_extracti128_si256(*plane, 1);
    }
    let mut out = [0; HALF];
    for (quarter, [a, b, c, d, e, f, g, h]) in bytes.into_iter().enumerate() {
        let by_two = |a, b| [_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b)];
        let (ab, cd, ef, gh) = (by_two(a, b), by_two(c, d), by_two(e, f), by_two(g, h));
        for half in 0..2 {
            let by_four = |a, b| [_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b)];
            let (abcd, efgh) = (by_four(ab[half], cd[half]), by_four(ef[half], gh[half]));
            for k in 0..2 {
                let pair = [_mm_unpacklo_epi32(abcd[k], efgh[k]), _mm_unpackhi_epi32(abcd[k], efgh[k])];
                let at = 16 * quarter + 8 * half + 4 * k;
                // SAFETY: four words from `at` on are there.
                unsafe {
                    _mm_storeu_si128(out.as_mut_ptr().add(at).cast(), pair[0]);
                    _mm_storeu_si128(out.as_mut_ptr().add(at + 2).cast(), pair[1]);
                }
            }
        }
    }
    out
}

/// One bit for every byte whose top bit is set, from both halves.
#[inline]
#[target_feature(enable = "avx2")]
fn mask(halves: [__m256i; 2]) -> u64 {
    let [low, high] = halves.map(|half| _mm256_movemask_epi8(half) as u32);
    u64::from(high) << 32 | u64::from(low)
}

#[inline]
#[target_feature(enable = "avx2")]
fn both(lanes: &[u8; LANES]) -> [__m256i; 2] {
    [load(&lanes[..HALF]), load(&lanes[HALF..])]
}

/// Takes rows away from `missing` until nothing is left, and says how many it took.
#[inline]
#[target_feature(enable = "avx2")]
fn cover_with(offsets: &[i32], missing: &mut Lanes, row: impl Fn(i32, usize) -> __m256i) -> usize {
    let mut left = [0, 1].map(|half| {
        // SAFETY: 32 bytes from each half on are there.
        unsafe { _mm256_loadu_si256(missing.as_ptr().add(4 * half).cast()) }
    });
    let mut seen = 0;
    for group in offsets.chunks(ROWS_AT_ONCE) {
        for &offset in group {
            left[0] = _mm256_andnot_si256(row(offset, 0), left[0]);
            left[1] = _mm256_andnot_si256(row(offset, 1), left[1]);
        }
        seen += group.len();
        let all = _mm256_or_si256(left[0], left[1]);
        if _mm256_testz_si256(all, all) == 1 {
            break;
        }
    }
    for (half, left) in left.into_iter().enumerate() {
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(missing.as_mut_ptr().add(4 * half).cast(), left) };
    }
    seen
}

// SAFETY: each function enables the features that it uses; the callers see to it that the CPU has them.
unsafe impl Simd for Avx2 {
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn far_words<W: Word>(c: &[u8], at: usize, terms: &[Term], room: u32, out: &mut [W; LANES]) {
        for (half, out) in out.as_chunks_mut::<HALF>().0.iter_mut().enumerate() {
            let at = at + HALF * half;
            let sets = match room {
                0..=16 => words(planes::<1>(c, at, terms)),
                17..=32 => words(planes::<2>(c, at, terms)),
                _ => words(planes::<4>(c, at, terms)),
            };
            out.iter_mut().zip(sets).for_each(|(out, set)| *out = W::from_bits(set));
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn equal(lanes: &[u8; LANES], value: u8) -> u64 {
        mask(both(lanes).map(|half| _mm256_cmpeq_epi8(half, _mm256_set1_epi8(value as i8))))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn at_least(lanes: &[u8; LANES], values: [u8; 2]) -> u64 {
        let least = _mm256_set1_epi16(i16::from_le_bytes(values));
        mask(both(lanes).map(|half| _mm256_cmpeq_epi8(_mm256_max_epu8(half, least), half)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn cover(rows: &[u64], at: usize, offsets: &[i32], missing: &mut Lanes) -> usize {
        cover_with(offsets, missing, |offset, half| {
            let bit = (at as i64 + i64::from(offset)) as usize;
            let (right, left) = (_mm_cvtsi64_si128((bit % 8) as i64), _mm_cvtsi64_si128((64 - bit % 8) as i64));
            // SAFETY: the caller says that the row is there, and 64 bits more.
            let (low, high) = unsafe {
                let row = rows.as_ptr().cast::<u8>().add(bit / 8 + HALF * half);
                (_mm256_loadu_si256(row.cast()), _mm256_loadu_si256(row.add(8).cast()))
            };
            _mm256_or_si256(_mm256_srl_epi64(low, right), _mm256_sll_epi64(high, left))
        })
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn cover_whole_bytes(rows: &[u64], at: usize, offsets: &[i32], missing: &mut Lanes) -> usize {
        cover_with(offsets, missing, |offset, half| {
            let byte = (at as i64 + i64::from(offset)) as usize + HALF * half;
            // SAFETY: the caller says that the row is there.
            unsafe { _mm256_loadu_si256(rows.as_ptr().cast::<u8>().add(byte).cast()) }
        })
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn look_up(lanes: &[u8; LANES], bytes: &[u8; 64], odd: u8) -> [u8; LANES] {
        let mut out = [0; LANES];
        for (half, lanes) in both(lanes).into_iter().enumerate() {
            let mut found = _mm256_set1_epi16(i16::from_le_bytes([0, odd]));
            for (k, entries) in bytes.as_chunks::<16>().0.iter().enumerate() {
                let entry = _mm256_shuffle_epi8(table(entries), index(lanes, 16 * k as u8));
                found = _mm256_xor_si256(found, entry);
            }
            // SAFETY: 32 bytes from each half on are there.
            unsafe { _mm256_storeu_si256(out.as_mut_ptr().add(HALF * half).cast(), found) };
        }
        out
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn mark(c: &[u8], at: usize, terms: &[SpreadTerm], count: usize, planes: &mut Planes) {
        for half in 0..2 {
            let at = at + HALF * half;
            for (k, planes) in planes.0[..count.next_multiple_of(2)].chunks_mut(8).enumerate() {
                let first = 64 * k as u8;
                match planes.len() {
                    0..=2 => store(wide_planes::<1>(c, at, terms, first), half, planes),
                    3..=4 => store(wide_planes::<2>(c, at, terms, first), half, planes),
                    _ => store(wide_planes::<4>(c, at, terms, first), half, planes),
                }
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn transpose(planes: &[[u8; LANES]; 8]) -> [u64; LANES] {
        let mut out = [0; LANES];
        for (half, out) in out.as_chunks_mut::<HALF>().0.iter_mut().enumerate() {
            let plane = |p: usize| load(&planes[p][HALF * half..]);
            *out = words::<4>(std::array::from_fn(|g| [plane(2 * g), plane(2 * g + 1)]));
        }
        out
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn hits<const K: usize>(
        c: &[u8],
        at: usize,
        terms: &[SpreadTerm],
        values: &[[u8; LANES]; K],
    ) -> [[u8; LANES]; K] {
        let mut out = [[0; LANES]; K];
        for half in 0..2 {
            let values: [__m256i; K] = std::array::from_fn(|k| load(&values[k][HALF * half..]));
            let mut least = [_mm256_set1_epi8(-1); K];
            for term in terms {
                let others = load(&c[at + HALF * half - term.distance as usize..]);
                let sums = _mm256_xor_si256(others, _mm256_set1_epi32(term.xors as i32));
                for k in 0..K {
                    least[k] = _mm256_min_epu8(least[k], _mm256_xor_si256(sums, values[k]));
                }
            }
            for k in 0..K {
                // SAFETY: 32 bytes from each half on are there.
                unsafe { _mm256_storeu_si256(out[k].as_mut_ptr().add(HALF * half).cast(), least[k]) };
            }
        }
        out
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn equal_sums(a: &[u8; LANES], b: &[u8; LANES], value: u8) -> u64 {
        let value = _mm256_set1_epi8(value as i8);
        let (a, b) = (both(a), both(b));
        mask([0, 1].map(|half| _mm256_cmpeq_epi8(_mm256_xor_si256(a[half], b[half]), value)))
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn open_words(open: &Open) -> [u64; MOST as usize / 64] {
        open.words(|bytes, bit| {
            let up = _mm_cvtsi32_si128(7 - bit as i32);
            mask(both(bytes).map(|half| _mm256_sll_epi16(half, up)))
        })
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn are_sums<const K: usize>(smaller: &[u16], larger: &[u16], values: &[u16; K]) -> [bool; K] {
        let wanted = values.map(|value| _mm256_set1_epi16(value as i16));
        // A lane becomes 0 when its sum is wanted.
        let mut left = [_mm256_set1_epi16(-1); K];
        let ((a, a_rest), (b, b_rest)) = (smaller.as_chunks::<16>(), larger.as_chunks::<16>());
        for (a, b) in a.iter().zip(b) {
            // SAFETY: 32 bytes are there.
            let [a, b] = [a, b].map(|words| unsafe { _mm256_loadu_si256(words.as_ptr().cast()) });
            let sums = _mm256_xor_si256(a, b);
            for k in 0..K {
                left[k] = _mm256_min_epu16(left[k], _mm256_xor_si256(sums, wanted[k]));
            }
        }
        std::array::from_fn(|k| {
            let met = _mm256_cmpeq_epi16(left[k], _mm256_setzero_si256());
            _mm256_movemask_epi8(met) != 0 || a_rest.iter().zip(b_rest).any(|(a, b)| a ^ b == values[k])
        })
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn met(values: &[u16], at: usize, sums: &[Sum], _soon: &[Sum], lanes: &Runners) -> [u32; SLOTS] {
        let candidates = lanes.values.each_ref().map(|words| halves(words));
        let picks = lanes.picks.each_ref().map(|words| halves(words));
        // A lane becomes 0 when it is met.
        let mut left = [[_mm256_set1_epi16(-1); 2]; SLOTS];
        for sum in sums {
            // SAFETY: the caller says that the heaps are there.
            let others: [__m256i; 2] = std::array::from_fn(|half| unsafe {
                _mm256_loadu_si256(values.as_ptr().add(at - sum.distance as usize + 16 * half).cast())
            });
            let xor = _mm256_set1_epi32(sum.xor as i32);
            for half in 0..2 {
                let sums = _mm256_xor_si256(others[half], xor);
                for slot in 0..SLOTS {
                    let sums = _mm256_shuffle_epi8(sums, picks[slot][half]);
                    let differs = _mm256_xor_si256(sums, candidates[slot][half]);
                    left[slot][half] = _mm256_min_epu16(left[slot][half], differs);
                }
            }
        }
        left.map(|halves| {
            let [low, high] = halves.map(|left| _mm256_cmpeq_epi16(left, _mm256_setzero_si256()));
            // Packing works within each 128 bits: the quarters are put in order.
            let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(low, high));
            _mm256_movemask_epi8(bytes) as u32
        })
    }
}

/// The words of 32 lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn halves(words: &[u16; HEAPS]) -> [__m256i; 2] {
    // SAFETY: 16 words from each half on are there.
    std::array::from_fn(|half| unsafe { _mm256_loadu_si256(words.as_ptr().add(16 * half).cast()) })
}
