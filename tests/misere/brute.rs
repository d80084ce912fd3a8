//! Outcomes by the definition of misère play: no quotients, no values.

use std::collections::HashMap;

use sprague::Rules;
use sprague::misere::{Method, Outcome};

use super::{games, quick};

/// How many tokens the positions have at most.
pub const TOKENS: u64 = 14;

/// Outcomes of positions, their heaps in increasing order.
#[derive(Default)]
pub struct Brute(HashMap<Vec<u64>, Outcome>);

impl Brute {
    /// P if there are options and all of them are N.
    pub fn outcome(&mut self, rules: &Rules, heaps: &[u64]) -> Outcome {
        if let Some(&known) = self.0.get(heaps) {
            return known;
        }
        let options = options(rules, heaps);
        let lost = !options.is_empty() && options.iter().all(|option| self.outcome(rules, option) == Outcome::N);
        let outcome = if lost { Outcome::P } else { Outcome::N };
        self.0.insert(heaps.to_vec(), outcome);
        outcome
    }
}

fn options(rules: &Rules, heaps: &[u64]) -> Vec<Vec<u64>> {
    let moves = heaps.iter().enumerate().flat_map(|(i, &heap)| rules.moves(heap).map(move |m| (i, m)));
    moves
        .map(|(i, m)| {
            let mut option: Vec<u64> = [&heaps[..i], &heaps[i + 1..], &m.parts].concat();
            option.sort_unstable();
            option
        })
        .collect()
}

/// All positions of at most so many tokens in heaps of at most `largest`.
pub fn positions(tokens: u64, largest: u64) -> Vec<Vec<u64>> {
    let mut all = vec![Vec::new()];
    let mut at = 0;
    while let Some(position) = all.get(at).cloned() {
        let (sum, last) = (position.iter().sum::<u64>(), position.last().copied().unwrap_or(1));
        all.extend((last..=largest.min(tokens - sum)).map(|heap| [&position[..], &[heap]].concat()));
        at += 1;
    }
    all
}

#[test]
fn the_positions_are_the_partitions() {
    let of = |tokens: u64| positions(tokens, tokens).iter().filter(|p| p.iter().sum::<u64>() == tokens).count();
    assert_eq!((0..=14).map(of).collect::<Vec<_>>(), [1, 1, 2, 3, 5, 7, 11, 15, 22, 30, 42, 56, 77, 101, 135]);
}

#[test]
fn quotients_give_the_outcomes_of_brute_force() {
    let mut compared = 0;
    for rules in games() {
        let mut brute = Brute::default();
        for method in [Method::Auto, Method::Guess] {
            let quotient = quick(&rules, TOKENS, method).quotient;
            // The heaps that the quotient knows: with a period all.
            let known = if quotient.period().is_some() { TOKENS } else { quotient.heaps() };
            for position in positions(TOKENS, known) {
                let wanted = brute.outcome(&rules, &position);
                assert_eq!(quotient.outcome(&position), Ok(wanted), "{rules}, {position:?}, {method:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100_000, "only {compared} positions were compared");
}
