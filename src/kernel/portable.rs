//! Plain code for any CPU.

use super::met::ManySums;
use super::simd::{Simd, Word};
use super::small::{LANES, Term};
use super::wide::{Planes, SpreadTerm};
use super::witness::{Lanes, is_empty};

/// No vector operations.
pub struct Portable;

/// Takes the rows that begin with `bits` away from `missing` until nothing is left, and says how many it took.
#[inline(always)]
fn cover(rows: &[u64], bits: impl ExactSizeIterator<Item = i64>, missing: &mut Lanes) -> usize {
    let all = bits.len();
    for (k, bit) in bits.enumerate() {
        let row = &rows[bit as usize / 64..];
        for (m, pair) in missing.iter_mut().zip(row.windows(2)) {
            *m &= !((u128::from(pair[1]) << 64 | u128::from(pair[0])) >> (bit % 64)) as u64;
        }
        if is_empty(missing) {
            return k + 1;
        }
    }
    all
}

// SAFETY: needs no CPU feature.
unsafe impl Simd for Portable {
    const MANY_SUMS: ManySums = ManySums::Marked;

    #[inline(always)]
    unsafe fn far_words<W: Word>(c: &[u8], at: usize, terms: &[Term], _: u32, out: &mut [W; LANES]) {
        out.fill(W::EMPTY);
        for term in terms {
            let from = at - term.distance as usize;
            for (word, &value) in out.iter_mut().zip(&c[from..from + LANES]) {
                *word = *word | W::one(u32::from(value) ^ term.xor);
            }
        }
    }

    #[inline(always)]
    unsafe fn equal(lanes: &[u8; LANES], value: u8) -> u64 {
        lanes.iter().rev().fold(0, |mask, &lane| mask << 1 | u64::from(lane == value))
    }

    #[inline(always)]
    unsafe fn at_least(lanes: &[u8; LANES], values: [u8; 2]) -> u64 {
        lanes.iter().enumerate().rev().fold(0, |mask, (j, &lane)| mask << 1 | u64::from(lane >= values[j % 2]))
    }

    #[inline(always)]
    unsafe fn cover(rows: &[u64], at: usize, offsets: &[i32], missing: &mut Lanes) -> usize {
        cover(rows, offsets.iter().map(|&offset| at as i64 + i64::from(offset)), missing)
    }

    #[inline(always)]
    unsafe fn cover_whole_bytes(rows: &[u64], at: usize, offsets: &[i32], missing: &mut Lanes) -> usize {
        cover(rows, offsets.iter().map(|&offset| 8 * (at as i64 + i64::from(offset))), missing)
    }

    #[inline(always)]
    unsafe fn look_up(lanes: &[u8; LANES], table: &[u8; 64], odd: u8) -> [u8; LANES] {
        std::array::from_fn(|j| table[(lanes[j] % 64) as usize] ^ if j % 2 == 1 { odd } else { 0 })
    }

    #[inline(always)]
    unsafe fn mark(c: &[u8], at: usize, terms: &[SpreadTerm], _: usize, planes: &mut Planes) {
        for term in terms {
            let from = at - term.distance as usize;
            for (lane, &value) in c[from..from + LANES].iter().enumerate() {
                let sum = value ^ term.xor();
                planes.0[usize::from(sum / 8)][lane] |= 1 << (sum % 8);
            }
        }
    }

    #[inline(always)]
    unsafe fn transpose(planes: &[[u8; LANES]; 8]) -> [u64; LANES] {
        std::array::from_fn(|lane| u64::from_le_bytes(std::array::from_fn(|p| planes[p][lane])))
    }

    #[inline(always)]
    unsafe fn hits<const K: usize>(
        c: &[u8],
        at: usize,
        terms: &[SpreadTerm],
        values: &[[u8; LANES]; K],
    ) -> [[u8; LANES]; K] {
        let mut least = [[u8::MAX; LANES]; K];
        for term in terms {
            let from = at - term.distance as usize;
            for (least, values) in least.iter_mut().zip(values) {
                for ((least, &other), value) in least.iter_mut().zip(&c[from..from + LANES]).zip(values) {
                    *least = (*least).min(other ^ term.xor() ^ value);
                }
            }
        }
        least
    }

    #[inline(always)]
    unsafe fn equal_sums(a: &[u8; LANES], b: &[u8; LANES], value: u8) -> u64 {
        a.iter().zip(b).rev().fold(0, |mask, (a, b)| mask << 1 | u64::from(a ^ b == value))
    }
}
