//! Runs that nothing happens to.

use std::fs;
use std::io::Write;
use std::process::Command;

use sprague::store::{BLOCK, Plan, RunDir, StoredRun, npy};
use sprague::{Slice, Values, Width};

use crate::common::*;

#[test]
fn what_is_written_is_read() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("a").join("run");
    let values = noise(LEN);
    let mut run = RunDir::create(&dir, &plan(LEN)).unwrap();
    let mut rest = &values[..];
    for piece in [0, 1, 1000, BLOCK as usize, 77, usize::MAX] {
        let (now, later) = rest.split_at(piece.min(rest.len()));
        run.append(Slice::U8(now)).unwrap();
        checkpoint(&mut run);
        rest = later;
    }
    assert!(run.values() == Some(Slice::U8(&values)));
    finish(run);

    assert_eq!(fs::metadata(dir.join("values.npy")).unwrap().len(), (npy::HEADER_LEN + LEN) as u64);
    assert_eq!(names(&dir).len(), 5, "manifest, values, lock and two checkpoints: {:?}", names(&dir));
    let stored = StoredRun::read(&dir).unwrap();
    assert!(stored.values() == Some(Slice::U8(&values)));
    assert_eq!(stored.verify_blocks(), []);
    let manifest = stored.manifest();
    assert_eq!((manifest.done, manifest.complete, manifest.game.as_str()), (LEN as u64, true, "0.6"));
    assert_eq!(manifest.progress, progress(LEN as u64));
    let sums: Vec<u32> = values.chunks(BLOCK as usize).map(crc32fast::hash).collect();
    assert_eq!(manifest.blocks, sums);
}

#[test]
fn a_run_goes_on_after_a_clean_stop() {
    let temp = tempfile::tempdir().unwrap();
    let values = noise(LEN);
    let (whole, stopped) = (temp.path().join("whole"), temp.path().join("stopped"));
    write_run(&whole, &values);

    let mut run = RunDir::create(&stopped, &plan(LEN)).unwrap();
    let mut done = 0;
    for stop in [1, BLOCK as usize - 1, BLOCK as usize, BLOCK as usize + 1, LEN] {
        run.append(Slice::U8(&values[done..stop])).unwrap();
        finish(run);
        let header = npy::Header::parse(&fs::read(stopped.join("values.npy")).unwrap());
        assert_eq!(header, Some(npy::Header { width: Width::U8, len: stop as u64 }));
        let recovered = RunDir::open(&stopped).unwrap();
        assert_eq!(recovered.payload, Some((stop as u64).to_le_bytes().to_vec()));
        assert_eq!(recovered.warnings, [""; 0]);
        run = recovered.run;
        assert!(run.values() == Some(Slice::U8(&values[..stop])));
        done = stop;
    }
    for file in ["values.npy", "manifest.json"] {
        assert!(fs::read(whole.join(file)).unwrap() == fs::read(stopped.join(file)).unwrap(), "{file}");
    }
}

#[test]
fn values_that_outgrow_the_file_widen_it() {
    let temp = tempfile::tempdir().unwrap();
    let (dir, killed) = (temp.path().join("run"), temp.path().join("killed"));
    let mut all: Values = noise(BLOCK as usize + 5).into_iter().map(u32::from).collect();
    let mut run = RunDir::create(&dir, &plan(2 * LEN)).unwrap();
    run.append(all.as_slice()).unwrap();
    checkpoint(&mut run);
    for (round, big) in [256, 65_535, 65_536, u32::MAX].into_iter().enumerate() {
        let more: Values = [3, big, 5].into_iter().collect();
        run.append(more.as_slice()).unwrap();
        assert!(
            run.values().unwrap() == {
                all.extend(more.as_slice());
                all.as_slice()
            }
        );
        // Killed before the next checkpoint: the file is wider than the manifest tells.
        let killed = killed.join(round.to_string());
        copy_dir(&dir, &killed);
        let known = StoredRun::read(&killed).unwrap().manifest().done as usize;
        assert_eq!(StoredRun::read(&killed).unwrap().verify_blocks(), []);
        let mut recovered = RunDir::open(&killed).unwrap();
        assert_eq!(recovered.warnings, [""; 0]);
        assert!(recovered.run.values().unwrap() == all.as_slice().range(0..known));
        recovered.run.append(all.as_slice().range(known..all.len())).unwrap();
        finish(recovered.run);
        let stored = StoredRun::read(&killed).unwrap();
        assert!(stored.values().unwrap() == all.as_slice());
        assert_eq!(stored.verify_blocks(), []);
        checkpoint(&mut run);
    }
    finish(run);
    let header = npy::Header::parse(&fs::read(dir.join("values.npy")).unwrap()).unwrap();
    assert_eq!(header, npy::Header { width: Width::U32, len: all.len() as u64 });
}

