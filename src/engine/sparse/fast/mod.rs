//! The sparse rule for whole blocks of heaps.
//!
//! Where every sum with a rare heap has a common heap as its other part, the candidates of a block follow from
//! compressed values alone, and its witnesses from lists of pairs that have served well ([`witness`]), or where there
//! are many rare heaps from marked sums ([`marks`]). A heap
//! that these do not settle is decided by the plain rule, which also finds the new rare heaps. Nothing is
//! assumed: every value is proven as the plain rule proves it.

mod ahead;
mod blocks;
mod compression;
mod marks;
mod pairs;
mod rows;
mod useful;
mod witness;

use std::ops::Range;

use crate::engine::History;
use crate::kernel::Kernel;
use crate::kernel::small::{BLOCK, LANES};
use crate::kernel::witness::Lanes;

use super::{RareSpace, Shape};
use blocks::Blocks;
use compression::{Compression, Expanded};
use marks::Marks;
use witness::{MARGIN, Witnesses};

/// Pairs for witnesses are looked for among smaller parts up to this at first.
const FIRST_DEPTH: u64 = 2048;
/// The same where there are many values: a pair gives any one of them less often.
const FIRST_DEPTH_WIDE: u64 = 1 << 14;
/// And never beyond this.
const LAST_DEPTH: u64 = 1 << 15;
/// If more than one heap in `TOLERATED` blocks needs the plain rule, over `PATIENCE` blocks, deeper pairs are tried: that
/// rule, which looks deeper still, may take as long as several blocks.
const TOLERATED: u64 = 64;
const PATIENCE: u64 = 64;
/// So many heaps pass before what was chosen is chosen anew: choosing takes as long as some hundred blocks.
const SOONEST_REVIEW: u64 = 1 << 17;
/// From so many sums with rare heaps on, marking sums for witnesses takes little more time, and no lists.
const MANY: usize = 512;
/// Of so many heaps one may have a candidate that is not usual.
const UNUSUAL: usize = 1024;
/// Compressed values are dropped at the front when they are this many more than needed.
const SURPLUS: usize = 1 << 22;

/// How witnesses are found.
enum Proofs {
    Lists(Witnesses),
    Marks(Marks),
}

/// A block that has been computed: what is left to do is to decide some of its heaps by the plain rule.
pub struct Block {
    /// How many of its heaps have a candidate.
    pub len: usize,
    /// The heaps that have one, and lack a witness.
    pub unproven: Lanes,
    /// The depth of the witnesses of the others.
    pub depth: u64,
    /// The candidates.
    pub values: Expanded,
}

/// The state of the block-wise computation: it belongs to one rare space, and is made anew when that changes.
pub struct Fast {
    kernel: &'static Kernel,
    compression: Compression,
    blocks: Blocks,
    proofs: Proofs,
    /// The least candidate that few heaps reach.
    usual: u32,
    /// How many heaps before a block are needed.
    needed: usize,
    /// The compressed values of heaps from `base` on.
    values: Vec<u8>,
    base: u64,
    /// The number of rare heaps that this was made for.
    rares: usize,
    /// The last of them.
    last_rare: u64,
    /// The next heap, if what the kernel keeps of the last heaps is in order.
    warm_at: Option<u64>,
    depth: u64,
    blocks_done: u64,
    unproven: u64,
    /// The number of heaps at which the lists of pairs are chosen anew.
    review_at: u64,
}

