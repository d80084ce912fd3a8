//! The state of a taking game whose digits repeat for ever.

use std::collections::BTreeSet;

use super::definition::{check_least, too_large, values};
use super::{Certificate, Checked, Refusal, Rules, refuse, require};

/// Digit bits, as the rules of octal games have them.
const ALL: u8 = 1;
const ONE: u8 = 2;

/// The most values that the sets of both states may be made of: putting them together takes some minutes.
const MAX_REACHED: u64 = 1 << 31;

/// What decides a heap and all later ones, relative to `least`.
struct State {
    least: u64,
    far: Vec<BTreeSet<u64>>,
    near: Vec<Option<u64>>,
}

pub(super) fn check(rules: &Rules, c: &Certificate, start: u64, distance: u64) -> Result<Checked, Refusal> {
    let (t, prefix) = (rules.tail().len() as u64, rules.prefix().len() as u64);
    require(t > 0 && rules.max_parts() <= 1, || "the theorem needs a taking game with a repeating tail".to_owned())?;
    require(distance > 0 && distance.is_multiple_of(t), || "the states are not whole tails apart".to_owned())?;
    require(distance.is_multiple_of(c.period), || "the states are not whole periods apart".to_owned())?;
    require(start >= prefix && start >= c.preperiod, || "the first state is too early".to_owned())?;
    let last = start.checked_add(distance).filter(|last| last.checked_mul(t).is_some_and(|n| n <= MAX_REACHED));
    let last = last.ok_or_else(|| refuse(too_large()))?;
    let g = values(rules, last)?;
    let (a, b) = (state(rules, &g, start), state(rules, &g, last));
    require(a.far == b.far && a.near == b.near, || format!("the states at heaps {start} and {last} differ"))?;
    let saltus = (distance / c.period).checked_mul(c.saltus);
    require(b.least.checked_sub(a.least) == saltus, || "the states are not a saltus apart".to_owned())?;
    require(c.saltus == 0 || a.least > 0, || "the first state is too early: 0 may be missing".to_owned())?;
    check_least(&g, c, last - c.period)?;
    Ok(Checked { segments: 1, of: 1, heaps: last + 1 })
}

fn state(rules: &Rules, g: &[u64], n: u64) -> State {
    let (t, prefix) = (rules.tail().len() as u64, rules.prefix().len() as u64);
    let mut sets: Vec<BTreeSet<u64>> = vec![BTreeSet::new(); t as usize];
    for heap in 1..=n - prefix {
        sets[(heap % t) as usize].insert(g[heap as usize]);
    }
    // What a heap of the residue of `later` can reach among far heaps, the emptied heap included.
    let missing = |later: u64| {
        let mut reach: BTreeSet<u64> = (rules.digit(later) & ALL != 0).then_some(0).into_iter().collect();
        for j in (0..t).filter(|&j| rules.digit(prefix + j) & ONE != 0) {
            reach.extend(&sets[((later + 2 * t - prefix % t - j) % t) as usize]);
        }
        (0..).find(|v| !reach.contains(v)).expect("a finite set misses a value")
    };
    let least = (n..n + t).map(missing).min().unwrap_or(0);
    let relative = |set: &BTreeSet<u64>| set.iter().filter_map(|v| v.checked_sub(least)).collect();
    State {
        least,
        far: sets.iter().map(relative).collect(),
        near: (n + 1 - prefix..n).map(|heap| g[heap as usize].checked_sub(least)).collect(),
    }
}
