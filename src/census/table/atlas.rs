//! The atlas of normal play.

use crate::Rules;

use super::super::CensusError;
use super::super::literature::{Index, Literature, equivalents, field, hexadecimal, solved, unsolved};
use super::super::plan::NormalLimits;
use super::super::unit::{Class, Equal, Found, Growth};
use super::{compared, list, markdown, or_none, shifted};

/// Periods that are proven elsewhere, far beyond what a census computes.
const BEYOND: [(&str, &str); 1] = [(
    "0.106",
    "period 328226140474, preperiod 465384263797 (A. Flammenkamp 2002), not reached here; proven by certificates/0.106.cert.json",
)];

/// The part of the atlas that a class belongs to: that of its first game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Octal,
    Three,
    Splitting,
    Subtraction,
}

impl Part {
    fn of(class: &Class) -> Part {
        match class.game.parse::<Rules>() {
            _ if class.game.starts_with("sub") => Part::Subtraction,
            Ok(rules) if rules.max_parts() == 3 => Part::Three,
            _ if class.game.contains('.') => Part::Octal,
            _ => Part::Splitting,
        }
    }
}

pub(super) fn atlas(
    games: usize,
    limits: &NormalLimits,
    classes: &[Class],
    literature: Option<&Literature>,
) -> Result<String, CensusError> {
    let of = |part: Part| classes.iter().filter(move |class| Part::of(class) == part);
    let mut text = format!("# Atlas of heap games\n\n{}\n", summary(games, limits, classes));
    if let Some(literature) = literature {
        text += &comparisons(classes, literature)?;
    }
    let publication = |class: &Class| literature.map_or(String::new(), |l| published(class, l));
    text += "## Octal codes: proven periods\n\n";
    text += &proven(of(Part::Octal), &publication);
    text += "## Octal codes: open\n\n";
    text += &open(of(Part::Octal), &publication);
    text += "## Games that split heaps by a rule of their own\n\n";
    text += &proven(of(Part::Splitting), &publication);
    text += &open(of(Part::Splitting), &publication);
    text += "## Hexadecimal codes of one and two digits\n\n";
    text += &three(of(Part::Three));
    text +=
        "## Subtraction sets\n\nSets whose sequence is not that of an octal code above. All periods are proven.\n\n";
    text += &proven(of(Part::Subtraction), &publication);
    Ok(text)
}

fn summary(games: usize, limits: &NormalLimits, classes: &[Class]) -> String {
    let proven = classes.iter().filter(|class| class.period.is_some()).count();
    let count = |ground: &str| classes.iter().flat_map(|c| &c.members).filter(|m| m.ground == ground).count();
    let NormalLimits { sparse, sums, pairs, triples, .. } = limits;
    format!(
        "{games} games in {} classes of equal sequences; the periods of {proven} classes are proven.\n\n\
         A class stands under its first game. `game+s` has the class's value of heap n + s as its value of heap n. That the \
         games of a class are equal is proven for all heaps: {} are the same game moved, {} have equal options \
         (the theorems are in the module `census::equal`), {} have equal proven periods; {} are observed only, and marked \
         so.\n\n\
         Games without a proven period were computed to heap {sparse} with rare heaps, unless a doubling took more than \
         {sums} sums, to heap {pairs} by all pairs, to {triples} by all triples. Largest values and rare heaps of a periodic \
         game are those of all heaps. Rare heaps are counted from heap 1 on. Excluded `a, b`: no period up to b has a \
         preperiod up to a.\n",
        classes.len(),
        count("moved"),
        count("options"),
        count("periods"),
        count("observed"),
    )
}

fn comparisons(classes: &[Class], literature: &Literature) -> Result<String, CensusError> {
    let index = Index::new(classes);
    Ok(format!(
        "## Comparison with the literature\n\nRows about games that are not in this atlas, or to heaps that it does not reach, \
         are left out.\n\n{}{}{}{}\n",
        compared("solved.csv", &solved(&index, &literature.solved)),
        compared("unsolved.csv", &unsolved(&index, &literature.unsolved)),
        compared("equivalents.csv", &equivalents(&index, &literature.equivalents)?),
        compared("hexadecimal.csv", &hexadecimal(&index, &literature.hexadecimal)),
    ))
}

