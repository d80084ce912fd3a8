//! `sprague period` and `sprague claim`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sprague::kernel;

use crate::common::*;

/// The keys of `period --json`, sorted.
const KEYS: [&str; 21] = [
    "canonical",
    "engine",
    "excluded",
    "game",
    "kernel",
    "last_exception",
    "last_rare",
    "mask",
    "mask_type",
    "max_at",
    "max_value",
    "observed",
    "period",
    "preperiod",
    "rare_count",
    "saltus",
    "seconds",
    "status",
    "theorem",
    "threads",
    "values_computed",
];

/// The text, line by line, without the time that it took.
fn lines(text: &str) -> Vec<String> {
    let told =
        |line: &str| if line.contains("computed by") { line.rsplit_once(',').unwrap().0 } else { line }.to_owned();
    text.lines().map(told).collect()
}

#[test]
fn kayles() {
    let text = printed(&["period", "kayles"]);
    let told = lines(&text);
    assert_eq!(told[..4], ["0.77 (kayles)", "  period          12", "  preperiod       71", "  last exception  70"]);
    assert!(told[4].starts_with("  proven by       "));
    assert_eq!(*told.last().unwrap(), format!("  computed by     dense engine, {} kernel", kernel::best().name()));
}

#[test]
fn json_of_a_period() {
    let json = json(&ends_with(0, &["period", ".56", "--json", "--threads", "1"]));
    assert_eq!(keys(&json), KEYS);
    let told = [
        ("game", json!(".56")),
        ("canonical", json!("0.56")),
        ("status", json!("periodic")),
        ("period", json!(144)),
        ("preperiod", json!(326_640)),
        ("last_exception", json!(326_639)),
        ("saltus", json!(0)),
        ("max_value", json!(64)),
        ("max_at", json!(22_778)),
        ("rare_count", json!(45)),
        ("last_rare", json!(1795)),
        ("mask", json!("5b")),
        ("mask_type", json!("range")),
        ("engine", json!("sparse")),
        ("threads", json!(1)),
        ("excluded", Value::Null),
        ("observed", Value::Null),
    ];
    told.iter().for_each(|(key, value)| assert_eq!(json[key], *value, "{key}"));
    assert!(json["values_computed"].as_u64().unwrap() > 326_640 + 144);
    assert!(json["theorem"].is_string() && json["seconds"].is_f64());
}

#[test]
fn domain_type_and_arithmetic_periods() {
    let domain = json(&ends_with(0, &["period", "0.127", "--json"]));
    assert_eq!((&domain["mask_type"], &domain["period"]), (&json!("domain"), &json!(4)));
    let nim = json(&ends_with(0, &["period", "nim", "--json"]));
    assert_eq!(keys(&nim), KEYS);
    assert_eq!(nim["status"], "arithmetic-periodic");
    assert_eq!(
        (&nim["period"], &nim["preperiod"], &nim["last_exception"], &nim["saltus"]),
        (&json!(1), &json!(0), &json!(-1), &json!(1))
    );
    assert_eq!(nim["mask"], Value::Null);
}

#[test]
fn open_games_tell_what_is_excluded_and_what_is_only_seen() {
    let stopped = ends_with(4, &["period", "0.6", "--limit", "3000", "--json"]);
    let open = json(&stopped);
    assert_eq!(keys(&open), KEYS);
    assert_eq!((&open["status"], &open["period"], &open["theorem"]), (&json!("unknown"), &Value::Null, &Value::Null));
    assert_eq!(open["values_computed"], 3001);
    assert_eq!(keys(&open["excluded"]), ["max_period", "max_preperiod"]);
    assert!(open["excluded"]["max_period"].as_u64().unwrap() > 100);
    assert!(stderr(&stopped).contains("--limit"), "{}", stderr(&stopped));

    let lasker = json(&ends_with(4, &["period", "lasker", "--limit", "2000", "--json"]));
    assert_eq!(lasker["status"], "unknown");
    assert_eq!(lasker["observed"], json!({"period": 4, "preperiod": 1, "saltus": 4}));
    let text = stdout(&ends_with(4, &["period", "lasker", "--limit", "2000"]));
    assert!(text.contains("none proven") && text.contains("no theorem covers it"), "{text}");
}

fn claim(code: i32, game: &str, period: &str, preperiod: &str, more: &[&str]) -> assert_cmd::assert::Assert {
    ends_with(code, &[&["claim", game, "--period", period, "--preperiod", preperiod], more].concat())
}

