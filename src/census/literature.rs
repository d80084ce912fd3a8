//! What others published, as CSV tables, and how the atlas compares with it.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::Rules;

use super::CensusError;
use super::unit::{Class, Equal, Found, Growth, values};

/// Up to where two games are compared whose classes do not answer the question.
const COMPARED: u64 = 10_000;

/// A row: the fields by the names of their columns.
type Row = HashMap<String, String>;

/// The tables.
#[derive(Clone, Debug)]
pub struct Literature {
    pub(super) solved: Vec<Row>,
    pub(super) unsolved: Vec<Row>,
    pub(super) equivalents: Vec<Row>,
    pub(super) hexadecimal: Vec<Row>,
    pub(super) misere: Vec<Row>,
}

/// How one table compares with the atlas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Comparison {
    /// Rows about games of the atlas.
    pub(super) rows: usize,
    /// Those that agree.
    pub(super) agree: usize,
    /// What the others say, and what is found here.
    pub(super) disagreements: Vec<String>,
}

impl Comparison {
    pub(super) fn add(&mut self, disagreement: Option<String>) {
        self.rows += 1;
        self.agree += usize::from(disagreement.is_none());
        self.disagreements.extend(disagreement);
    }
}

impl Literature {
    /// Reads the tables `solved.csv`, `unsolved.csv`, `equivalents.csv`, `hexadecimal.csv` and `misere.csv` of a directory.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn read(dir: &Path) -> Result<Literature, CensusError> {
        let table = |name: &str| {
            let path = dir.join(name);
            fs::read_to_string(&path).map_err(CensusError::io(&path)).map(|text| rows(&text))
        };
        Ok(Literature {
            solved: table("solved.csv")?,
            unsolved: table("unsolved.csv")?,
            equivalents: table("equivalents.csv")?,
            hexadecimal: table("hexadecimal.csv")?,
            misere: table("misere.csv")?,
        })
    }
}

/// The rows of a CSV table. A field in quotes may have commas, and `""` for a quote.
fn rows(text: &str) -> Vec<Row> {
    let mut lines = text.lines().map(fields);
    let columns = lines.next().unwrap_or_default();
    lines.map(|fields| columns.iter().cloned().zip(fields).collect()).collect()
}

fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for (i, c) in line.char_indices() {
        match (c, fields.last_mut()) {
            ('"', Some(field)) if !quoted && line[..i].ends_with('"') => {
                field.push('"');
                quoted = true;
            }
            ('"', _) => quoted = !quoted,
            (',', _) if !quoted => fields.push(String::new()),
            (c, Some(field)) => field.push(c),
            _ => unreachable!("there is always a field"),
        }
    }
    fields
}

/// The field of a column: empty if there is none.
pub(super) fn field<'a>(row: &'a Row, column: &str) -> &'a str {
    row.get(column).map_or("", String::as_str)
}

fn number<T: std::str::FromStr>(row: &Row, column: &str) -> Option<T> {
    field(row, column).parse().ok()
}

/// The game of a row, as the tables write it.
pub(super) fn game(text: &str) -> Option<Rules> {
    match text {
        "Grundy" | "grundy" => "grundys-game",
        // A digit alone is no code.
        "4" => "4.0",
        code => code,
    }
    .parse()
    .ok()
}

/// The classes, by all their games.
pub(super) struct Index<'a> {
    games: HashMap<String, (&'a Class, Option<&'a Equal>)>,
}

