//! Values without the bit that their class determines.

use crate::engine::sparse::Mask;
use crate::kernel::Kernel;
use crate::kernel::small::BLOCK;
use crate::values::Slice;

/// The values of a block.
#[expect(clippy::large_enum_variant, reason = "bytes are the usual case, and must not be allocated for every block")]
pub enum Expanded {
    /// Values below 256.
    Bytes([u8; BLOCK]),
    /// Values below 512.
    Words(Box<[u16; BLOCK]>),
}

impl Expanded {
    /// The values.
    pub fn as_slice(&self) -> Slice<'_> {
        match self {
            Expanded::Bytes(values) => Slice::U8(values),
            Expanded::Words(values) => Slice::U16(values.as_slice()),
        }
    }

    /// The largest value.
    pub fn max(&self) -> u32 {
        // A fold, unlike `Iterator::max`, goes by vectors.
        match self {
            Expanded::Bytes(values) => values.iter().fold(0, |max, &v| v.max(max)).into(),
            Expanded::Words(values) => values.iter().fold(0, |max, &v| v.max(max)).into(),
        }
    }
}

/// The lowest bit of a mask, dropped from every value. Within one class the bits of the mask determine one
/// another's parity, so nothing is lost; the map is linear over xor, and keeps the order within the class.
#[derive(Clone, Debug)]
pub struct Compression {
    mask: Mask,
    low: u32,
    /// The values of the common class for even heaps, by the compressed value.
    table: [u16; 256],
    /// The same for the first of them.
    bytes: [u8; 64],
}

impl Compression {
    /// The compression for a mask that has a bit among the low seven.
    pub fn new(mask: Mask) -> Option<Compression> {
        let low = mask.bits.trailing_zeros();
        (low < 7).then(|| {
            let table = std::array::from_fn(|c| expand(mask, low, 0, c as u32) as u16);
            Compression { mask, low, table, bytes: std::array::from_fn(|c| table[c] as u8) }
        })
    }

    /// The value without the bit.
    pub fn compress(&self, value: u32) -> u32 {
        value >> (self.low + 1) << self.low | value & self.below()
    }

    /// The values of the common class for the heaps of a block, the first of which is even.
    pub fn expand_block(&self, kernel: &Kernel, block: &[u8; BLOCK]) -> Expanded {
        // In the domain type the classes of all values change with the parity of the heap.
        let odd = if self.by_position() { 1 << self.low } else { 0 };
        // A fold, unlike `Iterator::any`, goes by vectors.
        if block.iter().fold(0, |all, c| all | c) >= 64 {
            let mut values = block.map(|c| self.table[c as usize]);
            values.as_chunks_mut::<2>().0.iter_mut().for_each(|pair| pair[1] ^= odd);
            return Expanded::Words(Box::new(values));
        }
        Expanded::Bytes(kernel.look_up(block, &self.bytes, odd as u8))
    }

    /// For even and for odd heaps: the least candidate, compressed, that can be above the rare-class value `c`.
    ///
    /// This is exact if the lowest bit of the mask is bit 0. Otherwise a candidate from there on may be below the
    /// value all the same, by a bit below the dropped one: at worst a value is excluded that need not be.
    pub fn first_above(&self, c: u32) -> [u32; 2] {
        let value = c >> self.low << (self.low + 1) | c & self.below();
        [0, 1].map(|n| {
            // Two values of different class that agree above the dropped bit, and below it, differ in it.
            let bit = self.mask.class(n, value);
            if bit == 0 { c & !self.below() } else { c + 1 }
        })
    }

    /// Whether heap numbers count for the class.
    pub fn by_position(&self) -> bool {
        self.mask.domain.is_some()
    }

    fn below(&self) -> u32 {
        (1 << self.low) - 1
    }
}

/// The value of the common class for heap `n` that is compressed to `c` by dropping bit `low`.
fn expand(mask: Mask, low: u32, n: u64, c: u32) -> u32 {
    let value = c >> low << (low + 1) | c & ((1 << low) - 1);
    value | (1 - mask.class(n, value)) << low
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn compression_is_linear_and_reversible(bits in 1u32..128, x in 0u32..1024, y in 0u32..1024, n in 0u64..9) {
            for domain in [None, Some(0), Some(1)] {
                let mask = Mask { bits: bits | !255, domain };
                let small = Compression::new(mask).unwrap();
                let low = bits.trailing_zeros();
                prop_assert_eq!(small.compress(x) ^ small.compress(y), small.compress(x ^ y));
                if mask.class(n, x) == 1 {
                    prop_assert_eq!(expand(mask, low, n, small.compress(x)), x);
                    if low == 0 && mask.class(n, y) == 0 {
                        let first = small.first_above(small.compress(y))[(n % 2) as usize];
                        prop_assert_eq!(small.compress(x) >= first, y < x);
                    } else if mask.class(n, y) == 0 && y < x {
                        let first = small.first_above(small.compress(y))[(n % 2) as usize];
                        prop_assert!(small.compress(x) >= first);
                    }
                }
            }
        }
    }
}
