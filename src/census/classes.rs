//! Classes of games whose first values are equal when leading zeros are left out.

use std::collections::HashMap;

use rayon::prelude::*;

use crate::driver::Computation;
use crate::{Rules, Values};

use super::CensusError;
use super::plan::{Member, Unit};

/// How many values are compared, from the first that is not zero on. Codes are known that differ at heap 519 for the
/// first time.
const COMPARED: u64 = 1 << 12;
/// The same for games that may leave three heaps, which are compared with each other only.
const COMPARED_OF_THREE: u64 = 1 << 10;

/// The classes in the order of their first games, which stand for them.
pub(super) fn classes(games: &[Rules]) -> Result<Vec<Unit>, CensusError> {
    let keys: Vec<(u64, Values)> = games.par_iter().with_max_len(1).map(key).collect::<Result<_, _>>()?;
    let mut places: HashMap<Vec<u32>, usize> = HashMap::new();
    let mut classes: Vec<(u64, Unit)> = Vec::new();
    for (rules, (zeros, values)) in games.iter().zip(&keys) {
        let place = *places.entry(values.as_slice().iter().collect()).or_insert(classes.len());
        let game = rules.to_string();
        match classes.get_mut(place) {
            Some((first, unit)) => unit.members.push(Member { game, shift: *first as i64 - *zeros as i64 }),
            None => classes.push((*zeros, Unit { game, members: Vec::new() })),
        }
    }
    Ok(classes.into_iter().map(|(_, unit)| unit).collect())
}

/// The number of leading zeros, and the values after them.
fn key(rules: &Rules) -> Result<(u64, Values), CensusError> {
    let compared = if rules.max_parts() == 3 { COMPARED_OF_THREE } else { COMPARED };
    let mut computation = Computation::new(rules, None, false);
    // Every game here has a move from a heap of less than a dozen and a half.
    let to = compared + 16;
    while computation.known() < to {
        computation.compute(to).map_err(|source| CensusError::Engine { game: rules.to_string(), source })?;
    }
    let value = |n| computation.value(n).unwrap_or(0) as u32;
    let zeros = (0..to).find(|&n| value(n) > 0).unwrap_or(0);
    Ok((zeros, (zeros..zeros + compared).map(value).collect()))
}
