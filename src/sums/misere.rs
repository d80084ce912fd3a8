//! Misère play: whoever cannot move *wins*. Nim-values do not decide it; here are Bouton's rule for Nim, and brute
//! force for everything else while it is small.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive, Zero};

use super::position::{Kind, Piece, Position};
use super::{Found, Game, Label, MisereSolver, Move, Outcome, Step, SumError};

/// How many different positions brute force holds at most: some seconds' work, and some hundred megabytes.
pub const MAX_POSITIONS: usize = 500_000;

/// A position's outcome under misère play.
#[derive(Clone, Debug)]
pub struct Misere {
    /// Who wins. A position without moves is N: the player to move has won.
    pub outcome: Outcome,
    /// The winning moves, by component and then least first.
    pub moves: Found<Move>,
}

impl Position {
    /// Whether every component is a heap of Nim, so that Bouton's rule decides misère play.
    pub fn is_nim(&self) -> bool {
        self.games().iter().all(|game| match &game.kind {
            Kind::Heaps(rules) => rules.prefix() == [0] && rules.tail() == [3],
            _ => false,
        })
    }

    /// Who wins under misère play, and how: by Bouton's rule for Nim, else by brute force. The first `keep` winning moves
    /// are listed.
    ///
    /// # Errors
    /// [`SumError::TooManyPositions`] beyond [`MAX_POSITIONS`], [`SumError::TookTooLong`] beyond [`Position::patience`].
    pub fn misere(&self, keep: usize) -> Result<Misere, SumError> {
        if self.is_nim() {
            return Ok(self.bouton(keep));
        }
        self.brute_force(keep).map_err(|error| match error {
            SumError::TooManyPositions { .. } => self.too_many(),
            SumError::TookTooLong { patience, .. } => SumError::TookTooLong { patience, cure: self.cure() },
            other => other,
        })
    }

    /// Bouton (1901): play as in normal Nim until your move would leave heaps of one only; then leave an odd number of
    /// them.
    fn bouton(&self, keep: usize) -> Misere {
        let heaps = self.terms().iter().map(|term| match &term.piece {
            Piece::Heap(size) => (size, &term.count),
            _ => unreachable!("Nim is played with heaps"),
        });
        let all = heaps.clone().fold(Heaps::default(), |all, (size, count)| all.with(size, count));
        let mut moves = Found::new(keep);
        for (component, (size, _)) in heaps.enumerate() {
            let rest = all.clone().without(size);
            // Only these sizes can bring the nim-sum to 0 or leave an odd number of ones.
            let mut sizes = vec![BigUint::ZERO, BigUint::one(), rest.sum.clone()];
            sizes.sort_unstable();
            sizes.dedup();
            for to in sizes.into_iter().filter(|to| to < size && rest.clone().with(to, &BigUint::one()).is_p()) {
                let to = if to.is_zero() { vec![] } else { vec![Label::Number(to)] };
                moves.add(|| Move { component, step: Step { from: Label::Number(size.clone()), to } });
            }
        }
        Misere { outcome: if all.is_p() { Outcome::P } else { Outcome::N }, moves }
    }

    fn brute_force(&self, keep: usize) -> Result<Misere, SumError> {
        let mut solver = MisereSolver::new(Rulebook(self), MAX_POSITIONS).with_patience(self.patience());
        let sum = self.small_pieces()?;
        let outcome = solver.outcome_of(&sum)?;
        let mut moves = Found::new(keep);
        for (component, (piece, _)) in sum.iter().enumerate() {
            let mut steps = Vec::new();
            for (step, parts) in Rulebook(self).moves(piece) {
                let mut after = sum.clone();
                after[component].1 -= 1;
                after.extend(parts.into_iter().map(|part| (part, 1)));
                if solver.outcome_of(&after)? == Outcome::P {
                    steps.push(step);
                }
            }
            steps.sort_unstable();
            steps.dedup();
            steps.into_iter().for_each(|step| moves.add(|| Move { component, step }));
        }
        Ok(Misere { outcome, moves })
    }

    /// The components with their numbers, if the search can hold what they can become.
    fn small_pieces(&self) -> Result<Vec<(Component, u32)>, SumError> {
        let rulebook = Rulebook(self);
        let small = |term: &super::Term| {
            let piece = (term.game, term.piece.clone());
            if !rulebook.is_within_reach(&piece) {
                return None;
            }
            // Of a component that nobody can move one copy is as good as any number.
            let count = if rulebook.is_over(&piece) { Some(1) } else { term.count.to_u32() };
            Some((piece, count.filter(|&count| count as usize <= MAX_POSITIONS)?))
        };
        self.terms().iter().map(|term| small(term).ok_or_else(|| self.too_many())).collect()
    }

