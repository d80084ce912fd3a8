//! Writes down what proves a period, for anyone to check.

use thiserror::Error;

use crate::Rules;
use crate::check::{Certificate, MAX_VALUES, Proof, Rung, StateProof};
use crate::engine::{Engine, EngineError};
use crate::period::{Period, State, Theorem, prime_factors};
use crate::store::StoredRun;
use crate::values::Slice;

use super::{Climber, Computation, RunError};

/// A certificate of a sequence that is at hand has a rung about so often: a checker's thread recomputes this many
/// heaps in a few seconds.
const SPACING: u64 = 1 << 22;
/// A run has more rungs than this if its windows are short: every so many of them are enough for a checker.
const MAX_RUNGS: usize = 1 << 12;

/// Why there is no certificate.
#[derive(Debug, Error)]
pub enum CertifyError {
    /// Nothing is proven yet.
    #[error("no period is proven: there is nothing to certify")]
    Unproven,
    /// The windows would be too large.
    #[error("the certificate would need {0} values, more than a check has room for: there is none for this game")]
    TooLarge(u64),
    /// A window cannot be computed again.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The run cannot be read.
    #[error(transparent)]
    Run(#[from] RunError),
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
    let payload = payload.ok_or_else(|| RunError::NoCheckpoint(run.dir().to_owned()))?;
    Computation::restore(&rules, &payload, run.values()).map_err(RunError::from)?.certificate_with(run.values())
}

/// Where windows of values come from.
pub(super) enum Source<'a> {
    Whole(Slice<'a>),
    Ladder(&'a Climber<'a>),
}

impl Source<'_> {
    fn window(&self, first: u64, end: u64) -> Result<Rung, CertifyError> {
        let values = match self {
            Source::Whole(values) => values.range(first as usize..end as usize).iter().collect(),
            Source::Ladder(climber) => climber.window(first, end)?,
        };
        Ok(Rung::new(end, &values))
    }

    /// Windows of `reach` values along the heaps from `early` to `last`, so that a checker has parts to share.
    fn rungs(&self, early: u64, last: u64, reach: u64) -> Vec<(u64, u64)> {
        match self {
            Source::Whole(_) => {
                let step = SPACING.max(reach);
                (0..)
                    .map(|i| early + i * step)
                    .take_while(|&heap| heap < last)
                    .map(|heap| (heap - reach, heap))
                    .collect()
            }
            Source::Ladder(climber) => {
                let rungs = climber.ladder().parts().0;
                let some = rungs.iter().step_by(rungs.len().div_ceil(MAX_RUNGS).max(1));
                std::iter::once((early - reach, early)).chain(some.map(|rung| (rung.first(), rung.heap))).collect()
            }
        }
    }
}

impl Computation {
    /// The certificate of the proven period.
    ///
    /// # Errors
    /// [`CertifyError`].
    pub fn certificate(&self) -> Result<Certificate, CertifyError> {
        self.certificate_with(None)
    }

    /// The same, from the values of heaps 0 and on, if these are stored.
    fn certificate_with(&self, stored: Option<Slice<'_>>) -> Result<Certificate, CertifyError> {
        let period = self.period.as_ref().ok_or(CertifyError::Unproven)?;
        let proof = match period.theorem {
            Theorem::Tail { start, distance } => Proof::TailState { start, distance },
            Theorem::State { .. } => Proof::StateWindow(self.state_proof(period, stored)?),
            // What the definition gives in a moment needs no windows.
            Theorem::Window { heaps: 1 } if period.preperiod + period.period > SPACING => {
                Proof::StateWindow(self.state_proof(period, stored)?)
            }
            Theorem::Window { .. } => Proof::GuySmith,
        };
        let Period { preperiod, period, saltus, .. } = *period;
        Ok(Certificate::new(self.rules.to_string(), preperiod, period, saltus, proof))
    }