/// Bytes behind the values are room for more of them until the run is complete, and are none of its own from then on.
#[test]
fn a_complete_run_has_no_more_bytes_than_values() {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("values.npy");
    let len = || fs::metadata(&path).unwrap().len();
    let surplus = || StoredRun::read(temp.path()).unwrap().surplus();
    let values = noise(LEN);
    let mut run = RunDir::create(temp.path(), &plan(LEN)).unwrap();
    run.append(Slice::U8(&values[..BLOCK as usize])).unwrap();
    checkpoint(&mut run);
    run.append(Slice::U8(&values[BLOCK as usize..2 * BLOCK as usize])).unwrap();
    assert!(len() > npy::HEADER_LEN as u64 + BLOCK);
    assert_eq!(surplus(), 0, "a run that goes on");
    run.append(Slice::U8(&values[2 * BLOCK as usize..])).unwrap();
    // Killed after its last checkpoint.
    checkpoint(&mut run);
    drop(run);
    assert_eq!((len(), surplus()), ((npy::HEADER_LEN + LEN) as u64, 0));
    fs::File::options().append(true).open(&path).unwrap().write_all(b"more").unwrap();
    assert_eq!(surplus(), 4);
    finish(RunDir::open(temp.path()).unwrap().run);
    assert_eq!((len(), surplus()), ((npy::HEADER_LEN + LEN) as u64, 0));
}

/// A complete run that was told to go further is not complete, whenever it dies, and its state is that of before.
#[test]
fn a_run_that_is_to_go_further_still_is_when_it_dies() {
    let temp = tempfile::tempdir().unwrap();
    write_run(temp.path(), &noise(3000));
    let told = || {
        let stored = StoredRun::read(temp.path()).unwrap();
        let manifest = stored.manifest();
        let payload = stored.payload().unwrap();
        (manifest.to, manifest.done, manifest.complete, stored.surplus(), payload)
    };
    let state = Some(3000u64.to_le_bytes().to_vec());
    assert_eq!(told(), (2999, 3000, true, 0, state.clone()));
    let mut run = RunDir::open(temp.path()).unwrap().run;
    run.extend(4999).unwrap();
    run.append(Slice::U8(&[7; 500])).unwrap();
    drop(run);
    assert_eq!(told(), (4999, 3000, false, 0, state.clone()));
    let recovered = RunDir::open(temp.path()).unwrap();
    assert_eq!((recovered.run.manifest().to, recovered.run.done(), recovered.payload), (4999, 3000, state));
    drop(recovered.run);
    assert!(!told().2);
}

#[test]
fn narrow_values_go_into_a_wide_file() {
    let temp = tempfile::tempdir().unwrap();
    let mut run = RunDir::create(temp.path(), &Plan { width: Width::U32, ..plan(6) }).unwrap();
    run.append(Slice::U8(&[1, 2])).unwrap();
    run.append(Slice::U16(&[300, 4])).unwrap();
    run.append(Slice::U32(&[70_000, 6])).unwrap();
    finish(run);
    let stored = StoredRun::read(temp.path()).unwrap();
    assert_eq!(stored.values(), Some(Slice::U32(&[1, 2, 300, 4, 70_000, 6])));
}

