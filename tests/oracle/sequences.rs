//! First values, as the On-Line Encyclopedia and others give them.

use rayon::prelude::*;
use serde::Deserialize;

use crate::data::{file, prove, rules, values};
use sprague::Rules;

#[derive(Deserialize)]
struct Sequence {
    game: String,
    offset: u64,
    index_convention: String,
    values: Vec<u32>,
    period: Option<u64>,
    /// -1 if there is none.
    last_exception: Option<i64>,
    checked: String,
}

/// Games that no syntax covers.
const NOT_COVERED: [&str; 1] = ["Take-a-square (subtract a perfect square)"];

/// Periods that take minutes to prove: they are in the table of solved games.
const LONG: [&str; 3] = [".104", ".354", ".454"];

/// The encyclopedia's last exception of this game is wrong by 2.
const WRONG: (&str, i64) = (".56", 326_637);

impl Sequence {
    /// The game, or `None` for the games that are not covered.
    fn rules(&self) -> Option<Rules> {
        let (head, rest) = self.game.split_once([' ', '(']).unwrap_or((&self.game, ""));
        let set = || rest.split_once('{').map(|(_, set)| set).expect("a set has braces");
        Some(match head {
            _ if NOT_COVERED.contains(&&*self.game) => return None,
            "Lasker's" => rules("4.[3]"),
            "All-but" => rules(&format!("allbut{{{}", set())),
            "Subtraction" => rules(&format!("sub{{{}", set())),
            "Couples-are-Forever" => rules("couples-are-forever"),
            "hex" => rules(rest),
            code => rules(code),
        })
    }

    /// Whether the row's period is a regularity that no theorem is known to cover: three heaps, or splits for ever.
    fn is_only_observed(&self) -> bool {
        self.checked.contains("not certified") || self.game.starts_with("Lasker")
    }
}

fn sequences() -> Vec<Sequence> {
    file("sequences.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn first_values() {
    let sequences = sequences();
    assert_eq!(sequences.len(), 180);
    let uncovered: Vec<&str> = sequences.iter().filter(|s| s.rules().is_none()).map(|s| s.game.as_str()).collect();
    assert_eq!(uncovered, NOT_COVERED);
    sequences.par_iter().for_each(|sequence| {
        let Some(rules) = sequence.rules() else { return };
        let convention = sequence.index_convention.as_str();
        assert!(
            convention.starts_with("a(n) = g(n)") || convention == "values[i] = g(offset+i)" || sequence.offset == 0,
            "{}: {convention}",
            sequence.game
        );
        let computed = values(&rules, sequence.offset + sequence.values.len() as u64 - 1);
        for (n, &value) in (sequence.offset..).zip(&sequence.values) {
            assert_eq!(computed.get(n as usize), value, "{}: heap {n}", sequence.game);
        }
    });
}

#[test]
fn periods() {
    let sequences = sequences();
    let proven = |s: &&Sequence| s.period.is_some() && !LONG.contains(&&*s.game) && !s.is_only_observed();
    let sequences: Vec<&Sequence> = sequences.iter().filter(proven).collect();
    assert_eq!(sequences.len(), 82);
    sequences.par_iter().for_each(|sequence| {
        let (period, _) = prove(&sequence.rules().unwrap(), 1_000_000);
        let period = period.unwrap_or_else(|| panic!("{}: no period is proven", sequence.game));
        let told = sequence.last_exception.unwrap();
        let told = if (&*sequence.game, told) == WRONG { told + 2 } else { told };
        let found = (Some(period.period), period.last_exception());
        assert_eq!(found, (sequence.period, i128::from(told)), "{}", sequence.game);
    });
}

#[test]
fn regularities() {
    let sequences = sequences();
    let observed: Vec<&Sequence> = sequences.iter().filter(|s| s.period.is_some() && s.is_only_observed()).collect();
    assert_eq!(observed.len(), 8);
    observed.par_iter().for_each(|sequence| {
        let (period, computation) = prove(&sequence.rules().unwrap(), 1000);
        let proven = period.map(|p| (p.period, p.preperiod));
        let found = proven.or_else(|| computation.observed().map(|seen| (seen.period, seen.start)));
        let found = found.map(|(period, preperiod)| (Some(period), preperiod as i64 - 1));
        assert_eq!(found, Some((sequence.period, sequence.last_exception.unwrap())), "{}", sequence.game);
    });
}
