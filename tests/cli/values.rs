//! `sprague values`.

use std::fs;

use sprague::engine::naive;

use crate::common::*;

/// Kayles, heaps 0 to 12 (Winning Ways, chapter 4).
const KAYLES: [u32; 13] = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4];

#[test]
fn formats() {
    let list = |separator: &str, values: &[u32]| values.iter().map(u32::to_string).collect::<Vec<_>>().join(separator);
    let of = |args: &[&str]| printed(&[&["values", ".77", "--to", "12"], args].concat());
    assert_eq!(of(&[]), format!("{}\n", list(" ", &KAYLES)));
    assert_eq!(of(&["--format", "text", "--from", "10"]), format!("{}\n", list(" ", &KAYLES[10..])));
    let lines =
        |between: &str, from: usize| -> String { (from..13).map(|n| format!("{n}{between}{}\n", KAYLES[n])).collect() };
    assert_eq!(of(&["--format", "csv"]), format!("n,value\n{}", lines(",", 0)));
    assert_eq!(of(&["--format", "csv", "--from", "12"]), "n,value\n12,4\n");
    assert_eq!(of(&["--format", "bfile", "--from", "1"]), lines(" ", 1));
    let json: serde_json::Value = serde_json::from_str(&of(&["--format", "json", "--from", "3"])).unwrap();
    let told = serde_json::json!({"game": ".77", "canonical": "0.77", "from": 3, "to": 12, "values": KAYLES[3..]});
    assert_eq!(json, told);
}

/// NumPy's file format, version 1.0, read here by hand: magic, version, length of the header, a Python dictionary
/// padded with blanks to a multiple of 64 bytes, little-endian values.
fn read_npy(bytes: &[u8]) -> (String, Vec<u32>) {
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let end = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!(end % 64, 0);
    let header = std::str::from_utf8(&bytes[10..end]).unwrap();
    assert!(header.ends_with('\n'));
    let width: usize = header.split('\'').nth(3).unwrap()[2..].parse().unwrap();
    let value = |cell: &[u8]| cell.iter().rev().fold(0, |v, &byte| v << 8 | u32::from(byte));
    (header.trim_end().to_owned(), bytes[end..].chunks(width).map(value).collect())
}

#[test]
fn numpy_files_of_every_width() {
    let games = [("kayles", 12, "|u1"), ("nim", 300, "<u2"), ("nim", 70_000, "<u4")];
    for (game, to, descr) in games {
        let output = ends_with(0, &["values", game, "--to", &to.to_string(), "--from", "2", "--format", "npy"]);
        let (header, values) = read_npy(&output.get_output().stdout);
        let told = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({},), }}", to - 1);
        assert_eq!(header, told);
        let right: Vec<u32> = if game == "nim" { (2..=to).collect() } else { KAYLES[2..].to_vec() };
        assert_eq!(values, right);
    }
}

#[test]
fn every_family_of_games() {
    let games = ["0.[3]", "sub{1,2,3}", "4.[3]", "grundys-game", "0.C", "0.137F", "allbut{1,4}", "sub{2+}", "0.6[1]"];
    for game in games {
        let right: Vec<String> = naive::values(&game.parse().unwrap(), 60).iter().map(u32::to_string).collect();
        let shown = printed(&["values", game, "--to", "60", "--format", "csv"]);
        let shown: Vec<&str> = shown.lines().skip(1).map(|line| line.split_once(',').unwrap().1).collect();
        assert_eq!(shown, right, "{game}");
    }
}

#[test]
fn values_beyond_a_proven_period_are_those_of_every_heap_computed() {
    for game in ["0.77", "sub{2,5}", "allbut{4,6,7,11}", "0.45"] {
        let args = ["values", game, "--to", "5000", "--format", "bfile"];
        assert_eq!(printed(&args), printed(&[&args[..], &["--no-detect"]].concat()), "{game}");
    }
}

#[test]
fn files_are_written_whole_or_not_at_all() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("kayles.csv");
    let args = ["values", "kayles", "--to", "12", "--format", "csv"];
    ends_with(0, &[&args[..], &["-o", text(&path)]].concat()).stdout("").stderr("");
    assert_eq!(fs::read_to_string(&path).unwrap(), printed(&args));

    // A value of 2^32 or more does not fit a NumPy file: the old file stays, and nothing is left beside it.
    let failed = ends_with(
        3,
        &["values", "sub{1+}", "--from", "5e9", "--to", "5000000001", "--format", "npy", "-o", text(&path)],
    );
    assert!(stderr(&failed).contains(text(&path)), "{}", stderr(&failed));
    assert_eq!(fs::read_to_string(&path).unwrap(), printed(&args));
    assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 1);
}

#[test]
fn paths_that_cannot_be_written_are_told() {
    let temp = tempfile::tempdir().unwrap();
    let missing = temp.path().join("no/such/file");
    for path in [missing.as_path(), temp.path()] {
        let failed = ends_with(3, &["values", "kayles", "--to", "12", "-o", text(path)]).stdout("");
        assert!(stderr(&failed).contains(text(path)), "{}", stderr(&failed));
    }
}

#[test]
fn heaps_in_the_wrong_order_are_refused() {
    let failed = ends_with(2, &["values", "kayles", "--to", "5", "--from", "6"]).stdout("");
    assert_eq!(stderr(&failed), "sprague: --from 6 is beyond --to 5\n");
}
