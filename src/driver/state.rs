//! What a computation needs to go on, as bytes for a checkpoint.
//!
//! Layout: u32 length of the header, little-endian; the header, a JSON object ([`Header`]); then, if values are
//! included, those of the prefix and the recent ones, each `width` bytes, little-endian.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Rules;
use crate::engine::sparse::RareSpace;
use crate::engine::{Engine, History};
use crate::for_width;
use crate::period::{Exclusion, Filler, Period, Recurrence};
use crate::statistics::Statistics;
use crate::values::{Cell, Slice, Values, Width};

use super::{Computation, Ladder, MIN_WINDOW, Rung};

/// A checkpoint whose payload does not make sense, though its checksum holds: another version wrote it.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("the checkpoint's state cannot be read ({0}): it was made by another version of sprague; start the run again")]
pub struct StateError(String);

#[derive(Serialize, Deserialize)]
struct Header {
    space: Option<RareSpace>,
    statistics: Statistics,
    period: Option<Period>,
    excluded: Option<Exclusion>,
    /// How many values the computation has decided; a run that fills from a period has more.
    known: u64,
    /// Whether a period is looked for.
    detect: bool,
    /// How many values are kept in memory at either end.
    window: Option<usize>,
    /// Only in runs that keep no values.
    values: Option<Kept>,
}

#[derive(Serialize, Deserialize)]
struct Kept {
    base: u64,
    width: usize,
    prefix: usize,
    recent: usize,
    spacing: u64,
    /// The heap of each rung and how many values it has.
    rungs: Vec<(u64, usize)>,
    recurrence: Option<Recurrence>,
    /// How many values each of its windows has.
    windows: Vec<usize>,
}

impl Computation {
    /// The state as bytes. `with_values`: include the values that are kept in memory, for a run that does not
    /// store them.
    pub fn save(&self, with_values: bool) -> Vec<u8> {
        let history = self.engine.history();
        let (prefix, recent, base) = history.parts();
        let kept = with_values.then(|| Kept {
            base,
            width: recent.width().bytes(),
            prefix: prefix.len(),
            recent: recent.len(),
            spacing: self.ladder.parts().1,
            rungs: self.ladder.parts().0.iter().map(|rung| (rung.heap, rung.values.len())).collect(),
            recurrence: self.recurrence.clone(),
            windows: self.recurrence.iter().flat_map(|r| &r.windows).map(|window| window.values.len()).collect(),
        });
        let header = Header {
            space: self.engine.rare().cloned(),
            statistics: self.statistics.clone(),
            period: self.period.clone(),
            excluded: self.excluded(),
            known: self.known(),
            detect: self.detector.is_some(),
            window: history.window(),
            values: kept,
        };
        let json = serde_json::to_vec(&header).expect("the header is plain data");
        let mut bytes = (json.len() as u32).to_le_bytes().to_vec();
        bytes.extend(json);
        if with_values {
            let rungs = self.ladder.parts().0.iter().map(|rung| &rung.values);
            let windows = self.recurrence.iter().flat_map(|r| &r.windows).map(|window| &window.values);
            let runs = [prefix, recent].into_iter().chain(rungs).chain(windows);
            // At once: growing step by step takes up to twice the memory.
            bytes.reserve_exact(runs.clone().map(Values::len).sum::<usize>() * recent.width().bytes());
            for values in runs {
                write_values(&mut bytes, values.as_slice(), recent.width());
            }
        }
        bytes
    }

