//! The sparse rule while new rare heaps keep coming: up to a thousand heaps at a time.
//!
//! Every pair with a small part, up to a depth, is tried for each heap at once, whatever its class: that settles
//! nearly all values. What is left of the common class is looked for among the sums of the next rare heaps, if the kernel does
//! that fast, and the least values of what is left then are compared with the other sums ([`race`]); what is left of the rare
//! class is looked for among the other pairs, for all heaps side by side. Pairs with a part that is in these heaps come last,
//! heap by heap; a new rare heap is no special case among these.

mod code;
mod race;

use std::ops::Range;
use std::slice;

use rayon::prelude::*;

use crate::kernel::Kernel;
use crate::kernel::met::{HEAPS, ManySums, Sum, Sums};
use crate::kernel::sieve::{self, Open, TABLE};
use crate::rules::TAKE_ALL;

use super::decide::Decided;
use super::{History, Mask, RareSpace, Shape};
use code::Code;
use race::{WINNERS, Winners, least_two, race};

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
/// Pairs with smaller parts below this are crossed off, as measured with 0.007. A larger depth settles more values, a smaller
/// one leaves more to the sums of rare heaps, of which there are fewer. The second is for kernels that do not look sums up.
const DEPTHS: [usize; 2] = [1 << 15, 1 << 14];
/// Pairs that are crossed off in the time that a single sum takes.
const PAIRS_A_SUM: usize = 2;
/// So many sums with rare heaps are looked up at first, and at least; fewer in tests.
const LOOKED_UP: usize = if cfg!(test) { 1 << 8 } else { 1 << 15 };
const LEAST_LOOKED_UP: usize = LOOKED_UP / 4;
/// Looking a sum up takes three times as long as comparing a few values with it, which is done again and again until the
/// least is found: the number of rounds should be between these.
const FEW_ROUNDS: f64 = 1.01;
const MANY_ROUNDS: f64 = 1.15;
/// More values are looked up among the sums, or these marked, and not compared with them; again for either kind of kernel.
const COMPARED: [usize; 2] = [8, 24];
/// So much of the pairs up to twice the depth is looked up for witnesses before the depth is doubled.
const DEEP: f64 = 1.75;
/// There is room for smaller values only if no more than one in so many of so many late heaps has a larger one.
const FEW_LARGE: u64 = 8;
const LATE: u64 = 1 << 16;
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
    /// What is looked at first, and suffices for nearly all heaps: codes below this.
    room: u32,
    /// Pairs with smaller parts below this are tried for all classes at once.
    depth: usize,
    /// What the depth is to become.
    next_depth: usize,
    /// After how many heaps depth, room and code were last found anew.
    settled: u64,
    /// The sums with rare heaps that are no smaller than the depth, as codes [within](Code::within) the common class.
    sums: Sums,
    /// How far rare heaps are so many that looking all pairs up is faster than taking their sums one by one, and how
    /// many of the sums are with these.
    crowded: (usize, usize),
    /// How many rare heaps have been looked at for these.
    rares: usize,
    /// How many of many sums are looked up.
    looked_up: usize,
    /// For even and for odd heaps: the values of the common class.
    common: [Bits; 2],
}

/// What pairs of heaps before a block say of one of its heaps.
pub struct Far {
    /// The codes of what no pair gives whose smaller part is below the depth, and not near.
    open: Open,
    /// The least values of the common class in it that no other sum with a rare heap has, as far as they are known.
    candidates: Winners,
    /// The codes of the values of the rare class below the first of these for which no witness has been found, and below what all
    /// smaller parts have been tried for them that are not near.
    unmet: Vec<u16>,
    depth: usize,
    /// Smaller parts below this are left to be tried.
    near: usize,
    /// The sums with rare heaps from this on have not been taken out.
    looked_up: usize,
}