    fn too_many(&self) -> SumError {
        SumError::TooManyPositions { limit: MAX_POSITIONS, cure: self.cure() }
    }

    /// What to do instead of brute force, where there is something.
    fn cure(&self) -> String {
        match self.games() {
            [super::NamedGame { kind: Kind::Heaps(rules), .. }] => format!(
                "; `sprague misere {rules} --heaps N` says whether a longer --patience can help: it looks for the misère \
                 quotient, which decides every position of heaps up to N, or of all heaps if it is solved"
            ),
            _ => {
                "; only sums of heaps of one game have another way, so this position has to be made smaller".to_owned()
            }
        }
    }
}

/// What Bouton's rule needs to know of heaps of Nim.
#[derive(Clone, Default)]
struct Heaps {
    sum: BigUint,
    /// Whether the number of heaps of one is odd.
    odd_ones: bool,
    /// How many heaps have two or more.
    large: BigUint,
}

impl Heaps {
    fn with(mut self, size: &BigUint, count: &BigUint) -> Heaps {
        if count.bit(0) {
            self.toggle(size);
        }
        if *size > BigUint::one() {
            self.large += count;
        }
        self
    }

    fn without(mut self, size: &BigUint) -> Heaps {
        self.toggle(size);
        if *size > BigUint::one() {
            self.large -= 1u32;
        }
        self
    }

    fn toggle(&mut self, size: &BigUint) {
        self.sum ^= size;
        self.odd_ones ^= size.is_one();
    }

    fn is_p(&self) -> bool {
        if self.large.is_zero() { self.odd_ones } else { self.sum.is_zero() }
    }
}

/// A component: the index of its game, and its position there.
type Component = (usize, Piece);

/// The rules of all games of a position, as one game.
struct Rulebook<'a>(&'a Position);

impl Game for Rulebook<'_> {
    type Position = Component;

    fn options(&self, piece: &Component) -> Vec<Vec<Component>> {
        self.moves(piece).map(|(_, parts)| parts).collect()
    }

    fn is_over(&self, piece: &Component) -> bool {
        self.moves(piece).next().is_none()
    }
}

impl Rulebook<'_> {
    /// Whether the moves of a component alone stay within the limit.
    fn is_within_reach(&self, piece: &Component) -> bool {
        let cell_is_small = |cell: &BigUint| cell.to_u64().is_some();
        let can_be_listed = match (&piece.1, &self.0.games()[piece.0].kind) {
            // Under a repeating tail every number of tokens is tried, even if few can be taken.
            (Piece::Heap(size), Kind::Heaps(rules)) => {
                size.to_u64().is_some_and(|size| rules.tail().is_empty() || size <= MAX_POSITIONS as u64)
            }
            (Piece::Strip(strip), _) => strip.tokens().iter().all(cell_is_small),
            _ => true,
        };
        can_be_listed && self.moves(piece).nth(MAX_POSITIONS).is_none()
    }

    /// Every move of a component: how it is shown, and what it leaves.
    fn moves<'b>(&'b self, (game, piece): &'b Component) -> Box<dyn Iterator<Item = (Step, Vec<Component>)> + 'b> {
        let heap = |size: u64| BigUint::from(size);
        match (piece, &self.0.games()[*game].kind) {
            (Piece::Heap(size), Kind::Heaps(rules)) => {
                let tokens = size.to_u64().expect("larger heaps are out of reach");
                Box::new(rules.moves(tokens).map(move |m| {
                    let to = m.parts.iter().map(|&part| Label::Number(heap(part))).collect();
                    let parts = m.parts.iter().map(|&part| (*game, Piece::Heap(heap(part)))).collect();
                    (Step { from: Label::Number(size.clone()), to }, parts)
                }))
            }
            (Piece::Strip(strip), _) => Box::new(strip.moves().map(move |(from, to, after)| {
                let step = Step { from: Label::Number(from), to: vec![Label::Number(to)] };
                (step, vec![(*game, Piece::Strip(after))])
            })),
            (Piece::Vertex(vertex), Kind::Graph(graph)) => {
                let name = |v: u32| Label::Name(graph.name(v).to_owned());
                let step = move |v| Step { from: name(*vertex), to: vec![name(v)] };
                Box::new(graph.options(*vertex).iter().map(move |&v| (step(v), vec![(*game, Piece::Vertex(v))])))
            }
            _ => unreachable!("a piece belongs to a game of its kind"),
        }
    }
}
