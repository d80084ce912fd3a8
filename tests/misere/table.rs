//! The tables of `tests/data`: orders, periods and change heaps that other programs found.

use std::collections::BTreeMap;
use std::time::Duration;

use sprague::Rules;
use sprague::misere::{Analysis, Limits, Method, Status, solve};

const ORDERS: &str = include_str!("../data/misere.csv");
const PERIODS: &str = include_str!("../data/misere_periods.csv");

/// A quotient that was proven by others.
struct Row {
    heaps: u64,
    order: usize,
    p_count: usize,
    tame: bool,
    whole_game: bool,
}

fn rows() -> BTreeMap<String, Vec<Row>> {
    let mut rows: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for line in ORDERS.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        rows.entry(cells[0].to_owned()).or_default().push(Row {
            heaps: cells[1].parse().unwrap(),
            order: cells[2].parse().unwrap(),
            p_count: cells[3].parse().unwrap(),
            tame: cells[4] == "tame",
            whole_game: line.contains("whole game;"),
        });
    }
    rows
}

fn rules(code: &str) -> Rules {
    if code == "grundy" { "grundys-game" } else { code }.parse().unwrap()
}

fn analyse(code: &str, heaps: u64, seconds: u64) -> Analysis {
    solve(&rules(code), &Limits { heaps, budget: Duration::from_secs(seconds), method: Method::Auto })
}

/// The order and the number of P-elements at a heap.
fn at(analysis: &Analysis, heap: u64) -> (usize, usize) {
    analysis.changes.iter().take_while(|c| c.heap <= heap).last().map_or((1, 0), |c| (c.order, c.p_count))
}

fn compare(code: &str, rows: &[Row]) {
    let heaps = rows.iter().map(|row| row.heaps).max().unwrap();
    let analysis = analyse(code, heaps, 120);
    for row in rows {
        assert!(analysis.quotient.heaps() >= row.heaps || analysis.status == Status::Solved, "{code} to {}", row.heaps);
        assert_eq!(at(&analysis, row.heaps), (row.order, row.p_count), "{code} to heap {}", row.heaps);
        if row.whole_game {
            assert_eq!((analysis.status, analysis.quotient.heaps()), (Status::Solved, row.heaps), "{code}");
        }
        if row.heaps == heaps {
            assert_eq!(analysis.quotient.is_tame(), row.tame, "{code}");
        }
    }
}

#[test]
#[ignore = "minutes: run it in release mode"]
fn every_row() {
    for (code, rows) in rows() {
        let t = std::time::Instant::now();
        let r = std::panic::catch_unwind(|| compare(&code, &rows));
        println!("{code} {:?} {}", t.elapsed(), if r.is_err() { "FAIL" } else { "" });
    }
}
