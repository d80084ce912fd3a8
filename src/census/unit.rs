//! A unit of normal play: a class of equal sequences, its period if one is proven, and what its values look like.

use serde::{Deserialize, Serialize};

use crate::driver::Computation;
use crate::engine::sparse::{RareSpace, Shape, choose_mask};
use crate::engine::{Engine, EngineError};
use crate::period::{Exclusion, Match, Period, Theorem, first_misfit, heaps_needed};
use crate::rules::LEAVE_TWO;
use crate::values::Slice;
use crate::{Rules, Values};

use super::CensusError;
use super::plan::{NormalLimits, Unit};

/// The first heap at which the work to come is estimated.
const FIRST: u64 = 1 << 10;
/// Where the theorem of the whole window needs at most so many heaps it is what a period is proven by: it takes a
/// moment, and what a shorter proof needs may depend on the order in which an engine looks for witnesses.
const WHOLE: u64 = 1 << 22;
/// The smallest heap for which growth is told.
const FIRST_GROWTH: u32 = 10;

/// A class of games with one sequence of values, but for leading zeros.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Class {
    /// The game that was computed.
    pub game: String,
    /// The last heap that was computed, if no period is proven.
    pub heaps: Option<u64>,
    /// The proven period.
    pub period: Option<Found>,
    /// A regularity that holds for the later half of the heaps at least, and that is not proven.
    pub observed: Option<Found>,
    /// The largest value, unless values are proven to grow.
    pub max_value: Option<u32>,
    /// The first heap that has it.
    pub max_at: Option<u64>,
    /// The number of rare heaps from 1 on, with the mask that makes them fewest in the later half of what is known. None if
    /// there is no such mask, or if a period has rare heaps.
    pub rare_count: Option<usize>,
    /// The last rare heap.
    pub last_rare: Option<u64>,
    /// The mask, hexadecimal.
    pub mask: Option<String>,
    /// `range` or `domain`.
    pub mask_type: Option<String>,
    /// For games without a period: what they look like up to powers of two.
    pub growth: Vec<Growth>,
    /// For games without a period: periods up to `max_period` with preperiods up to `max_preperiod` are ruled out.
    pub excluded: Option<Exclusion>,
    /// The other games of the class.
    pub members: Vec<Equal>,
}

/// A period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// g(n + period) = g(n) + saltus ...
    pub period: u64,
    /// ... for all n from here on.
    pub preperiod: u64,
    /// What is added.
    pub saltus: u64,
    /// The theorem that proves it.
    pub theorem: Option<String>,
}

/// The heaps 0 to 2^log2.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Growth {
    /// The binary logarithm of the last heap.
    pub log2: u32,
    /// The largest value.
    pub max_value: u32,
    /// The first heap that has it.
    pub max_at: u64,
    /// How many of the heaps from 1 on are rare.
    pub rare_count: Option<usize>,
}

/// A game of a class: `g_member(n) = g_class(n + shift)`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Equal {
    /// The game.
    pub game: String,
    /// How much larger the heap of the class's game is.
    pub shift: i64,
    /// Why: `moved` and `options` are the theorems of [`crate::census::equal`], `periods` a comparison of two sequences whose
    /// periods are proven: these are for all heaps. `observed`: they are equal up to heap `compared`.
    pub ground: String,
    /// The last heap that was compared, if there is no proof.
    pub compared: Option<u64>,
    /// Its own least preperiod of the class's period, proven or observed.
    pub preperiod: Option<u64>,
}

/// Does a unit.
pub(super) fn analyse(unit: &Unit, limits: &NormalLimits) -> Result<Class, CensusError> {
    let rules: Rules = unit.game.parse()?;
    let engine = |source| CensusError::Engine { game: unit.game.clone(), source };
    let mut computation = Computation::new(&rules, None, true);
    compute(&mut computation, limits).map_err(engine)?;
    let period = prove(&mut computation).map_err(engine)?;
    let values = computation.engine().history().from_zero();
    let mut class = describe(&rules, &computation, period);
    for member in &unit.members {
        let equal = super::members::compare(&rules, &class, values, member, limits)?;
        class.members.push(equal);
    }
    Ok(class)
}

/// Computes until a period is proven or a limit is reached. The heaps at which a period is looked for and the limits
/// depend on the values alone.
fn compute(computation: &mut Computation, limits: &NormalLimits) -> Result<(), EngineError> {
    let mut goal = FIRST;
    loop {
        while computation.known() <= goal {
            let known = computation.known();
            advance(computation, (goal + 1).min(known + (known / 16).max(64)))?;
            computation.detect(known, None)?;
            if computation.period().is_some() {
                return Ok(());
            }
        }
        if !goes_on(computation, goal, limits) {
            return Ok(());
        }
        goal *= 2;
    }
}

/// Computes the heaps below `to`.
fn advance(computation: &mut Computation, to: u64) -> Result<(), EngineError> {
    while computation.known() < to {
        computation.compute(to)?;
    }
    Ok(())
}

