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

/// From which count on those of the new heap repeat, to begin with.
const FIRST_INDEX: usize = 2;
/// The period of counts, as long as nothing speaks for a longer one. There are quotients with periods 6 and 8.
const SHORT_PERIOD: usize = 2;
/// An index that speaks for a longer period.
const LONG_INDEX: usize = 8;
/// A longer period is thought to begin by this count.
const EARLY: usize = 4;

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
    let first = vec![Free { heap: to, index: FIRST_INDEX, period: SHORT_PERIOD }];
    let mut hypothesis = Trial::new(rules, monoid, &phi, first, budget).ok()??.reduce(to, budget).ok()??;
    let mut refuting: Vec<Word> = Vec::new();
    loop {
        match chain::verify(rules, &hypothesis.monoid, &hypothesis.phi, budget) {
            Ok(chain) => return Some(Found { hypothesis, chain }),
            Err(Stop::OutOfTime) => return None,
            Err(Stop::Violation(word)) => refuting.push(word),
        }
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
            let counters: Vec<Vec<Free>> = chosen.iter().map(|&heap| counters(base, refuting, heap, to)).collect();
            for free in choices(&counters) {
                let Some(trial) = Trial::new(rules, &base.monoid, &base.phi, free, budget).ok()? else { continue };
                if refuting.iter().rev().all(|word| trial.obeys(word)) {
                    return trial.reduce(to, budget).ok()?;
                }
            }
        }
    }
    None
}

/// How a free heap may be counted: as far as the base tells counts apart, and so far that every refuting position is
/// an element of its own. If that is far, then with longer periods from early on, shortest first.
fn counters(base: &Hypothesis, refuting: &[Word], heap: usize, to: usize) -> Vec<Free> {
    let counts = refuting.iter().map(|word| word.iter().filter(|&&h| h == heap).count());
    let most = counts.max().unwrap_or(0);
    let (index, period) = base.monoid.index_and_period(base.phi[heap]);
    let period = period.max(SHORT_PERIOD);
    let index = index.max((most + 1).saturating_sub(period));
    let mut counters = Vec::new();
    if heap == to && index >= LONG_INDEX {
        for period in (SHORT_PERIOD + 2..=index).step_by(2) {
            counters.extend((0..=(index - period).min(EARLY)).map(|index| Free { heap, index, period }));
        }
    }
    counters.push(Free { heap, index, period });
    counters
}

/// All ways to choose one item from each list.
fn choices(lists: &[Vec<Free>]) -> Vec<Vec<Free>> {
    lists.iter().fold(vec![Vec::new()], |chosen, list| {
        chosen.iter().flat_map(|c| list.iter().map(|&item| [c.as_slice(), &[item]].concat())).collect()
    })
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
