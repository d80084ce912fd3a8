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

use crate::{Rules, Values};
use dense::Dense;
use finite::Finite;
use sparse::{Mask, RareSpace, Shape, Sparse, choose_mask};
use tail::Tail;

pub use history::History;
pub use plan::Planned;

/// Why an engine cannot decide the next heap.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EngineError {
    /// The heap's value depends on values that bounded memory has dropped.
    #[error("heap {heap} needs values that the window of {window} values no longer holds")]
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
    fn rare(&self) -> Option<&RareSpace> {
        None
    }
}

/// Every engine that covers a game, each going on from the first `from` of the values in `known`: what tests
/// compare with each other. The sparse engine comes with the mask that suits `known` best and with masks that
/// nobody would choose: the result must be the same.
pub fn every(rules: &Rules, known: &[u32], from: usize) -> Vec<Box<dyn Engine>> {
    let start = || History::from_parts(Values::new(), known[..from].iter().copied().collect(), 0, None);
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Dense::new(rules, start()))];
    if Finite::covers(rules) {
        engines.push(Box::new(Finite::new(rules, start())));
    }
    if Tail::covers(rules) {
        engines.push(Box::new(Tail::new(rules, start())));
    }
    if let Some(shape) = Shape::of(rules) {
        let all: Values = known.iter().copied().collect();
        let best = choose_mask(all.as_slice(), 0, shape.parity());
        let odd = [Some(Mask { bits: !5, domain: None }), shape.parity().map(|t| Mask { bits: !2, domain: Some(t) })];
        for mask in best.into_iter().chain(odd.into_iter().flatten()) {
            let start = start();
            let space = RareSpace::new(mask, start.from_zero());
            engines.push(Box::new(Sparse::new(shape.clone(), start, space)));
        }
    }
    engines
}
