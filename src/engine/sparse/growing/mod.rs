//! The sparse rule while new rare heaps keep coming: up to a thousand heaps at a time.
//!
//! Every pair with a small part, up to a depth, and some [others](order) are tried for each heap at once, whatever their class: that
//! settles most values. What is left of the common class is looked for among [some of the sums](sums) with rare heaps, if the kernel
//! does that fast, and the least values of what is left then are compared with the other sums ([`race()`]); what is left of the rare
//! class is looked for among the other pairs, for all heaps side by side. Which pairs and sums serve most is learned from
//! [heaps whose values are known](samples). The kernels see values as [codes](code). Pairs with a part that is in these heaps come last,
//! heap by heap; a new rare heap is no special case among these.

mod code;
mod cover;
mod order;
mod race;
mod samples;
mod sums;

use std::ops::Range;
use std::{iter, slice};

use rayon::prelude::*;

use crate::kernel::Kernel;
use crate::kernel::met::{HEAPS, ManySums, Sum};
use crate::kernel::sieve::{self, Open, Pairs, TABLE};
use crate::rules::TAKE_ALL;

use super::decide::Decided;
use super::{History, Mask, RareSpace, Shape};
use code::Code;
use cover::{Hit, greedy};
use race::{WINNERS, Winners, race};
use samples::{APART, SAMPLES, Sample};
use sums::RareSums;

/// Fewer heaps than these are not worth the work.
pub const FIRST: u64 = 1 << 12;
/// With fewer rare heaps the plain rule is fast enough, and says how deep its witnesses are more precisely.
const MANY: usize = 256;
/// Pairs that are tried between two looks at what is left, when a witness is looked for; more where it has been looked for
/// among many.
const STRETCH: usize = 2048;
/// More of them are shared by the threads.
const SHARED: usize = 1 << 15;
/// Groups of heaps that are worked at at once, at most: sums with the same rare heap lie side by side, and what was loaded
/// for one group serves the next. With more, too many pairs are near.
const GROUPS: usize = 32;
/// For each of so many values there is a group more: those of few heaps are in a cache anyway. Fewer in tests, so that
/// these go the ways of long runs.
const CACHED: usize = if cfg!(test) { 1 << 10 } else { 1 << 17 };
/// The pairs that are not near are so many times as many as those that are, at least.
const FAR: usize = 8;
/// So many values above the largest known one are looked at.
const ABOVE: u32 = 32;
/// All pairs with smaller parts below this are crossed off. Fewer in tests.
const LEAST: usize = if cfg!(test) { 1 << 10 } else { 1 << 14 };
/// Blocks of pairs that are crossed off beside these, whatever their class. The second is for kernels that do not look sums up.
const BLOCKS: [usize; 2] = [8, 0];
/// Blocks that are tried between two looks at what is left.
const AT_ONCE: usize = 4;
/// Blocks that are tried for a witness before all pairs in turn are, at most.
const MOST_BLOCKS: usize = 512;
/// Pairs that are crossed off in the time that a single sum takes, for either kind of kernel.
const PAIRS_A_SUM: [usize; 2] = [3, 2];
/// More values are looked up among the sums, or these marked, and not compared with them; again for either kind of kernel.
const COMPARED: [usize; 2] = [8, 24];
/// It is learned what serves after so many heaps, or when there are half as many again.
const LEARNED: usize = 1 << 18;
/// Heaps that are taken together when it is asked whether rare heaps are crowded.
const NEIGHBOURS: usize = 4096;

/// A bit for every value there can be room for.
type Bits = [u64; sieve::MOST as usize / 64];

