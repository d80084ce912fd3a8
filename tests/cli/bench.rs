//! `sprague bench`.

use sprague::kernel::variants;

use crate::common::*;

const RESULT_KEYS: [&str; 9] = [
    "bytes_per_value",
    "cpu_seconds",
    "engine",
    "game",
    "heaps",
    "kernel",
    "seconds",
    "values_per_second",
    "values_per_second_per_core",
];

#[test]
fn json_of_what_was_measured() {
    let json = json(&ends_with(0, &["bench", "--json", "--to", "3000", "0.04", "nim", "0.106", "--threads", "2"]));
    assert_eq!(keys(&json), ["cpu", "results", "threads", "version"]);
    assert_eq!((&json["version"], &json["threads"]), (&env!("CARGO_PKG_VERSION").into(), &2.into()));
    let told = [("0.04", "dense", 1), ("nim", "tail", 2), ("0.106", "sparse", 1)];
    assert_eq!(json["results"].as_array().unwrap().len(), told.len());
    for ((game, engine, bytes), result) in told.iter().zip(json["results"].as_array().unwrap()) {
        assert_eq!(keys(result), RESULT_KEYS);
        assert_eq!((&result["game"], &result["engine"]), (&(*game).into(), &(*engine).into()));
        assert_eq!((&result["heaps"], &result["bytes_per_value"]), (&3001.into(), &(*bytes).into()));
        let number = |key: &str| result[key].as_f64().unwrap();
        assert!((number("values_per_second") * number("seconds") - 3001.0).abs() < 0.1);
        assert!((number("values_per_second_per_core") * number("cpu_seconds") - 3001.0).abs() < 0.1);
    }
}

#[test]
fn the_table_has_a_line_for_each_workload() {
    let text = printed(&["bench", "--quick"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with(concat!("sprague ", env!("CARGO_PKG_VERSION"), ", ")), "{text}");
    let games: Vec<&str> = lines[3..].iter().map(|line| line.split(' ').next().unwrap()).collect();
    let workloads: Vec<&str> = sprague::bench::WORKLOADS.iter().map(|work| work.game).collect();
    assert_eq!(games, workloads);
    // Every column is as wide as its head.
    let head = lines[2].find("engine").unwrap();
    assert!(lines[3..].iter().all(|line| line.as_bytes()[head - 1] == b' ' && line.as_bytes()[head] != b' '), "{text}");
    // A game may be told in any spelling.
    let officers = printed(&["bench", "--quick", "officers"]);
    assert!(officers.lines().last().unwrap().starts_with("officers ") && officers.contains(" 100001 "), "{officers}");
}

#[test]
fn games_without_a_fixed_number_of_heaps() {
    let failed = ends_with(2, &["bench", "--quick", "kayles"]).stdout("");
    assert!(stderr(&failed).contains("kayles has no fixed number of heaps: give --to N, or one of 0.6, 0.106"));
    ends_with(2, &["bench", "--quick", "--to", "9"]).stdout("");
    ends_with(2, &["bench", "--signature", "0.6"]).stdout("");
    ends_with(2, &["bench", "0.7x7"]).stdout("");
}

/// `tests/signature.rs` says where the number comes from.
#[test]
fn the_signature_is_the_same_for_every_kernel_and_number_of_threads() {
    let kernels = variants().map(|kernel| ["--kernel", kernel.name()]);
    for more in kernels.chain(["1", "2", "5"].map(|threads| ["--threads", threads])) {
        assert_eq!(printed(&[&["bench", "--signature"], &more[..]].concat()), "124dc9a5\n", "{more:?}");
    }
}
