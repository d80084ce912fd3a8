//! Misère play through a verified misère quotient: for heaps of one game, however many and large, where brute force
//! would not end.

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::misere::{self, Limits, Method, Quotient, solve};
use crate::rules::Rules;
use crate::sums::{Found, Kind, Label, Misere, Move, Outcome, Piece, Position, Step};

/// Equal heaps are added one by one: more copies than this are left to brute force's refusal.
const MAX_COPIES: u64 = 100_000;
/// All moves of a heap are tried: larger heaps have too many.
const MAX_HEAP: u64 = 1_000_000;
/// The share of the patience that is spent on finding the quotient.
const SHARE: u32 = 2;

/// The answer for a position of heaps of one game whose quotient is found in time; `None` for all others.
pub fn answer(position: &Position, keep: usize) -> Option<Misere> {
    let rules = one_game(position)?;
    let terms = terms(position)?;
    let heaps = terms.iter().map(|&(heap, _)| heap).max()?;
    let limits = Limits { heaps, budget: position.patience() / SHARE, method: Method::Auto };
    let quotient = solve(rules, &limits).quotient;
    let outcome = outcome(&quotient, &terms)?;
    let mut moves = Found::new(keep);
    for component in 0..terms.len() {
        for (step, won) in steps(&quotient, &terms, component)? {
            if won {
                moves.add(|| Move { component, step });
            }
        }
    }
    Some(Misere { outcome, moves })
}

fn one_game(position: &Position) -> Option<&Rules> {
    match position.games() {
        [game] => match &game.kind {
            Kind::Heaps(rules) => Some(rules),
            _ => None,
        },
        _ => None,
    }
}

/// Each heap and how many of it there are.
fn terms(position: &Position) -> Option<Vec<(u64, u64)>> {
    let small = |n: &BigUint, most: u64| n.to_u64().filter(|&n| n <= most);
    position
        .terms()
        .iter()
        .map(|term| match &term.piece {
            Piece::Heap(size) => Some((small(size, MAX_HEAP)?, small(&term.count, MAX_COPIES)?)),
            _ => None,
        })
        .collect()
}

fn outcome(quotient: &Quotient, terms: &[(u64, u64)]) -> Option<Outcome> {
    let heaps: Vec<u64> = terms.iter().flat_map(|&(heap, count)| (0..count).map(move |_| heap)).collect();
    Some(match quotient.outcome(&heaps).ok()? {
        misere::Outcome::P => Outcome::P,
        misere::Outcome::N => Outcome::N,
    })
}

/// The moves from one heap of a term, and whether each leaves a P-position.
fn steps(quotient: &Quotient, terms: &[(u64, u64)], component: usize) -> Option<Vec<(Step, bool)>> {
    let (heap, count) = terms[component];
    let mut rest = terms.to_vec();
    rest[component].1 = count - 1;
    let rest = rest.iter().flat_map(|&(heap, count)| (0..count).map(move |_| heap));
    let add = |x: u16, heap: u64| Some(quotient.product(x, quotient.value(heap).ok()?));
    let rest = rest.into_iter().try_fold(0, add)?;
    let mut moves: Vec<Vec<u64>> = quotient.rules().moves(heap).map(|play| play.parts.to_vec()).collect();
    moves.sort_unstable();
    moves.dedup();
    let number = |heap: u64| Label::Number(BigUint::from(heap));
    moves
        .into_iter()
        .map(|parts| {
            let after = parts.iter().try_fold(rest, |x, &heap| add(x, heap))?;
            let won = quotient.p_elements().any(|p| p == after);
            let step = Step { from: number(heap), to: parts.into_iter().map(number).collect() };
            Some((step, won))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Outcome, moves and their order are those of brute force.
    #[test]
    fn quotients_agree_with_brute_force() {
        for game in ["kayles", "0.07", "0.123", "0.75", "4.7", "sub{1,2,3}", "0.8", "grundys-game"] {
            for heaps in ["1", "1+1", "5+7", "3+3+4", "2+3+4+5", "8+1", "6*1+2", "9", "4+4+4", "7+2+2+1"] {
                let position: Position = format!("{game}: {heaps}").parse().unwrap();
                let slow = position.misere(1000).unwrap();
                let fast = answer(&position, 1000).unwrap_or_else(|| panic!("{game}: {heaps} has no quotient"));
                assert_eq!(fast.outcome, slow.outcome, "{game}: {heaps}");
                assert_eq!(fast.moves.count, slow.moves.count, "{game}: {heaps}");
                let shown = |found: &Misere| format!("{:?}", found.moves);
                assert_eq!(shown(&fast), shown(&slow), "{game}: {heaps}");
            }
        }
    }
}
