//! Games that are one another, shifted; and some that were said to be and are not.

use std::collections::HashMap;

use rayon::prelude::*;
use sprague::Values;

use crate::data::{Row, rules, table, values};

/// The last heap of `code` that is compared.
const TO: u64 = 2500;

/// The first heap where `g_code(n) = g_equivalent(n + shift)` fails, with both values. Heaps whose partner would be
/// negative are left out.
fn first_difference(code: &Values, equivalent: &Values, shift: i64) -> Option<(u64, u32, u32)> {
    (0..=TO).filter_map(|n| Some((n, n.checked_add_signed(shift)?))).find_map(|(n, partner)| {
        let (a, b) = (code.get(n as usize), equivalent.get(partner as usize));
        (a != b).then_some((n, a, b))
    })
}

/// The values of all games of the table.
fn all_values(rows: &[Row]) -> HashMap<String, Values> {
    let mut games: Vec<&str> = rows.iter().flat_map(|row| [row.text("code"), row.text("equivalent_to_code")]).collect();
    games.sort_unstable();
    games.dedup();
    games.par_iter().map(|&game| (game.to_owned(), values(&rules(game), TO + 10))).collect()
}

#[test]
fn equivalent_games() {
    let rows = table("equivalents.csv");
    let values = all_values(&rows);
    let (equal, different): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|row| row.text("relation") == "equal");
    assert_eq!((equal.len(), different.len()), (555, 4));
    let difference =
        |row: &Row, shift| first_difference(&values[row.text("code")], &values[row.text("equivalent_to_code")], shift);
    for row in equal {
        let shift = row.number("shift").expect("equal games have a shift");
        assert_eq!(difference(row, shift), None, "{} and {}", row.text("code"), row.text("equivalent_to_code"));
    }
    for row in different {
        let game = row.text("code");
        for shift in -2..=2 {
            assert!(difference(row, shift).is_some(), "{game} with shift {shift}");
        }
        // "first difference n=519: g_.161=2 g_.36=4", or less.
        let Some((_, told)) = row.text("checked_to_n").split_once("n=") else { continue };
        let (n, a, b) = difference(row, 0).unwrap();
        let (heap, told_values) = told.split_once(':').unwrap_or((told, ""));
        assert_eq!(heap, n.to_string(), "{game}");
        let told_values: Vec<u32> =
            told_values.split_whitespace().map(|g| g.split_once('=').unwrap().1.parse().unwrap()).collect();
        assert!(told_values.is_empty() || told_values == [a, b], "{game}: {a} and {b}");
    }
}