#[test]
fn a_run_without_values_counts_them() {
    let temp = tempfile::tempdir().unwrap();
    let plan = Plan { keep_values: false, ..plan(1 << 40) };
    let mut run = RunDir::create(temp.path(), &plan).unwrap();
    run.append(Slice::U8(&[1, 2, 3])).unwrap();
    run.skip(1 << 39);
    checkpoint(&mut run);
    run.skip(5);
    drop(run);
    let recovered = RunDir::open(temp.path()).unwrap();
    assert_eq!(recovered.run.done(), 3 + (1 << 39));
    assert!(recovered.run.values().is_none());
    assert!(!temp.path().join("values.npy").exists());
    finish(recovered.run);
    let stored = StoredRun::read(temp.path()).unwrap();
    assert_eq!((stored.values(), stored.verify_blocks()), (None, vec![]));
}

#[test]
fn only_one_process_writes() {
    let temp = tempfile::tempdir().unwrap();
    let run = RunDir::create(temp.path(), &plan(10)).unwrap();
    assert!(refused(RunDir::open(temp.path()), temp.path()).contains("wait"));
    StoredRun::read(temp.path()).unwrap();
    drop(run);
    RunDir::open(temp.path()).unwrap();
}

#[test]
fn occupied_and_empty_directories_are_told_apart() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path();
    assert!(refused(RunDir::open(dir), dir).contains("sprague run"));
    assert!(refused(StoredRun::read(dir), dir).contains("sprague run"));
    assert_eq!(names(dir), [""; 0], "looking leaves nothing behind");

    for file in ["manifest.json", "values.npy", "checkpoint-1.bin"] {
        let path = dir.join(file);
        fs::write(&path, "{\"name\": \"a web page\"}").unwrap();
        assert!(refused(RunDir::create(dir, &plan(10)), &path).contains("another directory"));
        fs::remove_file(path).unwrap();
    }
    drop(RunDir::create(dir, &plan(10)).unwrap());
    assert!(refused(RunDir::create(dir, &plan(10)), dir).contains("sprague resume"));
}

#[test]
fn a_run_that_the_disk_cannot_hold_is_not_begun() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    assert!(refused(RunDir::create(&dir, &Plan { to: 1 << 60, ..plan(1) }), &dir).contains("--values none"));
    assert!(refused(RunDir::create(&dir, &Plan { checkpoint_bytes: 1 << 60, ..plan(1) }), &dir).contains("GB"));
    RunDir::create(&dir, &plan(1)).unwrap();
}

#[test]
fn numpy_maps_the_values() {
    let numpy = |script: &str| Command::new("python3").args(["-c", script]).output();
    if !numpy("import numpy").is_ok_and(|out| out.status.success()) {
        eprintln!("skipped: python3 with numpy is not installed");
        return;
    }
    let temp = tempfile::tempdir().unwrap();
    for (name, values) in [
        ("uint8", Slice::U8(&[1, 200])),
        ("uint16", Slice::U16(&[1, 2, 60_000])),
        ("uint32", Slice::U32(&[1, 2, 4_000_000_000])),
    ] {
        let dir = temp.path().join(name);
        let mut run = RunDir::create(&dir, &plan(1000)).unwrap();
        run.append(values).unwrap();
        finish(run);
        let mut copy = Vec::new();
        npy::write(&mut copy, values).unwrap();
        assert!(copy == fs::read(dir.join("values.npy")).unwrap());

        let path = dir.join("values.npy");
        let script = format!(
            "import numpy; v = numpy.load({path:?}, mmap_mode='r'); print(v.dtype, v.tolist(), v.flags.c_contiguous)"
        );
        let values: Vec<u32> = values.iter().collect();
        let told = String::from_utf8(numpy(&script).unwrap().stdout).unwrap();
        assert_eq!(told.trim(), format!("{name} {values:?} True"));
    }
}
