//! Windows of values kept along a long run: from each, the computation can be taken up again; so a question about
//! early heaps costs a rung and not the whole run, and a proof can be checked rung by rung.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Rules;
use crate::engine::{Engine, EngineError, History, Planned};
use crate::period::{Match, Period, State, Theorem, last_misfit};
use crate::values::{Slice, Values};

use super::MAX_BLOCK;

/// The ladder is thinned to half when its windows take more bytes than this: they travel in every checkpoint.
const MAX_BYTES: usize = 16 << 20;

/// The values of the heaps just before `heap`: enough to decide `heap` and all that follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rung {
    /// The first heap that is not in the window.
    pub heap: u64,
    /// The values of the heaps before it.
    pub values: Values,
}

impl Rung {
    /// The first heap of the window.
    pub fn first(&self) -> u64 {
        self.heap - self.values.len() as u64
    }

    /// Its values.
    pub fn told(&self) -> Slice<'_> {
        self.values.as_slice()
    }
}

/// Rungs at multiples of a spacing that grows with the run.
#[derive(Clone, Debug)]
pub struct Ladder {
    rungs: Vec<Rung>,
    spacing: u64,
}

impl Ladder {
    /// A ladder without rungs; `spacing` is how far apart they are to be at first.
    pub fn new(spacing: u64) -> Ladder {
        Ladder { rungs: Vec::new(), spacing }
    }

    /// The ladder that [`Ladder::parts`] described.
    pub fn from_parts(rungs: Vec<Rung>, spacing: u64) -> Ladder {
        Ladder { rungs, spacing }
    }

    /// The rungs, ascending, and their distance.
    pub fn parts(&self) -> (&[Rung], u64) {
        (&self.rungs, self.spacing)
    }

    /// The next heap after `heap` at which a rung belongs: a computation stops there, so that it can be taken.
    pub fn next(&self, heap: u64) -> u64 {
        (heap / self.spacing + 1) * self.spacing
    }

    /// Takes a rung if one is due: the `length` values before the next heap of the history.
    pub fn take(&mut self, history: &History, length: u64) {
        let heap = history.len();
        if heap == 0 || !heap.is_multiple_of(self.spacing) || heap < history.base() + length {
            return;
        }
        let mut values = Values::new();
        values.extend(history.range(heap - length, heap));
        self.rungs.push(Rung { heap, values });
        while self.rungs.iter().map(|rung| rung.values.len() * rung.values.width().bytes()).sum::<usize>() > MAX_BYTES {
            self.spacing *= 2;
            let spacing = self.spacing;
            self.rungs.retain(|rung| rung.heap.is_multiple_of(spacing));
        }
    }
}

/// What is needed to take a computation up again at any rung.
pub struct Climber<'a> {
    rules: &'a Rules,
    /// The first values of the sequence, for witnesses.
    prefix: Values,
    state: State<'a>,
    ladder: &'a Ladder,
    /// How many values the engines on the way keep.
    window: usize,
    recomputed: AtomicU64,
}

