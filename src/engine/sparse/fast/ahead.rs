//! Several blocks at a time, on two threads and more.
//!
//! A block's candidates need those of the blocks before it, but not their proofs. So while a few blocks are proven,
//! the candidates of the next few are found. All of it stays private until the blocks before are settled: where one
//! turns out to have another value, what was computed after it is thrown away.

use crate::kernel::small::BLOCK;

use super::{Block, Fast, Finder, Proofs, Prover};

/// Blocks that are found while as many are proven. Those of games with few rare heaps take microseconds.
const FEW_RARES: usize = 32;
const MANY_RARES: usize = 4;
/// So many times as many are computed ahead at most: the first are found, and the last are proven, alone.
const STRETCHES: usize = 16;

/// Blocks whose candidates are found, with the heaps before them that proofs look at.
struct Stretch {
    heaps: Vec<u8>,
    /// From this index on all heaps are common.
    least: usize,
    /// How many heaps of each block have a candidate.
    lens: Vec<usize>,
}

impl Fast {
    /// How many blocks are best computed at a time, with the threads that there are.
    pub fn blocks_ahead(&self) -> usize {
        if rayon::current_num_threads() == 1 { 1 } else { STRETCHES * self.stretch() }
    }

    fn stretch(&self) -> usize {
        if matches!(self.proofs, Proofs::Lists(_)) { FEW_RARES } else { MANY_RARES }
    }

    /// Computes the next `count` blocks: those that [`Fast::advance`] would, one after the other. They end with the
    /// first that has no candidate for some heap.
    pub fn advance_by(&mut self, count: usize) -> Vec<Block> {
        if count == 1 {
            return vec![self.advance()];
        }
        self.drop_surplus();
        let (stretch, needed) = (self.stretch(), self.needed);
        let (mut finder, mut prover) = self.parts();
        let mut blocks = Vec::with_capacity(count);
        // Within the pool, so that handing work over takes a moment only.
        rayon::scope(|_| {
            let mut left = count;
            let mut found = finder.find(stretch.min(left), needed);
            loop {
                left -= found.lens.len();
                if left == 0 || found.is_cut() {
                    blocks.extend(prover.prove(&found));
                    break;
                }
                let (next, proven) = rayon::join(|| finder.find(stretch.min(left), needed), || prover.prove(&found));
                blocks.extend(proven);
                found = next;
            }
        });
        blocks
    }
}

impl Stretch {
    /// Whether a block lacks candidates.
    fn is_cut(&self) -> bool {
        self.lens.last().is_some_and(|&len| len < BLOCK)
    }
}

impl Finder<'_> {
    /// Finds the candidates of `count` blocks, or up to the first that lacks some.
    fn find(&mut self, count: usize, needed: usize) -> Stretch {
        let first = self.values.len() - needed;
        let mut lens = Vec::with_capacity(count);
        while lens.len() < count && lens.last().is_none_or(|&len| len == BLOCK) {
            lens.push(self.find_block());
        }
        // A copy, since the next candidates are added to the values meanwhile.
        Stretch { heaps: self.values[first..].to_vec(), least: self.least.saturating_sub(first), lens }
    }
}

impl Prover<'_> {
    fn prove(&mut self, stretch: &Stretch) -> Vec<Block> {
        let before = stretch.heaps.len() - stretch.lens.len() * BLOCK;
        let blocks = stretch.lens.iter().enumerate();
        blocks
            .map(|(i, &len)| self.prove_block(&stretch.heaps[..before + (i + 1) * BLOCK], stretch.least, len))
            .collect()
    }
}
