//! One computation: an engine, the statistics of its values, and the search for a period, block by block.

mod certify;
mod ladder;
mod recompute;
mod run;
mod state;
mod verify;

pub use certify::{CertifyError, certificate_of_run};
pub use ladder::{Climber, Ladder, Rung};
pub use recompute::Recomputed;
pub use run::{Run, RunError, RunPlan};
pub use state::StateError;
pub use verify::{Sample, Verification, verify};

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::Rules;
use crate::engine::sparse::RareSpace;
use crate::engine::{Engine, EngineError, History, Planned};
use crate::period::{Detector, Exclusion, Filler, Match, Period, Recurrence, State};
use crate::statistics::Statistics;
use crate::values::Slice;

/// A block takes about this long: soon enough for a signal or a progress line, too long for the search for a
/// period to cost much.
const BLOCK_TIME: Duration = Duration::from_millis(100);
/// The first block, and the least.
const MIN_BLOCK: u64 = 64;
/// The least block after many heaps, of which it is such a fraction: an engine that takes many heaps at once is slower where
/// a block ends before.
const LEAST_OF_MANY: u64 = 1 << 11;
const LEAST_FRACTION: u64 = 1 << 11;
/// The least number of values kept at either end: the search for a period keeps windows of half as many.
const MIN_WINDOW: usize = 512;
/// The largest block. In bounded memory it is at most a quarter of the window, since a block's values, and windows
/// that end with it, must be there when it is done.
pub const MAX_BLOCK: u64 = 1 << 20;
/// A block is at most this fraction of what is known, so that a period is seen soon after its proof is possible.
const BLOCK_FRACTION: u64 = 16;

/// A game being computed, from heap 0 on.
pub struct Computation {
    rules: Rules,
    engine: Planned,
    statistics: Statistics,
    detector: Option<Detector>,
    period: Option<Period>,
    /// For a period that was found while all values were there.
    filler: Option<Filler>,
    /// In bounded memory: the search for a period, and what its proof needs.
    recurrence: Option<Recurrence>,
    ladder: Ladder,
    /// What was ruled out before this computation was taken up again.
    excluded: Exclusion,
    block: u64,
    max_block: u64,
}

impl Computation {
    /// Starts at heap 0.
    ///
    /// `window`: how many values to keep at either end where the game allows it (`None`: all).
    /// `detect`: whether to look for a period.
    pub fn new(rules: &Rules, window: Option<usize>, detect: bool) -> Computation {
        let window = window.map(|w| w.max(MIN_WINDOW));
        Computation::start(rules, Planned::new(rules, window), Statistics::new(), detect)
    }

    /// Goes on from values that are known, with the rare space and the statistics that belong to them.
    pub fn resume(
        rules: &Rules,
        history: History,
        space: Option<RareSpace>,
        statistics: Statistics,
        detect: bool,
    ) -> Computation {
        Computation::start(rules, Planned::resume(rules, history, space), statistics, detect)
    }

    fn start(rules: &Rules, engine: Planned, statistics: Statistics, detect: bool) -> Computation {
        let detector = detect.then(|| Detector::new(rules));
        let max_block = max_block(engine.history().window());
        Computation {
            rules: rules.clone(),
            engine,
            statistics,
            detector,
            period: None,
            filler: None,
            recurrence: None,
            ladder: Ladder::new(max_block.next_power_of_two()),
            excluded: Exclusion::default(),
            block: MIN_BLOCK,
            max_block,
        }
    }

    /// Computes one more block of heaps below `to`, looks for a period, and gives the range of the block: an empty
    /// one when all are known.
    ///
    /// # Errors
    /// [`EngineError`]. The blocks before are in order, and so are the values of the block that were decided.
    pub fn step(&mut self, to: u64) -> Result<Range<u64>, EngineError> {
        let start = self.known();
        let block = self.compute(to);
        self.detect(start, None)?;
        block
    }

    /// As [`Computation::step`], without the search for a period.
    ///
    /// # Errors
    /// As [`Computation::step`].
    pub fn compute(&mut self, to: u64) -> Result<Range<u64>, EngineError> {
        let start = self.known();
        if start >= to {
            return Ok(start..start);
        }
        let clock = Instant::now();
        let end = to.min(start + self.block).min(self.ladder.next(start));
        // In the pool, since to hand each small piece of work to a thread of it from outside takes longer than the piece.
        let outcome = rayon::scope(|_| self.engine.extend(end));
        let end = self.known();
        self.statistics.add(self.engine.history().range(start, end));
        self.take_rung();
        self.adapt(clock.elapsed());
        outcome.map(|()| start..end)
    }

    /// In bounded memory, keeps the windows from which the computation can be taken up again.
    fn take_rung(&mut self) {
        let history = self.engine.history();
        let (Some(state), Some(_)) = (State::of(&self.rules, self.engine.rare()), history.window()) else { return };
        let length = state.roomy_length(history.len() / 2);
        self.ladder.take(history, length);
    }

