//! The text of a game, and errors that point at the character that is wrong.

use std::str::FromStr;

use thiserror::Error;

use super::named::{NAMED, Named};
use super::{Form, LEAVE_ONE, MAX_INDEX, Rules, Split, TAKE_ALL};

/// A game that cannot be read, with the place of the first character that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{message}\n  {input}\n  {caret:>width$}", caret = "^", width = at + 1)]
pub struct ParseError {
    /// The text as it was given.
    pub input: String,
    /// The index of the offending character, counted in characters from 0.
    pub at: usize,
    /// What is wrong and what to write instead.
    pub message: String,
}

/// The text of a game being read, one character at a time.
struct Reader<'a> {
    input: &'a str,
    chars: Vec<char>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(input: &'a str) -> Reader<'a> {
        Reader { input, chars: input.chars().collect(), at: 0 }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn accept(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T, ParseError> {
        self.error_at(self.at, message)
    }

    fn error_at<T>(&self, at: usize, message: impl Into<String>) -> Result<T, ParseError> {
        Err(ParseError { input: self.input.to_owned(), at, message: message.into() })
    }

    /// The digits up to the next character that is none.
    fn digits(&mut self) -> Result<Vec<u8>, ParseError> {
        let mut digits = Vec::new();
        while let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) {
            if digits.len() as u64 > MAX_INDEX {
                return self.error(format!("a code has at most {MAX_INDEX} digits"));
            }
            digits.push(digit as u8);
            self.at += 1;
        }
        Ok(digits)
    }

    /// One element of a set: a number of tokens, at least 1.
    fn element(&mut self) -> Result<u64, ParseError> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        let text: String = self.chars[start..self.at].iter().collect();
        match text.parse::<u64>() {
            _ if text.is_empty() => self.error("expected a number of tokens, such as 3"),
            Ok(0) => self.error_at(start, "a move takes at least one token: 0 is not allowed here"),
            Ok(n) if n <= MAX_INDEX => Ok(n),
            _ => self.error_at(start, format!("the numbers of a set go up to {MAX_INDEX}")),
        }
    }
}

impl FromStr for Rules {
    type Err = ParseError;

    /// Reads an octal or hexadecimal code, a `sub{...}` or `allbut{...}` set, or the name of a game.
    fn from_str(text: &str) -> Result<Rules, ParseError> {
        let text = text.trim();
        if let Some(named) = Named::find(text) {
            return Ok(named.rules());
        }
        let mut reader = Reader::new(text);
        if text.is_empty() {
            return reader.error("a game is missing: write a code such as 0.77, a set such as sub{1,2,3}, or a name");
        }
        for (word, form) in [("sub{", Form::Subtraction), ("allbut{", Form::AllBut)] {
            if text.len() >= word.len() && text.as_bytes()[..word.len()].eq_ignore_ascii_case(word.as_bytes()) {
                reader.at = word.len();
                return set(reader, form);
            }
        }
        if text.starts_with(|c: char| c == '.' || c.is_ascii_hexdigit()) && text.contains('.') {
            return code(reader);
        }
        if text.chars().all(|c| c.is_ascii_hexdigit()) {
            return reader.error_at(text.len(), format!("a code has a point in it: did you mean 0.{text}?"));
        }
        reader.error(format!(
            "no such game: write a code (0.77), a set (sub{{1,2,3}}, allbut{{1,4}}) or one of {}",
            names()
        ))
    }
}

fn names() -> String {
    NAMED.iter().map(|named| named.name).collect::<Vec<_>>().join(", ")
}

/// `d0.d1d2...` with an optional `[tail]`.
fn code(mut reader: Reader) -> Result<Rules, ParseError> {
    let mut prefix = reader.digits()?;
    match prefix[..] {
        [] => prefix.push(0),
        [d0] if d0 & (TAKE_ALL | LEAVE_ONE) == 0 => {}
        [_] => {
            return reader.error_at(
                0,
                "the digit before the point says how a heap is split when nothing is taken: 0 or 4 (8 or C with three heaps)",
            );
        }
        [_, _, ..] => return reader.error_at(1, "there is one digit before the point, as in 4.3"),
    }
    if !reader.accept('.') {
        return reader.error("expected a point after the first digit");
    }
    prefix.extend(reader.digits()?);
    let mut tail = Vec::new();
    if reader.accept('[') {
        tail = reader.digits()?;
        if tail.is_empty() {
            return reader.error("expected the digits that repeat for ever, as in 0.[3]");
        }
        if !reader.accept(']') {
            return reader.error("expected a digit or the `]` that ends the repeating tail");
        }
    }
    if reader.peek().is_some() {
        return reader.error(if tail.is_empty() {
            "digits are 0-7 (octal) or 8-F (hexadecimal, three heaps); a tail that repeats is written [..]"
        } else {
            "nothing may follow the repeating tail"
        });
    }
    if prefix.len() == 1 && tail.is_empty() {
        return reader.error("expected a digit after the point");
    }
    Ok(Rules::new(Form::Code, prefix, tail, Split::Any))
}

/// The elements of `sub{...}` or `allbut{...}`, up to and with the closing brace.
fn set(mut reader: Reader, form: Form) -> Result<Rules, ParseError> {
    let (listed, other) = if form == Form::Subtraction { (TAKE_ALL | LEAVE_ONE, 0) } else { (0, TAKE_ALL | LEAVE_ONE) };
    let mut prefix = vec![0];
    let mut tail = if form == Form::AllBut { vec![other] } else { vec![] };
    while !reader.accept('}') {
        let start = reader.at;
        let element = reader.element()? as usize;
        if reader.accept('+') {
            if form == Form::AllBut {
                return reader
                    .error_at(reader.at - 1, "write sub{...} for the finite set that is left: allbut has no `+`");
            }
            if !tail.is_empty() {
                return reader.error_at(start, "only one element may have a `+` behind it");
            }
            prefix.resize(prefix.len().max(element), other);
            prefix[element..].fill(listed);
            tail = vec![listed];
        } else {
            prefix.resize(prefix.len().max(element + 1), tail.first().copied().unwrap_or(other));
            prefix[element] = listed;
        }
        if reader.peek() != Some('}') && !reader.accept(',') {
            return reader.error("expected `,` or `}`");
        }
    }
    if reader.peek().is_some() {
        return reader.error("nothing may follow the closing brace");
    }
    if form == Form::Subtraction && prefix.len() == 1 && tail.is_empty() {
        return reader.error_at(reader.at - 1, "a subtraction set has at least one element, such as sub{1,2,3}");
    }
    Ok(Rules::new(form, prefix, tail, Split::Any))
}
