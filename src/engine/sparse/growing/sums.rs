//! Which of the sums with rare heaps are looked up for many heaps at a time.
//!
//! It leaves few open values, which are faster compared with the rest. What a sum takes out depends on its value and on where its
//! heap is: so it is seen for heaps whose values are known which sums serve most.

use rayon::prelude::*;

use super::cover::{Hit, greedy};
use super::samples::Sample;
use crate::kernel::met::{Sum, Sums};

/// Sums are all looked up if they are no more than these; fewer in tests.
const FEW: usize = if cfg!(test) { 1 << 9 } else { 3 << 14 };
/// Sums with similar values that are looked up together or not.
const PIECE: usize = if cfg!(test) { 1 << 4 } else { 1 << 8 };
/// Values that are the same but for these bits are similar.
const SIMILAR: u32 = 8;
/// What looking a sum up costs, compared with comparing it with a few values.
const LOOKING_UP: f64 = 3.0;
/// How often sums are compared with a few values: so many times, and so many more for each value that is open.
const ROUNDS: [f64; 2] = [1.5, 0.2];

/// The sums with rare heaps.
#[derive(Default)]
pub struct RareSums {
    all: Vec<Sum>,
    looked_up: Sums,
    others: Sums,
}

impl RareSums {
    /// Forgets all sums.
    pub fn clear(&mut self) {
        *self = RareSums::default();
    }

    /// Adds a sum.
    pub fn push(&mut self, sum: Sum) {
        self.all.push(sum);
        self.others.push(sum);
    }

    /// Has all sums looked up if they are few, and says whether they are.
    pub fn are_few(&mut self) -> bool {
        let are_few = self.all.len() <= FEW;
        if are_few {
            std::mem::take(&mut self.others).as_slice().iter().for_each(|sum| self.looked_up.push(*sum));
        }
        are_few
    }

    /// Chooses those that are looked up for the next heaps: those that give the most of what is open for some of the
    /// samples, as many as leave the least work for the others.
    pub fn choose(&mut self, codes: &[u16], samples: &[Sample]) {
        let mut by_value: Vec<usize> = (0..self.all.len()).collect();
        by_value.sort_by_key(|&k| self.all[k].xor() >> SIMILAR);
        let pieces: Vec<&[usize]> = by_value.chunks(PIECE).collect();
        let (judges, teachers): (Vec<_>, Vec<_>) = samples.iter().enumerate().partition(|(k, _)| k % 4 == 0);
        let hits = |samples: &[(usize, &Sample)]| -> Vec<Hit> {
            let hits = pieces.par_iter().enumerate().flat_map_iter(|(piece, sums)| {
                let sums = sums.iter().map(|&k| &self.all[k]);
                sums.flat_map(|sum| samples.iter().filter_map(|(_, sample)| sample.common_hit(codes, sum)))
                    .map(move |thing| (piece as u32, thing))
            });
            hits.collect()
        };
        let order = greedy(pieces.len(), hits(&teachers));
        let judged = judges.iter().map(|(_, sample)| sample.common_len()).sum();
        let count = least_work(&order, hits(&judges), judged, judges.len(), self.all.len());
        let mut is_looked_up = vec![false; self.all.len()];
        order[..count].iter().flat_map(|&piece| pieces[piece]).for_each(|&k| is_looked_up[k] = true);
        let sums = |looked_up| {
            let chosen = self.all.iter().zip(&is_looked_up).filter(move |(_, is)| **is == looked_up);
            chosen.map(|(sum, _)| *sum).collect()
        };
        (self.looked_up, self.others) = (sums(true), sums(false));
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

/// How many pieces of the order are best looked up, of so many sums in all. `hits` are those of so many heaps, which have `open` values.
fn least_work(order: &[usize], hits: Vec<Hit>, open: usize, heaps: usize, sums: usize) -> usize {
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(k, &piece)| place[piece] = k as u32);
    let mut first: Vec<(u32, u32)> = hits.into_iter().map(|(piece, thing)| (thing, place[piece as usize])).collect();
    first.sort_unstable();
    first.dedup_by_key(|hit| hit.0);
    let mut settled = vec![0; order.len()];
    first.iter().for_each(|&(_, place)| settled[place as usize] += 1);
    let mut left = open;
    let work = |pieces: usize, left: usize| {
        let looked_up = (pieces * PIECE).min(sums) as f64;
        let rounds = ROUNDS[0] + ROUNDS[1] * left as f64 / heaps as f64;
        LOOKING_UP * looked_up + rounds * (sums as f64 - looked_up)
    };
    let works = settled.iter().enumerate().map(|(k, settled)| {
        left -= settled;
        (k + 1, work(k + 1, left))
    });
    let none = (0, work(0, open));
    std::iter::once(none).chain(works).min_by(|a, b| a.1.total_cmp(&b.1)).expect("there is one").0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sieve::MOST;

    /// However often it is chosen, every sum is in one of the parts, also one that comes between two choices.
    #[test]
    fn every_sum_is_in_one_part() {
        let heaps = 16 * FEW;
        let codes: Vec<u16> = (0..heaps as u32).map(|n| (n.wrapping_mul(0x9e37_79b9) >> 20) as u16).collect();
        let open: Vec<u16> = (1000..1040).collect();
        let samples: Vec<Sample> = (0..16).map(|k| Sample::new(heaps - 1 - k, k, &open, &[])).collect();
        let mut sums = RareSums::default();
        let mut looked_up = std::collections::BTreeSet::new();
        for k in 0..heaps as u32 {
            sums.push(Sum::new(k, (k.wrapping_mul(0x85eb_ca6b) >> 20) as u16));
            if k % 250 == 0 && !sums.are_few() {
                sums.choose(&codes, &samples);
                looked_up.insert(sums.looked_up().as_slice().len());
            }
            if k % 125 == 0 {
                let parts = [sums.looked_up(), sums.others()].map(Sums::as_slice);
                let mut all: Vec<usize> = parts.concat().iter().map(Sum::distance).collect();
                all.sort_unstable();
                assert!(all.into_iter().eq(0..=k as usize));
            }
        }
        assert!(looked_up.len() > 10, "{looked_up:?}");
        sums.clear();
        assert!(sums.are_few() && sums.looked_up().as_slice().is_empty() && sums.others().as_slice().is_empty());
    }

    /// A piece of sums that gives all that is open is looked up, and no other.
    #[test]
    fn what_serves_is_looked_up() {
        let codes = vec![0; 4 * FEW];
        // Each sum is its own value: those of one piece are open.
        let value = |k: usize| (k * 2) as u16 % MOST as u16;
        let open: Vec<u16> = (0..PIECE).map(|k| value(3 * PIECE + k)).collect();
        let samples: Vec<Sample> = (0..8).map(|k| Sample::new(codes.len() - 1 - k, k, &open, &[])).collect();
        let mut sums = RareSums::default();
        (0..2 * FEW).for_each(|k| sums.push(Sum::new(k as u32, value(k))));
        sums.choose(&codes, &samples);
        assert!(sums.looked_up().as_slice().iter().map(Sum::xor).eq(open.iter().copied()));
    }

    /// As many pieces are looked up as settle something, if there are few to settle.
    #[test]
    fn the_least_work_is_found() {
        let hits = |pieces: u32| (0..pieces).flat_map(|piece| (0..4).map(move |k| (piece, 4 * piece + k))).collect();
        let order: Vec<usize> = (0..10).collect();
        for pieces in 0..=5 {
            assert_eq!(least_work(&order, hits(pieces), 20, 4, 100 * PIECE), pieces as usize);
        }
    }
}
