//! `sprague play` as a user meets it.

use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

fn play(args: &[&str]) -> Output {
    Command::cargo_bin("sprague").unwrap().arg("play").args(args).output().unwrap()
}

fn stdout(args: &[&str]) -> String {
    let output = play(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[args, &["--json"]].concat())).unwrap()
}

/// Fails with this exit code, says all of these words on stderr and nothing on stdout.
fn fails(args: &[&str], code: i32, words: &[&str]) {
    let output = play(args);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
    assert!(output.stdout.is_empty());
    words.iter().for_each(|word| assert!(stderr.contains(word), "{args:?}: no `{word}` in {stderr}"));
}

fn graph_file(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn nim_3_4_5() {
    let text = stdout(&["nim: 3+4+5", "--explain"]);
    for words in [
        "nim-sum            2  010",
        "N: the player to move wins",
        "1 winning move:\n  3 -> 1\n",
        "3 xor 2 = 1",
        "stands for 2",
    ] {
        assert!(text.contains(words), "{text}");
    }
    let answer = json(&["nim: 3+4+5"]);
    assert_eq!(answer["value"], 2);
    assert_eq!(answer["outcome"], "N");
    assert_eq!(answer["move_count"], 1);
    assert_eq!(answer["moves"], serde_json::json!([{"component": 0, "from": 3, "to": [1]}]));
}

#[test]
fn a_p_position_has_no_winning_move() {
    let text = stdout(&["sub{1,2,3}: 5+6+7"]);
    assert!(text.contains("P: the player who has just moved wins") && text.contains("No move wins."), "{text}");
    let answer = json(&["sub{1,2,3}: 5+6+7"]);
    assert_eq!((&answer["value"], &answer["outcome"]), (&0.into(), &"P".into()));
    assert_eq!(answer["moves"], serde_json::json!([]));
}

#[test]
fn words_without_quotes_are_one_position() {
    assert_eq!(stdout(&["kayles:", "5", "+", "nim:", "3"]), stdout(&["kayles: 5 + nim: 3"]));
}

#[test]
fn a_mixed_sum_names_the_games() {
    let answer = json(&["kayles: 5 + nim: 3 + grundys-game: 9"]);
    assert_eq!(answer["value"], 6);
    assert_eq!(answer["components"][2]["game"], "grundys-game");
    assert_eq!(answer["moves"], serde_json::json!([{"component": 0, "from": 5, "to": [1, 3]}]));
    assert!(stdout(&["kayles: 5 + nim: 3 + grundys-game: 9"]).contains("  kayles 5 -> 1 + 3\n"));
}

#[test]
fn huge_heaps_are_answered_from_a_proven_period() {
    let answer = json(&["kayles: 10^18 + 10^18+7", "--limit", "3"]);
    assert_eq!(answer["value"], 2);
    // 10^18 twice is one component, with its count.
    assert_eq!(answer["components"][0]["count"], 2);
    assert_eq!(answer["moves"].as_array().unwrap().len(), 3);
    assert!(answer["move_count"].as_u64().unwrap() > 1 << 50);
    let words = ["0.6", "takes about", "--patience", "`sprague run 0.6 --to 1000000000000000 -o DIR`", "after 0.3 s"];
    fails(&["0.6: 10^15", "--patience", "300ms"], 4, &words);
    fails(&["0.6: 10^15", "--patience", "soon"], 2, &["--patience", "10m"]);
}

#[test]
fn nim_heaps_are_of_any_size_and_stay_numbers_in_json() {
    let text = stdout(&["nim: 10^40 + 1", "--json"]);
    let number = format!("1{}1", "0".repeat(39));
    assert!(text.contains(&format!("\"value\":{number},")), "{text}");
    assert!(text.contains(&format!("\"from\":1{},\"to\":[1]", "0".repeat(40))), "{text}");
}

/// Moves of values that grow are counted by their bits, in no time.
#[test]
fn huge_heaps_of_laskers_nim_have_their_moves() {
    let answer = json(&["lasker: 1999999999 + 2000000007 + 10^30", "--limit", "3"]);
    assert!(answer["move_count"].as_u64().is_some_and(|count| count > 0), "{answer}");
    assert_eq!(answer["moves"][0]["component"], 2);
    // No theorem counts these: the outcome is there, and the moves are null.
    let answer = json(&["0.F: 1000000001"]);
    assert_eq!((&answer["moves"], &answer["move_count"]), (&Value::Null, &Value::Null));
}

#[test]
fn explanations_say_where_values_come_from() {
    for (args, words) in [
        (&["kayles: 5 + 10^18+7"][..], "period 12 from heap 71 on is proven, so g(1000000000000000000) = g(76) = 1."),
        (&["lasker: 10^18"], "period 4 and saltus 4 from heap 1 on is proven, so g(1000000000000000000) = g(4) + "),
        (
            &["kayles: 5"],
            "The options of 5, with the value of each, are: 4 (1), 1 + 3 (2), 2 + 2 (0), 3 (3), 1 + 2 (3).",
        ),
        (&["kayles: 5"], "There is one component, so the nim-sum S is its value: S = 4."),
        (&["kayles: 5"], "5: its value 4 must become 4 xor 4 = 0, by 5 -> 2 + 2"),
        (&["nim: 1", "--misere"], "Here 1 heap has one and none has more: an odd number."),
        (&["nim: 2+2", "--misere"], "S = 0: no move keeps it 0, so no move wins."),
        (&["kayles: 1", "--misere"], "so no move wins"),
    ] {
        let text = stdout(&[args, &["--explain"]].concat());
        assert!(text.contains(words), "{args:?}: no `{words}` in {text}");
    }
}

#[test]
fn moves_to_vertices_are_in_natural_order() {
    let file = graph_file("s 10\ns 9\ns b\ns 9\n");
    for misere in [&[][..], &["--misere"]] {
        let position = format!("graph({}): s + nim: {}", file.path().display(), misere.len());
        let answer = json(&[&[position.as_str()], misere].concat());
        let moves = answer["moves"].as_array().unwrap().iter().filter(|m| m["component"] == 0);
        assert_eq!(moves.map(|m| m["to"][0].as_str().unwrap()).collect::<Vec<_>>(), ["9", "10", "b"]);
    }
}

#[test]
fn limits_list_fewer_and_count_all() {
    let position = "kayles: 30+41";
    let all = json(&[position, "--all"]);
    let count = all["move_count"].as_u64().unwrap();
    assert!(count > 5);
    assert_eq!(all["moves"].as_array().unwrap().len() as u64, count);
    let some = json(&[position, "--limit", "5"]);
    assert_eq!(some["move_count"], all["move_count"]);
    assert_eq!(some["moves"].as_array().unwrap()[..], all["moves"].as_array().unwrap()[..5]);
    assert!(stdout(&[position, "--limit", "5"]).contains(&format!("{count} winning moves, the first 5:")));
    fails(&["kayles: 2*10^18 + 7", "--all"], 2, &["--limit N"]);
}

#[test]
fn misere_nim_by_boutons_rule() {
    for (position, outcome, moves) in [
        ("nim: 1", "P", serde_json::json!([])),
        ("nim: 1+1", "N", serde_json::json!([{"component": 0, "from": 1, "to": []}])),
        ("nim: 5+1", "N", serde_json::json!([{"component": 0, "from": 5, "to": []}])),
        ("nim: 5+1+1", "N", serde_json::json!([{"component": 0, "from": 5, "to": [1]}])),
        ("nim: 1+2+3", "P", serde_json::json!([])),
        ("nim: 10^30+10^30", "P", serde_json::json!([])),
        ("nim: 0", "N", serde_json::json!([])),
    ] {
        let answer = json(&[position, "--misere"]);
        assert_eq!((&answer["outcome"], &answer["moves"]), (&outcome.into(), &moves), "{position}");
        assert_eq!((&answer["play"], &answer["value"]), (&"misere".into(), &Value::Null));
    }
    assert!(stdout(&["nim: 0", "--misere"]).contains("has won already"));
    assert!(stdout(&["nim: 5+1+1", "--misere", "--explain"]).contains("odd number of ones"));
}

/// The two answers must not be mixed up.
#[test]
fn misere_play_of_other_games_is_not_normal_play() {
    let outcome = |position, misere: &[&str]| json(&[&[position], misere].concat())["outcome"].clone();
    assert_eq!((outcome("kayles: 1", &[]), outcome("kayles: 1", &["--misere"])), ("N".into(), "P".into()));
    assert_eq!((outcome("kayles: 1+1", &[]), outcome("kayles: 1+1", &["--misere"])), ("P".into(), "N".into()));
    // Through the quotient: its period is 12 from heap 71 on.
    assert_eq!(outcome("kayles: 10^6", &["--misere"]), outcome("kayles: 76", &["--misere"]));
    // No quotient is known for heap 34 and beyond.
    fails(&["0.07: 300", "--misere", "--patience", "200ms"], 4, &["after 0.2 s", "`sprague misere 0.07 --heaps N`"]);
    fails(&["strip: 10^9", "--misere"], 4, &["500000", "only sums of heaps of one game"]);
    assert_eq!(outcome("sub{1,2}: 251001", &["--misere"]), "N");
}

#[test]
fn a_strip_is_drawn_and_played() {
    let text = stdout(&["strip: 2,5,9", "--explain"]);
    for words in [
        "..o..o...o",
        "left of 9  3  11\n       left of 2  2  10\n       xor        1  01\n",
        "the gap of 3 (left of 9) must become 3 xor 1 = 2, by token 9 -> 8",
        "  token 9 -> 8\n",
    ] {
        assert!(text.contains(words), "{text}");
    }
    // Gaps 1 and 2 counted from the right; from the left they would be 0.
    assert_eq!(json(&["strip: 0,2"])["value"], 1);
    assert_eq!(json(&["strip: 1,2"])["value"], 0);
    assert_eq!(json(&["strip: 1,2 + nim: 3"])["moves"][0]["component"], 1);
}

#[test]
fn vertices_of_a_graph_are_components() {
    let file = graph_file("start a\nstart b\na b\nx+y a\n");
    let graph = |rest: &str| format!("graph({}): {rest}", file.path().display());
    let answer = json(&[&graph("start + a")]);
    assert_eq!(answer["value"], 3);
    assert_eq!(answer["moves"], serde_json::json!([{"component": 0, "from": "start", "to": ["a"]}]));
    assert_eq!(json(&[&graph("\"x+y\" + nim: 4")])["value"], 4);
    assert_eq!(json(&[&graph("2*start"), "--misere"])["outcome"], "P");
    fails(&[&graph("nobody")], 2, &["no edge of the graph names a vertex `nobody`", "^"]);
    fails(&["graph(): a"], 2, &["expected a file", "^"]);
    fails(&["graph(no/such/file): a"], 3, &["no/such/file"]);
    let cyclic = graph_file("a b\nb c\nc a\n");
    fails(&[&format!("graph({}): a", cyclic.path().display())], 3, &["cycle", "->"]);
}

#[test]
fn bad_positions_point_at_the_character() {
    for (position, words) in [
        ("nim: 3 + -4", "negative"),
        ("nim: 3 + x", "no whole number"),
        ("nimm: 3", "did you mean nim?"),
        ("nim: 3,4,5", "separated with `+`"),
        ("graph(x): \"a", "not closed"),
        ("nim:", "expected a heap"),
        ("", "a position is missing"),
        ("3+4", "which game"),
        ("strip: 3,3", "one to a cell"),
        ("1.7: 3", "0 or 4"),
    ] {
        fails(&[position], 2, &[words, "^"]);
    }
    fails(&[], 2, &["POSITION"]);
    fails(&["nim: 3", "--limit", "ten"], 2, &["--limit"]);
}