impl Fast {
    /// What the computation needs for the heaps after `history`; `None` if it is not suited to them: the number of
    /// heaps is no multiple of `LANES`, the values or distances are too large, or too little is known. `depth`: up
    /// to which smaller part witnesses are looked for.
    pub fn new(
        kernel: &'static Kernel,
        shape: &Shape,
        history: &History,
        space: &RareSpace,
        depth: u64,
    ) -> Option<Fast> {
        let len = history.len();
        let compression = Compression::new(space.mask())?;
        let max = compression.compress(space.max_value());
        let usual = usual_values(&compression, history);
        let mut blocks = Blocks::choose(kernel, shape, space, &compression, max, usual)?;
        let depth = depth.max(if matches!(blocks, Blocks::Wide(_)) { FIRST_DEPTH_WIDE } else { FIRST_DEPTH });
        let witness_reach = (depth + shape.reach()) as usize + MARGIN;
        let needed = blocks.reach().max(witness_reach).next_multiple_of(LANES) as u64;
        // A heap is no smaller part of itself: all that lists have are smaller than the other part.
        if !len.is_multiple_of(LANES as u64) || len < history.base() + needed || len <= 2 * depth + shape.reach() {
            return None;
        }
        let needed = needed as usize;
        let base = len - needed as u64;
        let values: Vec<u8> = history.range(base, len).iter().map(|v| compression.compress(v) as u8).collect();
        let mask = space.mask();
        let is_common = |n: u64| n > 0 && history.get(n).is_some_and(|v| mask.class(n, v) == 1);
        let small: Vec<Option<u8>> = (0..=depth)
            .map(|q| history.get(q).filter(|_| is_common(q)).map(|v| compression.compress(v) as u8))
            .collect();
        let firsts = blocks.firsts(&compression);
        let many = matches!(&blocks, Blocks::Wide(wide) if wide.terms() >= MANY);
        let choose_proofs = || {
            if many {
                Proofs::Marks(Marks::choose(&values, &small, &shape.splits, usual, &firsts))
            } else {
                let is_common = |i| is_common(base + i as u64);
                let firsts = firsts.iter().copied();
                Proofs::Lists(Witnesses::choose(kernel, &values, is_common, &small, &shape.splits, firsts))
            }
        };
        let choose_marked = || {
            if let Blocks::Wide(wide) = &mut blocks {
                useful::mark_most_useful(wide, &values);
            }
        };
        let (proofs, ()) = rayon::join(choose_proofs, choose_marked);
        if let Proofs::Marks(marks) = &proofs
            && len <= space.last() + marks.reach() as u64
        {
            return None;
        }
        // Marks suffer less from slow changes of the values, and take longer to choose.
        let review = if matches!(proofs, Proofs::Marks(_)) { 4 } else { 2 };
        Some(Fast {
            kernel,
            compression,
            blocks,
            proofs,
            usual,
            needed,
            values,
            base,
            rares: space.positions().len(),
            last_rare: space.last(),
            warm_at: None,
            depth,
            blocks_done: 0,
            unproven: 0,
            review_at: len.saturating_mul(review).max(len + SOONEST_REVIEW),
        })
    }

    /// Brings this up to what is known, if it still can be: no new rare heap, no lists that are out of date.
    pub fn catch_up(&mut self, shape: &Shape, history: &History, space: &RareSpace) -> bool {
        let (len, known) = (history.len(), self.base + self.values.len() as u64);
        let fits = self.rares == space.positions().len()
            && (history.base() <= known && known <= len)
            && (len < self.review_at && !self.wants_deeper(shape, history));
        fits && self.make_room(shape, space) && {
            let fresh = self.values.len();
            self.values.extend(history.range(known, len).iter().map(|v| self.compression.compress(v) as u8));
            if let Proofs::Lists(witnesses) = &mut self.proofs {
                witnesses.append(self.kernel, &self.values[fresh..]);
            }
            true
        }
    }

    /// Makes room for a value that a block had none for.
    fn make_room(&mut self, shape: &Shape, space: &RareSpace) -> bool {
        let max = self.compression.compress(space.max_value());
        if max < self.blocks.room() {
            return true;
        }
        if !self.widen(shape, space, max) {
            return false;
        }
        let firsts = self.blocks.firsts(&self.compression);
        match &mut self.proofs {
            Proofs::Lists(witnesses) => witnesses.extend_to(firsts.into_iter()),
            Proofs::Marks(marks) => marks.want(&firsts),
        }
        true
    }

