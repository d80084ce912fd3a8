//! What can go wrong with a census.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::engine::EngineError;
use crate::misere::CheckFailed;
use crate::rules::ParseError;

/// Why a census cannot go on. The message names the cure.
#[derive(Debug, Error)]
pub enum CensusError {
    /// The directory has a plan already.
    #[error("{} has a plan already: choose another directory, or go on with `census run`", .0.display())]
    Exists(PathBuf),
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file that is not what it should be.
    #[error("{}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// Some units have no result.
    #[error("{missing} of {units} units are not done yet: `census run` does them")]
    Unfinished {
        /// How many.
        missing: usize,
        /// Of how many.
        units: usize,
    },
    /// A game of the plan that is none.
    #[error(transparent)]
    Game(#[from] ParseError),
    /// A game whose values cannot be computed.
    #[error("{game}: {source}")]
    Engine {
        /// The game.
        game: String,
        /// Why.
        source: EngineError,
    },
    /// A misère quotient that is wrong.
    #[error(transparent)]
    Quotient(#[from] CheckFailed),
    /// Two games whose first values are equal and later ones are not.
    #[error("{game} and {member} have different values for heap {heap}: their class has to be parted in the plan")]
    Unequal {
        /// The game that stands for the class.
        game: String,
        /// The other.
        member: String,
        /// A heap of the other.
        heap: u64,
    },
}

impl CensusError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> CensusError + '_ {
        move |source| CensusError::Io { path: path.to_owned(), source }
    }

    pub(super) fn damaged(path: &Path, what: impl ToString) -> CensusError {
        CensusError::Damaged { path: path.to_owned(), what: what.to_string() }
    }
}
