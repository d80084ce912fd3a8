//! Disks that become full.

use std::fs;
use std::path::Path;
use std::process::Command;

use sprague::store::{Plan, RunDir, StoreError, StoredRun};
use sprague::{Slice, Values};

use crate::common::*;

/// A small file system of its own, or `None` (told on stderr) where mounting is not allowed.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount(size: &str) -> Option<SmallDisk> {
        let dir = tempfile::tempdir().unwrap();
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(dir.path())
            .output();
        if mount.is_ok_and(|out| out.status.success()) {
            return Some(SmallDisk(dir));
        }
        eprintln!("skipped: mounting a small file system is not permitted here");
        None
    }

    /// Leaves `free` bytes.
    fn fill(&self, free: u64) -> std::path::PathBuf {
        let stat = rustix::fs::statvfs(self.0.path()).unwrap();
        let path = self.0.path().join("filler");
        fs::write(&path, vec![1; (stat.f_bavail * stat.f_frsize - free) as usize]).unwrap();
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg(self.0.path()).status();
        assert!(unmounted.is_ok_and(|status| status.success()), "{:?} is still mounted", self.0.path());
    }
}

#[track_caller]
fn full<T>(result: Result<T, StoreError>, dir: &Path) {
    let error = result.err().expect("the disk is full");
    assert!(matches!(error, StoreError::Full { .. } | StoreError::NoSpace { .. }), "{error}");
    assert!(error.to_string().contains(dir.to_str().unwrap()), "{error}");
    assert!(!names(dir).iter().any(|name| name.ends_with(".new")), "nothing unfinished takes up room");
}

#[test]
fn a_full_disk_is_an_error_and_the_run_goes_on_when_there_is_room() {
    let Some(disk) = SmallDisk::mount("8m") else { return };
    let dir = disk.0.path().join("run");
    full(RunDir::create(&dir, &plan(9 << 20)).map(drop), &dir);

    let values = noise(4 << 20);
    let mut run = RunDir::create(&dir, &plan(values.len())).unwrap();
    run.append(Slice::U8(&values[..600_000])).unwrap();
    checkpoint(&mut run);
    let filler = disk.fill(100_000);

    let wide: Values = [256].into_iter().collect();
    full(run.append(wide.as_slice()), &dir);
    full(run.append(Slice::U8(&values[600_000..])), &dir);
    full(run.checkpoint(&[1; 200_000], progress(600_000)), &dir);
    assert_eq!(run.done(), 600_000);
    // What fits the space reserved is still taken.
    run.append(Slice::U8(&values[600_000..1_000_000])).unwrap();
    drop(run);
    full(RunDir::open(&dir).map(drop), &dir);

    fs::remove_file(filler).unwrap();
    let mut recovered = RunDir::open(&dir).unwrap();
    assert_eq!((recovered.run.done(), recovered.warnings.len()), (600_000, 0));
    recovered.run.append(Slice::U8(&values[600_000..])).unwrap();
    finish(recovered.run);
    let stored = StoredRun::read(&dir).unwrap();
    assert!(stored.values() == Some(Slice::U8(&values)));
    assert_eq!(stored.verify_blocks(), []);
}

#[test]
fn a_copy_with_holes_is_filled_before_it_is_written_to() {
    let Some(disk) = SmallDisk::mount("8m") else { return };
    let dir = disk.0.path().join("run");
    let mut run = RunDir::create(&dir, &Plan { checkpoint_bytes: 0, ..plan(4 << 20) }).unwrap();
    run.append(Slice::U8(&[1, 2, 3])).unwrap();
    checkpoint(&mut run);
    drop(run);
    // As a copy that leaves out zeros has it: longer than the space it takes.
    let file = fs::File::options().write(true).open(dir.join("values.npy")).unwrap();
    file.set_len(128 + 3).unwrap();
    file.set_len(128 + (4 << 20)).unwrap();
    let filler = disk.fill(1 << 20);
    full(RunDir::open(&dir).map(drop), &dir);
    fs::remove_file(filler).unwrap();
    let mut run = RunDir::open(&dir).unwrap().run;
    disk.fill(1 << 20);
    run.append(Slice::U8(&vec![9; (4 << 20) - 3])).unwrap();
    finish(run);
}
