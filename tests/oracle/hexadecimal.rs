//! Codes that may leave three heaps: first values, and regularities that were observed.

use rayon::prelude::*;
use sprague::period::Match;

use crate::data::{Row, prove, rules, table};

/// Enough to see the periods of the table, which are short.
const HEAPS: u64 = 700;

#[test]
fn values_and_regularities() {
    let rows = table("hexadecimal.csv");
    assert_eq!(rows.len(), 137);
    rows.par_iter().for_each(check);
}

fn check(row: &Row) {
    let game = row.text("code");
    let (proven, computation) = prove(&rules(game), HEAPS);
    let value = |n| computation.value(n).expect("small heaps are known");
    let first: Vec<String> = (0..24).map(|n| value(n).to_string()).collect();
    assert_eq!(first.join(" "), row.text("first_24_values"), "{game}");
    let told = row.number("period").map(|_| (row.count("preperiod"), row.count("period"), row.count("saltus")));
    match row.text("type_observed") {
        "periodic" => {
            // Plain periods of finite codes are proven, three heaps or not.
            let proven = proven.unwrap_or_else(|| panic!("{game}: no period is proven"));
            assert_eq!(Some((proven.preperiod, proven.period, proven.saltus)), told, "{game}");
        }
        "arithmetic" => {
            assert_eq!(proven, None, "{game}: no theorem covers it");
            let seen = computation.observed().unwrap_or_else(|| panic!("{game}: nothing is observed"));
            let Match { start, period, saltus, .. } = seen;
            assert_eq!(Some((start, period, saltus)), told, "{game}");
        }
        _ => {
            assert_eq!(proven, None, "{game}: others found nothing");
        }
    }
}
