//! For some values a row of bits each, one for every heap: whether the heap has the value.

use crate::kernel::Kernel;
use crate::kernel::small::LANES;

/// Room in a row, in heaps: what is still needed is moved to the front when this is full.
const ROOM: usize = 1 << 15;

/// Rows for the heaps of a moving stretch.
#[derive(Clone, Debug)]
pub struct Rows {
    values: Vec<u8>,
    words: Vec<u64>,
    /// Words in a row.
    stride: usize,
    /// How many of the last heaps must stay, a multiple of `LANES`.
    keep: usize,
    /// Heaps in the rows.
    filled: usize,
}

impl Rows {
    /// Rows for these values, without heaps. `keep`: how many of the last heaps to hold at least.
    pub fn new(values: Vec<u8>, keep: usize) -> Rows {
        let keep = keep.next_multiple_of(LANES);
        let stride = (keep + ROOM) / LANES;
        // One word more, so that 64 bits from any bit on are there.
        Rows { words: vec![0; stride * values.len() + 1], values, stride, keep, filled: 0 }
    }

    /// The values that have a row.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// All rows, one after the other.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The bit of the heap that is `back` before the next one, in row 0: row `i` has it `i` times
    /// [`Rows::bits`] later.
    pub fn position(&self, back: usize) -> usize {
        self.filled - back
    }

    /// How many bits a row takes.
    pub fn bits(&self) -> usize {
        self.stride * LANES
    }

    /// Adds heaps, a multiple of `LANES` and at most half the room.
    pub fn append(&mut self, kernel: &Kernel, heaps: &[u8]) {
        if self.filled + heaps.len() > self.bits() {
            let kept = (self.filled - self.keep) / LANES..self.filled / LANES;
            self.words.chunks_exact_mut(self.stride).for_each(|row| row.copy_within(kept.clone(), 0));
            self.filled = self.keep;
        }
        let at = self.filled / LANES;
        kernel.write_rows(heaps, &self.values, &mut self.words[at..], self.stride);
        self.filled += heaps.len();
    }

    /// Forgets the last heaps: a multiple of `LANES`. So many fewer are held before the next ones.
    pub fn forget(&mut self, heaps: usize) {
        self.filled -= heaps;
    }

    /// Takes the heap that is `back` before the next one out of all rows.
    pub fn clear(&mut self, back: usize) {
        let at = self.position(back);
        for row in self.words.chunks_exact_mut(self.stride) {
            row[at / LANES] &= !(1 << (at % LANES));
        }
    }

    /// 64 bits from `bit` on.
    pub fn word(&self, bit: usize) -> u64 {
        let (word, shift) = (bit / 64, bit % 64);
        match shift {
            0 => self.words[word],
            _ => self.words[word] >> shift | self.words[word + 1] << (64 - shift),
        }
    }
}
