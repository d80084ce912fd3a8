//! Which of the sums with rare heaps are looked up for many heaps at a time.
//!
//! It leaves few open values, which are faster compared with the rest. What it leaves depends on the game: where heaps that lie
//! close together have similar values, sums with rare heaps from all parts of the sequence leave fewer.

use crate::kernel::met::{Sum, Sums};

use super::choice::Choice;

/// Sums are all looked up if they are no more than these; fewer in tests.
const FEW: usize = if cfg!(test) { 1 << 9 } else { 3 << 14 };
/// Of sums from everywhere, the first so many are all taken: those with the least heaps, which serve all games.
const FIRST: usize = FEW / 6;
/// What looking a sum up costs, compared with comparing it with a few values.
const LOOKING_UP: f64 = 2.6;

/// How many are looked up, as a share of few, and whether they come from everywhere.
const WAYS: [(f64, bool); 6] = [(0.35, false), (0.7, false), (1.4, false), (0.7, true), (1.1, true), (1.7, true)];

/// The sums with rare heaps.
#[derive(Default)]
pub struct RareSums {
    all: Vec<Sum>,
    choice: Choice<{ WAYS.len() }>,
    /// The way in which they are sorted: all are looked up if there is none.
    way: Option<usize>,
    looked_up: Sums,
    others: Sums,
}

impl RareSums {
    /// Forgets all sums.
    pub fn clear(&mut self) {
        *self = RareSums { choice: std::mem::take(&mut self.choice), ..RareSums::default() };
    }

    /// Adds a sum.
    pub fn push(&mut self, sum: Sum) {
        self.all.push(sum);
        self.others.push(sum);
    }

    /// Chooses those that are looked up for the next heaps.
    pub fn choose(&mut self) {
        let way = (self.all.len() > FEW).then(|| self.choice.next());
        if way == self.way {
            if way.is_none() {
                std::mem::take(&mut self.others).as_slice().iter().for_each(|sum| self.looked_up.push(*sum));
            }
            return;
        }
        self.way = way;
        let (count, everywhere) = way.map_or((self.all.len(), false), |way| {
            let (share, everywhere) = WAYS[way];
            ((share * FEW as f64) as usize, everywhere)
        });
        let step = if everywhere { ((self.all.len() - FIRST) / (count - FIRST)).max(1) } else { usize::MAX };
        let first = if everywhere { FIRST } else { count };
        let (looked_up, others): (Vec<_>, Vec<_>) =
            self.all.iter().enumerate().partition(|(k, _)| *k < first || k.is_multiple_of(step));
        self.looked_up = looked_up.into_iter().map(|(_, sum)| *sum).collect();
        self.others = others.into_iter().map(|(_, sum)| *sum).collect();
    }

    /// Takes note of how many times the others had to be compared with a few values.
    pub fn tell(&mut self, rounds: f64) {
        if self.way.is_some() {
            let [looked_up, others] = [&self.looked_up, &self.others].map(|sums| sums.as_slice().len() as f64);
            self.choice.tell(LOOKING_UP * looked_up + rounds * others);
        }
    }

    /// Those that are looked up: none, unless they have been chosen.
    pub fn looked_up(&self) -> &Sums {
        &self.looked_up
    }

    /// The others.
    pub fn others(&self) -> &Sums {
        &self.others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However often it is chosen, every sum is in one of the parts, also one that comes between two choices.
    #[test]
    fn every_sum_is_in_one_part() {
        let mut sums = RareSums::default();
        let mut looked_up = std::collections::BTreeSet::new();
        for k in 0..20 * FEW as u32 {
            sums.push(Sum::new(k, 1));
            if k % 40 != 0 {
                continue;
            }
            if k % 80 == 0 {
                sums.choose();
                sums.tell(1.0 + f64::from(k % 7));
                looked_up.insert(sums.looked_up().as_slice().len());
            }
            let parts = [sums.looked_up(), sums.others()].map(Sums::as_slice);
            let mut all: Vec<usize> = parts.concat().iter().map(Sum::distance).collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..=k as usize));
        }
        assert!(looked_up.len() > WAYS.len());
        sums.clear();
        (0..=FEW as u32).for_each(|k| sums.push(Sum::new(k, 1)));
        sums.choose();
        assert!(sums.looked_up().as_slice().len() > FIRST && !sums.others().as_slice().is_empty());
    }
}
