//! Misère play: whoever makes the last move loses.
//!
//! Nim-values say nothing about it. Positions G and H are *equivalent* in a set of positions if G + X and H + X
//! have one outcome for every X of the set; the classes form a commutative monoid, the *misère quotient*, in which a
//! position is the product of the values Φ of its heaps and a subset P holds the values of P-positions. Heaps 1 to n
//! have the n-th partial quotient; if that does not change any more and Φ is periodic, it is the quotient of the whole
//! game (Plambeck, "Taming the wild in impartial combinatorial games", 2005; Plambeck and Siegel, "Misère quotients
//! for impartial games", 2008).
//!
//! ```
//! use sprague::misere::{Limits, Method, Outcome, solve};
//! use std::time::Duration;
//!
//! let kayles = "kayles".parse().unwrap();
//! let limits = Limits { heaps: 200, budget: Duration::from_secs(10), method: Method::Auto };
//! let quotient = solve(&kayles, &limits)?.quotient;
//! assert_eq!((quotient.order(), quotient.period().unwrap().period), (40, 12));
//! // Three heaps, one of them far beyond what was computed: whoever is to move wins, and these are all the ways.
//! assert_eq!(quotient.outcome(&[5, 9, 1_000_000])?, Outcome::N);
//! assert!(!quotient.winning_moves(&[5, 9, 1_000_000])?.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what it does |
//! |---|---|
//! | [`check`](mod@check) | decides whether a claimed quotient is the true one; shares no code with what finds it |
//! | [`certificate`] | the claim as a file |
//! | `solve` | heap by heap: tame, conservative extension, guess, search, period |
//! | `tame` | games like misère Nim, on the engines of normal play |
//! | `extend` | a heap whose value is in the quotient already |
//! | `guess`, `trial` | a larger quotient from the one before and a few heaps that are free |
//! | `search`, `atoms`, `learn` | a larger quotient, or a lower bound of its order, from true outcomes |
//! | `chain` | what every hypothesis has to pass before it goes on |
//! | `quotient`, `play`, `presentation`, `period` | what is known of a verified quotient |
//! | [`genus`] | genus symbols of single heaps |

mod atoms;
mod bits;
mod budget;
pub mod certificate;
mod chain;
pub mod check;
mod digits;
mod extend;
pub mod genus;
mod guess;
mod learn;
mod monoid;
mod options;
mod period;
mod play;
mod presentation;
mod quotient;
mod search;
mod solve;
mod tame;
mod trial;
mod words;

pub use certificate::{Certificate, CertificateError, Verified};
pub use check::{Refusal, check};
pub use genus::{Genus, Kind, TooLarge, genera};
pub use monoid::MAX_ORDER;
pub use period::Period;
pub use play::WinningMove;
pub use presentation::{Monomial, Presentation, generator_name};
pub use quotient::{Outcome, Quotient, UnknownHeap};
pub use solve::{Analysis, Change, CheckFailed, Halt, Limits, Method, Status, solve, solve_by_work};
