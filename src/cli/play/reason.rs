//! Why each component has the value that it has.

use num_bigint::BigUint;

use super::text::{self, binary};
use super::{Answer, Values};
use crate::sums::{Piece, Reason, Step, Strip, Term};

/// So many components are explained by their options; those that follow are of the same kind.
const EXPLAINED: usize = 3;

/// The reasons that are short enough to be read.
pub(super) fn all(answer: &Answer, values: &Values) -> Vec<String> {
    let mut reasons = Vec::new();
    let mut by_options = 0;
    for (i, term) in answer.position.terms().iter().enumerate() {
        let (name, value) = (text::name(answer.position, term), &values.of_components[i]);
        match (&term.piece, values.sum.reason(i)) {
            (Piece::Strip(strip), _) => reasons.push(gaps(strip)),
            (_, Some(Reason::Options(_))) if answer.position.is_nim() || by_options == EXPLAINED => {}
            (_, Some(Reason::Options(options))) => {
                by_options += 1;
                reasons.push(mex(&name, value, &options));
            }
            (Piece::Heap(size), Some(Reason::Period { period, heap, less })) if !answer.position.is_nim() => {
                let (grows, plus) = match less == BigUint::ZERO {
                    true => (String::new(), String::new()),
                    false => (format!(" and saltus {}", period.saltus), format!(" + {less}")),
                };
                reasons.push(format!(
                    "{}: period {}{grows} from heap {} on is proven, so g({size}) = g({heap}){plus} = {value}.",
                    game(answer, term),
                    period.period,
                    period.preperiod
                ));
            }
            _ => {}
        }
    }
    reasons
}

fn game<'a>(answer: &'a Answer, term: &Term) -> &'a str {
    &answer.position.game(term).name
}

/// The options of a component and their mex.
fn mex(name: &str, value: &BigUint, options: &[(Step, BigUint)]) -> String {
    if options.is_empty() {
        return format!("{name} has no move, so its value is 0.");
    }
    let shown = |(step, value): &(Step, BigUint)| {
        let step = step.to_string();
        let to = step.split_once(" -> ").map_or(step.as_str(), |(_, to)| to);
        format!("{to} ({value})")
    };
    let options: Vec<String> = options.iter().map(shown).collect();
    let (plural, verb) = if options.len() == 1 { ("", "is") } else { ("s", "are") };
    // A few on a line.
    let lines: Vec<String> = options.chunks(10).map(|chunk| chunk.join(", ")).collect();
    format!(
        "The option{plural} of {name}, with the value of each, {verb}: {}.\n\
         The least number that is missing among the values is {value}, the value of {name}.",
        lines.join(",\n  ")
    )
}

/// The gaps of a strip that count, in binary below each other.
fn gaps(strip: &Strip) -> String {
    let counted: Vec<usize> = (0..strip.tokens().len()).rev().filter(|&i| strip.counts(i)).collect();
    let sum = counted.iter().fold(BigUint::ZERO, |sum, &i| sum ^ strip.gap(i));
    let bits = counted.iter().map(|&i| strip.gap(i).bits()).max().unwrap_or(0).max(1);
    let mut rows: Vec<(String, BigUint)> =
        counted.iter().map(|&i| (format!("left of {}", strip.tokens()[i]), strip.gap(i))).collect();
    rows.push(("xor".to_owned(), sum));
    let width = |text: fn(&(String, BigUint)) -> usize| rows.iter().map(text).max().unwrap_or(0);
    let (left, right) = (width(|(name, _)| name.len()), width(|(_, gap)| gap.to_string().len()));
    let line = |(name, gap): &(String, BigUint)| {
        let columns = binary(gap, bits).unwrap_or_default();
        format!("  {name:left$}  {:>right$}  {columns}", gap.to_string()).trim_end().to_owned()
    };
    format!(
        "The strip {strip} is Nim on every other gap, counted from the right-most token:\n{}\n\
         The gaps between do not count: whoever widens a counted gap by moving the token on its left, the other\n\
         closes it by as much with the token on its right.",
        rows.iter().map(line).collect::<Vec<_>>().join("\n")
    )
}

/// The gap of a strip that has the top bit of `sum`, and what it must become.
pub(super) fn gap_to_change(strip: &Strip, sum: &BigUint) -> Option<String> {
    let top = sum.bits().checked_sub(1)?;
    let i = (0..strip.tokens().len()).find(|&i| strip.counts(i) && strip.gap(i).bit(top))?;
    let (gap, token) = (strip.gap(i), &strip.tokens()[i]);
    Some(format!("; the gap of {gap} (left of {token}) must become {gap} xor {sum} = {}", &gap ^ sum))
}
