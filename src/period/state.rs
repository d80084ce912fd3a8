//! The state of a game: so many of the last values that they decide the next heap and all that follow.
//!
//! The sparse rule looks at values up to the last rare heap, the deepest witness and the largest move back; a game
//! that only takes looks back by its largest move. All that is done in bounded memory, from the search for a period
//! to the windows of a certificate, asks the state how long it is and where it begins.

use crate::Rules;
use crate::engine::sparse::RareSpace;

use super::{Match, Theorem};

/// How much of a sequence decides the rest of it, as far as the sequence is known.
#[derive(Clone, Copy)]
pub struct State<'a> {
    /// The index of the last non-zero digit.
    k: u64,
    /// The rare heaps, if the sparse rule is at work; without them moves only take.
    space: Option<&'a RareSpace>,
}

impl<'a> State<'a> {
    /// The state of a game whose values are computed with the rare heaps of `space`, or without any: `None` if a heap
    /// may then depend on all before it.
    pub fn of(rules: &Rules, space: Option<&'a RareSpace>) -> Option<State<'a>> {
        let k = rules.last_index()?;
        (space.is_some() || rules.max_parts() <= 1).then_some(State { k, space })
    }

    /// The rare heaps, if there are any to look at.
    pub fn space(&self) -> Option<&'a RareSpace> {
        self.space
    }

    /// The last rare heap: 0 if there is none.
    pub fn last_rare(&self) -> u64 {
        self.space.map_or(0, RareSpace::last)
    }

    /// The first heap that may stand at the beginning of a state: the heaps before it are ends of moves that only they
    /// allow, are rare, or were decided without note of how deep the witnesses are.
    pub fn earliest(&self) -> u64 {
        self.space.map_or(1, |space| space.since().max(space.last() + 1))
    }

    /// The deepest witness of the heaps from `from` on.
    pub fn depth(&self, from: u64) -> u64 {
        self.space.map_or(0, |space| space.depths().from(from))
    }

    /// `w`, how many values the state takes from heap `from` on: deeper witnesses may make it longer yet.
    pub fn length(&self, from: u64) -> u64 {
        self.last_rare().max(self.depth(from)) + self.k
    }

    /// How many values to keep, of those before the next heap, for the state to be in them later too.
    pub fn roomy_length(&self, from: u64) -> u64 {
        match self.space {
            Some(_) => 2 * self.length(from),
            None => self.length(from),
        }
    }

    /// `from`, or the first heap that may begin a state, and the later heaps from which on it is shorter.
    pub fn starts(&self, from: u64) -> impl Iterator<Item = u64> + 'a {
        let first = from.max(self.earliest());
        let steps = self.space.into_iter().flat_map(|space| space.depths().steps());
        std::iter::once(first).chain(steps.filter(move |&n| n > first))
    }

    /// The theorem that makes `found` hold for ever, if it holds for as long as the state is.
    pub fn prove(&self, found: &Match) -> Option<Theorem> {
        // All values up to the end of the match and a period on are known, so none of them is a later rare heap.
        let start = self.starts(found.start).find(|&start| start + self.length(start) <= found.end)?;
        Some(match self.space {
            None => Theorem::Window { heaps: 1 },
            Some(_) => Theorem::State {
                start,
                window: self.length(start),
                last_rare: self.last_rare(),
                depth: self.depth(start),
            },
        })
    }
}
