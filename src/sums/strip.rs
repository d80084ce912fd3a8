//! Tokens on a strip of cells: each moves left any distance, no jumping, one to a cell.
//!
//! The strip is Nim on every other gap, counted from the right-most token: the gap to the left of the last token, of
//! the last but two, and so on; with an odd number of tokens the cells to the left of the first are such a gap. A token
//! that moves shrinks the gap to its left and widens the one to its right; if the wider one counts, the opponent takes
//! the cells back with the next token, so those moves change nothing (as in the proof for staircase Nim).

use std::iter::successors;

use num_bigint::BigUint;

use super::{Component, Found, Label, Step, SumError};

/// A strip of cells 0, 1, 2, ... with tokens on some of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Strip {
    /// Ascending and different.
    tokens: Vec<BigUint>,
}

impl Strip {
    /// A strip with tokens on these cells, counted from 0 at the left end. `None` if two stand on one cell.
    pub fn new(mut tokens: Vec<BigUint>) -> Option<Strip> {
        tokens.sort_unstable();
        tokens.is_sorted_by(|a, b| a < b).then_some(Strip { tokens })
    }

    /// The cells with tokens, from the left.
    pub fn tokens(&self) -> &[BigUint] {
        &self.tokens
    }

    /// The free cells to the left of token `i`, up to the next token or the end.
    pub fn gap(&self, i: usize) -> BigUint {
        match i.checked_sub(1) {
            None => self.tokens[0].clone(),
            Some(left) => &self.tokens[i] - &self.tokens[left] - 1u32,
        }
    }

    /// Whether the gap to the left of token `i` is a heap of Nim.
    pub fn counts(&self, i: usize) -> bool {
        (self.tokens.len() - i) % 2 == 1
    }

    /// Every move: from which cell, to which, and the strip after it. Least first.
    pub(super) fn moves(&self) -> impl Iterator<Item = (BigUint, BigUint, Strip)> + '_ {
        (0..self.tokens.len()).flat_map(move |i| {
            let (from, lowest) = (&self.tokens[i], &self.tokens[i] - self.gap(i));
            let cells = successors(Some(lowest), |cell| Some(cell + 1u32)).take_while(move |cell| cell < from);
            cells.map(move |to| {
                let mut after = self.clone();
                after.tokens[i] = to.clone();
                (from.clone(), to, after)
            })
        })
    }

    fn nim_sum(&self) -> BigUint {
        (0..self.tokens.len()).filter(|&i| self.counts(i)).fold(BigUint::ZERO, |sum, i| sum ^ self.gap(i))
    }

    /// How far token `i` has to move for the value to change by `change` (as an exclusive or), if it can.
    fn distance(&self, i: usize, change: &BigUint) -> Option<BigUint> {
        let gap = self.gap(i);
        let distance = if self.counts(i) {
            let wanted = &gap ^ change;
            (wanted < gap).then(|| &gap - wanted)?
        } else {
            let right = self.gap(i + 1);
            let wanted = &right ^ change;
            (wanted > right).then(|| wanted - right)?
        };
        (distance <= gap).then_some(distance)
    }
}

impl Component for Strip {
    fn value(&self) -> Result<BigUint, SumError> {
        Ok(self.nim_sum())
    }

    fn moves_to(&self, target: &BigUint, keep: usize) -> Result<Found<Step>, SumError> {
        let change = self.nim_sum() ^ target;
        let mut found = Found::new(keep);
        for (i, token) in self.tokens.iter().enumerate() {
            if let Some(distance) = self.distance(i, &change) {
                found.add(|| Step { from: Label::Number(token.clone()), to: vec![Label::Number(token - distance)] });
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Game, Solver};
    use super::*;

    /// The rules of the strip and nothing else: bit `i` is a token on cell `i`.
    struct Tokens;

    impl Game for Tokens {
        type Position = u32;
        fn options(&self, &cells: &u32) -> Vec<Vec<u32>> {
            let jump_free = |from: u32, to: u32| (to..from).all(|cell| cells >> cell & 1 == 0);
            let moves =
                (0..32).filter(|from| cells >> from & 1 == 1).flat_map(|from| (0..from).map(move |to| (from, to)));
            moves
                .filter(|&(from, to)| jump_free(from, to))
                .map(|(from, to)| vec![cells ^ 1 << from ^ 1 << to])
                .collect()
        }
    }

    fn strip(cells: u32) -> Strip {
        Strip::new((0u32..32).filter(|cell| cells >> cell & 1 == 1).map(BigUint::from).collect()).unwrap()
    }

    /// Values are those of the alternate gaps from the right, and the moves to each value are all of them.
    #[test]
    fn all_strips_of_ten_cells() {
        let solver = Solver::new(Tokens);
        for cells in 0..1u32 << 10 {
            let strip = strip(cells);
            assert_eq!(strip.value().unwrap(), solver.value(&cells).unwrap().into(), "{cells:b}");
            for target in 0..16u32 {
                let options = Tokens.options(&cells);
                let mut wanted: Vec<u32> =
                    options.iter().map(|o| o[0]).filter(|o| solver.value(o).unwrap() == target).collect();
                wanted.sort_unstable();
                let found = strip.moves_to(&target.into(), usize::MAX).unwrap();
                let cell = |label: &Label| label.to_string().parse::<u32>().unwrap();
                let step = |s: &Step| cells ^ 1 << cell(&s.from) ^ 1 << cell(&s.to[0]);
                let mut moves: Vec<u32> = found.listed.iter().map(step).collect();
                moves.sort_unstable();
                // No move keeps the value, so the value itself has no moves in either list.
                assert_eq!(moves, wanted, "{cells:b} to {target}");
                assert_eq!(found.count, moves.len().into());
            }
        }
    }

    /// Counting the gaps from the left is right for an odd number of tokens and wrong for an even one.
    #[test]
    fn gaps_from_the_left_are_the_wrong_ones() {
        let from_left =
            |strip: &Strip| (0..strip.tokens().len()).step_by(2).fold(BigUint::ZERO, |s, i| s ^ strip.gap(i));
        let solver = Solver::new(Tokens);
        // Tokens on 1 and 2 of the strip: the first may move, the second must follow. A P-position.
        let two = strip(0b110);
        assert_eq!(solver.value(&0b110).unwrap(), 0);
        assert_eq!((two.value().unwrap(), from_left(&two)), (0u32.into(), 1u32.into()));
        let wrong = (0..1u32 << 10).filter(|&cells| from_left(&strip(cells)) != solver.value(&cells).unwrap().into());
        assert!(wrong.clone().count() > 0 && wrong.clone().all(|cells| cells.count_ones() % 2 == 0));
    }

    #[test]
    fn two_tokens_share_no_cell() {
        assert!(Strip::new(vec![5u32.into(), 2u32.into(), 5u32.into()]).is_none());
        let strip = Strip::new(vec![9u32.into(), 2u32.into(), 5u32.into()]).unwrap();
        assert_eq!(strip.tokens(), [2u32.into(), 5u32.into(), 9u32.into()].as_slice());
    }
}