/// What the block-wise computation keeps of the values.
pub struct Growing {
    kernel: &'static Kernel,
    mask: Mask,
    code: Code,
    /// The codes of all values.
    codes: Vec<u16>,
    /// Those of the first heaps, descending: smaller parts lie beside the larger ones.
    reversed: Vec<u16>,
    /// Values from here on are not looked at.
    bound: u32,
    /// For even and for odd heaps: all values below that.
    all: [Open; 2],
    /// All pairs with smaller parts below this are crossed off, whatever their class: the least, and as far as rare heaps
    /// are so many that looking all pairs up is faster than taking their sums one by one.
    depth: usize,
    /// Blocks of others in the order in which they are tried.
    blocks: Vec<Range<usize>>,
    /// When it is to be learned anew which serve.
    learn_at: usize,
    /// The sums with rare heaps that are no smaller than the depth, as codes [within](Code::within) the common class.
    sums: RareSums,
    /// How many rare heaps have been looked at for these.
    rares: usize,
    /// For even and for odd heaps: the values of the common class.
    common: [Bits; 2],
}

/// What pairs of heaps before a block say of one of its heaps.
pub struct Far {
    /// The codes of what no pair gives whose smaller part is below the depth, and not near.
    open: Open,
    /// The least values of the common class in it that no other sum with a rare heap has, as far as they are known.
    candidates: Winners,
    /// For the values of the rare class below the first of these.
    search: Search,
    /// Smaller parts below this are left to be tried.
    near: usize,
}

/// A search for witnesses.
#[derive(Clone)]
struct Search {
    heap: usize,
    /// The codes of the values that none is known for, in ascending order of the values.
    wanted: Vec<u16>,
    /// Smaller parts below this have been tried, but for those that are near.
    depth: usize,
    /// How many blocks of others have been tried.
    blocks: usize,
    /// No part from here on has been tried.
    reach: usize,
}

impl Growing {
    /// Whether this is the way to decide the heaps after `history`.
    pub fn suits(shape: &Shape, history: &History, space: &RareSpace) -> bool {
        let len = history.len();
        (FIRST..u64::from(u32::MAX)).contains(&len)
            && history.base() == 0
            && shape.splits_freely()
            && shape.reach() < len / 4
            && space.positions().len() >= MANY
            && space.max_value() < sieve::MOST
    }

    /// For a game and values that it suits.
    pub fn new(kernel: &'static Kernel, space: &RareSpace) -> Growing {
        let mask = space.mask();
        let word = |parity, k: usize| {
            (0..64).fold(0, |bits, v| bits | u64::from(mask.class(parity, (64 * k + v) as u32)) << v)
        };
        Growing {
            kernel,
            mask,
            code: Code::new(mask, TABLE),
            codes: Vec::new(),
            reversed: Vec::new(),
            bound: 0,
            all: [Open::none(0), Open::none(0)],
            depth: 0,
            blocks: Vec::new(),
            learn_at: 0,
            sums: RareSums::default(),
            rares: 0,
            common: [0, 1].map(|parity| std::array::from_fn(|k| word(parity, k))),
        }
    }

    /// Takes up what has been decided since.
    pub fn catch_up(&mut self, shape: &Shape, history: &History, space: &RareSpace) {
        let len = history.len();
        self.make_room(bound(space.max_value()));
        let known = self.codes.len() as u64;
        self.codes.extend((known..).zip(history.range(known, len).iter()).map(|(n, v)| self.code.of(n, v)));
        let needed = self.codes.len() / 2 + GROUPS * HEAPS;
        if self.reversed.len() < needed {
            let end = (needed + needed / 4).min(self.codes.len());
            self.reversed = self.codes[..end].iter().rev().copied().collect();
        }
        let depth = self.find_depth(space);
        if depth > self.depth {
            self.depth = depth;
            self.sums.clear();
            self.rares = space.positions().partition_point(|&p| p < depth as u64);
            self.learn_at = 0;
        }
        let rares = space.positions().iter().zip(space.values()).skip(self.rares);
        for (&p, &value) in rares.take_while(|(p, _)| **p + shape.reach() < len) {
            let code = self.code.of(p, value) ^ self.code.class_bit();
            shape.splits.iter().for_each(|i| self.sums.push(Sum::new((p + i) as u32, code)));
            self.rares += 1;
        }
        let choose_sums = self.kernel.many_sums() == ManySums::LookedUp && !self.sums.are_few();
        if self.codes.len() >= self.learn_at {
            self.learn(shape, choose_sums);
            self.learn_at = self.codes.len() + LEARNED.min(self.codes.len() / 2);
        }
    }

