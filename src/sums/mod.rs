//! Sums of games: who wins, and with which moves.
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

pub use brute::MisereSolver;
pub use component::{Component, Found, Label, Step};
pub use error::SumError;
pub use game::{Game, Placed, Solver};
pub use heap::Heap;
pub use misere::{MAX_POSITIONS, Misere};
pub use position::{Kind, NamedGame, Piece, Position, Term};
pub use strip::Strip;
pub use sum::{Move, Outcome, Sum};
pub use table::{Period, Table};

#[cfg(test)]
mod tests;
