//! Processes that die.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use sprague::store::{BLOCK, RunDir, StoredRun};
use sprague::{Slice, Values};

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

const PIECE: usize = 8_000;
const PIECES: usize = 200;
const DIR: &str = "SPRAGUE_TEST_DIR";

/// The values of a run that outgrows a byte in its middle and ends in its second block.
fn growing() -> Values {
    let odd = |n: usize| if n == PIECE * PIECES / 2 { 1000 } else { 0 };
    noise(PIECE * PIECES).into_iter().enumerate().map(|(n, v)| u32::from(v) + odd(n)).collect()
}

/// Begins or goes on with the run in `dir`, and calls `pace` before each piece.
fn write_growing(dir: &Path, pace: impl Fn()) {
    let values = growing();
    let mut run = if dir.join("manifest.json").exists() {
        RunDir::open(dir).unwrap().run
    } else {
        RunDir::create(dir, &plan(values.len())).unwrap()
    };
    assert!(run.values().unwrap() == values.as_slice().range(0..run.done() as usize));
    for piece in run.done() as usize / PIECE..PIECES {
        pace();
        run.append(values.as_slice().range(piece * PIECE..(piece + 1) * PIECE)).unwrap();
        if piece % 2 == 0 {
            checkpoint(&mut run);
        }
    }
    finish(run);
}

#[test]
#[ignore = "the process that the next test kills"]
fn writer() {
    let dir = std::env::var_os(DIR).expect("the next test tells the directory");
    write_growing(Path::new(&dir), || {
        println!("\npiece");
        std::io::stdin().read_line(&mut String::new()).unwrap();
    });
}

/// Lets the process write `pieces`, and waits until it asks for the last of them, or is a little further.
fn let_write(writer: &mut Child, pieces: usize) {
    writer.stdin.as_mut().unwrap().write_all(&vec![b'\n'; pieces]).unwrap();
    let lines = BufReader::new(writer.stdout.as_mut().unwrap()).lines();
    let asked = lines.map(Result::unwrap).filter(|line| line == "piece").take(pieces).count();
    assert_eq!(asked, pieces, "the writer ended by itself");
}

#[test]
fn a_process_killed_again_and_again_ends_as_one_that_is_not() {
    let temp = tempfile::tempdir().unwrap();
    let [whole, dir] = ["whole", "run"].map(|name| temp.path().join(name));
    write_growing(&whole, || ());
    let start = |stdin: Stdio| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "death::writer", "--ignored", "--nocapture"]).env(DIR, &dir);
        command.stdin(stdin).stdout(Stdio::piped()).spawn().unwrap()
    };
    for round in 0..20 {
        let mut writer = start(Stdio::piped());
        let_write(&mut writer, 2 + round * 5 % 13);
        writer.kill().unwrap();
        writer.wait().unwrap();
    }
    assert!(start(Stdio::null()).wait_with_output().unwrap().status.success());
    for file in ["values.npy", "manifest.json"] {
        assert!(fs::read(whole.join(file)).unwrap() == fs::read(dir.join(file)).unwrap(), "{file}");
    }
}
