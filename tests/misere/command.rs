//! `sprague misere` as a user meets it.

use assert_cmd::Command;
use serde_json::Value;

fn misere(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("sprague").unwrap().arg("misere").args(args).assert()
}

fn json(args: &[&str], code: i32) -> Value {
    let output = misere(args).code(code).get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

#[test]
fn a_solved_game() {
    let kayles = json(&["kayles", "--heaps", "200", "--json"], 0);
    for (key, value) in [("order", 40), ("p_count", 9), ("heaps", 167), ("period", 12), ("preperiod", 71)] {
        assert_eq!(kayles[key], value, "{key}");
    }
    assert_eq!(
        (&kayles["game"], &kayles["status"], &kayles["tame"]),
        (&"0.77".into(), &"solved".into(), &false.into())
    );
    assert_eq!(kayles["pretending"].as_array().unwrap().len(), 167);
    assert_eq!(kayles["changes"][6], serde_json::json!({"heap": 27, "order": 40, "p_count": 9}));
    assert_eq!(kayles["lower_bound"], Value::Null);
    assert!(kayles["seconds"].as_f64().unwrap() < 10.0);
    assert_eq!(kayles.as_object().unwrap().len(), 12);
    let text = misere(&["kayles", "--heaps", "200"]).code(0).get_output().stdout.clone();
    let text = String::from_utf8(text).unwrap();
    for line in
        ["generators      a = heap 1, b = heap 2, c = heap 5", "a^2 = 1, b^3 = b", "period          12 from heap 71"]
    {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn a_partial_and_an_unresolved_game() {
    let partial = json(&["kayles", "--heaps", "30", "--json"], 0);
    assert_eq!(
        (&partial["status"], &partial["heaps"], &partial["period"]),
        (&"partial".into(), &30.into(), &Value::Null)
    );
    let unresolved = json(&["0.3122", "--heaps", "7", "--budget", "2s", "--json"], 4);
    assert_eq!((&unresolved["status"], &unresolved["heaps"]), (&"unresolved".into(), &6.into()));
    assert!(unresolved["lower_bound"].as_u64().unwrap() > 52);
}

#[test]
fn a_run_that_halts_says_why() {
    let error = |args: &[&str]| {
        let output = misere(args).code(4).get_output().stderr.clone();
        String::from_utf8(output).unwrap()
    };
    let order = error(&["nim", "--heaps", "5000"]);
    assert!(
        order.contains("heap 4096") && order.contains("8192 elements") && order.contains("--heaps 4095"),
        "{order}"
    );
    assert_eq!(json(&["nim", "--heaps", "5000", "--json"], 4)["heaps"], 4095);
    json(&["nim", "--heaps", "4095", "--json"], 0);
    let time = error(&["0.3122", "--heaps", "7", "--budget", "200ms"]);
    assert!(time.contains("heap 7 was not resolved") && time.contains("--budget"), "{time}");
    assert_eq!(misere(&["nim", "--heaps", "5000", "--quiet"]).code(4).get_output().stderr, b"");
}

#[test]
fn genus_symbols() {
    let genus = json(&["0.77", "--genus", "5", "--json"], 0);
    assert_eq!(genus["genus"][4], serde_json::json!({"heap": 5, "symbol": "4^146", "kind": "restless"}));
    misere(&["0.77", "--genus", "51"]).code(2);
}

#[test]
fn a_certificate_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("kayles.cert.json");
    misere(&["kayles", "--heaps", "200", "--certificate", path.to_str().unwrap()]).code(0);
    let text = std::fs::read_to_string(&path).unwrap();
    let verified = sprague::misere::certificate::verify(&text).unwrap();
    assert_eq!((verified.heaps, verified.period, verified.order), (167, Some((71, 12)), 40));
    misere(&["kayles", "--heaps", "9", "--certificate", "/nowhere/kayles.json"]).code(3);
}

#[test]
fn bad_arguments() {
    misere(&["0.7x", "--heaps", "9"]).code(2);
    misere(&["kayles"]).code(2);
    misere(&["kayles", "--heaps", "1e12"]).code(2);
    misere(&["kayles", "--heaps", "9", "--genus", "9"]).code(2);
    misere(&["kayles", "--heaps", "9", "--budget", "soon"]).code(2);
}
