//! Run directories: `run`, `resume`, `info`, `verify` and `export`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sprague::Width;
use sprague::store::{Plan, RunDir, Settings};

use crate::common::*;

#[track_caller]
fn run(dir: &Path, game: &str, to: &str, more: &[&str]) -> String {
    stderr(&ends_with(0, &[&["run", game, "--to", to, "-o", text(dir)], more].concat()).stdout(""))
}

fn info(dir: &Path) -> Value {
    json(&ends_with(0, &["info", text(dir), "--json"]))
}

#[test]
fn a_run_has_the_values_of_the_game() {
    let temp = tempfile::tempdir().unwrap();
    // An open game, a proven period that is filled in, values that outgrow a byte, and 16 bits.
    for (game, to) in [("0.6", "20000"), ("0.77", "30000"), ("0.007", "9000"), ("nim", "70000"), ("0.A8", "700")] {
        let dir = temp.path().join(game);
        let said = run(&dir, game, to, &[]);
        assert!(said.contains("done") && said.contains(text(&dir)), "{said}");
        for format in ["csv", "bfile", "npy", "text"] {
            let exported = ends_with(0, &["export", text(&dir), "--format", format]);
            let values = ends_with(0, &["values", game, "--to", to, "--format", format]);
            assert!(exported.get_output().stdout == values.get_output().stdout, "{game} as {format}");
        }
        let npy = ends_with(0, &["values", game, "--to", to, "--format", "npy"]);
        assert!(fs::read(dir.join("values.npy")).unwrap() == npy.get_output().stdout, "{game}: values.npy");
        let part = ["--from", "100", "--to", "120", "--format", "csv"];
        let exported = printed(&[&["export", text(&dir)], &part[..]].concat());
        assert_eq!(exported, printed(&[&["values", game], &part[..]].concat()));
        let verified = json(&ends_with(0, &["verify", text(&dir), "--recompute", "0.02", "--json"]));
        assert_eq!(
            keys(&verified),
            ["heaps", "path", "recomputed", "recomputed_by", "seconds", "seed", "values", "verified", "wrong"]
        );
        assert_eq!((&verified["verified"], &verified["wrong"]), (&json!(true), &json!([])));
        assert!(verified["recomputed"].as_u64().unwrap() > 0);
    }
}

/// What no longer is in the memory that a run was given, and the game needs, is read back from the values that it stores.
#[test]
fn too_little_memory_for_a_run_that_keeps_its_values() {
    let temp = tempfile::tempdir().unwrap();
    for (game, to) in [("0.114", "30000"), ("0.007", "20000"), ("0.06", "5000")] {
        let plenty = temp.path().join(format!("{game}-plenty"));
        run(&plenty, game, to, &[]);
        for memory in ["64KiB", "100KiB"] {
            let dir = temp.path().join(format!("{game}-{memory}"));
            run(&dir, game, to, &["--memory", memory]);
            assert!(fs::read(dir.join("values.npy")).unwrap() == fs::read(plenty.join("values.npy")).unwrap());
            for key in ["rare", "mask", "max_value", "value_counts"] {
                assert_eq!(info(&dir)[key], info(&plenty)[key], "{game} with {memory}: {key}");
            }
        }
    }
}

fn checkpoints(dir: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(dir).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| text(path).ends_with(".bin")).collect()
}

fn lose_checkpoints(dir: &Path) {
    assert!(!checkpoints(dir).is_empty());
    checkpoints(dir).iter().for_each(|path| fs::remove_file(path).unwrap());
}

/// A run that nothing has been saved of is not called verified.
#[test]
fn nothing_is_verified_before_the_first_checkpoint() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    let plan = Plan {
        game: "0.6".to_owned(),
        to: 1_000_000,
        keep_values: true,
        settings: Settings::default(),
        width: Width::U8,
        checkpoint_bytes: 0,
    };
    drop(RunDir::create(&dir, &plan).unwrap());
    for more in [&[][..], &["--recompute", "1"]] {
        let shown = printed(&[&["verify", text(&dir)], more].concat());
        assert!(shown.contains("nothing has been saved yet") && !shown.contains("verified"), "{shown}");
    }
    assert_eq!(json(&ends_with(0, &["verify", text(&dir), "--json"]))["heaps"], 0);
}

