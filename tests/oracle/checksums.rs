//! Long sequences: checksums, sums, largest values, zeros; for open games the rare heaps too.

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use sprague::Values;
use sprague::engine::sparse::{Mask, RareSpace, Shape};

use crate::data::{Row, rules, table, values};

const K10: u64 = 10_000;
const K128: u64 = 1 << 17;
const M1: u64 = 1 << 20;

/// Games that are quick to compute to 2^17 ...
const QUICK_128K: [&str; 15] = [
    ".14", ".36", ".104", ".143", ".161", ".166", ".167", ".205", ".207", ".346", ".45", ".127", "4.367", "4.064",
    "Grundy",
];
/// ... and to 2^20.
const QUICK_1M: [&str; 8] = [".104", ".167", ".205", ".324", ".156", ".56", ".055", "4.406"];

fn is_quick(row: &Row) -> bool {
    let game = row.text("code");
    match row.count("N") {
        K10 => true,
        K128 => QUICK_128K.contains(&game),
        M1 => QUICK_1M.contains(&game),
        _ => false,
    }
}

#[test]
fn long_sequences() {
    let rows = table("checksums.csv");
    let quick: Vec<&Row> = rows.iter().filter(|row| is_quick(row)).collect();
    assert_eq!(quick.len(), 108 + QUICK_128K.len() + QUICK_1M.len());
    quick.par_iter().for_each(|row| check(row));
}

#[test]
#[ignore = "all games to 2^17 and 2^20, and some much further: too long for every day"]
fn all_long_sequences() {
    table("checksums.csv").iter().filter(|row| !is_quick(row)).for_each(check);
}

fn check(row: &Row) {
    let (game, to) = (row.text("code"), row.count("N"));
    let values = values(&rules(game), to);
    let mut hasher = Sha256::new();
    values.as_slice().iter().for_each(|v| hasher.update(u16::try_from(v).unwrap().to_le_bytes()));
    let sum: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(sum, row.text("sha256_of_g0_to_gN_as_u16_little_endian"), "{game} to {to}");
    let all = || (0u64..).zip(values.as_slice().iter());
    assert_eq!(all().map(|(_, v)| u64::from(v)).sum::<u64>(), row.count("sum"), "{game} to {to}");
    let (max, first) = largest(&values);
    assert_eq!((u64::from(max), first), (row.count("max"), row.count("argmax_first")), "{game} to {to}");
    let zeros: Vec<u64> = all().filter(|&(_, v)| v == 0).map(|(n, _)| n).collect();
    assert_eq!(zeros.len() as u64, row.count("num_zeros"), "{game} to {to}");
    assert_eq!(*zeros.last().unwrap(), row.count("last_zero"), "{game} to {to}");
    check_reference(game, to, &values);
}

/// The largest value and the first heap that has it.
fn largest(values: &Values) -> (u32, u64) {
    let max = values.as_slice().max().expect("there are values");
    (max, values.as_slice().iter().position(|v| v == max).unwrap() as u64)
}

/// What the table of open games tells of the same heaps: the largest value, and the rare heaps for a given mask.
fn check_reference(game: &str, to: u64, values: &Values) {
    let rows = table("unsolved.csv");
    let same = |row: &&Row| row.text("row_kind") == "reference_point" && row.text("code") == game;
    let Some(row) = rows.iter().filter(same).find(|row| row.count("n_computed") == to) else { return };
    let (max, first) = largest(values);
    assert_eq!((u64::from(max), first), (row.count("max_value"), row.count("argmax")), "{game} to {to}");
    let listed = u32::from_str_radix(row.text("sparse_mask_hex"), 16).unwrap();
    let domain = match row.text("mask_kind") {
        "range" => None,
        _ => Some(Shape::of(&rules(game)).and_then(|shape| shape.parity()).expect("the game is of domain type")),
    };
    let mask = Mask { bits: listed, domain };
    let space = RareSpace::new(mask, values.as_slice());
    let rare = space.positions().len() as u64 + u64::from(mask.class(0, 0) == 0);
    assert_eq!((rare, space.last()), (row.count("num_rare"), row.count("last_rare")), "{game} to {to}");
}
