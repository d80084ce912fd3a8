//! A checksum for each block of values.

use std::ops::Range;

use crc32fast::Hasher;
use rayon::prelude::*;

use super::cast;
use crate::values::{Slice, Width};

/// How many values have one checksum: few enough to tell where damage is and to check blocks in parallel, many enough
/// that 10^10 values have a manifest of some 100 kB.
pub const BLOCK: u64 = 1 << 20;
const LEN: usize = BLOCK as usize;

/// The checksums of a growing sequence of values.
#[derive(Default)]
pub(super) struct Blocks {
    full: Vec<u32>,
    tail: Hasher,
    /// How many values `tail` is of; always below [`BLOCK`].
    tail_len: usize,
}

impl Blocks {
    /// Goes on after `done` values of `width` that have the checksums `sums`.
    pub(super) fn resume(sums: &[u32], done: u64, width: Width) -> Blocks {
        let (full, tail) = sums.split_at((done / BLOCK) as usize);
        let tail_len = (done % BLOCK) as usize;
        let tail_sum = tail.first().copied().unwrap_or_default();
        Blocks {
            full: full.to_vec(),
            tail: Hasher::new_with_initial_len(tail_sum, (tail_len * width.bytes()) as u64),
            tail_len,
        }
    }

    /// Writes values over `to`, as values of `width`, and takes their checksums.
    ///
    /// # Panics
    /// If a value does not fit, or `to` is not as long as they are.
    pub(super) fn copy(&mut self, to: &mut [u8], width: Width, from: Slice<'_>) {
        let (head, tail) = self.cut(from.len());
        let (to_head, to) = to.split_at_mut(head * width.bytes());
        let (to_full, to_tail) = to.split_at_mut((tail - head) * width.bytes());
        self.copy_part(to_head, width, from.range(0..head));
        let full = to_full.par_chunks_exact_mut(LEN * width.bytes()).enumerate().map(|(i, to)| {
            let start = head + i * LEN;
            cast::copy(to, width, from.range(start..start + LEN));
            crc32fast::hash(to)
        });
        self.full.par_extend(full);
        self.copy_part(to_tail, width, from.range(tail..from.len()));
    }

    /// The end of what completes the block begun, and the end of the whole blocks after it, among `len` new values.
    fn cut(&self, len: usize) -> (usize, usize) {
        let head = if self.tail_len == 0 { 0 } else { len.min(LEN - self.tail_len) };
        (head, len - (len - head) % LEN)
    }

    /// Copies values that do not reach beyond the block begun.
    fn copy_part(&mut self, to: &mut [u8], width: Width, from: Slice<'_>) {
        cast::copy(to, width, from);
        self.tail.update(to);
        self.tail_len += from.len();
        if self.tail_len == LEN {
            self.full.push(std::mem::take(&mut self.tail).finalize());
            self.tail_len = 0;
        }
    }

    /// The checksums, with one of what there is of the last block.
    pub(super) fn sums(&self) -> Vec<u32> {
        let tail = (self.tail_len > 0).then(|| self.tail.clone().finalize());
        self.full.iter().copied().chain(tail).collect()
    }
}

/// The checksums of all blocks of `values`.
pub(super) fn sums(values: Slice<'_>) -> Vec<u32> {
    cast::bytes(values).par_chunks(LEN * values.width().bytes()).map(crc32fast::hash).collect()
}

/// The numbers of the blocks of `values`, among those that have a heap of `heaps`, that do not have their checksums in
/// `sums`, which are those of values of `width`.
pub(super) fn bad(values: Slice<'_>, heaps: Range<u64>, sums: &[u32], width: Width) -> Vec<u64> {
    let end = (heaps.end.div_ceil(BLOCK) as usize).min(sums.len());
    let start = ((heaps.start / BLOCK) as usize).min(end);
    let range = |i: usize| i * LEN..((i + 1) * LEN).min(values.len());
    let blocks = (start..end).into_par_iter();
    blocks.filter(|&i| sum_as(values.range(range(i)), width) != Some(sums[i])).map(|i| i as u64).collect()
}

/// The checksum of `values` as values of `width`; `None` if they do not fit it.
fn sum_as(values: Slice<'_>, width: Width) -> Option<u32> {
    if values.width() == width {
        return Some(crc32fast::hash(cast::bytes(values)));
    }
    let fits = values.max().is_none_or(|max| Width::of(max) <= width);
    fits.then(|| {
        let mut sum = Hasher::new();
        values.iter().for_each(|v| sum.update(&v.to_le_bytes()[..width.bytes()]));
        sum.finalize()
    })
}

/// The heaps of a block, in a run with `done` values.
pub(super) fn heaps(block: u64, done: u64) -> Range<u64> {
    block * BLOCK..((block + 1) * BLOCK).min(done)
}

/// How many blocks `done` values have.
pub(super) fn count(done: u64) -> u64 {
    done.div_ceil(BLOCK)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(len: usize) -> Vec<u8> {
        (0..len as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
    }

    #[test]
    fn checksums_do_not_depend_on_the_pieces() {
        let values = noise(3 * LEN + 777);
        let whole: Vec<u32> = values.chunks(LEN).map(crc32fast::hash).collect();
        for piece in [LEN - 1, LEN, LEN + 1, 2 * LEN + 5, values.len()] {
            let (mut blocks, mut copy) = (Blocks::default(), vec![0; values.len()]);
            for (to, from) in copy.chunks_mut(piece).zip(values.chunks(piece)) {
                blocks.copy(to, Width::U8, Slice::U8(from));
            }
            assert_eq!(blocks.sums(), whole, "pieces of {piece}");
            assert!(copy == values);
        }
    }

    #[test]
    fn checksums_go_on_where_they_were() {
        let values = noise(2 * LEN);
        for done in [0, 5, LEN - 1, LEN, LEN + 9] {
            let sums: Vec<u32> = values[..done].chunks(LEN).map(crc32fast::hash).collect();
            let mut blocks = Blocks::resume(&sums, done as u64, Width::U8);
            let rest = &values[done..];
            blocks.copy(&mut vec![0; rest.len()], Width::U8, Slice::U8(rest));
            assert_eq!(blocks.sums(), values.chunks(LEN).map(crc32fast::hash).collect::<Vec<_>>(), "from {done}");
        }
    }

    #[test]
    fn a_wider_file_has_the_checksums_of_the_narrow_values() {
        let values = noise(LEN + 3);
        let sums: Vec<u32> = values.chunks(LEN).map(crc32fast::hash).collect();
        let mut wide: Vec<u32> = values.iter().map(|&v| v.into()).collect();
        assert!(bad(Slice::U32(&wide), 0..BLOCK + 3, &sums, Width::U8).is_empty());
        wide[LEN] += 256;
        assert_eq!(bad(Slice::U32(&wide), 0..BLOCK + 3, &sums, Width::U8), [1]);
        assert_eq!(bad(Slice::U32(&wide), BLOCK..BLOCK + 1, &sums, Width::U8), [1]);
        assert!(bad(Slice::U32(&wide), 0..BLOCK, &sums, Width::U8).is_empty());
    }
}
