//! Misère quotients against brute force, against each other, and against facts that other programs found.

mod brute;
mod certificates;
mod command;
mod laws;
mod play;
mod table;
mod tame;

use std::time::Duration;

use sprague::Rules;
use sprague::misere::{Analysis, Limits, Method, solve};

/// The rules of a game.
fn rules(game: &str) -> Rules {
    game.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The analysis of a game, with time enough for whatever can be resolved here.
fn analyse(game: &str, heaps: u64, method: Method) -> Analysis {
    solve(&rules(game), &Limits { heaps, budget: Duration::from_secs(60), method }).unwrap()
}

/// As [`analyse`], but games that take longer than a moment are left where they are by then.
fn quick(rules: &Rules, heaps: u64, method: Method) -> Analysis {
    solve(rules, &Limits { heaps, budget: Duration::from_millis(100), method }).unwrap()
}

/// All codes of one and two digits, a few with three heaps, and the games that are no codes.
fn games() -> Vec<Rules> {
    let octal = (0..64u32).flat_map(|digits| [0, 4].map(|d0| format!("{d0}.{}{}", digits / 8, digits % 8)));
    let others = ["0.8", "0.18", "0.9", "0.37B", "8.3", "0.[3]", "0.3[12]", "sub{2,5,7}", "allbut{2}"];
    let named = ["grundys-game", "couples-are-forever", "lasker", "dawsons-chess", "treblecross"];
    octal.chain(others.iter().chain(&named).map(|&game| game.to_owned())).map(|game| rules(&game)).collect()
}
