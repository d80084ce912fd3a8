//! True outcomes by search, and the quotient that is learned from them.

use std::collections::HashMap;

use crate::Rules;

use super::atoms::{Atoms, Sum, add};
use super::budget::{Budget, OutOfTime};
use super::chain::Stop;
use super::guess::Found;
use super::learn::{Learner, Letter};
use super::monoid::{MAX_ORDER, Monoid};
use super::solve::Halt;
use super::trial::Hypothesis;
use super::words::{LightWords, light_letters, weight};

/// How many options are formed between two looks at the clock.
const CLOCK: usize = 1 << 15;
/// Forming an option and looking it up takes as long as so many products.
const STEPS_AN_OPTION: usize = 16;

/// Decides positions in heaps 1 to n + 1 by a search that ends where heap n + 1 is gone and the quotient of the
/// smaller heaps knows the outcome.
pub(super) struct Search<'a> {
    atoms: &'a Atoms,
    monoid: &'a Monoid,
    /// The value of every atom; heap n + 1 has none.
    values: Vec<Option<u16>>,
    /// Positions with heap n + 1 that were decided: whether they are P-positions.
    decided: HashMap<Sum, bool>,
    /// Options formed since the last look at the clock.
    formed: usize,
    budget: Budget,
}

impl<'a> Search<'a> {
    fn new(atoms: &'a Atoms, monoid: &'a Monoid, phi: &'a [u16], budget: Budget) -> Search<'a> {
        let values = atoms.atoms().iter().map(|atom| phi.get(atom.heap).copied()).collect();
        Search { atoms, monoid, values, decided: HashMap::new(), formed: 0, budget }
    }

    /// Notes steps of work, and tells whether there is time left.
    pub(super) fn spend(&self, steps: usize) -> Result<(), OutOfTime> {
        self.budget.spend(steps)
    }

    /// Whether there is time left, for work that does not count as steps.
    pub(super) fn check_time(&self) -> Result<(), OutOfTime> {
        self.budget.check_time()
    }

    /// Whether this is a P-position.
    pub(super) fn is_p(&mut self, position: &[u16]) -> Result<bool, OutOfTime> {
        if let Some(known) = self.known(position) {
            return Ok(known);
        }
        let options = self.options(position);
        self.formed += options.len();
        if self.formed >= CLOCK {
            self.budget.spend(STEPS_AN_OPTION * std::mem::take(&mut self.formed))?;
        }
        // Options that need no search come first.
        let lost = !options.iter().any(|option| self.known(option) == Some(true));
        let lost = lost && self.none_is_p(&options)?;
        self.decided.insert(position.into(), lost);
        Ok(lost)
    }

    fn none_is_p(&mut self, options: &[Sum]) -> Result<bool, OutOfTime> {
        for option in options {
            if self.is_p(option)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn known(&self, position: &[u16]) -> Option<bool> {
        let value = position.iter().try_fold(0, |x, &atom| Some(self.monoid.product(x, self.values[atom as usize]?)));
        match value {
            Some(value) => Some(self.monoid.p().contains(value as usize)),
            None => self.decided.get(position).copied(),
        }
    }

    /// The options of a position that has heap n + 1 in it, and so at least one.
    fn options(&self, position: &[u16]) -> Vec<Sum> {
        let mut options = Vec::new();
        for (i, &atom) in position.iter().enumerate().filter(|&(i, atom)| i == 0 || position[i - 1] != *atom) {
            let rest = [&position[..i], &position[i + 1..]].concat();
            options.extend(self.atoms.atoms()[atom as usize].options.iter().map(|option| add(&rest, option)));
        }
        options
    }
}

/// A quotient was not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotFound {
    /// The number of elements that it was seen to have at least.
    pub(super) lower_bound: usize,
    pub(super) halt: Halt,
}

/// Looks for the quotient of heaps 1 to `phi.len()` as [`super::guess::find`] does, from true outcomes.
///
/// # Errors
/// [`NotFound`]: the budget ends, or the quotient or the positions of the search are too many.
pub(super) fn find(rules: &Rules, monoid: &Monoid, phi: &[u16], budget: &Budget) -> Result<Found, NotFound> {
    let to = phi.len();
    let atoms = Atoms::new(rules, to, budget).map_err(|halt| NotFound { lower_bound: 1, halt })?;
    let light = LightWords::new(monoid, &light_letters(phi, |_| true));
    // The new heap, and the heaps whose value so far is not that of a lighter position.
    let generates = |heap: usize| heap == to || light.word(phi[heap]) == [heap];
    let letter = |heap| Letter { weight: weight(heap), generates: generates(heap) };
    let letters = atoms.atoms().iter().map(|atom| letter(atom.heap)).collect();
    let mut learner = Learner::new(letters, Search::new(&atoms, monoid, phi, budget.clone()));
    let found = learn(rules, &atoms, to, &mut learner, budget);
    found.map_err(|OutOfTime| {
        let lower_bound = learner.rows();
        NotFound { lower_bound, halt: if lower_bound > MAX_ORDER { Halt::Order } else { Halt::Time } }
    })
}

fn learn(rules: &Rules, atoms: &Atoms, to: usize, learner: &mut Learner, budget: &Budget) -> Result<Found, OutOfTime> {
    loop {
        let table = learner.close()?;
        let phi: Vec<u16> = (0..=to).map(|heap| table.value(&atoms.sum([heap]))).collect();
        let hypothesis = Hypothesis { monoid: table.monoid(), phi };
        match Found::verify(rules, hypothesis, budget) {
            Ok(found) => return Ok(found),
            Err((_, Stop::OutOfTime)) => return Err(OutOfTime),
            Err((_, Stop::Violation(word))) => learner.refute(&table, &positions(rules, atoms, &word))?,
        }
    }
}

/// A position and its options, one of which the hypothesis must have wrong.
fn positions(rules: &Rules, atoms: &Atoms, word: &[usize]) -> Vec<Sum> {
    let mut positions = vec![atoms.sum(word.iter().copied())];
    for (i, &heap) in word.iter().enumerate() {
        let rest = atoms.sum(word.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &h)| h));
        for m in rules.moves(heap as u64) {
            positions.push(add(&rest, &atoms.sum(m.parts.iter().map(|&part| part as usize))));
        }
    }
    positions
}