#[test]
fn true_claims() {
    let text = stdout(&claim(0, "0.156", "349", "3479", &[]));
    assert!(text.contains("holds for all heaps"), "{text}");
    assert!(text.contains("both are period 349, preperiod 3479"), "{text}");
    // A multiple of the period, from a later heap on.
    let text = stdout(&claim(0, "0.156", "698", "3500", &[]));
    assert!(text.contains("the least are period 349, preperiod 3479"), "{text}");
    let json = json(&claim(0, "0.156", "698", "3479", &["--json"]));
    let mut told = [&KEYS[..], &["claimed", "least", "refuted_at"]].concat();
    told.sort_unstable();
    assert_eq!(keys(&json), told);
    assert_eq!(json["status"], "periodic");
    assert_eq!(json["claimed"], json!({"period": 698, "preperiod": 3479, "saltus": 0}));
    assert_eq!(json["least"], json!({"period": 349, "preperiod": 3479, "saltus": 0}));
    assert_eq!(json["refuted_at"], Value::Null);
    claim(0, "nim", "2", "7", &["--saltus", "2"]);
    claim(0, "sub{1,2,3}", "4", "0", &[]);
}

#[test]
fn false_claims() {
    let text = stdout(&claim(1, "0.156", "349", "3478", &[]));
    assert!(text.contains("refuted at heap 3478: g(3478) = 8, g(3478 + 349) = 1"), "{text}");
    let json = json(&claim(1, "0.156", "349", "3478", &["--json"]));
    assert_eq!((&json["status"], &json["refuted_at"]), (&json!("refuted"), &json!(3478)));
    claim(1, "nim", "2", "7", &[]);
    claim(1, "0.156", "350", "3479", &[]);
    // A handful of heaps is enough, proven or not.
    let text = stdout(&claim(1, "0.6", "10", "1", &["--limit", "50"]));
    assert!(text.contains("refuted at heap 1:"), "{text}");
}

#[test]
fn claims_that_stay_open() {
    let stopped = claim(4, "0.6", "1e6", "1e6", &["--limit", "2000"]);
    assert!(stdout(&stopped).contains("neither proven nor refuted on 2001 heaps"));
    assert!(stderr(&stopped).contains("--limit"));
    let json = json(&claim(4, "0.6", "1e6", "1e6", &["--limit", "2000", "--json"]));
    assert_eq!((&json["status"], &json["least"], &json["refuted_at"]), (&json!("unknown"), &Value::Null, &Value::Null));
    assert!(stderr(&claim(2, "0.6", "0", "1", &[])).contains("at least 1"));
}

/// Certificates of 0.356 and 0.156.
fn certificates(dir: &Path) -> [PathBuf; 2] {
    ["0.356", "0.156"].map(|game| {
        let path = dir.join(format!("{game}.json"));
        printed(&["period", game, "--certificate", text(&path)]);
        path
    })
}

/// A certificate that is checked in shares is checked when all of them are.
#[test]
fn shares_of_a_certificate_are_merged() {
    let temp = tempfile::tempdir().unwrap();
    let path = |name: &str| temp.path().join(name);
    let [ours, other] = certificates(temp.path());
    for i in 1..=3 {
        let report = printed(&["verify", text(&ours), "--rungs", &format!("{i}/3"), "--json"]);
        std::fs::write(path(&i.to_string()), report).unwrap();
    }
    let [first, second, third] = ["1", "2", "3"].map(path);
    let merge = |code, reports: &[&Path]| {
        let reports: Vec<&str> = reports.iter().map(|report| text(report)).collect();
        ends_with(code, &[&["verify", text(&ours), "--merge"], &reports[..]].concat())
    };
    assert!(stdout(&merge(0, &[&third, &first, &second, &first])).contains("  verified\n"));
    assert!(stdout(&merge(4, &[&first, &second])).contains("rung 3 is among those missing"));
    let foreign = printed(&["verify", text(&other), "--json"]);
    std::fs::write(path("foreign"), foreign).unwrap();
    assert!(stderr(&merge(3, &[&first, &path("foreign")])).contains("on another certificate"));
    assert!(stderr(&merge(3, &[&ours])).contains("no report"));
    let denied = std::fs::read_to_string(&first).unwrap().replace("\"wrong\":null", "\"wrong\":\"it is not so\"");
    std::fs::write(path("denied"), denied).unwrap();
    assert!(stderr(&merge(3, &[&path("denied"), &second, &third])).contains("it is not so"));
}

