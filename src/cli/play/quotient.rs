//! Misère play through a verified misère quotient: for heaps of one game, however many and large, where brute force
//! would not end.

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::misere::{Limits, Method, Quotient, solve};
use crate::rules::Rules;
use crate::sums::{Found, Kind, Label, Move, Outcome, Piece, Position, Step, SumError};

/// Equal heaps are added one by one: more copies than this are left to brute force's refusal.
const MAX_COPIES: u64 = 100_000;
/// All moves of a heap are tried: more than these are too many.
const MAX_MOVES: usize = 4_000_000;
/// The quotient is not looked for beyond this heap: by then it has a period, or takes too much memory.
const MAX_HEAPS: u64 = 1 << 26;
/// The share of the patience that is spent on finding the quotient.
const SHARE: u32 = 2;

/// What a quotient says of a position.
pub struct Reading {
    pub quotient: Quotient,
    /// The element of each term's heap.
    pub elements: Vec<u16>,
    /// The product of the elements of all heaps.
    pub product: u16,
    pub outcome: Outcome,
}

/// Some equal heaps.
struct Term<'a> {
    heap: &'a BigUint,
    count: u64,
}

/// For a position of heaps of one game whose quotient is found in time what that says, and the winning moves, or why they
/// cannot be listed; `None` for all others.
pub fn answer(position: &Position, keep: usize) -> Option<(Reading, Result<Found<Move>, SumError>)> {
    let rules = one_game(position)?;
    let terms = terms(position)?;
    let largest = terms.iter().map(|term| term.heap).max()?;
    let heaps = largest.to_u64().unwrap_or(u64::MAX).min(MAX_HEAPS);
    let limits = Limits { heaps, budget: position.patience() / SHARE, method: Method::Auto };
    let quotient = solve(rules, &limits).quotient;
    let elements = terms.iter().map(|term| element(&quotient, term.heap)).collect::<Option<Vec<u16>>>()?;
    let product = product(&quotient, &terms, &elements);
    let outcome = if is_p(&quotient, product) { Outcome::P } else { Outcome::N };
    let moves = match outcome {
        Outcome::P => Ok(Found::new(keep)),
        Outcome::N => winning_moves(&quotient, &terms, &elements, keep),
    };
    Some((Reading { quotient, elements, product, outcome }, moves))
}

fn winning_moves(quotient: &Quotient, terms: &[Term], elements: &[u16], keep: usize) -> Result<Found<Move>, SumError> {
    let mut moves = Found::new(keep);
    for (component, term) in terms.iter().enumerate() {
        let others: Vec<Term> =
            terms.iter().enumerate().map(|(i, t)| Term { count: t.count - u64::from(i == component), ..*t }).collect();
        let rest = product(quotient, &others, elements);
        for step in winning_steps(quotient, term.heap, rest)? {
            moves.add(|| Move { component, step });
        }
    }
    Ok(moves)
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
fn terms(position: &Position) -> Option<Vec<Term<'_>>> {
    let count = |count: &BigUint| count.to_u64().filter(|&count| count <= MAX_COPIES);
    let heaps = position.terms().iter().map(|term| match &term.piece {
        Piece::Heap(heap) => Some(Term { heap, count: count(&term.count)? }),
        _ => None,
    });
    heaps.collect()
}

/// The element of a heap, if the quotient covers it.
fn element(quotient: &Quotient, heap: &BigUint) -> Option<u16> {
    let reduced = match heap.to_u64() {
        Some(heap) => heap,
        None => {
            let period = quotient.period()?;
            let beyond = (heap - period.preperiod) % period.period;
            period.preperiod + beyond.to_u64().expect("a remainder is less than the period")
        }
    };
    quotient.value(reduced).ok()
}

fn product(quotient: &Quotient, terms: &[Term], elements: &[u16]) -> u16 {
    let all = terms.iter().zip(elements).flat_map(|(term, &x)| (0..term.count).map(move |_| x));
    all.fold(0, |product, x| quotient.product(product, x))
}

fn is_p(quotient: &Quotient, element: u16) -> bool {
    quotient.p_elements().any(|p| p == element)
}

/// The moves from a heap that leave a P-position, where the other heaps have the product `rest`.
fn winning_steps(quotient: &Quotient, heap: &BigUint, rest: u16) -> Result<Vec<Step>, SumError> {
    let rules = quotient.rules();
    // Under a repeating tail every number of tokens is tried, even if few can be taken.
    let few = |&size: &u64| {
        (rules.tail().is_empty() || size <= MAX_MOVES as u64) && rules.moves(size).nth(MAX_MOVES).is_none()
    };
    let Some(size) = heap.to_u64().filter(few) else {
        return Err(SumError::TooManyMoves { game: rules.to_string(), heap: heap.clone() });
    };
    let mut moves: Vec<Vec<u64>> = rules.moves(size).map(|play| play.parts.to_vec()).collect();
    moves.sort_unstable();
    moves.dedup();
    let value = |heap: u64| quotient.value(heap).expect("smaller heaps are in the quotient too");
    let wins = |parts: &Vec<u64>| {
        is_p(quotient, parts.iter().fold(rest, |product, &part| quotient.product(product, value(part))))
    };
    let number = |heap: u64| Label::Number(BigUint::from(heap));
    let step = |parts: Vec<u64>| Step { from: number(size), to: parts.into_iter().map(number).collect() };
    Ok(moves.into_iter().filter(wins).map(step).collect())
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
                let (fast, moves) =
                    answer(&position, 1000).unwrap_or_else(|| panic!("{game}: {heaps} has no quotient"));
                assert_eq!(fast.outcome, slow.outcome, "{game}: {heaps}");
                let moves = moves.unwrap();
                assert_eq!(moves.count, slow.moves.count, "{game}: {heaps}");
                assert_eq!(format!("{moves:?}"), format!("{:?}", slow.moves), "{game}: {heaps}");
            }
        }
    }

    /// Far beyond any table, a heap has the value that its residue has; what leads to it is not listed.
    #[test]
    fn the_period_answers_for_heaps_of_any_size() {
        let of = |text: &str| answer(&text.parse().unwrap(), 10).unwrap();
        for (far, near) in [("10^30+7", "76+7"), ("10^18+10^18+1", "76+76+1"), ("10^7+5", "76+5")] {
            let ((far, moves), (near, _)) = (of(&format!("kayles: {far}")), of(&format!("kayles: {near}")));
            assert_eq!((far.outcome, far.product), (near.outcome, near.product));
            match far.outcome {
                Outcome::P => assert_eq!(moves.unwrap().count, BigUint::ZERO),
                Outcome::N => assert!(matches!(moves, Err(SumError::TooManyMoves { .. }))),
            }
        }
        // By brute force with heaps of 15, 22 and 29, which have the residue of 10^18 modulo the period 7.
        let (_, moves) = of("sub{1,3,4}: 10^18+5");
        assert_eq!(moves.unwrap().count, BigUint::from(2u8));
    }
}