    /// Learns which blocks of pairs and, if it is asked, which sums serve most.
    fn learn(&mut self, shape: &Shape, choose_sums: bool) {
        let len = self.codes.len();
        let heaps = (0..SAMPLES).into_par_iter().filter_map(|k| Some((k, len.checked_sub(1 + k * APART)?)));
        let samples: Vec<Sample> = heaps.map(|(k, heap)| self.sample(shape, heap, k)).collect();
        let blocks = order::blocks(self.depth, len);
        let hits = blocks.par_iter().enumerate().flat_map_iter(|(block, parts)| {
            let hits = samples.iter().flat_map(|sample| {
                self.pairs(shape, sample.heap, parts.clone()).flat_map(|pairs| sample.rare_hits(pairs))
            });
            hits.map(move |thing| (block as u32, thing))
        });
        let hits: Vec<Hit> = hits.collect();
        let order = greedy(blocks.len(), hits);
        self.blocks = order.into_iter().take(MOST_BLOCKS).map(|block| blocks[block].clone()).collect();
        if choose_sums {
            self.sums.choose(&self.codes, &samples);
        }
    }

    /// What is open below the value of a known heap after all pairs below the depth.
    fn sample(&self, shape: &Shape, heap: usize, number: usize) -> Sample {
        let mut open = self.all[heap % 2].clone();
        self.try_sums(shape, heap, 1..self.depth, &mut open);
        let value = self.value(heap);
        let codes = |class| self.codes_below(&open, heap, class, value);
        Sample::new(heap, number, &codes(1), &codes(0))
    }

    /// Sees to it that all values below the bound can be looked at. With more room there may be another code.
    fn make_room(&mut self, bound: u32) {
        if bound == self.bound {
            return;
        }
        let code = Code::new(self.mask, Open::none(bound).room());
        if code != self.code {
            (self.code, self.depth) = (code, 0);
            (self.codes, self.reversed) = (Vec::new(), Vec::new());
        }
        self.bound = bound;
        self.all = [0, 1].map(|parity| {
            let mut codes = Open::none(bound);
            (0..bound).for_each(|value| codes.insert(u32::from(code.of(parity, value))));
            codes
        });
    }

    /// Looks how far rare heaps are crowded.
    fn find_depth(&self, space: &RareSpace) -> usize {
        let half = self.codes.len() / 2;
        let before = |heap: usize| space.positions().partition_point(|&p| p < heap as u64);
        let mut depth = self.depth.max(LEAST.min(1 << half.ilog2()));
        while depth + NEIGHBOURS <= half
            && self.of_kind(PAIRS_A_SUM) * (before(depth + NEIGHBOURS) - before(depth)) >= NEIGHBOURS
        {
            depth += NEIGHBOURS;
        }
        depth
    }

    /// What is for a kernel that looks sums up, or for another.
    fn of_kind(&self, values: [usize; 2]) -> usize {
        values[usize::from(self.kernel.many_sums() != ManySums::LookedUp)]
    }

    /// How many groups of `HEAPS` heaps are to be taken together: as many for each thread, as far
    /// as there may be so many.
    pub fn groups(&self) -> usize {
        let worth = (self.codes.len() / CACHED).clamp(1, GROUPS);
        worth.next_multiple_of(rayon::current_num_threads()).min(GROUPS).min(self.depth / FAR / HEAPS)
    }

