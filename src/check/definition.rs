//! Values by the definition, for the proofs that need only few.

use super::{Certificate, Checked, Refusal, Rules, Split, primes, refuse, require};

/// The most moves that are looked at: they take some minutes.
const MAX_MOVES: u128 = 1 << 37;
/// The last heap that may be looked at.
const MAX_HEAP: u64 = 1 << 26;

/// Digit bits, as the rules of octal games have them.
const ALL: u8 = 1;
const ONE: u8 = 2;
const TWO: u8 = 4;
const THREE: u8 = 8;

/// The values of heaps 0 to `to`.
///
/// # Errors
/// If these have too many moves to look at.
pub(super) fn values(rules: &Rules, to: u64) -> Result<Vec<u64>, Refusal> {
    require(to <= MAX_HEAP, too_large)?;
    let last = rules.last_index().unwrap_or(to).min(to);
    // A set with a large element has few digits that are not 0.
    let digits = (0..=last).map(|i| (i, rules.digit(i))).filter(|&(_, digit)| digit != 0);
    let digits: Vec<(u64, u8)> = digits.collect();
    let moves: u128 = digits.iter().map(|&(_, digit)| moves(digit, to)).sum();
    require(moves <= MAX_MOVES, too_large)?;
    let mut g: Vec<u64> = Vec::new();
    // For each value the last heap that has an option with it.
    let mut reached: Vec<u64> = Vec::new();
    for n in 0..=to {
        for &(taken, digit) in digits.iter().take_while(|&&(taken, _)| taken <= n) {
            options(rules, digit, n - taken, &g, |value| {
                let value = value as usize;
                if value >= reached.len() {
                    reached.resize(value + 1, u64::MAX);
                }
                reached[value] = n;
            });
        }
        let least = reached.iter().position(|&heap| heap != n).unwrap_or(reached.len());
        g.push(least as u64);
    }
    Ok(g)
}

pub(super) fn too_large() -> String {
    "its numbers are too large to be checked by the definition".to_owned()
}

/// About how many moves a digit allows from the heaps 0 to `to`: n/2 or n^2/12 from heap n if it splits.
fn moves(digit: u8, to: u64) -> u128 {
    let n = u128::from(to);
    let [two, three] = [TWO, THREE].map(|bit| u128::from(digit & bit != 0));
    n + two * n.pow(2) / 4 + three * n.pow(3) / 36
}

/// The values of what a digit allows to be left of `rest` tokens.
fn options(rules: &Rules, digit: u8, rest: u64, g: &[u64], mut option: impl FnMut(u64)) {
    let value = |heap: u64| g[heap as usize];
    if digit & ALL != 0 && rest == 0 {
        option(0);
    }
    if digit & ONE != 0 && rest > 0 {
        option(value(rest));
    }
    if digit & TWO != 0 {
        let splits = (1..=rest / 2).filter(|&a| rules.may_split(a, rest - a));
        splits.for_each(|a| option(value(a) ^ value(rest - a)));
    }
    if digit & THREE != 0 {
        for a in 1..=rest / 3 {
            (a..=(rest - a) / 2).for_each(|b| option(value(a) ^ value(b) ^ value(rest - a - b)));
        }
    }
}

/// The theorem of Guy and Smith, and its variants for one and three heaps and for unequal heaps.
pub(super) fn check_window(rules: &Rules, c: &Certificate) -> Result<Checked, Refusal> {
    let k = rules.last_index().ok_or_else(|| refuse("the theorem needs a finite code"))?;
    require(c.saltus == 0, || "the theorem covers plain periods only".to_owned())?;
    let heaps = u64::from(rules.max_parts().max(1));
    let shifts = if rules.split() == Split::Unequal { heaps } else { heaps - 1 };
    let end = c
        .preperiod
        .max(1)
        .checked_mul(heaps)
        .and_then(|n| n.checked_add(c.period.checked_mul(shifts)?)?.checked_add(k));
    let last = end.and_then(|end| end.checked_add(c.period)).ok_or_else(|| refuse(too_large()))?;
    let g = values(rules, last)?;
    check_least(&g, c, last - c.period)?;
    Ok(Checked { segments: 1, of: 1, heaps: last + 1 })
}

/// That the period holds from the preperiod up to `end`, and that neither is larger than it must be.
pub(super) fn check_least(g: &[u64], c: &Certificate, end: u64) -> Result<(), Refusal> {
    let fits = |n: u64, p: u64, s: u64| g[(n + p) as usize] == g[n as usize] + s;
    if let Some(n) = (c.preperiod..end).find(|&n| !fits(n, c.period, c.saltus)) {
        return Err(refuse(format!("heap {n} does not fit the period")));
    }
    let early = c.preperiod.checked_sub(1).filter(|&n| fits(n, c.period, c.saltus));
    require(early.is_none(), || format!("the preperiod is not the least: heap {} fits too", c.preperiod - 1))?;
    for q in primes(c.period).into_iter().filter(|&q| c.saltus.is_multiple_of(q)) {
        let (p, s) = (c.period / q, c.saltus / q);
        let shorter = (c.preperiod..c.preperiod + c.period - p).all(|n| fits(n, p, s));
        require(!shorter, || format!("the period is not the least: {p} is a period too"))?;
    }
    Ok(())
}
