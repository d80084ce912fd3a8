//! The window of the state: what a certificate must satisfy, and the segments that remain to be recomputed.

use crate::work::Work;

use super::segment::{Game, Segment};
use super::{Certificate, Refusal, Rules, StateProof, primes, refuse, require};

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
    let w = last_rare.max(proof.depth) + game.k;
    let windows = proof.rungs.iter().map(|rung| unpack(rung.heap, rung.values()?)).collect::<Result<Vec<_>, _>>()?;
    require(windows.is_sorted_by(|a, b| a.end < b.end), || "the rungs are not ascending".to_owned())?;
    let first = windows.first().ok_or_else(|| refuse("there are no rungs"))?;
    let reach = last_rare.max(proof.early_depth).max(proof.depth) + game.k;
    let long_enough = windows.iter().all(|window| window.values.len() as u64 >= reach);
    require(long_enough && first.end > reach, || "a rung's window is too short for the rule".to_owned())?;
    check_period(c, proof, w, &windows)?;
    let prefix = game.compute(first.end, &proof.rare)?;
    require(first.values == prefix[first.first as usize..], || {
        format!("the window before heap {} is not what the rule gives from heap 0 on", first.end)
    })?;
    Ok(Plan { game, windows, prefix })
}

fn unpack(end: u64, values: Vec<u32>) -> Result<Window, Refusal> {
    let first = end.checked_sub(values.len() as u64);
    let first = first.ok_or_else(|| refuse(format!("the window before heap {end} is too long")))?;
    Ok(Window { first, end, values })
}

/// That the window comes again, and that neither period nor preperiod is larger than it must be.
fn check_period(c: &Certificate, proof: &StateProof, w: u64, windows: &[Window]) -> Result<(), Refusal> {
    let first = c.preperiod.saturating_sub(1);
    let too_large = || refuse("its numbers are too large");
    let end = proof.start.checked_add(w).ok_or_else(too_large)?;
    end.checked_add(c.period).ok_or_else(too_large)?;
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
