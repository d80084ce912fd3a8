//! What can go wrong with a sum, and the cure.

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
    /// A heap whose nim-value would need a longer computation than an answer at the table is worth.
    #[error(
        "the value of a heap of {heap} in {game} is out of reach: no period is proven within the first {reached} heaps, \
         so every heap up to {heap} would have to be computed, which takes about {time} at the speed just measured"
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
    },
    /// The outcome is known, but the winning moves are too many to be told from the others one by one.
    #[error("the moves from a heap of {heap} in {game} are too many to be tried one by one")]
    TooManyMoves {
        /// The game.
        game: String,
        /// The heap.
        heap: BigUint,
    },
    /// Brute force met its limit.
    #[error("brute force gives up beyond {limit} positions{cure}")]
    TooManyPositions {
        /// The limit.
        limit: usize,
        /// What to do instead.
        cure: String,
    },
    /// Play need not end, so there is no outcome.
    #[error("play need not end: the position {0} can come back")]
    Endless(String),
}
