//! How the answer is found, step by step, for someone who learns.

use std::io::{self, Write};

use num_bigint::BigUint;
use num_traits::One;

use super::quotient::Reading;
use super::text::{self, binary};
use super::{Answer, Values, reason};
use crate::sums::{Kind, Outcome, Piece};

/// Components and elements that are listed one by one.
const MAX_NAMED: usize = 50;

/// Writes the steps.
pub(super) fn write(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    let steps = match &answer.values {
        Some(values) if answer.misere => misere_nim(answer, &values.nim_sum),
        Some(values) => normal(answer, values),
        None => answer.quotient.as_ref().map_or_else(|| searched(answer.outcome), |read| by_quotient(answer, read)),
    };
    writeln!(out, "How it is found")?;
    for (i, step) in steps.iter().enumerate() {
        writeln!(out, "  {}. {}", i + 1, step.replace('\n', "\n     "))?;
    }
    writeln!(out)
}

fn normal(answer: &Answer, values: &Values) -> Vec<String> {
    let (components, sum) = (&values.of_components, &values.nim_sum);
    let mut steps = vec![worth(answer)];
    steps.extend(reason::all(answer, values));
    steps.push(add(answer, sum));
    if answer.outcome == Outcome::P {
        steps.push(
            "S is 0. A move changes the value of one component, so S is not 0 after it, and then the opponent can\n\
             bring S back to 0. In the end there is no move left, and S is 0: it is you who cannot move."
                .to_owned(),
        );
        return steps;
    }
    steps.push(
        "S is not 0. A move that makes it 0 wins: whatever the opponent then does, S is not 0 again, and you can\n\
         make it 0 again, until no move is left and the opponent has to move."
            .to_owned(),
    );
    steps.push(top_bit(answer, values));
    let raised = |m: &crate::sums::Move| (&components[m.component] ^ sum) > components[m.component];
    if answer.moves.as_ref().is_ok_and(|found| found.listed.iter().any(raised)) {
        steps.push(
            "Some of the winning moves below raise the value of their component to what makes S 0. They win too: if the\n\
             opponent takes the value back down, S is not 0, and so on."
                .to_owned(),
        );
    }
    steps
}

fn worth(answer: &Answer) -> String {
    if answer.position.is_nim() {
        return "In Nim the value of a heap is its size (Bouton 1901).".to_owned();
    }
    let heaps = answer.position.games().iter().any(|game| !matches!(game.kind, Kind::Strip));
    let mex = "\nThe nim-value of a position is the least number that none of its options has: 0 if there is no move.";
    format!(
        "A sum of games is played as Nim with a heap of the size of each component's nim-value\n\
         (Sprague 1935, Grundy 1939).{}",
        if heaps { mex } else { "" }
    )
}

fn add(answer: &Answer, sum: &BigUint) -> String {
    if answer.position.terms().len() == 1 && answer.position.terms()[0].count.is_one() {
        return format!("There is one component, so the nim-sum S is its value: S = {sum}.");
    }
    let in_binary = binary(sum, 1).filter(|bits| bits.len() > 1);
    let in_binary = in_binary.map(|bits| format!(", {bits} in binary")).unwrap_or_default();
    let repeated = answer.position.terms().iter().any(|term| !term.count.is_one());
    let pairs = if repeated { "\nOf equal components two cancel each other." } else { "" };
    format!(
        "Add the values in binary without carrying: a column of the sum is 1 if an odd number of values has a 1\n\
         there. The nim-sum is S = {sum}{in_binary}.{pairs}"
    )
}

/// Which components have the top bit of the nim-sum, and what becomes of them.
fn top_bit(answer: &Answer, values: &Values) -> String {
    let sum = &values.nim_sum;
    let top = sum.bits() - 1;
    let alone = values.of_components.len() == 1;
    let mut lines = vec![if alone {
        "A move to a position of value 0 makes S 0:".to_owned()
    } else {
        format!(
            "The top bit of S stands for {}. An odd number of values has it, so one has. Replaced by itself xor S it\n\
         gets smaller, and every smaller value can be reached by a move:",
            BigUint::one() << top
        )
    }];
    let wanted = |(component, value): (usize, &BigUint)| {
        let name = text::name(answer.position, &answer.position.terms()[component]);
        let gap = match &answer.position.terms()[component].piece {
            Piece::Strip(strip) => reason::gap_to_change(strip, sum).unwrap_or_default(),
            _ => String::new(),
        };
        let first = values.sum.winning_moves_in(component, 1).ok().and_then(|found| found.listed.into_iter().next());
        let how = first.map(|m| format!(", by {}", text::one_move(answer.position, &m))).unwrap_or_default();
        let has_it = if alone { "" } else { " has it" };
        format!("  {name}{has_it}: its value {value} must become {value} xor {sum} = {}{gap}{how}", value ^ sum)
    };
    let having = values.of_components.iter().enumerate().filter(|(_, value)| value.bit(top));
    lines.extend(having.map(wanted));
    lines.join("\n")
}

