//! A census: one question asked of many games, in units of work that can be done anywhere and in any order.
//!
//! [`Plan`] lists the units, [`run`] does those that are not done, [`merge`] puts all results into one file, which has
//! the same bytes whatever the order, the split into shards, the number of threads and the machine: no result depends
//! on a clock or a kernel.
//!
//! There are two kinds. A census of *normal* play reduces the games to classes of equal sequences and finds each
//! class's period, or what can be said of a class without one ([`Class`]). A census of *misère* play reduces
//! them to codes that are move for move the same game, and looks for each one's misère quotient ([`Misere`]).
//!
//! # Files, version 1
//!
//! A census is a directory. `plan.json` has the keys of [`Plan`], one unit a line. `units/GAME.json` is the result of one
//! unit, [`Class`] or [`Misere`] on one line: it is written under another name, synced and renamed, so that it is whole or
//! not there. An interrupted run loses the units at hand. The merged file has the keys `format`
//! (`sprague-atlas`), `version`, then those of the plan but for the units, and `results`, one a line in the plan's order.
//!
//! | module | what it does |
//! |---|---|
//! | `games` | the families of games |
//! | [`equal`] | theorems by which codes have equal sequences |
//! | `classes` | classes of games with equal first values |
//! | `plan`, `dir` | the plan, the directory, running and merging |
//! | `unit`, `members` | one class of normal play |
//! | `misere` | one game of misère play |
//! | `table`, `literature` | the results as Markdown, beside what others published |

mod classes;
mod dir;
pub mod equal;
mod error;
mod games;
mod literature;
mod members;
mod misere;
mod plan;
mod table;
mod unit;

pub use crate::period::Exclusion;
pub use dir::{Merged, Progress, Results, create, merge, run};
pub use error::CensusError;
pub use games::Family;
pub use literature::Literature;
pub use misere::Misere;
pub use plan::{Kind, Member, MisereLimits, NormalLimits, Plan, Unit};
pub use table::table;
pub use unit::{Class, Equal, Found, Growth};
