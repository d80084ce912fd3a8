//! Disks that become full.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::*;

/// A small file system of its own, or `None` (told on stderr) where mounting is not permitted.
struct SmallDisk(tempfile::TempDir);

impl SmallDisk {
    fn mount(size: &str) -> Option<SmallDisk> {
        let dir = tempfile::tempdir().unwrap();
        let options = format!("size={size}");
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", &options, "tmpfs"]).arg(dir.path()).output();
        if mount.is_ok_and(|out| out.status.success()) {
            return Some(SmallDisk(dir));
        }
        eprintln!("skipped: mounting a small file system is not permitted here");
        None
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Leaves `free` bytes.
    fn fill(&self, free: u64) -> PathBuf {
        let stat = rustix::fs::statvfs(self.path()).unwrap();
        let path = self.path().join("filler");
        fs::write(&path, vec![1; (stat.f_bavail * stat.f_frsize).saturating_sub(free) as usize]).unwrap();
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let unmounted = Command::new("umount").arg(self.path()).status();
        assert!(unmounted.is_ok_and(|status| status.success()), "{:?} is still mounted", self.path());
    }
}

#[test]
fn a_disk_that_is_too_small_is_told_before_the_start() {
    let Some(disk) = SmallDisk::mount("2m") else { return };
    let dir = disk.path().join("run");
    let said = says(3, &["run", "0.77", "--to", "1e7", "-o", text(&dir)]);
    assert!(said.contains(text(&dir)) && said.contains("make room") && said.lines().count() == 1, "{said}");
    assert!(!dir.join("manifest.json").exists());
}

#[test]
fn a_disk_that_becomes_full_is_an_error_and_the_run_goes_on_when_there_is_room() {
    let Some(disk) = SmallDisk::mount("4m") else { return };
    let whole = tempfile::tempdir().unwrap();
    let dir = disk.path().join("run");
    let args = ["run", "0.6", "--to", "60000", "-o"];
    // The disk has room for a byte a value. From heap 10344 on, values are wider, and a copy of them is made.
    let filler = disk.fill(130_000);
    let said = says(3, &[&args[..], &[text(&dir)]].concat());
    assert!(said.contains("make room") && said.contains(text(&dir)), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");

    fs::remove_file(filler).unwrap();
    says(0, &["resume", text(&dir)]);
    let whole = whole.path().join("run");
    says(0, &[&args[..], &[text(&whole)]].concat());
    assert_same(&whole, &dir);
}

#[test]
fn a_checkpoint_that_does_not_fit_is_an_error_and_the_run_goes_on_when_there_is_room() {
    let Some(disk) = SmallDisk::mount("8m") else { return };
    let whole = tempfile::tempdir().unwrap();
    let dir = disk.path().join("run");
    let args = ["run", "0.6", "--to", "200000", "--values", "none", "--checkpoint-every", "1s", "-o"];
    let child = sprague(&[&args[..], &[text(&dir)]].concat()).spawn().unwrap();
    wait_until("the run's start", || dir.join("manifest.json").exists());
    let filler = disk.fill(50_000);
    let output = child.wait_with_output().unwrap();
    let said = said(3, &output);
    assert!(
        said.contains("the disk is full") && said.contains("sprague resume") && said.contains(text(&dir)),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(!fs::read_dir(&dir).unwrap().any(|entry| entry.unwrap().path().extension().is_some_and(|e| e == "new")));

    fs::remove_file(filler).unwrap();
    says(0, &["resume", text(&dir)]);
    let whole = whole.path().join("run");
    says(0, &[&args[..], &[text(&whole)]].concat());
    assert_same(&whole, &dir);
}
