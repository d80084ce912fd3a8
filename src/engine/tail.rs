//! Taking only, with digits that repeat for ever: Nim, all-but sets, `sub{2+}`, `0.[12]`.
//!
//! Past the prefix, whether `i` may be taken depends on `i` modulo the length `t` of the tail. So the values of
//! all heaps that are more than the prefix away form `t` growing sets, one for every residue, and a heap's
//! options are a union of these and of the values of a few near heaps. The mex of such a union only grows with
//! the heap, for heaps of one residue: the search for it starts where it ended the last time.

use crate::Rules;
use crate::kernel::WordSet;
use crate::rules::{LEAVE_ONE, TAKE_ALL};

use super::{Engine, EngineError, History};

/// The engine for taking games whose digits repeat for ever.
pub struct Tail {
    rules: Rules,
    /// The numbers of tokens in the prefix that may be taken from a larger heap.
    near: Vec<u64>,
    /// `far[c]`: the values of heaps that are congruent to `c` and at least the prefix away.
    far: Vec<WordSet>,
    /// For heaps of each residue: a lower bound of the mex of all far options.
    floor: Vec<u32>,
    history: History,
}

impl Tail {
    /// Whether the engine can compute this game.
    pub fn covers(rules: &Rules) -> bool {
        rules.max_parts() <= 1 && rules.last_index().is_none()
    }

    /// Goes on from `history`, which must keep everything.
    ///
    /// # Panics
    /// If the engine does not cover the game.
    pub fn new(rules: &Rules, history: History) -> Tail {
        assert!(Tail::covers(rules) && history.base() == 0);
        let t = rules.tail().len();
        let near = (1..rules.prefix().len() as u64).filter(|&i| rules.digit(i) & LEAVE_ONE != 0).collect();
        let mut engine = Tail { rules: rules.clone(), near, far: vec![WordSet::new(); t], floor: vec![0; t], history };
        (0..engine.history.len()).for_each(|n| engine.pass(n));
        engine
    }

    /// Adds the one heap that has become far when heap `n` is decided. Heap 0 is no heap that can be left.
    fn pass(&mut self, n: u64) {
        let Some(heap) = n.checked_sub(self.rules.prefix().len() as u64).filter(|&heap| heap > 0) else { return };
        let value = self.history.recent().get(heap as usize);
        let residue = heap % self.far.len() as u64;
        self.far[residue as usize].insert(value);
    }

    fn decide(&mut self, n: u64, near: &mut WordSet) -> u32 {
        let t = self.far.len() as u64;
        let prefix = self.rules.prefix().len() as u64;
        let recent = self.history.recent();
        let close = self.near.iter().take_while(|&&i| i < n).map(|i| recent.get((n - i) as usize));
        let empty = (self.rules.digit(n) & TAKE_ALL != 0).then_some(0);
        close.clone().chain(empty).for_each(|v| near.insert(v));
        let far: Vec<&WordSet> = (0..t)
            .filter(|&j| self.rules.tail()[j as usize] & LEAVE_ONE != 0 && n >= prefix + j)
            .map(|j| &self.far[((n - prefix - j) % t) as usize])
            .collect();
        let is_option = |v: u32| far.iter().any(|set| set.contains(v));
        let floor = &mut self.floor[(n % t) as usize];
        *floor = (*floor..).find(|&v| !is_option(v)).expect("a finite set misses a value");
        let value = (*floor..).find(|&v| !near.contains(v) && !is_option(v)).expect("a finite set misses a value");
        // Emptied one by one: the set is as wide as the largest value, which grows with the heap.
        close.chain(empty).for_each(|v| near.remove(v));
        value
    }
}

impl Engine for Tail {
    fn name(&self) -> &'static str {
        "tail"
    }

    fn kernel(&self) -> &'static str {
        "words"
    }

    fn history(&self) -> &History {
        &self.history
    }

    fn take_history(&mut self) -> History {
        std::mem::take(&mut self.history)
    }

    fn extend(&mut self, to: u64) -> Result<(), EngineError> {
        let mut near = WordSet::new();
        for n in self.history.len()..to {
            if n > u64::from(u32::MAX) {
                return Err(EngineError::Value { heap: n });
            }
            self.pass(n);
            let value = self.decide(n, &mut near);
            self.history.push(value);
        }
        Ok(())
    }
}
