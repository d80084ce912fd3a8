//! Memoised evaluation of everything that can be reached from a position, on a stack of its own: plays may be millions
//! of moves long.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;

use super::SumError;

/// The options of a position, each a list of the positions that it is the sum of.
type Options<K> = Vec<Vec<K>>;

/// What is known so far of the positions `K`.
pub(super) struct Memo<K, V> {
    done: HashMap<K, V>,
}

impl<K: Clone + Eq + Hash + Debug, V: Copy> Memo<K, V> {
    /// An empty memo.
    pub fn new() -> Memo<K, V> {
        Memo { done: HashMap::new() }
    }

    /// Evaluates `start`. When all parts of a position's options are known, `value` is called with what is known.
    pub fn evaluate(
        &mut self,
        start: &K,
        options: impl Fn(&K) -> Options<K>,
        value: impl Fn(&Options<K>, &dyn Fn(&K) -> Option<V>) -> V,
    ) -> Result<V, SumError> {
        if let Some(&known) = self.done.get(start) {
            return Ok(known);
        }
        // The positions on the way from the start; meeting one of them again is a cycle.
        let mut open = HashSet::from([start.clone()]);
        let mut path = vec![Frame::new(start.clone(), options(start))];
        while let Some(frame) = path.last_mut() {
            if let Some(next) = frame.advance(&self.done) {
                if !open.insert(next.clone()) {
                    return Err(SumError::Endless(format!("{next:?}")));
                }
                let frame = Frame::new(next.clone(), options(next));
                path.push(frame);
            } else {
                let result = value(&frame.options, &|k| self.done.get(k).copied());
                open.remove(&frame.position);
                let position = path.pop().expect("the frame in hand").position;
                self.done.insert(position, result);
            }
        }
        Ok(self.done[start])
    }
}

/// A position whose options are being evaluated.
struct Frame<K> {
    position: K,
    options: Options<K>,
    /// The option and the part of it to look at next.
    at: (usize, usize),
}

impl<K: Eq + Hash> Frame<K> {
    fn new(position: K, options: Options<K>) -> Frame<K> {
        Frame { position, options, at: (0, 0) }
    }

    /// The next part that is not known.
    fn advance<V>(&mut self, done: &HashMap<K, V>) -> Option<&K> {
        while let Some(option) = self.options.get(self.at.0) {
            match option.get(self.at.1) {
                None => self.at = (self.at.0 + 1, 0),
                Some(part) if done.contains_key(part) => self.at.1 += 1,
                Some(_) => return self.options[self.at.0].get(self.at.1),
            }
        }
        None
    }
}
