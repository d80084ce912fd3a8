//! The reference kernel: a set of values on `bitvec`. It defines what the word kernel must compute; the hot
//! loops do not use it, since each of its accesses is checked and masked (`benches/kernels.rs` shows the cost).

use bitvec::vec::BitVec;

/// A set of nim-values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitvecSet {
    bits: BitVec<u64>,
}

impl BitvecSet {
    /// Adds a value.
    pub fn insert(&mut self, value: u32) {
        let i = value as usize;
        if i >= self.bits.len() {
            self.bits.resize(i + 1, false);
        }
        self.bits.set(i, true);
    }

    /// Whether the value is in the set.
    pub fn contains(&self, value: u32) -> bool {
        self.bits.get(value as usize).is_some_and(|bit| *bit)
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.bits.fill(false);
    }

    /// The least value that is not in the set.
    pub fn mex(&self) -> u32 {
        self.bits.first_zero().unwrap_or(self.bits.len()) as u32
    }
}
