//! Finding the next partial quotient by guessing which heaps behave like known ones.
//!
//! A trial keeps a few heaps free and lets all others act through a base monoid; its reduced quotient is put to the
//! test of the chain. A refutation is a position at which the rule of misère play is broken; the next trial has the
//! refuted quotient as its base and frees just enough heaps of the refuting positions for the rule to hold at all of
//! them. A wrong guess costs time and nothing else: only what passes the test gets out.

use std::collections::BTreeSet;

use crate::Rules;

use super::budget::Budget;
use super::chain::{self, Chain, Stop};
use super::monoid::Monoid;
use super::trial::{Free, Hypothesis, Trial};
use super::words::Word;

/// What the new heap is counted up to before its counts are told apart by parity alone.
const FIRST_INDEX: usize = 2;

/// A verified partial quotient.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) hypothesis: Hypothesis,
    pub(super) chain: Chain,
}

/// Looks for the quotient of heaps 1 to `phi.len()`, from that of the heaps before the last: `monoid` with the
/// values `phi` of heaps 0, 1, ... `None` if it was not found within the budget and the sizes that fit.
pub(super) fn find(rules: &Rules, monoid: &Monoid, phi: &[u16], budget: &Budget) -> Option<Found> {
    let to = phi.len();
    // The new heap has no value yet; while it is free none is asked for.
    let phi = [phi, &[0]].concat();
    let first = vec![Free { heap: to, index: FIRST_INDEX }];
    let mut hypothesis = Trial::new(rules, monoid, &phi, first, budget).ok()??.reduce(to, budget).ok()??;
    let mut refuting: Vec<Word> = Vec::new();
    loop {
        match chain::verify(rules, &hypothesis.monoid, &hypothesis.phi, budget) {
            Ok(chain) => return Some(Found { hypothesis, chain }),
            Err(Stop::OutOfTime) => return None,
            Err(Stop::Violation(word)) => refuting.push(word),
        }
        if std::env::var("TRACE").is_ok() { eprintln!("{to}: order {} word {:?}", hypothesis.monoid.order(), refuting.last()); }
        hypothesis = repair(rules, &hypothesis, &refuting, to, budget)?;
    }
}

/// The hypothesis of a trial with as few free heaps as possible that obeys the rule at all these positions.
fn repair(
    rules: &Rules,
    base: &Hypothesis,
    refuting: &[Word],
    to: usize,
    budget: &Budget,
) -> Option<Hypothesis> {
    let heaps: Vec<usize> = refuting.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
    for size in 0..=heaps.len() {
        for chosen in subsets(&heaps, size) {
            let free = chosen.iter().map(|&heap| Free { heap, index: index(base, refuting, heap) }).collect();
            let Some(trial) = Trial::new(rules, &base.monoid, &base.phi, free, budget).ok()? else { continue };
            if refuting.iter().rev().all(|word| trial.obeys(word)) {
                if std::env::var("TRACE").is_ok() { eprintln!("   free {:?}", trial.free()); }
                if let Some(r) = trial.reduce(to, budget).ok()? { return Some(r) }
            }
        }
    }
    None
}

/// How far a free heap is counted: as far as the base tells counts apart, and far enough that every refuting
/// position is an element of its own.
fn index(base: &Hypothesis, refuting: &[Word], heap: usize) -> usize {
    let counts = refuting.iter().map(|word| word.iter().filter(|&&h| h == heap).count());
    let most = counts.max().unwrap_or(0);
    base.monoid.index_and_period(base.phi[heap]).0.max(most.saturating_sub(1))
}

/// The subsets of a given size, in lexicographic order.
fn subsets(items: &[usize], size: usize) -> Vec<Vec<usize>> {
    match (size, items.split_first()) {
        (0, _) => vec![Vec::new()],
        (_, None) => Vec::new(),
        (_, Some((&first, rest))) => {
            let mut with = subsets(rest, size - 1);
            with.iter_mut().for_each(|set| set.insert(0, first));
            with.extend(subsets(rest, size));
            with
        }
    }
}
