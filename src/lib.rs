//! Nim-values of impartial heap games: computed, stored, their periods found and proven.
//!
//! ```
//! use sprague::Rules;
//! use sprague::driver::Computation;
//!
//! let kayles: Rules = "0.77".parse()?;
//! let mut computation = Computation::new(&kayles, None, true);
//! while computation.filler().is_none() {
//!     computation.step(10_000)?;
//! }
//! let period = computation.filler().unwrap().period();
//! assert_eq!((period.preperiod, period.period), (71, 12));
//! assert_eq!(computation.value(1_000_000_000_000), Some(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The map
//!
//! A module uses only those above it in this list, `cli` excepted.
//!
//! | module | what it is for |
//! |---|---|
//! | [`rules`] | the text of a game, its digits, its moves, its canonical form |
//! | [`values`] | runs of nim-values in the narrowest type that holds them |
//! | [`kernel`] | sets of nim-values, their mex, the loops that mark sums |
//! | [`engine`] | ways to compute a game, the plan that chooses one, the oracle that all are compared with |
//! | [`period`] | finding periods, the theorems that prove them, filling from a proven period |
//! | [`statistics`] | how often each value occurs, and the largest |
//! | [`store`] | run directories: values, manifest, checkpoints, lock, recovery |
//! | [`driver`] | one computation, one run, the verification of a stored run |
//! | [`check`] | certificates of periods and their checker, which uses [`rules`] alone |
//! | [`sums`] | positions: sums of games, who wins, every winning move, normal and misère |
//! | [`graph`] | Grundy values of any acyclic game graph |
//! | [`misere`] | misère quotients with proofs, genus symbols, certificates and their checker |
//! | [`census`] | one question asked of many games, in units of work that are merged |
//! | [`selftest`] | known answers |
//! | [`mod@bench`] | how fast the engines are, and a signature of what they compute |
//! | [`report`] | results as text, JSON, CSV, b-files and pictures; nothing there computes |
//! | [`work`] | how far work has come that threads share |
//! | [`cli`] | the command line, one file a subcommand |
//!
//! `unsafe` code is in [`kernel`] and [`store`] only. Errors are one enum a layer, and each message names the cure.

pub mod bench;
pub mod census;
pub mod check;
pub mod cli;
pub mod driver;
pub mod engine;
pub mod graph;
pub mod kernel;
pub mod misere;
pub mod period;
pub mod report;
pub mod rules;
pub mod selftest;
pub mod statistics;
pub mod store;
pub mod sums;
pub mod values;
pub mod work;

pub use rules::Rules;
pub use values::{Slice, Values, Width};