    /// Goes on from what [`Computation::save`] gave. `stored`: the values of heaps from 0 on, if the state has none.
    ///
    /// # Errors
    /// [`StateError`] if the bytes are no such state, or if values are missing.
    pub fn restore(rules: &Rules, bytes: &[u8], stored: Option<Slice<'_>>) -> Result<Computation, StateError> {
        let (header, raw) = header(bytes)?;
        let (history, long) = match (&header.values, stored) {
            (Some(kept), _) => kept.read(raw, header.window).ok_or_else(|| bad("its values are cut short"))?,
            (None, Some(stored)) if stored.len() as u64 >= header.known => {
                (History::of(stored.range(0..header.known as usize), header.window), None)
            }
            (None, _) => return Err(bad("its values are missing")),
        };
        if history.len() != header.known {
            return Err(bad("its counts do not agree"));
        }
        let from_zero = stored.unwrap_or(history.from_zero());
        let at_hand = |period: &&Period| period.preperiod.saturating_add(period.period) <= from_zero.len() as u64;
        let filler = header.period.as_ref().filter(at_hand).map(|period| Filler::new(period, from_zero));
        if filler.is_none() && stored.is_some_and(|stored| stored.len() as u64 > header.known) {
            return Err(bad("it has no period that gives the values after its own"));
        }
        let mut computation = Computation::resume(rules, history, header.space, header.statistics, header.detect);
        computation.period = header.period;
        computation.filler = filler;
        if let Some(Long { ladder, recurrence }) = long {
            computation.ladder = ladder;
            computation.recurrence = recurrence;
        }
        computation.excluded = header.excluded.unwrap_or_default();
        Ok(computation)
    }
}

impl Header {
    /// Whether the numbers can be reckoned with: a state that was not damaged has no others.
    fn makes_sense(&self) -> bool {
        let rare = self.space.as_ref().is_none_or(|space| {
            let positions = space.positions();
            let places = positions.is_sorted_by(|a, b| a < b) && positions.last().is_none_or(|&last| last < self.known);
            places && space.values().len() == positions.len() && space.mask().bits != 0
        });
        let period = self.period.as_ref().is_none_or(|period| {
            let known = period.preperiod.checked_add(period.period).is_some_and(|end| end <= self.known);
            // No play from n tokens is longer than 2n, and no nim-value larger.
            known && period.period > 0 && period.saltus / 2 <= period.period
        });
        let window = self.window.is_none_or(|window| (MIN_WINDOW..=usize::MAX / 2).contains(&window));
        rare && period && window
    }
}

fn bad(what: &str) -> StateError {
    StateError(what.to_owned())
}

/// The header of a state, and what follows it.
fn header(bytes: &[u8]) -> Result<(Header, &[u8]), StateError> {
    let (length, rest) = bytes.split_first_chunk::<4>().ok_or_else(|| bad("it is cut short"))?;
    let (json, raw) =
        rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or_else(|| bad("it is cut short"))?;
    let header: Header = serde_json::from_slice(json).map_err(|e| bad(&e.to_string()))?;
    if header.makes_sense() { Ok((header, raw)) } else { Err(bad("it has a number that makes no sense")) }
}

/// The rare heaps of a saved state, if it has any.
pub(super) fn space_of(bytes: &[u8]) -> Result<Option<RareSpace>, StateError> {
    Ok(header(bytes)?.0.space)
}

/// What a run in bounded memory has besides its values.
struct Long {
    ladder: Ladder,
    recurrence: Option<Recurrence>,
}

impl Kept {
    fn read(&self, raw: &[u8], window: Option<usize>) -> Option<(History, Option<Long>)> {
        let mut rest = raw;
        let mut next = |count: usize| {
            let (bytes, after) = rest.split_at_checked(count.checked_mul(self.width)?)?;
            rest = after;
            read_values(bytes, self.width)
        };
        let (prefix, recent) = (next(self.prefix)?, next(self.recent)?);
        let rung = |&(heap, count): &(u64, usize)| Some(Rung { heap, values: next(count)? });
        let rungs: Option<Vec<Rung>> = self.rungs.iter().map(rung).collect();
        let ladder = Ladder::from_parts(rungs?, self.spacing);
        let mut recurrence = self.recurrence.clone();
        for (window, &count) in recurrence.iter_mut().flat_map(|r| &mut r.windows).zip(&self.windows) {
            window.values = next(count)?;
        }
        let history = History::from_parts(prefix, recent, self.base, window);
        rest.is_empty().then_some((history, Some(Long { ladder, recurrence })))
    }
}

