//! Finite commutative monoids with a set of P-positions, as the finder sees them.

use std::collections::HashMap;

use super::bits::BitSet;

/// The most elements that a quotient is found with: its multiplication table then takes 128 MiB.
pub const MAX_ORDER: usize = 8192;

/// A finite commutative monoid with a subset P. Element 0 is the identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Monoid {
    order: usize,
    /// `mul[x * order + y]` is `xy`.
    mul: Vec<u16>,
    p: BitSet,
    /// `wins[x]`: all z with xz in P.
    wins: Vec<BitSet>,
}

impl Monoid {
    /// The monoid that is generated from element 0 by commuting actions: `actions[g][x]` is x times generator g.
    ///
    /// # Panics
    /// If an element cannot be reached.
    pub(super) fn from_actions(actions: &[Vec<u16>], p: BitSet) -> Monoid {
        let order = actions.first().map_or(1, Vec::len);
        let mut columns: Vec<Option<Vec<u16>>> = vec![None; order];
        columns[0] = Some((0..order as u16).collect());
        let mut queue = vec![0];
        while let Some(x) = queue.pop() {
            for action in actions {
                let y = action[x] as usize;
                if columns[y].is_none() {
                    let column = columns[x].as_ref().expect("queued elements have their column");
                    columns[y] = Some(column.iter().map(|&z| action[z as usize]).collect());
                    queue.push(y);
                }
            }
        }
        let mul = columns.into_iter().flat_map(|c| c.expect("every element is reached")).collect();
        Monoid::new(order, mul, p)
    }

    fn new(order: usize, mul: Vec<u16>, p: BitSet) -> Monoid {
        let wins = mul
            .chunks(order)
            .map(|row| BitSet::from_elements(order, (0..order).filter(|&z| p.contains(row[z] as usize))))
            .collect();
        Monoid { order, mul, p, wins }
    }

    pub(super) fn order(&self) -> usize {
        self.order
    }

    pub(super) fn p(&self) -> &BitSet {
        &self.p
    }

    /// All z with xz in P.
    pub(super) fn wins(&self, x: u16) -> &BitSet {
        &self.wins[x as usize]
    }

    pub(super) fn product(&self, x: u16, y: u16) -> u16 {
        self.mul[x as usize * self.order + y as usize]
    }

    /// The products of x with all elements.
    pub(super) fn row(&self, x: u16) -> &[u16] {
        &self.mul[x as usize * self.order..][..self.order]
    }

    /// Adds x times every element of `set` to `into`.
    pub(super) fn multiply_into(&self, x: u16, set: &BitSet, into: &mut BitSet) {
        let row = self.row(x);
        set.iter().for_each(|y| into.insert(row[y] as usize));
    }

    /// The least i with x^i = x^(i + p) for some p >= 1, and the least such p.
    pub(super) fn index_and_period(&self, x: u16) -> (usize, usize) {
        let mut seen = HashMap::new();
        let mut power = 0;
        for exponent in 0.. {
            if let Some(index) = seen.insert(power, exponent) {
                return (index, exponent - index);
            }
            power = self.product(power, x);
        }
        unreachable!("powers in a finite monoid repeat")
    }

    /// The same monoid with its elements numbered in the order in which products with `letters` first reach
    /// them, and the new number of each element. Two monoids are isomorphic over their letters just when these agree.
    pub(super) fn canonical(&self, letters: &[u16]) -> (Monoid, Vec<u16>) {
        let mut number = vec![u16::MAX; self.order];
        let mut elements = vec![0u16];
        number[0] = 0;
        for at in 0..self.order {
            let x = *elements.get(at).expect("the letters generate the monoid");
            for &letter in letters {
                let y = self.product(x, letter);
                if number[y as usize] == u16::MAX {
                    number[y as usize] = elements.len() as u16;
                    elements.push(y);
                }
            }
        }
        let mul = elements.iter().flat_map(|&x| elements.iter().map(move |&y| (x, y)));
        let mul = mul.map(|(x, y)| number[self.product(x, y) as usize]).collect();
        let p = BitSet::from_elements(self.order, self.p.iter().map(|x| number[x] as usize));
        (Monoid::new(self.order, mul, p), number)
    }
}
