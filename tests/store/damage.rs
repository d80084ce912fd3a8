//! Files that were changed, cut short, or made by others.

use std::fs;

use sprague::Slice;
use sprague::store::{BLOCK, Plan, Progress, RunDir, StoredRun, npy};

use crate::common::*;

#[test]
fn a_changed_manifest_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    write_run(temp.path(), &[1, 2, 3, 4]);
    let path = temp.path().join("manifest.json");
    let len = fs::metadata(&path).unwrap().len() as usize;
    for bit in 0..8 * len {
        flip(&path, bit / 8, bit % 8);
        refused(StoredRun::read(temp.path()), &path);
        flip(&path, bit / 8, bit % 8);
    }
    StoredRun::read(temp.path()).unwrap();
    for len in (0..len).rev() {
        cut(&path, len);
        refused(StoredRun::read(temp.path()), &path);
        refused(RunDir::open(temp.path()), &path);
    }
}

#[test]
fn a_changed_header_of_the_values_is_refused() {
    let temp = tempfile::tempdir().unwrap();
    write_run(temp.path(), &[1, 2, 3, 4]);
    let path = temp.path().join("values.npy");
    for bit in 0..8 * npy::HEADER_LEN {
        flip(&path, bit / 8, bit % 8);
        refused(StoredRun::read(temp.path()), &path);
        flip(&path, bit / 8, bit % 8);
    }
    StoredRun::read(temp.path()).unwrap();
    for len in (0..npy::HEADER_LEN + 4).rev() {
        cut(&path, len);
        refused(StoredRun::read(temp.path()), &path);
        refused(RunDir::open(temp.path()), &path);
    }
    fs::remove_file(&path).unwrap();
    refused(StoredRun::read(temp.path()), &path);
    refused(RunDir::open(temp.path()), &path);
}

#[test]
fn files_of_others_are_refused() {
    let temp = tempfile::tempdir().unwrap();
    write_run(temp.path(), &[1, 2, 3, 4]);
    let values = temp.path().join("values.npy");
    let foreign = b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }";
    fs::write(&values, [&foreign[..], &[b' '; 200]].concat()).unwrap();
    assert!(refused(StoredRun::read(temp.path()), &values).contains("as sprague wrote it"));
    assert!(refused(RunDir::open(temp.path()), &values).contains("as sprague wrote it"));
    let manifest = temp.path().join("manifest.json");
    fs::write(&manifest, "{\"format\": \"map\", \"format_version\": 1}").unwrap();
    assert!(refused(StoredRun::read(temp.path()), &manifest).contains("not the manifest"));
}

/// Seals a manifest as the format says.
fn seal(text: &str) -> String {
    let body = &text[..text.rfind(",\n  \"crc32\"").unwrap()];
    format!("{body},\n  \"crc32\": \"{:08x}\"\n}}\n", crc32fast::hash(body.as_bytes()))
}

#[test]
fn newer_formats_are_refused_and_unknown_keys_are_not() {
    let temp = tempfile::tempdir().unwrap();
    write_run(temp.path(), &[1, 2, 3, 4]);
    let manifest = temp.path().join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    assert_eq!(seal(&text), text);

    fs::write(&manifest, seal(&text.replace("\"game\"", "\"colour\": \"red\",\n  \"game\""))).unwrap();
    assert_eq!(StoredRun::read(temp.path()).unwrap().manifest().done, 4);
    fs::write(&manifest, seal(&text.replace("\"format_version\": 1", "\"format_version\": 99"))).unwrap();
    assert!(refused(StoredRun::read(temp.path()), &manifest).contains("upgrade"));
    fs::write(&manifest, text).unwrap();

    let checkpoint = temp.path().join(format!("checkpoint-{:020}.bin", 4));
    let mut bytes = fs::read(&checkpoint).unwrap();
    bytes[8] = 2;
    let sum = crc32fast::hash(&bytes[..28]).to_le_bytes();
    bytes[28..32].copy_from_slice(&sum);
    fs::write(&checkpoint, bytes).unwrap();
    assert!(refused(RunDir::open(temp.path()), &checkpoint).contains("upgrade"));
    assert!(checkpoint.exists(), "a newer checkpoint is not set aside");
}

