//! Nim-values of impartial heap games.
pub mod cli;
pub mod engine;
pub mod graph;
pub mod rules;
pub mod sums;
pub mod values;

pub use rules::Rules;
pub use values::{Slice, Values, Width};
