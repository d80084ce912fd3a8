//! Which value of the common class is the least that no sum with a rare heap has, for 32 heaps.
//!
//! The least open values of each heap are in the race: a few at a time, in lanes. They are compared with one chunk of
//! the sums after the other, round and round. A candidate that is met leaves its lane to the next one of a heap that
//! has few in the race; one that has seen all chunks since it came is none of the sums, and those of its heap that are
//! larger leave.

use crate::kernel::Kernel;
use crate::kernel::met::{FAMILY, HEAPS, Lanes, SLOTS, Sums};

use super::{Bits, least_from};

/// Sums between two looks at what is met.
const CHUNK: usize = 512;

/// The least value in `open` of each heap from `n` on that is none of its sums, if there is one.
pub fn race(kernel: &Kernel, values: &[u16], n: usize, sums: &Sums, open: &[Bits]) -> [Option<u32>; HEAPS] {
    let chunks = sums.as_slice().len().div_ceil(CHUNK);
    let mut race = Race::new(open, chunks);
    for chunk in (0..chunks).cycle() {
        if race.running == [0; SLOTS] {
            break;
        }
        let range = CHUNK * chunk..(CHUNK * (chunk + 1)).min(sums.as_slice().len());
        race.after(kernel.met(values, n, sums, range, &race.lanes), (chunk + 1) % chunks);
    }
    race.found
}

struct Race<'a> {
    open: &'a [Bits],
    lanes: Lanes,
    /// The heap and the value of each lane, and the chunk it came before.
    runners: [[Runner; HEAPS]; SLOTS],
    /// The lanes that have a candidate.
    running: [u32; SLOTS],
    /// The lanes that may still be given one.
    usable: [u32; SLOTS],
    /// For each chunk, the lanes whose candidates came before it.
    came: Vec<[u32; SLOTS]>,
    /// The least value of each heap that has not been in the race.
    next: [Option<u32>; HEAPS],
    /// How many candidates of each heap are in the race.
    count: [usize; HEAPS],
    found: [Option<u32>; HEAPS],
}

#[derive(Clone, Copy, Default)]
struct Runner {
    heap: usize,
    value: u32,
    came: usize,
}

impl<'a> Race<'a> {
    fn new(open: &'a [Bits], chunks: usize) -> Race<'a> {
        let next = std::array::from_fn(|heap| least_from(&open[heap], 0));
        let mut race = Race {
            open,
            lanes: Lanes::default(),
            runners: [[Runner::default(); HEAPS]; SLOTS],
            running: [0; SLOTS],
            usable: [u32::MAX; SLOTS],
            came: vec![[0; SLOTS]; chunks],
            next,
            count: [0; HEAPS],
            found: [None; HEAPS],
        };
        if chunks == 0 {
            race.found = race.next;
        } else {
            race.fill(0);
        }
        race
    }

    /// Takes note of the lanes that a chunk has met. `next` is the chunk that comes after it.
    fn after(&mut self, met: [u32; SLOTS], next: usize) {
        for (slot, met) in met.into_iter().enumerate() {
            ones(met & self.running[slot]).for_each(|lane| self.stop(slot, lane));
        }
        for slot in 0..SLOTS {
            while let Some(lane) = ones(self.came[next][slot]).next() {
                let Runner { heap, value, .. } = self.runners[slot][lane];
                self.found[heap] = Some(value);
                self.stop_from(heap, value);
            }
        }
        self.fill(next);
    }

    fn stop(&mut self, slot: usize, lane: usize) {
        let Runner { heap, came, .. } = self.runners[slot][lane];
        self.running[slot] &= !(1 << lane);
        self.came[came][slot] &= !(1 << lane);
        self.count[heap] -= 1;
    }

    /// Stops the candidates of a heap from `value` on.
    fn stop_from(&mut self, heap: usize, value: u32) {
        for slot in 0..SLOTS {
            for lane in ones(self.running[slot] & family(heap)) {
                let runner = self.runners[slot][lane];
                if runner.heap == heap && runner.value >= value {
                    self.stop(slot, lane);
                }
            }
        }
    }

    /// Puts candidates into the lanes that have none.
    fn fill(&mut self, chunk: usize) {
        for slot in 0..SLOTS {
            for lane in ones(self.usable[slot] & !self.running[slot]) {
                self.start(slot, lane, chunk);
            }
        }
    }

    /// Puts the next candidate of the heap that has the fewest in the race into a lane.
    fn start(&mut self, slot: usize, lane: usize, chunk: usize) {
        let family = lane / FAMILY * FAMILY..(lane / FAMILY + 1) * FAMILY;
        let waiting = family.filter(|&heap| self.found[heap].is_none() && self.next[heap].is_some());
        let Some(heap) = waiting.min_by_key(|&heap| self.count[heap]) else {
            // What a heap has left only becomes less.
            self.usable[slot] &= !(1 << lane);
            return;
        };
        let value = self.next[heap].expect("it has one");
        self.next[heap] = least_from(&self.open[heap], value + 1);
        self.runners[slot][lane] = Runner { heap, value, came: chunk };
        self.lanes.set(slot, lane, heap, value as u16);
        self.running[slot] |= 1 << lane;
        self.came[chunk][slot] |= 1 << lane;
        self.count[heap] += 1;
    }
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
