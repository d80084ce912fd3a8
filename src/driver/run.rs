//! A run: a computation that writes its values and its state to a run directory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use thiserror::Error;

use crate::Rules;
use crate::engine::{Engine, EngineError, History};
use crate::rules::ParseError;
use crate::statistics::Statistics;
use crate::store::{Manifest, Plan, Progress, RunDir, Settings, StoreError};
use crate::values::{Slice, Width};

use super::{Computation, MAX_BLOCK, StateError};

/// How many heaps are filled from a period between two looks at the clock or at signals.
const FILL: u64 = 1 << 26;

/// What a new run is to do.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// The last heap.
    pub to: u64,
    /// Whether the values are stored.
    pub keep_values: bool,
    /// How many values are kept in memory at either end, where the game allows it.
    pub window: usize,
    /// Whether a period is looked for, and the rest filled in from it.
    pub detect: bool,
}

/// Why a run cannot go on.
#[derive(Debug, Error)]
pub enum RunError {
    /// The run directory.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The engine. What was computed before can be saved.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The state in a checkpoint.
    #[error(transparent)]
    State(#[from] StateError),
    /// The game in a manifest.
    #[error("the manifest's game cannot be read: {0}")]
    Game(#[from] ParseError),
    /// The run has no state.
    #[error("{}: it has no checkpoint of its last heaps; `sprague resume` makes one", .0.display())]
    NoCheckpoint(PathBuf),
}

/// A run that is being computed.
pub struct Run {
    computation: Computation,
    dir: RunDir,
    /// The first heap that is not wanted.
    end: u64,
    seconds_before: f64,
    since: Instant,
}

impl Run {
    /// Starts a run in a directory that holds none.
    ///
    /// # Errors
    /// [`RunError::Store`].
    pub fn create(rules: &Rules, dir: &Path, plan: &RunPlan) -> Result<Run, RunError> {
        let settings = Settings { window: Some(plan.window), detect: plan.detect };
        let computation = Computation::new(rules, settings.window, settings.detect);
        let window = (plan.window as u64).max(MAX_BLOCK).min(plan.to.saturating_add(1));
        let dir = RunDir::create(
            dir,
            &Plan {
                game: rules.to_string(),
                to: plan.to,
                keep_values: plan.keep_values,
                settings,
                width: Width::U8,
                checkpoint_bytes: if plan.keep_values { 0 } else { 3 * window },
            },
        )?;
        Ok(Run { computation, dir, end: plan.to.saturating_add(1), seconds_before: 0.0, since: Instant::now() })
    }

    /// Goes on with a run, after a clean stop or any other. Also returns what was lost and why, for the user.
    ///
    /// # Errors
    /// [`RunError`], if there is no run, or none that this program can go on with.
    pub fn open(dir: &Path) -> Result<(Run, Vec<String>), RunError> {
        let recovered = RunDir::open(dir)?;
        let (manifest, stored) = (recovered.run.manifest(), recovered.run.values());
        let rules: Rules = manifest.game.parse()?;
        let computation = match recovered.payload {
            Some(payload) => Computation::restore(&rules, &payload, stored)?,
            None => from_values(&rules, stored.unwrap_or(Slice::U8(&[])), manifest.settings),
        };
        let (end, seconds_before) = (manifest.to.saturating_add(1), manifest.progress.seconds);
        let run = Run { computation, dir: recovered.run, end, seconds_before, since: Instant::now() };
        Ok((run, recovered.warnings))
    }

    /// Lets the run go on to heap `to`.
    ///
    /// # Errors
    /// [`RunError::Store`], if the run goes further already or the disk has no room.
    pub fn extend(&mut self, to: u64) -> Result<(), RunError> {
        self.dir.extend(to)?;
        self.end = to.saturating_add(1);
        Ok(())
    }

    /// The computation.
    pub fn computation(&self) -> &Computation {
        &self.computation
    }

    /// The run as of its last checkpoint.
    pub fn manifest(&self) -> &Manifest {
        self.dir.manifest()
    }

    /// How many heaps are decided and, if values are kept, stored.
    pub fn done(&self) -> u64 {
        self.dir.done()
    }

    /// Whether all heaps are decided.
    pub fn is_complete(&self) -> bool {
        self.done() >= self.end
    }

    /// Computes and stores one more block, or fills one in from a proven period. Where the engine needs values that its
    /// window has dropped, and the run stores them, the window is made larger.
    ///
    /// # Errors
    /// [`RunError::Engine`] or [`RunError::Store`]; [`Run::finish`] can still save what is decided.
    pub fn step(&mut self) -> Result<(), RunError> {
        if self.computation.filler().is_some() {
            return self.fill();
        }
        let start = self.done();
        let outcome = self.computation.compute(self.end);
        self.dir.append(self.computation.engine().history().range(start, self.computation.known()))?;
        self.computation.detect(start, self.dir.values())?;
        match (outcome, self.dir.values()) {
            (Err(EngineError::Window { .. }), Some(stored)) => self.computation.read_back(stored),
            (outcome, _) => outcome.map(drop)?,
        }
        Ok(())
    }

    fn fill(&mut self) -> Result<(), RunError> {
        let filler = self.computation.filler().expect("the caller looked");
        let start = self.done();
        if !self.dir.manifest().keep_values {
            self.computation.count_filled(start..self.end);
            self.dir.skip(self.end - start);
            return Ok(());
        }
        if let Some(heap) = filler.overflow(start..self.end) {
            if heap == start {
                return Err(EngineError::Value { heap }.into());
            }
            self.end = heap;
        }
        let end = self.end.min(start + FILL);
        while self.dir.done() < end {
            let values = filler.next(self.dir.done()..end);
            self.dir.append(values.as_slice())?;
        }
        self.computation.count_filled(start..end);
        Ok(())
    }

    /// Saves the state, so that nothing before is lost whatever happens.
    ///
    /// # Errors
    /// [`RunError::Store`]; then the checkpoint before is still there.
    pub fn checkpoint(&mut self) -> Result<(), RunError> {
        let (state, progress) = self.state();
        Ok(self.dir.checkpoint(&state, progress)?)
    }

    /// Stops cleanly, at the end of the run or before it.
    ///
    /// # Errors
    /// As [`Run::checkpoint`].
    pub fn finish(self) -> Result<Manifest, RunError> {
        let (state, progress) = self.state();
        Ok(self.dir.finish(&state, progress)?)
    }

    fn state(&self) -> (Vec<u8>, Progress) {
        let computation = &self.computation;
        let rare = computation.engine().rare();
        let statistics = computation.statistics();
        let counts = statistics.counts.as_ref();
        let progress = Progress {
            engine: Some(computation.engine().name().to_owned()),
            kernel: Some(computation.engine().kernel().to_owned()),
            seconds: self.seconds_before + self.since.elapsed().as_secs_f64(),
            value_counts: counts
                .map(|c| (0..).zip(c.iter().copied()).filter(|&(_, n)| n > 0).collect::<BTreeMap<_, _>>()),
            milestones: statistics.milestones.clone(),
            max_value: statistics.max_value,
            max_at: statistics.max_at,
            records: statistics.records.clone(),
            mask: rare.map(|space| space.mask()),
            rare: rare.map(|space| space.positions().to_vec()).unwrap_or_default(),
            period: computation.period().cloned(),
            excluded: computation.excluded().filter(|_| computation.period().is_none()),
        };
        (computation.save(!self.dir.manifest().keep_values), progress)
    }
}

/// A computation whose checkpoints are lost and whose values are not.
fn from_values(rules: &Rules, stored: Slice<'_>, settings: Settings) -> Computation {
    let fresh = Computation::new(rules, settings.window, settings.detect);
    if stored.is_empty() {
        return fresh;
    }
    let history = History::of(stored, fresh.engine().history().window());
    Computation::resume(rules, history, None, Statistics::of(stored), settings.detect)
}
