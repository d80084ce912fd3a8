//! Finding the next partial quotient by guessing which heaps behave like known ones.
//!
//! A trial keeps a few heaps free and lets all others act through a base monoid; its reduced quotient is put to the
//! test of the chain. A refutation is a position at which the rule of misère play is broken; the next trial has the
//! refuted quotient as its base and frees just enough heaps of the refuting positions for the rule to hold at all of
//! them. A wrong guess costs time and nothing else: only what passes the test gets out.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

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
    /// How long the chain took to close.
    pub(super) took: Duration,
}

impl Found {
    /// A hypothesis that passes the test of the chain.
    pub(super) fn verify(rules: &Rules, hypothesis: Hypothesis, budget: &Budget) -> Result<Found, (Hypothesis, Stop)> {
        let clock = Instant::now();
        match chain::verify(rules, &hypothesis.monoid, &hypothesis.phi, budget) {
            Ok(chain) => Ok(Found { hypothesis, chain, took: clock.elapsed() }),
            Err(stop) => Err((hypothesis, stop)),
        }
    }
}

/// Looks for the quotient of heaps 1 to `phi.len()`, from that of the heaps before the last: `monoid` with the
/// values `phi` of heaps 0, 1, ... `None` if it was not found within the budget and the sizes that fit.
pub(super) fn find(rules: &Rules, monoid: &Monoid, phi: &[u16], budget: &Budget) -> Option<Found> {
    let mut guesser = Guesser { rules, to: phi.len(), budget, refuting: Vec::new() };
    let mut hypothesis = guesser.first(monoid, phi)?;
    loop {
        match Found::verify(rules, hypothesis, budget) {
            Ok(found) => return Some(found),
            Err((_, Stop::OutOfTime)) => return None,
            Err((refuted, Stop::Violation(word))) => {
                guesser.refuting.push(word);
                hypothesis = guesser.repair(&refuted)?;
            }
        }
    }
}

struct Guesser<'a> {
    rules: &'a Rules,
    /// The new heap.
    to: usize,
    budget: &'a Budget,
    /// The positions that refuted the guesses so far.
    refuting: Vec<Word>,
}

impl Guesser<'_> {
    /// The first guess: the new heap is free, all others act as they did without it.
    fn first(&self, monoid: &Monoid, phi: &[u16]) -> Option<Hypothesis> {
        // The new heap has no value yet; while it is free none is asked for.
        let phi = [phi, &[0]].concat();
        let free = vec![Free { heap: self.to, index: FIRST_INDEX, period: SHORT_PERIOD }];
        Trial::new(self.rules, monoid, &phi, free, self.budget).ok()??.reduce(self.to, self.budget).ok()?
    }

    /// The hypothesis of a trial with as few free heaps as possible that obeys the rule at all refuting positions.
    fn repair(&self, base: &Hypothesis) -> Option<Hypothesis> {
        let heaps: BTreeSet<usize> = self.refuting.iter().flatten().copied().collect();
        let heaps: Vec<usize> = heaps.into_iter().collect();
        for chosen in (0..=heaps.len()).flat_map(|size| subsets(&heaps, size)) {
            let counters: Vec<Vec<Free>> = chosen.iter().map(|&heap| self.counters(base, heap)).collect();
            for free in choices(&counters) {
                self.budget.spend(free.len() + 1).ok()?;
                let trial = Trial::new(self.rules, &base.monoid, &base.phi, free, self.budget).ok()?;
                let Some(trial) = trial else { continue };
                // The newest is the likeliest to fail.
                if self.refuting.iter().rev().all(|word| trial.obeys(word)) {
                    return trial.reduce(self.to, self.budget).ok()?;
                }
            }
        }
        None
    }

    /// How a free heap may be counted: as far as the base tells counts apart, and so far that every refuting position
    /// is an element of its own. If that is far, a new heap also with longer periods from early on, shortest first.
    fn counters(&self, base: &Hypothesis, heap: usize) -> Vec<Free> {
        let counts = self.refuting.iter().map(|word| word.iter().filter(|&&h| h == heap).count());
        let most = counts.max().unwrap_or(0);
        let (index, period) = base.monoid.index_and_period(base.phi[heap]);
        let period = period.max(SHORT_PERIOD);
        let index = index.max((most + 1).saturating_sub(period));
        let mut counters = Vec::new();
        if heap == self.to && index >= LONG_INDEX {
            for period in (SHORT_PERIOD + 2..=index).step_by(2) {
                counters.extend((0..=(index - period).min(EARLY)).map(|index| Free { heap, index, period }));
            }
        }
        counters.push(Free { heap, index, period });
        counters
    }
}

/// All ways to choose one item from each list.
fn choices(lists: &[Vec<Free>]) -> Vec<Vec<Free>> {
    lists.iter().fold(vec![Vec::new()], |chosen, list| {
        chosen.iter().flat_map(|c| list.iter().map(|&item| [c.as_slice(), &[item]].concat())).collect()
    })
}

/// The subsets of a given size, in lexicographic order.
fn subsets(items: &[usize], size: usize) -> impl Iterator<Item = Vec<usize>> + '_ {
    let last = move |i: usize| items.len() - size + i;
    let mut places: Option<Vec<usize>> = (size <= items.len()).then(|| (0..size).collect());
    std::iter::from_fn(move || {
        let now = places.take()?;
        // The rightmost place that can move on does, and those after it follow it closely.
        if let Some(i) = (0..size).rev().find(|&i| now[i] < last(i)) {
            let mut next = now.clone();
            (i..size).for_each(|j| next[j] = now[i] + 1 + j - i);
            places = Some(next);
        }
        Some(now.into_iter().map(|place| items[place]).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_come_in_order_and_once() {
        let items = [2, 3, 5, 7, 11];
        for size in 0..=6 {
            let all: Vec<Vec<usize>> = subsets(&items, size).collect();
            let by_mask = (0u32..32).filter(|mask| mask.count_ones() as usize == size);
            let mut wanted: Vec<Vec<usize>> =
                by_mask.map(|mask| (0..5).filter(|i| mask >> i & 1 == 1).map(|i| items[i]).collect()).collect();
            wanted.sort();
            assert_eq!(all, wanted);
        }
    }
}
