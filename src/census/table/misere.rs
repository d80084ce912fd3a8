//! The table of misère quotients.

use super::super::literature::{Comparison, Literature, field, game};
use super::super::misere::Misere;
use super::super::plan::MisereLimits;
use super::{compared, list, markdown, or_none, shifted};

/// Up to this heap, orders are told for all games alike.
const HEAP: u64 = 20;

pub(super) fn misere(games: usize, limits: &MisereLimits, found: &[Misere], literature: Option<&Literature>) -> String {
    let count = |status: &str| found.iter().filter(|m| m.status == status).count();
    let tame = found.iter().filter(|m| m.tame && m.status == "solved").count();
    let mut text = format!(
        "# Misère quotients\n\n{games} codes, {} games: codes that are one game move for move, moved by some heaps, are under \
         the first of them (`code+s`: its heap n is heap n + s of the first). Each was given {} steps of work, and heaps up to {}.\n\n\
         {} are solved: the quotient is that of the whole game, proven ({tame} of them tame). {} are partial: the quotient is exact \
         to the heap given, where heaps or work ended. {} are unresolved: exact to the heap given; the quotient with one heap \
         more has at least the order given and was not found, which does not prove it infinite.\n\n",
        found.len(),
        limits.steps,
        limits.heaps,
        count("solved"),
        count("partial"),
        count("unresolved"),
    );
    if let Some(literature) = literature {
        text += "## Comparison with the literature\n\nRows about heaps beyond those reached are left out.\n\n";
        text += &compared("misere.csv", &comparison(found, literature));
        text += "\n";
    }
    let columns = [
        "game",
        "status",
        "to heap",
        "order",
        "P-elements",
        "kind",
        "order at heap 20",
        "period",
        "preperiod",
        "next order at least",
        "same game",
    ];
    let kind = |m: &Misere| if m.tame { "tame" } else { "wild" };
    text + &markdown(
        &columns,
        found.iter().map(|m| {
            let at = (m.status == "solved" || m.heaps >= HEAP).then(|| order_at(m, HEAP).0);
            let mut row = vec![m.game.clone(), m.status.clone(), m.heaps.to_string(), m.order.to_string()];
            row.extend([m.p_count.to_string(), kind(m).to_owned(), or_none(at)]);
            row.extend([or_none(m.period), or_none(m.preperiod), or_none(m.lower_bound), members(m)]);
            row
        }),
    )
}

fn members(m: &Misere) -> String {
    list(&m.members.iter().map(|m| shifted(&m.game, m.shift)).collect::<Vec<_>>())
}

/// The order of the quotient to a heap, and the number of its P-elements.
fn order_at(m: &Misere, heap: u64) -> (usize, usize) {
    m.changes.iter().take_while(|c| c.0 <= heap).last().map_or((1, 0), |c| (c.1, c.2))
}

/// Published orders.
fn comparison(found: &[Misere], literature: &Literature) -> Comparison {
    let mut comparison = Comparison::default();
    for row in &literature.misere {
        let code = field(row, "code");
        let Some(name) = game(code).map(|rules| rules.to_string()) else { continue };
        let shift = |m: &Misere| match m.game == name {
            true => Some(0),
            false => m.members.iter().find(|member| member.game == name).map(|member| member.shift),
        };
        let Some((m, shift)) = found.iter().find_map(|m| Some((m, shift(m)?))) else { continue };
        let number = |column: &str| field(row, column).parse::<u64>().ok();
        let (Some(heap), Some(order), Some(p_count)) = (number("heap_bound"), number("order"), number("p_count"))
        else {
            continue;
        };
        let Some(heap) = heap.checked_add_signed(shift).filter(|&h| m.status == "solved" || h <= m.heaps) else {
            continue;
        };
        let (ours, our_p) = order_at(m, heap);
        let differs = (order, p_count) != (ours as u64, our_p as u64);
        comparison.add(differs.then(|| {
            format!("{code}: order {order} with {p_count} P-elements is published, {ours} with {our_p} found, at heap {heap}")
        }));
    }
    comparison
}
