//! One number that tells whether this program computes what it should, whatever the CPU.

use crc32fast::Hasher;

use crate::Rules;
use crate::engine::{Engine, EngineError, Planned};
use crate::values::Values;

/// Games with their last heap: every engine, and every block kernel beyond the heap where blocks begin.
pub const GAMES: &[(&str, u64)] = &[
    ("sub{9,20,29,32}", 20_000),
    ("0.3131", 5_000),
    ("allbut{4,6,7,11}", 5_000),
    ("nim", 5_000),
    ("0.04", 8_000),
    ("4.[3]", 3_000),
    ("0.A8", 700),
    ("grundys-game", 15_000),
    ("couples-are-forever", 60_000),
    ("0.007", 10_000),
    ("0.106", 300_000),
    ("0.104", 300_000),
    ("0.054", 200_000),
    ("0.454", 200_000),
    ("0.205", 200_000),
    ("0.324", 300_000),
    ("0.354", 150_000),
    ("0.16", 200_000),
    ("0.6", 120_000),
];

/// The signature: the same for every kernel and every number of threads.
///
/// # Errors
/// [`EngineError`], which the values of these games give no reason for.
pub fn signature() -> Result<u32, EngineError> {
    checksum(|rules, to| {
        let mut engine = Planned::new(rules, None);
        engine.extend(to + 1)?;
        let mut values = Values::new();
        values.extend(engine.history().from_zero());
        Ok(values)
    })
}

/// The CRC-32 (as of zlib) of the values of the games, one game after the other, each value in four bytes, the
/// lowest first. `values` gives those of heaps 0 to the one that it is told.
///
/// # Errors
/// Those of `values`.
pub fn checksum<E>(mut values: impl FnMut(&Rules, u64) -> Result<Values, E>) -> Result<u32, E> {
    let mut hasher = Hasher::new();
    for &(game, to) in GAMES {
        let rules = game.parse().expect("the games of the signature are games");
        let values = values(&rules, to)?;
        values.as_slice().iter().for_each(|v| hasher.update(&v.to_le_bytes()));
    }
    Ok(hasher.finalize())
}