/// A file that was altered cannot be read as a certificate: exit code 3. One that is whole and says what is false: 1.
#[test]
fn damage_is_told_from_falsehood() {
    let temp = tempfile::tempdir().unwrap();
    let [path, _] = certificates(temp.path());
    let whole = std::fs::read_to_string(&path).unwrap();
    let verify = |code, certificate: &str| {
        std::fs::write(&path, certificate).unwrap();
        ends_with(code, &["verify", text(&path)])
    };
    let sealed = |change: &dyn Fn(&mut Value)| {
        let mut json: Value = serde_json::from_str(&whole).unwrap();
        json.as_object_mut().unwrap().remove("crc32");
        change(&mut json);
        json["crc32"] = json!(format!("{:08x}", crc32fast::hash(json.to_string().as_bytes())));
        json.to_string()
    };
    assert!(stdout(&verify(0, &sealed(&|_| {}))).contains("verified"));
    for falsehood in
        [&(|c: &mut Value| c["period"] = json!(284)) as &dyn Fn(&mut Value), &|c| c["proof"]["mask"] = json!(0)]
    {
        assert!(stdout(&verify(1, &sealed(falsehood))).contains("REFUSED"));
    }
    let altered = whole.replace("\"period\": 142", "\"period\": 284");
    let garbled = sealed(&|c| c["proof"]["rungs"][1]["values"] = json!("no such thing"));
    let unnamed = sealed(&|c| c["game"] = json!("0.3x6"));
    for damaged in [&altered, &whole[1..], "{}", &garbled, &unnamed] {
        let failed = stderr(&verify(3, damaged).stdout(""));
        assert!(failed.contains(text(&path)), "{failed}");
    }
}

/// All certificates that are given are checked, whatever is found of those before them.
#[test]
fn many_certificates_are_verified_at_once() {
    let temp = tempfile::tempdir().unwrap();
    let [bad, good] = certificates(temp.path());
    let shown = printed(&["verify", text(&bad), text(&good)]);
    assert_eq!(shown.matches("  verified\n").count(), 2, "{shown}");
    let altered = std::fs::read_to_string(&bad).unwrap().replace("\"preperiod\": 7315", "\"preperiod\": 7316");
    std::fs::write(&bad, altered).unwrap();
    let shown = stdout(&ends_with(3, &["verify", text(&bad), text(&good)])).to_owned();
    assert!(shown.contains("0.356.json: not verified: ") && shown.contains("it was altered"), "{shown}");
    assert!(shown.contains("0.156 has period 349") && shown.ends_with("  verified\n"), "{shown}");
    let reports = stdout(&ends_with(3, &["verify", text(&bad), text(&good), "--json"])).to_owned();
    let verified: Vec<Value> = reports.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(verified.iter().map(|report| &report["verified"]).collect::<Vec<_>>(), [false, true]);
    let missing = text(&good).replace("json", "jsonl");
    let unread = ends_with(3, &["verify", &missing, text(&good)]);
    assert!(stderr(&unread).contains(&missing), "{}", stderr(&unread));
    let shown = stdout(&unread);
    assert!(shown.contains("not verified") && shown.lines().any(|line| line.trim() == "verified"), "{shown}");
    let reports = stdout(&ends_with(3, &["verify", &missing, text(&good), "--json"])).to_owned();
    let verified: Vec<Value> = reports.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&verified[0]["path"], &verified[0]["verified"]), (&json!(missing), &json!(false)));
    assert!(verified[0]["error"].as_str().unwrap().contains("check the path"));
    assert_eq!((verified.len(), &verified[1]["verified"]), (2, &json!(true)));
    assert!(stderr(&ends_with(2, &["verify", text(&bad), text(&good), "--merge", "x"])).contains("path alone"));
    assert!(stderr(&ends_with(2, &["verify"])).contains("DIR|CERTIFICATE"));
    // Options that have nothing to do with any of the paths.
    for option in [["--recompute", "0.1"], ["--seed", "1"]] {
        let refused = ends_with(2, &[&["verify", text(&good)], &option[..]].concat());
        assert!(stderr(&refused).contains("use --rungs"), "{}", stderr(&refused));
    }
}