/// Whether to compute twice as many heaps.
fn goes_on(computation: &Computation, done: u64, limits: &NormalLimits) -> bool {
    let rules = computation.rules();
    if let Some(&limit) = limits.further.get(&rules.to_string()) {
        return done < limit;
    }
    match computation.engine().rare() {
        Some(space) => {
            let splits = rules.prefix().iter().filter(|&d| d & LEAVE_TWO != 0).count();
            let sums = done as u128 * (space.positions().len() * splits) as u128;
            done < limits.sparse && sums <= u128::from(limits.sums)
        }
        None if rules.max_parts() == 3 => done < limits.triples,
        None => done < limits.pairs,
    }
}

/// The proven period, by the theorem of the whole window wherever that is cheap.
fn prove(computation: &mut Computation) -> Result<Option<Period>, EngineError> {
    let Some(mut period) = computation.period().cloned() else { return Ok(None) };
    let found = Match { start: period.preperiod, period: period.period, saltus: period.saltus, end: 0 };
    let heaps = heaps_needed(computation.rules(), &found).filter(|&heaps| heaps <= u128::from(WHOLE));
    if let (Theorem::State { .. }, Some(heaps)) = (&period.theorem, heaps) {
        let heaps = heaps as u64;
        advance(computation, heaps)?;
        let values = computation.engine().history().from_zero();
        let misfit = first_misfit(values, period.preperiod..heaps - period.period, period.period, 0);
        assert_eq!(misfit, None, "{}: a heap does not fit the proven period", computation.rules());
        period.theorem = Theorem::Window { heaps: computation.rules().max_parts() };
    }
    Ok(Some(period))
}

/// What the values look like: those below preperiod + period of a game that has one, else all.
fn describe(rules: &Rules, computation: &Computation, period: Option<Period>) -> Class {
    let all = computation.engine().history().from_zero();
    let end = period.as_ref().map_or(all.len(), |p| (p.preperiod + p.period) as usize);
    let values = all.range(0..end);
    let grows = period.as_ref().is_some_and(|p| p.saltus > 0);
    let (max_value, max_at) = largest(values);
    let open = period.is_none();
    // Rare heaps of a period come again for ever.
    let first_of_period = period.as_ref().map_or(u64::MAX, |p| p.preperiod);
    let space = space(rules, values).filter(|space| space.last() < first_of_period);
    let observed = computation.observed().filter(|_| open);
    Class {
        game: rules.to_string(),
        heaps: open.then_some(end as u64 - 1),
        observed: observed.map(|m| Found { period: m.period, preperiod: m.start, saltus: m.saltus, theorem: None }),
        max_value: (!grows).then_some(max_value),
        max_at: (!grows).then_some(max_at),
        rare_count: space.as_ref().map(|space| space.positions().len()),
        last_rare: space.as_ref().and_then(|space| space.positions().last().copied()),
        mask: space.as_ref().map(|space| space.mask().text(space.max_value())),
        mask_type: space.as_ref().map(|space| space.mask().kind().to_owned()),
        growth: if open { growth(values, space.as_ref()) } else { Vec::new() },
        excluded: if open { computation.excluded() } else { None },
        period: period.map(|p| Found {
            period: p.period,
            preperiod: p.preperiod,
            saltus: p.saltus,
            theorem: Some(p.theorem.name().to_owned()),
        }),
        members: Vec::new(),
    }
}

/// The largest value and the first heap that has it.
fn largest(values: Slice<'_>) -> (u32, u64) {
    let max = values.max().unwrap_or(0);
    (max, values.iter().position(|v| v == max).unwrap_or(0) as u64)
}

/// The rare heaps, by the mask that suits the later half of the values best.
fn space(rules: &Rules, values: Slice<'_>) -> Option<RareSpace> {
    let shape = Shape::of(rules)?;
    let half = values.len() / 2;
    let mask = choose_mask(values.range(half..values.len()), half as u64, shape.parity())?;
    Some(RareSpace::new(mask, values))
}

fn growth(values: Slice<'_>, space: Option<&RareSpace>) -> Vec<Growth> {
    let logs = (FIRST_GROWTH..64).take_while(|&log2| 1u64 << log2 < values.len() as u64);
    logs.map(|log2| {
        let (max_value, max_at) = largest(values.range(0..(1 << log2) + 1));
        let rare_count = space.map(|space| space.positions().partition_point(|&n| n <= 1 << log2));
        Growth { log2, max_value, max_at, rare_count }
    })
    .collect()
}

/// The values of heaps 0 to `to`, and the period if these prove one.
pub(super) fn values(rules: &Rules, to: u64) -> Result<(Values, Option<Period>), CensusError> {
    let engine = |source| CensusError::Engine { game: rules.to_string(), source };
    let mut computation = Computation::new(rules, None, true);
    advance(&mut computation, to + 1).map_err(engine)?;
    computation.detect(0, None).map_err(engine)?;
    let mut values = Values::new();
    values.extend(computation.engine().history().from_zero());
    Ok((values, computation.period().cloned()))
}
