//! The period of the pretending function, and when it is proven.

use crate::Rules;
use crate::rules::Split;

/// Φ(n + period) = Φ(n) for all n >= preperiod; the period is least, and so is the preperiod, which is at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first heap from which on the values repeat.
    pub preperiod: u64,
    /// The length of the period.
    pub period: u64,
}

impl Period {
    /// The heap up to `preperiod + period - 1` whose value heap `n` has.
    pub fn reduce(&self, n: u64) -> u64 {
        if n < self.preperiod { n } else { self.preperiod + (n - self.preperiod) % self.period }
    }

    /// The heap up to which the quotient and the equation Φ(n + period) = Φ(n) must be known so that they hold for
    /// ever: M = 2 n0 + 2 p + k - 1, with k the index of the last non-zero digit. `None` if no such bound is
    /// known for the game (its digits never end) or the numbers overflow.
    ///
    /// For a heap m + p beyond M every split has a part of n0 + p or more, and every split of m one of n0 or more.
    /// Moving that part by p matches the option values of the two heaps, so heap m + p repeats the value and the
    /// option values of heap m, and no position gets a new pair. Splits into three need 3 n0 + 3 p + k - 1.
    /// In Grundy's game the moved part may equal the other, a split that is not allowed: (a - p, a + p) then
    /// takes the place of (a, a), for which p heaps more are needed.
    pub fn heaps_needed(&self, rules: &Rules) -> Option<u64> {
        Bound::of(rules)?.heaps(self)
    }

    /// The period of the values of heaps 1, 2, ... if these prove one: that with the least `period`.
    pub(super) fn proven<T: Eq>(rules: &Rules, values: &[T]) -> Option<Period> {
        let heaps = values.len() as u64;
        let bound = Bound::of(rules)?;
        let agreement = backward_agreement(values);
        agreement.iter().enumerate().skip(1).find_map(|(p, &agree)| {
            let period = Period { preperiod: heaps - p as u64 - agree as u64 + 1, period: p as u64 };
            (bound.heaps(&period)? <= heaps).then_some(period)
        })
    }
}

/// What [`Period::heaps_needed`] asks of the rules. All digits are looked at for it: once for all periods that are tried.
struct Bound {
    parts: u64,
    last_index: u64,
    unequal: bool,
}

impl Bound {
    fn of(rules: &Rules) -> Option<Bound> {
        let last_index = rules.last_index()?;
        let parts = u64::from(rules.max_parts().max(2));
        Some(Bound { parts, last_index, unequal: rules.split() == Split::Unequal })
    }

    fn heaps(&self, period: &Period) -> Option<u64> {
        let reach = period.preperiod.checked_add(period.period)?.checked_mul(self.parts)?;
        let grundy = if self.unequal { period.period } else { 0 };
        (reach - 1).checked_add(self.last_index)?.checked_add(grundy)
    }
}

/// For every shift p: how many values at the end equal those p places before them, without a gap (the Z-function of
/// the values read backwards).
fn backward_agreement<T: Eq>(values: &[T]) -> Vec<usize> {
    let n = values.len();
    let at = |i: usize| &values[n - 1 - i];
    let mut z = vec![n; n];
    let (mut left, mut right) = (0, 0);
    for i in 1..n {
        let mut len = if i < right { z[i - left].min(right - i) } else { 0 };
        while i + len < n && at(len) == at(i + len) {
            len += 1;
        }
        z[i] = len;
        if i + len > right {
            (left, right) = (i, i + len);
        }
    }
    z
}

/// When to look for a period: the work of looking is linear, so it is done at heaps that grow by a sixteenth.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Schedule {
    next: usize,
}

impl Schedule {
    /// Whether to look now that `heaps` values are known.
    pub(super) fn due(&mut self, heaps: usize) -> bool {
        let due = heaps >= self.next;
        if due {
            self.next = heaps + heaps / 16 + 1;
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_by_the_definition() {
        let mut x = 1u32;
        for n in 0..60 {
            let values: Vec<u32> = (0..n)
                .map(|_| {
                    x = x.wrapping_mul(1_103_515_245).wrapping_add(12345);
                    x >> 30 & 1
                })
                .collect();
            for (p, &agree) in backward_agreement(&values).iter().enumerate() {
                let by_definition = (0..n - p).take_while(|&i| values[n - 1 - i] == values[n - 1 - i - p]).count();
                assert_eq!(agree, by_definition);
            }
        }
    }

    #[test]
    fn one_heap_too_few_proves_nothing() {
        let kayles: Rules = "0.77".parse().unwrap();
        let wanted = Period { preperiod: 71, period: 12 };
        assert_eq!(wanted.heaps_needed(&kayles), Some(167));
        let values: Vec<u64> = (1..=167).map(|n| if n < 71 { 1000 + n } else { n % 12 }).collect();
        assert_eq!(Period::proven(&kayles, &values), Some(wanted));
        assert_eq!(Period::proven(&kayles, &values[..166]), None);
    }
}