impl<'a> Climber<'a> {
    /// `known`: the values of heaps 0 and on, as far as they are kept. `state`: that of the game by now.
    pub fn new(rules: &'a Rules, known: Slice<'_>, state: State<'a>, ladder: &'a Ladder) -> Climber<'a> {
        let longest = ladder.rungs.iter().map(|rung| rung.values.len()).max().unwrap_or(0);
        let window = (2 * longest).max(MAX_BLOCK as usize);
        let mut prefix = Values::new();
        prefix.extend(known.range(0..known.len().min(window)));
        Climber { rules, prefix, state, ladder, window, recomputed: AtomicU64::new(0) }
    }

    /// The ladder.
    pub fn ladder(&self) -> &'a Ladder {
        self.ladder
    }

    /// How many heaps have been computed once more so far.
    pub fn recomputed(&self) -> u64 {
        self.recomputed.load(Ordering::Relaxed)
    }

    /// The rungs that hold the whole state: no later heap needed a deeper witness than their windows are long.
    pub(super) fn rungs(&self) -> impl DoubleEndedIterator<Item = &'a Rung> + '_ {
        self.ladder.rungs.iter().filter(|rung| {
            let first = rung.first();
            first >= self.state.earliest() && rung.values.len() as u64 >= self.state.length(first)
        })
    }

    /// The engine at the last rung at or before `heap`, or at heap 0.
    fn engine_before(&self, heap: u64) -> Planned {
        self.engine_from(self.rungs().rev().find(|rung| rung.heap <= heap))
    }

    /// The engine at a rung that holds the whole state, or at heap 0.
    pub(super) fn engine_from(&self, rung: Option<&Rung>) -> Planned {
        let Some(rung) = rung else {
            return Planned::new(self.rules, Some(self.window));
        };
        let base = rung.first();
        let mut prefix = self.prefix.clone();
        prefix.truncate(base as usize);
        let history = History::from_parts(prefix, rung.values.clone(), base, Some(self.window));
        Planned::resume(self.rules, history, self.state.space().cloned())
    }

    /// An engine that has decided the heaps below `heap`, and holds the last of them.
    fn engine_at(&self, heap: u64) -> Result<Planned, EngineError> {
        let mut engine = self.engine_before(heap);
        self.advance(&mut engine, heap)?;
        Ok(engine)
    }

    /// Computes up to `heap`, in blocks that a bounded history can hold.
    pub(super) fn advance(&self, engine: &mut Planned, heap: u64) -> Result<(), EngineError> {
        let known = engine.history().len();
        while engine.history().len() < heap {
            let next = heap.min(engine.history().len() + MAX_BLOCK);
            engine.extend(next)?;
        }
        self.recomputed.fetch_add(engine.history().len() - known, Ordering::Relaxed);
        Ok(())
    }

    /// The values of heaps `first` to `end - 1`.
    ///
    /// # Errors
    /// [`EngineError`] if a rung's window is too short for a deep witness.
    pub fn window(&self, first: u64, end: u64) -> Result<Vec<u32>, EngineError> {
        if let Some(rung) = self.rungs().find(|rung| rung.first() <= first && end <= rung.heap) {
            let at = |heap| (heap - rung.first()) as usize;
            return Ok(rung.values.as_slice().range(at(first)..at(end)).iter().collect());
        }
        let mut engine = self.engine_at(first)?;
        let mut values = Vec::new();
        let mut at = first;
        while at < end {
            let next = end.min(at + MAX_BLOCK);
            self.advance(&mut engine, next)?;
            values.extend(engine.history().range(at, next).iter());
            at = next;
        }
        Ok(values)
    }

    /// The least preperiod of a period that is proven from `found.start` on.
    ///
    /// That the states at `n` and `n + p` are equal holds from some heap on and never before it. So halving over
    /// the rungs finds the two rungs between which it begins, and one pass over the heaps between them, at both
    /// places at once, finds the last heap that does not fit.
    ///
    /// # Errors
    /// [`EngineError`] if a rung's window is too short for a deep witness.
    pub fn period(&self, found: &Match, theorem: Theorem) -> Result<Period, EngineError> {
        let p = found.period;
        let rungs: Vec<&Rung> = self.rungs().filter(|rung| rung.heap <= found.start).collect();
        let (mut low, mut high) = (0, rungs.len());
        while low < high {
            let middle = (low + high) / 2;
            if self.agree(rungs[middle], p)? { high = middle } else { low = middle + 1 }
        }
        // The windows of the lower rung differ: the last misfit is in that window or later.
        let start = low.checked_sub(1).map_or(0, |i| rungs[i].first());
        let end = rungs.get(low).map_or(found.start, |rung| rung.heap);
        let preperiod = self.last_misfit(start, end, p)?.map_or(start, |n| n + 1);
        Ok(Period { preperiod, period: p, saltus: 0, theorem })
    }

    /// Whether the window of a rung comes again `p` heaps later.
    fn agree(&self, rung: &Rung, p: u64) -> Result<bool, EngineError> {
        let engine = self.engine_at(rung.heap + p)?;
        Ok(engine.history().range(rung.first() + p, rung.heap + p) == rung.values.as_slice())
    }

    /// The last heap `n` of `start..end` with `g(n + p) != g(n)`.
    fn last_misfit(&self, start: u64, end: u64, p: u64) -> Result<Option<u64>, EngineError> {
        let (mut near, mut far) = (self.engine_at(start)?, self.engine_at(start + p)?);
        let mut last = None;
        let mut at = start;
        while at < end {
            let next = end.min(at + MAX_BLOCK);
            self.advance(&mut near, next)?;
            self.advance(&mut far, next + p)?;
            let (a, b) = (near.history().range(at, next), far.history().range(at + p, next + p));
            last = last_misfit(a, b).map(|i| at + i as u64).or(last);
            at = next;
        }
        Ok(last)
    }
}