    /// Makes room for values up to `max` in the block kernel.
    fn widen(&mut self, shape: &Shape, space: &RareSpace, max: u32) -> bool {
        if let Blocks::Wide(wide) = &mut self.blocks {
            return wide.widen(blocks::room_for(max));
        }
        let blocks = Blocks::choose(self.kernel, shape, space, &self.compression, max, self.usual);
        let Some(blocks) = blocks.filter(|blocks| blocks.reach() <= self.values.len()) else { return false };
        self.needed = self.needed.max(blocks.reach().next_multiple_of(LANES));
        self.blocks = blocks;
        self.warm_at = None;
        true
    }

    /// Leaves room for small values only, as if no others had been seen.
    #[cfg(test)]
    pub fn pretend_max(&mut self, shape: &Shape, space: &RareSpace, max: u32) {
        self.blocks = Blocks::choose(self.kernel, shape, space, &self.compression, max, self.usual).unwrap();
        self.warm_at = None;
    }

    /// Counts as if the plain rule had been needed for many heaps.
    #[cfg(test)]
    pub fn pretend_unproven(&mut self) {
        self.blocks_done = PATIENCE;
        self.unproven = PATIENCE;
    }

    /// Values below this have room, compressed.
    #[cfg(test)]
    pub fn room(&self) -> u32 {
        self.blocks.room()
    }

    /// Forgets the candidates of the last `blocks` blocks: the first of these has been cut short. `None` if more than
    /// that would have to be made anew.
    pub fn cut(mut self: Box<Self>, blocks: usize) -> Option<Box<Fast>> {
        self.values.truncate(self.values.len() - blocks * BLOCK);
        self.warm_at = None;
        let kept = match &mut self.proofs {
            Proofs::Lists(witnesses) => witnesses.forget(blocks),
            Proofs::Marks(_) => true,
        };
        kept.then_some(self)
    }

    /// Whether too many heaps need the plain rule, and enough is known, and will be, to look twice as deep.
    fn wants_deeper(&self, shape: &Shape, history: &History) -> bool {
        let (deeper, reach) = (2 * self.depth, shape.reach());
        let kept = history.window().map_or(history.len(), |window| window as u64);
        self.blocks_done >= PATIENCE
            && self.unproven * TOLERATED > self.blocks_done
            && deeper <= LAST_DEPTH
            && history.len() > 2 * deeper + reach
            && kept >= deeper + reach + (MARGIN + LANES) as u64
    }

    /// The depth that the next one should look for pairs in.
    pub fn next_depth(&self, shape: &Shape, history: &History) -> u64 {
        if self.wants_deeper(shape, history) { 2 * self.depth } else { self.depth }
    }

    /// Computes the next block: its candidates, and which of them are proven.
    pub fn advance(&mut self) -> Block {
        self.drop_surplus();
        let (mut finder, mut prover) = self.parts();
        let len = finder.find_block();
        prover.prove_block(finder.values, finder.least, len)
    }

    fn drop_surplus(&mut self) {
        if self.values.len() > self.needed + SURPLUS {
            let surplus = (self.values.len() - self.needed) / LANES * LANES;
            self.values.drain(..surplus);
            self.base += surplus as u64;
        }
    }

    /// The half that finds candidates, and the half that proves them.
    fn parts(&mut self) -> (Finder<'_>, Prover<'_>) {
        let least = (self.last_rare + 1).saturating_sub(self.base) as usize;
        let finder = Finder {
            kernel: self.kernel,
            blocks: &mut self.blocks,
            values: &mut self.values,
            base: self.base,
            least,
            warm_at: &mut self.warm_at,
        };
        let prover = Prover {
            kernel: self.kernel,
            compression: &self.compression,
            proofs: &mut self.proofs,
            blocks_done: &mut self.blocks_done,
            unproven: &mut self.unproven,
        };
        (finder, prover)
    }
}

