//! Every command of the README does what the README shows.

use std::path::Path;
use std::process::Command;

/// The `console` blocks of the README: each command with what it must print on stdout and stderr together.
fn sessions(readme: &str) -> Vec<(String, Vec<String>)> {
    let mut sessions: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in readme.lines() {
        match line {
            "```console" => inside = true,
            "```" => inside = false,
            _ if !inside => {}
            _ => match line.strip_prefix("$ ") {
                Some(command) => sessions.push((command.to_owned(), Vec::new())),
                None => sessions.last_mut().expect("a block begins with a command").1.push(line.to_owned()),
            },
        }
    }
    sessions
}

/// The line with every time (`0.12 s`) and kernel made equal: these differ from run to run, and from CPU to CPU.
fn comparable(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for i in 1..words.len() {
        if words[i].trim_end_matches(',') == "s" && words[i - 1].parse::<f64>().is_ok() {
            words[i - 1] = "T";
        }
        if words[i].trim_end_matches(',') == "kernel" {
            words[i - 1] = "K";
        }
    }
    words.join(" ")
}

fn run(command: &str, dir: &Path) -> Vec<String> {
    let program = Path::new(env!("CARGO_BIN_EXE_sprague"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let script = format!("{command} 2>&1");
    let output = Command::new("bash").args(["-c", &script]).current_dir(dir).env("PATH", path).output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn the_readme_is_true() {
    let readme = include_str!("../README.md");
    let sessions = sessions(readme);
    assert!(sessions.len() > 10, "the README has lost its examples");
    let dir = tempfile::tempdir().unwrap();
    for (command, shown) in sessions {
        let printed: Vec<String> = run(&command, dir.path()).iter().map(|line| comparable(line)).collect();
        let shown: Vec<String> = shown.iter().map(|line| comparable(line)).collect();
        assert_eq!(printed, shown, "$ {command}");
    }
}

/// The first command of the README is `cargo run --release --quiet -- ARGUMENTS`: its arguments give the period.
#[test]
fn the_first_command_prints_a_proven_period() {
    let readme = include_str!("../README.md");
    let line = readme.lines().find(|line| line.starts_with("cargo run")).unwrap();
    let arguments = line.split_once(" -- ").unwrap().1;
    let printed = run(&format!("sprague {arguments}"), Path::new(".")).join("\n");
    for shown in ["period          12", "preperiod       71", "last exception  70", "proven by"] {
        assert!(printed.contains(shown), "{printed}");
    }
}
