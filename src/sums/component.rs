//! The one interface that every game has in a sum.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::BigUint;

use super::{Period, SumError};
use crate::graph::natural_order;

/// A component of a sum: a position of some game.
pub trait Component {
    /// Its Grundy value.
    ///
    /// # Errors
    /// [`SumError`] if that is out of reach.
    fn value(&self) -> Result<BigUint, SumError>;

    /// The moves to positions of value `target`, the least `keep` of them listed. Moves to equal positions are one
    /// move.
    ///
    /// # Errors
    /// [`SumError`] if they cannot be counted.
    fn moves_to(&self, target: &BigUint, keep: usize) -> Result<Found<Step>, SumError>;

    /// Why the value is what it is, where there is a short reason.
    fn reason(&self) -> Option<Reason> {
        None
    }
}

/// Why the value of a component is what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// All moves with the values they lead to: the value is the least number that none of them has.
    Options(Vec<(Step, BigUint)>),
    /// A proven period leads to a smaller heap.
    Period {
        /// The period.
        period: Period,
        /// The smaller heap.
        heap: BigUint,
        /// How much less its value is.
        less: BigUint,
    },
}

/// With more options than this the reason would not be short.
pub(super) const SHORT_REASON: usize = 40;

/// How a position or a part of it is shown. Labels are in natural order: numbers first, and by their size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// A heap's size or a cell.
    Number(BigUint),
    /// A vertex, or a position of a game of one's own.
    Name(String),
}

impl Ord for Label {
    fn cmp(&self, other: &Label) -> Ordering {
        match (self, other) {
            (Label::Number(a), Label::Number(b)) => a.cmp(b),
            (Label::Name(a), Label::Name(b)) => natural_order(a, b),
            (Label::Number(_), Label::Name(_)) => Ordering::Less,
            (Label::Name(_), Label::Number(_)) => Ordering::Greater,
        }
    }
}

impl PartialOrd for Label {
    fn partial_cmp(&self, other: &Label) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Label::Number(number) => number.fmt(f),
            Label::Name(name) => name.fmt(f),
        }
    }
}

/// A move in one component.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    /// What is moved: the heap, the vertex, or the cell of the token.
    pub from: Label,
    /// What is left of it: the non-empty heaps (none if the heap is gone), the vertex, or the token's new cell.
    pub to: Vec<Label>,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> ", self.from)?;
        match self.to.split_first() {
            None => f.write_str("nothing"),
            Some((first, rest)) => {
                first.fmt(f)?;
                rest.iter().try_for_each(|part| write!(f, " + {part}"))
            }
        }
    }
}

/// Things found: all of them counted, the first few listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// How many there are.
    pub count: BigUint,
    /// The first of them.
    pub listed: Vec<T>,
    keep: usize,
}

impl<T> Found<T> {
    /// Nothing yet; at most `keep` will be listed.
    pub fn new(keep: usize) -> Found<T> {
        Found { count: BigUint::ZERO, listed: Vec::new(), keep }
    }

    /// Counts one more, and lists it if there is room.
    pub fn add(&mut self, item: impl FnOnce() -> T) {
        self.count += 1u32;
        if self.room() > 0 {
            self.listed.push(item());
        }
    }

    /// The same with every listed thing turned into another.
    pub fn map<U>(self, into: impl FnMut(T) -> U) -> Found<U> {
        Found { count: self.count, listed: self.listed.into_iter().map(into).collect(), keep: self.keep }
    }

    /// How many more will be listed.
    pub fn room(&self) -> usize {
        self.keep - self.listed.len()
    }
}
