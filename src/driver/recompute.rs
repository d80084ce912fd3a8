//! Parts of a run, computed once more by its engine and compared: from one window to the next.
//!
//! With another kernel than the run's, and blocks that are cut elsewhere, an error of the one would show. A run that
//! stores its values is compared heap by heap; one in bounded memory where its ladder has windows.

use std::collections::BTreeSet;
use std::ops::Range;

use rayon::prelude::*;

use crate::Rules;
use crate::engine::sparse::RareSpace;
use crate::engine::{Engine, EngineError};
use crate::period::State;
use crate::store::StoredRun;
use crate::values::{Slice, Values};
use crate::work::{Watch, Work};

use super::certify::first_rung;
use super::state::space_of;
use super::verify::choose;
use super::{Climber, Computation, Ladder, RunError, Rung, Sample};

/// How many heaps a part of stored values has, if the state is not much longer.
const PART: u64 = 1 << 18;
/// To begin a part, the values of its state are copied a few times: of a part of an eighth as many heaps, that is little.
const STATE_TO_PART: u64 = 8;

/// What was computed once more.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recomputed {
    /// How many heaps.
    pub heaps: u64,
    /// How many parts of the run that were, ...
    pub parts: u64,
    /// ... and how many it has.
    pub of: u64,
    /// The engines and their kernels, each in words.
    pub by: BTreeSet<String>,
    /// The first heap that differs, in a sentence.
    pub wrong: Option<String>,
}

impl Recomputed {
    fn and(mut self, later: Recomputed) -> Recomputed {
        self.heaps += later.heaps;
        self.parts += later.parts;
        self.by.extend(later.by);
        self.wrong = self.wrong.or(later.wrong);
        self
    }
}

/// Computes a share of the parts of a run once more, with the kernel that is in force. `None`
/// if the run has no parts: a heap depends on all before it.
///
/// # Errors
/// If the run has no checkpoint of its last heaps, or a heap needs more values than a part begins with.
pub(super) fn recompute(
    run: &StoredRun,
    rules: &Rules,
    sample: Sample,
    watch: Watch<'_>,
) -> Result<Option<Recomputed>, RunError> {
    let payload = run.payload()?.ok_or_else(|| RunError::NoCheckpoint(run.dir().to_owned()))?;
    match run.values() {
        Some(values) => parts_of_values(rules, space_of(&payload)?.as_ref(), values, sample, watch),
        None => parts_of_ladder(&Computation::restore(rules, &payload, None)?, sample, watch),
    }
}

/// The parts of stored values: all of them are compared.
pub(super) fn parts_of_values(
    rules: &Rules,
    space: Option<&RareSpace>,
    values: Slice<'_>,
    sample: Sample,
    watch: Watch<'_>,
) -> Result<Option<Recomputed>, RunError> {
    let Some(state) = State::of(rules, space) else { return Ok(None) };
    let ends = ends(state, values.len() as u64);
    some_of(&ends, sample, watch, |i, work| check_stored(rules, state, values, start(&ends, i)..ends[i], work))
        .map(Some)
}

/// The parts of a run in bounded memory: what each ends with is compared, the next rung or the last values of all.
pub(super) fn parts_of_ladder(
    computation: &Computation,
    sample: Sample,
    watch: Watch<'_>,
) -> Result<Option<Recomputed>, RunError> {
    let Some(climber) = computation.climber() else { return Ok(None) };
    let rungs: Vec<&Rung> = climber.rungs().collect();
    let known = computation.known();
    let last = rungs.last().is_none_or(|rung| rung.heap < known);
    let last = last.then(|| (known, computation.engine().history().recent()));
    let (ends, told): (Vec<u64>, Vec<Slice<'_>>) =
        rungs.iter().map(|rung| (rung.heap, rung.told())).chain(last).unzip();
    let rung = |i: usize| i.checked_sub(1).map(|i| rungs[i]);
    some_of(&ends, sample, watch, |i, work| compare(&climber, rung(i), ends[i], told[i], work)).map(Some)
}

/// Where the parts of stored values end: the first begins at heap 0, the others where the state is known.
fn ends(state: State<'_>, len: u64) -> Vec<u64> {
    let first = first_rung(state);
    let step = PART.max(first.length / STATE_TO_PART);
    let heaps = (0..).map(|i| first.heap.next_multiple_of(PART) + i * step).take_while(|&heap| heap < len);
    heaps.chain((len > 0).then_some(len)).collect()
}

/// Where a part starts: where the one before it ends.
fn start(ends: &[u64], part: usize) -> u64 {
    part.checked_sub(1).map_or(0, |before| ends[before])
}

fn some_of(
    ends: &[u64],
    sample: Sample,
    watch: Watch<'_>,
    check: impl Fn(usize, &Work<'_>) -> Result<Recomputed, EngineError> + Sync,
) -> Result<Recomputed, RunError> {
    let chosen = choose(ends.len() as u64, sample.fraction, sample.seed);
    let work = Work::new(watch, chosen.iter().map(|&i| ends[i as usize] - start(ends, i as usize)).sum());
    let all = chosen.into_par_iter().map(|i| check(i as usize, &work));
    let found = all.try_reduce(Recomputed::default, |a, b| Ok(a.and(b)))?;
    Ok(Recomputed { of: ends.len() as u64, ..found })
}

/// Computes heaps from the stored values before them.
fn check_stored(
    rules: &Rules,
    state: State<'_>,
    values: Slice<'_>,
    heaps: Range<u64>,
    work: &Work<'_>,
) -> Result<Recomputed, EngineError> {
    let Range { start, end } = heaps;
    let rung = (start > 0).then(|| {
        let length = state.roomy_length(start).min(start - state.earliest());
        let mut window = Values::new();
        window.extend(values.range((start - length) as usize..start as usize));
        Rung { heap: start, values: window }
    });
    let ladder = Ladder::from_parts(rung.into_iter().collect(), PART);
    let climber = Climber::new(rules, values, state, &ladder);
    compare(&climber, ladder.parts().0.first(), end, values.range(start as usize..end as usize), work)
}

/// Computes from the rung, or from heap 0, up to `end`; `told` are the values of the heaps before `end`.
fn compare(
    climber: &Climber<'_>,
    from: Option<&Rung>,
    end: u64,
    told: Slice<'_>,
    work: &Work<'_>,
) -> Result<Recomputed, EngineError> {
    let mut engine = climber.engine_from(from);
    let start = engine.history().len();
    let first = end - told.len() as u64;
    let mut wrong = None;
    while engine.history().len() < end && wrong.is_none() {
        let at = engine.history().len();
        climber.advance(&mut engine, end.min(at + PART - at / 3 % 4096))?;
        let (from, to) = (at.max(first), engine.history().len());
        work.add(to - at);
        if from < to {
            let (found, told) =
                (engine.history().range(from, to), told.range((from - first) as usize..(to - first) as usize));
            wrong = (0..found.len()).find(|&i| found.get(i) != told.get(i)).map(|i| {
                let heap = from + i as u64;
                format!("heap {heap} has value {} in the run, and {} computed once more", told.get(i), found.get(i))
            });
        }
    }
    let by = format!("{} engine, {} kernel", engine.name(), engine.kernel());
    Ok(Recomputed { heaps: engine.history().len() - start, parts: 1, of: 0, by: BTreeSet::from([by]), wrong })
}
