//! Games whose period is known: found, proven, and the least.

use rayon::prelude::*;

use crate::data::{Row, prove, rules, table};

/// Below this, a proof takes a second or so.
const QUICK: u64 = 1_000_000;
/// Below this, half a minute or so.
const LONG: u64 = 20_000_000;

fn size(row: &Row) -> u64 {
    row.count("period") + row.count("preperiod")
}

fn check(row: &Row) {
    let game = row.text("code");
    let (period, computation) = prove(&rules(game), 3 * size(row) + 10_000_000);
    let period = period.unwrap_or_else(|| panic!("{game}: no period is proven"));
    assert_eq!(
        (period.period, period.preperiod, period.saltus),
        (row.count("period"), row.count("preperiod"), 0),
        "{game}"
    );
    assert_eq!(Some(period.last_exception()), row.number("last_exception").map(i128::from), "{game}");
    let statistics = computation.statistics();
    let largest = (statistics.max_value, statistics.max_at);
    assert_eq!(largest, (row.count("max_value"), row.count("argmax")), "{game}");
}

fn check_between(from: u64, to: u64) -> usize {
    let rows = table("solved.csv");
    let chosen: Vec<&Row> = rows.iter().filter(|row| (from..to).contains(&size(row))).collect();
    chosen.par_iter().for_each(|row| check(row));
    chosen.len()
}

#[test]
fn periods_below_a_million() {
    assert_eq!(check_between(0, QUICK), 60);
}

#[test]
#[ignore = "ten million values: half a minute"]
fn periods_of_millions() {
    assert_eq!(check_between(QUICK, LONG), 1);
}

#[test]
#[ignore = "hundreds of millions of values, all in memory"]
fn periods_of_hundreds_of_millions() {
    assert_eq!(check_between(LONG, u64::MAX), 2);
}

/// Proven by others too, but not in the table: (game, period, preperiod).
#[test]
fn more_periods() {
    for (game, period, preperiod) in [(".165", 1550, 5181), (".644", 442, 3256), (".77", 12, 71), (".07", 34, 53)] {
        let (found, _) = prove(&rules(game), QUICK);
        let found = found.unwrap_or_else(|| panic!("{game}: no period is proven"));
        assert_eq!((found.period, found.preperiod, found.saltus), (period, preperiod, 0), "{game}");
    }
}

#[test]
#[ignore = "two million values: seconds"]
fn a_period_of_4_from_heap_2268248_on() {
    let (found, _) = prove(&rules(".376"), 20_000_000);
    let found = found.expect("the period is proven");
    assert_eq!((found.period, found.preperiod, found.saltus), (4, 2_268_248, 0));
}
