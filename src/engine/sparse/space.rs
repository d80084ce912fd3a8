//! The rare positions of a game, as far as it has been computed.

use serde::{Deserialize, Serialize};

use crate::values::Slice;

use super::{DepthLog, Mask};

/// The mask in use, the rare positions with their values, and how deep the witnesses were.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RareSpace {
    mask: Mask,
    /// The first heap that was decided with this mask: witness depths are known from here on.
    since: u64,
    /// Rare heaps of at least 1 (an empty heap is no part of a split), ascending.
    positions: Vec<u64>,
    /// Their nim-values.
    values: Vec<u32>,
    max_value: u32,
    depths: DepthLog,
}

impl RareSpace {
    /// The rare positions among `values`, which are those of heaps 0 and on.
    pub fn new(mask: Mask, values: Slice<'_>) -> RareSpace {
        let mut space = RareSpace {
            mask,
            since: values.len() as u64,
            positions: Vec::new(),
            values: Vec::new(),
            max_value: 0,
            depths: DepthLog::default(),
        };
        (0..).zip(values.iter()).for_each(|(n, v)| space.sort(n, v));
        space
    }

    /// Notes the value of the next heap, and the depth of its deepest witness (0: it needed none).
    pub(super) fn record(&mut self, n: u64, value: u32, depth: u64) {
        self.sort(n, value);
        if depth > 0 {
            self.depths.push(n, depth);
        }
    }

    fn sort(&mut self, n: u64, value: u32) {
        self.max_value = self.max_value.max(value);
        if n > 0 && self.mask.class(n, value) == 0 {
            self.positions.push(n);
            self.values.push(value);
        }
    }

    /// The mask in use.
    pub fn mask(&self) -> Mask {
        self.mask
    }

    /// The first heap that was decided with this mask.
    pub fn since(&self) -> u64 {
        self.since
    }

    /// The rare heaps, ascending, from heap 1 on.
    pub fn positions(&self) -> &[u64] {
        &self.positions
    }

    /// The nim-values of the rare heaps.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// The last rare heap: 0 if there is none.
    pub fn last(&self) -> u64 {
        self.positions.last().copied().unwrap_or(0)
    }

    /// The largest nim-value so far.
    pub fn max_value(&self) -> u32 {
        self.max_value
    }

    /// How deep the witnesses were, for heaps from [`RareSpace::since`] on.
    pub fn depths(&self) -> &DepthLog {
        &self.depths
    }
}
