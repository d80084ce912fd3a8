//! Files that were changed, cut short, or made by others: refused by name, or found by `verify`.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::Path;

use crate::common::*;

/// Values per block with one checksum, as the format of run directories says.
const BLOCK: u64 = 1 << 20;

fn flip_bit(path: &Path, byte: u64) {
    let file = fs::File::options().read(true).write(true).open(path).unwrap();
    let mut cell = [0];
    file.read_exact_at(&mut cell, byte).unwrap();
    file.write_all_at(&[cell[0] ^ 4], byte).unwrap();
}

#[test]
fn a_flipped_bit_of_the_values_is_found() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    says(0, &["run", "0.77", "--to", "2500000", "-o", text(&dir)]);
    let path = dir.join("values.npy");
    let header = fs::metadata(&path).unwrap().len() - 2_500_001;
    for heap in [0, 70, BLOCK - 1, BLOCK, 2_500_000] {
        flip_bit(&path, header + heap);
        let output = sprague(&["verify", text(&dir)]).output().unwrap();
        said(1, &output);
        let found = String::from_utf8(output.stdout).unwrap();
        let (first, last) = (heap / BLOCK * BLOCK, (heap / BLOCK * BLOCK + BLOCK - 1).min(2_500_000));
        assert!(
            found.contains(&format!("the values of heaps {first} to {last} do not have their checksum")),
            "{found}"
        );
        flip_bit(&path, header + heap);
    }
    says(0, &["verify", text(&dir)]);
}

/// A change that comes with a right checksum is found by the rules of the game.
#[test]
fn a_resumed_run_does_not_build_on_damaged_values() {
    let temp = tempfile::tempdir().unwrap();
    let [whole, dir] = ["whole", "run"].map(|name| temp.path().join(name));
    for dir in [&whole, &dir] {
        says(0, &["run", "0.6", "--to", "20000", "-o", text(dir)]);
    }
    flip_bit(&dir.join("values.npy"), 9000);
    let said = says(0, &["resume", text(&dir)]);
    assert!(said.contains("values.npy") && said.contains("damaged"), "{said}");
    assert_same(&whole, &dir);
}

#[test]
fn bad_manifests_are_refused_by_name() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    says(0, &["run", "0.6", "--to", "2000", "-o", text(&dir)]);
    let path = dir.join("manifest.json");
    let good = fs::read_to_string(&path).unwrap();
    let newer = good.replace("\"format_version\": 1,", "\"format_version\": 2,");
    let edited = good.replace("\"to\": 2000", "\"to\": 3000");
    let bad = [
        (&good[..good.len() / 2], "damaged"),
        ("", "is not the manifest of a run"),
        ("{\"format\": \"something else\"}\n", "is not the manifest of a run"),
        (&newer, "newer"),
        (&edited, "damaged"),
    ];
    for (content, why) in bad {
        fs::write(&path, content).unwrap();
        for args in [
            &["resume", text(&dir)][..],
            &["info", text(&dir)],
            &["verify", text(&dir)],
            &["export", text(&dir), "--format", "csv"],
        ] {
            let said = says(3, args);
            assert!(said.contains(text(&path)) && said.contains(why), "{args:?}: {said}");
        }
    }
    fs::write(&path, good).unwrap();
    says(0, &["verify", text(&dir), "--recompute", "1"]);
}

#[test]
fn bad_files_of_values_are_refused_by_name() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    says(0, &["run", "0.6", "--to", "2000", "-o", text(&dir)]);
    let path = dir.join("values.npy");
    let good = fs::read(&path).unwrap();
    for content in [&good[..good.len() - 1], &good[..100], b"", b"a text that is longer than any header"] {
        fs::write(&path, content).unwrap();
        for args in [&["info", text(&dir)][..], &["verify", text(&dir)], &["export", text(&dir), "--format", "csv"]] {
            let said = says(3, args);
            assert!(said.contains(text(&path)), "{args:?}: {said}");
        }
    }
    fs::write(&path, &good).unwrap();
    says(0, &["verify", text(&dir)]);
}

/// A bad checkpoint is set aside, the one before is used, and the user is told.
#[test]
fn a_bad_checkpoint_costs_time_and_nothing_else() {
    let temp = tempfile::tempdir().unwrap();
    let [whole, dir] = ["whole", "run"].map(|name| temp.path().join(name));
    for dir in [&whole, &dir] {
        says(0, &["run", "0.6", "--to", "20000", "--values", "none", "-o", text(dir)]);
    }
    let newest = dir.join("checkpoint-00000000000000020001.bin");
    let len = fs::metadata(&newest).unwrap().len();
    flip_bit(&newest, len / 2);
    let said = says(0, &["resume", text(&dir)]);
    assert!(said.contains(text(&newest)) && said.contains(".bad"), "{said}");
    assert_same(&whole, &dir);
}
