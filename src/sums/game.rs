//! A trait for games of your own.

use std::cell::RefCell;
use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

use num_bigint::BigUint;

use super::memo::Memo;
use super::{Component, Found, Label, Step, SumError};

/// An impartial game of your own: who moves has the same options whoever it is, play ends, and whoever cannot move
/// loses.
///
/// An option is given as the positions that it is the *sum* of: one position for most games, two or more where a move
/// splits the position into parts that do not meet again, none where nothing is left. Splitting is what makes a game
/// easy: a row of 40 skittles has 40 positions, not 2^40.
///
/// ```
/// use sprague::sums::{Game, Solver, Sum, Outcome};
///
/// /// Kayles: a row of skittles, a ball takes one or two that stand next to each other.
/// struct Kayles;
/// impl Game for Kayles {
///     type Position = usize;
///     fn options(&self, &row: &usize) -> Vec<Vec<usize>> {
///         let throws = (1..=2).flat_map(|hit| (0..=row.saturating_sub(hit)).map(move |left| (hit, left)));
///         throws.filter(|&(hit, _)| hit <= row).map(|(hit, left)| vec![left, row - hit - left]).collect()
///     }
/// }
///
/// /// Chomp: a bar of chocolate by the lengths of its rows; whoever takes the last piece wins here.
/// struct Chomp;
/// impl Game for Chomp {
///     type Position = Vec<usize>;
///     fn options(&self, rows: &Vec<usize>) -> Vec<Vec<Vec<usize>>> {
///         let bites = rows.iter().enumerate().flat_map(|(y, &len)| (0..len).map(move |x| (x, y)));
///         let bitten = |(x, y)| rows.iter().enumerate().map(|(i, &len)| if i < y { len } else { len.min(x) }).collect();
///         bites.map(|bite| vec![bitten(bite)]).collect()
///     }
/// }
///
/// let (kayles, chomp) = (Solver::new(Kayles), Solver::new(Chomp));
/// assert_eq!(kayles.value(&8)?, 1);
///
/// // Different games in one sum.
/// let mut sum = Sum::new();
/// sum.push(kayles.at(5));
/// sum.push(chomp.at(vec![3, 3]));
/// assert_eq!(sum.outcome()?, Outcome::N);
/// for found in sum.winning_moves(usize::MAX)?.listed {
///     println!("in component {}: {}", found.component, found.step);
/// }
/// # Ok::<(), sprague::sums::SumError>(())
/// ```
pub trait Game {
    /// A position. Equal positions must be `==`, or they are computed twice.
    type Position: Clone + Eq + Hash + Debug;

    /// All moves from `position`, each as the positions that it leaves side by side.
    fn options(&self, position: &Self::Position) -> Vec<Vec<Self::Position>>;

    /// Whether there is no move from `position`. To be written where that is known without making all options.
    fn is_over(&self, position: &Self::Position) -> bool {
        self.options(position).is_empty()
    }
}

/// A game with the Grundy values found so far.
pub struct Solver<G: Game> {
    game: G,
    memo: RefCell<Memo<G::Position, u32>>,
}

impl<G: Game> Solver<G> {
    /// A solver that knows nothing yet. It remembers every position that it meets.
    pub fn new(game: G) -> Solver<G> {
        Solver { game, memo: RefCell::new(Memo::new()) }
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The Grundy value of a position.
    ///
    /// # Errors
    /// [`SumError::Endless`] if a position can come back, so that play need not end.
    pub fn value(&self, position: &G::Position) -> Result<u32, SumError> {
        self.memo.borrow_mut().evaluate(
            position,
            |p| self.game.options(p),
            |options, value| {
                let values: HashSet<u32> =
                    options.iter().map(|parts| parts.iter().filter_map(&value).fold(0, |a, b| a ^ b)).collect();
                crate::engine::naive::mex(&values)
            },
        )
    }

    /// The nim-sum of several positions.
    fn sum(&self, parts: &[G::Position]) -> Result<u32, SumError> {
        parts.iter().try_fold(0, |sum, part| Ok(sum ^ self.value(part)?))
    }

    /// The position as a component of a [`Sum`](super::Sum).
    pub fn at(&self, position: G::Position) -> Placed<'_, G> {
        Placed { solver: self, position }
    }
}

/// A position of a game of your own, as a component of a [`Sum`](super::Sum).
pub struct Placed<'a, G: Game> {
    solver: &'a Solver<G>,
    position: G::Position,
}

impl<G: Game> Component for Placed<'_, G> {
    fn value(&self) -> Result<BigUint, SumError> {
        self.solver.value(&self.position).map(BigUint::from)
    }

    fn moves_to(&self, target: &BigUint, keep: usize) -> Result<Found<Step>, SumError> {
        let mut found = Found::new(keep);
        let mut seen = HashSet::new();
        for parts in self.solver.game.options(&self.position) {
            let value = self.solver.sum(&parts)?;
            if BigUint::from(value) == *target && seen.insert(parts.clone()) {
                found.add(|| Step { from: label(&self.position), to: parts.iter().map(label).collect() });
            }
        }
        Ok(found)
    }
}

fn label(position: &impl Debug) -> Label {
    Label::Name(format!("{position:?}"))
}
