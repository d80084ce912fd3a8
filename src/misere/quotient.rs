//! Misère quotients that were verified.

use thiserror::Error;

use crate::Rules;

use super::monoid::Monoid;
use super::period::Period;
use super::words::light_letters;

/// The misère quotient of the positions of a game in heaps 1 to [`heaps`](Quotient::heaps), or of the whole game if a
/// [`period`](Quotient::period) is proven.
///
/// A position's value is the product of its heaps' values, and it is a P-position just when that is one of
/// [`p_elements`](Quotient::p_elements). Positions have one value just when no sum with a further position has
/// different outcomes. Elements are numbered canonically, the identity first: equal quotients are those that
/// are isomorphic with the values of the heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotient {
    rules: Rules,
    monoid: Monoid,
    /// The values of heaps 0, 1, ...
    phi: Vec<u16>,
    period: Option<Period>,
}

/// Who wins a position in misère play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The next player.
    N,
    /// The previous player: whoever moves next loses against good play.
    P,
}

/// A heap whose value in the quotient is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "heap {heap} is beyond the quotient, which is exact for heaps up to {heaps}: compute it further with --heaps {heap}"
)]
pub struct UnknownHeap {
    /// The heap.
    pub heap: u64,
    /// The largest heap of the quotient.
    pub heaps: u64,
}

impl Quotient {
    /// `phi`: the values of heaps 0, 1, ... in a reduced monoid that was verified with them.
    pub(super) fn new(rules: &Rules, monoid: &Monoid, phi: &[u16], period: Option<Period>) -> Quotient {
        let letters: Vec<u16> = light_letters(phi, |_| true).into_iter().map(|(_, value)| value).collect();
        let (monoid, number) = monoid.canonical(&letters);
        let phi = phi.iter().map(|&x| number[x as usize]).collect();
        Quotient { rules: rules.clone(), monoid, phi, period }
    }

    /// The game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The largest heap whose value was found by itself; those beyond it are known from the period, if there is one.
    pub fn heaps(&self) -> u64 {
        self.phi.len() as u64 - 1
    }

    /// The proven period of the pretending function: with it the quotient is that of the whole game.
    pub fn period(&self) -> Option<Period> {
        self.period
    }

    /// How many elements there are.
    pub fn order(&self) -> usize {
        self.monoid.order()
    }

    /// How many of them are values of P-positions.
    pub fn p_count(&self) -> usize {
        self.monoid.p().count()
    }

    /// The values of P-positions, least number first.
    pub fn p_elements(&self) -> impl Iterator<Item = u16> + '_ {
        self.monoid.p().iter().map(|x| x as u16)
    }

    /// Whether an element is a value of P-positions.
    ///
    /// # Panics
    /// If it is not below [`order`](Quotient::order).
    pub fn is_p_element(&self, x: u16) -> bool {
        assert!(usize::from(x) < self.order());
        self.monoid.p().contains(usize::from(x))
    }

    /// The product of two elements.
    ///
    /// # Panics
    /// If one of them is not below [`order`](Quotient::order).
    pub fn product(&self, x: u16, y: u16) -> u16 {
        self.monoid.product(x, y)
    }

    /// The pretending function Φ: the values of heaps 1 to [`heaps`](Quotient::heaps).
    pub fn pretending(&self) -> &[u16] {
        &self.phi[1..]
    }

    /// The value of a heap.
    ///
    /// # Errors
    /// [`UnknownHeap`] if the heap is too large and there is no period.
    pub fn value(&self, heap: u64) -> Result<u16, UnknownHeap> {
        let reduced = self.period.map_or(heap, |period| period.reduce(heap));
        let known = usize::try_from(reduced).ok().and_then(|n| self.phi.get(n));
        known.copied().ok_or(UnknownHeap { heap, heaps: self.heaps() })
    }

    /// Whether misère play is like misère Nim: the quotient is trivial, that of *1, or that of *1, *2, *4, ..., *2^(k-1)
    /// for some k >= 2: elements 1 and a with a^2 = 1, a group whose elements are their own inverses with
    /// identity z, and P = {a, z}.
    pub fn is_tame(&self) -> bool {
        match self.order() {
            1 => true,
            2 => self.p_elements().eq([1]) && self.product(1, 1) == 0,
            order => (0..order as u16).any(|z| self.is_tame_with_kernel(z)),
        }
    }

    /// Whether the structure is the tame one with z as the kernel's identity.
    fn is_tame_with_kernel(&self, z: u16) -> bool {
        let in_kernel = |&x: &u16| self.product(x, x) == z && self.product(x, z) == x;
        let outside: Vec<u16> = (0..self.order() as u16).filter(|x| !in_kernel(x)).collect();
        let [0, a] = outside[..] else { return false };
        self.product(a, a) == 0 && self.p_elements().eq([a.min(z), a.max(z)])
    }
}
