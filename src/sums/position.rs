//! A position as a person writes it: heaps, strips and vertices side by side.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use num_bigint::BigUint;

use super::component::SHORT_REASON;
use super::{Component, Found, Heap, Label, PATIENCE, Reason, Step, Strip, Sum, SumError, Table};
use crate::Rules;
use crate::graph::{Solved, natural_order};

/// What a component is a position of.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A taking-and-breaking game.
    Heaps(Arc<Rules>),
    /// Tokens on a strip.
    Strip,
    /// A game graph.
    Graph(Arc<Solved>),
}

/// A game of a position, with the name that the position gives it.
#[derive(Clone, Debug)]
pub struct NamedGame {
    /// As it was written.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// A position of one game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// A heap of this size.
    Heap(BigUint),
    /// A strip.
    Strip(Strip),
    /// A vertex of the graph.
    Vertex(u32),
}

/// Equal components of a position.
#[derive(Clone, Debug)]
pub struct Term {
    /// The index of the game among [`Position::games`].
    pub game: usize,
    /// The component.
    pub piece: Piece,
    /// How often it stands there, at least once.
    pub count: BigUint,
}

/// A sum of heaps, strips and vertices, read from text.
///
/// A position is a list of components with `+` between them. Before the first, and before any other where it changes,
/// stands the game and a colon:
///
/// | text | components |
/// |---|---|
/// | `0.77: 5+7+12` | three heaps |
/// | `kayles: 5 + nim: 3 + grundys-game: 9` | three heaps of three games |
/// | `nim: 7*12 + 1_000_000 + 1e9 + 10k + 10^18` | seven heaps of twelve, and four more |
/// | `strip: 2,5,9` | one strip, tokens on cells 2, 5 and 9, the left-most cell being 0 |
/// | `graph(FILE): u + v` | two vertices of one graph; `"..."` round a name with `+`, `*`, `:` or `,` in it |
///
/// The plus sign always separates components: `10^18 + 10^18+7` is three heaps. Equal components are gathered into
/// one [`Term`].
///
/// ```
/// use sprague::sums::{Outcome, Position};
/// let position: Position = "sub{1,2,3}: 5+6+7".parse()?;
/// assert_eq!(position.sum()?.outcome()?, Outcome::P);
/// # Ok::<(), sprague::sums::SumError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    games: Vec<NamedGame>,
    terms: Vec<Term>,
    patience: Duration,
}

/// No components.
impl Default for Position {
    fn default() -> Position {
        Position { games: Vec::new(), terms: Vec::new(), patience: PATIENCE }
    }
}

