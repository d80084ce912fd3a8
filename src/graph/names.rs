//! The names of the vertices, numbered in the order in which they first appear.

use std::hash::{BuildHasher, RandomState};

/// Names of at most this many bytes lie in the hash table itself, so that finding one takes one memory access; that is
/// where the time goes when a graph has millions of vertices.
const SHORT: usize = 11;

/// A two-way map between names and the numbers 0, 1, 2, ...
///
/// The names lie end to end in one string, and the hash table takes 16 bytes a slot: 10^7 names fit where a map of
/// `String`s would need a gigabyte.
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    /// Where each name ends in `text`.
    ends: Vec<usize>,
    /// Open addressing.
    slots: Vec<Slot>,
    hasher: RandomState,
}

/// A place of the hash table.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// One more than a vertex; 0 if the place is free.
    vertex: u32,
    key: Key,
}

/// A short name, zeros behind it and its length; or the hash of a long one and a length that no short one has.
type Key = [u8; SHORT + 1];

fn key(name: &str, hash: u64) -> Key {
    let mut key = Key::default();
    if name.len() <= SHORT {
        key[..name.len()].copy_from_slice(name.as_bytes());
        key[SHORT] = name.len() as u8;
    } else {
        key[..8].copy_from_slice(&hash.to_le_bytes());
        key[SHORT] = u8::MAX;
    }
    key
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
        if self.is_empty() { None } else { self.slots[self.place(name).0].vertex.checked_sub(1) }
    }

    /// The vertex of this name, a new one if need be. `None` if 2^32 - 1 names are there already.
    pub(super) fn intern(&mut self, name: &str) -> Option<u32> {
        // At most three quarters full, so that a search soon meets a free place.
        if self.len() * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let (place, key) = self.place(name);
        if self.slots[place].vertex == 0 {
            let vertex = u32::try_from(self.len() + 1).ok()?;
            self.text.push_str(name);
            self.ends.push(self.text.len());
            self.slots[place] = Slot { vertex, key };
        }
        Some(self.slots[place].vertex - 1)
    }

    /// Where the name is among the slots, or the free slot where it would be, and its key.
    fn place(&self, name: &str) -> (usize, Key) {
        let hash = self.hasher.hash_one(name);
        let (key, mask) = (key(name, hash), self.slots.len() - 1);
        let is_here = |slot: &Slot| slot.key == key && (name.len() <= SHORT || self.get(slot.vertex - 1) == name);
        let mut place = hash as usize & mask;
        while self.slots[place].vertex != 0 && !is_here(&self.slots[place]) {
            place = (place + 1) & mask;
        }
        (place, key)
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        self.slots = vec![Slot::default(); size];
        for vertex in 0..self.len() as u32 {
            let (place, key) = self.place(self.get(vertex));
            self.slots[place] = Slot { vertex: vertex + 1, key };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_as_they_appear_and_found_again() {
        let mut names = Names::default();
        let given =
            ["b", "a", "7", "07", "b\0", "12345678901", "123456789012", "éééééé", "", "a name as long as names get"];
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

    #[test]
    fn many_names_survive_the_growth_of_the_table() {
        let mut names = Names::default();
        let name = |i: u32| if i.is_multiple_of(2) { format!("{i}") } else { format!("the vertex {i}") };
        for i in 0..5000 {
            assert_eq!(names.intern(&name(i)), Some(i));
        }
        assert!((0..5000).all(|i| names.find(&name(i)) == Some(i)));
        assert_eq!(names.find("5000"), None);
    }
}
