//! Positions rewritten by equalities that hold in misère play whatever is added to both sides.
//!
//! Heaps with the same options are equal; *1 + *1 = 0; *k + *1 = *(k ^ 1); a game whose options are all nim-heaps,
//! 0 or *1 among them, is the nim-heap of their mex (Conway, "On Numbers and Games", chapter 12). What is left
//! of a heap is a sum of *atoms*: *1, nim-heaps of even size, and heaps that equal nothing simpler.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::Rules;

use super::budget::{Budget, OutOfTime};
use super::solve::Halt;

/// A sum of atoms, in increasing order; *1 occurs at most once.
pub(super) type Sum = Box<[u16]>;

/// The atom *1: the first, since the smallest heap that has options has none but 0.
const STAR: u16 = 0;

/// The most options of atoms that are kept: they take some hundred megabytes.
const MAX_OPTIONS: usize = 1 << 22;

/// Different options, in increasing order.
type Options = Rc<[Sum]>;

/// An atom.
#[derive(Debug)]
pub(super) struct Atom {
    pub(super) options: Options,
    /// The smallest heap that equals this atom.
    pub(super) heap: usize,
}

/// The atoms of heaps 1 to n, and every heap as a sum of atoms.
#[derive(Debug)]
pub(super) struct Atoms {
    atoms: Vec<Atom>,
    /// Heaps 0, 1, ...
    heaps: Vec<Sum>,
    /// The nim-heaps *0, *1, ... that are known, and their sizes.
    stars: Vec<Sum>,
    sizes: HashMap<Sum, u32>,
    by_options: HashMap<Options, Sum>,
    /// How many options of atoms there are.
    kept: usize,
}

impl Atoms {
    /// # Errors
    /// Time runs out, or there are more options than fit the memory.
    pub(super) fn new(rules: &Rules, to: usize, budget: &Budget) -> Result<Atoms, Halt> {
        let empty = Sum::default();
        let mut atoms = Atoms {
            atoms: Vec::new(),
            heaps: vec![empty.clone()],
            stars: vec![empty.clone()],
            sizes: HashMap::from([(empty, 0)]),
            by_options: HashMap::new(),
            kept: 0,
        };
        for heap in 1..=to {
            budget.check_time().map_err(|OutOfTime| Halt::Time)?;
            let options = rules.moves(heap as u64).map(|m| atoms.sum(m.parts.iter().map(|&part| part as usize)));
            let sum = atoms.rewrite(heap, sorted(options.collect()));
            atoms.heaps.push(sum);
            if atoms.kept > MAX_OPTIONS {
                return Err(Halt::Exhausted);
            }
        }
        Ok(atoms)
    }

    pub(super) fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// A position in heaps as a sum of atoms.
    pub(super) fn sum(&self, heaps: impl IntoIterator<Item = usize>) -> Sum {
        heaps.into_iter().fold(Sum::default(), |sum, heap| add(&sum, &self.heaps[heap]))
    }

    fn rewrite(&mut self, heap: usize, options: Options) -> Sum {
        if options.is_empty() {
            return Sum::default();
        }
        let sizes: Option<BTreeSet<u32>> = options.iter().map(|o| self.sizes.get(o).copied()).collect();
        match sizes {
            Some(sizes) if sizes.range(..2).next().is_some() => {
                let mex = (0..).find(|x| !sizes.contains(x)).expect("a finite set misses a number");
                self.star(mex as usize, heap)
            }
            _ => match self.by_options.get(&options) {
                Some(sum) => sum.clone(),
                None => self.atom(heap, options),
            },
        }
    }

    /// The nim-heap of a size that `heap` equals. All smaller ones are known: they are among the heap's options.
    fn star(&mut self, size: usize, heap: usize) -> Sum {
        if size == self.stars.len() {
            let sum = match size % 2 {
                1 if size > 1 => add(&self.stars[size - 1], &[STAR]),
                _ => self.push(Atom { options: self.stars.clone().into(), heap }),
            };
            self.sizes.insert(sum.clone(), size as u32);
            self.stars.push(sum);
        }
        self.stars[size].clone()
    }

    /// A new atom, and what it is with *1 added.
    fn atom(&mut self, heap: usize, options: Options) -> Sum {
        let sum = self.push(Atom { options: Rc::clone(&options), heap });
        let with_star = options.iter().map(|option| add(option, &[STAR])).chain([sum.clone()]);
        self.by_options.insert(sorted(with_star.collect()), add(&sum, &[STAR]));
        self.by_options.insert(options, sum.clone());
        sum
    }

    fn push(&mut self, atom: Atom) -> Sum {
        self.kept += atom.options.len();
        self.atoms.push(atom);
        Sum::from([self.atoms.len() as u16 - 1])
    }
}

fn sorted(mut options: Vec<Sum>) -> Options {
    options.sort_unstable();
    options.dedup();
    options.into()
}

/// The sum of two sums.
pub(super) fn add(a: &[u16], b: &[u16]) -> Sum {
    let mut sum = [a, b].concat();
    sum.sort_unstable();
    if sum.starts_with(&[STAR, STAR]) {
        sum.drain(..2);
    }
    sum.into()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Outcomes by the definition.
    fn is_p(rules: &Rules, heaps: &[u64], known: &mut HashMap<Vec<u64>, bool>) -> bool {
        if let Some(&outcome) = known.get(heaps) {
            return outcome;
        }
        let mut options = Vec::new();
        for (i, &heap) in heaps.iter().enumerate() {
            options.extend(rules.moves(heap).map(|m| {
                let mut option = [&heaps[..i], &heaps[i + 1..], &m.parts].concat();
                option.sort_unstable();
                option
            }));
        }
        let lost = !options.is_empty() && !options.iter().any(|option| is_p(rules, option, known));
        known.insert(heaps.to_vec(), lost);
        lost
    }

    #[test]
    fn time_is_asked_for() {
        let atoms = |budget| Atoms::new(&"0.77".parse().unwrap(), 9, &budget);
        assert_eq!(atoms(Budget::new(Duration::ZERO)).err(), Some(Halt::Time));
        assert!(atoms(Budget::of_steps(0)).is_ok());
    }

    /// Positions with one sum of atoms have one outcome.
    #[test]
    fn rewriting_keeps_outcomes() {
        for game in ["0.77", "0.07", "0.31", "0.123", "4.7", "0.56", "grundys-game", "0.8", "nim", "sub{2,3}"] {
            let rules: Rules = game.parse().unwrap();
            let atoms = Atoms::new(&rules, 9, &Budget::of_steps(0)).unwrap();
            let (mut known, mut outcomes) = (HashMap::new(), HashMap::new());
            let mut equal = 0;
            let heaps = || (0..=9u64).flat_map(|a| (a..=9).flat_map(move |b| (b..=9).map(move |c| [a, b, c])));
            for position in heaps() {
                let heaps: Vec<u64> = position.into_iter().filter(|&h| h > 0).collect();
                let outcome = is_p(&rules, &heaps, &mut known);
                let before = outcomes.insert(atoms.sum(heaps.iter().map(|&h| h as usize)), outcome);
                assert_eq!(before.unwrap_or(outcome), outcome, "{game}, {heaps:?}");
                equal += usize::from(before.is_some());
            }
            assert!(equal > 0, "{game}: no two positions were found equal");
        }
    }
}