fn misere_nim(answer: &Answer, sum: &BigUint) -> Vec<String> {
    let heaps = answer.position.terms().iter().filter_map(|term| match &term.piece {
        Piece::Heap(size) => Some((size, &term.count)),
        _ => None,
    });
    let large: BigUint = heaps.clone().filter(|(size, _)| **size > BigUint::one()).map(|(_, count)| count).sum();
    let ones: BigUint = heaps.filter(|(size, _)| size.is_one()).map(|(_, count)| count).sum();
    let rule = "Who cannot move wins. With heaps of one only, every move is forced, so it is good to leave an odd number of\n\
                them. While there is a larger heap, misère Nim is played exactly as Nim (Bouton 1901): the one who makes\n\
                the nim-sum S 0 is also the one who can choose the parity when the last large heap goes.";
    let have_one = if ones.is_one() { "1 heap has one".to_owned() } else { format!("{ones} heaps have one") };
    let here = match (large.bits(), large.is_one()) {
        (0, _) if ones.bits() == 0 => "Here there is no move, so you have won already.".to_owned(),
        (0, _) if ones.bit(0) => {
            format!("Here {have_one} and none has more: an odd number. A move leaves an even one, so no move wins.")
        }
        (0, _) => {
            format!("Here {have_one} and none has more: an even number. A move leaves an odd one, so every move wins.")
        }
        (_, true) => format!(
            "Here 1 heap has two or more, and {have_one}.\n\
             Cut the large one to 1 or to nothing, whichever leaves an odd number of ones."
        ),
        _ if sum.bits() == 0 => {
            format!("Here {large} heaps have two or more, and S = 0: no move keeps it 0, so no move wins.")
        }
        _ => format!("Here {large} heaps have two or more, and S = {sum}: the winning moves are those that make S 0."),
    };
    vec![rule.to_owned(), here]
}

fn by_quotient(answer: &Answer, read: &Reading) -> Vec<String> {
    let quotient = &read.quotient;
    let words = quotient.presentation().words;
    let word = |x: u16| &words[usize::from(x)];
    let reach = match quotient.period() {
        Some(p) => format!("for all heaps: the elements have period {} from heap {} on", p.period, p.preperiod),
        None => format!("for heaps up to {}", quotient.heaps()),
    };
    let p_elements: Vec<String> = quotient.p_elements().map(|x| word(x).to_string()).collect();
    let many = p_elements.len() > MAX_NAMED;
    let p_elements = match p_elements.len() {
        0 => "none".to_owned(),
        count if many => format!("{count} of them"),
        _ => p_elements.join(", "),
    };
    let components = answer.position.terms().iter().zip(&read.elements);
    let components = components.take(MAX_NAMED).map(|(term, &x)| {
        let count = if term.count.is_one() { String::new() } else { format!(", {} times", term.count) };
        format!("\n  heap {}: {}{count}", answer.position.label(term), word(x))
    });
    let stuck = answer.moves.as_ref().is_ok_and(|moves| moves.count == BigUint::ZERO);
    let verdict = match read.outcome {
        Outcome::P => "one of the P-elements, so no move wins: whatever you do, the product is none of them",
        Outcome::N if stuck => "none of the P-elements: there is no move, so you have won",
        Outcome::N => "none of the P-elements: you win with a move to a position whose product is one of them",
    };
    vec![
        format!(
            "Who cannot move wins, and nim-values do not decide that. The misère quotient does (Plambeck and Siegel 2008):\n\
             each heap has an element of a commutative monoid, a sum of heaps has the product, and the position is P\n\
             just when that is a P-element. That of {} has {} elements, proven {reach}.\n\
             P-elements: {p_elements}",
            quotient.rules(),
            quotient.order()
        ),
        format!("The elements of the heaps, in generators:{}", components.collect::<String>()),
        format!("Their product is {}, {verdict}.", word(read.product)),
    ]
}

fn searched(outcome: Outcome) -> Vec<String> {
    let here = match outcome {
        Outcome::N => {
            "This position is N: you win with a move that leads to P, or you have won already if there is none."
        }
        Outcome::P => "This position is P: all its moves lead to N, so no move wins.",
    };
    vec![
        "Who cannot move wins, and nim-values do not decide that: two components of equal nim-value may behave\n\
         differently. So every position that matters was searched: it is P if it has a move and all its moves lead\n\
         to N, and N otherwise."
            .to_owned(),
        here.to_owned(),
    ]
}