    /// What the decided heaps say of the next `HEAPS` times `groups`.
    pub fn far(&self, shape: &Shape, groups: usize) -> Vec<Far> {
        let near = HEAPS * groups;
        let first = self.codes.len();
        let mut opens: Vec<Open> = (first..first + near).map(|n| self.all[n % 2].clone()).collect();
        let each = HEAPS * groups.div_ceil(rayon::current_num_threads());
        let decided = opens.par_chunks_mut(each).enumerate().map(|(k, opens)| {
            let n = self.codes.len() + k * each;
            self.cross_off_pairs(shape, n, iter::once(near..self.depth).chain(self.blocks()), opens);
            for (heap, open) in (n..).zip(&mut *opens) {
                self.try_sums(shape, heap, heap - self.codes.len() + 1..near, open);
            }
            self.cross_off_sums(n, opens)
        });
        let candidates: Vec<Vec<Winners>> = decided.collect();
        self.with_witnesses(shape, opens, candidates.into_iter().flatten().collect())
    }

    /// Takes the pairs out whose smaller part is in one of the blocks, for the heaps from `n` on.
    fn cross_off_pairs(&self, shape: &Shape, n: usize, blocks: impl Iterator<Item = Range<usize>>, opens: &mut [Open]) {
        let (codes, reversed, heaps) = (&self.codes, &self.reversed, opens.len());
        let stretches = blocks.flat_map(|Range { start, end }| {
            let smaller = &reversed[reversed.len() - end..reversed.len() - start];
            let larger = move |total: usize| &codes[total + 1 - end..total + heaps - start];
            shape.splits.iter().map(move |&i| [smaller, larger(n - i as usize)])
        });
        let stretches: Vec<Pairs<'_>> = stretches.collect();
        self.kernel.cross_off(&stretches, opens);
    }

    /// The least values of the common class that are none of the other sums with rare heaps. Those that are looked up are
    /// taken out.
    fn cross_off_sums(&self, n: usize, opens: &mut [Open]) -> Vec<Winners> {
        let (looked_up, others) = (self.sums.looked_up(), self.sums.others());
        if !looked_up.as_slice().is_empty() {
            self.within_common(opens, |opens| self.kernel.cross_off_sums(&self.codes, n, looked_up, opens));
        }
        if self.kernel.many_sums() == ManySums::Marked {
            return vec![[None; WINNERS]; opens.len()];
        }
        let opens: Vec<Bits> = (n..).zip(opens).map(|(n, open)| self.of_class(open, n, 1)).collect();
        race(self.kernel, &self.codes, n, others, &opens, self.code)
    }

    /// Takes codes within the common class out. Only that half of the sets is looked at, the one above the bit of the class.
    fn within_common(&self, opens: &mut [Open], take_out: impl FnOnce(&mut [Open])) {
        let (room, class) = (self.all[0].room(), u32::from(self.code.class_bit()));
        for open in &mut *opens {
            open.exchange(class);
            open.set_room(if class > 0 { class } else { room });
        }
        take_out(opens);
        for open in opens {
            open.set_room(room);
            open.exchange(class);
        }
    }

    /// The values that are of a class for heap `n` and whose codes are open.
    fn of_class(&self, open: &Open, n: usize, class: u64) -> Bits {
        let words = self.kernel.open_words(open);
        let common = &self.common[n % 2];
        let (bit, within) = if class == 1 { (self.code.class_bit(), 0) } else { (0, u64::MAX) };
        std::array::from_fn(|k| {
            // Values that share all but the lowest bits have codes that do.
            let code = usize::from(self.code.within(64 * k as u32) | bit);
            words.words().get(code / 64).map_or(0, |word| word & (common[k] ^ within))
        })
    }

    /// Takes the sums of a heap out whose smaller part is one of those.
    fn try_sums(&self, shape: &Shape, heap: usize, parts: Range<usize>, open: &mut Open) {
        let pairs: Vec<Pairs<'_>> = self.pairs(shape, heap, parts).collect();
        self.kernel.cross_off(&pairs, slice::from_mut(open));
    }

