//! Misère play by brute force, memoised on multisets of positions: nothing adds up there as nim-values do, so the whole
//! sum is searched.

use std::cell::RefCell;
use std::collections::HashMap;

use super::memo::{Memo, Options};
use super::{Game, Outcome, SumError};

/// A multiset of components: their numbers, ascending, and how often each is there. Components that nobody can move
/// are left out.
type Multiset = Vec<(u32, u32)>;

/// Misère outcomes of sums of positions of one game: whoever cannot move wins.
///
/// ```
/// use sprague::sums::{Game, MisereSolver, Outcome};
/// struct Nim;
/// impl Game for Nim {
///     type Position = u32;
///     fn options(&self, &heap: &u32) -> Vec<Vec<u32>> {
///         (0..heap).map(|rest| vec![rest]).collect()
///     }
/// }
/// let mut solver = MisereSolver::new(Nim, 100_000);
/// assert_eq!(solver.outcome(&[1, 1, 1])?, Outcome::P);
/// assert_eq!(solver.outcome(&[1, 2, 3])?, Outcome::P);
/// assert_eq!(solver.outcome(&[])?, Outcome::N);
/// # Ok::<(), sprague::sums::SumError>(())
/// ```
pub struct MisereSolver<G: Game> {
    pieces: RefCell<Pieces<G>>,
    /// Whether a multiset is a P-position.
    memo: Memo<Multiset, bool>,
}

/// The positions of single components met so far, numbered.
struct Pieces<G: Game> {
    game: G,
    numbers: HashMap<G::Position, u32>,
    positions: Vec<G::Position>,
    /// The options of each, once they have been asked for.
    options: Vec<Option<Vec<Multiset>>>,
}

impl<G: Game> MisereSolver<G> {
    /// A solver that holds at most `limit` positions.
    pub fn new(game: G, limit: usize) -> MisereSolver<G> {
        let pieces = Pieces { game, numbers: HashMap::new(), positions: Vec::new(), options: Vec::new() };
        MisereSolver { pieces: RefCell::new(pieces), memo: Memo::new(limit) }
    }

    /// Who wins the sum of these positions. A sum without moves is N: the player to move has won.
    ///
    /// # Errors
    /// [`SumError::TooManyPositions`] at the limit, [`SumError::Endless`] if play need not end.
    pub fn outcome(&mut self, sum: &[G::Position]) -> Result<Outcome, SumError> {
        let counted: Vec<(G::Position, u32)> = sum.iter().map(|position| (position.clone(), 1)).collect();
        self.outcome_of(&counted)
    }

    /// The same with a number of equal positions behind each.
    ///
    /// # Errors
    /// As for [`MisereSolver::outcome`].
    pub fn outcome_of(&mut self, sum: &[(G::Position, u32)]) -> Result<Outcome, SumError> {
        let start = self.pieces.get_mut().multiset(sum.iter().cloned());
        let pieces = &self.pieces;
        let is_p = self.memo.evaluate(
            &start,
            |sum| pieces.borrow_mut().options_of_sum(sum),
            |option_is_p| option_is_p,
            |options, is_p| !options.is_empty() && options.iter().flatten().all(|option| is_p(option) == Some(false)),
        );
        Ok(if is_p? { Outcome::P } else { Outcome::N })
    }
}

impl<G: Game> Pieces<G> {
    fn multiset(&mut self, positions: impl IntoIterator<Item = (G::Position, u32)>) -> Multiset {
        let mut sum = Multiset::new();
        for (position, count) in positions {
            if count > 0 && !self.game.is_over(&position) {
                change(&mut sum, self.number(position), count as i64);
            }
        }
        sum
    }

    fn number(&mut self, position: G::Position) -> u32 {
        *self.numbers.entry(position).or_insert_with_key(|position| {
            self.positions.push(position.clone());
            self.options.push(None);
            self.positions.len() as u32 - 1
        })
    }

    fn options_of_sum(&mut self, sum: &Multiset) -> Options<Multiset> {
        let mut all: Vec<Multiset> = Vec::new();
        for &(piece, _) in sum {
            self.know_options(piece);
            let options = self.options[piece as usize].as_ref().expect("just computed");
            all.extend(options.iter().map(|option| {
                let mut after = sum.clone();
                change(&mut after, piece, -1);
                option.iter().for_each(|&(part, count)| change(&mut after, part, count.into()));
                after
            }));
        }
        all.into_iter().map(|option| vec![option]).collect()
    }

    fn know_options(&mut self, piece: u32) {
        if self.options[piece as usize].is_none() {
            let options = self.game.options(&self.positions[piece as usize]);
            let counted = options.into_iter().map(|parts| self.multiset(parts.into_iter().map(|part| (part, 1))));
            self.options[piece as usize] = Some(counted.collect());
        }
    }
}

/// Adds `by` copies of a component, or takes them away.
fn change(sum: &mut Multiset, piece: u32, by: i64) {
    let count = |old: u32| u32::try_from(i64::from(old) + by).expect("components are counted in 32 bits");
    match sum.binary_search_by_key(&piece, |&(piece, _)| piece) {
        Err(at) => sum.insert(at, (piece, count(0))),
        Ok(at) => match count(sum[at].1) {
            0 => drop(sum.remove(at)),
            left => sum[at].1 = left,
        },
    }
}
