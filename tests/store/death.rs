//! Processes that die.

use std::fs;
use std::path::Path;

use sprague::Slice;
use sprague::store::{BLOCK, RunDir, StoredRun};

use crate::common::*;

/// Opens a run that died, checks what it has, completes it, and returns how many values it had.
fn complete(dir: &Path, values: &[u8]) -> usize {
    let recovered = RunDir::open(dir).unwrap();
    let mut run = recovered.run;
    let done = recovered.payload.map_or(0, |payload| u64::from_le_bytes(payload.try_into().unwrap()));
    assert_eq!(recovered.warnings, [""; 0]);
    assert_eq!(run.done(), done);
    assert!(run.values() == Some(Slice::U8(&values[..done as usize])));
    run.append(Slice::U8(&values[done as usize..])).unwrap();
    finish(run);
    done as usize
}

/// Completes a copy of the run in `dir`, and compares it with one that never died.
fn dies_harmlessly(dir: &Path, whole: &Path, values: &[u8]) -> usize {
    let copy = dir.with_extension("copy");
    copy_dir(dir, &copy);
    let readable = StoredRun::read(&copy).unwrap();
    let known = readable.manifest().done as usize;
    assert!(readable.values() == Some(Slice::U8(&values[..known])));
    assert_eq!(readable.verify_blocks(), []);
    drop(readable);
    let done = complete(&copy, values);
    for file in ["values.npy", "manifest.json"] {
        assert!(fs::read(whole.join(file)).unwrap() == fs::read(copy.join(file)).unwrap(), "{file}");
    }
    assert!(!names(&copy).iter().any(|name| name.ends_with(".new")));
    fs::remove_dir_all(copy).unwrap();
    done
}

#[test]
fn a_run_that_dies_between_any_two_steps_ends_as_one_that_does_not() {
    let temp = tempfile::tempdir().unwrap();
    let values = noise(LEN);
    let [whole, dir, dead] = ["whole", "run", "dead"].map(|name| temp.path().join(name));
    write_run(&whole, &values);

    let mut run = RunDir::create(&dir, &plan(LEN)).unwrap();
    let mut last = 0;
    for end in [LEN / 3, BLOCK as usize, LEN / 2, LEN - 1] {
        run.append(Slice::U8(&values[last..end])).unwrap();
        copy_dir(&dir, &dead);
        let before = names(&dir);
        checkpoint(&mut run);
        let new = format!("checkpoint-{end:020}.bin");
        let take = |file: &str| fs::copy(dir.join(file), dead.join(file)).map(drop).unwrap();
        // The documented order of writing, one step at a time.
        let had = |step: &dyn Fn()| {
            step();
            dies_harmlessly(&dead, &whole, &values)
        };
        assert_eq!(had(&|| ()), last);
        assert_eq!(had(&|| fs::write(dead.join("values.npy.new"), "half a wider file").unwrap()), last);
        assert_eq!(had(&|| take("values.npy")), last);
        assert_eq!(had(&|| fs::write(dead.join(format!("{new}.new")), "SPRGCK").unwrap()), last);
        assert_eq!(had(&|| take(&new)), end);
        assert_eq!(had(&|| fs::write(dead.join("manifest.json.new"), "{").unwrap()), end);
        assert_eq!(had(&|| take("manifest.json")), end);
        for old in before.iter().filter(|name| !dir.join(name).exists()) {
            assert_eq!(had(&|| fs::remove_file(dead.join(old)).unwrap()), end);
        }
        fs::remove_dir_all(&dead).unwrap();
        last = end;
    }
}

#[test]
fn a_run_that_dies_at_birth_begins_again() {
    let temp = tempfile::tempdir().unwrap();
    let values = noise(1000);
    let [whole, dir] = ["whole", "run"].map(|name| temp.path().join(name));
    write_run(&whole, &values);
    drop(RunDir::create(&dir, &plan(1000)).unwrap());
    fs::remove_file(dir.join("values.npy")).unwrap();
    assert_eq!(dies_harmlessly(&dir, &whole, &values), 0);
}
