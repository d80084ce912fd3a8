//! Sums of games: who wins, and with which moves.
mod component;
mod error;
mod game;
mod heap;
mod memo;
mod strip;
mod sum;
mod table;
mod tabulate;
mod tally;

pub use component::{Component, Found, Label, Step};
pub use error::SumError;
pub use game::{Game, Placed, Solver};
pub use heap::Heap;
pub use strip::Strip;
pub use sum::{Move, Outcome, Sum};
pub use table::{Period, Table};
