//! The tame quotients.

use std::collections::HashMap;

use super::super::bits::BitSet;
use super::super::monoid::Monoid;
use super::super::solve::Change;
use super::values::Tame;

/// The order and the number of P-elements of a tame quotient: 1 and none, 2 and one, or 2^k + 2 and two, where the
/// nim-values of the heaps span 2^k nim-values.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    moves: bool,
    firm: bool,
    /// Independent nim-values, each with a leading bit of its own.
    basis: Vec<u32>,
}

impl Shape {
    pub(super) fn add(&mut self, value: Tame) {
        self.moves |= value != Tame::ZERO;
        self.firm |= value.is_firm();
        let rest = self.basis.iter().fold(value.normal(), |v, &b| v.min(v ^ b));
        if rest != 0 {
            self.basis.push(rest);
        }
    }

    pub(super) fn order(&self) -> usize {
        match (self.firm, self.moves) {
            (true, _) => (1 << self.basis.len()) + 2,
            (false, moves) => 1 + usize::from(moves),
        }
    }

    pub(super) fn p_count(&self) -> usize {
        usize::from(self.moves) + usize::from(self.firm)
    }
}

/// The tame quotient of heaps with these values (of heaps 1, 2, ...), and Φ of heaps 0, 1, 2, ... in it.
pub(in crate::misere) fn quotient(values: &[Tame]) -> (Monoid, Vec<u16>) {
    let mut letters: Vec<Tame> = Vec::new();
    values.iter().for_each(|v| {
        if !letters.contains(v) {
            letters.push(*v);
        }
    });
    let mut numbers = HashMap::from([(Tame::ZERO, 0u16)]);
    let mut elements = vec![Tame::ZERO];
    let mut actions = vec![Vec::new(); letters.len()];
    let mut at = 0;
    while let Some(&element) = elements.get(at) {
        for (letter, action) in letters.iter().zip(&mut actions) {
            let product = element.sum(*letter);
            let number = *numbers.entry(product).or_insert_with(|| {
                elements.push(product);
                elements.len() as u16 - 1
            });
            action.push(number);
        }
        at += 1;
    }
    let p = (0..elements.len()).filter(|&i| elements[i].misere() == 0);
    let monoid = Monoid::from_actions(&actions, BitSet::from_elements(elements.len(), p));
    let phi = std::iter::once(0).chain(values.iter().map(|value| numbers[value])).collect();
    (monoid, phi)
}

/// The heaps with which the tame quotient of heaps with these values (of heaps 1, 2, ...) grows.
pub(in crate::misere) fn changes(values: &[Tame]) -> Vec<Change> {
    let mut shape = Shape::default();
    let mut changes = Vec::new();
    for (heap, &value) in (1..).zip(values) {
        let before = shape.order();
        shape.add(value);
        if shape.order() > before {
            changes.push(Change { heap, order: shape.order(), p_count: shape.p_count() });
        }
    }
    changes
}
