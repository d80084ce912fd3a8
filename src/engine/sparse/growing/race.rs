//! Which value of the common class is the least that no sum with a rare heap has, for 32 heaps.
//!
//! Each heap has two candidates in the race, the least two that are not known to be sums. They are compared with
//! one chunk of the sums after the other, round and round. A candidate that is met is replaced by the next; one
//! that has seen all chunks since it came is none of the sums.

use crate::kernel::Kernel;
use crate::kernel::sieve::{HEAPS, SLOTS, Sum};

use super::Bits;

/// Sums between two looks at what is met.
const CHUNK: usize = 512;

/// A candidate.
#[derive(Clone, Copy)]
struct Runner {
    value: u32,
    /// How many chunks it has not been compared with.
    ahead: usize,
}

/// The least value of each heap of `open` that is none of its sums, or a value from `room` on if there is none.
/// The heaps are those after `values`.
pub fn race(kernel: &Kernel, values: &[u16], sums: &[Sum], open: &[Bits], room: u32) -> [u32; HEAPS] {
    let chunks: Vec<&[Sum]> = sums.chunks(CHUNK).collect();
    let mut next = [0; HEAPS];
    let mut draw = |heap: usize| {
        let value = least_from(&open[heap], next[heap]).unwrap_or(room.max(next[heap]));
        next[heap] = value + 1;
        Runner { value, ahead: if value < room { chunks.len() } else { 0 } }
    };
    let mut runners: [[Runner; HEAPS]; SLOTS] = std::array::from_fn(|_| std::array::from_fn(&mut draw));
    // Values that are no smaller than the room are not compared: 0 stands for them.
    let shown = |runner: Runner| if runner.value < room { runner.value as u16 } else { 0 };
    let mut candidates = runners.each_ref().map(|slot| slot.map(shown));
    for chunk in chunks.iter().cycle() {
        if (0..HEAPS).all(|heap| first(&runners, heap).ahead == 0) {
            break;
        }
        let met = kernel.met(values, values.len(), chunk, &candidates);
        for ((runners, candidates), met) in runners.iter_mut().zip(&mut candidates).zip(met) {
            for (heap, runner) in runners.iter_mut().enumerate().filter(|(_, runner)| runner.ahead > 0) {
                if met >> heap & 1 == 1 {
                    *runner = draw(heap);
                    candidates[heap] = shown(*runner);
                } else {
                    runner.ahead -= 1;
                }
            }
        }
    }
    std::array::from_fn(|heap| first(&runners, heap).value)
}

/// The runner of a heap with the least value.
fn first(runners: &[[Runner; HEAPS]; SLOTS], heap: usize) -> Runner {
    runners.map(|slot| slot[heap]).into_iter().min_by_key(|runner| runner.value).expect("there are slots")
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
