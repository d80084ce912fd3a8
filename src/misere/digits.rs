//! The digits of a code that are not 0.

use crate::Rules;

/// The digits of a game that are not 0, looked up once: a set with a large element has few of them among many zeros.
#[derive(Clone, Debug)]
pub(super) struct Digits {
    /// Index and digit, least index first.
    prefix: Vec<(usize, u8)>,
    /// The same of the first round of the tail.
    tail: Vec<(usize, u8)>,
    /// The length of a round.
    round: usize,
}

impl Digits {
    pub(super) fn of(rules: &Rules) -> Digits {
        let from = |start: usize, digits: &[u8]| {
            (start..).zip(digits.iter().copied()).filter(|&(_, digit)| digit != 0).collect()
        };
        let round = match rules.tail().len() {
            0 => usize::MAX,
            round => round,
        };
        Digits { prefix: from(0, rules.prefix()), tail: from(rules.prefix().len(), rules.tail()), round }
    }

    /// Those up to index `last`, each with its index, least index first.
    pub(super) fn up_to(&self, last: usize) -> impl Iterator<Item = (usize, u8)> + '_ {
        let rounds = (0..=last).step_by(self.round);
        let tail = rounds.flat_map(|shift| self.tail.iter().map(move |&(i, digit)| (i + shift, digit)));
        self.prefix.iter().copied().chain(tail).take_while(move |&(i, _)| i <= last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digits_of_the_rules_without_zeros() {
        for game in
            ["0.77", "4.0007", "nim", "lasker", "sub{2,9}", "sub{1000000}", "allbut{1,4}", "0.10[203]", "0.0[0004]"]
        {
            let rules: Rules = game.parse().unwrap();
            let digits = Digits::of(&rules);
            for last in 0..30 {
                let wanted = (0..=last).map(|i| (i, rules.digit(i as u64))).filter(|&(_, digit)| digit != 0);
                assert!(digits.up_to(last).eq(wanted), "{game} to {last}");
            }
        }
    }
}
