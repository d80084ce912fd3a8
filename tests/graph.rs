//! `sprague graph` as a user meets it.

use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

fn graph(text: &str, args: &[&str]) -> Output {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, text).unwrap();
    Command::cargo_bin("sprague").unwrap().arg("graph").arg(file.path()).args(args).output().unwrap()
}

fn stdout(text: &str, args: &[&str]) -> String {
    let output = graph(text, args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const DIAMOND: &str = "# a diamond\nstart a\nstart b\na b # and a tail\nb end\n";

#[test]
fn every_vertex_has_its_value_and_a_best_move() {
    let text = stdout(DIAMOND, &[]);
    assert!(text.starts_with("4 vertices, 4 edges, longest play 3 moves\n"), "{text}");
    let rows: Vec<Vec<&str>> = text.lines().skip(4).map(|line| line.split_whitespace().collect()).collect();
    let wanted = [["start", "2", "N", "a"], ["a", "0", "P", "-"], ["b", "1", "N", "end"], ["end", "0", "P", "-"]];
    assert_eq!(rows, wanted);
}

#[test]
fn json_and_top() {
    let all: Value = serde_json::from_str(&stdout(DIAMOND, &["--json"])).unwrap();
    assert_eq!((&all["vertex_count"], &all["edge_count"], &all["p_count"]), (&4.into(), &4.into(), &2.into()));
    let row = serde_json::json!({"vertex": "start", "value": 2, "outcome": "N", "best_move": "a"});
    assert_eq!((&all["vertices"][0], all["vertices"].as_array().unwrap().len()), (&row, 4));
    let top: Value = serde_json::from_str(&stdout(DIAMOND, &["--json", "--top", "2"])).unwrap();
    let names: Vec<&Value> = top["vertices"].as_array().unwrap().iter().map(|row| &row["vertex"]).collect();
    assert_eq!(names, ["start", "b"]);
    assert_eq!(stdout(r#"{"start": ["a", "b"], "a": ["b"], "b": ["end"]}"#, &[]), stdout(DIAMOND, &[]));
}

#[test]
fn dot_for_small_graphs() {
    let dot = stdout(DIAMOND, &["--dot"]);
    assert!(dot.starts_with("digraph game {") && dot.trim_end().ends_with('}'), "{dot}");
    assert_eq!(
        (dot.matches("orange").count(), dot.matches("palegreen").count(), dot.matches(" -> ").count()),
        (2, 2, 4)
    );
    let path: String = (0..3000).map(|v| format!("{} {v}\n", v + 1)).collect();
    let output = graph(&path, &["--dot"]);
    assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(2), true));
}

#[test]
fn bad_graphs_exit_with_3_and_say_where() {
    for (text, words) in [
        ("a b\nb c\nc a\n", "cycle"),
        ("a b\nb b\n", "line 2"),
        ("a b\nc\n", "line 2"),
        ("# only a comment\n", "empty"),
        ("{\"a\": 3}", "JSON"),
        ("{\"a\": [", "JSON"),
    ] {
        let output = graph(text, &[]);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.is_empty()), (Some(3), true), "{text}: {stderr}");
        assert!(stderr.contains(words), "{text}: {stderr}");
    }
    let output = Command::cargo_bin("sprague").unwrap().args(["graph", "no/such/file"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stderr).unwrap().contains("no/such/file"));
}

#[test]
fn bytes_that_are_no_text_are_named_by_their_line() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, b"a b\nb \xff\n").unwrap();
    let output = Command::cargo_bin("sprague").unwrap().arg("graph").arg(file.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8(output.stderr).unwrap().contains("line 2"));
}

#[test]
fn a_dash_reads_the_standard_input() {
    let output = Command::cargo_bin("sprague").unwrap().args(["graph", "-"]).write_stdin("a b\n").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("2 vertices, 1 edge, longest play 1 move\n1 N-position "), "{text}");
}

#[test]
fn json_that_is_no_game_is_explained() {
    for (text, words) in [("[[1], [2]]", "`2` is no vertex"), (r#"{"a": ["b", "a"]}"#, "`a` is among its own options")]
    {
        let stderr = String::from_utf8(graph(text, &[]).stderr).unwrap();
        assert!(stderr.contains(words), "{stderr}");
    }
}
