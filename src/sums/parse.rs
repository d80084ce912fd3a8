//! The text of a position, and errors that point at the character.

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::Zero;

use super::position::{Kind, Piece, Position};
use super::{Strip, SumError};
use crate::graph::Graph;
use crate::rules::{ParseError, Rules};

/// The longest number that is read, in decimal digits. Without an end `9^999999999` would be read until the memory is
/// full.
const MAX_DIGITS: u32 = 100_000;

/// The bits of the largest of them.
const MAX_BITS: u64 = 332_193;

/// A part of the input, and where it starts in it.
#[derive(Clone, Copy)]
struct Part<'a> {
    input: &'a str,
    text: &'a str,
    /// In bytes.
    start: usize,
}

impl<'a> Part<'a> {
    fn of(input: &'a str) -> Part<'a> {
        Part { input, text: input, start: 0 }.trim()
    }

    fn slice(self, from: usize, to: usize) -> Part<'a> {
        Part { text: &self.text[from..to], start: self.start + from, ..self }.trim()
    }

    fn trim(self) -> Part<'a> {
        let start = self.start + self.text.len() - self.text.trim_start().len();
        Part { text: self.text.trim(), start, ..self }
    }

    fn error<T>(self, message: impl Into<String>) -> Result<T, SumError> {
        self.error_at(0, message)
    }

    /// An error at the character `at` of this part.
    fn error_at<T>(self, at: usize, message: impl Into<String>) -> Result<T, SumError> {
        let at = self.input[..self.start].chars().count() + at;
        Err(SumError::Parse(ParseError { input: self.input.to_owned(), at, message: message.into() }))
    }

    /// The places of `wanted` outside of brackets and quotes.
    fn places(self, wanted: char) -> impl Iterator<Item = usize> {
        // A colon ends the game even where a brace or bracket is not closed: so it is the game that the error points at.
        let (open, close): (&[char], &[char]) =
            if wanted == ':' { (&['('], &[')']) } else { (&['(', '[', '{'], &[')', ']', '}']) };
        let (mut depth, mut quoted) = (0u32, false);
        self.text.char_indices().filter_map(move |(at, c)| {
            match c {
                '"' => quoted = !quoted,
                _ if quoted => {}
                _ if open.contains(&c) => depth += 1,
                _ if close.contains(&c) => depth = depth.saturating_sub(1),
                _ => return (c == wanted && depth == 0).then_some(at),
            }
            None
        })
    }

    /// The quote that is the last of an odd number, as an index in characters.
    fn unclosed_quote(self) -> Option<usize> {
        let mut quotes = self.text.chars().enumerate().filter(|&(_, c)| c == '"').map(|(at, _)| at);
        std::iter::from_fn(|| Some((quotes.next()?, quotes.next())))
            .find(|(_, close)| close.is_none())
            .map(|(at, _)| at)
    }

    fn split(self, separator: char) -> impl Iterator<Item = Part<'a>> {
        let ends: Vec<usize> = self.places(separator).chain([self.text.len()]).collect();
        let starts: Vec<usize> = std::iter::once(0).chain(ends.iter().map(|end| end + 1)).collect();
        starts.into_iter().zip(ends).map(move |(from, to)| self.slice(from, to))
    }

    fn split_once(self, separator: char) -> Option<(Part<'a>, Part<'a>)> {
        let at = self.places(separator).next()?;
        Some((self.slice(0, at), self.slice(at + 1, self.text.len())))
    }
}

impl FromStr for Position {
    type Err = SumError;

    /// Reads a position; the grammar is at [`Position`].
    fn from_str(text: &str) -> Result<Position, SumError> {
        let whole = Part::of(text);
        if whole.text.is_empty() {
            return whole.error("a position is missing: write a game, a colon and heaps, such as \"0.77: 5+7+12\"");
        }
        if let Some(open) = whole.unclosed_quote() {
            return whole.error_at(open, "this quote is not closed: write \"...\" round the name of a vertex");
        }
        let mut position = Position::default();
        let mut current = None;
        for component in whole.split('+') {
            let piece = match component.split_once(':') {
                None => component,
                Some((name, piece)) => {
                    current = Some(game(&mut position, name)?);
                    piece
                }
            };
            let Some(game) = current else {
                return component
                    .error("which game? Write it and a colon before the first component, such as \"nim: 3+4+5\"");
            };
            add_component(&mut position, game, piece)?;
        }
        Ok(position)
    }
}

