//! Misère quotients and genus symbols, as text and as JSON.

use std::fmt;

use serde::Serialize;

use crate::Rules;
use crate::misere::{Analysis, Change, Genus, Kind, Presentation, Quotient, generator_name};

/// The pretending function is written out as text for so many heaps at most; the JSON object has all of it.
const SHOWN_HEAPS: usize = 500;
/// Values of the pretending function in a line.
const PER_LINE: usize = 10;

/// The keys of `misere --json`.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it, and the README documents the keys")]
pub struct MisereReport {
    pub game: String,
    pub status: &'static str,
    pub heaps: u64,
    pub order: usize,
    pub p_count: usize,
    pub tame: bool,
    pub period: Option<u64>,
    pub preperiod: Option<u64>,
    pub pretending: Vec<u16>,
    pub changes: Vec<ChangeReport>,
    pub lower_bound: Option<usize>,
    pub seconds: f64,
    #[serde(skip)]
    presentation: Presentation,
    #[serde(skip)]
    p_elements: Vec<u16>,
}

/// A heap with which the quotient grows.
#[derive(Clone, Copy, Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct ChangeReport {
    pub heap: u64,
    pub order: usize,
    pub p_count: usize,
}

impl From<Change> for ChangeReport {
    fn from(change: Change) -> ChangeReport {
        ChangeReport { heap: change.heap, order: change.order, p_count: change.p_count }
    }
}

impl MisereReport {
    /// What is known of a game's misère play.
    pub fn new(analysis: &Analysis) -> MisereReport {
        let quotient: &Quotient = &analysis.quotient;
        MisereReport {
            game: quotient.rules().to_string(),
            status: analysis.status.name(),
            heaps: quotient.heaps(),
            order: quotient.order(),
            p_count: quotient.p_count(),
            tame: quotient.is_tame(),
            period: quotient.period().map(|p| p.period),
            preperiod: quotient.period().map(|p| p.preperiod),
            pretending: quotient.pretending().to_vec(),
            changes: analysis.changes.iter().copied().map(ChangeReport::from).collect(),
            lower_bound: analysis.status.lower_bound(),
            seconds: analysis.spent.as_secs_f64(),
            presentation: quotient.presentation(),
            p_elements: quotient.p_elements().collect(),
        }
    }

    fn write_pretending(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let repeated = self.preperiod.zip(self.period).map_or(u64::MAX, |(n0, p)| n0 + p - 1);
        let shown = self.pretending.len().min(usize::try_from(repeated).unwrap_or(usize::MAX));
        if shown > SHOWN_HEAPS {
            return writeln!(f, "  pretending      {shown} values: --json lists them");
        }
        for (line, values) in self.pretending[..shown].chunks(PER_LINE).enumerate() {
            let label = if line == 0 { "pretending" } else { "" };
            write!(f, "  {label:<14}{:>5}:", line * PER_LINE + 1)?;
            values.iter().try_for_each(|&x| write!(f, " {}", self.presentation.words[x as usize]))?;
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for MisereReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}, misère play", self.game)?;
        match (self.status, self.lower_bound) {
            ("solved", _) => writeln!(f, "  solved          the quotient of the whole game")?,
            (_, Some(bound)) => {
                let next = self.heaps + 1;
                writeln!(
                    f,
                    "  unresolved      the quotient to heap {}; to heap {next} it has at least {bound} elements",
                    self.heaps
                )?;
            }
            _ => writeln!(f, "  partial         the quotient to heap {}", self.heaps)?,
        }
        let kind = if self.tame { "tame" } else { "wild" };
        writeln!(f, "  order           {}, P-elements {}, {kind}", self.order, self.p_count)?;
        if let (Some(period), Some(preperiod)) = (self.period, self.preperiod) {
            writeln!(f, "  period          {period} from heap {preperiod} on, proven by heaps 1 to {}", self.heaps)?;
        }
        for (i, change) in self.changes.iter().enumerate() {
            let label = if i == 0 { "changes" } else { "" };
            writeln!(f, "  {label:<14}  heap {}: order {}, P-elements {}", change.heap, change.order, change.p_count)?;
        }
        let Presentation { generators, words, relations } = &self.presentation;
        let list = |items: Vec<String>| if items.is_empty() { "none".to_owned() } else { items.join(", ") };
        let named = generators.iter().enumerate().map(|(g, heap)| format!("{} = heap {heap}", generator_name(g)));
        writeln!(f, "  generators      {}", list(named.collect()))?;
        writeln!(f, "  relations       {}", list(relations.iter().map(|(a, b)| format!("{a} = {b}")).collect()))?;
        let p = self.p_elements.iter().map(|&x| words[x as usize].to_string());
        writeln!(f, "  P-elements      {}", list(p.collect()))?;
        self.write_pretending(f)?;
        write!(f, "  time            {:.2} s", self.seconds)
    }
}

/// The keys of `misere --genus N --json`.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it, and the README documents the keys")]
pub struct GenusReport {
    pub game: String,
    pub genus: Vec<GenusRow>,
}

/// The genus of one heap.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct GenusRow {
    pub heap: u64,
    pub symbol: String,
    pub kind: String,
}

impl GenusReport {
    /// The genera of heaps 1, 2, ...
    pub fn new(rules: &Rules, genera: &[(Genus, Kind)]) -> GenusReport {
        let row = |(heap, (genus, kind)): (u64, &(Genus, Kind))| GenusRow {
            heap,
            symbol: genus.to_string(),
            kind: kind.to_string(),
        };
        GenusReport { game: rules.to_string(), genus: (1..).zip(genera).map(row).collect() }
    }
}

impl fmt::Display for GenusReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, genus of single heaps", self.game)?;
        let width = self.genus.iter().map(|row| row.symbol.len()).max().unwrap_or(0);
        self.genus.iter().try_for_each(|row| write!(f, "\n  {:>4}  {:width$}  {}", row.heap, row.symbol, row.kind))
    }
}
