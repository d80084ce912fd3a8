//! The list of the units of work, with the parameters that they share.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Rules;

use super::CensusError;
use super::classes::classes;
use super::equal::standard;
use super::games::Family;

/// The format's version.
pub(super) const VERSION: u32 = 1;

/// What is asked of the games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Kind {
    /// The period of each class, or how far it was computed without one.
    Normal(NormalLimits),
    /// The misère quotient.
    Misere(MisereLimits),
}

/// How far a class is computed if no period is proven before. All are heaps, but for `sums`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NormalLimits {
    /// The last heap for the sparse rule ...
    pub sparse: u64,
    /// ... unless a doubling of the heaps would take more than so many sums with rare heaps.
    pub sums: u64,
    /// The last heap where all pairs of heaps are marked.
    pub pairs: u64,
    /// The last heap where all triples are.
    pub triples: u64,
    /// Up to where members of a class are compared if no theorem makes them equal.
    pub compared: u64,
    /// Games that are computed further, whatever it takes, because their periods are known to be long.
    pub further: BTreeMap<String, u64>,
}

/// How far a misère quotient is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MisereLimits {
    /// The last heap.
    pub heaps: u64,
    /// The work for one game, in steps ([`crate::misere::solve_by_work`]).
    pub steps: u64,
}

impl Default for NormalLimits {
    fn default() -> NormalLimits {
        let further = [("0.104", 1 << 28), ("0.354", 1 << 24), ("0.376", 1 << 23), ("0.454", 1 << 28)];
        NormalLimits {
            sparse: 1 << 20,
            sums: 1 << 31,
            pairs: 1 << 15,
            triples: 1 << 11,
            compared: 1 << 14,
            further: further.into_iter().map(|(game, heaps)| (game.to_owned(), heaps)).collect(),
        }
    }
}

impl NormalLimits {
    /// The usual limits, but no game goes beyond `heaps` by more than a doubling.
    pub fn up_to(heaps: u64) -> NormalLimits {
        let usual = NormalLimits::default();
        NormalLimits {
            sparse: usual.sparse.min(heaps),
            pairs: usual.pairs.min(heaps),
            triples: usual.triples.min(heaps),
            further: BTreeMap::new(),
            ..usual
        }
    }
}

impl Default for MisereLimits {
    fn default() -> MisereLimits {
        MisereLimits { heaps: 1000, steps: 1_000_000_000 }
    }
}

/// A game of a unit: `g_game(n) = g_unit(n + shift)`, heaps below 0 having value 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The game.
    pub game: String,
    /// How much larger the heap of the unit's own game is.
    pub shift: i64,
}

/// One unit of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The game that is computed.
    pub game: String,
    /// The other games that it stands for.
    pub members: Vec<Member>,
}

/// A census.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// What is asked, and how far to go.
    #[serde(flatten)]
    pub kind: Kind,
    /// The families of games.
    pub families: Vec<Family>,
    /// How many games these are.
    pub games: usize,
    /// The units of work.
    pub units: Vec<Unit>,
}

impl Plan {
    /// A census of normal play: games with equal first values are one unit.
    ///
    /// # Errors
    /// If a game's values cannot be computed.
    pub fn normal(families: &[Family], limits: NormalLimits) -> Result<Plan, CensusError> {
        let games = games(families);
        let units = classes(&games)?;
        Ok(Plan { kind: Kind::Normal(limits), families: families.to_vec(), games: games.len(), units })
    }

    /// A census of misère play: games of one standard form are one unit.
    pub fn misere(families: &[Family], limits: MisereLimits) -> Plan {
        let games = games(families);
        let mut classes: Vec<((Rules, u64), Vec<&Rules>)> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for rules in &games {
            let (form, moves) = standard(rules);
            let place = *places.entry(form.to_string()).or_insert(classes.len());
            if place == classes.len() {
                classes.push(((form, moves), Vec::new()));
            }
            classes[place].1.push(rules);
        }
        let unit = |((_, moves), games): ((Rules, u64), Vec<&Rules>)| {
            let shift = |rules: &Rules| moves as i64 - standard(rules).1 as i64;
            let member = |rules: &&Rules| Member { game: rules.to_string(), shift: shift(rules) };
            Unit { game: games[0].to_string(), members: games[1..].iter().map(member).collect() }
        };
        let units = classes.into_iter().map(unit).collect();
        Plan { kind: Kind::Misere(limits), families: families.to_vec(), games: games.len(), units }
    }
}

/// The games of some families, each once.
pub(super) fn games(families: &[Family]) -> Vec<Rules> {
    let mut seen = std::collections::HashSet::new();
    families.iter().flat_map(|family| family.games()).filter(|rules| seen.insert(rules.to_string())).collect()
}
