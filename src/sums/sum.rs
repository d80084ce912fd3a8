//! The theorem of Sprague (1935) and Grundy (1939): a sum is worth the nim-sum of its components.

use std::fmt;

use num_bigint::BigUint;

use super::{Component, Found, Reason, Step, SumError};

/// Who wins with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The player to move (the *next* player).
    N,
    /// The player who has just moved (the *previous* player).
    P,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::N => "N",
            Outcome::P => "P",
        })
    }
}

/// A winning move: in which component, and what is done there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// The component, counted from 0 in the order of the sum.
    pub component: usize,
    /// The move in it.
    pub step: Step,
}

/// A sum of positions of any games, under normal play: who cannot move loses.
///
/// ```
/// use sprague::sums::{Heap, Outcome, Sum};
/// let nim = "nim".parse().unwrap();
/// let mut sum = Sum::new();
/// for size in [3u32, 4, 5] {
///     sum.push(Heap::new(&nim, size.into())?);
/// }
/// assert_eq!((sum.value()?, sum.outcome()?), (2u32.into(), Outcome::N));
/// let moves = sum.winning_moves(10)?;
/// assert_eq!(moves.listed[0].to_string(), "0: 3 -> 1");
/// assert_eq!(moves.count, 1u32.into());
/// # Ok::<(), sprague::sums::SumError>(())
/// ```
#[derive(Default)]
pub struct Sum<'a> {
    terms: Vec<Term<'a>>,
}

/// A component, and whether it stands in the sum an odd number of times.
struct Term<'a> {
    component: Box<dyn Component + 'a>,
    odd: bool,
}

impl Term<'_> {
    fn value(&self) -> Result<BigUint, SumError> {
        self.component.value()
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.component, self.step)
    }
}

impl<'a> Sum<'a> {
    /// The empty sum: a P-position.
    pub fn new() -> Sum<'a> {
        Sum::default()
    }

    /// Adds a component.
    pub fn push(&mut self, component: impl Component + 'a) {
        self.push_many(Box::new(component), &BigUint::from(1u32));
    }

    /// Adds `count` copies of a component, as one entry of the list: a move in any of them is the same move.
    pub fn push_many(&mut self, component: Box<dyn Component + 'a>, count: &BigUint) {
        self.terms.push(Term { component, odd: count.bit(0) });
    }

    /// The value of one copy of each component.
    ///
    /// # Errors
    /// [`SumError`] if one is out of reach.
    pub fn values(&self) -> Result<Vec<BigUint>, SumError> {
        self.terms.iter().map(Term::value).collect()
    }

    /// Why the value of a component is what it is; see [`Component::reason`].
    ///
    /// # Panics
    /// If there is no such component.
    pub fn reason(&self, component: usize) -> Option<Reason> {
        self.terms[component].component.reason()
    }

    /// The value: the nim-sum (bitwise exclusive or) of the components.
    ///
    /// # Errors
    /// [`SumError`] if a component's value is out of reach.
    pub fn value(&self) -> Result<BigUint, SumError> {
        // Two equal components cancel, whatever their value: it need not even be known.
        self.terms.iter().filter(|term| term.odd).try_fold(BigUint::ZERO, |sum, term| Ok(sum ^ term.value()?))
    }

    /// Who wins: the player to move unless the value is 0.
    ///
    /// # Errors
    /// As for [`Sum::value`].
    pub fn outcome(&self) -> Result<Outcome, SumError> {
        Ok(if self.value()? == BigUint::ZERO { Outcome::P } else { Outcome::N })
    }

    /// The winning moves: those that leave a sum of value 0. The first `keep` are listed, by component and then least
    /// first; all are counted. Moves in equal copies of a component, and moves to equal positions, count as one.
    ///
    /// # Errors
    /// [`SumError`] if a value is out of reach or the moves cannot be counted.
    pub fn winning_moves(&self, keep: usize) -> Result<Found<Move>, SumError> {
        let sum = self.value()?;
        let mut found = Found::new(keep);
        if sum == BigUint::ZERO {
            return Ok(found);
        }
        for component in 0..self.terms.len() {
            let moves = self.moves_to_zero(component, &sum, found.room())?;
            found.count += moves.count;
            found.listed.extend(moves.listed);
        }
        Ok(found)
    }

    /// The winning moves in one component; see [`Sum::winning_moves`].
    ///
    /// # Errors
    /// As for [`Sum::winning_moves`].
    ///
    /// # Panics
    /// If there is no such component.
    pub fn winning_moves_in(&self, component: usize, keep: usize) -> Result<Found<Move>, SumError> {
        let sum = self.value()?;
        if sum == BigUint::ZERO { Ok(Found::new(keep)) } else { self.moves_to_zero(component, &sum, keep) }
    }

    /// The moves in one component that bring the value of the whole from `sum`, which is not 0, to 0.
    fn moves_to_zero(&self, component: usize, sum: &BigUint, keep: usize) -> Result<Found<Move>, SumError> {
        let term = &self.terms[component];
        let steps = term.component.moves_to(&(term.value()? ^ sum), keep)?;
        Ok(steps.map(|step| Move { component, step }))
    }
}
