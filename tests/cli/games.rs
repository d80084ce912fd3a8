//! Bad games, sizes and other arguments: what is wrong, where, and what to write instead.

use crate::common::*;

/// The caret stands under the first wrong character.
#[test]
fn bad_games_are_pointed_at() {
    let games = [
        ("0.7x7", 3),
        ("0.77 7", 4),
        ("1.3", 0),
        ("00.3", 1),
        ("0.", 2),
        ("0.[", 3),
        ("0.[3", 4),
        ("0.[3]1", 5),
        ("77", 2),
        ("kales", 0),
        ("sub{1,0}", 6),
        ("sub{1,,3}", 6),
        ("sub{1;3}", 5),
        ("sub{1,3", 7),
        ("sub{}", 4),
        ("allbut{2+}", 8),
        ("sub{1}x", 6),
        ("0.ß", 2),
        ("", 0),
    ];
    for (game, at) in games {
        let commands: [&[&str]; 4] = [
            &["values", game, "--to", "9"],
            &["period", game],
            &["claim", game, "--period", "1", "--preperiod", "1"],
            &["run", game, "--to", "9", "-o", "never-made"],
        ];
        for args in commands {
            let message = stderr(&ends_with(2, args).stdout(""));
            let lines: Vec<&str> = message.lines().collect();
            assert_eq!(lines.len(), 3, "{message}");
            assert!(lines[0].starts_with("sprague: "), "{message}");
            assert_eq!(lines[1].trim_end(), format!("  {game}").trim_end());
            assert_eq!(lines[2], format!("  {}^", " ".repeat(at)), "{message}");
        }
    }
    assert!(!std::path::Path::new("never-made").exists());
}

#[test]
fn bad_sizes() {
    for size in ["1.5", "ten", "", "1e", "2^64", "-1", "1e20", "10 k"] {
        for args in [["values", "kayles", "--to", size], ["period", "kayles", "--limit", size]] {
            let failed = ends_with(2, &args).stdout("");
            let message = stderr(&failed);
            assert!(message.contains(size) && message.starts_with("error: "), "{size}: {message}");
        }
    }
    let wrong: [&[&str]; 10] = [
        &["run", "kayles", "--to", "9", "-o", "never-made", "--memory", "16XB"],
        &["run", "kayles", "--to", "9", "-o", "never-made", "--checkpoint-every", "0s"],
        &["run", "kayles", "--to", "9", "-o", "never-made", "--checkpoint-every", "10x"],
        &["run", "kayles", "--to", "9", "-o", "never-made", "--values", "some"],
        &["run", "kayles", "--to", "9"],
        &["verify", ".", "--recompute", "1.5"],
        &["values", "kayles", "--to", "9", "--threads", "0"],
        &["values", "kayles", "--to", "9", "--threads", "513"],
        &["values", "kayles", "--to", "9", "--format", "xml"],
        &["values", "kayles", "--to", "9", "-q", "-v"],
    ];
    for args in wrong {
        ends_with(2, args).stdout("");
    }
    assert!(!std::path::Path::new("never-made").exists());
}

#[test]
fn sizes_as_people_write_them() {
    // Kayles has period 12 from heap 71 on.
    let right = printed(&["values", "kayles", "--from", "76", "--to", "76"]);
    for size in ["1000", "1_000", "1e3", "10^3", "1k", "5e2+500"] {
        assert_eq!(printed(&["values", "kayles", "--from", size, "--to", "1k"]), right, "{size}");
    }
}

#[test]
fn what_a_game_is() {
    let text = printed(&["info", "kayles"]);
    assert!(text.starts_with("0.77\n  kayles: take one or two tokens"), "{text}");
    let json = json(&ends_with(0, &["info", "kayles", "--json"]));
    let told = ["about", "canonical", "engine", "game", "last_index", "max_heaps", "name", "reason", "seconds"];
    assert_eq!(keys(&json), told);
    assert_eq!((json["canonical"].as_str(), json["last_index"].as_u64()), (Some("0.77"), Some(2)));
    // Where all pairs must be marked, it is told how long that will take.
    let text = printed(&["info", "4.[3]", "--to", "1e9"]);
    assert!(text.contains("heaps up to 1000000000 take about"), "{text}");
}

/// What is neither a game nor a run directory: a path is told from a game by the separator in it.
#[test]
fn what_is_no_game() {
    for command in ["info", "plot"] {
        let failed = stderr(&ends_with(2, &[command, "nodir"]).stdout(""));
        assert!(failed.contains("neither a run directory nor a game"), "{failed}");
        let failed = stderr(&ends_with(3, &[command, "no/such/run"]).stdout(""));
        assert!(failed.starts_with("sprague: no/such/run: ") && failed.contains("check the path"), "{failed}");
        let failed = stderr(&ends_with(3, &[command, "Cargo.toml"]).stdout(""));
        assert!(failed.contains("Cargo.toml is a file"), "{failed}");
    }
    for command in ["resume", "verify"] {
        ends_with(3, &[command, "no/such/run"]);
    }
}

#[test]
fn as_many_threads_as_are_of_use() {
    let refused = stderr(&ends_with(2, &["values", "kayles", "--to", "9", "--threads", "5000"]));
    assert!(refused.contains("5000") && refused.contains("from 1 to 512"), "{refused}");
    let most = printed(&["values", "0.6", "--to", "2000", "--threads", "512"]);
    assert_eq!(most, printed(&["values", "0.6", "--to", "2000", "--threads", "1"]));
}

#[test]
fn too_little_memory_is_refused() {
    for memory in ["0", "4kB"] {
        let refused = stderr(&ends_with(2, &["run", "kayles", "--to", "9", "-o", "never-made", "--memory", memory]));
        assert!(refused.contains("64KiB or more"), "{refused}");
    }
    assert!(!std::path::Path::new("never-made").exists());
}
