//! Which value of the common class is the least that no sum with a rare heap has, for 32 heaps.
//!
//! Each heap has two candidates in the race, the least two that are not known to be sums. They are compared with
//! one chunk of the sums after the other, round and round. A candidate that is met is replaced by the next; one
//! that has seen all chunks since it came is none of the sums. A heap that needs many rounds is left to others:
//! all heaps would have to wait for it.

use crate::kernel::Kernel;
use crate::kernel::sieve::{HEAPS, SLOTS, Sum};

use super::{Bits, least_from};

/// Sums between two looks at what is met.
const CHUNK: usize = 512;
/// How often each sum is compared at most.
const ROUNDS: usize = 3;

/// A candidate, if there is another.
#[derive(Clone, Copy)]
struct Runner {
    value: Option<u32>,
    /// How many chunks it has not been compared with.
    ahead: usize,
}

/// The least value in `open` of each heap from `n` on that is none of its sums, if the race lasts long enough to tell.
pub fn race(kernel: &Kernel, values: &[u16], n: usize, sums: &[Sum], open: &[Bits]) -> [Option<u32>; HEAPS] {
    let chunks = sums.len().div_ceil(CHUNK);
    let mut next = [0; HEAPS];
    let mut draw = |heap: usize| {
        let value = least_from(&open[heap], next[heap]);
        next[heap] = value.map_or(next[heap], |value| value + 1);
        Runner { value, ahead: if value.is_some() { chunks } else { 0 } }
    };
    let mut runners: [[Runner; HEAPS]; SLOTS] = std::array::from_fn(|_| std::array::from_fn(&mut draw));
    // Something has to be compared where there is no candidate.
    let shown = |runner: Runner| runner.value.unwrap_or(0) as u16;
    let mut candidates = runners.each_ref().map(|slot| slot.map(shown));
    for chunk in sums.chunks(CHUNK).cycle().take(ROUNDS * chunks) {
        if (0..HEAPS).all(|heap| first(&runners, heap).ahead == 0) {
            break;
        }
        let met = kernel.met(values, n, chunk, &candidates);
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
    std::array::from_fn(|heap| Some(first(&runners, heap)).filter(|runner| runner.ahead == 0).and_then(|r| r.value))
}

/// The runner of a heap with the least value, or one without.
fn first(runners: &[[Runner; HEAPS]; SLOTS], heap: usize) -> Runner {
    let value = |runner: &Runner| runner.value.unwrap_or(u32::MAX);
    runners.map(|slot| slot[heap]).into_iter().min_by_key(value).expect("there are slots")
}
