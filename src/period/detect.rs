//! Finds periods while a sequence grows.
//!
//! A *tortoise* stands at some heap and waits for the values from there on to come again: the distance to the
//! next place where they do is the only candidate for a period of what follows. A candidate is followed as long
//! as it holds. When it fails, the next one must agree with the tortoise for longer than the failed one did, so
//! the needle grows with every failure and the search stays linear. Tortoises are set at geometrically growing
//! heaps and live until the sequence has become several times as long, so that preperiods of any length are met.

use std::borrow::Cow;

use memchr::memmem;
use serde::{Deserialize, Serialize};

use crate::Rules;
use crate::engine::sparse::RareSpace;
use crate::for_width;
use crate::rules::LEAVE_THREE;
use crate::values::{Cell, Slice};

use super::reduce::{first_fit, first_misfit, fits, least};
use super::{Period, prove};

/// The first tortoise's heap.
const FIRST: usize = 4;
/// Every tortoise stands this much further than the last: a quarter. Closer ones find periods a little earlier
/// and cost a search each.
const SPACING: usize = 4;
/// A tortoise at `T` without a candidate retires at this multiple of `T`: the next ones see the same periods.
const LIFE: usize = 4;
/// How many values must come again before a candidate is looked at.
const NEEDLE: usize = 24;

/// Equality that has been seen: `g(n + period) = g(n) + saltus` for `start <= n < end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Where it begins to hold.
    pub start: u64,
    /// The distance.
    pub period: u64,
    /// What is added.
    pub saltus: u64,
    /// Up to where it was checked, exclusive.
    pub end: u64,
}

/// What has been ruled out: a period of at most `max_period` together with a preperiod of at most `max_preperiod`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exclusion {
    /// Preperiods up to this one are excluded ...
    pub max_preperiod: u64,
    /// ... with periods up to this one.
    pub max_period: u64,
}

impl Exclusion {
    /// Of two exclusions, the one whose smaller number is larger.
    pub fn stronger(self, other: Exclusion) -> Exclusion {
        std::cmp::max_by_key(self, other, |e| e.max_preperiod.min(e.max_period))
    }
}

struct Tortoise {
    at: usize,
    /// How many values from `at` on a candidate must repeat.
    needle: usize,
    /// The next place where the needle may come again.
    next: usize,
    candidate: Option<Match>,
}

/// The search for a period of one sequence.
pub struct Detector {
    rules: Rules,
    /// Whether values may grow for ever: then differences are searched, and not values.
    growing: bool,
    tortoises: Vec<Tortoise>,
    place: usize,
    retired: Exclusion,
}

impl Detector {
    /// A detector for the values of a game.
    pub fn new(rules: &Rules) -> Detector {
        let growing = !rules.tail().is_empty() || rules.prefix().iter().any(|d| d & LEAVE_THREE != 0);
        Detector { rules: rules.clone(), growing, tortoises: Vec::new(), place: FIRST, retired: Exclusion::default() }
    }

    /// Takes note of all values of heaps from 0 on that are known by now, and returns the period if it is proven.
    /// `space`: the rare positions, if the values were computed with them.
    pub fn advance(&mut self, values: Slice<'_>, space: Option<&RareSpace>) -> Option<Period> {
        while self.place <= values.len() {
            let (at, next) = (self.place, self.place + 1);
            self.tortoises.push(Tortoise { at, needle: NEEDLE, next, candidate: None });
            self.place += (self.place / SPACING).max(1);
        }
        self.retire(values.len());
        let growing = self.growing;
        self.tortoises.iter_mut().for_each(|tortoise| tortoise.advance(values, growing));
        self.matches()
            .find_map(|found| prove(&self.rules, found, space, values).map(|theorem| least(found, theorem, values)))
    }

    /// The candidates that hold up to now, the earliest tortoise's first.
    fn matches(&self) -> impl Iterator<Item = &Match> {
        self.tortoises.iter().filter_map(|tortoise| tortoise.candidate.as_ref())
    }

