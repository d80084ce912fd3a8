//! How a command ends: the exit codes, in one place.

use std::io;
use std::process::ExitCode;

use thiserror::Error;

use crate::kernel::Unavailable;
use crate::misere::CheckFailed;
use crate::rules::{ParseError, SizeError};
use crate::sums::SumError;

/// How a command that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All done: exit code 0.
    Done,
    /// Checked and found false: exit code 1.
    False,
    /// Stopped early by a limit or a signal, state saved: exit code 4.
    Stopped,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Done => 0,
            Outcome::False => 1,
            Outcome::Stopped => 4,
        })
    }
}

/// Why a command could not do its work. The message names the cure.
#[derive(Debug, Error)]
pub enum Failure {
    /// Wrong arguments or input: exit code 2.
    #[error("{0}")]
    Usage(String),
    /// A file that cannot be read or written, or is corrupt: exit code 3.
    #[error("{0}")]
    Data(String),
    /// Stopped by a limit before there was a result: exit code 4.
    #[error("{0}")]
    Limit(String),
    /// What was found does not pass its check, by a fault of the program: exit code 1.
    #[error("{0}")]
    Fault(String),
    /// Whoever reads stdout went away, which is no error: exit code 0, and nothing is said.
    #[error("stdout was closed")]
    ClosedPipe,
}

impl Failure {
    /// The exit code.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::Fault(_) => 1,
            Failure::Usage(_) => 2,
            Failure::Data(_) => 3,
            Failure::Limit(_) => 4,
            Failure::ClosedPipe => 0,
        })
    }
}

impl From<ParseError> for Failure {
    fn from(error: ParseError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<SizeError> for Failure {
    fn from(error: SizeError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<Unavailable> for Failure {
    fn from(error: Unavailable) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<CheckFailed> for Failure {
    fn from(error: CheckFailed) -> Failure {
        Failure::Fault(error.to_string())
    }
}

impl From<SumError> for Failure {
    fn from(error: SumError) -> Failure {
        match error {
            SumError::Graph { .. } => Failure::Data(error.to_string()),
            _ if error.is_limit() => Failure::Limit(error.to_string()),
            _ => Failure::Usage(error.to_string()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Data(format!("cannot write the output: {error}")),
        }
    }
}
