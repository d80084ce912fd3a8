//! The names of the vertices, numbered in the order in which they first appear.

use std::cmp::Ordering;
use std::hash::{BuildHasher, RandomState};

/// Names of at most this many bytes lie in the hash table itself, so that finding one takes one memory access; that is
/// where the time goes when a graph has millions of vertices.
const SHORT: usize = 11;

/// A two-way map between names and the numbers 0, 1, 2, ...
///
/// The names lie end to end in one string. A number that is not too large has a place of its own, 4 bytes; all other
/// names are in a hash table, 16 bytes a slot. So 10^7 names fit where a map of `String`s would need a gigabyte.
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    /// Where each name ends in `text`.
    ends: Vec<u32>,
    /// Numbers below this have a place in `direct`.
    direct_below: usize,
    /// At each number, one more than its vertex; 0 if it is none.
    direct: Vec<u32>,
    /// Open addressing.
    slots: Vec<Slot>,
    in_slots: usize,
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

/// The number that a name writes in the one way that has no leading zero or sign: `7` and `07` are two names.
fn number(name: &str) -> Option<usize> {
    let bytes = name.as_bytes();
    let canonical = matches!(bytes, [b'0'] | [b'1'..=b'9', ..]) && bytes.len() <= 9;
    let digits = canonical && bytes.iter().all(u8::is_ascii_digit);
    digits.then(|| bytes.iter().fold(0, |n, b| n * 10 + usize::from(b - b'0')))
}

/// The order in which people look for names: numbers first, by their size, then all others by their characters.
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let is_number =
        |name: &str| matches!(name.as_bytes(), [b'0'] | [b'1'..=b'9', ..]) && name.bytes().all(|b| b.is_ascii_digit());
    match (is_number(a), is_number(b)) {
        (true, true) => a.len().cmp(&b.len()).then_with(|| a.cmp(b)),
        (false, false) => a.cmp(b),
        (a_is_number, _) => {
            if a_is_number {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
    }
}

impl Names {
    /// No names yet; they will come from a text of so many bytes. A text cannot name more than half as many vertices,
    /// so a direct place for every number below that takes at most twice the memory of the text.
    pub(super) fn for_text(bytes: usize) -> Names {
        Names { direct_below: bytes / 2, ..Names::default() }
    }

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
        &self.text[start as usize..self.ends[i] as usize]
    }

    /// The vertex of this name, if there is one.
    pub fn find(&self, name: &str) -> Option<u32> {
        let entry = match self.direct_place(name) {
            Some(place) => *self.direct.get(place)?,
            None if self.slots.is_empty() => return None,
            None => self.slots[self.place(name).0].vertex,
        };
        entry.checked_sub(1)
    }

    /// The vertex of this name, a new one if need be. `None` if there would be 2^32 names, or bytes of names.
    pub(super) fn intern(&mut self, name: &str) -> Option<u32> {
        if let Some(place) = self.direct_place(name) {
            if place >= self.direct.len() {
                self.direct.resize((place + 1).next_power_of_two().min(self.direct_below), 0);
            }
            if self.direct[place] == 0 {
                self.direct[place] = self.append(name)?;
            }
            return Some(self.direct[place] - 1);
        }
        // At most three quarters full, so that a search soon meets a free place.
        if self.in_slots * 4 >= self.slots.len() * 3 {
            self.grow();
        }
        let (place, key) = self.place(name);
        if self.slots[place].vertex == 0 {
            self.slots[place] = Slot { vertex: self.append(name)?, key };
            self.in_slots += 1;
        }
        Some(self.slots[place].vertex - 1)
    }

    /// Adds a name and gives one more than its vertex.
    fn append(&mut self, name: &str) -> Option<u32> {
        let end = u32::try_from(self.text.len() + name.len()).ok()?;
        let entry = u32::try_from(self.len() + 1).ok()?;
        self.text.push_str(name);
        self.ends.push(end);
        Some(entry)
    }

    fn direct_place(&self, name: &str) -> Option<usize> {
        number(name).filter(|&number| number < self.direct_below)
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
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        let mask = size - 1;
        for slot in old.into_iter().filter(|slot| slot.vertex != 0) {
            let hash = if slot.key[SHORT] == u8::MAX {
                u64::from_le_bytes(slot.key[..8].try_into().expect("eight bytes"))
            } else {
                self.hasher.hash_one(self.get(slot.vertex - 1))
            };
            // All names are different, so any free place will do, and none has to be looked at.
            let mut place = hash as usize & mask;
            while self.slots[place].vertex != 0 {
                place = (place + 1) & mask;
            }
            self.slots[place] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_as_they_appear_and_found_again() {
        let given = ["b", "7", "07", "b\0", "12345678901", "123456789012", "éééééé", "", "0", "49", "50", "+7", "7 "];
        for bytes in [0, 100] {
            let mut names = Names::for_text(bytes);
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
    }

    #[test]
    fn numbers_come_first_and_by_their_size() {
        let mut names = ["b", "10", "9", "07", "a", "123456789012345678901234567890", "0", ""];
        names.sort_unstable_by(|a, b| natural_order(a, b));
        assert_eq!(names, ["0", "9", "10", "123456789012345678901234567890", "", "07", "a", "b"]);
    }

    #[test]
    fn many_names_survive_the_growth_of_the_tables() {
        let name = |i: u32| if i.is_multiple_of(2) { format!("{i}") } else { format!("the vertex {i}") };
        for bytes in [0, 5000, 100_000] {
            let mut names = Names::for_text(bytes);
            for i in 0..5000 {
                assert_eq!(names.intern(&name(i)), Some(i));
            }
            assert!((0..5000).all(|i| names.find(&name(i)) == Some(i)));
            assert_eq!(names.find("5000"), None);
        }
    }
}
