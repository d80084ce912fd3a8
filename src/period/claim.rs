//! A published period, to be checked.

use std::fmt;

use serde::Serialize;

use super::Filler;

/// The claim that `g(n + period) = g(n) + saltus` for all `n >= preperiod`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The claimed period.
    pub period: u64,
    /// The first heap of the claim.
    pub preperiod: u64,
    /// What is added with every period.
    pub saltus: u64,
}

impl Claim {
    /// The first heap from `from` on that refutes the claim, when heaps below `known` have values.
    pub fn refuted_below(&self, known: u64, from: u64, value: impl Fn(u64) -> Option<u64>) -> Option<u64> {
        let end = known.saturating_sub(self.period);
        (from.max(self.preperiod)..end).find(|&n| self.fails(n, &value))
    }

    /// A heap that refutes the claim, once a period is proven: `None` means that the claim is true.
    ///
    /// If the claim holds for one full proven period from the later of the two preperiods on, it holds for ever:
    /// both sides grow by the proven saltus from one period to the next.
    pub fn refuted_by(&self, filler: &Filler) -> Option<u64> {
        let start = self.preperiod.max(filler.period().preperiod);
        let end = start.saturating_add(filler.period().period);
        (self.preperiod..end).find(|&n| self.fails(n, &|n| filler.value(n)))
    }

    fn fails(&self, n: u64, value: &impl Fn(u64) -> Option<u64>) -> bool {
        let later = n.checked_add(self.period).and_then(value);
        later != value(n).and_then(|v| v.checked_add(self.saltus))
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let saltus = if self.saltus > 0 { format!(" + {}", self.saltus) } else { String::new() };
        write!(f, "g(n + {}) = g(n){saltus} for all n >= {}", self.period, self.preperiod)
    }
}
