//! Writes down what proves a period, for anyone to check.

use std::path::PathBuf;

use thiserror::Error;

use crate::Rules;
use crate::check::{Certificate, Proof, Rung, StateProof};
use crate::engine::sparse::RareSpace;
use crate::engine::{Engine, EngineError};
use crate::period::{Period, Theorem, prime_factors, state_length};
use crate::store::StoredRun;
use crate::values::Slice;

use super::{Climber, Computation, Ladder, RunError};

/// A certificate of a sequence that is at hand has a rung about so often: a checker's thread recomputes this many
/// heaps in a few seconds.
const SPACING: u64 = 1 << 22;
/// The largest number of values that one window may have.
const MAX_WINDOW: u64 = 1 << 26;

/// Why there is no certificate.
#[derive(Debug, Error)]
pub enum CertifyError {
    /// Nothing is proven yet.
    #[error("no period is proven: there is nothing to certify")]
    Unproven,
    /// The windows would be too large.
    #[error("the certificate would need a window of {0} values: there is none for this game")]
    TooLarge(u64),
    /// A window cannot be computed again.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The run cannot be read.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The run has no state.
    #[error("{}: it has no checkpoint of its last heaps; `sprague resume` makes one", .0.display())]
    NoCheckpoint(PathBuf),
}

/// The certificate of the period that a stored run has proven.
///
/// # Errors
/// [`CertifyError`].
pub fn certificate_of_run(run: &StoredRun) -> Result<Certificate, CertifyError> {
    if run.manifest().progress.period.is_none() {
        return Err(CertifyError::Unproven);
    }
    let rules: Rules = run.manifest().game.parse().map_err(RunError::from)?;
    let payload = run.payload().map_err(RunError::from)?;
    let payload = payload.ok_or_else(|| CertifyError::NoCheckpoint(run.dir().to_owned()))?;
    Computation::restore(&rules, &payload, run.values()).map_err(RunError::from)?.certificate()
}

/// Where windows of values come from.
enum Source<'a> {
    Whole(Slice<'a>),
    Ladder(Climber<'a>, &'a Ladder),
}

impl Source<'_> {
    fn window(&self, first: u64, end: u64) -> Result<Rung, CertifyError> {
        if end - first > MAX_WINDOW {
            return Err(CertifyError::TooLarge(end - first));
        }
        let values = match self {
            Source::Whole(values) => values.range(first as usize..end as usize).iter().collect(),
            Source::Ladder(climber, _) => climber.window(first, end)?,
        };
        Ok(Rung::new(end, &values))
    }
}

impl Computation {
    /// The certificate of the proven period.
    ///
    /// # Errors
    /// [`CertifyError`].
    pub fn certificate(&self) -> Result<Certificate, CertifyError> {
        let period = self.period.as_ref().ok_or(CertifyError::Unproven)?;
        let proof = match &period.theorem {
            Theorem::Window { .. } => Proof::GuySmith,
            Theorem::Tail { start, distance } => Proof::TailState { start: *start, distance: *distance },
            Theorem::State { start, window, depth, .. } => {
                Proof::StateWindow(self.state_proof(period, *start, *window, *depth)?)
            }
        };
        let Period { preperiod, period, saltus, .. } = *period;
        Ok(Certificate::new(self.rules.to_string(), preperiod, period, saltus, proof))
    }

    fn state_proof(&self, period: &Period, start: u64, window: u64, depth: u64) -> Result<StateProof, CertifyError> {
        let space = self.engine.rare().ok_or(CertifyError::Unproven)?;
        let k = self.rules.last_index().unwrap_or(0);
        let history = self.engine.history();
        let source = match history.base() {
            0 => Source::Whole(history.from_zero()),
            _ => Source::Ladder(Climber::new(&self.rules, history, space, &self.ladder), &self.ladder),
        };
        let (start, window, depth) = earliest_window(space, k, period.preperiod, (start, window, depth));
        let (early, early_depth) = first_rung(space, k);
        let reach = space.last().max(early_depth).max(depth) + k;
        // The heaps of the proof: from one before the preperiod to the end of the window, moved by the period and,
        // to show that it is the least, by its quotients by primes.
        let (first, end) = (period.preperiod.saturating_sub(1), start + window);
        let first = first.min(end.saturating_sub(reach));
        let mut spans: Vec<(u64, u64)> = vec![(first, end), (first + period.period, end + period.period)];
        spans.extend(prime_factors(period.period).iter().map(|q| period.period / q).map(|d| (first + d, end + d)));
        let last = end + period.period;
        match &source {
            Source::Whole(_) => {
                let step = SPACING.max(reach);
                spans.extend(
                    (0..).map(|i| early + i * step).take_while(|&heap| heap < last).map(|heap| (heap - reach, heap)),
                );
            }
            Source::Ladder(_, ladder) => {
                spans.push((early - reach, early));
                spans.extend(ladder.parts().0.iter().map(|rung| (rung.first(), rung.heap)));
            }
        }
        spans.retain(|&(first, end)| end >= early && end <= last && end - first >= reach);
        spans.sort_unstable_by_key(|&(first, end)| (end, first));
        spans.dedup_by_key(|&mut (_, end)| end);
        // A window must not begin before that of the rung before it, which its segment is computed from.
        let mut least = u64::MAX;
        let needed: Vec<(u64, u64)> = spans
            .into_iter()
            .rev()
            .filter(|&(first, _)| {
                let keep = first <= least;
                least = least.min(first);
                keep
            })
            .collect();
        let rungs = needed.into_iter().rev().map(|(first, end)| source.window(first, end)).collect::<Result<_, _>>()?;
        Ok(StateProof {
            mask: space.mask().bits,
            domain: space.mask().domain,
            rare: space.positions().to_vec(),
            start,
            depth,
            early_depth,
            rungs,
        })
    }
}

/// Where the window that proves the period begins, how long it is, and the depth of the witnesses from there on.
///
/// A search in bounded memory keeps windows far apart, and finds that one of them comes again long after the
/// preperiod. As all values from there on do, the theorem holds for a window there too.
fn earliest_window(space: &RareSpace, k: u64, preperiod: u64, found: (u64, u64, u64)) -> (u64, u64, u64) {
    let (start, window, _) = found;
    let earliest = preperiod.max(space.last() + 1).max(space.since());
    let length = state_length(k, space, earliest);
    if earliest + length < start + window { (earliest, length, space.depths().from(earliest)) } else { found }
}

/// The earliest heap from which on no witness is deeper than the heaps before it, and that bound.
fn first_rung(space: &RareSpace, k: u64) -> (u64, u64) {
    let earliest = space.since().max(space.last() + 1);
    let heaps = std::iter::once(earliest).chain(space.depths().steps().filter(|&n| n > earliest));
    let room = |heap: u64| {
        let depth = space.depths().from(heap);
        let reach = space.last().max(depth) + k;
        (heap.max(reach + 1), depth)
    };
    heaps.map(room).min_by_key(|&(heap, _)| heap).expect("there is at least one heap to try")
}
