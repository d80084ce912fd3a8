//! The mask that makes the fewest positions rare, from the values that are known.

use serde::{Deserialize, Serialize};

use crate::values::Slice;

/// How heaps are sorted into rare and common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mask {
    /// The bits of a value that are counted. Bits above all known values are 1, so that the first value with a
    /// new top bit is common.
    pub bits: u32,
    /// For the domain type, the parity `t` of the splitting digits' indices: heap `n` counts `n + t` as well.
    pub domain: Option<u64>,
}

impl Mask {
    /// The class of value `v` for heap `n`: 0 rare, 1 common.
    pub fn class(&self, n: u64, v: u32) -> u32 {
        let position = self.domain.map_or(0, |t| ((n + t) % 2) as u32);
        ((v & self.bits).count_ones() + position) % 2
    }

    /// The bits that matter as long as no value is above `max_value`, in hexadecimal, as tables give them.
    pub fn text(&self, max_value: u32) -> String {
        let known = max_value.checked_ilog2().map_or(0, |top| u32::MAX >> (31 - top));
        format!("{:x}", self.bits & known)
    }

    /// `range` or `domain`.
    pub fn kind(&self) -> &'static str {
        if self.domain.is_some() { "domain" } else { "range" }
    }
}

/// The mask with the fewest rare positions among `values`, which are those of heaps `from` and on.
///
/// `parity` allows the domain type with that parity. The counts for all masks at once are the Walsh-Hadamard
/// transform of the histogram of the values, each counted with the sign of its heap's parity for the domain type.
/// Of masks that are equally good the range type wins, then the smallest number. `None` without values, or when
/// no mask makes less than half of the positions rare.
pub fn choose(values: Slice<'_>, from: u64, parity: Option<u64>) -> Option<Mask> {
    let size = (values.max()? as usize + 1).next_power_of_two();
    let mut range = vec![0i64; size];
    let mut domain = vec![0i64; size];
    for (n, v) in (from..).zip(values.iter()) {
        range[v as usize] += 1;
        domain[v as usize] += if (n + parity.unwrap_or(0)).is_multiple_of(2) { 1 } else { -1 };
    }
    walsh_hadamard(&mut range);
    walsh_hadamard(&mut domain);
    let best = |surplus: &[i64]| (0..size).min_by_key(|&m| surplus[m]).map(|m| (surplus[m], m as u32));
    let (surplus, bits, kind) = match (best(&range)?, best(&domain)?) {
        (r, d) if parity.is_some() && d.0 < r.0 => (d.0, d.1, parity),
        (r, _) => (r.0, r.1, None),
    };
    let above = !(size as u32 - 1);
    (surplus < 0).then_some(Mask { bits: bits | above, domain: kind })
}

/// `h[m]` becomes the sum of `h[v] * (-1)^popcount(v & m)` over all `v`.
fn walsh_hadamard(h: &mut [i64]) {
    let mut half = 1;
    while half < h.len() {
        for block in h.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Values;
    use proptest::prelude::*;

    proptest! {
        /// The transform finds what trying every mask finds.
        #[test]
        fn the_best_mask_is_the_best(values in prop::collection::vec(0u32..16, 1..60), from in 0u64..9, t in 0u64..2) {
            let known: Values = values.iter().copied().collect();
            for parity in [None, Some(t)] {
                let rare = |mask: Mask| (from..).zip(&values).filter(|&(n, &v)| mask.class(n, v) == 0).count();
                let least = (0..16)
                    .flat_map(|bits| [Mask { bits, domain: None }, Mask { bits, domain: parity }])
                    .map(rare)
                    .min()
                    .unwrap();
                match choose(known.as_slice(), from, parity) {
                    Some(mask) => prop_assert_eq!(rare(mask), least),
                    None => prop_assert!(2 * least >= values.len()),
                }
            }
        }

        /// Classes add up: the class of a sum is the sum of the classes of its parts.
        #[test]
        fn classes_add(bits: u32, x: u32, y: u32, a in 1u64..1000, b in 1u64..1000, i in 0u64..9) {
            for domain in [None, Some(i % 2)] {
                let mask = Mask { bits, domain };
                let parts = (mask.class(a, x) + mask.class(b, y)) % 2;
                prop_assert_eq!(mask.class(a + b + i, x ^ y), parts);
            }
        }

        /// Within a class the lowest bit of the mask is determined by the others, and dropping it keeps the order.
        #[test]
        fn dropping_the_lowest_mask_bit_keeps_order(bits in 1u32..512, x in 0u32..512, y in 0u32..512) {
            let mask = Mask { bits, domain: None };
            let low = bits.trailing_zeros();
            let drop = |v: u32| v >> (low + 1) << low | v & ((1 << low) - 1);
            if mask.class(0, x) == mask.class(0, y) {
                prop_assert_eq!(x.cmp(&y), drop(x).cmp(&drop(y)));
            }
        }
    }
}
