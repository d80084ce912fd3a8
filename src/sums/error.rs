//! What can go wrong with a sum, and the cure.

use std::time::Duration;

use num_bigint::BigUint;
use thiserror::Error;

use crate::graph::GraphError;
use crate::rules::ParseError;

/// A position that cannot be read, or a question about it that cannot be answered.
#[derive(Debug, Error)]
pub enum SumError {
    /// The text is no position; the message points at the character.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The graph of a `graph(FILE)` cannot be used.
    #[error("{file}: {source}")]
    Graph {
        /// The file.
        file: String,
        /// What is wrong with it.
        source: GraphError,
    },
    /// A heap whose nim-value would need a longer computation than was allowed.
    #[error(
        "the value of a heap of {heap} in {game} is out of reach: no period is proven within the first {reached} heaps, \
         so every heap up to {heap} would have to be computed, which takes about {time} at the speed just measured; \
         this was stopped after {}: `--patience TIME` goes on for longer, and `sprague run {game} --to {heap} -o DIR` \
         computes in a directory that keeps everything", in_seconds(.patience)
    )]
    TooFar {
        /// The game.
        game: String,
        /// The heap that was asked for.
        heap: BigUint,
        /// The largest heap that was computed.
        reached: u64,
        /// An estimate, in words.
        time: String,
        /// How long was computed at most.
        patience: Duration,
    },
    /// A heap that is not in the table that was given.
    #[error("the value of a heap of {heap} in {game} is not in the table, which ends at heap {reached}")]
    NotInTable {
        /// The game.
        game: String,
        /// The heap that was asked for.
        heap: BigUint,
        /// The largest heap in the table.
        reached: u64,
    },
    /// The outcome is known, but the winning moves are too many to be told from the others one by one, in the time
    /// that was allowed.
    #[error(
        "the moves from a heap of {heap} in {game} are too many to be tried one by one, and no theorem that is known \
         here counts them"
    )]
    TooManyMoves {
        /// The game.
        game: String,
        /// The heap.
        heap: BigUint,
    },
    /// Brute force met its limit.
    #[error("brute force was stopped: it gives up beyond {limit} positions, or 8 times as many moves{cure}")]
    TooManyPositions {
        /// The limit.
        limit: usize,
        /// What to do instead.
        cure: String,
    },
    /// Brute force took longer than was allowed.
    #[error("brute force was stopped after {}: `--patience TIME` goes on for longer{cure}", in_seconds(.patience))]
    TookTooLong {
        /// The time that was allowed.
        patience: Duration,
        /// What to do instead.
        cure: String,
    },
    /// Play need not end, so there is no outcome.
    #[error("play need not end: the position {0} can come back")]
    Endless(String),
}

impl SumError {
    /// Whether a limit was met: the question is a good one, and more time or another way may answer it.
    pub fn is_limit(&self) -> bool {
        use SumError::{TooFar, TooManyMoves, TooManyPositions, TookTooLong};
        matches!(self, TooFar { .. } | TooManyMoves { .. } | TooManyPositions { .. } | TookTooLong { .. })
    }
}

fn in_seconds(time: &Duration) -> String {
    format!("{} s", time.as_secs_f64())
}
