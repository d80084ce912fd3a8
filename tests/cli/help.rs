//! Help, completions and the man page.

use crate::common::*;

const COMMANDS: [&str; 17] = [
    "values",
    "period",
    "claim",
    "run",
    "resume",
    "info",
    "verify",
    "export",
    "plot",
    "play",
    "graph",
    "misere",
    "census",
    "selftest",
    "bench",
    "completions",
    "man",
];

#[test]
fn every_command_is_in_the_help_and_in_the_man_page() {
    let help = printed(&["--help"]);
    let man = printed(&["man"]);
    for command in COMMANDS {
        assert!(help.lines().any(|line| line.trim_start().starts_with(&format!("{command} "))), "{command}: {help}");
        assert!(man.contains(&format!("sprague-{command}")), "{command}");
        let own = printed(&[command, "--help"]);
        assert!(own.contains(&format!("Usage: sprague {command}")), "{own}");
    }
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // A description that goes on in the next line is indented further.
    let names: Vec<&str> = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    assert_eq!(names, [&COMMANDS[..], &["help"]].concat(), "all of them are tested here");
    assert!(man.contains(".TH") && man.contains(".SH"));
}

#[test]
fn the_version_is_the_crate_s() {
    assert_eq!(printed(&["--version"]), format!("sprague {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_for_every_shell() {
    for (shell, sign) in [
        ("bash", "complete -F"),
        ("zsh", "#compdef sprague"),
        ("fish", "complete -c sprague"),
        ("elvish", "edit:completion"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let script = printed(&["completions", shell]);
        assert!(script.contains(sign), "{shell}");
        for command in COMMANDS {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    ends_with(2, &["completions", "csh"]).stdout("");
}

#[test]
fn no_command_or_a_wrong_one_is_bad_usage() {
    for args in [&[][..], &["vlaues"], &["values"], &["values", "kayles"], &["period"], &["resume"]] {
        let failed = ends_with(2, args).stdout("");
        assert!(stderr(&failed).contains("Usage: sprague"), "{args:?}");
    }
}
