//! Nim-values of impartial heap games.
pub mod cli;
pub mod driver;
pub mod engine;
pub mod kernel;
pub mod misere;
pub mod period;
pub mod report;
pub mod rules;
pub mod statistics;
pub mod store;
pub mod values;

pub use rules::Rules;
pub use values::{Slice, Values, Width};