/// What finds candidates: each needs those before it.
struct Finder<'a> {
    kernel: &'static Kernel,
    blocks: &'a mut Blocks,
    values: &'a mut Vec<u8>,
    base: u64,
    /// From this index into the values on all heaps are common.
    least: usize,
    warm_at: &'a mut Option<u64>,
}

impl Finder<'_> {
    /// Adds the candidates of a block, and says how many there are: what follows is void.
    fn find_block(&mut self) -> usize {
        let start = self.values.len();
        let n = self.base + start as u64;
        self.values.resize(start + BLOCK, 0);
        let warm = *self.warm_at == Some(n);
        let len = self.blocks.find(self.kernel, warm, self.values, start);
        *self.warm_at = Some(n + BLOCK as u64);
        let block: &[u8; BLOCK] = self.values.last_chunk().expect("a block");
        let void = self.kernel.above(block, [self.blocks.room().min(255); 2]);
        lanes(&void).next().unwrap_or(BLOCK).min(len)
    }
}

/// What proves candidates. It only reads them, and can do so while later ones are found.
struct Prover<'a> {
    kernel: &'static Kernel,
    compression: &'a Compression,
    proofs: &'a mut Proofs,
    blocks_done: &'a mut u64,
    unproven: &'a mut u64,
}

impl Prover<'_> {
    /// Proves the last block of `heaps`, of which `len` heaps have a candidate. From `least` on all are common.
    fn prove_block(&mut self, heaps: &[u8], least: usize, len: usize) -> Block {
        let proof = match self.proofs {
            Proofs::Lists(witnesses) => witnesses.prove(self.kernel, heaps, least),
            Proofs::Marks(marks) => marks.unproven(self.kernel, heaps, least),
        };
        self.block(heaps, len, proof)
    }

    /// The last block of `heaps`, given the heaps that are not proven, and the depth of the witnesses of the others.
    fn block(&mut self, heaps: &[u8], len: usize, (unproven, depth): (Lanes, u32)) -> Block {
        *self.blocks_done += 1;
        *self.unproven += lanes(&unproven).filter(|&lane| lane < len).count() as u64;
        let block = heaps.last_chunk().expect("a block");
        let values = self.compression.expand_block(self.kernel, block);
        Block { len, unproven, depth: u64::from(depth), values }
    }
}

/// The least compressed value that few of the last heaps reach.
fn usual_values(compression: &Compression, history: &History) -> u32 {
    let len = history.len();
    let from = history.base().max(len.saturating_sub(32 * UNUSUAL as u64));
    let mut counts = [0usize; 257];
    history.range(from, len).iter().for_each(|v| counts[compression.compress(v).min(256) as usize] += 1);
    let mut above = 0;
    (0..257)
        .rev()
        .find(|&c| {
            above += counts[c];
            above * UNUSUAL > (len - from) as usize
        })
        .map_or(1, |c| c as u32 + 1)
}

/// Whether every rare heap can be a part of every split of the heaps of a block, the other part being common.
pub fn is_regular(shape: &Shape, space: &RareSpace, block: Range<u64>) -> bool {
    let (last, reach) = (space.last(), shape.reach());
    if block.start <= last + reach + 2 {
        return false;
    }
    let rares = space.positions();
    let rare_in = |from: u64, to: u64| rares.partition_point(|&p| p < from) < rares.partition_point(|&p| p < to);
    block.start > 2 * last + reach
        || shape.splits.iter().all(|i| rares.iter().all(|p| !rare_in(block.start - i - p, block.end - i - p)))
}

/// The lanes whose bit is set, ascending.
pub fn lanes(lanes: &Lanes) -> impl Iterator<Item = usize> {
    lanes
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, word)| *word != 0)
        .flat_map(|(k, word)| (0..64).filter(move |lane| word >> lane & 1 == 1).map(move |lane| 64 * k + lane))
}
