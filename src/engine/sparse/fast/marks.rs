//! Witnesses for whole blocks of heaps with many values.

use crate::kernel::Kernel;
use crate::kernel::marked::{self, Marked};
use crate::kernel::small::Term;
use crate::kernel::wide::SpreadTerm;
use crate::kernel::witness::{Lanes, Parts};

use super::useful::Sample;

/// Sums that are marked: more of them leave fewer single searches. The best number is broad.
const MARKS: usize = 900;
/// They are the most useful of so many.
const LOOKED_AT: usize = 2048;
/// Most of the sums with smaller parts in so many runs of `LANES` are marked: single searches see to these last.
const SEEN: usize = 16;

/// The sums, and where to look for what they leave.
#[derive(Clone, Debug)]
pub struct Marks {
    parts: Parts,
    marked: Marked,
}

impl Marks {
    /// Chooses the sums. `values`: compressed ones of the last heaps. `small`: those of the heaps from 0 on that may be
    /// smaller parts, `None` for rare ones. `splits`: the numbers of tokens that a split takes. `usual`: nearly all
    /// candidates are below. `firsts`: for each value, for even and odd heaps, the least candidate above it.
    pub fn choose(values: &[u8], small: &[Option<u8>], splits: &[u64], usual: u32, firsts: &[[u32; 2]]) -> Marks {
        let chosen = most_different(small, LOOKED_AT / splits.len());
        let depth = chosen.iter().max().copied().unwrap_or(0) as u32;
        let term = |q: usize, i: u64| Term { distance: q as u32 + i as u32, xor: small[q].unwrap_or(0).into() };
        let sums = chosen.iter().flat_map(|&q| splits.iter().map(move |&i| term(q, i)));
        let mut terms: Vec<SpreadTerm> = sums.map(|term| (&term).into()).collect();
        let reach = terms.iter().map(|term| term.distance as usize).max().unwrap_or(0);
        let wanted = marked::wanted(firsts);
        Sample::new(values, reach, |n, value| wanted[usize::from(value)][n % 2]).sort(&mut terms, MARKS);
        terms.truncate(MARKS);
        Marks { parts: Parts::new(small, splits, SEEN), marked: Marked::new(terms, depth, usual, wanted) }
    }

    /// How many heaps before a block must be common.
    pub fn reach(&self) -> usize {
        self.marked.reach()
    }

    /// Takes other values as those that need witnesses.
    pub fn want(&mut self, firsts: &[[u32; 2]]) {
        self.marked.want(marked::wanted(firsts));
    }

    /// The heaps of the last block of `heaps` for which no witness of a rare-class value below them is found, and the
    /// depth of the witnesses of the others. From `least` on all heaps are common.
    pub fn unproven(&self, kernel: &Kernel, heaps: &[u8], least: usize) -> (Lanes, u32) {
        kernel.unmarked(&self.marked, &self.parts, heaps, least)
    }
}

/// So many heaps, first the least with each value, then the second of each, and so on. Equal values give equal sums
/// where the other parts have equal values too: they do not so often, but those of neighbours are alike.
fn most_different(small: &[Option<u8>], count: usize) -> Vec<usize> {
    let mut seen = [0u32; 256];
    let mut order: Vec<(u32, usize)> = Vec::new();
    for (q, c) in small.iter().enumerate().filter_map(|(q, c)| Some((q, (*c)? as usize))) {
        seen[c] += 1;
        order.push((seen[c], q));
    }
    order.sort_unstable();
    order.into_iter().take(count).map(|(_, q)| q).collect()
}