    /// The windows that prove the period without the values before them.
    pub(crate) fn state_proof(&self, period: &Period, stored: Option<Slice<'_>>) -> Result<StateProof, CertifyError> {
        let history = self.engine.history();
        let own = (history.base() == 0).then(|| history.from_zero());
        match stored.or(own) {
            Some(values) => self.state_proof_from(period, &Source::Whole(values)),
            None => self.state_proof_from(period, &Source::Ladder(&self.climber().ok_or(CertifyError::Unproven)?)),
        }
    }

    pub(super) fn state_proof_from(&self, period: &Period, source: &Source<'_>) -> Result<StateProof, CertifyError> {
        let state = self.state().ok_or(CertifyError::Unproven)?;
        let (start, window, depth) = earliest_window(state, period);
        let FirstRung { heap: early, depth: early_depth, length } = first_rung(state);
        let reach = length.max(window);
        // The heaps of the proof: from one before the preperiod to the end of the window, moved by the period and,
        // to show that it is the least, by its quotients by primes.
        let (first, end) = (period.preperiod.saturating_sub(1), start + window);
        let first = first.min(end.saturating_sub(reach));
        let last = end + period.period;
        let mut spans: Vec<(u64, u64)> = vec![(first, end), (first + period.period, last)];
        spans.extend(prime_factors(period.period).iter().map(|q| period.period / q).map(|d| (first + d, end + d)));
        spans.extend(source.rungs(early, last, reach));
        spans.retain(|&(first, end)| end >= early && end <= last && end - first >= reach);
        let spans = in_order(spans);
        let values = spans.first().map_or(0, |span| span.1) + spans.iter().map(|(first, end)| end - first).sum::<u64>();
        if values > MAX_VALUES {
            return Err(CertifyError::TooLarge(values));
        }
        let rungs = spans.into_iter().map(|(first, end)| source.window(first, end));
        Ok(StateProof {
            mask: state.space().map(|space| space.mask().bits),
            domain: state.space().and_then(|space| space.mask().domain),
            rare: state.space().map(|space| space.positions().to_vec()).unwrap_or_default(),
            start,
            depth,
            early_depth,
            rungs: rungs.collect::<Result<_, _>>()?,
        })
    }
}

/// The spans by their ends, each end once, without those that begin before the one before them: the segment of a window
/// is computed from the window before it.
fn in_order(mut spans: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    spans.sort_unstable_by_key(|&(first, end)| (end, first));
    spans.dedup_by_key(|&mut (_, end)| end);
    let mut least = u64::MAX;
    spans.reverse();
    spans.retain(|&(first, _)| {
        let keep = first <= least;
        least = least.min(first);
        keep
    });
    spans.reverse();
    spans
}

/// Where the window that proves the period begins, how long it is, and the depth of the witnesses from there on.
///
/// A search in bounded memory keeps windows far apart, and finds that one of them comes again long after the
/// preperiod. As all values from there on do, the theorem holds for a window there too.
fn earliest_window(state: State<'_>, period: &Period) -> (u64, u64, u64) {
    let earliest = period.preperiod.max(state.earliest());
    let length = state.length(earliest);
    match period.theorem {
        Theorem::State { start, window, depth, .. } if start + window <= earliest + length => (start, window, depth),
        _ => (earliest, length, state.depth(earliest)),
    }
}

/// The earliest heap that a rung can stand before.
pub(super) struct FirstRung {
    pub(super) heap: u64,
    /// The deepest witness from there on.
    depth: u64,
    /// The length of the state.
    pub(super) length: u64,
}

/// The earliest heap from which on the state is no longer than the heaps before it are many.
pub(super) fn first_rung(state: State<'_>) -> FirstRung {
    let room = |start: u64| {
        let length = state.length(start);
        FirstRung { heap: start.max(length + 1), depth: state.depth(start), length }
    };
    state.starts(0).map(room).min_by_key(|rung| rung.heap).expect("there is at least one heap to try")
}