/// What is published of the games of a class.
fn published(class: &Class, literature: &Literature) -> String {
    let names: Vec<&str> =
        std::iter::once(&class.game).chain(class.members.iter().map(|m| &m.game)).map(String::as_str).collect();
    let is_one =
        |code: &str| super::super::literature::game(code).is_some_and(|g| names.contains(&g.to_string().as_str()));
    let solved = literature.solved.iter().filter(|row| is_one(field(row, "code"))).map(|row| {
        let [code, p, n0, who] = ["code", "period", "preperiod", "first_solved"].map(|column| field(row, column));
        format!("{code}: {p}, {n0} ({who})")
    });
    let open = literature
        .unsolved
        .iter()
        .filter(|row| is_one(field(row, "code")) && field(row, "row_kind") != "reference_point");
    let open = open.map(|row| {
        let [code, n, max, at, rares] =
            ["code", "n_computed", "max_value", "argmax", "num_rare"].map(|c| field(row, c));
        let part = |name: &str, x: &str| if x.is_empty() { String::new() } else { format!(", {name} {x}") };
        format!("{code}{}{}{}{}", part("to", n), part("max", max), part("at", at), part("rares", rares))
    });
    let beyond = BEYOND.iter().filter(|(code, _)| names.contains(code)).map(|(_, what)| (*what).to_owned());
    solved.chain(open).chain(beyond).collect::<Vec<_>>().join("; ")
}

fn proven<'a>(classes: impl Iterator<Item = &'a Class>, published: &dyn Fn(&Class) -> String) -> String {
    let columns = [
        "game",
        "period",
        "preperiod",
        "last exception",
        "theorem",
        "max",
        "at",
        "rares",
        "last",
        "mask",
        "published",
        "equal",
    ];
    let rows = classes.filter_map(|class| {
        let Found { period, preperiod, theorem, .. } = class.period.as_ref()?;
        let mut row = vec![class.game.clone(), period.to_string(), preperiod.to_string()];
        row.push((*preperiod as i64 - 1).to_string());
        row.push(theorem.clone().unwrap_or_default());
        row.extend(largest_and_rares(class));
        row.extend([published(class), members(class)]);
        Some(row)
    });
    markdown_unless_empty(&columns, rows.collect())
}

fn open<'a>(classes: impl Iterator<Item = &'a Class>, published: &dyn Fn(&Class) -> String) -> String {
    let columns = [
        "game",
        "to heap",
        "max",
        "at",
        "rares",
        "last",
        "mask",
        "rares to 2^10, 2^11, ...",
        "excluded",
        "published",
        "equal",
    ];
    let rows = classes.filter(|class| class.period.is_none()).map(|class| {
        let mut row = vec![class.game.clone(), or_none(class.heaps)];
        row.extend(largest_and_rares(class));
        let counts: Vec<String> =
            class.growth.iter().filter_map(|Growth { rare_count, .. }| Some((*rare_count)?.to_string())).collect();
        row.push(counts.join(" "));
        row.push(excluded(class));
        row.extend([published(class), members(class)]);
        row
    });
    markdown_unless_empty(&columns, rows.collect())
}

fn three<'a>(classes: impl Iterator<Item = &'a Class>) -> String {
    let columns = ["game", "status", "period", "saltus", "preperiod", "max", "at", "to heap", "excluded", "equal"];
    let rows = classes.map(|class| {
        let found = class.period.as_ref().or(class.observed.as_ref());
        let status = match (&class.period, &class.observed) {
            (Some(found), _) => format!("proven ({})", found.theorem.as_deref().unwrap_or_default()),
            (None, Some(_)) => "observed".to_owned(),
            (None, None) => "open".to_owned(),
        };
        let of = |f: fn(&Found) -> u64| or_none(found.map(f));
        let mut row = vec![class.game.clone(), status, of(|f| f.period), of(|f| f.saltus), of(|f| f.preperiod)];
        row.extend([or_none(class.max_value), or_none(class.max_at), or_none(class.heaps)]);
        row.push(if class.observed.is_some() { String::new() } else { excluded(class) });
        row.push(members(class));
        row
    });
    markdown_unless_empty(&columns, rows.collect())
}

fn markdown_unless_empty(columns: &[&str], rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() { String::new() } else { markdown(columns, rows.into_iter()) }
}

fn largest_and_rares(class: &Class) -> [String; 5] {
    let kind = if class.mask_type.as_deref() == Some("domain") { " domain" } else { "" };
    let mask = class.mask.as_ref().map(|mask| format!("{mask}{kind}"));
    [
        or_none(class.max_value),
        or_none(class.max_at),
        or_none(class.rare_count),
        or_none(class.last_rare),
        or_none(mask),
    ]
}

fn excluded(class: &Class) -> String {
    class.excluded.map_or(String::new(), |e| format!("{}, {}", e.max_preperiod, e.max_period))
}

/// The other games of a class, with their shifts.
fn members(class: &Class) -> String {
    let name = |Equal { game, shift, compared, .. }: &Equal| {
        let doubt = compared.map_or(String::new(), |heap| format!(" (to heap {heap})"));
        shifted(game, *shift) + &doubt
    };
    list(&class.members.iter().map(name).collect::<Vec<_>>())
}
