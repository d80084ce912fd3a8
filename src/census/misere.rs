//! A unit of misère play: the misère quotient of one game, as far as the work allowed gets it.

use serde::{Deserialize, Serialize};

use crate::misere::solve_by_work;

use super::CensusError;
use super::plan::{Member, MisereLimits, Unit};

/// What was found of a game's misère quotient.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misere {
    /// The game.
    pub game: String,
    /// The codes that are this game move for move.
    pub members: Vec<Member>,
    /// `solved`: the quotient of the whole game, proven. `partial`: exact to heap `heaps`. `unresolved`: the same, and the
    /// quotient with one heap more was not found.
    pub status: String,
    /// The last heap that the quotient is of.
    pub heaps: u64,
    /// Its order.
    pub order: usize,
    /// How many of its elements are values of P-positions.
    pub p_count: usize,
    /// Whether it is tame.
    pub tame: bool,
    /// The period of the pretending function of a game that is solved.
    pub period: Option<u64>,
    /// Where that begins.
    pub preperiod: Option<u64>,
    /// What the order is at least with one heap more, if that was not resolved.
    pub lower_bound: Option<usize>,
    /// The heaps with which the quotient grew: heap, order, P-elements.
    pub changes: Vec<(u64, usize, usize)>,
}

/// Does a unit.
pub(super) fn analyse(unit: &Unit, limits: &MisereLimits) -> Result<Misere, CensusError> {
    let analysis = solve_by_work(&unit.game.parse()?, limits.heaps, limits.steps)?;
    let quotient = &analysis.quotient;
    Ok(Misere {
        game: unit.game.clone(),
        members: unit.members.clone(),
        status: analysis.status.name().to_owned(),
        heaps: quotient.heaps(),
        order: quotient.order(),
        p_count: quotient.p_count(),
        tame: quotient.is_tame(),
        period: quotient.period().map(|p| p.period),
        preperiod: quotient.period().map(|p| p.preperiod),
        lower_bound: analysis.status.lower_bound(),
        changes: analysis.changes.iter().map(|c| (c.heap, c.order, c.p_count)).collect(),
    })
}
