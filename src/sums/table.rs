//! The values of all heaps of a game, from a table of the first ones and a proven period.

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::rules::{LEAVE_ONE, LEAVE_TWO, Rules, Split, TAKE_ALL};
use crate::values::Values;

/// A proven period: `g(n + period) = g(n) + saltus` for all `n >= preperiod`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first heap from which the values repeat.
    pub preperiod: u64,
    /// After how many heaps, at least 1.
    pub period: u64,
    /// How much they grow each time: 0 for plain periodicity.
    pub saltus: u64,
}

/// The values of heaps `0..values.len()`, and of all heaps if there is a period.
#[derive(Clone, Debug)]
pub struct Table {
    values: Values,
    period: Option<Period>,
}

impl Table {
    /// A table of the values of heaps 0, 1, 2, ... and what is proven about those that follow.
    ///
    /// # Panics
    /// If the values do not reach to the end of the first period.
    pub fn new(values: Values, period: Option<Period>) -> Table {
        if let Some(p) = period {
            assert!(p.period > 0 && p.preperiod + p.period <= values.len() as u64, "the first period is in the table");
        }
        Table { values, period }
    }

    /// The games whose values are known without computing any.
    ///
    /// - `sub{k+}`: `g(n) = floor(n / k)`, as a heap of `n` can be made any heap up to `n - k`; Nim (Bouton 1901) is `k = 1`.
    /// - `sub{1,...,k}`: `g(n) = n mod (k + 1)`.
    /// - Lasker's Nim: `g(4q + 1, 4q + 2, 4q + 3, 4q + 4) = 4q + 1, 4q + 2, 4q + 4, 4q + 3` (*Winning Ways*, ch. 4).
    pub fn closed_form(rules: &Rules) -> Option<Table> {
        let (prefix, tail) = (rules.prefix(), rules.tail());
        let (d0, taking) = (prefix[0], &prefix[1..]);
        const ANY: u8 = TAKE_ALL | LEAVE_ONE;
        let (values, preperiod, saltus): (Vec<u32>, u64, u64) = match (d0, tail) {
            _ if rules.split() != Split::Any => return None,
            (0, [ANY]) if taking.iter().all(|&d| d == 0) => (vec![0; prefix.len()], 0, 1),
            (0, []) if !taking.is_empty() && taking.iter().all(|&d| d == ANY) => {
                ((0..prefix.len() as u32).collect(), 0, 0)
            }
            (LEAVE_TWO, [ANY]) if taking.is_empty() => (vec![0, 1, 2, 4, 3], 1, 4),
            _ => return None,
        };
        let period = values.len() as u64 - preperiod;
        Some(Table::new(values.into_iter().collect(), Some(Period { preperiod, period, saltus })))
    }

    /// What is proven about all heaps.
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// How many heaps are in the table itself.
    pub fn len(&self) -> u64 {
        self.values.len() as u64
    }

    /// Whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a heap, `None` if it is neither in the table nor in a proven period.
    pub fn value(&self, heap: &BigUint) -> Option<BigUint> {
        match (heap.to_usize().filter(|&n| n < self.values.len()), self.period) {
            (Some(n), _) => Some(self.values.get(n).into()),
            (None, None) => None,
            (None, Some(p)) => {
                let past = heap - p.preperiod;
                let index = p.preperiod + (&past % p.period).to_u64().expect("a remainder is below its divisor");
                Some(past / p.period * p.saltus + self.values.get(index as usize))
            }
        }
    }

    /// The same without allocation.
    ///
    /// # Panics
    /// If the heap is neither in the table nor in a proven period.
    pub(super) fn small(&self, heap: u64) -> u128 {
        if heap < self.len() {
            return self.values.get(heap as usize).into();
        }
        let p = self.period.expect("callers ask for heaps that the table reaches");
        let past = heap - p.preperiod;
        let index = p.preperiod + past % p.period;
        u128::from(past / p.period) * u128::from(p.saltus) + u128::from(self.values.get(index as usize))
    }

    /// A number `s` with `g(s - a) = g(heap - a)` for all `a < preperiod + period`: the heap itself if it fits 64 bits,
    /// else the least such number. `None` for a large heap if the values grow.
    pub(super) fn shadow(&self, heap: &BigUint) -> Option<u64> {
        heap.to_u64().or_else(|| {
            let p = self.period.filter(|p| p.saltus == 0)?;
            let least = 2 * p.preperiod + p.period;
            Some(least + ((heap - least) % p.period).to_u64().expect("a remainder is below its divisor"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::naive;

    #[test]
    fn closed_forms_agree_with_the_definition() {
        for game in
            ["nim", "sub{1+}", "allbut{}", "sub{2+}", "sub{7+}", "sub{1}", "sub{1,2}", "sub{1,2,3,4,5,6,7}", "lasker"]
        {
            let rules: Rules = game.parse().unwrap();
            let table = Table::closed_form(&rules).expect(game);
            for (n, value) in naive::values(&rules, 150).into_iter().enumerate() {
                assert_eq!(table.value(&n.into()), Some(value.into()), "{game} {n}");
            }
        }
        for game in [
            "0.77",
            "sub{2,3}",
            "sub{1,3+}",
            "allbut{2}",
            "grundys-game",
            "couples-are-forever",
            "4.0",
            "0.0",
            "4.[2]",
            "4.3",
        ] {
            assert!(Table::closed_form(&game.parse().unwrap()).is_none(), "{game}");
        }
    }

    #[test]
    fn a_period_reaches_every_heap() {
        let kayles = naive::values(&"kayles".parse().unwrap(), 999);
        let period = Period { preperiod: 71, period: 12, saltus: 0 };
        let table = Table::new(kayles[..90].iter().copied().collect(), Some(period));
        for (n, &value) in kayles.iter().enumerate() {
            assert_eq!(table.value(&n.into()), Some(value.into()));
        }
        // 10^1000 is 4 modulo 12, as 76 is.
        assert_eq!(table.value(&BigUint::from(10u32).pow(1000)), Some(kayles[76].into()));
        let open = Table::new(kayles.iter().copied().collect(), None);
        assert_eq!((open.value(&999u32.into()).is_some(), open.value(&1000u32.into())), (true, None));
    }
}