fn write_values(bytes: &mut Vec<u8>, values: Slice<'_>, width: Width) {
    let width = width.bytes();
    for_width!(Slice, values, v => v.iter().for_each(|v| bytes.extend(&v.value().to_le_bytes()[..width])));
}

fn read_values(bytes: &[u8], width: usize) -> Option<Values> {
    match width {
        1 => Some(Values::U8(bytes.to_vec())),
        2 => Some(Values::U16(bytes.chunks_exact(2).map(|c| u16::from_le_bytes([c[0], c[1]])).collect())),
        4 => Some(Values::U32(bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::naive;
    use crate::period::Theorem;

    fn computation(text: &str, window: Option<usize>, to: u64) -> Computation {
        let mut computation = Computation::new(&text.parse().unwrap(), window, true);
        while computation.known() < to && computation.filler().is_none() {
            computation.step(to).unwrap();
        }
        computation
    }

    /// A computation that was saved and restored anywhere goes on as if it had not been.
    #[test]
    fn restored_computations_go_on() {
        for text in ["0.6", "0.104", "0.007", "4.[3]", "sub{2,5}", "0.[37]", "0.9", "grundys-game"] {
            let rules: Rules = text.parse().unwrap();
            let whole = computation(text, None, 3000);
            for at in [0, 1, 700, 1024, 1500] {
                let part = computation(text, None, at);
                let values = part.engine().history().from_zero();
                for (bytes, stored) in [(part.save(true), None), (part.save(false), Some(values))] {
                    let mut again = Computation::restore(&rules, &bytes, stored).unwrap();
                    while again.known() < 3000 && again.filler().is_none() {
                        again.step(3000).unwrap();
                    }
                    let end = again.known().min(whole.known());
                    assert_eq!(
                        again.engine().history().range(0, end),
                        whole.engine().history().range(0, end),
                        "{text} from {at}"
                    );
                    if again.known() == whole.known() {
                        assert_eq!(again.statistics(), whole.statistics());
                    }
                    assert_eq!(again.filler().map(|f| f.period().period), whole.filler().map(|f| f.period().period));
                }
            }
        }
    }

    #[test]
    fn bad_states_are_refused() {
        let part = computation("0.6", None, 2000);
        let rules = part.rules().clone();
        let bytes = part.save(true);
        let refused = |bytes: &[u8]| Computation::restore(&rules, bytes, None).is_err();
        assert!(!refused(&bytes));
        for end in [0, 3, 4, 100, bytes.len() - 1] {
            assert!(refused(&bytes[..end]), "cut to {end}");
        }
        let bare = part.save(false);
        assert!(refused(&bare));
        let forged = |key: &str, value: serde_json::Value| {
            let (header, raw) = bytes[4..].split_at(u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize);
            let mut header: serde_json::Value = serde_json::from_slice(header).unwrap();
            *header.pointer_mut(key).unwrap() = value;
            let header = header.to_string().into_bytes();
            [&(header.len() as u32).to_le_bytes()[..], &header, raw].concat()
        };
        assert!(!refused(&forged("/known", 2000.into())));
        assert!(refused(&forged("/window", (u64::MAX / 2 + 1).into())));
        assert!(refused(&forged("/space/positions/3", (1u64 << 40).into())));
        assert!(refused(&forged("/space/mask/bits", 0.into())));
        assert!(refused(&forged("/space/values", serde_json::json!([]))));
        for (period, preperiod, saltus) in [(0, 1, 0), (12, u64::MAX, 0), (12, 71, 1 << 40), (2000, 1, 0)] {
            let theorem = Theorem::Window { heaps: 2 };
            let period = Period { period, preperiod, saltus, theorem };
            assert!(refused(&forged("/period", serde_json::to_value(period).unwrap())));
        }
        let few: Values = naive::values(&rules, 100).into_iter().collect();
        assert!(Computation::restore(&rules, &bare, Some(few.as_slice())).is_err());
    }
}
