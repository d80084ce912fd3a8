//! Values as the kernels are given them: those of a class beside each other.
//!
//! The class of a value is the parity of some of its bits, so one of these need not be kept where the class is
//! known. A code leaves one out and has the class above the others instead: the values of one class below a power of two
//! are the codes below half of it, or those above, and fill half the tables of a kernel. Codes are linear as values and
//! classes are: the code of a sum is the sum of the codes of its parts.

use crate::engine::sparse::Mask;
use crate::kernel::sieve::TABLE;

/// Lower bits stay where they are: kernels look at them together.
const LEAST_DROPPED: u32 = 8;

/// A code for the values of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    mask: Mask,
    moved: Option<Moved>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moved {
    /// The bit that is left out.
    dropped: u32,
    /// The bit that is the class instead; what is between moves down.
    class: u32,
}

impl Code {
    /// A code that parts the values below `room`, a power of two, if they need several tables and there is a bit to leave
    /// out. Otherwise values are their own codes.
    pub fn new(mask: Mask, room: u32) -> Code {
        let (dropped, class) = (LEAST_DROPPED + (mask.bits >> LEAST_DROPPED).trailing_zeros(), room.ilog2() - 1);
        Code { mask, moved: (room > TABLE && dropped <= class).then_some(Moved { dropped, class }) }
    }

    /// The bit that tells the classes apart. 0 if none does.
    pub fn class_bit(&self) -> u16 {
        self.moved.map_or(0, |moved| 1 << moved.class)
    }

    /// The code of a value for heap `n`.
    pub fn of(&self, n: u64, value: u32) -> u16 {
        self.within(value) | if self.mask.class(n, value) == 1 { self.class_bit() } else { 0 }
    }

    /// The code of a value among those of its class: without the bit of the class.
    pub fn within(&self, value: u32) -> u16 {
        let code = self.moved.map_or(value, |Moved { dropped, class }| {
            let (low, inner) = (below(dropped), below(class + 1));
            value & low | (value & inner) >> (dropped + 1) << dropped | value & !inner
        });
        code as u16
    }

    /// The value of heap `n` that has the code.
    pub fn value(&self, n: u64, code: u16) -> u32 {
        let (code, is_common) = (u32::from(code), u32::from(code & self.class_bit() > 0));
        self.moved.map_or(code, |Moved { dropped, class }| {
            let low = below(dropped);
            let value = code & low | (code & below(class) & !low) << 1 | code & !below(class + 1);
            value | (self.mask.class(n, value) ^ is_common) << dropped
        })
    }
}

/// The bits below one of them.
fn below(bit: u32) -> u32 {
    (1 << bit) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Codes are sums of codes, no two values have the same, and classes are apart.
        #[test]
        fn codes_are_linear_and_reversible(
            bits: u32, domain in prop::option::of(0u64..2), tables in 0u32..3,
            x in 0u32..8192, y in 0u32..8192, a in 1u64..1000, b in 1u64..1000,
        ) {
            let mask = Mask { bits, domain };
            let room = TABLE << tables;
            let code = Code::new(mask, room);
            let n = a + b + domain.unwrap_or(0);
            prop_assert_eq!(code.of(a, x) ^ code.of(b, y), code.of(n, x ^ y));
            prop_assert_eq!(code.value(a, code.of(a, x)), x);
            prop_assert_eq!(u32::from(code.of(a, x)) < room, x < room);
            prop_assert_eq!(code.of(a, x) & !code.class_bit(), code.within(x));
            if code.class_bit() > 0 {
                prop_assert_eq!(u32::from(code.class_bit()), room / 2);
                prop_assert_eq!(code.of(a, x) & code.class_bit() > 0, mask.class(a, x) == 1);
            }
            let has_bit = bits & (room - 1) >> 8 << 8 > 0;
            prop_assert_eq!(code.class_bit() > 0, tables > 0 && has_bit);
        }
    }
}
