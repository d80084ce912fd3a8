//! The games of a census.

use serde::{Deserialize, Serialize};

use crate::Rules;
use crate::rules::NAMED;

/// The largest number that a subtraction set of a census may have.
pub const MAX_SUBTRACTION: u32 = 12;

/// A family of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Octal codes `0.` and `4.` with one digit behind the point, `4.0` among them
    Octal1,
    /// ... with at most two digits
    Octal2,
    /// ... with at most three digits: 1,023 codes
    Octal3,
    /// Codes `0.` with one or two digits, one of them 8 to F
    Hexadecimal,
    /// Grundy's game and Couples-are-Forever
    Splitting,
    /// Sets of numbers up to 12 that may be taken: 4,095 sets
    Subtraction,
}

impl Family {
    /// The games of the family, the shortest codes first.
    pub fn games(self) -> Vec<Rules> {
        match self {
            Family::Octal1 => octal(1),
            Family::Octal2 => octal(2),
            Family::Octal3 => octal(3),
            Family::Hexadecimal => hexadecimal(),
            Family::Splitting => {
                let split = |name: &str| ["grundys-game", "couples-are-forever"].contains(&name);
                NAMED.iter().filter(|named| split(named.name)).map(|named| named.rules()).collect()
            }
            Family::Subtraction => subtraction(),
        }
    }
}

/// All octal codes of at most `digits` digits behind the point that have a move.
fn octal(digits: u32) -> Vec<Rules> {
    let mut codes: Vec<Rules> = [0, 4].into_iter().flat_map(|first| codes(first, digits, 8)).collect();
    codes.retain(|rules| rules.max_parts() > 0 || rules.prefix().iter().any(|&d| d != 0));
    codes.sort_by_key(|rules| (rules.prefix().len(), rules.prefix().to_vec()));
    codes
}

fn hexadecimal() -> Vec<Rules> {
    let mut codes = codes(0, 2, 16);
    codes.retain(|rules| rules.max_parts() == 3);
    codes.sort_by_key(|rules| (rules.prefix().len(), rules.prefix().to_vec()));
    codes
}

/// Every code with this digit before the point and at most `digits` digits behind it, trailing zeros dropped.
fn codes(first: u8, digits: u32, base: u32) -> Vec<Rules> {
    (0..base.pow(digits))
        .map(|number| {
            let digit = |i| (number / base.pow(digits - i) % base) as u8;
            let prefix: Vec<u8> = std::iter::once(first).chain((1..=digits).map(digit)).collect();
            Rules::from_digits(&prefix, &[]).expect("0 and 4 may stand before the point")
        })
        .collect()
}

fn subtraction() -> Vec<Rules> {
    let mut sets: Vec<Vec<u32>> = (1u32..1 << MAX_SUBTRACTION)
        .map(|set| (1..=MAX_SUBTRACTION).filter(|i| set >> (i - 1) & 1 == 1).collect())
        .collect();
    sets.sort_by_key(|set| (set.len(), set.clone()));
    let text = |set: &Vec<u32>| set.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    sets.iter()
        .map(|set| format!("sub{{{}}}", text(set)).parse().expect("a set of numbers from 1 on is a game"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_code_once() {
        for (family, count) in [
            (Family::Octal1, 15),
            (Family::Octal2, 127),
            (Family::Octal3, 1023),
            (Family::Hexadecimal, 192),
            (Family::Splitting, 2),
            (Family::Subtraction, 4095),
        ] {
            let games = family.games();
            let texts: HashSet<String> = games.iter().map(Rules::to_string).collect();
            assert_eq!((games.len(), texts.len()), (count, count), "{family:?}");
            assert!(
                games.iter().all(|rules| rules.moves(40).next().is_some()
                    || rules.moves(1).next().is_some()
                    || rules.moves(2).next().is_some()
                    || rules.moves(3).next().is_some()),
                "{family:?}: all have moves"
            );
        }
        let shortest: Vec<String> = Family::Octal3.games()[..3].iter().map(Rules::to_string).collect();
        assert_eq!(shortest, ["4.0", "0.1", "0.2"]);
    }
}