/// What `verify` says of damage that `resume` makes good, and that it does so.
#[test]
fn damage_names_the_cure_that_works() {
    let temp = tempfile::tempdir().unwrap();
    let flip = |path: &Path, at: usize| {
        let mut bytes = fs::read(path).unwrap();
        bytes[at] ^= 1;
        fs::write(path, bytes).unwrap();
    };
    let append = |path: &Path| {
        let mut bytes = fs::read(path).unwrap();
        bytes.extend(b"more");
        fs::write(path, bytes).unwrap();
    };
    let dir = temp.path().join("run");
    run(&dir, "0.6", "20000", &[]);
    let values = dir.join("values.npy");
    let whole = fs::read(&values).unwrap();
    let damages: [(&str, &dyn Fn()); 4] = [
        ("do not have their checksum", &|| flip(&values, 9000)),
        ("4 bytes after its last value", &|| append(&values)),
        ("its checksum differs", &|| flip(&checkpoints(&dir)[0], 200)),
        ("is missing, and manifest.json tells of it", &|| lose_checkpoints(&dir)),
    ];
    for (found, damage) in damages {
        damage();
        let shown = stdout(&ends_with(1, &["verify", text(&dir)]));
        let cure = format!("`sprague resume {}`", text(&dir));
        assert!(shown.contains(found) && shown.contains(&cure) && !shown.contains("new directory"), "{shown}");
        let said = stderr(&ends_with(0, &["resume", text(&dir)]));
        assert!(!said.contains("new directory"), "{said}");
        assert!(printed(&["verify", text(&dir)]).contains("  verified\n"));
        assert!(fs::read(&values).unwrap() == whole);
    }
}

/// A run whose checkpoints are lost goes on as it was told to.
#[test]
fn settings_outlive_checkpoints() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("detect");
    run(&dir, "0.156", "20000", &["--no-detect"]);
    lose_checkpoints(&dir);
    ends_with(0, &["resume", text(&dir), "--to", "40000"]);
    assert_eq!((&info(&dir)["period"], &info(&dir)["done"]), (&Value::Null, &json!(40001)));

    let dir = temp.path().join("window");
    let ran =
        ends_with(4, &["run", "0.007", "--to", "400000", "--values", "none", "--memory", "1MiB", "-o", text(&dir)]);
    let stopped = info(&dir)["done"].clone();
    lose_checkpoints(&dir);
    let resumed = ends_with(4, &["resume", text(&dir)]);
    assert_eq!(info(&dir)["done"], stopped);
    let reason = |said: String| said.lines().find(|line| line.contains("--memory")).map(str::to_owned);
    assert!(reason(stderr(&ran)).is_some());
    assert_eq!(reason(stderr(&resumed)), reason(stderr(&ran)));
}

/// The keys of `info DIR --json`, sorted.
const KEYS: [&str; 24] = [
    "blocks",
    "complete",
    "done",
    "engine",
    "excluded",
    "format",
    "format_version",
    "game",
    "keep_values",
    "kernel",
    "mask",
    "mask_type",
    "max_at",
    "max_value",
    "milestones",
    "period",
    "program_version",
    "rare",
    "records",
    "seconds",
    "settings",
    "to",
    "value_counts",
    "width",
];

#[test]
fn info_counts_every_heap() {
    let temp = tempfile::tempdir().unwrap();
    for (game, to) in [("0.6", 5000u64), ("0.77", 100_000), ("sub{2,5}", 12_345)] {
        let dirs = ["all", "none"].map(|keep| {
            let dir = temp.path().join(format!("{game}-{keep}"));
            run(&dir, game, &to.to_string(), &["--values", keep]);
            dir
        });
        let [all, none] = dirs.each_ref().map(|dir| info(dir));
        assert_eq!(all["complete"], true);
        assert_eq!((all["done"].as_u64(), all["to"].as_u64()), (Some(to + 1), Some(to)));
        let counts = all["value_counts"].as_object().unwrap();
        assert_eq!(counts.values().map(|n| n.as_u64().unwrap()).sum::<u64>(), to + 1, "{game}");
        let csv = printed(&["export", text(&dirs[0]), "--format", "csv"]);
        for (value, count) in counts {
            let found = csv.lines().skip(1).filter(|line| line.split_once(',').unwrap().1 == value).count();
            assert_eq!(Some(found as u64), count.as_u64(), "{game}: {value}");
        }
        assert_eq!(keys(&all), KEYS);
        let differ = |key: &&str| all[key] != none[key];
        assert_eq!(
            KEYS.into_iter().filter(differ).collect::<Vec<_>>(),
            ["blocks", "keep_values", "seconds", "settings"],
            "{game}"
        );
        assert!(!dirs[1].join("values.npy").exists());
        let shown = printed(&["info", text(&dirs[0])]);
        assert!(shown.contains("complete") && shown.contains("value counts"), "{shown}");
    }
}

