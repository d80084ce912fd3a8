//! The results of a census as Markdown.

mod atlas;
mod misere;

use super::CensusError;
use super::dir::{Merged, Results};
use super::literature::{Comparison, Literature};
use super::plan::Kind;

/// The table of a census, with what the literature says beside it, and every disagreement listed.
///
/// # Errors
/// If games that the literature compares cannot be computed.
pub fn table(merged: &Merged, literature: Option<&Literature>) -> Result<String, CensusError> {
    match (&merged.plan.kind, &merged.results) {
        (Kind::Normal(limits), Results::Normal(classes)) => {
            atlas::atlas(merged.plan.games, limits, classes, literature)
        }
        (Kind::Misere(limits), Results::Misere(games)) => {
            Ok(misere::misere(merged.plan.games, limits, games, literature))
        }
        _ => unreachable!("results are of the kind of their plan"),
    }
}

/// A Markdown table.
fn markdown(columns: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let header: Vec<String> = columns.iter().map(|&c| c.to_owned()).collect();
    let rows: String = rows.map(|row| line(&row)).collect();
    format!("{}|{}\n{rows}\n", line(&header), "---|".repeat(columns.len()))
}

/// A number, or nothing.
fn or_none(x: Option<impl ToString>) -> String {
    x.map_or(String::new(), |x| x.to_string())
}

/// A list of things in one cell, a long one cut short.
fn list(items: &[String]) -> String {
    const SHOWN: usize = 12;
    let more = items.len().saturating_sub(SHOWN);
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    items[..items.len() - more].join(" ") + &tail
}

/// A game whose heap n is heap n + shift of another.
fn shifted(game: &str, shift: i64) -> String {
    if shift == 0 { game.to_owned() } else { format!("{game}{shift:+}") }
}

/// What a comparison says.
fn compared(file: &str, comparison: &Comparison) -> String {
    let Comparison { rows, agree, disagreements } = comparison;
    let lines: String = disagreements.iter().map(|d| format!("  - {d}\n")).collect();
    format!("- `{file}`: {agree} of {rows} rows agree.\n{lines}")
}
