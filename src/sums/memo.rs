//! Memoised evaluation of everything that can be reached from a position, on a stack of its own: plays may be millions
//! of moves long.

use std::collections::{HashMap, HashSet};
use std::fmt::Debug;
use std::hash::Hash;

use super::SumError;

/// The options of a position, each a list of the positions that it is the sum of.
pub(super) type Options<K> = Vec<Vec<K>>;

/// What is known so far of the positions `K`.
pub(super) struct Memo<K, V> {
    done: HashMap<K, V>,
    limit: usize,
}

impl<K: Clone + Eq + Hash + Debug, V: Copy> Memo<K, V> {
    /// An empty memo that will hold at most `limit` positions.
    pub fn new(limit: usize) -> Memo<K, V> {
        Memo { done: HashMap::new(), limit }
    }

    /// Evaluates `start`: `value` is called for a position when all parts of all its options are known.
    pub fn evaluate(
        &mut self,
        start: &K,
        options: impl Fn(&K) -> Result<Options<K>, SumError>,
        value: impl Fn(&Options<K>, &dyn Fn(&K) -> V) -> V,
    ) -> Result<V, SumError> {
        // A position waits (`None`) until it is at the top; then its options are put above it. The positions with
        // options are those on the way from the start to the top, so meeting one of them again is a cycle.
        let mut stack = vec![(start.clone(), None)];
        let mut open = HashSet::new();
        while let Some((position, known)) = stack.last_mut() {
            if self.done.contains_key(position) {
                stack.pop();
            } else if let Some(known) = known {
                let result = value(known, &|k| self.done[k]);
                open.remove(position);
                self.done.insert(position.clone(), result);
                stack.pop();
            } else {
                open.insert(position.clone());
                let found = options(position)?;
                let waiting: Vec<K> = found.iter().flatten().filter(|k| !self.done.contains_key(k)).cloned().collect();
                if let Some(again) = waiting.iter().find(|k| open.contains(*k)) {
                    return Err(SumError::Endless(format!("{again:?}")));
                }
                *known = Some(found);
                stack.extend(waiting.into_iter().map(|k| (k, None)));
                if self.done.len() + stack.len() > self.limit {
                    return Err(SumError::TooManyPositions { limit: self.limit, cure: String::new() });
                }
            }
        }
        Ok(self.done[start])
    }
}
