//! Nim-values of impartial heap games.
pub mod cli;
pub mod engine;
pub mod misere;
pub mod rules;
pub mod values;

pub use rules::Rules;
pub use values::{Slice, Values, Width};
