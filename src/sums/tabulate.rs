//! Where the values of heaps come from: the one place that knows about engines and period proofs.

use std::time::{Duration, Instant};

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::{Period, SumError, Table};
use crate::Rules;
use crate::engine::naive;
use crate::rules::{LEAVE_TWO, Split};

/// How far a game is computed for one question: a second or two by the definition.
const REACH: u64 = 2000;

impl Table {
    /// A table that knows the value of every heap up to `largest`: a closed form, the heaps themselves, or, where these
    /// are too many, a proven period.
    ///
    /// # Errors
    /// [`SumError::TooFar`] if it can be none of these; it says how far the game would have to be computed.
    pub fn for_game(rules: &Rules, largest: &BigUint) -> Result<Table, SumError> {
        if let Some(table) = Table::closed_form(rules) {
            return Ok(table);
        }
        let near = largest.to_u64().filter(|&n| n <= REACH);
        let start = Instant::now();
        let values = naive::values(rules, near.unwrap_or(REACH));
        let period = if near.is_some() { None } else { guy_smith(rules, &values) };
        if near.is_none() && period.is_none() {
            let time = estimate(rules, largest, start.elapsed());
            return Err(SumError::TooFar { game: rules.to_string(), heap: largest.clone(), reached: REACH, time });
        }
        Ok(Table::new(values.into_iter().collect(), period))
    }
}

/// The theorem of Guy and Smith (1956): in a finite octal game with last index `k`, if `g(n + p) = g(n)` for
/// `n0 <= n < 2 n0 + p + k` with `n0 >= 1`, then for all `n >= n0`. Finds the least such `p` that the values prove.
fn guy_smith(rules: &Rules, values: &[u32]) -> Option<Period> {
    let k = rules.last_index().filter(|_| rules.max_parts() <= 2 && rules.split() == Split::Any)? as usize;
    (1..values.len() / 2).find_map(|p| {
        let last_exception = (0..values.len() - p).rev().find(|&n| values[n] != values[n + p]);
        let preperiod = last_exception.map_or(1, |n| (n + 1).max(1));
        let proven = 2 * preperiod + 2 * p + k <= values.len();
        proven.then_some(Period { preperiod: preperiod as u64, period: p as u64, saltus: 0 })
    })
}

/// How long all heaps up to `largest` would take, when [`REACH`] of them took `measured`.
fn estimate(rules: &Rules, largest: &BigUint, measured: Duration) -> String {
    // The work grows with one more power of the heap for every part of a move that is free to vary.
    let splits = rules.tail().iter().any(|d| d & LEAVE_TWO != 0);
    let power = rules.max_parts().max(1) + u32::from(splits || rules.max_parts() < 2 && !rules.tail().is_empty());
    let ratio = largest.to_f64().unwrap_or(f64::INFINITY) / REACH as f64;
    in_words(measured.as_secs_f64() * ratio.powi(power as i32))
}

fn in_words(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(60.0, "minutes"), (3600.0, "hours"), (86400.0, "days"), (31_557_600.0, "years")];
    let unit = UNITS.iter().rev().find(|(length, _)| seconds >= 2.0 * length);
    match unit {
        None => format!("{} seconds", seconds.ceil().max(1.0)),
        Some((length, name)) if seconds / length < 1e4 => format!("{:.0} {name}", seconds / length),
        Some(_) => "more than ten thousand years".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(game: &str) -> Option<(u64, u64)> {
        let table = Table::for_game(&game.parse().unwrap(), &BigUint::from(10u32).pow(30)).ok()?;
        table.period().map(|p| (p.preperiod, p.period))
    }

    #[test]
    fn short_periods_are_proven_and_others_are_not_guessed() {
        assert_eq!(period("0.77"), Some((71, 12)));
        assert_eq!(period("0.07"), Some((53, 34)));
        assert_eq!(period("0.137"), Some((52, 34)));
        assert_eq!(period("0.6"), None);
        assert_eq!(period("grundys-game"), None);
        assert_eq!(period("0.15"), Some((1, 10)));
    }

    #[test]
    fn the_error_says_how_far_and_how_long() {
        let error = Table::for_game(&"0.6".parse().unwrap(), &1_000_000_000_000u64.into()).unwrap_err().to_string();
        assert!(error.contains("1000000000000") && error.contains("years"), "{error}");
        assert_eq!(in_words(0.2), "1 seconds");
        assert_eq!(in_words(119.5), "120 seconds");
        assert_eq!(in_words(7300.0), "2 hours");
        assert_eq!(in_words(f64::INFINITY), "more than ten thousand years");
    }
}
