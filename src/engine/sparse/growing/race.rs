//! Which values of the common class are the least that no sum with a rare heap has, for many times 32 heaps.
//!
//! The least open values of each heap are in the race: a few at a time, in lanes. They are compared with one chunk of
//! the sums after the other, round and round, all races with the same chunk: what it needs is then in a cache. A
//! candidate that is met leaves its lane to the next one of a heap that has few in the race; one that has seen all
//! chunks since it came is none of the sums. The least of these is found when no smaller one of its heap is in the race;
//! by then another is often known to be none of the sums either, which serves if the first one turns out to be a sum of
//! another kind.

use std::ops::Range;

use crate::kernel::Kernel;
use crate::kernel::met::{FAMILY, HEAPS, Lanes, SLOTS, Sums};

use super::code::Code;
use super::{Bits, least_from};

/// Sums between two looks at what is met. Fewer in tests, so that there are many such looks.
const CHUNK: usize = if cfg!(test) { 1 << 8 } else { 1 << 11 };
/// How many values of a heap can win.
pub const WINNERS: usize = 2;

/// Values of a heap that are none of its sums, ascending: the first is the least of all that are open, if there is one,
/// the second the next of these, if that is known.
pub type Winners = [Option<u32>; WINNERS];

/// The winners among the values in `open`, for each heap from `n` on: a multiple of [`HEAPS`] of them. Sums are codes
/// within the class of the values, as `heaps` and `sums` give them.
pub fn race(kernel: &Kernel, heaps: &[u16], n: usize, sums: &Sums, open: &[Bits], code: Code) -> Vec<Winners> {
    let end = sums.as_slice().len();
    let chunks: Vec<Range<usize>> = (0..end).step_by(CHUNK).map(|start| start..end.min(start + CHUNK)).collect();
    let mut races: Vec<Race> = open.as_chunks().0.iter().map(|open| Race::new(open, chunks.len(), code)).collect();
    for (k, chunk) in chunks.iter().enumerate().cycle() {
        if races.iter().all(Race::is_over) {
            break;
        }
        for (at, race) in (n..).step_by(HEAPS).zip(&mut races).filter(|(_, race)| !race.is_over()) {
            let met = kernel.met(heaps, at, sums, chunk.clone(), &race.lanes);
            race.after(met, (k + 1) % chunks.len());
        }
    }
    races.iter().flat_map(|race| race.winners).collect()
}

struct Race<'a> {
    open: &'a [Bits; HEAPS],
    code: Code,
    lanes: Lanes,
    /// The heap and the value of each lane, and the chunk it came before.
    runners: [[Runner; HEAPS]; SLOTS],
    /// The lanes that have a candidate.
    running: [u32; SLOTS],
    /// Those of them whose candidate may be the least.
    leading: [u32; SLOTS],
    /// The lanes that may still be given one.
    usable: [u32; SLOTS],
    /// For each chunk, the lanes whose candidates came before it.
    came: Vec<[u32; SLOTS]>,
    /// The least value of each heap that has not been in the race.
    next: [Option<u32>; HEAPS],
    /// How many candidates of each heap are in the race.
    count: [usize; HEAPS],
    winners: [Winners; HEAPS],
}

#[derive(Clone, Copy, Default)]
struct Runner {
    heap: usize,
    value: u32,
    came: usize,
}

