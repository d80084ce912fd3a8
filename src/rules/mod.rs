//! Games: what may be taken from a heap and what may be left.
//!
//! Every game here is a *taking-and-breaking* game. A move takes `i >= 0` tokens from one heap and leaves the
//! rest as no heap, one, two or three non-empty heaps; the digit `d(i)` says which of these are allowed. The
//! digits are a finite prefix and, for infinite codes, a tail that repeats for ever. Two games restrict the
//! split further: Grundy's game (unequal heaps) and Couples-are-Forever (a heap of two may not be split).

mod moves;
mod named;
mod parse;
mod size;

pub use moves::{Move, Parts};
pub use named::{NAMED, Named};
pub use parse::ParseError;
pub use size::{SizeError, parse_heap_size, parse_memory_size};

use std::fmt;

/// Digit bit 0: all of the heap may be taken (`n = i`).
pub const TAKE_ALL: u8 = 1;
/// Digit bit 1: the rest may be left as one non-empty heap.
pub const LEAVE_ONE: u8 = 2;
/// Digit bit 2: the rest may be left as two non-empty heaps.
pub const LEAVE_TWO: u8 = 4;
/// Digit bit 3: the rest may be left as three non-empty heaps.
pub const LEAVE_THREE: u8 = 8;

/// The largest index a written digit or set element may have. Codes are kept digit by digit, so this bounds
/// the memory that a game itself takes.
pub const MAX_INDEX: u64 = 1 << 24;

/// Which pairs of heaps a two-heap split may leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Split {
    /// Any two non-empty heaps.
    Any,
    /// Two non-empty heaps of different sizes (Grundy's game).
    Unequal,
    /// Any two non-empty heaps, but only a heap of three or more may be split (Couples-are-Forever).
    FromThree,
}

/// How the game is written; the mathematics is the same for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    Code,
    Subtraction,
    AllBut,
}

/// The rules of one game.
///
/// ```
/// use sprague::Rules;
/// let kayles: Rules = "kayles".parse()?;
/// assert_eq!(kayles.to_string(), "0.77");
/// assert_eq!(kayles.digit(2), 7);
/// assert_eq!(kayles.last_index(), Some(2));
/// # Ok::<(), sprague::rules::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    form: Form,
    /// `d(0), d(1), ...`; at least `d(0)` is there.
    prefix: Vec<u8>,
    /// The digits that repeat after the prefix; empty for a finite code.
    tail: Vec<u8>,
    split: Split,
}

impl Rules {
    /// A game from its digits: `prefix[i]` is `d(i)`, then `tail` repeats for ever (empty: the code ends).
    ///
    /// Returns `None` if `d(0)` is missing or has bit 0 or 1, or a digit is above 15.
    pub fn from_digits(prefix: &[u8], tail: &[u8]) -> Option<Rules> {
        let d0 = *prefix.first()?;
        let in_range = prefix.iter().chain(tail).all(|&d| d < 16);
        (in_range && d0 & (TAKE_ALL | LEAVE_ONE) == 0)
            .then(|| Rules::new(Form::Code, prefix.to_vec(), tail.to_vec(), Split::Any))
    }

    fn new(form: Form, prefix: Vec<u8>, tail: Vec<u8>, split: Split) -> Rules {
        let mut rules = Rules { form, prefix, tail, split };
        rules.normalise();
        rules
    }

    /// Brings the digits into the one form in which equal codes are equal: shortest tail, then shortest prefix.
    fn normalise(&mut self) {
        if self.tail.iter().all(|&d| d == 0) {
            self.tail.clear();
        }
        if let Some(t) = (1..self.tail.len()).find(|&t| {
            self.tail.len().is_multiple_of(t) && (t..self.tail.len()).all(|i| self.tail[i] == self.tail[i - t])
        }) {
            self.tail.truncate(t);
        }
        if self.tail.is_empty() {
            while self.prefix.len() > 1 && self.prefix.last() == Some(&0) {
                self.prefix.pop();
            }
        } else {
            while self.prefix.len() > 1 && self.prefix.last() == self.tail.last() {
                self.prefix.pop();
                self.tail.rotate_right(1);
            }
        }
    }

    /// The digit `d(i)`: a union of [`TAKE_ALL`], [`LEAVE_ONE`], [`LEAVE_TWO`] and [`LEAVE_THREE`].
    pub fn digit(&self, i: u64) -> u8 {
        let past = match usize::try_from(i).ok().and_then(|i| self.prefix.get(i)) {
            Some(&d) => return d,
            None if self.tail.is_empty() => return 0,
            None => i - self.prefix.len() as u64,
        };
        self.tail[(past % self.tail.len() as u64) as usize]
    }

    /// The digits before the repeating tail, `d(0)` first.
    pub fn prefix(&self) -> &[u8] {
        &self.prefix
    }

    /// The digits that repeat after the prefix; empty for a finite code.
    pub fn tail(&self) -> &[u8] {
        &self.tail
    }

    /// Which pairs a split may leave.
    pub fn split(&self) -> Split {
        self.split
    }

    /// `k`, the index of the last non-zero digit: `None` if the digits go on for ever, 0 for a game without moves.
    pub fn last_index(&self) -> Option<u64> {
        self.tail.is_empty().then(|| self.prefix.len() as u64 - 1)
    }

    /// The largest number of heaps that one move may leave: 0 to 3.
    pub fn max_parts(&self) -> u32 {
        let all = self.prefix.iter().chain(&self.tail).fold(0, |a, &d| a | d);
        u8::BITS - (all >> 1).leading_zeros()
    }

    /// The named game with these rules, if there is one.
    pub fn name(&self) -> Option<&'static Named> {
        NAMED.iter().find(|named| named.rules() == *self)
    }

    /// The elements of `{i >= 1}` whose digit is non-zero (or zero, for an all-but set), below the tail.
    fn indices(&self, zero: bool) -> impl Iterator<Item = usize> + '_ {
        (1..self.prefix.len()).filter(move |&i| (self.prefix[i] == 0) == zero)
    }
}

/// The canonical form. Parsing it gives the same [`Rules`] again.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.form, self.split) {
            (Form::Code, Split::Any) => {
                write!(f, "{:X}.", self.prefix[0])?;
                self.prefix[1..].iter().try_for_each(|d| write!(f, "{d:X}"))?;
                if !self.tail.is_empty() {
                    f.write_str("[")?;
                    self.tail.iter().try_for_each(|d| write!(f, "{d:X}"))?;
                    f.write_str("]")?;
                } else if self.prefix.len() == 1 {
                    f.write_str("0")?;
                }
                Ok(())
            }
            (Form::Code, Split::Unequal) => f.write_str("grundys-game"),
            (Form::Code, Split::FromThree) => f.write_str("couples-are-forever"),
            (Form::Subtraction, _) => {
                let mut items: Vec<String> = self.indices(false).map(|i| i.to_string()).collect();
                if !self.tail.is_empty() {
                    items.push(format!("{}+", self.prefix.len()));
                }
                write!(f, "sub{{{}}}", items.join(","))
            }
            (Form::AllBut, _) => {
                let items: Vec<String> = self.indices(true).map(|i| i.to_string()).collect();
                write!(f, "allbut{{{}}}", items.join(","))
            }
        }
    }
}

#[cfg(test)]
mod tests;
