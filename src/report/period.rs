//! What is known of a game's period, as text and as JSON.

use std::fmt;

use serde::Serialize;

use crate::driver::Computation;
use crate::engine::Engine;
use crate::period::{Exclusion, Match, heaps_needed};

/// Whether a period is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Proven, with saltus 0.
    Periodic,
    /// Proven, with a saltus.
    ArithmeticPeriodic,
    /// Not known.
    Unknown,
    /// A claim that is false.
    Refuted,
}

/// A regularity that was seen and that no theorem proves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Observed {
    /// Where it begins.
    pub preperiod: u64,
    /// Its period.
    pub period: u64,
    /// Its saltus.
    pub saltus: u64,
}

impl From<Match> for Observed {
    fn from(seen: Match) -> Observed {
        Observed { preperiod: seen.start, period: seen.period, saltus: seen.saltus }
    }
}

/// The keys of `period --json`.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it, and the README documents the keys")]
pub struct PeriodReport {
    pub game: String,
    pub canonical: String,
    pub status: Status,
    pub period: Option<u64>,
    pub preperiod: Option<u64>,
    pub last_exception: Option<i64>,
    pub saltus: Option<u64>,
    pub theorem: Option<&'static str>,
    pub values_computed: u64,
    pub max_value: u64,
    pub max_at: u64,
    pub rare_count: Option<u64>,
    pub last_rare: Option<u64>,
    pub mask: Option<String>,
    pub mask_type: Option<&'static str>,
    pub excluded: Option<Exclusion>,
    pub observed: Option<Observed>,
    pub engine: &'static str,
    pub kernel: &'static str,
    pub threads: usize,
    pub seconds: f64,
    /// The theorem with its numbers, for the text.
    #[serde(skip)]
    proof: Option<String>,
    /// How many heaps would prove what is observed, if a theorem can.
    #[serde(skip)]
    heaps_needed: Option<u128>,
}

impl PeriodReport {
    /// What a computation knows by now.
    pub fn new(game: &str, computation: &Computation, threads: usize, seconds: f64) -> PeriodReport {
        let period = computation.period();
        let rare = computation.engine().rare();
        let statistics = computation.statistics();
        let observed = computation.observed().filter(|_| period.is_none());
        PeriodReport {
            game: game.to_owned(),
            canonical: computation.rules().to_string(),
            status: match period {
                None => Status::Unknown,
                Some(period) if period.saltus == 0 => Status::Periodic,
                Some(_) => Status::ArithmeticPeriodic,
            },
            period: period.map(|p| p.period),
            preperiod: period.map(|p| p.preperiod),
            last_exception: period.and_then(|p| i64::try_from(p.last_exception()).ok()),
            saltus: period.map(|p| p.saltus),
            theorem: period.map(|p| p.theorem.name()),
            values_computed: computation.known(),
            max_value: statistics.max_value,
            max_at: statistics.max_at,
            rare_count: rare.map(|r| r.positions().len() as u64),
            last_rare: rare.and_then(|r| r.positions().last().copied()),
            mask: rare.map(|r| r.mask().text(r.max_value())),
            mask_type: rare.map(|r| r.mask().kind()),
            excluded: if period.is_none() { computation.excluded() } else { None },
            observed: observed.map(Observed::from),
            engine: computation.engine().name(),
            kernel: computation.engine().kernel(),
            threads,
            seconds,
            proof: period.map(|p| p.theorem.to_string()),
            heaps_needed: observed.and_then(|seen| heaps_needed(computation.rules(), &seen)),
        }
    }
}

impl fmt::Display for PeriodReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let same = self.game == self.canonical;
        writeln!(f, "{}{}", self.canonical, if same { String::new() } else { format!(" ({})", self.game) })?;
        match (self.period, self.preperiod, self.last_exception) {
            (Some(period), Some(preperiod), Some(last)) => {
                writeln!(f, "  period          {period}")?;
                if let Some(saltus) = self.saltus.filter(|&s| s > 0) {
                    writeln!(f, "  saltus          {saltus}, added with every period")?;
                }
                writeln!(f, "  preperiod       {preperiod}")?;
                let last = if last < 0 { "none".to_owned() } else { last.to_string() };
                writeln!(f, "  last exception  {last}")?;
            }
            _ => writeln!(f, "  period          none proven")?,
        }
        if let Some(proof) = &self.proof {
            writeln!(f, "  proven by       {proof}")?;
        }
        if let Some(Observed { preperiod, period, saltus }) = self.observed {
            let hope = match self.heaps_needed {
                Some(heaps) => format!("proven if it holds for {heaps} heaps"),
                None => "no theorem covers it".to_owned(),
            };
            writeln!(f, "  observed        period {period}, saltus {saltus}, from heap {preperiod} on; {hope}")?;
        }
        if let Some(Exclusion { max_preperiod, max_period }) = self.excluded {
            writeln!(f, "  excluded        periods up to {max_period} with preperiods up to {max_preperiod}")?;
        }
        writeln!(
            f,
            "  values          {} computed, the largest {} at heap {}",
            self.values_computed, self.max_value, self.max_at
        )?;
        if let (Some(count), Some(mask), Some(kind)) = (self.rare_count, &self.mask, self.mask_type) {
            let last = self.last_rare.map_or(String::new(), |last| format!(", the last at heap {last}"));
            writeln!(f, "  rare heaps      {count}{last} (mask {mask}, {kind} type)")?;
        }
        write!(f, "  computed by     {} engine, {} kernel, {:.2} s", self.engine, self.kernel, self.seconds)
    }
}
