//! The conditions of the theorems, checked on a match that has been found.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Rules;
use crate::engine::sparse::RareSpace;
use crate::kernel::WordSet;
use crate::rules::{LEAVE_ONE, Split, TAKE_ALL};
use crate::values::Slice;

use super::{Match, State};

/// Why a period holds for all heaps. The theorems are stated and proven in [`crate::period`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "kebab-case")]
pub enum Theorem {
    /// The window of the whole sequence, for moves that leave at most `heaps` heaps.
    #[serde(rename = "guy-smith")]
    Window {
        /// The largest number of heaps that a move leaves (1 to 3).
        heaps: u32,
    },
    /// The window of the state.
    #[serde(rename = "state-window")]
    State {
        /// `n1`, where the window starts.
        start: u64,
        /// `w`, the number of values in it.
        window: u64,
        /// `L`, the last rare heap.
        last_rare: u64,
        /// `A`, the deepest witness from `start` on.
        depth: u64,
    },
    /// The state of a taking game whose digits repeat for ever.
    #[serde(rename = "tail-state")]
    Tail {
        /// `n1`, the first of the two heaps at which the states are equal.
        start: u64,
        /// The distance of the two heaps: a multiple of the period and of the tail's length.
        distance: u64,
    },
}

impl Theorem {
    /// The name by which reports call it.
    pub fn name(&self) -> &'static str {
        match self {
            Theorem::Window { .. } => "guy-smith",
            Theorem::State { .. } => "state-window",
            Theorem::Tail { .. } => "tail-state",
        }
    }
}

impl fmt::Display for Theorem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Theorem::Window { heaps: 2 } => write!(f, "Guy-Smith window of the whole sequence"),
            Theorem::Window { heaps: 1 } => write!(f, "window of the last values, for games that only take"),
            Theorem::Window { heaps } => write!(f, "Guy-Smith window of the whole sequence, for up to {heaps} heaps"),
            Theorem::State { start, window, last_rare, depth } => write!(
                f,
                "window of the state: {window} values from heap {start} (last rare heap {last_rare}, deepest witness {depth})"
            ),
            Theorem::Tail { start, distance } => {
                write!(f, "equal states of the repeating tail at heaps {start} and {}", start + distance)
            }
        }
    }
}

/// Whether a theorem makes `found` hold for all heaps from `found.start` on (or from the start that the theorem
/// names), and which one. `values` are those of heaps 0 to `found.end + found.period - 1`, at least.
pub fn prove(rules: &Rules, found: &Match, space: Option<&RareSpace>, values: Slice<'_>) -> Option<Theorem> {
    match rules.last_index() {
        Some(k) if found.saltus == 0 => whole_window(rules, k, found).or_else(|| State::of(rules, space)?.prove(found)),
        None if rules.max_parts() <= 1 => tail_state(rules, found, values),
        _ => None,
    }
}

fn whole_window(rules: &Rules, k: u64, found: &Match) -> Option<Theorem> {
    let needed = window_end(rules, k, found);
    (u128::from(found.end) >= needed).then_some(Theorem::Window { heaps: rules.max_parts().max(1) })
}

/// The heap up to which a match must hold for the theorem of the whole window.
fn window_end(rules: &Rules, k: u64, found: &Match) -> u128 {
    let heaps = u128::from(rules.max_parts().max(1));
    let shifts = if rules.split() == Split::Unequal { heaps } else { heaps - 1 };
    heaps * u128::from(found.start.max(1)) + shifts * u128::from(found.period) + u128::from(k)
}

/// How many heaps prove a match if it goes on to hold: `None` where no theorem would cover it.
pub fn heaps_needed(rules: &Rules, found: &Match) -> Option<u128> {
    let k = rules.last_index().filter(|_| found.saltus == 0)?;
    Some(window_end(rules, k, found) + u128::from(found.period))
}

fn tail_state(rules: &Rules, found: &Match, values: Slice<'_>) -> Option<Theorem> {
    let t = rules.tail().len() as u64;
    let rounds = t / gcd(t, found.period);
    let distance = found.period.checked_mul(rounds)?;
    let saltus = found.saltus.checked_mul(rounds)?;
    // Equal states stay equal, so the latest pair of heaps is the one to look at: states need all earlier values.
    let start = (found.end + found.period).checked_sub(distance)?;
    if start < found.start.max(rules.prefix().len() as u64) {
        return None;
    }
    let (a, b) = (TailState::at(rules, values, start), TailState::at(rules, values, start + distance));
    let moved = u64::from(b.least.checked_sub(a.least)?);
    (a.far == b.far && a.near == b.near && moved == saltus && (saltus == 0 || a.least > 0))
        .then_some(Theorem::Tail { start, distance })
}

/// What decides a heap of a taking game with a repeating tail, and all heaps after it, relative to `least`.
struct TailState {
    least: u32,
    far: Vec<Vec<u32>>,
    near: Vec<Option<u32>>,
}

impl TailState {
    fn at(rules: &Rules, values: Slice<'_>, n: u64) -> TailState {
        let (t, prefix) = (rules.tail().len() as u64, rules.prefix().len() as u64);
        let mut sets = vec![WordSet::new(); t as usize];
        let mut lists = vec![Vec::new(); t as usize];
        for heap in 1..=n - prefix {
            let (residue, value) = ((heap % t) as usize, values.get(heap as usize));
            if !sets[residue].contains(value) {
                sets[residue].insert(value);
                lists[residue].push(value);
            }
        }
        let mex = |later: u64| {
            let mut options = WordSet::new();
            if rules.digit(later) & TAKE_ALL != 0 {
                options.insert(0);
            }
            for j in (0..t).filter(|&j| rules.tail()[j as usize] & LEAVE_ONE != 0) {
                options.union(&sets[((later + t - j % t - prefix % t + t) % t) as usize]);
            }
            options.mex()
        };
        let least = (n..n + t).map(mex).min().unwrap_or(0);
        let mut far: Vec<Vec<u32>> =
            lists.iter().map(|list| list.iter().filter_map(|v| v.checked_sub(least)).collect()).collect();
        far.iter_mut().for_each(|list| list.sort_unstable());
        // Distances are multiples of t, so that the sets of two states stand in the same order.
        let near = (n + 1 - prefix..n).map(|heap| values.get(heap as usize).checked_sub(least)).collect();
        TailState { least, far, near }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
