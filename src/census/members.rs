//! Why the games of a class are equal, and how far.

use crate::Rules;
use crate::values::Slice;

use super::CensusError;
use super::equal::{same_options, standard};
use super::plan::{Member, NormalLimits};
use super::unit::{Class, Equal, Found, values};

/// Where heaps of a class's game are, seen from a member.
#[derive(Clone, Copy)]
struct Shifted<'a> {
    values: Slice<'a>,
    shift: i64,
}

impl Shifted<'_> {
    /// The value that heap `n` of the member has, if it is equal.
    fn get(self, n: u64) -> u32 {
        n.checked_add_signed(self.shift).map_or(0, |n| self.values.get(n as usize))
    }

    /// The heap of the member that is heap `n` of the class's game, or 0.
    fn member_heap(self, n: u64) -> u64 {
        n.saturating_add_signed(self.shift.wrapping_neg())
    }

    /// The least preperiod of the member.
    fn preperiod(self, period: &Found) -> u64 {
        let fits = |n: u64| u64::from(self.get(n + period.period)) == u64::from(self.get(n)) + period.saltus;
        let start = self.member_heap(period.preperiod);
        (0..start).rev().find(|&n| !fits(n)).map_or(0, |n| n + 1)
    }
}

/// Compares a member with the game of its class, whose values are `known`.
///
/// # Errors
/// [`CensusError::Unequal`], or if the member cannot be computed.
pub(super) fn compare(
    rules: &Rules,
    class: &Class,
    known: Slice<'_>,
    member: &Member,
    limits: &NormalLimits,
) -> Result<Equal, CensusError> {
    let period = class.period.as_ref();
    let other: Rules = member.game.parse()?;
    let shifted = Shifted { values: known, shift: member.shift };
    let equal = |ground: &str, compared| Equal {
        game: member.game.clone(),
        shift: member.shift,
        ground: ground.to_owned(),
        compared,
        preperiod: period.or(class.observed.as_ref()).map(|p| shifted.preperiod(p)),
    };
    let (own, its) = (standard(rules), standard(&other));
    if own.0.prefix() == its.0.prefix() && own.0.split() == its.0.split() {
        return Ok(equal("moved", None));
    }
    if same_options(&own.0, &its.0) {
        return Ok(equal("options", None));
    }
    let last = shifted.member_heap(known.len() as u64 - 1);
    let most = if other.max_parts() == 3 { limits.triples } else { limits.compared };
    let compared = last.min(most);
    // A proof of the other's period may take some heaps more.
    let (values, its_period) = values(&other, (4 * last + 64).min(most))?;
    if let Some(heap) = (0..=compared).find(|&n| values.get(n as usize) != shifted.get(n)) {
        return Err(CensusError::Unequal { game: rules.to_string(), member: member.game.clone(), heap });
    }
    // Both repeat with their periods from heaps on that were compared, and so does what they have in common.
    let proven = period.zip(its_period.as_ref()).filter(|(p, q)| {
        let start = shifted.member_heap(p.preperiod).max(q.preperiod);
        (p.period, p.saltus) == (q.period, q.saltus) && start + p.period <= compared + 1
    });
    Ok(match proven {
        Some(_) => equal("periods", None),
        None => equal("observed", Some(compared)),
    })
}
