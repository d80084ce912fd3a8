//! Which sums are best marked: those that many heaps still lack when the ones before are marked.

use std::collections::BinaryHeap;

use crate::kernel::small::LANES;
use crate::kernel::wide::{Set, SpreadTerm, Wide};

/// Of more sums with rare heaps than this the rest are compared: marking a sum takes ten times as long as that, but
/// too few marks leave too many values to compare. The best number is broad.
const MARKED: usize = 650;
/// Where there are only so many more, all are marked.
const FEW_MORE: usize = 250;

/// Runs of `LANES` heaps that sums are tried on, and from one to the next.
const RUNS: usize = 8;
const STRIDE: usize = 16 * LANES;
/// A sum comes next if it serves nearly as many heaps as the best of the others may: to know which is best takes
/// longer, and gives no better order.
const NEARLY: f64 = 0.9;

/// The heaps that sums are tried on.
pub struct Sample<'a> {
    values: &'a [u8],
    /// Where each run begins.
    runs: Vec<usize>,
    /// For every heap the values that no sum has given yet.
    lacking: Vec<[Set; LANES]>,
}

impl<'a> Sample<'a> {
    /// The last of `values`, but none that has not `reach` before it. `wanted`: which sums matter for a heap, by its
    /// place and its value.
    pub fn new(values: &'a [u8], reach: usize, wanted: impl Fn(usize, u8) -> Set) -> Sample<'a> {
        let starts = (1..=RUNS).map_while(|k| (values.len() + STRIDE - LANES).checked_sub(k * STRIDE));
        let runs: Vec<usize> = starts.filter(|start| *start >= reach).collect();
        let lacking = |start: &usize| std::array::from_fn(|j| wanted(start + j, values[start + j]));
        Sample { values, lacking: runs.iter().map(lacking).collect(), runs }
    }

    /// Puts the most useful `count` terms first, the best of them foremost. The sample lacks their sums no more.
    pub fn sort(&mut self, terms: &mut Vec<SpreadTerm>, count: usize) {
        // The gain of a term only falls: what is known of it is an upper bound.
        let mut queue: BinaryHeap<(u32, usize)> = terms.iter().enumerate().map(|(i, t)| (self.gain(t), i)).collect();
        let mut order = Vec::with_capacity(terms.len());
        while order.len() < count
            && let Some((_, i)) = queue.pop()
        {
            let gain = self.gain(&terms[i]);
            if queue.peek().is_some_and(|next| f64::from(gain) < NEARLY * f64::from(next.0)) {
                queue.push((gain, i));
            } else {
                self.serve(&terms[i]);
                order.push(i);
            }
        }
        order.extend(queue.into_sorted_vec().into_iter().rev().map(|(_, i)| i));
        *terms = order.into_iter().map(|i| terms[i]).collect();
    }

    /// How many heaps lack the sum.
    fn gain(&self, term: &SpreadTerm) -> u32 {
        let lacks = |set: &Set, sum: u8| (set[usize::from(sum / 64)] >> (sum % 64)) as u32 & 1;
        let runs = self.runs.iter().zip(&self.lacking);
        runs.map(|(&start, sets)| {
            sets.iter().zip(self.sums(start, term)).map(|(set, sum)| lacks(set, sum)).sum::<u32>()
        })
        .sum()
    }

    fn serve(&mut self, term: &SpreadTerm) {
        for k in 0..self.runs.len() {
            let sums: Vec<u8> = self.sums(self.runs[k], term).collect();
            for (set, sum) in self.lacking[k].iter_mut().zip(sums) {
                set[usize::from(sum / 64)] &= !(1 << (sum % 64));
            }
        }
    }

    fn sums(&self, start: usize, term: &SpreadTerm) -> impl Iterator<Item = u8> + 'a {
        let from = start - term.distance as usize;
        let xor = term.xor();
        self.values[from..from + LANES].iter().map(move |value| value ^ xor)
    }
}

/// Has the most useful sums marked, where there are many, and the rest compared. `values`: compressed ones of the last
/// heaps, as many as the kernel looks back at least.
pub fn mark_most_useful(wide: &mut Wide, values: &[u8]) {
    if wide.terms() > MARKED + FEW_MORE {
        let mut sample = Sample::new(values, wide.reach(), |_, value| all_below(value));
        wide.mark_first(MARKED, |terms| sample.sort(terms, MARKED));
    }
}

/// The values below `value`.
fn all_below(value: u8) -> Set {
    std::array::from_fn(|word| match usize::from(value).saturating_sub(64 * word) {
        bits @ 0..64 => (1 << bits) - 1,
        _ => u64::MAX,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::small::Term;
    use proptest::prelude::*;

    proptest! {
        /// The terms that come first serve the sample as well as nearly the best choice each time.
        #[test]
        fn the_most_useful_come_first(
            values in prop::collection::vec(0u8..40, 3000..3500),
            terms in prop::collection::vec((1u32..700, 0u32..40), 1..60),
            count in 0usize..70,
        ) {
            let terms: Vec<SpreadTerm> = terms.iter().map(|&(distance, xor)| (&Term { distance, xor }).into()).collect();
            let key = |term: &SpreadTerm| (term.distance, term.xor());
            let mut sorted = terms.clone();
            Sample::new(&values, 700, |_, value| all_below(value)).sort(&mut sorted, count);
            let (mut all, mut after): (Vec<_>, Vec<_>) = (terms.iter().map(key).collect(), sorted.iter().map(key).collect());
            let mut sample = Sample::new(&values, 700, |_, value| all_below(value));
            prop_assert_eq!(sample.runs.len(), 3);
            for i in 0..count.min(terms.len()) {
                let best = sorted[i..].iter().map(|term| sample.gain(term)).max().unwrap();
                prop_assert!(f64::from(sample.gain(&sorted[i])) >= NEARLY * f64::from(best));
                sample.serve(&sorted[i]);
                prop_assert_eq!(sample.gain(&sorted[i]), 0);
            }
            all.sort_unstable();
            after.sort_unstable();
            prop_assert_eq!(all, after);
        }
    }
}
