//! A position's answer for people.

use std::io::{self, Write};

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};

use super::{Answer, Values, explain};
use crate::sums::{Found, Move, Outcome, Piece, Position, Strip, Term};

/// Values of more bits are not written in binary: the columns would not fit a line.
const MAX_COLUMNS: u64 = 64;

/// Longer strips are not drawn.
const MAX_CELLS: usize = 60;

/// Writes the answer, and how it is found if that is asked for.
pub(super) fn write(out: &mut impl Write, answer: &Answer, explain: bool) -> io::Result<()> {
    writeln!(out, "{}{}\n", answer.position, if answer.misere { "   (misère: who cannot move wins)" } else { "" })?;
    draw_strips(out, answer.position)?;
    if let Some(values) = &answer.values {
        table(out, answer.position, values)?;
    }
    writeln!(out, "{}: {}.\n", answer.outcome, verdict(answer.outcome))?;
    if explain {
        explain::write(out, answer)?;
    }
    match &answer.moves {
        Ok(found) => moves(out, answer, found),
        Err(error) => writeln!(out, "The winning moves are not listed: {error}."),
    }
}

fn verdict(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::N => "the player to move wins (the Next player)",
        Outcome::P => "the player who has just moved wins (the Previous player)",
    }
}

/// A component as it is named in a list: with its game where there are several.
pub(super) fn name(position: &Position, term: &Term) -> String {
    let label = position.label(term);
    if position.games().len() == 1 { label.to_string() } else { format!("{} {label}", position.game(term).name) }
}

/// The values below each other, in decimal and in binary, with their nim-sum.
fn table(out: &mut impl Write, position: &Position, values: &Values) -> io::Result<()> {
    let numbers = &values.of_components;
    let bits = numbers.iter().map(BigUint::bits).max().unwrap_or(0).max(1);
    let row = |name: String, value: &BigUint, note| {
        [name, value.to_string(), binary(value, bits).unwrap_or_default(), String::from(note)]
    };
    let mut rows = vec![["component", "nim-value", "binary", ""].map(String::from)];
    for (term, value) in position.terms().iter().zip(numbers) {
        let note = match (term.count.is_one(), term.count.bit(0)) {
            (true, _) => "",
            (false, true) => "(once: the others cancel in pairs)",
            (false, false) => "(not at all: equal ones cancel in pairs)",
        };
        let times = if term.count.is_one() { String::new() } else { format!("{} times ", term.count) };
        rows.push(row(times + &name(position, term), value, note));
    }
    rows.push(row("nim-sum".to_owned(), &values.nim_sum, ""));
    if bits > MAX_COLUMNS {
        rows[0][2] = "(too many bits for columns)".to_owned();
    }
    let [left, right] = [0, 1].map(|i| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0));
    for (i, [name, number, bits, note]) in rows.iter().enumerate() {
        if i + 1 == rows.len() {
            writeln!(out, "  {}", "-".repeat(left + right + 4 + bits.len()))?;
        }
        writeln!(out, "{}", format!("  {name:left$}  {number:>right$}  {bits}  {note}").trim_end())?;
    }
    writeln!(out)
}

/// The value in binary, padded with zeros; `None` if that is too wide.
pub(super) fn binary(value: &BigUint, bits: u64) -> Option<String> {
    (bits.max(value.bits()) <= MAX_COLUMNS)
        .then(|| format!("{:0>width$}", value.to_str_radix(2), width = bits as usize))
}

fn moves(out: &mut impl Write, answer: &Answer, found: &Found<Move>) -> io::Result<()> {
    if found.count.bits() == 0 {
        return match answer.outcome {
            Outcome::P => writeln!(out, "No move wins."),
            Outcome::N => writeln!(out, "There is no move left, so the player to move has won already."),
        };
    }
    let plural = if found.count.is_one() { "" } else { "s" };
    let listed = found.listed.len();
    let part = match (found.count.to_usize() == Some(listed), listed) {
        (true, _) => ":".to_owned(),
        (false, 0) => ", none listed.".to_owned(),
        (false, _) => format!(", the first {listed}:"),
    };
    writeln!(out, "{} winning move{plural}{part}", found.count)?;
    for m in &found.listed {
        writeln!(out, "  {}", one_move(answer.position, m))?;
    }
    Ok(())
}

/// A move with its game where there are several, and with its strip.
pub(super) fn one_move(position: &Position, m: &Move) -> String {
    let term = &position.terms()[m.component];
    let game = if position.games().len() == 1 { String::new() } else { format!("{} ", position.game(term).name) };
    match &term.piece {
        Piece::Strip(_) if position.terms().len() == 1 => format!("token {}", m.step),
        Piece::Strip(strip) => format!("{game}{strip}: token {}", m.step),
        _ => format!("{game}{}", m.step),
    }
}

fn draw_strips(out: &mut impl Write, position: &Position) -> io::Result<()> {
    for strip in position.terms().iter().filter_map(|term| match &term.piece {
        Piece::Strip(strip) => Some(strip),
        _ => None,
    }) {
        if let Some(cells) = drawing(strip) {
            let end = cells.len() - 1;
            writeln!(out, "  {}\n  0{}\n", cells, if end > 0 { format!("{end:>end$}") } else { String::new() })?;
        }
    }
    Ok(())
}

/// The cells in a row, tokens as `o`; `None` if they do not fit.
fn drawing(strip: &Strip) -> Option<String> {
    let tokens: Vec<usize> = strip.tokens().iter().map(BigUint::to_usize).collect::<Option<_>>()?;
    let last = tokens.last().filter(|last| **last < MAX_CELLS)?;
    Some((0..=*last).map(|cell| if tokens.contains(&cell) { 'o' } else { '.' }).collect())
}