impl<'a> Index<'a> {
    pub(super) fn new(classes: &'a [Class]) -> Index<'a> {
        let mut games = HashMap::new();
        for class in classes {
            games.insert(class.game.clone(), (class, None));
            games.extend(class.members.iter().map(|m| (m.game.clone(), (class, Some(m)))));
        }
        Index { games }
    }

    /// The class of a game, and how much larger the heaps of the class's game are.
    pub(super) fn find(&self, text: &str) -> Option<(&'a Class, i64)> {
        let &(class, member) = self.games.get(&game(text)?.to_string())?;
        Some((class, member.map_or(0, |m| m.shift)))
    }

    /// The proven or observed period of a game, with its own preperiod.
    fn period(&self, text: &str) -> Option<Found> {
        let &(class, member) = self.games.get(&game(text)?.to_string())?;
        let found = class.period.as_ref().or(class.observed.as_ref())?;
        Some(Found { preperiod: member.and_then(|m| m.preperiod).unwrap_or(found.preperiod), ..found.clone() })
    }
}

/// Published periods: period, preperiod, largest value and rare heaps.
pub(super) fn solved(index: &Index<'_>, rows: &[Row]) -> Comparison {
    let mut comparison = Comparison::default();
    for row in rows {
        let code = field(row, "code");
        let Some((class, shift)) = index.find(code) else { continue };
        let told = number::<u64>(row, "period").zip(number::<u64>(row, "preperiod"));
        let found = index.period(code).filter(|_| class.period.is_some());
        let found = found.map(|p| (p.period, p.preperiod));
        let largest = number::<u32>(row, "max_value").zip(number::<i64>(row, "argmax"));
        let our_largest = class.max_value.zip(class.max_at.map(|n| n as i64 - shift));
        let rares = || rares_differ(class, shift, row);
        comparison.add(if told != found {
            Some(format!("{code}: period and preperiod {} are published, {} found", pair(told), pair(found)))
        } else if largest != our_largest {
            let (told, found) = (pair(largest), pair(our_largest));
            Some(format!("{code}: largest value and its heap {told} are published, {found} found"))
        } else {
            rares().map(|what| format!("{code}: {what}"))
        });
    }
    comparison
}

/// Published rare heaps, for which heap 0 may be counted or not.
fn rares_differ(class: &Class, shift: i64, row: &Row) -> Option<String> {
    let told = number::<usize>(row, "num_rare")?;
    let found = class.rare_count.unwrap_or(0);
    if told == found || told == found + 1 {
        let last = class.last_rare.map(|n| n as i64 - shift);
        let told = number::<i64>(row, "last_rare");
        return (told != last).then(|| format!("last rare heap {told:?} is published, {last:?} found"));
    }
    let (mask, ours) = (field(row, "sparse_mask_hex"), class.mask.as_deref().unwrap_or("none"));
    Some(format!("{told} rare heaps with mask {mask} are published, {found} with mask {ours} found"))
}

fn pair<A: std::fmt::Display, B: std::fmt::Display>(pair: Option<(A, B)>) -> String {
    pair.map_or("none".to_owned(), |(a, b)| format!("{a}, {b}"))
}

/// Games said to be open: no period is found, and the largest values up to powers of two are equal.
pub(super) fn unsolved(index: &Index<'_>, rows: &[Row]) -> Comparison {
    let mut comparison = Comparison::default();
    for row in rows {
        let code = field(row, "code");
        let Some((class, shift)) = index.find(code) else { continue };
        if let Some(period) = &class.period {
            comparison.add(Some(format!("{code} is said to be open: period {} is proven here", period.period)));
            continue;
        }
        let same =
            |g: &&Growth| number::<u64>(row, "n_computed").is_some_and(|n| n == 1 << g.log2 || n + 1 == 1 << g.log2);
        let Some(growth) = class.growth.iter().find(same).filter(|_| shift == 0) else { continue };
        let told = number::<u32>(row, "max_value").zip(number::<u64>(row, "argmax"));
        let found = Some((growth.max_value, growth.max_at));
        let log2 = growth.log2;
        comparison.add((told.is_some() && told != found).then(|| {
            format!(
                "{code}: to heap 2^{log2}, largest value and its heap {} are published, {} found",
                pair(told),
                pair(found)
            )
        }));
    }
    comparison
}

/// Games said to be equal, or known not to be.
///
/// # Errors
/// If a game cannot be computed.
pub(super) fn equivalents(index: &Index<'_>, rows: &[Row]) -> Result<Comparison, CensusError> {
    let mut comparison = Comparison::default();
    for row in rows {
        let (code, other) = (field(row, "code"), field(row, "equivalent_to_code"));
        let (Some(a), Some(b)) = (game(code), game(other)) else { continue };
        let equal = field(row, "relation") == "equal";
        let shift = number::<i64>(row, "shift");
        if let (true, Some(shift), Some((class, s)), Some((its, t))) =
            (equal, shift, index.find(code), index.find(other))
            && class.game == its.game
            && s - t == shift
        {
            comparison.add(None);
            continue;
        }
        let differ = first_difference(&a, &b, shift.unwrap_or(0))?;
        comparison.add(match differ {
            None if equal => None,
            None => Some(format!("{code} is said not to be {other}: they are equal up to heap {COMPARED}")),
            Some((n, x, y)) => {
                let said = if equal { "is said to be" } else { "was taken for" };
                Some(format!(
                    "{code} {said} {other}: they differ at heap {n} for the first time, with values {x} and {y}"
                ))
            }
        });
    }
    Ok(comparison)
}

/// The first heap n with `g_a(n) != g_b(n + shift)`, and the two values.
fn first_difference(a: &Rules, b: &Rules, shift: i64) -> Result<Option<(u64, u32, u32)>, CensusError> {
    let last = COMPARED + shift.unsigned_abs();
    let (a, b) = (values(a, last)?.0, values(b, last)?.0);
    let pairs =
        (0..=COMPARED).filter_map(|n| Some((n, a.get(n as usize), b.get(n.checked_add_signed(shift)? as usize))));
    Ok(pairs.into_iter().find(|(_, x, y)| x != y))
}

/// Regularities of games that may leave three heaps.
pub(super) fn hexadecimal(index: &Index<'_>, rows: &[Row]) -> Comparison {
    let mut comparison = Comparison::default();
    for row in rows {
        let code = field(row, "code");
        if index.find(code).is_none() {
            continue;
        }
        let told = number::<u64>(row, "period").map(|p| (p, number(row, "saltus"), number(row, "preperiod")));
        let found = index.period(code).map(|f| (f.period, Some(f.saltus), Some(f.preperiod)));
        let text = |x: Option<(u64, Option<u64>, Option<u64>)>| match x {
            Some((p, Some(s), Some(n0))) => format!("period {p}, saltus {s}, preperiod {n0}"),
            _ => "no period".to_owned(),
        };
        comparison.add((told != found).then(|| format!("{code}: {} is published, {} found", text(told), text(found))));
    }
    comparison
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_commas() {
        assert_eq!(fields("a,\"b, c\",,\"d \"\"e\"\"\",\"\""), ["a", "b, c", "", "d \"e\"", ""]);
        let rows = rows("x,y\n1,2\n3,4\n");
        assert_eq!((field(&rows[1], "y"), field(&rows[1], "z")), ("4", ""));
        assert_eq!(number::<u64>(&rows[0], "x"), Some(1));
    }

    /// The codes that were taken for equal, and are not.
    #[test]
    fn a_difference_is_found_at_its_heap() {
        let (a, b) = (game(".161").unwrap(), game(".36").unwrap());
        assert_eq!(first_difference(&a, &b, 0).unwrap(), Some((519, 2, 4)));
        let (kayles, shifted) = (game(".77").unwrap(), game("4.4").unwrap());
        assert_eq!(first_difference(&shifted, &kayles, -1).unwrap(), None);
    }
}
