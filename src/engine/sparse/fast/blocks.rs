//! Which block kernel finds the candidates of a game.

use crate::kernel::grouped::{self, Grouped};
use crate::kernel::small::{BLOCK, Small, Term};
use crate::kernel::wide::Wide;
use crate::kernel::{Kernel, SmallWord};

use super::super::{RareSpace, Shape};
use super::compression::Compression;

/// The block kernel in use, by the room that it has for values.
pub enum Blocks {
    Grouped(Grouped),
    Below32(Small<u32>),
    Below64(Small<u64>),
    Wide(Wide),
}

impl Blocks {
    /// Values below this can be decided.
    pub fn room(&self) -> u32 {
        match self {
            Blocks::Grouped(_) => grouped::ROOM,
            Blocks::Below32(small) => small.room(),
            Blocks::Below64(small) => small.room(),
            Blocks::Wide(wide) => wide.room(),
        }
    }

    /// For each compressed value of the rare class, for even and odd heaps, the least candidate above it: for all that
    /// there is room for, since a candidate may be larger than any known value.
    pub fn firsts(&self, compression: &Compression) -> Vec<[u32; 2]> {
        (0..self.room()).map(|c| compression.first_above(c)).collect()
    }

    /// How many heaps before a block are looked at.
    pub fn reach(&self) -> usize {
        match self {
            Blocks::Grouped(grouped) => grouped.reach(),
            Blocks::Below32(small) => small.reach(),
            Blocks::Below64(small) => small.reach(),
            Blocks::Wide(wide) => wide.reach(),
        }
    }

    /// The block kernel for a game whose compressed values are at most `max` so far, if there is one.
    pub fn choose(
        kernel: &Kernel,
        shape: &Shape,
        space: &RareSpace,
        compression: &Compression,
        max: u32,
        usual: u32,
    ) -> Option<Blocks> {
        if space.last() + shape.reach() > u64::from(u32::MAX) {
            return None;
        }
        let first = shape.splits[0];
        let rares = space.positions().iter().zip(space.values());
        let rare_terms: Vec<Term> =
            rares.map(|(&p, &value)| Term { distance: (p + first) as u32, xor: compression.compress(value) }).collect();
        let mut terms = rare_terms.clone();
        let unions: Vec<usize> = shape.splits[1..].iter().map(|&i| (i - first) as usize).collect();
        // A common heap that is left alone is an option of the common class, unless the class counts positions and
        // an odd number was taken: then it is a witness, which is not needed.
        let counted = shape.takes.iter().filter(|&&i| !(compression.by_position() && i % 2 == 1));
        let mut takes: Vec<usize> = counted.map(|&i| i as usize).collect();
        if unions.is_empty() {
            terms.extend(takes.drain(..).map(|i| Term { distance: i as u32, xor: 0 }));
        }
        if kernel.has_groups()
            && max < grouped::ROOM
            && unions.is_empty()
            && let Some(grouped) = Grouped::new(&terms)
        {
            return Some(Blocks::Grouped(grouped));
        }
        let small = match max {
            0..16 => Small::new(16, &terms, &unions, &takes).map(Blocks::Below32),
            16..32 => Small::new(32, &terms, &unions, &takes).map(Blocks::Below32),
            32..64 => Small::new(64, &terms, &unions, &takes).map(Blocks::Below64),
            _ => None,
        };
        small.or_else(|| {
            // All sums directly: with many rare heaps there is little to share between the digits.
            for i in &unions {
                let moved = |t: &Term| Term { distance: t.distance + *i as u32, xor: t.xor };
                terms.extend(rare_terms.iter().map(moved));
            }
            terms.extend(takes.iter().map(|&i| Term { distance: i as u32, xor: 0 }));
            terms.sort_unstable();
            terms.dedup();
            Wide::new(&terms, room_for(max), usual).map(Blocks::Wide)
        })
    }

    /// Finds the candidates of the `BLOCK` heaps from `at` on, and says how many of them there are at most: what is not
    /// below the room is void, with what follows it. `warm`: the heaps before were found by this, too.
    pub fn find(&mut self, kernel: &Kernel, warm: bool, c: &mut [u8], at: usize) -> usize {
        match self {
            Blocks::Grouped(grouped) => {
                if !warm {
                    grouped.warm(c, at);
                }
                kernel.grouped_block(grouped, c, at);
            }
            Blocks::Below32(small) => run(kernel, small, warm, c, at),
            Blocks::Below64(small) => run(kernel, small, warm, c, at),
            Blocks::Wide(wide) => return kernel.wide_block(wide, c, at),
        }
        BLOCK
    }
}

/// The room that the wide kernel has for values up to `max`.
pub fn room_for(max: u32) -> u32 {
    (max + 1).next_multiple_of(8)
}

fn run<W: SmallWord>(kernel: &Kernel, small: &mut Small<W>, warm: bool, c: &mut [u8], at: usize) {
    if !warm {
        kernel.warm(small, c, at);
    }
    kernel.small_block(small, c, at);
}
