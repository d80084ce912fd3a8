//! Is a stored run what it says it is? Checksums, statistics, rare heaps and period against the stored values,
//! and a sample of the values against the rules.

use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use crate::Rules;
use crate::engine::naive;
use crate::engine::sparse::{RareSpace, Rule, Shape};
use crate::period::{Period, Theorem, first_misfit};
use crate::statistics::Statistics;
use crate::store::{BadBlock, StoredRun};
use crate::values::Slice;
use crate::work::{Watch, Work};

use super::recompute::recompute;
use super::{Recomputed, RunError};

/// How many heaps are recomputed together.
const SAMPLE: u64 = 256;

/// How many heaps a thread compares with the period at a time.
const PIECE: u64 = 1 << 20;

/// What was checked, and what was found wrong.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verification {
    /// How many heaps the run tells of: with 0, nothing has been saved yet.
    pub heaps: u64,
    /// How many values were compared with their checksums.
    pub values: u64,
    /// How many heaps were recomputed by the rules from the stored values of smaller heaps.
    pub recomputed: u64,
    /// What was computed once more by the engine.
    pub again: Option<Recomputed>,
    /// What is wrong, each in a sentence that names a heap where there is one.
    pub wrong: Vec<String>,
    /// Whether files were changed after they were written, so that all that is wrong may come from that: a run that goes
    /// on does not build on what was changed.
    pub damaged: bool,
}

/// Which values of a run are computed once more, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    /// The share of all, 0 to 1.
    pub fraction: f64,
    /// Chooses which.
    pub seed: u64,
    /// By the engine, with the kernel that is in force, where the game allows it, and not by the rules. A run without
    /// values is always computed so.
    pub by_engine: bool,
}

/// Checks a run directory. `watch` is told how many of the heaps to be recomputed are done.
///
/// # Errors
/// If the run cannot be read, or has no checkpoint to compute from. What can be read and is wrong is not an error but a
/// finding.
pub fn verify(dir: &Path, sample: Sample, watch: Watch<'_>) -> Result<Verification, RunError> {
    let run = StoredRun::read(dir)?;
    let manifest = run.manifest();
    let rules: Rules = manifest.game.parse()?;
    let mut found = Verification { heaps: manifest.done, wrong: damage(&run)?, ..Verification::default() };
    found.damaged = !found.wrong.is_empty();
    if found.heaps == 0 {
        return Ok(found);
    }
    if sample.fraction > 0.0 && (sample.by_engine || run.values().is_none()) {
        found.again = recompute(&run, &rules, sample, watch)?;
        found.wrong.extend(found.again.iter().filter_map(|again| again.wrong.clone()));
    }
    let Some(values) = run.values() else { return Ok(found) };
    found.values = values.len() as u64;
    found.wrong.extend(check_statistics(&run, values));
    found.wrong.extend(check_rare(&run, values));
    if let Some(period) = &manifest.progress.period {
        found.wrong.extend(check_period(period, values));
    }
    if found.again.is_some() {
        return Ok(found);
    }
    let end = decisive(&rules, manifest.progress.period.as_ref(), values.len() as u64);
    let samples = ranges(end, sample.fraction, sample.seed);
    found.recomputed = samples.iter().map(|range| range.end - range.start).sum();
    let space = manifest.progress.mask.map(|mask| RareSpace::new(mask, values));
    let work = Work::new(watch, found.recomputed);
    found.wrong.extend(by_rule(&rules, space, values, samples, &work));
    Ok(found)
}

/// What was changed in the files, or is missing.
fn damage(run: &StoredRun) -> Result<Vec<String>, RunError> {
    let mut damage = run.bad_checkpoints()?;
    let missing = run.missing_checkpoint()?;
    damage.extend(missing.map(|path| format!("{} is missing, and manifest.json tells of it", path.display())));
    damage.extend(run.verify_blocks().iter().map(bad_block));
    let surplus = run.surplus();
    damage.extend((surplus > 0).then(|| format!("values.npy has {surplus} bytes after its last value")));
    Ok(damage)
}

fn bad_block(bad: &BadBlock) -> String {
    format!("the values of heaps {} to {} do not have their checksum", bad.heaps.start, bad.heaps.end - 1)
}

fn check_statistics(run: &StoredRun, values: Slice<'_>) -> Option<String> {
    let progress = &run.manifest().progress;
    let statistics = Statistics::of(values);
    let largest = (progress.max_value, progress.max_at) == (statistics.max_value, statistics.max_at);
    let counted = progress.value_counts.as_ref().is_none_or(|told| {
        let counts = statistics.counts.unwrap_or_default();
        (0..).zip(&counts).all(|(v, &n)| told.get(&v).copied().unwrap_or(0) == n)
            && told.keys().all(|&v| (v as usize) < counts.len())
    });
    // A run that was killed, and opened by nobody since, has not told of its last values.
    (run.manifest().done > 0 && !(largest && counted))
        .then(|| "the statistics in manifest.json are not those of the values".to_owned())
}