    /// Keeps twice as many values at either end from now on. `stored`: those of all known heaps, from heap 0 on.
    fn read_back(&mut self, stored: Slice<'_>) {
        let window = self.engine.history().window().map(|window| 2 * window);
        let space = self.engine.rare().cloned();
        self.engine = Planned::resume(&self.rules, History::of(stored, window), space);
        self.max_block = max_block(window);
    }

    /// Looks for a period, after heaps from `from` on have been computed: in all values from heap 0 on, which are
    /// those of `stored` or the computation's own, or, when bounded memory has forgotten some, by the state's
    /// coming again.
    ///
    /// # Errors
    /// [`EngineError`] if the exact preperiod of a period that is proven cannot be found in this memory.
    pub fn detect(&mut self, from: u64, stored: Option<Slice<'_>>) -> Result<(), EngineError> {
        let history = self.engine.history();
        let own = || (history.base() == 0).then(|| history.from_zero());
        let Some(detector) = self.detector.as_mut().filter(|_| self.period.is_none()) else { return Ok(()) };
        let Some(values) = stored.or_else(own) else { return self.recur(from) };
        if let Some(period) = detector.advance(values, self.engine.rare()) {
            self.filler = Some(Filler::new(&period, values));
            self.period = Some(period);
        }
        Ok(())
    }

    /// Looks for the state's coming again.
    fn recur(&mut self, from: u64) -> Result<(), EngineError> {
        let Some(state) = State::of(&self.rules, self.engine.rare()) else { return Ok(()) };
        let history = self.engine.history();
        let recurrence = self.recurrence.get_or_insert_with(|| Recurrence::new(from));
        if let Some((found, theorem)) = recurrence.advance(history, from, state) {
            let climber = Climber::new(&self.rules, history.from_zero(), state, &self.ladder);
            self.period = Some(climber.period(&found, theorem)?);
        }
        Ok(())
    }

    /// What decides the heaps to come, if it is less than all that is known.
    fn state(&self) -> Option<State<'_>> {
        State::of(&self.rules, self.engine.rare())
    }

    /// What takes the computation up again at earlier heaps, if that is possible.
    fn climber(&self) -> Option<Climber<'_>> {
        Some(Climber::new(&self.rules, self.engine.history().from_zero(), self.state()?, &self.ladder))
    }

    /// Notes that the heaps of `range`, the next ones, have been filled in from the proven period.
    fn count_filled(&mut self, range: Range<u64>) {
        if let Some(filler) = &self.filler {
            self.statistics.add_filled(filler, range);
        }
    }

    fn adapt(&mut self, took: Duration) {
        if took > 2 * BLOCK_TIME {
            self.block /= 2;
        } else if took < BLOCK_TIME {
            self.block *= 2;
        }
        let largest = if self.detector.is_some() { self.known() / BLOCK_FRACTION } else { MAX_BLOCK };
        let least = (self.known() / LEAST_FRACTION).clamp(MIN_BLOCK, LEAST_OF_MANY);
        self.block = self.block.min(largest).max(least).min(self.max_block);
    }

    /// The game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The engine that is at work.
    pub fn engine(&self) -> &Planned {
        &self.engine
    }

    /// How many heaps have been computed: 0 to `known - 1`.
    pub fn known(&self) -> u64 {
        self.engine.history().len()
    }

    /// The statistics of the computed heaps.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The proven period.
    pub fn period(&self) -> Option<&Period> {
        self.period.as_ref()
    }

    /// The proven period with the values that it repeats, if these are at hand.
    pub fn filler(&self) -> Option<&Filler> {
        self.filler.as_ref()
    }

    /// What the search for a period has ruled out, if there was one.
    pub fn excluded(&self) -> Option<Exclusion> {
        let recurrence = self.recurrence.as_ref().map(Recurrence::excluded).unwrap_or_default();
        self.detector.as_ref().map(|detector| detector.excluded().stronger(self.excluded).stronger(recurrence))
    }

    /// A regularity that holds for all that is known, from some heap in its first half on, but is not proven.
    pub fn observed(&self) -> Option<Match> {
        self.detector.as_ref()?.observed(self.engine.history().from_zero())
    }

    /// The value of heap `n`, if it is computed and kept, or follows from a proven period.
    pub fn value(&self, n: u64) -> Option<u64> {
        match &self.filler {
            Some(filler) => filler.value(n),
            None => self.engine.history().get(n).map(u64::from),
        }
    }
}

/// The largest block with so many values kept at either end.
fn max_block(window: Option<usize>) -> u64 {
    window.map_or(MAX_BLOCK, |window| MAX_BLOCK.min(window as u64 / 4))
}

#[cfg(test)]
mod tests;