/// The game before a colon.
fn game(position: &mut Position, name: Part<'_>) -> Result<usize, SumError> {
    let kind = if name.text.eq_ignore_ascii_case("strip") {
        Kind::Strip
    } else if let Some(file) = name.text.strip_prefix("graph(").and_then(|rest| rest.strip_suffix(')')) {
        let file = file.trim().trim_matches('"');
        if file.is_empty() {
            return name.error_at(6, "expected a file between the brackets, as in graph(game.txt): u + v");
        }
        if let Some(known) = position.games().iter().position(|game| game.name == name.text) {
            return Ok(known);
        }
        let graph = Graph::read(Path::new(file)).and_then(Graph::solve);
        Kind::Graph(Arc::new(graph.map_err(|source| SumError::Graph { file: file.to_owned(), source })?))
    } else {
        match name.text.parse::<Rules>() {
            Ok(rules) => Kind::Heaps(Arc::new(rules)),
            Err(error) if error.message.starts_with("no such game:") && !error.message.ends_with('?') => {
                return name.error_at(error.at, format!("{}, strip, graph(FILE)", error.message));
            }
            Err(error) => return name.error_at(error.at, error.message),
        }
    };
    Ok(position.add_game(name.text, kind))
}

/// `[count*]piece`.
fn add_component(position: &mut Position, game: usize, text: Part<'_>) -> Result<(), SumError> {
    let heaps = matches!(position.games()[game].kind, Kind::Heaps(_));
    let counted =
        text.split_once('*').filter(|(count, _)| heaps || count.text.starts_with(|c: char| c.is_ascii_digit()));
    let (count, unit) = match counted {
        None => (BigUint::from(1u32), text),
        Some((count, unit)) => (number(count, "a number of equal components, as in 7*12")?, unit),
    };
    if count.is_zero() {
        return text.error("no component at all: `n*` repeats the one behind it n times, and n is at least 1");
    }
    let piece = match &position.games()[game].kind {
        Kind::Heaps(_) => {
            Piece::Heap(number(unit, "a heap: 12, 1_000_000, 1e9, 2^36, 10k, 10M, 10G, or 7*12 for seven")?)
        }
        Kind::Strip => Piece::Strip(strip(unit)?),
        Kind::Graph(graph) => {
            let name = unit.text.trim_matches('"');
            match graph.find(name) {
                Some(vertex) => Piece::Vertex(vertex),
                None if name.is_empty() => return unit.error("expected a vertex of the graph"),
                None => {
                    return unit.error(format!(
                        "no edge of the graph names a vertex `{name}` (a name with +, *, : or , in it stands in quotes, \
                         as in \"a+b\")"
                    ));
                }
            }
        }
    };
    position.add(game, piece, count);
    Ok(())
}

/// `cell,cell,...`.
fn strip(text: Part<'_>) -> Result<Strip, SumError> {
    let cells = text.split(',').map(|cell| number(cell, "the cell of a token, counted from 0 at the left end"));
    let tokens = cells.collect::<Result<Vec<BigUint>, SumError>>()?;
    Strip::new(tokens).map_or_else(|| text.error("two tokens stand on one cell: one to a cell"), Ok)
}

/// A number of any size: digits with optional `_`, `1e9`, `2^36`, or a decimal suffix `k`, `M`, `G`.
fn number(text: Part<'_>, what: &str) -> Result<BigUint, SumError> {
    let wrong = || {
        let but = match text.text {
            "" => "".to_owned(),
            word if word.contains(',') => format!(": `{word}` has a comma, and heaps are separated with `+`"),
            word if word.starts_with('-') => format!(": `{word}` is negative"),
            word => format!(": `{word}` is no whole number"),
        };
        format!("expected {what}{but}")
    };
    let power = |base: BigUint, exponent: BigUint| {
        // A number of b bits is at least 2^(b - 1).
        let least = base.bits().saturating_sub(1);
        let exponent = u32::try_from(exponent).ok().filter(|e| least.saturating_mul((*e).into()) < MAX_BITS);
        exponent.map(|e| base.pow(e))
    };
    let value = (|| {
        if let Some((base, exponent)) = text.text.split_once('^') {
            return Some(power(digits(base)?, digits(exponent)?));
        }
        if let Some((mantissa, exponent)) = text.text.split_once(['e', 'E']) {
            let (mantissa, exponent) = (digits(mantissa)?, digits(exponent)?);
            return Some(power(10u32.into(), exponent).map(|scale| mantissa * scale));
        }
        let scale: u32 = match text.text.bytes().last()? {
            b'k' | b'K' => 1_000,
            b'M' => 1_000_000,
            b'G' => 1_000_000_000,
            _ => return digits(text.text).map(Some),
        };
        digits(&text.text[..text.text.len() - 1]).map(|n| Some(n * scale))
    })();
    match value {
        None => text.error(wrong()),
        Some(Some(n)) if is_short(&n) => Ok(n),
        Some(_) => text.error("this number is too large: they end at 100,000 digits"),
    }
}

fn is_short(n: &BigUint) -> bool {
    n.bits() < MAX_BITS || *n < BigUint::from(10u32).pow(MAX_DIGITS)
}