    /// Takes those out of the wanted values of a search that are sums whose smaller part is in one of the ranges.
    fn find(&self, shape: &Shape, parts: &[Range<usize>], search: &mut Search) {
        let Search { heap, wanted, .. } = search;
        let Some(most) = wanted.iter().max() else { return };
        let within = |parts: &Range<usize>| parts.start..parts.end.min(*heap / 2 + 1);
        let pairs = parts.iter().flat_map(|parts| self.pairs(shape, *heap, within(parts)));
        if wanted.len() > self.of_kind(COMPARED) {
            let mut open = Open::none(u32::from(*most) + 1);
            wanted.iter().for_each(|&code| open.insert(u32::from(code)));
            self.kernel.cross_off(&pairs.collect::<Vec<_>>(), slice::from_mut(&mut open));
            wanted.retain(|&code| open.contains(u32::from(code)));
        } else {
            pairs.for_each(|[smaller, larger]| self.kernel.leave_others(smaller, larger, wanted));
        }
    }

    /// The values of the pairs of a heap whose smaller part is one of those, for each way to split it.
    fn pairs(&self, shape: &Shape, heap: usize, parts: Range<usize>) -> impl Iterator<Item = Pairs<'_>> {
        shape.splits.iter().filter_map(move |&i| {
            // The two parts of a total that is smaller than the heap may change places.
            let total = heap - i as usize;
            let (first, end) = (parts.start, parts.end.min(total));
            let smaller = || &self.reversed[self.reversed.len() - end..self.reversed.len() - first];
            (first < end).then(|| [smaller(), &self.codes[total - end + 1..=total - first]])
        })
    }

    /// Decides the next heap. `None` if its value is above all that are looked at.
    pub fn decide(&self, shape: &Shape, far: &mut Far) -> Option<Decided> {
        let Far { open, candidates, search, near } = far;
        let n = self.codes.len();
        self.try_sums(shape, n, 1..*near, open);
        let code = |value| u32::from(self.code.of(n as u64, value));
        shape.takes.iter().for_each(|&i| open.remove(code(self.value(n - i as usize))));
        if shape.rules.digit(n as u64) & TAKE_ALL != 0 {
            open.remove(code(0));
        }
        let known = candidates.iter().flatten().copied().find(|&candidate| open.contains(code(candidate)));
        let candidate = known.or_else(|| self.candidate(open))?;
        if known == candidates[0] && known.is_some() {
            search.wanted.retain(|&code| open.contains(u32::from(code)));
        } else {
            // What has been found below another candidate is not open any more.
            let before = std::mem::replace(search, self.search_for(n, self.codes_below(open, n, 0, candidate)));
            search.reach = search.reach.max(before.reach);
        }
        self.search(shape, slice::from_mut(search));
        Some(Decided {
            value: search.wanted.first().map_or(candidate, |&least| self.code.value(n as u64, least)),
            depth: if candidate > 0 { search.reach as u64 - 1 } else { 0 },
        })
    }

    /// The least value of the common class that is open when all sums with rare heaps have been taken out.
    fn candidate(&self, open: &mut Open) -> Option<u32> {
        let (n, others) = (self.codes.len(), self.sums.others().as_slice());
        self.within_common(slice::from_mut(open), |open| {
            let shares = others.par_chunks(SHARED).map(|sums| {
                let mut open = open[0].clone();
                open.remove_sums(&self.codes, n, sums);
                open
            });
            shares.collect::<Vec<_>>().iter().for_each(|left| open[0].intersect(left));
        });
        least_from(&self.of_class(open, n, 1), 0)
    }

    /// The codes within their class of the open values that are of a class for heap `n` and below the bound, in ascending order of the values.
    fn codes_below(&self, open: &Open, n: usize, class: u64, bound: u32) -> Vec<u16> {
        let values = self.of_class(open, n, class);
        let from = |value| least_from(&values, value);
        let values = iter::successors(from(0), |&value| from(value + 1));
        values.take_while(|&value| value < bound).map(|value| self.code.within(value)).collect()
    }

    /// Looks for the witnesses of the rare class below the candidates of the next heaps side by side: what one of them
    /// needs, the others do.
    fn with_witnesses(&self, shape: &Shape, mut opens: Vec<Open>, candidates: Vec<Winners>) -> Vec<Far> {
        let n = self.codes.len();
        let searches = opens.par_iter_mut().zip(&candidates).enumerate().map(|(k, (open, candidates))| {
            let wanted = |candidate| self.codes_below(open, n + k, 0, candidate);
            let wanted = candidates[0].map_or(Vec::new(), wanted);
            // Those that are not found are put back.
            wanted.iter().for_each(|&code| open.remove(u32::from(code)));
            self.search_for(n + k, wanted)
        });
        let mut searches: Vec<Search> = searches.collect();
        self.search(shape, &mut searches);
        for (open, search) in opens.iter_mut().zip(&searches) {
            search.wanted.iter().for_each(|&code| open.insert(u32::from(code)));
        }
        let decided = opens.into_iter().zip(candidates).zip(searches).enumerate();
        decided.map(|(k, ((open, candidates), search))| Far { open, candidates, search, near: k + 1 }).collect()
    }

    /// A search for values that no pair has which has been crossed off.
    fn search_for(&self, heap: usize, wanted: Vec<u16>) -> Search {
        let reach = self.blocks().map(|parts| parts.end).fold(self.depth, usize::max);
        Search { heap, wanted, depth: self.depth, blocks: self.of_kind(BLOCKS), reach }
    }

    /// The blocks of pairs that are crossed off.
    fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        self.blocks.iter().take(self.of_kind(BLOCKS)).cloned()
    }

    /// Goes on with the searches, which have tried the same, until nothing is wanted, or there are no more pairs: block
    /// after block at first, then in turn.
    fn search(&self, shape: &Shape, searches: &mut [Search]) {
        if searches.iter().all(|search| search.wanted.is_empty()) {
            return;
        }
        let blocks = &self.blocks;
        // Searches side by side share what is in the caches.
        searches.par_chunks_mut(HEAPS).for_each(|searches| {
            loop {
                let mut left = searches.iter_mut().filter(|search| !search.wanted.is_empty()).peekable();
                let tried = left.peek().map_or(blocks.len(), |search| search.blocks.min(blocks.len()));
                let next = &blocks[tried..blocks.len().min(tried + AT_ONCE)];
                if next.is_empty() {
                    break;
                }
                for search in left {
                    self.find(shape, next, search);
                    search.blocks += next.len();
                    search.reach = next.iter().map(|parts| parts.end).fold(search.reach, usize::max);
                }
            }
        });
        let ends = |search: &Search| search.wanted.is_empty() || 2 * search.depth > search.heap;
        loop {
            let mut left: Vec<&mut Search> = searches.iter_mut().filter(|search| !ends(search)).collect();
            let Some(depth) = left.iter().map(|search| search.depth).min() else { break };
            let end = depth + STRETCH.max(depth / 8);
            self.look_for_witnesses(shape, depth..end, &mut left);
        }
    }

    /// Takes the sums out whose smaller part is one of those, which are the next for all searches.
    fn look_for_witnesses(&self, shape: &Shape, parts: Range<usize>, searches: &mut [&mut Search]) {
        match &mut *searches {
            [search] if parts.len() <= SHARED => self.find(shape, slice::from_ref(&parts), search),
            searches if parts.len() <= SHARED => {
                searches.par_iter_mut().for_each(|search| self.find(shape, slice::from_ref(&parts), search));
            }
            searches => {
                let shares = parts.clone().into_par_iter().step_by(SHARED).map(|start| {
                    let mut searches: Vec<Search> = searches.iter().map(|search| (*search).clone()).collect();
                    let part = start..parts.end.min(start + SHARED);
                    searches.iter_mut().for_each(|search| self.find(shape, slice::from_ref(&part), search));
                    searches
                });
                let shares: Vec<Vec<Search>> = shares.collect();
                for (k, search) in searches.iter_mut().enumerate() {
                    search.wanted.retain(|value| shares.iter().all(|share| share[k].wanted.contains(value)));
                }
            }
        }
        for search in searches {
            search.depth = parts.end.min(search.heap / 2 + 1);
            search.reach = search.reach.max(search.depth);
        }
    }

    /// How many heaps it has seen.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Takes a decided value.
    pub fn push(&mut self, value: u32) {
        self.codes.push(self.code.of(self.codes.len() as u64, value));
    }

    fn value(&self, heap: usize) -> u32 {
        self.code.value(heap as u64, self.codes[heap])
    }
}