/// A right checksum does not make sense of a number that cannot be reckoned with.
#[test]
fn absurd_numbers_in_a_manifest_are_refused() {
    let temp = tempfile::tempdir().unwrap();
    write_run(temp.path(), &[1, 2, 3, 4]);
    let manifest = temp.path().join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let absurd =
        [("\"period\": 12", "\"period\": 0"), ("{\"heaps\": 1, ", "{\"heaps\": 0, "), ("\"bits\": 494", "\"bits\": 0")];
    for (right, wrong) in absurd {
        assert!(text.contains(right), "{text}");
        fs::write(&manifest, seal(&text.replace(right, wrong))).unwrap();
        assert!(refused(StoredRun::read(temp.path()), &manifest).contains("makes no sense"));
    }
}

#[test]
fn a_bad_checkpoint_is_set_aside_and_the_one_before_used() {
    let temp = tempfile::tempdir().unwrap();
    let values = noise(3000);
    let good = temp.path().join("good");
    write_run(&good, &values);
    let newest = format!("checkpoint-{:020}.bin", 3000);
    let oldest = format!("checkpoint-{:020}.bin", 2000);
    let len = fs::metadata(good.join(&newest)).unwrap().len() as usize;
    for (round, byte) in [0, 9, 13, 30, 40, len / 2, len - 5, len - 1].into_iter().enumerate() {
        let dir = temp.path().join(round.to_string());
        copy_dir(&good, &dir);
        flip(&dir.join(&newest), byte, 3);
        let recovered = RunDir::open(&dir).unwrap();
        assert_eq!((recovered.run.done(), recovered.warnings.len()), (2000, 1), "byte {byte}");
        assert!(recovered.warnings[0].contains(&newest), "{:?}", recovered.warnings);
        assert_eq!(recovered.payload, Some(2000u64.to_le_bytes().to_vec()));
        assert_eq!(recovered.run.manifest().progress, progress(2000));
        assert!(recovered.run.values() == Some(Slice::U8(&values[..2000])));
        assert_eq!(names(&dir)[1], format!("{newest}.bad"));
    }
    // With both gone, the values are still there; without values, the run begins again.
    flip(&good.join(&newest), 50, 0);
    fs::write(good.join(&oldest), "").unwrap();
    let mut recovered = RunDir::open(&good).unwrap();
    assert_eq!((recovered.run.done(), recovered.payload, recovered.warnings.len()), (3000, None, 3));
    assert_eq!(recovered.run.manifest().progress, Progress::default());
    assert!(recovered.run.values() == Some(Slice::U8(&values)));
    checkpoint(&mut recovered.run);
}

#[test]
fn a_checkpoint_of_another_run_is_not_used() {
    let temp = tempfile::tempdir().unwrap();
    let (ours, theirs) = (temp.path().join("ours"), temp.path().join("theirs"));
    write_run(&ours, &noise(30));
    drop(RunDir::create(&theirs, &Plan { game: "0.77".to_owned(), ..plan(30) }).unwrap());
    let name = format!("checkpoint-{:020}.bin", 30);
    fs::copy(ours.join(&name), theirs.join(&name)).unwrap();
    let recovered = RunDir::open(&theirs).unwrap();
    assert_eq!((recovered.run.done(), recovered.payload), (0, None));
    assert!(recovered.warnings[0].contains("another run"), "{:?}", recovered.warnings);
}

#[test]
fn damaged_values_are_found_and_not_built_on() {
    let temp = tempfile::tempdir().unwrap();
    let values = noise(LEN);
    let good = temp.path().join("good");
    write_run(&good, &values);
    let block = BLOCK as usize;
    // The last two checkpoints are at two thirds, within the second block, and at the end.
    for (at, bad, done, warnings) in [(2 * block, 2, 2 * LEN.div_ceil(3), 1), (block, 1, block, 3), (5, 0, 0, 3)] {
        let dir = temp.path().join(at.to_string());
        copy_dir(&good, &dir);
        flip(&dir.join("values.npy"), npy::HEADER_LEN + at, 6);
        let found = StoredRun::read(&dir).unwrap().verify_blocks();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].block, bad);
        assert!(found[0].heaps.contains(&(at as u64)) && found[0].heaps.end <= LEN as u64);

        let mut recovered = RunDir::open(&dir).unwrap();
        assert_eq!((recovered.run.done() as usize, recovered.warnings.len()), (done, warnings));
        assert!(recovered.run.values() == Some(Slice::U8(&values[..done])));
        recovered.run.append(Slice::U8(&values[done..])).unwrap();
        finish(recovered.run);
        assert!(fs::read(dir.join("values.npy")).unwrap() == fs::read(good.join("values.npy")).unwrap());
        assert_eq!(StoredRun::read(&dir).unwrap().verify_blocks(), []);
    }
}