impl Position {
    /// The same position; each table of values, each brute-force search and each list of moves is given up after about
    /// this time. It is [`PATIENCE`] otherwise.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Position {
        Position { patience, ..self }
    }

    /// How long one question is worked at.
    pub fn patience(&self) -> Duration {
        self.patience
    }

    /// The games.
    pub fn games(&self) -> &[NamedGame] {
        &self.games
    }

    /// The components, in the order in which they were first written.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The game of a component.
    pub fn game(&self, term: &Term) -> &NamedGame {
        &self.games[term.game]
    }

    /// The game that a name stands for, added if it is new. Two names of one game are one game.
    pub(super) fn add_game(&mut self, name: &str, kind: Kind) -> usize {
        let known = self.games.iter().position(|game| match (&game.kind, &kind) {
            (Kind::Heaps(a), Kind::Heaps(b)) => a == b,
            (Kind::Strip, Kind::Strip) => true,
            (Kind::Graph(_), Kind::Graph(_)) => game.name == name,
            _ => false,
        });
        known.unwrap_or_else(|| {
            self.games.push(NamedGame { name: name.to_owned(), kind });
            self.games.len() - 1
        })
    }

    /// Adds `count` equal components.
    pub(super) fn add(&mut self, game: usize, piece: Piece, count: BigUint) {
        match self.terms.iter_mut().find(|term| term.game == game && term.piece == piece) {
            Some(term) => term.count += count,
            None => self.terms.push(Term { game, piece, count }),
        }
    }

    /// How a component is shown: the heap's size, the tokens, or the vertex.
    pub fn label(&self, term: &Term) -> Label {
        match (&term.piece, &self.game(term).kind) {
            (Piece::Heap(size), _) => Label::Number(size.clone()),
            (Piece::Strip(strip), _) => Label::Name(strip.to_string()),
            (&Piece::Vertex(v), Kind::Graph(graph)) => Label::Name(graph.name(v).to_owned()),
            (Piece::Vertex(_), _) => unreachable!("a vertex belongs to a graph"),
        }
    }

    /// The position as a sum under normal play. Its components are [`Position::terms`], in this order.
    ///
    /// # Errors
    /// [`SumError::TooFar`] if a heap's value is out of reach.
    pub fn sum(&self) -> Result<Sum<'_>, SumError> {
        let mut tables = BTreeMap::new();
        let mut sum = Sum::new();
        for term in &self.terms {
            let component: Box<dyn Component> = match (&term.piece, &self.game(term).kind) {
                (Piece::Heap(size), Kind::Heaps(rules)) => {
                    if let std::collections::btree_map::Entry::Vacant(place) = tables.entry(term.game) {
                        let table = Table::for_game(rules, &self.largest_heap(term.game), self.patience)?;
                        place.insert(Arc::new(table));
                    }
                    let table = Arc::clone(&tables[&term.game]);
                    let heap = Heap::with_table(Arc::clone(rules), table, size.clone())?;
                    Box::new(heap.with_patience(self.patience))
                }
                (Piece::Strip(strip), _) => Box::new(strip.clone()),
                (&Piece::Vertex(vertex), Kind::Graph(graph)) => Box::new(Vertex { graph, vertex }),
                _ => unreachable!("a piece belongs to a game of its kind"),
            };
            sum.push_many(component, &term.count);
        }
        Ok(sum)
    }

    /// The largest heap of a game.
    pub(super) fn largest_heap(&self, game: usize) -> BigUint {
        let sizes = self.terms.iter().filter(|term| term.game == game).filter_map(|term| match &term.piece {
            Piece::Heap(size) => Some(size),
            _ => None,
        });
        sizes.max().cloned().unwrap_or_default()
    }
}

/// The position as it would be written again.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = None;
        for term in &self.terms {
            if before.is_some() {
                f.write_str(" + ")?;
            }
            if before != Some(term.game) {
                write!(f, "{}: ", self.game(term).name)?;
            }
            if term.count != BigUint::from(1u32) {
                write!(f, "{}*", term.count)?;
            }
            let label = self.label(term).to_string();
            let quoted = matches!(term.piece, Piece::Vertex(_)) && label.contains(['+', '*', ':', ',']);
            if quoted {
                write!(f, "\"{label}\"")?
            } else {
                f.write_str(&label)?
            }
            before = Some(term.game);
        }
        Ok(())
    }
}

impl fmt::Display for Strip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: Vec<String> = self.tokens().iter().map(BigUint::to_string).collect();
        f.write_str(&cells.join(","))
    }
}

/// A vertex of a game graph.
struct Vertex<'a> {
    graph: &'a Solved,
    vertex: u32,
}

impl Component for Vertex<'_> {
    fn value(&self) -> Result<BigUint, SumError> {
        Ok(self.graph.value(self.vertex).into())
    }

    fn moves_to(&self, target: &BigUint, keep: usize) -> Result<Found<Step>, SumError> {
        let mut found = Found::new(keep);
        let options = self.graph.options(self.vertex).iter().copied();
        let hits = options.filter(|&v| BigUint::from(self.graph.value(v)) == *target);
        let mut names: Vec<&str> = hits.map(|v| self.graph.name(v)).collect();
        names.sort_unstable_by(|a, b| natural_order(a, b));
        let label = |name: &str| Label::Name(name.to_owned());
        for to in names {
            found.add(|| Step { from: label(self.graph.name(self.vertex)), to: vec![label(to)] });
        }
        Ok(found)
    }

    fn reason(&self) -> Option<Reason> {
        let label = |v: u32| Label::Name(self.graph.name(v).to_owned());
        let options = self.graph.options(self.vertex);
        let option = |&v: &u32| (Step { from: label(self.vertex), to: vec![label(v)] }, self.graph.value(v).into());
        (options.len() <= SHORT_REASON).then(|| Reason::Options(options.iter().map(option).collect()))
    }
}
