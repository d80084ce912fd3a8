//! From a proven match to the least period and the least preperiod.

use crate::values::Slice;

use super::{Match, Period, Theorem};

/// Whether `g(n + period) = g(n) + saltus` for all of `range`.
pub(super) fn holds(values: Slice<'_>, mut range: std::ops::Range<u64>, period: u64, saltus: u64) -> bool {
    range.all(|n| fits(values, n, period, saltus))
}

/// Whether heap `n + period` has the value that heap `n` says it has.
pub(super) fn fits(values: Slice<'_>, n: u64, period: u64, saltus: u64) -> bool {
    u64::from(values.get((n + period) as usize)) == u64::from(values.get(n as usize)) + saltus
}

/// The least `start` such that the match holds from there up to `from`.
pub(super) fn first_fit(values: Slice<'_>, from: u64, period: u64, saltus: u64) -> u64 {
    (0..from).rev().find(|&n| !fits(values, n, period, saltus)).map_or(0, |n| n + 1)
}

/// The least period and preperiod of a sequence for which `found` is proven.
///
/// The periods of an ultimately periodic sequence are the multiples of the least one. So dividing the period by
/// its prime factors, as long as the quotient is a period too, ends with the least; one full period of the proven
/// part is enough to see whether it is.
pub(super) fn least(found: &Match, theorem: Theorem, values: Slice<'_>) -> Period {
    let (mut period, mut saltus) = (found.period, found.saltus);
    for prime in prime_factors(found.period) {
        while period.is_multiple_of(prime)
            && saltus.is_multiple_of(prime)
            && holds(values, found.start..found.start + found.period - period / prime, period / prime, saltus / prime)
        {
            period /= prime;
            saltus /= prime;
        }
    }
    let preperiod = first_fit(values, found.start, period, saltus);
    Period { preperiod, period, saltus, theorem }
}

fn prime_factors(mut n: u64) -> Vec<u64> {
    let mut primes = Vec::new();
    let mut divisor = 2;
    while divisor * divisor <= n {
        if n.is_multiple_of(divisor) {
            primes.push(divisor);
            while n.is_multiple_of(divisor) {
                n /= divisor;
            }
        }
        divisor += 1;
    }
    primes.extend((n > 1).then_some(n));
    primes
}
