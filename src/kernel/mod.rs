//! Kernels: sets of nim-values, their mex, and the loops that mark sums in them.
//!
//! [`words`] is what the engines use; [`reference`] says the same on `bitvec`, and a benchmark holds the two
//! side by side.

pub mod reference;
pub mod words;

pub use words::WordSet;
