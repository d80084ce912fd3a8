//! The tables of `tests/data`: orders, periods and change heaps that other programs found.

use std::collections::BTreeMap;
use std::time::Duration;

use sprague::misere::{Analysis, Halt, Method, Status};

use super::analyse;

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

fn cells(line: &str) -> Vec<&str> {
    line.split(',').collect()
}

fn rows() -> BTreeMap<String, Vec<Row>> {
    let mut rows: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for line in ORDERS.lines().skip(1) {
        let cells = cells(line);
        let code = if cells[0] == "grundy" { "grundys-game" } else { cells[0] };
        rows.entry(code.to_owned()).or_default().push(Row {
            heaps: cells[1].parse().unwrap(),
            order: cells[2].parse().unwrap(),
            p_count: cells[3].parse().unwrap(),
            tame: cells[4] == "tame",
            whole_game: line.contains("proved: whole game"),
        });
    }
    rows
}

/// The order and the number of P-elements at a heap.
fn at(analysis: &Analysis, heap: u64) -> (usize, usize) {
    analysis.changes.iter().take_while(|c| c.heap <= heap).last().map_or((1, 0), |c| (c.order, c.p_count))
}

#[test]
fn every_row() {
    let periods: BTreeMap<&str, Vec<&str>> =
        PERIODS.lines().skip(1).map(|line| (cells(line)[0], cells(line))).collect();
    for (code, rows) in rows() {
        let heaps = rows.iter().map(|row| row.heaps).max().unwrap();
        let analysis = analyse(&code, heaps, Method::Auto);
        for row in &rows {
            assert_eq!(at(&analysis, row.heaps), (row.order, row.p_count), "{code} to heap {}", row.heaps);
        }
        let last = rows.iter().find(|row| row.heaps == heaps).unwrap();
        assert_eq!(analysis.quotient.is_tame(), last.tame, "{code}");
        // The heaps that the proof of a period needs are as many as others needed, to the heap.
        match rows.iter().any(|row| row.whole_game) {
            true => assert_eq!((analysis.status, analysis.quotient.heaps()), (Status::Solved, heaps), "{code}"),
            false => assert_eq!(analysis.quotient.heaps(), heaps, "{code}: {:?}", analysis.status),
        }
        if let Some(row) = periods.get(code.as_str()) {
            compare_period(&analysis, row);
        }
    }
}

/// `row`: preperiod, period, order, change heaps and the order of the kernel, after the code.
fn compare_period(analysis: &Analysis, row: &[&str]) {
    let period = analysis.quotient.period().map(|p| (p.preperiod, p.period));
    assert_eq!(period, row[1].parse().ok().zip(row[2].parse().ok()), "{row:?}");
    assert_eq!(analysis.quotient.order(), row[3].parse::<usize>().unwrap(), "{row:?}");
    let changes: Vec<u64> = row[4].split(' ').map(|heap| heap.parse().unwrap()).collect();
    assert_eq!(analysis.changes.iter().map(|c| c.heap).collect::<Vec<_>>(), changes, "{row:?}");
    assert_eq!(kernel_order(analysis), row[5].parse::<usize>().unwrap(), "{row:?}");
}

/// The size of the kernel: the elements that every element's products reach.
fn kernel_order(analysis: &Analysis) -> usize {
    let q = &analysis.quotient;
    let everything = (0..q.order() as u16).fold(0, |x, y| q.product(x, y));
    (0..q.order() as u16).map(|x| q.product(everything, x)).collect::<std::collections::BTreeSet<_>>().len()
}

/// One period of 0.644 needs 7398 heaps.
#[test]
fn a_long_period() {
    let analysis = analyse("0.644", 8000, Method::Auto);
    assert_eq!(analysis.status, Status::Solved);
    assert_eq!((analysis.quotient.order(), analysis.quotient.p_count(), analysis.quotient.heaps()), (172, 7, 7398));
    let period = analysis.quotient.period().unwrap();
    assert_eq!((period.preperiod, period.period), (3256, 442));
}

/// Dawson's Kayles. Whether its quotient to heap 34 is finite is an open question: it must not be answered by a guess.
#[test]
fn dawsons_kayles() {
    let limits = super::Limits { heaps: 34, budget: Duration::from_secs(8), method: Method::Auto };
    let analysis = super::solve(&super::rules("0.07"), &limits).unwrap();
    let orders = [14, 24, 25, 26, 27, 29, 30, 31, 32, 33].map(|heap| at(&analysis, heap).0);
    assert_eq!(orders, [24, 24, 144, 144, 176, 176, 360, 520, 552, 638]);
    assert_eq!(analysis.quotient.heaps(), 33);
    assert!(matches!(analysis.status, Status::Unresolved { lower_bound: 639.. }), "{:?}", analysis.status);
}

#[test]
fn games_solved_by_others() {
    for (code, order, p_count) in
        [("0.123", 20, 5), ("0.75", 8, 2), ("0.34", 12, 3), ("0.144", 30, 5), ("0.241", 36, 9), ("0.351", 22, 6)]
    {
        let analysis = analyse(code, 100, Method::Auto);
        assert_eq!(analysis.status, Status::Solved, "{code}");
        assert_eq!((analysis.quotient.order(), analysis.quotient.p_count()), (order, p_count), "{code}");
    }
}

/// The quotient of 0.3122 to heap 7 is infinite (Weimerskirch): it must not be found, and what is proven of it grows.
#[test]
fn an_infinite_quotient_stays_unresolved() {
    let limits = super::Limits { heaps: 7, budget: Duration::from_secs(4), method: Method::Auto };
    let analysis = super::solve(&super::rules("0.3122"), &limits).unwrap();
    assert_eq!((analysis.quotient.heaps(), analysis.quotient.order()), (6, 52));
    assert!(matches!(analysis.status, Status::Unresolved { lower_bound: 100.. }), "{:?}", analysis.status);
    assert_eq!(analysis.halt, Some(Halt::Time));
}
