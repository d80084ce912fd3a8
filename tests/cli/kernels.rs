//! `--kernel`.

use sprague::kernel::{unavailable, variants};

use crate::common::*;

/// Every command that computes, with arguments that make it compute little, and a directory for `run`.
fn commands(dir: &str) -> [Vec<&str>; 6] {
    [
        vec!["values", "0.106", "--to", "9"],
        vec!["period", "0.156"],
        vec!["claim", "0.156", "--period", "349", "--preperiod", "3479"],
        vec!["run", "0.106", "--to", "9", "-o", dir],
        vec!["resume", dir],
        vec!["selftest"],
    ]
}

#[test]
fn every_kernel_of_this_cpu_can_be_chosen() {
    unavailable().for_each(|name| eprintln!("skipped: this CPU cannot run {name}"));
    let values = printed(&["values", "0.106", "--to", "40000", "--no-detect"]);
    for kernel in variants() {
        let name = kernel.name();
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path().join("run");
        // The self-test takes seconds, so only the kernel that everything else can do without runs it.
        for command in commands(text(&dir)).into_iter().filter(|c| c != &["selftest"] || name == "portable") {
            ends_with(0, &[&command[..], &["--kernel", name]].concat());
        }
        assert_eq!(printed(&["values", "0.106", "--to", "40000", "--no-detect", "--kernel", name]), values, "{name}");
        // The kernel that is told is the one that was at work.
        let told = json(&ends_with(4, &["period", "0.106", "--limit", "40000", "--kernel", name, "--json", "-q"]));
        assert_eq!(told["kernel"], name);
    }
}

#[test]
fn other_kernels_are_refused_with_those_that_can_be_run() {
    let can: Vec<&str> = variants().map(|kernel| kernel.name()).collect();
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("run");
    for name in unavailable().chain(["sse2", "AVX2", ""]) {
        for command in commands(text(&dir)) {
            let failed = ends_with(2, &[&command[..], &["--kernel", name]].concat()).stdout("");
            let told =
                format!("sprague: this CPU has no kernel '{name}': the kernels it can run are {}\n", can.join(", "));
            assert_eq!(stderr(&failed), told, "{command:?}");
        }
    }
    assert!(!dir.exists(), "nothing is created before the arguments are looked at");
}