impl<'a> Race<'a> {
    fn new(open: &'a [Bits; HEAPS], chunks: usize, code: Code) -> Race<'a> {
        let mut race = Race {
            open,
            code,
            lanes: Lanes::default(),
            runners: [[Runner::default(); HEAPS]; SLOTS],
            running: [0; SLOTS],
            leading: [0; SLOTS],
            usable: [u32::MAX; SLOTS],
            came: vec![[0; SLOTS]; chunks],
            next: open.each_ref().map(|open| least_from(open, 0)),
            count: [0; HEAPS],
            winners: [[None; WINNERS]; HEAPS],
        };
        if chunks == 0 {
            race.winners = open.each_ref().map(least_two);
        } else {
            race.fill(0);
        }
        race
    }

    /// Whether the least value of every heap is found.
    fn is_over(&self) -> bool {
        self.leading == [0; SLOTS]
    }

    /// Takes note of the lanes that a chunk has met. `next` is the chunk that comes after it.
    fn after(&mut self, met: [u32; SLOTS], next: usize) {
        for (slot, met) in met.into_iter().enumerate() {
            ones(met & self.running[slot]).for_each(|lane| self.stop(slot, lane));
        }
        for slot in 0..SLOTS {
            while let Some(lane) = ones(self.came[next][slot]).next() {
                let Runner { heap, value, .. } = self.runners[slot][lane];
                self.stop(slot, lane);
                self.win(heap, value);
            }
        }
        self.fill(next);
    }

    /// Takes note of a value that is none of the sums of its heap. The smaller ones that are in the race came no later,
    /// since values come in ascending order: they win before the next chunk.
    fn win(&mut self, heap: usize, value: u32) {
        let [first, second] = &mut self.winners[heap];
        *second = first.map(|least| second.unwrap_or(u32::MAX).min(least.max(value)));
        let least = first.unwrap_or(u32::MAX).min(value);
        *first = Some(least);
        let limit = second.unwrap_or(u32::MAX);
        for slot in 0..SLOTS {
            for lane in ones(self.running[slot] & family(heap)) {
                let runner = self.runners[slot][lane];
                if runner.heap == heap && runner.value >= limit {
                    self.stop(slot, lane);
                } else if runner.heap == heap && runner.value >= least {
                    self.leading[slot] &= !(1 << lane);
                }
            }
        }
    }

    fn stop(&mut self, slot: usize, lane: usize) {
        let Runner { heap, came, .. } = self.runners[slot][lane];
        self.running[slot] &= !(1 << lane);
        self.leading[slot] &= !(1 << lane);
        self.came[came][slot] &= !(1 << lane);
        self.count[heap] -= 1;
    }

    /// Puts candidates into the lanes that have none.
    fn fill(&mut self, chunk: usize) {
        for slot in 0..SLOTS {
            for lane in ones(self.usable[slot] & !self.running[slot]) {
                self.start(slot, lane, chunk);
            }
        }
    }

    /// Puts the next candidate of a heap into a lane: of one that has no winner, if there is one, and the fewest in the
    /// race.
    fn start(&mut self, slot: usize, lane: usize, chunk: usize) {
        let family = lane / FAMILY * FAMILY..(lane / FAMILY + 1) * FAMILY;
        let waiting = family.filter(|&heap| self.winners[heap][1].is_none() && self.next[heap].is_some());
        let Some(heap) = waiting.min_by_key(|&heap| (self.winners[heap][0].is_some(), self.count[heap])) else {
            // What a heap has left only becomes less.
            self.usable[slot] &= !(1 << lane);
            return;
        };
        let value = self.next[heap].expect("it has one");
        self.next[heap] = least_from(&self.open[heap], value + 1);
        self.runners[slot][lane] = Runner { heap, value, came: chunk };
        self.lanes.set(slot, lane, heap, self.code.within(value));
        self.running[slot] |= 1 << lane;
        self.leading[slot] |= u32::from(self.winners[heap][0].is_none()) << lane;
        self.came[chunk][slot] |= 1 << lane;
        self.count[heap] += 1;
    }
}

/// The two least values of a set.
pub fn least_two(set: &Bits) -> Winners {
    let least = least_from(set, 0);
    [least, least.and_then(|least| least_from(set, least + 1))]
}

/// The lanes of a heap's family.
fn family(heap: usize) -> u32 {
    ((1 << FAMILY) - 1) << (heap / FAMILY * FAMILY)
}

/// The numbers of the bits that are 1.
fn ones(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        bit
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::sparse::Mask;
    use crate::kernel::met::Sum;
    use crate::kernel::variants;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// The first winner is the least open value that is no sum; the second, if there is one, the next.
        #[test]
        fn winners_are_the_least(
            values in prop::collection::vec(0u16..512, 2000),
            sums in prop::collection::vec((100u32..1800, 0u16..512), 0..1500),
            open in prop::collection::vec(0u32..512, 0..60),
            groups in 1usize..4,
        ) {
            let at = 1900;
            let sums: Sums = sums.into_iter().map(|(distance, xor)| Sum::new(distance, xor)).collect();
            let mut set = [0; crate::kernel::sieve::MOST as usize / 64];
            open.iter().for_each(|v| set[*v as usize / 64] |= 1 << (v % 64));
            let opens = vec![set; groups * HEAPS];
            let left = |heap: usize| {
                let mut left = set;
                for sum in sums.as_slice() {
                    let v = values[heap - sum.distance()] ^ sum.xor();
                    left[usize::from(v) / 64] &= !(1 << (v % 64));
                }
                least_two(&left)
            };
            let plain = Code::new(Mask { bits: 1, domain: None }, 512);
            for kernel in variants() {
                let winners = race(kernel, &values, at, &sums, &opens, plain);
                prop_assert_eq!(winners.len(), groups * HEAPS);
                for (heap, [first, second]) in (at..).zip(winners) {
                    let wanted = left(heap);
                    prop_assert_eq!(first, wanted[0], "{}: {}", kernel.name(), heap);
                    prop_assert!(second.is_none() || second == wanted[1], "{}: {}", kernel.name(), heap);
                }
            }
        }
    }
}
