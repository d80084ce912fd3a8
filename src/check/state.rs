//! The window of the state: what a certificate must satisfy, and the segments that remain to be recomputed.

use crate::work::Work;

use super::segment::{Game, Segment};
use super::{
    Certificate, MAX_HEAPS, MAX_VALUES, Refusal, Rules, Rung, StateProof, primes, refuse, require, too_many_values,
};

/// No value of a window may be as large: sets of values are kept as bits. The games that have windows have far
/// smaller values.
const MAX_VALUE: u32 = 1 << 20;

/// So often it is told how far a segment has come.
const TOLD: u64 = 1 << 18;

/// A window, unpacked.
struct Window {
    first: u64,
    /// The first heap after it.
    end: u64,
    values: Vec<u32>,
}

impl Window {
    /// The values of heaps `from` to `to - 1`, if the window has them all.
    fn part(&self, from: u64, to: u64) -> Option<&[u32]> {
        let i = from.checked_sub(self.first)?;
        self.values.get(i as usize..(to - self.first) as usize)
    }
}

/// The segments of a certificate whose windows say what they must.
pub(super) struct Plan {
    game: Game,
    windows: Vec<Window>,
    /// The values of the first heaps: those before the first rung.
    prefix: Vec<u32>,
}

/// Checks all that can be seen from the windows, and computes the first values.
pub(super) fn plan(rules: &Rules, c: &Certificate, proof: &StateProof) -> Result<Plan, Refusal> {
    require(c.saltus == 0, || "the theorem covers plain periods only".to_owned())?;
    let game = Game::new(rules, proof)?;
    let last_rare = proof.rare.last().copied().unwrap_or(0);
    require(proof.rare.is_sorted_by(|a, b| a < b), || "the rare heaps are not ascending".to_owned())?;
    require(proof.start > last_rare, || "the window starts before the last rare heap".to_owned())?;
    require(c.preperiod <= proof.start, || "the window starts before the preperiod".to_owned())?;
    let length = |depth: u64| last_rare.max(depth).checked_add(game.k).ok_or_else(too_large);
    let (w, reach) = (length(proof.depth)?, length(proof.depth.max(proof.early_depth))?);
    let windows = unpack(&proof.rungs)?;
    require(windows.is_sorted_by(|a, b| a.end < b.end), || "the rungs are not ascending".to_owned())?;
    require(windows.iter().all(|window| window.end <= MAX_HEAPS), || "a rung is too far to check".to_owned())?;
    let first = windows.first().ok_or_else(|| refuse("there are no rungs"))?;
    let long_enough = windows.iter().all(|window| window.values.len() as u64 >= reach);
    require(long_enough && first.end > reach, || "a rung's window is too short for the rule".to_owned())?;
    check_period(c, proof, w, &windows)?;
    let prefix = game.compute(first.end, &proof.rare)?;
    require(first.values == prefix[first.first as usize..], || {
        format!("the window before heap {} is not what the rule gives from heap 0 on", first.end)
    })?;
    Ok(Plan { game, windows, prefix })
}

/// Unpacks the windows, as long as there is room for their values and for those of all heaps before the first rung.
fn unpack(rungs: &[Rung]) -> Result<Vec<Window>, Refusal> {
    let before = rungs.first().map_or(0, |rung| rung.heap);
    let mut room = MAX_VALUES.checked_sub(before).ok_or_else(too_many_values)?;
    let mut windows = Vec::new();
    for rung in rungs {
        let (end, values) = (rung.heap, rung.values(room)?);
        room -= values.len() as u64;
        let first = end.checked_sub(values.len() as u64);
        let first = first.ok_or_else(|| refuse(format!("the window before heap {end} is too long")))?;
        require(values.iter().all(|&v| v < MAX_VALUE), || {
            format!("the window before heap {end} has a value of {MAX_VALUE} or more")
        })?;
        windows.push(Window { first, end, values });
    }
    Ok(windows)
}

fn too_large() -> Refusal {
    refuse("its numbers are too large to check")
}

/// That the window comes again, and that neither period nor preperiod is larger than it must be.
fn check_period(c: &Certificate, proof: &StateProof, w: u64, windows: &[Window]) -> Result<(), Refusal> {
    let first = c.preperiod.saturating_sub(1);
    let end = proof.start.checked_add(w).ok_or_else(too_large)?;
    end.checked_add(c.period).filter(|&last| last <= MAX_HEAPS).ok_or_else(too_large)?;
    let part = |from: u64, to: u64| {
        let found = windows.iter().find_map(|window| window.part(from, to));
        found.ok_or_else(|| refuse(format!("no window holds heaps {from} to {}", to - 1)))
    };
    let (here, later) = (part(first, end)?, part(first + c.period, end + c.period)?);
    let from = (c.preperiod - first) as usize;
    if let Some(i) = (from..here.len()).find(|&i| here[i] != later[i]) {
        return Err(refuse(format!("heap {} does not fit the period", first + i as u64)));
    }
    let early = c.preperiod > 0 && here[0] == later[0];
    require(!early, || format!("the preperiod is not the least: heap {first} fits too"))?;
    for q in primes(c.period) {
        let p = c.period / q;
        let differs = part(proof.start, end)? != part(proof.start + p, end + p)?;
        require(differs, || format!("it does not show that {p} is no period"))?;
    }
    Ok(())
}

impl Plan {
    /// How many segments there are: the part before the first rung has been computed already.
    pub(super) fn segments(&self) -> usize {
        self.windows.len() - 1
    }

    /// How many heaps segment `i` has.
    pub(super) fn heaps(&self, i: usize) -> u64 {
        self.windows[i + 1].end - self.windows[i].end
    }

    /// Recomputes segment `i` from its rung.
    pub(super) fn check_segment(&self, i: usize, work: &Work<'_>) -> Result<(), Refusal> {
        let (from, to) = (&self.windows[i], &self.windows[i + 1]);
        let mut segment = Segment::new(&self.game, &self.prefix, from.first, &from.values);
        let mut at = from.end;
        while at < to.end {
            let next = to.end.min(at + TOLD);
            segment.run(next)?;
            work.add(next - at);
            at = next;
        }
        let got = segment.last(to.values.len());
        // The longer window may reach back before the rung that the segment starts from.
        let wanted = &to.values[to.values.len() - got.len()..];
        if got != wanted {
            let i = (0..got.len()).rev().find(|&i| got[i] != wanted[i]).unwrap_or(0);
            let heap = to.end - (got.len() - i) as u64;
            return Err(refuse(format!(
                "heap {heap} has value {}, not {} as the rung before heap {} says",
                got[i], wanted[i], to.end
            )));
        }
        require(to.first >= from.first, || format!("the window before heap {} is longer than its segment", to.end))
    }
}
