//! The names of the vertices, numbered in the order in which they first appear.

use std::hash::{BuildHasher, RandomState};

/// Every number below this has a direct place, and above it as many again as three times the names seen so far: a
/// graph on the numbers 0, 1, 2, ... is then read with one memory access a name, and a lone large number costs little.
const DIRECT: usize = 1 << 16;

/// A two-way map between names and the numbers 0, 1, 2, ...
///
/// The names lie end to end in one string, and the hash table holds 4 bytes a slot: of the order of 10^7 names fit
/// where a map of `String`s would need a gigabyte.
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    /// Where each name ends in `text`.
    ends: Vec<usize>,
    /// `direct[i]` is one more than the vertex named by the number `i`; 0 if there is none, or if it is in `slots`.
    direct: Vec<u32>,
    /// Open addressing: one more than a vertex, or 0.
    slots: Vec<u32>,
    in_slots: usize,
    hasher: RandomState,
}

impl Names {
    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The name of a vertex.
    ///
    /// # Panics
    /// If there is no such vertex.
    pub fn get(&self, vertex: u32) -> &str {
        let i = vertex as usize;
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.text[start..self.ends[i]]
    }

    /// The vertex of this name, if there is one.
    pub fn find(&self, name: &str) -> Option<u32> {
        let direct = number(name).and_then(|i| self.direct.get(i)).and_then(|&v| v.checked_sub(1));
        direct.or_else(|| if self.slots.is_empty() { None } else { self.slots[self.slot(name)].checked_sub(1) })
    }

    /// The vertex of this name, a new one if need be. `None` if 2^32 - 1 names are there already.
    pub(super) fn intern(&mut self, name: &str) -> Option<u32> {
        if let Some(i) = number(name).filter(|&i| i < DIRECT + 4 * self.len()) {
            if i >= self.direct.len() {
                self.direct.resize((i + 1).next_power_of_two(), 0);
            }
            if self.direct[i] == 0 {
                // The place may have come after the name: then the name is among the slots.
                self.direct[i] = match self.find(name) {
                    Some(vertex) => vertex + 1,
                    None => self.append(name)? + 1,
                };
            }
            return Some(self.direct[i] - 1);
        }
        if self.in_slots * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(name);
        if self.slots[slot] == 0 {
            self.slots[slot] = self.append(name)? + 1;
            self.in_slots += 1;
        }
        Some(self.slots[slot] - 1)
    }

    /// Releases what only [`Names::intern`] needs.
    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    fn append(&mut self, name: &str) -> Option<u32> {
        let vertex = u32::try_from(self.len()).ok().filter(|&v| v < u32::MAX)?;
        self.text.push_str(name);
        self.ends.push(self.text.len());
        Some(vertex)
    }

    /// Where the name is among the slots, or the free slot where it would be.
    fn slot(&self, name: &str) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.hasher.hash_one(name) as usize & mask;
        while self.slots[slot] != 0 && self.get(self.slots[slot] - 1) != name {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        for entry in old.into_iter().filter(|&entry| entry != 0) {
            let slot = self.slot(self.get(entry - 1));
            self.slots[slot] = entry;
        }
    }
}

/// The number that a name writes in the one way that has no leading zero or sign, so that `7` and `07` stay two names.
fn number(name: &str) -> Option<usize> {
    let bytes = name.as_bytes();
    let canonical = matches!(bytes, [b'0'] | [b'1'..=b'9', ..]) && bytes.len() < 10;
    if !canonical || !bytes.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(bytes.iter().fold(0, |n, b| n * 10 + usize::from(b - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_as_they_appear_and_found_again() {
        let mut names = Names::default();
        let given = ["b", "a", "7", "07", "+7", "999999999", "0", "é", ""];
        for (i, name) in given.iter().enumerate() {
            assert_eq!(names.find(name), None, "{name}");
            assert_eq!(names.intern(name), Some(i as u32));
        }
        for (i, name) in given.iter().enumerate() {
            assert_eq!((names.intern(name), names.find(name)), (Some(i as u32), Some(i as u32)));
            assert_eq!(names.get(i as u32), *name);
        }
        assert_eq!(names.len(), given.len());
    }

    /// A number that was too large for a direct place when it came gets no second vertex when it has one.
    #[test]
    fn a_number_keeps_its_vertex_when_the_direct_places_reach_it() {
        let mut names = Names::default();
        let large = (DIRECT + 100).to_string();
        assert_eq!(names.intern(&large), Some(0));
        for i in 0..1000 {
            names.intern(&i.to_string());
        }
        assert_eq!(names.intern(&large), Some(0));
        assert_eq!(names.find(&large), Some(0));
        assert_eq!(names.len(), 1001);
    }

    #[test]
    fn many_names_survive_the_growth_of_the_table() {
        let mut names = Names::default();
        for i in 0..5000u32 {
            assert_eq!(names.intern(&format!("v{i}")), Some(i));
        }
        assert!((0..5000).all(|i| names.find(&format!("v{i}")) == Some(i)));
    }
}
