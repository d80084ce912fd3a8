//! Finds a period in bounded memory: the window of the state, kept at some heaps, is looked for in all that follows.
//!
//! Where the whole window comes again, the state comes again, and the theorem of the state window proves the
//! period: see [`crate::period`]. The first place where it does is at the distance of the least period, since all
//! periods bring the window back.

use std::collections::VecDeque;

use memchr::arch::all::packedpair::HeuristicFrequencyRank;
use memchr::memmem::{Finder, FinderBuilder};
use serde::{Deserialize, Serialize};

use crate::engine::History;
use crate::for_width;
use crate::values::{Cell, Slice, Values};

use super::{Exclusion, Match, State, Theorem};

/// Windows are kept at heaps that grow by this fraction, an eighth: a period is found at most so much later than
/// it could be.
const SPACING: u64 = 8;
/// How many windows are looked for at a time: the heaps of these span a factor of more than two.
const WINDOWS: usize = 7;
/// The least length of a window: shorter ones come again by chance.
const MIN_WINDOW: u64 = 1 << 8;
/// A longer window is not kept: the games that need one are better computed with their values stored.
const MAX_WINDOW: u64 = 1 << 24;

/// The values of heaps `at`, `at + 1`, ..., waiting to come again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Window {
    at: u64,
    /// All distances up to this one have been ruled out.
    excluded: u64,
    /// Saved beside the rest, in fewer bytes.
    #[serde(skip)]
    pub(crate) values: Values,
    /// Looks for the low bytes of the values. Made once: it reads all of them.
    #[serde(skip)]
    finder: Option<Finder<'static>>,
}

/// The search for a recurrence of the state.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Recurrence {
    place: u64,
    pub(crate) windows: VecDeque<Window>,
    retired: Exclusion,
}

impl Recurrence {
    /// A search that keeps its first window when `place` heaps are known.
    pub fn new(place: u64) -> Recurrence {
        Recurrence { place: place.max(MIN_WINDOW), windows: VecDeque::new(), retired: Exclusion::default() }
    }

    /// Takes note of the heaps from `from` on, which have been decided since the last call. `state`: that of the game.
    pub fn advance(&mut self, history: &History, from: u64, state: State<'_>) -> Option<(Match, Theorem)> {
        let len = history.len();
        let mut failed = Vec::new();
        for (i, window) in self.windows.iter_mut().enumerate() {
            let Some(place) = window.find(history, from) else {
                window.excluded = (len - window.at).saturating_sub(window.values.len() as u64);
                continue;
            };
            let found = Match {
                start: window.at,
                period: place - window.at,
                saltus: 0,
                end: window.at + window.values.len() as u64,
            };
            if let Some(theorem) = state.prove(&found) {
                return Some((found, theorem));
            }
            // Too short a window: the state is longer. It only grows, so this window has no more to say.
            window.excluded = found.period - 1;
            failed.push(i);
        }
        for window in failed.into_iter().rev().filter_map(|i| self.windows.remove(i)) {
            self.retired = self.retired.stronger(window.exclusion());
        }
        self.keep_window(history, state);
        None
    }

    fn keep_window(&mut self, history: &History, state: State<'_>) {
        let len = history.len();
        let length = state.roomy_length(len / 2).max(MIN_WINDOW);
        // A window and a block of new heaps must fit into the history, so that no place is passed over.
        let longest = history.window().map_or(MAX_WINDOW, |window| MAX_WINDOW.min(window as u64 / 2));
        if len < self.place || length > longest || len < state.earliest() + length {
            return;
        }
        let at = len - length;
        let mut values = Values::new();
        values.extend(history.range(at, len));
        self.windows.push_back(Window { at, values, excluded: 0, finder: None });
        self.place = len + len / SPACING;
        if self.windows.len() > WINDOWS
            && let Some(old) = self.windows.pop_front()
        {
            self.retired = self.retired.stronger(old.exclusion());
        }
    }

    /// What has been ruled out.
    pub fn excluded(&self) -> Exclusion {
        self.windows.iter().map(Window::exclusion).fold(self.retired, Exclusion::stronger)
    }
}

impl Window {
    fn exclusion(&self) -> Exclusion {
        Exclusion { max_preperiod: self.at, max_period: self.excluded }
    }

    /// The first heap at which all of the window comes again and ends at `from` or later.
    fn find(&mut self, history: &History, from: u64) -> Option<u64> {
        let values = self.values.as_slice();
        let start = (from + 1).saturating_sub(values.len() as u64).max(self.at + 1).max(history.base());
        let text = bytes(history.range(start, history.len()));
        let finder = self.finder.get_or_insert_with(|| finder(values));
        let mut tried = 0;
        while let Some(i) = finder.find(&text[tried..]) {
            let place = start + (tried + i) as u64;
            // Bytes of wider values are only part of them.
            if history.range(place, place + values.len() as u64) == values {
                return Some(place);
            }
            tried += i + 1;
        }
        None
    }
}

fn finder(values: Slice<'_>) -> Finder<'static> {
    let ranks = Ranks::of(values);
    FinderBuilder::new().build_forward_with_ranker(&ranks, &bytes(values)).into_owned()
}

/// The low byte of each value.
fn bytes(values: Slice<'_>) -> std::borrow::Cow<'_, [u8]> {
    match values {
        Slice::U8(v) => v.into(),
        _ => for_width!(Slice, values, v => v.iter().map(|v| v.value() as u8).collect()),
    }
}

/// How frequent each byte is, so that the search looks for the rarest of the needle first.
struct Ranks([u8; 256]);

impl Ranks {
    fn of(values: Slice<'_>) -> Ranks {
        const SAMPLE: usize = 1 << 14;
        let mut counts = [0usize; 256];
        bytes(values.range(0..values.len().min(SAMPLE))).iter().for_each(|&b| counts[usize::from(b)] += 1);
        let mut order: Vec<usize> = (0..256).collect();
        order.sort_by_key(|&b| counts[b]);
        let mut ranks = [0; 256];
        order.iter().enumerate().for_each(|(rank, &b)| ranks[b] = rank as u8);
        Ranks(ranks)
    }
}

impl HeuristicFrequencyRank for &Ranks {
    fn rank(&self, byte: u8) -> u8 {
        self.0[usize::from(byte)]
    }
}
