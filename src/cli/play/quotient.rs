//! Misère play through a verified misère quotient: for heaps of one game, however many and large, where brute force
//! would not end.

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::misere::{CheckFailed, Limits, Method, Quotient, solve};
use crate::rules::Rules;
use crate::sums::{Found, Kind, Label, Move, Outcome, Piece, Position, Step, SumError};

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
    count: BigUint,
}

/// What a quotient says of a position, and the winning moves, or why they cannot be listed.
type Answer = (Reading, Result<Found<Move>, SumError>);

/// The answer for a position of heaps of one game whose quotient is found in time; `None` for all others.
///
/// # Errors
/// If the quotient that is found is wrong.
pub fn answer(position: &Position, keep: usize) -> Result<Option<Answer>, CheckFailed> {
    let (Some(rules), Some(terms)) = (one_game(position), terms(position)) else { return Ok(None) };
    let Some(largest) = terms.iter().map(|term| term.heap).max() else { return Ok(None) };
    let heaps = largest.to_u64().unwrap_or(u64::MAX).min(MAX_HEAPS);
    let limits = Limits { heaps, budget: position.patience() / SHARE, method: Method::Auto };
    Ok(read(solve(rules, &limits)?.quotient, &terms, keep))
}

/// What a quotient says, if it covers the heaps.
fn read(quotient: Quotient, terms: &[Term], keep: usize) -> Option<Answer> {
    let elements = terms.iter().map(|term| element(&quotient, term.heap)).collect::<Option<Vec<u16>>>()?;
    let product = product(&quotient, terms.iter().zip(&elements).map(|(term, &x)| (term.count.clone(), x)));
    let outcome = if quotient.is_p_element(product) { Outcome::P } else { Outcome::N };
    let moves = match outcome {
        Outcome::P => Ok(Found::new(keep)),
        Outcome::N => winning_moves(&quotient, terms, &elements, keep),
    };
    Some((Reading { quotient, elements, product, outcome }, moves))
}

fn winning_moves(quotient: &Quotient, terms: &[Term], elements: &[u16], keep: usize) -> Result<Found<Move>, SumError> {
    let mut moves = Found::new(keep);
    for component in 0..terms.len() {
        let others = terms.iter().enumerate().map(|(i, term)| (&term.count - u8::from(i == component), elements[i]));
        let rest = product(quotient, others);
        for step in winning_steps(quotient, terms[component].heap, rest)? {
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
    let heaps = position.terms().iter().map(|term| match &term.piece {
        Piece::Heap(heap) => Some(Term { heap, count: term.count.clone() }),
        _ => None,
    });
    heaps.collect()
}

/// The element of a heap, if the quotient covers it.
fn element(quotient: &Quotient, heap: &BigUint) -> Option<u16> {
    let reduced = match heap.to_u64() {
        Some(heap) => heap,
        None => congruent(heap, quotient.period()?.preperiod, quotient.period()?.period),
    };
    quotient.value(reduced).ok()
}

/// The least number from `first` on that leaves the same remainder as a larger one.
fn congruent(number: &BigUint, first: u64, modulus: u64) -> u64 {
    first + ((number - first) % modulus).to_u64().expect("a remainder is less than the modulus")
}

/// The product of elements, each with an exponent.
fn product(quotient: &Quotient, powers: impl Iterator<Item = (BigUint, u16)>) -> u16 {
    powers.fold(0, |mut product, (exponent, x)| {
        let mut square = x;
        for bit in 0..exponent.bits() {
            if exponent.bit(bit) {
                product = quotient.product(product, square);
            }
            square = quotient.product(square, square);
        }
        product
    })
}

/// The moves from a heap that leave a P-position, where the other heaps have the product `rest`.
fn winning_steps(quotient: &Quotient, heap: &BigUint, rest: u16) -> Result<Vec<Step>, SumError> {
    let rules = quotient.rules();
    let too_many = || SumError::TooManyMoves { game: rules.to_string(), heap: heap.clone() };
    let size = stand_in(quotient, heap).ok_or_else(too_many)?;
    if rules.moves(size).nth(MAX_MOVES).is_some() {
        return Err(too_many());
    }
    let mut moves: Vec<Vec<u64>> = rules.moves(size).map(|play| play.parts.to_vec()).collect();
    moves.sort_unstable();
    moves.dedup();
    let value = |heap: u64| quotient.value(heap).expect("smaller heaps are in the quotient too");
    let wins = |parts: &Vec<u64>| {
        quotient.is_p_element(parts.iter().fold(rest, |product, &part| quotient.product(product, value(part))))
    };
    // Only a heap that can be left as one has a stand-in other than itself.
    let beyond = heap - size;
    let step = |parts: Vec<u64>| Step {
        from: Label::Number(heap.clone()),
        to: parts.into_iter().map(|part| Label::Number(&beyond + part)).collect(),
    };
    Ok(moves.into_iter().filter(wins).map(step).collect())
}

/// A heap with the moves of `heap`, by the same numbers of tokens and to the same elements, that can be listed.
fn stand_in(quotient: &Quotient, heap: &BigUint) -> Option<u64> {
    let rules = quotient.rules();
    match heap.to_u64() {
        // Under a repeating tail every number of tokens is tried, even if few can be taken.
        Some(size) => Some(size).filter(|&size| rules.tail().is_empty() || size <= MAX_MOVES as u64),
        None if rules.max_parts() <= 1 => {
            let period = quotient.period()?;
            Some(congruent(heap, period.preperiod + rules.last_index()? + 1, period.period))
        }
        None => None,
    }
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
                    answer(&position, 1000).unwrap().unwrap_or_else(|| panic!("{game}: {heaps} has no quotient"));
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
        let of = |text: &str| answer(&text.parse().unwrap(), 10).unwrap().unwrap();
        for (far, near) in [("10^30+7", "76+7"), ("10^18+10^18+1", "76+76+1"), ("10^7+5", "76+5")] {
            let ((far, moves), (near, _)) = (of(&format!("kayles: {far}")), of(&format!("kayles: {near}")));
            assert_eq!((far.outcome, far.product), (near.outcome, near.product));
            match far.outcome {
                Outcome::P => assert_eq!(moves.unwrap().count, BigUint::ZERO),
                Outcome::N => assert!(matches!(moves, Err(SumError::TooManyMoves { .. }))),
            }
        }
        // By brute force with heaps of 15, 22 and 29, which have the residue of both modulo the period 7.
        for heap in ["10^18", "10^30"] {
            let moves = of(&format!("sub{{1,3,4}}: {heap}+5")).1.unwrap();
            assert_eq!(moves.count, BigUint::from(2u8), "{heap}");
            for Move { step, .. } in moves.listed {
                let (Label::Number(from), [Label::Number(to)]) = (&step.from, &step.to[..]) else { panic!("{step:?}") };
                assert!([1u8, 3, 4].contains(&(from - to).try_into().unwrap()), "{step:?}");
            }
        }
        // A billion equal heaps are as many as leave the same power.
        let ((many, _), (few, _)) = (of("kayles: 10^9*3+5"), of("kayles: 4*3+5"));
        assert_eq!(many.product, few.product);
    }
}