    /// The regularity that holds over the longest stretch so far, whether or not a theorem proves it: a full
    /// period at the least, and half of what is known.
    pub fn observed(&self, values: Slice<'_>) -> Option<Match> {
        self.matches().find(|m| m.start + m.period <= m.end && m.start <= values.len() as u64 / 2).copied()
    }

    /// What has been ruled out by now: of all that the tortoises exclude, the pair whose smaller number is largest.
    pub fn excluded(&self) -> Exclusion {
        self.tortoises.iter().map(Tortoise::excluded).fold(self.retired, Exclusion::stronger)
    }

    fn retire(&mut self, len: usize) {
        let done = |t: &Tortoise| t.candidate.is_none() && len > LIFE * t.at + NEEDLE;
        let retiring = self.tortoises.iter().filter(|t| done(t));
        self.retired = retiring.map(Tortoise::excluded).fold(self.retired, Exclusion::stronger);
        self.tortoises.retain(|t| !done(t));
    }
}

impl Tortoise {
    fn advance(&mut self, values: Slice<'_>, growing: bool) {
        loop {
            if let Some(mut found) = self.candidate.take() {
                let known = values.len() as u64 - found.period;
                found.end = first_misfit(values, found.end..known, found.period, found.saltus).unwrap_or(known);
                if found.end == known {
                    self.candidate = Some(found);
                    return;
                }
                let held = found.end as usize - self.at;
                self.needle = self.needle.max(held + held / 4 + 1);
                self.next = self.at + found.period as usize + 1;
            }
            let Some(place) = self.search(values, growing) else { return };
            self.next = place;
            self.candidate = self.candidate_at(values, place);
            if self.candidate.is_none() {
                self.next = place + 1;
            }
        }
    }

    /// The next place, from `next` on, where the needle comes again, if it is known in full.
    fn search(&mut self, values: Slice<'_>, growing: bool) -> Option<usize> {
        let len = values.len();
        if self.next + self.needle > len {
            return None;
        }
        let needle = fingerprint(values.range(self.at..self.at + self.needle), growing);
        let text = fingerprint(values.range(self.next..len), growing);
        match memmem::find(&text, &needle) {
            Some(offset) => Some(self.next + offset),
            None => {
                self.next = len - self.needle + 1;
                None
            }
        }
    }

    /// The candidate that a place of equal fingerprints stands for, if the values are as equal.
    fn candidate_at(&self, values: Slice<'_>, place: usize) -> Option<Match> {
        let period = (place - self.at) as u64;
        let saltus = u64::from(values.get(place).checked_sub(values.get(self.at))?);
        let range = self.at as u64..(self.at + self.needle) as u64;
        let end = range.end;
        range.clone().all(|n| fits(values, n, period, saltus)).then(|| Match {
            start: first_fit(values, range.start, period, saltus),
            period,
            saltus,
            end,
        })
    }

    /// A period with a preperiod of at most `at` makes the needle come again at that distance.
    fn excluded(&self) -> Exclusion {
        let first_possible = self.candidate.map_or(self.next - self.at, |found| found.period as usize);
        Exclusion { max_preperiod: self.at as u64, max_period: first_possible as u64 - 1 }
    }
}

/// One byte for every value (or every difference of two neighbours): equal values have equal bytes.
fn fingerprint(values: Slice<'_>, growing: bool) -> Cow<'_, [u8]> {
    let fold = |v: u32| (v ^ v >> 8) as u8;
    match values {
        _ if growing => {
            for_width!(Slice, values, v => v.windows(2).map(|w| fold(w[1].value().wrapping_sub(w[0].value()))).collect())
        }
        Slice::U8(v) => Cow::Borrowed(v),
        _ => for_width!(Slice, values, v => v.iter().map(|v| fold(v.value())).collect()),
    }
}
