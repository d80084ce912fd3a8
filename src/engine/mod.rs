//! Engines: ways to compute the nim-values of a game, all with the same result.
//!
//! | engine | games | work for a heap |
//! |---|---|---|
//! | [`naive`] | all | every move: the oracle of the tests |
//! | [`finite`] | taking only, from a finite code or set | number of digits; memory for the last `k` values |
//! | [`tail`] | taking only, digits that repeat for ever | number of prefix digits |
//! | [`dense`] | all | every pair of heaps once (every value of a pair for three heaps) |
//! | [`sparse`] | splits into two heaps, finitely many such digits | rare positions times splitting digits |

pub mod dense;
pub mod finite;
pub mod history;
pub mod naive;
pub mod plan;
pub mod sparse;
pub mod tail;

#[cfg(test)]
mod tests;

use thiserror::Error;

pub use history::History;
pub use plan::Planned;

/// Why an engine cannot decide the next heap.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EngineError {
    /// The heap's value depends on values that bounded memory has dropped.
    #[error(
        "heap {heap} needs values that the window of {window} values no longer holds: give more --memory, or keep the values (--values all)"
    )]
    Window {
        /// The heap that cannot be decided.
        heap: u64,
        /// How many values are kept at either end.
        window: usize,
    },
    /// A nim-value of 2^32 or more.
    #[error("heap {heap} has a nim-value of 2^32 or more, which is beyond what is stored")]
    Value {
        /// The heap.
        heap: u64,
    },
}

/// A computation of one game's nim-values, heap by heap from 0.
pub trait Engine: Send {
    /// The engine's name, as in the table above.
    fn name(&self) -> &'static str;

    /// The kernel that does the marking.
    fn kernel(&self) -> &'static str;

    /// The values so far, as far as they are kept. `history().len()` is the next heap to be decided.
    fn history(&self) -> &History;

    /// Decides the heaps below `to` that are not decided yet.
    ///
    /// # Errors
    /// [`EngineError`]; the heaps before the one it names are decided.
    fn extend(&mut self, to: u64) -> Result<(), EngineError>;

    /// Takes the values away, for another engine: this one is not to be used any more.
    fn take_history(&mut self) -> History;

    /// The rare positions, for an engine that works with them.
    fn rare(&self) -> Option<&sparse::RareSpace> {
        None
    }
}
