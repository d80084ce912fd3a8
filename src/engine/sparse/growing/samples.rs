//! Heaps whose values are known, to see what serves for the next ones.

use crate::kernel::met::Sum;
use crate::kernel::sieve::{MOST, Pairs};

/// How many.
pub const SAMPLES: usize = 64;
/// Heaps from one to the next: neither neighbours nor far away, and no period of a game is likely to be this.
pub const APART: usize = 61;

/// A heap, and what no pair of least parts gives it of what is less than its value.
pub struct Sample {
    pub heap: usize,
    /// The number of the sample, to tell what is open for it from what is for others.
    number: u32,
    /// For each code whether it is one of the common class that is open.
    common: Vec<bool>,
    /// For each code whether it is one of the rare class that is open.
    rare: Vec<bool>,
}

impl Sample {
    /// A sample with a number, for which codes are open: those within the common class, and those of the rare one.
    pub fn new(heap: usize, number: usize, common: &[u16], rare: &[u16]) -> Sample {
        let table = |codes: &[u16]| {
            let mut table = vec![false; MOST as usize];
            codes.iter().for_each(|&code| table[usize::from(code)] = true);
            table
        };
        Sample { heap, number: number as u32, common: table(common), rare: table(rare) }
    }

    /// How many values of the common class are open.
    pub fn common_len(&self) -> usize {
        self.common.iter().filter(|&&is_open| is_open).count()
    }

    /// The number of the open value of the common class, among those of all samples, that the sum is.
    pub fn common_hit(&self, codes: &[u16], sum: &Sum) -> Option<u32> {
        let code = codes[self.heap.checked_sub(sum.distance())?] ^ sum.xor();
        self.common[usize::from(code) % MOST as usize].then(|| self.number_of(code))
    }

    /// The numbers of the open values of the rare class, among those of all samples, that the pairs are.
    pub fn rare_hits<'a>(&'a self, [smaller, larger]: Pairs<'a>) -> impl Iterator<Item = u32> + 'a {
        let codes = smaller.iter().zip(larger).map(|(a, b)| a ^ b);
        codes.filter(|&code| self.rare[usize::from(code) % MOST as usize]).map(|code| self.number_of(code))
    }

    fn number_of(&self, code: u16) -> u32 {
        self.number * MOST + u32::from(code)
    }
}
