//! `sprague plot`.

use std::fs;

use sprague::engine::naive;

use crate::common::*;

/// The numbers of an attribute, in order.
fn numbers(svg: &str, attribute: &str) -> Vec<f64> {
    let mark = format!(" {attribute}=\"");
    let parts = svg.split(&mark).skip(1);
    parts.map(|part| part.split('"').next().unwrap().parse().unwrap()).collect()
}

#[test]
fn a_dot_for_every_heap() {
    let svg = printed(&["plot", "kayles", "--from", "3", "--to", "102"]);
    assert!(svg.starts_with("<?xml") && svg.ends_with("</svg>\n"), "{svg}");
    assert!(svg.contains(">0.77 (kayles): nim-values of heaps 3 to 102</text>"), "{svg}");
    let values = naive::values(&"0.77".parse().unwrap(), 102);
    let (x, y) = (numbers(&svg, "cx"), numbers(&svg, "cy"));
    assert_eq!(x.len(), 100);
    assert!(x.windows(2).all(|pair| (pair[1] - pair[0] - 8.7).abs() < 0.11), "100 heaps on 870 pixels");
    // The same height for the same value, and the larger a value the higher: y goes down.
    for (a, (n, m)) in y.iter().zip(3..).flat_map(|(a, n)| (3..103).map(move |m| (a, (n, m)))) {
        let order = values[n].cmp(&values[m]);
        assert_eq!(order, y[m - 3].partial_cmp(a).unwrap(), "heaps {n} and {m}");
    }
    // Not known within a hundred heaps, and known within a thousand.
    assert!(!svg.contains("period"));
    assert!(printed(&["plot", "kayles"]).contains(">period 12 from heap 71 on</text>"));
}

#[test]
fn a_run_is_plotted_as_its_game() {
    let temp = tempfile::tempdir().unwrap();
    let (dir, file) = (temp.path().join("run"), temp.path().join("run.svg"));
    ends_with(0, &["run", "0.77", "--to", "1000000", "-o", text(&dir)]);
    let of_game = printed(&["plot", "0.77", "--to", "1000000", "--from", "17"]);
    ends_with(0, &["plot", text(&dir), "--from", "17", "-o", text(&file)]).stdout("");
    assert_eq!(fs::read_to_string(&file).unwrap(), of_game);
    assert!(of_game.len() < 100_000, "{} bytes", of_game.len());
    ends_with(2, &["plot", text(&dir), "--to", "1000001"]).stdout("");
    ends_with(2, &["plot", "0.77", "--from", "9", "--to", "8"]).stdout("");
}
