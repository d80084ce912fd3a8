//! Where the values of heaps come from: the one place that knows about engines and period proofs.

use std::time::{Duration, Instant};

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use super::{Period, SumError, Table};
use crate::Rules;
use crate::driver::Computation;
use crate::engine::Engine;
use crate::period;
use crate::values::Values;

impl Table {
    /// A table that knows the value of every heap up to `largest`: a closed form, the heaps themselves, or, where these
    /// are too many, a proven period. It is looked for no longer than `patience`, roughly.
    ///
    /// # Errors
    /// [`SumError::TooFar`] if it can be none of these; it says how far the game would have to be computed.
    pub fn for_game(rules: &Rules, largest: &BigUint, patience: Duration) -> Result<Table, SumError> {
        if let Some(table) = Table::closed_form(rules) {
            return Ok(table);
        }
        let end = largest.to_u64().unwrap_or(u64::MAX).saturating_add(1);
        let start = Instant::now();
        let mut computation = Computation::new(rules, None, true);
        while computation.known() < end && computation.filler().is_none() && start.elapsed() < patience {
            // What ends the computation early is that its values grow beyond all use: then the heap is too far.
            if computation.step(end).is_err() {
                break;
            }
        }
        let period = computation.filler().map(|filler| Period::from(filler.period()));
        if computation.known() < end && period.is_none() {
            let time = in_words(seconds_left(&computation, largest, start.elapsed()));
            let reached = computation.known().saturating_sub(1);
            return Err(SumError::TooFar { game: rules.to_string(), heap: largest.clone(), reached, time, patience });
        }
        let mut values = Values::new();
        values.extend(computation.engine().history().from_zero());
        Ok(Table::new(values, period))
    }
}

impl From<&period::Period> for Period {
    fn from(proven: &period::Period) -> Period {
        Period { preperiod: proven.preperiod, period: proven.period, saltus: proven.saltus }
    }
}

/// How long all heaps up to `largest` would take, when those that are known took `measured`.
fn seconds_left(computation: &Computation, largest: &BigUint, measured: Duration) -> f64 {
    // All pairs: the work for a heap grows with it, and once more for three heaps.
    let power = if computation.engine().name() == "dense" { computation.rules().max_parts() } else { 1 };
    let ratio = largest.to_f64().unwrap_or(f64::INFINITY) / computation.known().max(1) as f64;
    measured.as_secs_f64() * ratio.powi(power as i32)
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
        let table =
            Table::for_game(&game.parse().unwrap(), &BigUint::from(10u32).pow(30), Duration::from_secs(4)).ok()?;
        table.period().map(|p| (p.preperiod, p.period))
    }

    #[test]
    fn periods_are_proven_and_others_are_not_guessed() {
        assert_eq!(period("0.77"), Some((71, 12)));
        assert_eq!(period("0.07"), Some((53, 34)));
        assert_eq!(period("0.137"), Some((52, 34)));
        assert_eq!(period("0.16"), Some((105_351, 149_459)));
        assert_eq!(period("sub{2,5}"), Some((0, 7)));
        assert_eq!(period("0.6"), None);
        assert_eq!(period("0.15"), Some((1, 10)));
    }

    #[test]
    fn the_error_says_how_far_and_how_long() {
        let (rules, patience) = ("0.6".parse().unwrap(), Duration::from_millis(200));
        let error = Table::for_game(&rules, &1_000_000_000_000u64.into(), patience).unwrap_err().to_string();
        assert!(
            error.contains("sprague run 0.6 --to 1000000000000")
                && error.contains("after 0.2 s")
                && error.contains("would have to be computed"),
            "{error}"
        );
        assert_eq!(in_words(0.2), "1 seconds");
        assert_eq!(in_words(119.5), "120 seconds");
        assert_eq!(in_words(7300.0), "2 hours");
        assert_eq!(in_words(f64::INFINITY), "more than ten thousand years");
    }
}