#[test]
fn a_run_s_period_is_in_its_manifest() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("kayles");
    run(&dir, "kayles", "1e6", &[]);
    let period = &info(&dir)["period"];
    assert_eq!((&period["period"], &period["preperiod"], &period["saltus"]), (&json!(12), &json!(71), &json!(0)));
    assert!(printed(&["info", text(&dir)]).contains("period        12, preperiod 71, saltus 0"));
}

#[test]
fn a_run_s_proof_can_be_written_down() {
    let temp = tempfile::tempdir().unwrap();
    let certificate = temp.path().join("0.16.cert.json");
    for keep in ["all", "none"] {
        let dir = temp.path().join(keep);
        run(&dir, "0.16", "400k", &["--values", keep, "--memory", "1MiB"]);
        printed(&["export", text(&dir), "--certificate", text(&certificate)]);
        assert!(printed(&["verify", text(&certificate)]).contains("verified"));
        fs::remove_file(&certificate).unwrap();
    }
    let open = temp.path().join("open");
    run(&open, "0.6", "5000", &[]);
    let refused = ends_with(3, &["export", text(&open), "--certificate", text(&certificate)]);
    assert!(stderr(&refused).contains("no period is proven"));
    assert!(!certificate.exists());
}

#[test]
fn a_directory_that_holds_a_run_is_not_overwritten() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    run(&dir, "0.6", "2000", &[]);
    let before = fs::read(dir.join("values.npy")).unwrap();
    let failed = stderr(&ends_with(2, &["run", "0.77", "--to", "2000", "-o", text(&dir)]).stdout(""));
    assert!(failed.contains(&format!("sprague resume {}", text(&dir))), "{failed}");
    assert!(fs::read(dir.join("values.npy")).unwrap() == before);

    // A file that is not a run's is not overwritten either; an empty directory is taken.
    let other = temp.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("values.npy"), "mine").unwrap();
    let failed = stderr(&ends_with(2, &["run", "0.77", "--to", "2000", "-o", text(&other)]));
    assert!(failed.contains("values.npy"), "{failed}");
    assert_eq!(fs::read_to_string(other.join("values.npy")).unwrap(), "mine");
    fs::remove_file(other.join("values.npy")).unwrap();
    run(&other, "0.77", "2000", &[]);
}

#[test]
fn a_complete_run_is_resumed_without_harm() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    run(&dir, "0.6", "2000", &[]);
    let before = fs::read(dir.join("values.npy")).unwrap();
    assert!(stderr(&ends_with(0, &["resume", text(&dir)]).stdout("")).contains("done"));
    assert!(fs::read(dir.join("values.npy")).unwrap() == before);
    ends_with(0, &["verify", text(&dir), "--recompute", "1"]);
}

/// A finished run can go on to a larger heap, with and without values, and equals one that was to go there at once.
#[test]
fn a_finished_run_can_be_extended() {
    let temp = tempfile::tempdir().unwrap();
    for keep in ["all", "none"] {
        let (short, long) = (temp.path().join(format!("short-{keep}")), temp.path().join(format!("long-{keep}")));
        run(&short, "0.6", "3000", &["--values", keep]);
        run(&long, "0.6", "9000", &["--values", keep]);
        ends_with(2, &["resume", text(&short), "--to", "2999"]);
        ends_with(0, &["resume", text(&short), "--to", "9000"]);
        let values = |dir: &Path| fs::read(dir.join("values.npy")).ok();
        assert_eq!(values(&short), values(&long));
        let counts = |dir: &Path| {
            let info = stdout(&ends_with(0, &["info", text(dir), "--json"]));
            let json: serde_json::Value = serde_json::from_str(&info).unwrap();
            (json["value_counts"].clone(), json["rare"].clone(), json["to"].clone(), json["complete"].clone())
        };
        assert_eq!(counts(&short), counts(&long));
    }
}

