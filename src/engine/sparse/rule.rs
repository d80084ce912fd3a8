//! The sparse rule applied to stored values: each heap from its predecessors, whatever computed them.

use std::ops::Range;

use crate::engine::history::View;
use crate::for_width;
use crate::values::{Cell, Slice};

use super::decide::Decider;
use super::{RareSpace, Shape};

/// The rule for a game whose rare heaps are known.
pub struct Rule {
    shape: Shape,
    space: RareSpace,
}

impl Rule {
    /// `space`: the rare heaps of all values that the rule will be applied to.
    pub fn new(shape: Shape, space: RareSpace) -> Rule {
        Rule { shape, space }
    }

    /// The first heap of `range` whose value is not what its predecessors give, and the value that they give.
    /// `values`: those of heaps from 0 on, up to the end of the range at least.
    pub fn first_wrong(&self, values: Slice<'_>, range: Range<u64>) -> Option<(u64, u32)> {
        for_width!(Slice, values, v => match self.space.max_value() {
            0..64 => self.first_wrong_typed::<_, 1>(v, range),
            64..1024 => self.first_wrong_typed::<_, 16>(v, range),
            _ => self.first_wrong_typed::<_, 1024>(v, range),
        })
    }

    fn first_wrong_typed<T: Cell, const W: usize>(&self, values: &[T], mut range: Range<u64>) -> Option<(u64, u32)> {
        let mut decider = Decider::<W>::new(&self.shape, &self.space);
        let view = View::whole(values);
        range.find_map(|n| {
            let right = decider.decide(n, &view, &self.space).expect("all values are there").value;
            (values[n as usize].value() != right).then_some((n, right))
        })
    }
}
