//! One computation: an engine, the statistics of its values, and the search for a period, block by block.

mod run;
mod state;
mod verify;

pub use run::{Run, RunError, RunPlan};
pub use state::StateError;
pub use verify::{Verification, verify};

use std::ops::Range;
use std::time::{Duration, Instant};

use crate::Rules;
use crate::engine::sparse::RareSpace;
use crate::engine::{Engine, EngineError, History, Planned};
use crate::period::{Detector, Exclusion, Filler, Match};
use crate::statistics::Statistics;
use crate::values::Slice;

/// A block takes about this long: soon enough for a signal or a progress line, too long for the search for a
/// period to cost much.
const BLOCK_TIME: Duration = Duration::from_millis(100);
/// The first block, and the least.
const MIN_BLOCK: u64 = 64;
/// The largest block. A bounded history keeps at least as many values.
pub const MAX_BLOCK: u64 = 1 << 20;
/// A block is at most this fraction of what is known, so that a period is seen soon after its proof is possible.
const BLOCK_FRACTION: u64 = 16;

/// A game being computed, from heap 0 on.
pub struct Computation {
    rules: Rules,
    engine: Planned,
    statistics: Statistics,
    detector: Option<Detector>,
    filler: Option<Filler>,
    /// What was ruled out before this computation was taken up again.
    excluded: Exclusion,
    block: u64,
}

impl Computation {
    /// Starts at heap 0.
    ///
    /// `window`: how many values to keep at either end where the game allows it (`None`: all, and at least
    /// [`MAX_BLOCK`]). `detect`: whether to look for a period.
    pub fn new(rules: &Rules, window: Option<usize>, detect: bool) -> Computation {
        let window = window.map(|w| w.max(MAX_BLOCK as usize));
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
        Computation {
            rules: rules.clone(),
            engine,
            statistics,
            detector,
            filler: None,
            excluded: Exclusion::default(),
            block: MIN_BLOCK,
        }
    }

    /// Computes one more block of heaps below `to`, looks for a period, and gives the range of the block. Nothing is
    /// left to do if a period is proven or all heaps below `to` are known.
    ///
    /// # Errors
    /// [`EngineError`]. The blocks before are in order, and so are the values of the block that were decided.
    pub fn step(&mut self, to: u64) -> Result<Range<u64>, EngineError> {
        let block = self.compute(to);
        self.detect(None);
        block
    }

    /// As [`Computation::step`], without the search for a period.
    ///
    /// # Errors
    /// As [`Computation::step`].
    pub fn compute(&mut self, to: u64) -> Result<Range<u64>, EngineError> {
        let start = self.known();
        if self.filler.is_some() || start >= to {
            return Ok(start..start);
        }
        let clock = Instant::now();
        let outcome = self.engine.extend(to.min(start + self.block));
        let end = self.known();
        self.statistics.add(self.engine.history().range(start, end));
        self.adapt(clock.elapsed());
        outcome.map(|()| start..end)
    }

    /// Looks for a period in all values from heap 0 on: those of `stored`, or the computation's own, which in
    /// bounded memory are no longer complete: then the search ends with what it has excluded.
    pub fn detect(&mut self, stored: Option<Slice<'_>>) {
        let history = self.engine.history();
        let own = || (history.base() == 0).then(|| history.from_zero());
        let (Some(detector), Some(values)) = (self.detector.as_mut(), stored.or_else(own)) else { return };
        if let Some(period) = detector.advance(values, self.engine.rare()) {
            self.filler = Some(Filler::new(&period, values));
        }
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
        self.block = self.block.min(largest.min(MAX_BLOCK)).max(MIN_BLOCK);
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

    /// The proven period with the values that it repeats.
    pub fn filler(&self) -> Option<&Filler> {
        self.filler.as_ref()
    }

    /// What the search for a period has ruled out, if there was one.
    pub fn excluded(&self) -> Option<Exclusion> {
        self.detector.as_ref().map(|detector| detector.excluded().stronger(self.excluded))
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
