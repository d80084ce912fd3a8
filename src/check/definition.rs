//! Values by the definition, for the proofs that need only few.

use std::collections::HashSet;

use super::{Certificate, Checked, Refusal, Rules, Split, primes, refuse, require};

/// The values of heaps 0 to `to`.
pub(super) fn values(rules: &Rules, to: u64) -> Vec<u64> {
    let mut g: Vec<u64> = Vec::new();
    for n in 0..=to {
        let options: HashSet<u64> =
            rules.moves(n).map(|m| m.parts.iter().fold(0, |sum, &heap| sum ^ g[heap as usize])).collect();
        g.push((0..).find(|v| !options.contains(v)).expect("a finite set misses a value"));
    }
    g
}

/// The theorem of Guy and Smith, and its variants for one and three heaps and for unequal heaps.
pub(super) fn check_window(rules: &Rules, c: &Certificate) -> Result<Checked, Refusal> {
    let k = rules.last_index().ok_or_else(|| refuse("the theorem needs a finite code"))?;
    require(c.saltus == 0, || "the theorem covers plain periods only".to_owned())?;
    let heaps = u64::from(rules.max_parts().max(1));
    let shifts = if rules.split() == Split::Unequal { heaps } else { heaps - 1 };
    let too_large = || refuse("its numbers are too large for this theorem");
    let end = c
        .preperiod
        .max(1)
        .checked_mul(heaps)
        .and_then(|n| n.checked_add(c.period.checked_mul(shifts)?)?.checked_add(k));
    let last = end.and_then(|end| end.checked_add(c.period)).filter(|&last| last < 1 << 32).ok_or_else(too_large)?;
    let g = values(rules, last);
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