/// Values from here on are not looked at: a few above the largest known one are, since that is where new ones are.
fn bound(max_value: u32) -> u32 {
    (max_value + ABOVE).min((max_value + 1).next_power_of_two())
}

/// The least value from `from` on that is in the set.
fn least_from(set: &Bits, from: u32) -> Option<u32> {
    let mut within = u64::MAX << (from % 64);
    for (k, word) in set.iter().enumerate().skip(from as usize / 64) {
        if word & within != 0 {
            return Some(64 * k as u32 + (word & within).trailing_zeros());
        }
        within = u64::MAX;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Values;
    use crate::kernel::variants;

    /// More threads than groups do not make more groups: so far, and no further, small parts are kept beside the larger ones.
    #[test]
    fn groups_are_bounded() {
        let shape = Shape::of(&"0.007".parse().unwrap()).unwrap();
        let groups = |heaps: usize, threads: usize| {
            let values: Values = (0..heaps).map(|_| 0).collect();
            let space = RareSpace::new(Mask { bits: u32::MAX, domain: None }, values.as_slice());
            let history = History::from_parts(Values::new(), values, 0, None);
            let mut growing = Growing::new(crate::kernel::best(), &space);
            growing.catch_up(&shape, &history, &space);
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| growing.groups())
        };
        assert_eq!([1, 2, 3].map(|threads| groups(3 * CACHED + 1, threads)), [3, 4, 3]);
        assert_eq!([1, GROUPS + 1, 3 * GROUPS].map(|threads| groups(1 << 19, threads)), [GROUPS; 3]);
    }

    /// A witness in one of the shares is found, and nothing else is taken out.
    #[test]
    fn threads_share_the_search_for_witnesses() {
        let shape = Shape::of(&"0.007".parse().unwrap()).unwrap();
        for late in [SHARED / 2, 2 * SHARED + 7] {
            let values: Values = (0..400_001).map(|n| u32::from(n == late)).collect();
            let space = RareSpace::new(Mask { bits: u32::MAX, domain: None }, values.as_slice());
            let history = History::from_parts(Values::new(), values, 0, None);
            for kernel in variants() {
                let mut growing = Growing::new(kernel, &space);
                growing.catch_up(&shape, &history, &space);
                for parts in [SHARED / 4..SHARED, SHARED / 4..2 * SHARED + 8, 1..late, late..late + 1] {
                    let search =
                        || Search { heap: 400_001, wanted: vec![0, 1, 2, 3], depth: parts.start, blocks: 0, reach: 0 };
                    for mut searches in [vec![search()], vec![search(), search()]] {
                        growing.look_for_witnesses(&shape, parts.clone(), &mut searches.iter_mut().collect::<Vec<_>>());
                        let found = [parts.len() > 1, parts.contains(&late), false, false];
                        for search in &searches {
                            let is_found = |value| !search.wanted.contains(&value);
                            assert_eq!([0, 1, 2, 3].map(is_found), found, "{}: {parts:?}", kernel.name());
                            assert_eq!(search.depth, parts.end.min(200_001));
                        }
                    }
                }
            }
        }
    }
}
