//! The atlas in `results/` and the published tables; a small atlas made here.

use std::collections::HashMap;
use std::fs;

use serde_json::Value;
use sprague::Rules;
use sprague::engine::naive;
use tempfile::tempdir;

use crate::common::{said, text};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

/// A file of the repository.
fn file(path: &str) -> String {
    fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn results() -> Vec<Value> {
    let atlas: Value = serde_json::from_str(&file("results/atlas.json")).unwrap();
    atlas["results"].as_array().unwrap().clone()
}

/// Every game of the atlas has the values of its class, by the definition.
#[test]
fn the_games_of_a_class_are_equal() {
    let mut games = 0;
    for class in results() {
        let values = |game: &Value| naive::values(&game.as_str().unwrap().parse::<Rules>().unwrap(), 24);
        let own = values(&class["game"]);
        for member in class["members"].as_array().unwrap() {
            let (its, shift) = (values(&member["game"]), member["shift"].as_i64().unwrap());
            for (n, &value) in its.iter().enumerate() {
                let partner = usize::try_from(n as i64 + shift).map_or(Some(0), |n| own.get(n).copied());
                assert!(partner.is_none_or(|v| v == value), "{} and {}: heap {n}", class["game"], member["game"]);
            }
            games += 1;
        }
        games += 1;
    }
    assert_eq!(games, 1023 + 192 + 2 + 4095);
}

/// Proven periods are those of the published table, and nothing that is published is missing.
#[test]
fn published_periods() {
    let mut found: HashMap<String, (u64, u64)> = HashMap::new();
    for class in results().iter().filter(|class| !class["period"].is_null()) {
        let period = class["period"]["period"].as_u64().unwrap();
        let own = (class["game"].clone(), class["period"]["preperiod"].clone());
        let members = class["members"].as_array().unwrap().iter().map(|m| (m["game"].clone(), m["preperiod"].clone()));
        found.extend(
            members.chain([own]).map(|(game, n0)| (game.as_str().unwrap().to_owned(), (period, n0.as_u64().unwrap()))),
        );
    }
    let solved = file("tests/data/solved.csv");
    let rows: Vec<Vec<&str>> = solved.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert!(rows.len() > 60);
    for row in rows {
        let game = row[0].parse::<Rules>().unwrap().to_string();
        assert_eq!(found.get(&game), Some(&(row[1].parse().unwrap(), row[2].parse().unwrap())), "{game}");
    }
}

/// What the table says of the published tables: every row agrees or is listed.
#[test]
fn every_disagreement_is_listed() {
    let table = file("results/atlas.md");
    for file in ["solved.csv", "unsolved.csv", "equivalents.csv", "hexadecimal.csv"] {
        let start = table.find(&format!("- `{file}`: ")).unwrap_or_else(|| panic!("{file} is not compared"));
        let lines: Vec<&str> = table[start..].lines().collect();
        let numbers: Vec<usize> = lines[0].split(' ').filter_map(|word| word.parse().ok()).collect();
        let listed = lines[1..].iter().take_while(|line| line.starts_with("  - ")).count();
        assert_eq!(numbers[0] + listed, numbers[1], "{file}");
    }
    assert!(table.contains(".161 was taken for .36: they differ at heap 519 for the first time, with values 2 and 4"));
}

/// The classes of one-digit codes, made here, are those of the atlas, as far as these codes go.
#[test]
fn a_small_atlas_is_a_part_of_the_large_one() {
    let dir = tempdir().unwrap();
    let (json, table) = (dir.path().join("atlas.json"), dir.path().join("atlas.md"));
    said(&["census", "plan", "-q", "-o", text(dir.path()), "--codes", "octal1", "--limit", "5000"]);
    said(&["census", "run", "-q", text(dir.path())]);
    said(&["census", "merge", text(dir.path()), "-o", text(&json), "--table", text(&table), "--literature", DATA]);
    let small: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    let large = results();
    let classes = small["results"].as_array().unwrap();
    let proven: Vec<&Value> = classes.iter().filter(|class| !class["period"].is_null()).collect();
    assert_eq!((classes.len(), proven.len()), (8, 7), "all but 0.6");
    for class in proven {
        let same = large.iter().find(|c| c["game"] == class["game"]).unwrap();
        for key in ["period", "max_value", "max_at", "rare_count", "last_rare", "mask", "mask_type"] {
            assert_eq!(class[key], same[key], "{}: {key}", class["game"]);
        }
    }
    let table = fs::read_to_string(table).unwrap();
    assert!(table.contains("- `solved.csv`: 2 of 2 rows agree."), "{}", &table[..3000.min(table.len())]);
}