/// A search for witnesses.
#[derive(Clone)]
struct Search {
    heap: usize,
    /// The codes of the values that none is known for, in ascending order of the values.
    wanted: Vec<u16>,
    /// Smaller parts below this have been tried.
    depth: usize,
    /// Before the last of them, there were too many values to compare them with sums.
    many: usize,
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
            room: 0,
            depth: 0,
            next_depth: 0,
            settled: 0,
            sums: Sums::default(),
            crowded: (0, 0),
            rares: 0,
            looked_up: LOOKED_UP,
            common: [0, 1].map(|parity| std::array::from_fn(|k| word(parity, k))),
        }
    }

    /// Takes up what has been decided since.
    pub fn catch_up(&mut self, shape: &Shape, history: &History, space: &RareSpace) {
        let len = history.len();
        let bound = bound(space.max_value());
        if len >= 2 * self.settled || tables(bound) != tables(self.bound) {
            self.settle(history, bound);
        }
        if bound != self.bound {
            self.bound = bound;
            self.all = [0, 1].map(|parity| self.codes_below(parity, bound));
        }
        let known = self.codes.len() as u64;
        self.codes.extend((known..).zip(history.range(known, len).iter()).map(|(n, v)| self.code.of(n, v)));
        let needed = self.codes.len() / 2 + GROUPS * HEAPS;
        if self.reversed.len() < needed {
            let end = (needed + needed / 4).min(self.codes.len());
            self.reversed = self.codes[..end].iter().rev().copied().collect();
        }
        let depth = self.next_depth.min(1 << (len / 2).ilog2());
        if depth != self.depth {
            self.depth = depth;
            self.sums = Sums::default();
            self.crowded = (depth, 0);
            self.rares = space.positions().partition_point(|&p| p < depth as u64);
        }
        let rares = space.positions().iter().zip(space.values()).skip(self.rares);
        for (&p, &value) in rares.take_while(|(p, _)| **p + shape.reach() < len) {
            let code = self.code.of(p, value) ^ self.code.class_bit();
            shape.splits.iter().for_each(|i| self.sums.push(Sum::new((p + i) as u32, code)));
            self.rares += 1;
        }
        self.find_crowded(shape, space);
    }

    /// Finds anew what depends on how many heaps there are and how large their values: the room is a smaller one if so few late
    /// heaps have larger values that it is less work to go over these twice.
    fn settle(&mut self, history: &History, bound: u32) {
        let len = history.len();
        (self.next_depth, self.settled) = (self.of_kind(DEPTHS), len);
        let late = history.range(len.saturating_sub(LATE), len);
        let suffices = |room: &u32| FEW_LARGE * late.iter().filter(|value| value >= room).count() as u64 <= late.len() as u64;
        let rooms = (0..tables(bound).ilog2()).map(|k| TABLE << k);
        self.room = rooms.filter(suffices).next().unwrap_or(TABLE * tables(bound));
        let code = Code::new(self.mask, self.room);
        if code != self.code {
            (self.code, self.bound, self.depth) = (code, 0, 0);
            (self.codes, self.reversed) = (Vec::new(), Vec::new());
        }
    }

    /// The codes of all values below a bound, for even or for odd heaps.
    fn codes_below(&self, parity: u64, bound: u32) -> Open {
        let mut codes = Open::none(bound);
        (0..bound).for_each(|value| codes.insert(u32::from(self.code.of(parity, value))));
        codes
    }

    /// Looks how much further rare heaps are crowded, among those whose sums are known.
    fn find_crowded(&mut self, shape: &Shape, space: &RareSpace) {
        let rares = &space.positions()[..self.rares];
        let before = |heap: usize| rares.partition_point(|&p| p < heap as u64);
        loop {
            let (from, _) = self.crowded;
            let to = from + NEIGHBOURS;
            if to > self.codes.len() / 2 || before(to) - before(from) < NEIGHBOURS / PAIRS_A_SUM {
                break;
            }
            self.crowded = (to, shape.splits.len() * (before(to) - before(self.depth)));
        }
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
    pub fn far(&mut self, shape: &Shape, groups: usize) -> Vec<Far> {
        let near = HEAPS * groups;
        let first = self.codes.len();
        let mut opens: Vec<Open> = (first..first + near).map(|n| self.all[n % 2].clone()).collect();
        opens.iter_mut().for_each(|open| open.set_room(self.room));
        let each = HEAPS * groups.div_ceil(rayon::current_num_threads());
        let decided = opens.par_chunks_mut(each).enumerate().map(|(k, opens)| {
            let n = self.codes.len() + k * each;
            self.cross_off_pairs(shape, n, near, opens);
            for (heap, open) in (n..).zip(&mut *opens) {
                self.try_sums(shape, heap, heap - self.codes.len() + 1..near, open);
            }
            self.cross_off_sums(n, opens)
        });
        let (candidates, rounds): (Vec<Vec<Winners>>, Vec<f64>) = decided.unzip();
        let (depth, looked_up) = (self.depth, self.looked_up());
        let far = |(k, (open, candidates))| {
            let mut far = Far { open, candidates, unmet: Vec::new(), depth, near: k + 1, looked_up };
            if candidates[0].is_none() && self.kernel.many_sums() != ManySums::Marked && self.widen(shape, first + k, &mut far) {
                far.candidates = least_two(&self.of_class(&far.open, first + k, 1));
            }
            far
        };
        let decided: Vec<(Open, Winners)> = opens.into_iter().zip(candidates.into_iter().flatten()).collect();
        let mut fars: Vec<Far> = decided.into_par_iter().enumerate().map(far).collect();
        self.adapt(rounds.iter().sum::<f64>() / rounds.len() as f64);
        self.find_witnesses(shape, &mut fars);
        fars
    }

    /// Makes room for all values: also takes those from the room on out that are pairs or sums with rare heaps. False if there
    /// was room.
    fn widen(&self, shape: &Shape, heap: usize, far: &mut Far) -> bool {
        let all = self.all[heap % 2].room();
        if far.open.room() == all {
            return false;
        }
        far.open.set_room(all);
        self.try_sums(shape, heap, heap - self.codes.len() + 1..self.depth, &mut far.open);
        self.remove_sums(heap, 0, &mut far.open);
        far.looked_up = self.sums.as_slice().len();
        true
    }

    /// Takes the sums with rare heaps out, from one of them on.
    fn remove_sums(&self, heap: usize, from: usize, open: &mut Open) {
        let class = u32::from(self.code.class_bit());
        open.exchange(class);
        open.remove_sums(&self.codes, heap, &self.sums.as_slice()[from..]);
        open.exchange(class);
    }

    /// Takes the pairs out whose smaller part is from `near` to the depth, for the heaps from `n` on.
    fn cross_off_pairs(&self, shape: &Shape, n: usize, near: usize, opens: &mut [Open]) {
        let smaller = &self.reversed[self.reversed.len() - self.depth..self.reversed.len() - near];
        for &i in &shape.splits {
            let total = n - i as usize;
            let larger = &self.codes[total + 1 - self.depth..total + opens.len() - near];
            self.kernel.cross_off(smaller, larger, opens);
        }
    }

    /// The least values of the common class that are none of the other sums with rare heaps, and how many times they
    /// were compared with those that are not looked up. Those that are looked up are taken out.
    fn cross_off_sums(&self, n: usize, opens: &mut [Open]) -> (Vec<Winners>, f64) {
        let (looked_up, all) = (self.looked_up(), self.sums.as_slice().len());
        if looked_up > 0 {
            // Only the codes of the common class are looked at: the half above the bit of the class.
            let class = u32::from(self.code.class_bit());
            opens.iter_mut().for_each(|open| open.exchange(class));
            opens.iter_mut().filter(|_| class > 0).for_each(|open| open.set_room(class));
            self.kernel.cross_off_sums(&self.codes, n, &self.sums, 0..looked_up, opens);
            opens.iter_mut().for_each(|open| open.set_room(self.room));
            opens.iter_mut().for_each(|open| open.exchange(class));
        }
        if self.kernel.many_sums() == ManySums::Marked {
            return (vec![[None; WINNERS]; opens.len()], 0.0);
        }
        let opens: Vec<Bits> = (n..).zip(opens).map(|(n, open)| self.of_class(open, n, 1)).collect();
        race(self.kernel, &self.codes, n, &self.sums, looked_up..all, &opens, self.code)
    }

    /// How many of the sums with rare heaps are looked up for many heaps at a time: it leaves few open values, which are
    /// faster compared with the rest.
    fn looked_up(&self) -> usize {
        let all = self.sums.as_slice().len();
        match self.kernel.many_sums() {
            ManySums::LookedUp if all <= self.looked_up + self.looked_up / 2 => all,
            ManySums::LookedUp => self.looked_up,
            ManySums::Compared | ManySums::Marked => 0,
        }
    }

    /// Has more sums looked up if the others were compared too often, and fewer if hardly more than once.
    fn adapt(&mut self, rounds: f64) {
        if rounds > MANY_ROUNDS {
            let all = self.sums.as_slice().len();
            self.looked_up = (self.looked_up + self.looked_up / 8).min(all.max(LOOKED_UP));
        } else if rounds > 0.0 && rounds < FEW_ROUNDS {
            self.looked_up = (self.looked_up - self.looked_up / 8).max(LEAST_LOOKED_UP);
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
        for [smaller, larger] in self.pairs(shape, heap, parts) {
            self.kernel.cross_off(smaller, larger, slice::from_mut(open));
        }
    }

    /// Takes those out of the wanted values of a search that are sums whose smaller part is one of those.
    fn find(&self, shape: &Shape, parts: Range<usize>, search: &mut Search) {
        let are_many = self.are_many(search);
        let Search { heap, wanted, .. } = search;
        let parts = parts.start..parts.end.min(*heap / 2 + 1);
        if are_many {
            let mut open = Open::none(wanted.iter().max().map_or(0, |&code| u32::from(code) + 1));
            wanted.iter().for_each(|&code| open.insert(u32::from(code)));
            self.try_sums(shape, *heap, parts, &mut open);
            wanted.retain(|&code| open.contains(u32::from(code)));
        } else if !wanted.is_empty() {
            for [smaller, larger] in self.pairs(shape, *heap, parts) {
                self.kernel.leave_others(smaller, larger, wanted);
            }
        }
    }

    /// Whether the values that are wanted are too many to compare them with sums.
    fn are_many(&self, search: &Search) -> bool {
        search.wanted.len() > self.of_kind(COMPARED)
    }

    /// The values of the pairs of a heap whose smaller part is one of those, for each way to split it.
    fn pairs(&self, shape: &Shape, heap: usize, parts: Range<usize>) -> impl Iterator<Item = [&[u16]; 2]> {
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
        let Far { open, candidates, unmet, depth, near, looked_up } = far;
        let n = self.codes.len();
        self.try_sums(shape, n, 1..*near, open);
        let code = |value| u32::from(self.code.of(n as u64, value));
        shape.takes.iter().for_each(|&i| open.remove(code(self.value(n - i as usize))));
        if shape.rules.digit(n as u64) & TAKE_ALL != 0 {
            open.remove(code(0));
        }
        let known = candidates.iter().flatten().copied().find(|&candidate| open.contains(code(candidate)));
        let Some(candidate) = known.or_else(|| self.candidate(shape, open, *looked_up)) else {
            return if self.widen(shape, n, far) { self.decide(shape, far) } else { None };
        };
        let (wanted, depth) = if known == candidates[0] && known.is_some() {
            unmet.retain(|&code| open.contains(u32::from(code)));
            (std::mem::take(unmet), *depth)
        } else {
            (self.rare_below(open, n, candidate), self.depth)
        };
        let mut search = Search { heap: n, wanted, depth, many: 0 };
        self.search(shape, slice::from_mut(&mut search));
        Some(Decided {
            value: search.wanted.first().map_or(candidate, |&least| self.code.value(n as u64, least)),
            depth: if candidate > 0 { search.depth as u64 - 1 } else { 0 },
        })
    }

    /// The least value of the common class that is open when all sums with rare heaps have been taken out, those from
    /// `from` on here.
    fn candidate(&self, shape: &Shape, open: &mut Open, mut from: usize) -> Option<u32> {
        let n = self.codes.len();
        let (end, crowded) = self.crowded;
        if from < crowded {
            self.try_sums(shape, n, self.depth..end, open);
            from = crowded;
        }
        self.remove_sums(n, from, open);
        least_from(&self.of_class(open, n, 1), 0)
    }

    /// The codes of the open values of the rare class below the candidate, in ascending order of the values.
    fn rare_below(&self, open: &Open, n: usize, candidate: u32) -> Vec<u16> {
        let rare = self.of_class(open, n, 0);
        let from = |value| least_from(&rare, value);
        let values = std::iter::successors(from(0), |&value| from(value + 1));
        values.take_while(|&value| value < candidate).map(|value| self.code.within(value)).collect()
    }

    /// Looks for the witnesses of the rare class below the candidates, for many heaps side by side: what one of them
    /// needs, the others do.
    fn find_witnesses(&mut self, shape: &Shape, fars: &mut [Far]) {
        let n = self.codes.len();
        let search = |(heap, far): (usize, &Far)| {
            let wanted = self.rare_below(&far.open, heap, far.candidates[0]?);
            (!wanted.is_empty()).then_some(Search { heap, wanted, depth: far.depth, many: self.depth })
        };
        let mut searches: Vec<Search> = (n..).zip(fars.iter()).filter_map(search).collect();
        self.search(shape, &mut searches);
        let without = self.depth * (fars.len() - searches.len());
        let deep = without + searches.iter().map(|search| search.many).sum::<usize>();
        if deep as f64 > DEEP * (self.depth * fars.len()) as f64 {
            self.next_depth = 2 * self.depth;
        }
        for Search { heap, wanted, depth, .. } in searches {
            (fars[heap - n].unmet, fars[heap - n].depth) = (wanted, depth);
        }
    }

    /// Goes on with the searches until nothing is wanted, or there are no more pairs.
    fn search(&self, shape: &Shape, searches: &mut [Search]) {
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
        let many = searches.iter_mut().filter(|search| self.are_many(search));
        many.for_each(|search| search.many = parts.end);
        match &mut *searches {
            [search] if parts.len() <= SHARED => self.find(shape, parts.clone(), search),
            searches if parts.len() <= SHARED => {
                searches.par_iter_mut().for_each(|search| self.find(shape, parts.clone(), search));
            }
            searches => {
                let shares = parts.clone().into_par_iter().step_by(SHARED).map(|start| {
                    let mut searches: Vec<Search> = searches.iter().map(|search| (*search).clone()).collect();
                    let part = start..parts.end.min(start + SHARED);
                    searches.iter_mut().for_each(|search| self.find(shape, part.clone(), search));
                    searches
                });
                let shares: Vec<Vec<Search>> = shares.collect();
                for (k, search) in searches.iter_mut().enumerate() {
                    search.wanted.retain(|value| shares.iter().all(|share| share[k].wanted.contains(value)));
                }
            }
        }
        searches.iter_mut().for_each(|search| search.depth = parts.end.min(search.heap / 2 + 1));
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

/// How many tables of a kernel make room for values below the bound.
fn tables(bound: u32) -> u32 {
    bound.div_ceil(TABLE).next_power_of_two()
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
                    let search = || Search { heap: 400_001, wanted: vec![0, 1, 2, 3], depth: parts.start, many: 0 };
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