fn check_rare(run: &StoredRun, values: Slice<'_>) -> Option<String> {
    let progress = &run.manifest().progress;
    let space = RareSpace::new(progress.mask?, values);
    let differs = space.positions().iter().zip(&progress.rare).find(|(a, b)| a != b).map(|(a, b)| *a.min(b));
    let uneven = space.positions().len() != progress.rare.len();
    let at = differs.or_else(|| uneven.then(|| space.last().max(progress.rare.last().copied().unwrap_or(0))))?;
    // A filled run keeps the rare list of the heaps that were computed.
    let filled = progress.period.is_some() && differs.is_none() && space.positions().len() > progress.rare.len();
    (!filled).then(|| format!("the rare heaps in manifest.json are not those of the values, from heap {at} on"))
}

fn check_period(period: &Period, values: Slice<'_>) -> Option<String> {
    let fits = |n: u64| first_misfit(values, n..n + 1, period.period, period.saltus).is_none();
    let end = (values.len() as u64).saturating_sub(period.period);
    let pieces = (period.preperiod / PIECE..end.div_ceil(PIECE)).into_par_iter();
    let misfit = pieces.find_map_first(|piece| {
        let range = (piece * PIECE).max(period.preperiod).min(end)..((piece + 1) * PIECE).min(end);
        first_misfit(values, range, period.period, period.saltus)
    });
    let early = period.preperiod.checked_sub(1).filter(|&n| n < end && fits(n));
    let misfit = misfit.map(|n| format!("heap {} does not fit the period {}", n + period.period, period.period));
    misfit.or_else(|| early.map(|n| format!("the preperiod is not the least: heap {n} fits the period as well")))
}

/// The heaps that decide everything: all of them, or, with a proven period, those that the theorem needs. What is
/// beyond follows from these and from the period, which all stored values are compared with.
fn decisive(rules: &Rules, period: Option<&Period>, len: u64) -> u64 {
    let Some(Period { preperiod, period, theorem, .. }) = period else { return len };
    let needed = match theorem {
        Theorem::Window { heaps } => {
            let heaps = u64::from(*heaps);
            let both = preperiod.max(&1).saturating_add(*period);
            heaps.saturating_mul(both).saturating_add(rules.last_index().unwrap_or(0))
        }
        Theorem::State { start, window, .. } => start.saturating_add(*window).saturating_add(*period),
        Theorem::Tail { start, distance } => start.saturating_add(*distance).saturating_add(1),
    };
    needed.min(len)
}

/// Ranges of heaps below `end`, so many that they are `fraction` of all.
fn ranges(end: u64, fraction: f64, seed: u64) -> Vec<Range<u64>> {
    let chosen = choose(end.div_ceil(SAMPLE), fraction, seed).into_iter();
    chosen.map(|b| b * SAMPLE..((b + 1) * SAMPLE).min(end)).collect()
}

/// `fraction` of the numbers below `all`, ascending, which `seed` decides.
pub(super) fn choose(all: u64, fraction: f64, seed: u64) -> Vec<u64> {
    let wanted = ((all as f64 * fraction).ceil() as u64).min(all);
    if wanted == all {
        return (0..all).collect();
    }
    let mut chosen = std::collections::BTreeSet::new();
    let mut state = seed;
    while (chosen.len() as u64) < wanted {
        chosen.insert(split_mix(&mut state) % all);
    }
    chosen.into_iter().collect()
}

/// G. Steele, D. Lea and C. Flood's SplitMix64 (OOPSLA 2014): a sample needs no better generator.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The first value of the samples that is not what the rules give.
fn by_rule(
    rules: &Rules,
    space: Option<RareSpace>,
    values: Slice<'_>,
    samples: Vec<Range<u64>>,
    work: &Work<'_>,
) -> Option<String> {
    let rule = space.zip(Shape::of(rules)).map(|(space, shape)| Rule::new(shape, space));
    let first_wrong = |range: Range<u64>| match &rule {
        Some(rule) => rule.first_wrong(values, range),
        None => range.into_iter().find_map(|n| {
            let right = naive::value(rules, n, |heap| values.get(heap as usize));
            (right != values.get(n as usize)).then_some((n, right))
        }),
    };
    let check = |range: Range<u64>| {
        let wrong = first_wrong(range.clone());
        work.add(range.end - range.start);
        wrong
    };
    let wrong = samples.into_par_iter().find_map_first(check);
    wrong.map(|(n, right)| format!("heap {n} is stored with value {}, the rules give {right}", values.get(n as usize)))
}
