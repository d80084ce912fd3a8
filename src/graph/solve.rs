//! Grundy values of a whole graph, level by level from the sinks up.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::csr::Csr;

/// A level with fewer vertices than this is done on one thread: handing it round would cost more than it saves. A path
/// of 10^7 vertices has 10^7 levels of one vertex.
const PARALLEL_FROM: usize = 2048;

/// The values of all vertices and the number of levels (one more than the longest play), or the vertices that lie
/// on a cycle or lead to one, each marked `true`.
pub(super) fn values(graph: &Csr) -> Result<(Vec<u32>, usize), Vec<bool>> {
    let vertices = graph.vertices();
    let back = graph.reversed();
    let open: Vec<AtomicU32> = (0..vertices as u32).map(|v| AtomicU32::new(graph.row(v).len() as u32)).collect();
    let mut values = vec![0; vertices];
    let mut level: Vec<u32> = (0..vertices as u32).filter(|&v| graph.row(v).is_empty()).collect();
    let (mut done, mut levels) = (0, 0);
    while !level.is_empty() {
        done += level.len();
        levels += 1;
        let small = level.len() < PARALLEL_FROM;
        if small {
            let mut seen = Vec::new();
            level.iter().for_each(|&v| values[v as usize] = mex(graph.row(v), &values, &mut seen));
        } else {
            let found: Vec<u32> =
                level.par_iter().map_init(Vec::new, |seen, &v| mex(graph.row(v), &values, seen)).collect();
            level.iter().zip(found).for_each(|(&v, value)| values[v as usize] = value);
        }
        // Whoever closes the last open option of a vertex puts it in the next level: every vertex once.
        let ready = |&v: &u32| back.row(v).iter().copied().filter(|&u| open[u as usize].fetch_sub(1, Relaxed) == 1);
        level = if small {
            level.iter().flat_map(ready).collect()
        } else {
            level.par_iter().flat_map_iter(ready).collect()
        };
    }
    if done == vertices { Ok((values, levels)) } else { Err(open.iter().map(|o| o.load(Relaxed) > 0).collect()) }
}

/// The least value that no option has. `seen` is scratch space: words that are all zero, before and after.
fn mex(options: &[u32], values: &[u32], seen: &mut Vec<u64>) -> u32 {
    // The mex is at most the number of options, so larger values do not matter.
    let words = options.len() / 64 + 1;
    if seen.len() < words {
        seen.resize(words, 0);
    }
    for &option in options {
        let value = values[option as usize] as usize;
        if value < words * 64 {
            seen[value / 64] |= 1 << (value % 64);
        }
    }
    let full = seen[..words].iter().take_while(|&&word| word == u64::MAX).count();
    let value = full * 64 + seen[full].trailing_ones() as usize;
    seen[..words].fill(0);
    value as u32
}

/// One cycle, starting anywhere on it, among vertices that all have an option that is marked.
///
/// # Panics
/// If no vertex is marked.
pub(super) fn cycle(graph: &Csr, marked: &[bool]) -> Vec<u32> {
    let next = |v: u32| {
        let mut options = graph.row(v).iter().copied();
        options.find(|&u| marked[u as usize]).expect("a marked vertex has a marked option")
    };
    let start = marked.iter().position(|&m| m).expect("a vertex is marked") as u32;
    // After as many steps as there are vertices the walk is on the cycle.
    let on = (0..marked.len()).fold(start, |v, _| next(v));
    let mut path = vec![on];
    let mut v = next(on);
    while v != on {
        path.push(v);
        v = next(v);
    }
    path
}
