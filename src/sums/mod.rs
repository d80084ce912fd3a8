//! Sums of games: who wins, and with which moves.
//!
//! Three ways in:
//!
//! - [`Position`] reads a sum from text and answers for normal ([`Position::sum`]) and misère play
//!   ([`Position::misere`]).
//! - [`Sum`] adds up components of any games, by their nim-values: [`Heap`]s of taking-and-breaking games, [`Strip`]s,
//!   positions of games of your own, or anything else that is a [`Component`].
//! - [`Game`] is the trait for a game of your own. [`Solver`] gives its Grundy values, and [`MisereSolver`] its misère
//!   outcomes.
//!
//! ```
//! use sprague::sums::{Outcome, Position};
//! let position: Position = "kayles: 5 + nim: 3 + grundys-game: 9".parse()?;
//! let sum = position.sum()?;
//! assert_eq!((sum.value()?, sum.outcome()?), (6u32.into(), Outcome::N));
//! let moves = sum.winning_moves(20)?;
//! assert_eq!(moves.listed[0].step.to_string(), "5 -> 1 + 3");
//! // The same heaps when whoever cannot move wins.
//! assert_eq!(position.misere(20)?.outcome, Outcome::N);
//! # Ok::<(), sprague::sums::SumError>(())
//! ```
//!
//! Heaps may have any size where a closed form or a proven period gives their value ([`Table`]); the moves from such a
//! heap are counted in residue classes, not one by one.

use std::time::Duration;

mod brute;
mod component;
mod error;
mod game;
mod heap;
mod memo;
mod misere;
mod parse;
mod position;
mod strip;
mod sum;
mod table;
mod tabulate;
mod tally;
mod xor;

pub use brute::MisereSolver;
pub use component::{Component, Found, Label, Reason, Step};
pub use error::SumError;
pub use game::{Game, Placed, Solver};
pub use heap::Heap;
pub use misere::{MAX_POSITIONS, Misere};
pub use position::{Kind, NamedGame, Piece, Position, Term};
pub use strip::Strip;
pub use sum::{Move, Outcome, Sum};
pub use table::{Period, Table};

/// How long one question is worked at, unless another time is given.
pub const PATIENCE: Duration = Duration::from_secs(10);

#[cfg(test)]
mod tests;