/// Digits, with `_` allowed between them. Too many of them stay unread and give a number that is too large.
fn digits(text: &str) -> Option<BigUint> {
    let valid = text.starts_with(|c: char| c.is_ascii_digit()) && text.bytes().all(|b| b.is_ascii_digit() || b == b'_');
    let plain = valid.then(|| text.replace('_', ""))?;
    let significant = plain.trim_start_matches('0');
    match significant.len() {
        0 => Some(BigUint::ZERO),
        digits if digits > MAX_DIGITS as usize => Some(BigUint::from(1u32) << (MAX_BITS + 1)),
        _ => significant.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<(String, String, u32)> {
        let position: Position = text.parse().unwrap_or_else(|e| panic!("{e}"));
        let term = |t| (position.game(t).name.clone(), position.label(t).to_string(), u32::try_from(&t.count).unwrap());
        position.terms().iter().map(term).collect()
    }

    fn owned(terms: &[(&str, &str, u32)]) -> Vec<(String, String, u32)> {
        terms.iter().map(|&(game, piece, count)| (game.to_owned(), piece.to_owned(), count)).collect()
    }

    #[test]
    fn positions_are_read() {
        for (text, wanted) in [
            ("0.77: 5+7+12", &[("0.77", "5", 1), ("0.77", "7", 1), ("0.77", "12", 1)][..]),
            (" kayles:5+nim : 3 ", &[("kayles", "5", 1), ("nim", "3", 1)]),
            ("sub{2,4+}: 5 + 5", &[("sub{2,4+}", "5", 2)]),
            ("nim: 7*12 + 2*3 + 12", &[("nim", "12", 8), ("nim", "3", 2)]),
            ("kayles: 5 + nim: 1 + 0.77: 5", &[("kayles", "5", 2), ("nim", "1", 1)]),
            ("strip: 9, 2,5 + 0", &[("strip", "2,5,9", 1), ("strip", "0", 1)]),
            (
                "nim: 1_000 + 2e3 + 2^4 + 10k + 0",
                &[("nim", "1000", 1), ("nim", "2000", 1), ("nim", "16", 1), ("nim", "10000", 1), ("nim", "0", 1)],
            ),
        ] {
            assert_eq!(terms(text), owned(wanted), "{text}");
            let again = text.parse::<Position>().unwrap().to_string();
            assert_eq!(terms(&again), owned(wanted), "{again}");
        }
        let position: Position = "nim: 10^30".parse().unwrap();
        assert_eq!(position.to_string(), format!("nim: 1{}", "0".repeat(30)));
    }

    #[test]
    fn errors_point_at_the_character() {
        for (text, at, words) in [
            ("", 0, "a position is missing"),
            ("  5+7", 2, "which game"),
            ("nim:", 4, "expected a heap"),
            ("nim: 3 + ", 8, "expected a heap"),
            ("nim: 3 ++ 4", 8, "expected a heap"),
            ("nim: 3 + -4", 9, "`-4` is negative"),
            ("nim: 3,4,5", 5, "separated with `+`"),
            ("graph(): a", 6, "expected a file"),
            ("graph(f): \"a + b", 10, "this quote is not closed"),
            ("nim: 3.5", 5, "`3.5` is no whole number"),
            ("nim: x", 5, "`x` is no whole number"),
            ("nim: 0*5", 5, "at least 1"),
            ("nim: x*5", 5, "a number of equal components"),
            ("nim: 10^10^10", 5, "no whole number"),
            ("nim: 10^1000000", 5, "too large"),
            ("nim: 1e100001", 5, "too large"),
            ("nimm: 3", 0, "did you mean nim?"),
            ("xyz: 3", 0, "strip, graph(FILE)"),
            ("sub{1,2: 5 + 6", 7, "expected `,` or `}`"),
            ("nim: 3 + : 4", 9, "a game is missing"),
            ("nim: 3 + 0.7x: 4", 12, "digits are 0-7"),
            ("é + nim: 3", 0, "which game"),
            ("nim: é3", 5, "no whole number"),
            ("strip: 2,,5", 9, "the cell of a token"),
            ("strip: 2,5,2", 7, "two tokens"),
            ("strip:", 6, "the cell of a token"),
        ] {
            let Err(SumError::Parse(error)) = text.parse::<Position>() else { panic!("{text}") };
            assert!(error.at == at && error.message.contains(words), "{text}: {error}");
        }
        for longest in ["10^99999".to_owned(), "1e99999".to_owned(), "9".repeat(100_000)] {
            let position: Position = format!("nim: {longest}").parse().unwrap();
            assert_eq!(position.label(&position.terms()[0]).to_string().len(), 100_000);
        }
        assert!(
            ["10^100000", "1e100000", "2*3^999999"].iter().all(|n| format!("nim: {n}").parse::<Position>().is_err())
        );
        let digits = format!("nim: {}", "9".repeat(1_000_000));
        let Err(SumError::Parse(error)) = digits.parse::<Position>() else { panic!("a million digits") };
        assert!(error.message.contains("too large"));
    }
}
