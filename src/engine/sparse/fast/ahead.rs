//! Many blocks at a time, on two threads and more.
//!
//! A block's candidates need those of the blocks before it, but not their proofs. So one thread goes ahead and finds
//! candidates, while another proves what is found. All of it stays private until the blocks before are settled: where
//! one turns out to have another value, what was computed after it is thrown away.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::kernel::small::BLOCK;

use super::{Block, Fast, Finder, Proofs, Prover};

/// Blocks that are handed over together at most. Those of games with few rare heaps take microseconds.
const FEW_RARES: usize = 128;
const MANY_RARES: usize = 4;
/// So many times blocks are handed over at least: until the first ones are, there is nothing to prove.
const STRETCHES: usize = 8;
/// So many blocks are computed ahead at most: the first ones are found alone, and all is lost if one of them is cut.
const AHEAD: usize = 1024;
/// And no more than the known heaps have, divided by this.
const FRACTION: u64 = 8;

/// Blocks whose candidates are found.
struct Stretch {
    values: Vec<u8>,
    /// How many heaps of each block have a candidate.
    lens: Vec<usize>,
}

/// What is found and not proven yet.
struct Line<'a> {
    waiting: VecDeque<Stretch>,
    /// What proves it, while nobody does.
    idle: Option<Proving<'a>>,
}

/// What proves stretches in turn, and the blocks that are proven.
struct Proving<'a> {
    prover: Prover<'a>,
    /// A copy of the values that proofs look at: meanwhile others are added to those that candidates are found with.
    heaps: Vec<u8>,
    /// From this index on all heaps are common.
    least: usize,
    blocks: Vec<Block>,
}

impl Fast {
    /// How many blocks are best computed at a time, with the threads that there are.
    pub fn blocks_ahead(&self) -> usize {
        let known = (self.base + self.values.len() as u64) / (FRACTION * BLOCK as u64);
        if rayon::current_num_threads() == 1 { 1 } else { known.clamp(1, AHEAD as u64) as usize }
    }

    fn stretch(&self, count: usize) -> usize {
        let most = if matches!(self.proofs, Proofs::Lists(_)) { FEW_RARES } else { MANY_RARES };
        most.min(count.div_ceil(STRETCHES))
    }

    /// Computes the next `count` blocks: those that [`Fast::advance`] would, one after the other. They end with the
    /// first that has no candidate for some heap.
    pub fn advance_by(&mut self, count: usize) -> Vec<Block> {
        if count == 1 {
            return vec![self.advance()];
        }
        self.drop_surplus();
        let (stretch, needed) = (self.stretch(count), self.needed);
        let (mut finder, prover) = self.parts();
        let first = finder.values.len() - needed;
        let mut heaps = Vec::with_capacity(needed + count * BLOCK);
        heaps.extend_from_slice(&finder.values[first..]);
        let least = finder.least.saturating_sub(first);
        let proving = Proving { prover, heaps, least, blocks: Vec::with_capacity(count) };
        let line = Mutex::new(Line { waiting: VecDeque::new(), idle: Some(proving) });
        rayon::scope(|scope| {
            let mut left = count;
            while left > 0 {
                let found = finder.find(stretch.min(left));
                left = if found.is_cut() { 0 } else { left - found.lens.len() };
                let mut line_now = locked(&line);
                line_now.waiting.push_back(found);
                if let Some(proving) = line_now.idle.take() {
                    scope.spawn(|_| proving.go_on(&line));
                }
            }
        });
        let line = line.into_inner().unwrap_or_else(PoisonError::into_inner);
        line.idle.expect("all that was found is proven").blocks
    }
}

fn locked<'l, 'a>(line: &'l Mutex<Line<'a>>) -> MutexGuard<'l, Line<'a>> {
    // Nothing panics while it is locked.
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'a> Proving<'a> {
    /// Proves what is waiting, until nothing is. It never waits itself: a thread of the pool may have more to do.
    fn go_on(mut self, line: &Mutex<Line<'a>>) {
        loop {
            let mut line = locked(line);
            let Some(stretch) = line.waiting.pop_front() else {
                line.idle = Some(self);
                return;
            };
            drop(line);
            self.prove(&stretch);
        }
    }

    /// Adds the blocks of the next stretch.
    fn prove(&mut self, stretch: &Stretch) {
        let before = self.heaps.len();
        self.heaps.extend_from_slice(&stretch.values);
        let (least, prover) = (self.least, &mut self.prover);
        let heaps = |i: usize| &self.heaps[..before + (i + 1) * BLOCK];
        let (kernel, count) = (prover.kernel, stretch.lens.len());
        let proofs: Vec<_> = match prover.proofs {
            Proofs::Lists(witnesses) => (0..count).map(|i| witnesses.prove(kernel, heaps(i), least)).collect(),
            // These need nothing of the blocks before: whoever is done with the candidates helps.
            Proofs::Marks(marks) => {
                (0..count).into_par_iter().with_max_len(1).map(|i| marks.unproven(kernel, heaps(i), least)).collect()
            }
        };
        let found = proofs.into_iter().zip(&stretch.lens).enumerate();
        self.blocks.extend(found.map(|(i, (proof, &len))| prover.block(heaps(i), len, proof)));
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
    fn find(&mut self, count: usize) -> Stretch {
        let first = self.values.len();
        let mut lens = Vec::with_capacity(count);
        while lens.len() < count && lens.last().is_none_or(|&len| len == BLOCK) {
            lens.push(self.find_block());
        }
        Stretch { values: self.values[first..].to_vec(), lens }
    }
}