#[test]
fn what_is_no_run_is_told() {
    let temp = tempfile::tempdir().unwrap();
    let dir = text(temp.path());
    for args in [&["resume", dir][..], &["verify", dir], &["info", dir], &["export", dir, "--format", "csv"]] {
        let failed = stderr(&ends_with(3, args).stdout(""));
        assert!(failed.contains("holds no run") && failed.contains(dir), "{args:?}: {failed}");
    }
    assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 0, "looking leaves nothing behind");
}

#[test]
fn exports_that_cannot_be_are_told() {
    let temp = tempfile::tempdir().unwrap();
    let [all, none] = ["all", "none"].map(|keep| {
        let dir = temp.path().join(keep);
        run(&dir, "0.6", "2000", &["--values", keep]);
        dir
    });
    let failed = stderr(&ends_with(2, &["export", text(&none), "--format", "csv"]).stdout(""));
    assert!(failed.contains("--values all"), "{failed}");
    let failed = stderr(&ends_with(2, &["export", text(&all), "--format", "csv", "--to", "2001"]).stdout(""));
    assert!(failed.contains("heaps 0 to 2000"), "{failed}");
    ends_with(2, &["export", text(&all), "--format", "csv", "--from", "9", "--to", "8"]).stdout("");
    let file = temp.path().join("values.csv");
    ends_with(0, &["export", text(&all), "--format", "csv", "-o", text(&file)]).stdout("");
    assert_eq!(fs::read_to_string(file).unwrap(), printed(&["export", text(&all), "--format", "csv"]));
}

/// With a kernel that is named, or where no values are kept, parts of the run are computed once more by the engine.
#[test]
fn runs_are_computed_once_more_with_another_kernel() {
    let temp = tempfile::tempdir().unwrap();
    let verified = |dir: &Path, share: &str| {
        let args = ["verify", text(dir), "--recompute", share, "--kernel", "portable", "--seed", "1"];
        (printed(&args), json(&ends_with(0, &[&args[..], &["--json"]].concat())))
    };
    for keep in ["all", "none"] {
        let dir = temp.path().join(keep);
        run(&dir, "0.106", "2^21", &["--values", keep, "--memory", "6MiB"]);
        let (shown, json) = verified(&dir, "1/4");
        assert!(shown.contains("3 of 9 parts computed once more (--seed 1 chooses the same)"), "{shown}");
        assert!(shown.contains("by sparse engine, portable kernel"), "{shown}");
        assert_eq!(json["recomputed_by"], json!(["sparse engine, portable kernel"]));
        let (_, json) = verified(&dir, "1");
        assert!(json["recomputed"].as_u64().unwrap() > 1 << 21);
    }
    // All pairs: a heap depends on all before it, and the rules give it.
    let dense = temp.path().join("dense");
    run(&dense, "0.A8", "700", &[]);
    let (shown, json) = verified(&dense, "1");
    assert!(shown.contains("701 values recomputed by the rules"), "{shown}");
    assert_eq!(json["recomputed_by"], Value::Null);
    ends_with(2, &["verify", text(&dense), "--recompute", "2/1"]);
    ends_with(2, &["verify", text(&dense), "--recompute", "1/0"]);
    let refused = ends_with(2, &["verify", text(&dense), "--rungs", "1/2"]);
    assert!(stderr(&refused).contains("use --recompute"), "{}", stderr(&refused));
}

/// Blocks outside of what is exported are not looked at.
#[test]
fn damage_elsewhere_does_not_matter() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    run(&dir, "0.77", "3000000", &[]);
    let file = dir.join("values.npy");
    let mut bytes = fs::read(&file).unwrap();
    bytes[128 + 2_500_000] ^= 1;
    fs::write(&file, bytes).unwrap();
    let export = |code, from: &str, to: &str| {
        ends_with(code, &["export", text(&dir), "--format", "csv", "--from", from, "--to", to])
    };
    let right = printed(&["values", "0.77", "--format", "csv", "--from", "2000000", "--to", "2000010"]);
    assert_eq!(stdout(&export(0, "2000000", "2000010")), right);
    assert!(stderr(&export(3, "2097152", "2097160")).contains("heaps 2097152 to 3000000 are damaged"));
    assert!(stderr(&export(3, "2097151", "2097152")).contains("damaged"));
}
