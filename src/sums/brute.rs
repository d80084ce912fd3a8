//! Misère play by brute force, memoised on multisets of positions: nothing adds up there as nim-values do, so the whole
//! sum is searched.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::{Game, Outcome, SumError};

/// For each position that may be held, so many moves of single components may be: they take memory too.
const MOVES_A_POSITION: usize = 8;

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
    pieces: Pieces<G>,
    /// Whether a multiset is a P-position; `None` while it is on the way from the start to the position in hand.
    memo: HashMap<Multiset, Option<bool>>,
    limit: usize,
    since: Instant,
    patience: Duration,
}

/// The positions of single components met so far, numbered.
struct Pieces<G: Game> {
    game: G,
    numbers: HashMap<G::Position, u32>,
    positions: Vec<G::Position>,
    /// The options of each, once they have been asked for.
    options: Vec<Option<Vec<Multiset>>>,
    /// How many options are held.
    held: usize,
}

/// A sum on the way, and the component and the option of it to look at next.
struct Frame {
    sum: Multiset,
    component: usize,
    option: usize,
}

impl<G: Game> MisereSolver<G> {
    /// A solver that holds at most `limit` different positions, and eight times as many moves of single components.
    pub fn new(game: G, limit: usize) -> MisereSolver<G> {
        let pieces = Pieces { game, numbers: HashMap::new(), positions: Vec::new(), options: Vec::new(), held: 0 };
        MisereSolver { pieces, memo: HashMap::new(), limit, since: Instant::now(), patience: Duration::MAX }
    }

    /// The same, giving up at about this time from now.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> MisereSolver<G> {
        MisereSolver { since: Instant::now(), patience, ..self }
    }

    /// Who wins the sum of these positions. A sum without moves is N: the player to move has won.
    ///
    /// # Errors
    /// [`SumError::TooManyPositions`] at the limit, [`SumError::TookTooLong`] once the time is over, and
    /// [`SumError::Endless`] if play need not end.
    pub fn outcome(&mut self, sum: &[G::Position]) -> Result<Outcome, SumError> {
        let counted: Vec<(G::Position, u32)> = sum.iter().map(|position| (position.clone(), 1)).collect();
        self.outcome_of(&counted)
    }

    /// The same with a number of equal positions behind each.
    ///
    /// # Errors
    /// As for [`MisereSolver::outcome`].
    pub fn outcome_of(&mut self, sum: &[(G::Position, u32)]) -> Result<Outcome, SumError> {
        let start = self.pieces.multiset(sum.iter().cloned());
        let mut path = Vec::new();
        let is_p = match self.memo.get(&start) {
            Some(&Some(known)) => Ok(known),
            _ => self.search(start, &mut path),
        };
        // After an error, what was on the way is not known.
        for frame in path {
            self.memo.remove(&frame.sum);
        }
        Ok(if is_p? { Outcome::P } else { Outcome::N })
    }

    /// Whether `start`, which is not known, is a P-position. The path is the stack, so that plays may be long.
    fn search(&mut self, start: Multiset, path: &mut Vec<Frame>) -> Result<bool, SumError> {
        self.open(start, path)?;
        loop {
            let frame = path.last_mut().expect("the start is taken off last");
            let is_p = match self.pieces.next_option(frame) {
                // Every option is N; without one, whoever is to move has won.
                None => !frame.sum.is_empty(),
                Some(option) => match self.memo.get(&option) {
                    Some(&Some(true)) => false,
                    Some(&Some(false)) => {
                        frame.option += 1;
                        continue;
                    }
                    Some(None) => return Err(SumError::Endless(self.pieces.show(&option))),
                    None => {
                        self.open(option, path)?;
                        continue;
                    }
                },
            };
            let done = path.pop().expect("the frame in hand").sum;
            self.memo.insert(done, Some(is_p));
            if path.is_empty() {
                return Ok(is_p);
            }
        }
    }

    fn open(&mut self, sum: Multiset, path: &mut Vec<Frame>) -> Result<(), SumError> {
        if self.memo.len() >= self.limit || self.pieces.held > self.limit.saturating_mul(MOVES_A_POSITION) {
            return Err(SumError::TooManyPositions { limit: self.limit, cure: String::new() });
        }
        if self.since.elapsed() > self.patience {
            return Err(SumError::TookTooLong { patience: self.patience, cure: String::new() });
        }
        self.memo.insert(sum.clone(), None);
        path.push(Frame { sum, component: 0, option: 0 });
        Ok(())
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

    /// The option that the frame is at, made anew: all options of all sums on the way would not fit the memory.
    fn next_option(&mut self, frame: &mut Frame) -> Option<Multiset> {
        while let Some(&(piece, _)) = frame.sum.get(frame.component) {
            self.know_options(piece);
            let options = self.options[piece as usize].as_ref().expect("just computed");
            if let Some(option) = options.get(frame.option) {
                let mut after = frame.sum.clone();
                change(&mut after, piece, -1);
                option.iter().for_each(|&(part, count)| change(&mut after, part, count.into()));
                return Some(after);
            }
            (frame.component, frame.option) = (frame.component + 1, 0);
        }
        None
    }

    fn know_options(&mut self, piece: u32) {
        if self.options[piece as usize].is_none() {
            let options = self.game.options(&self.positions[piece as usize]);
            let counted = options.into_iter().map(|parts| self.multiset(parts.into_iter().map(|part| (part, 1))));
            let counted: Vec<Multiset> = counted.collect();
            self.held += counted.len();
            self.options[piece as usize] = Some(counted);
        }
    }

    fn show(&self, sum: &Multiset) -> String {
        let parts = sum.iter().map(|&(piece, count)| format!("{count}*{:?}", self.positions[piece as usize]));
        parts.collect::<Vec<_>>().join(" + ")
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
