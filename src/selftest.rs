//! What the program must know: published facts, and the agreement of all engines with the definition.

use crate::Rules;
use crate::driver::Computation;
use crate::engine::{self, naive};
use crate::statistics::Statistics;

/// A published period: least (preperiod, period, saltus).
struct Known {
    game: &'static str,
    preperiod: u64,
    period: u64,
    saltus: u64,
}

const fn known(game: &'static str, preperiod: u64, period: u64, saltus: u64) -> Known {
    Known { game, preperiod, period, saltus }
}

/// Guy and Smith 1956 (0.77, 0.07, 0.137, 0.45), Kenyon 1967 (0.156), Austin 1976 (0.165, 0.356, 0.644), Gangolli
/// and Plambeck 1989 (0.16, 0.56, 0.127), Flammenkamp (0.055), *Winning Ways* (the subtraction games).
const PERIODS: &[Known] = &[
    known("0.77", 71, 12, 0),
    known("0.07", 53, 34, 0),
    known("0.137", 52, 34, 0),
    known("0.45", 498, 20, 0),
    known("0.055", 259, 148, 0),
    known("0.156", 3_479, 349, 0),
    known("0.356", 7_315, 142, 0),
    known("0.165", 5_181, 1_550, 0),
    known("0.644", 3_256, 442, 0),
    known("0.16", 105_351, 149_459, 0),
    known("0.56", 326_640, 144, 0),
    known("0.127", 46_578, 4, 0),
    known("4.064", 94_272, 16_132, 0),
    known("4.406", 294_097, 44, 0),
    known("sub{1,2,3}", 0, 4, 0),
    known("sub{9,20,29,32}", 211, 905, 0),
    known("nim", 0, 1, 1),
    known("allbut{4,6,7,11}", 98, 48, 17),
];

/// The values of heaps 0 to `to`, told by their sum, the first of the largest, and the number of zeros.
struct Sequence {
    game: &'static str,
    to: u64,
    sum: u64,
    max: u64,
    max_at: u64,
    zeros: u64,
}

/// Computed from the definition, by another program.
#[rustfmt::skip]
const SEQUENCES: &[Sequence] = &[
    Sequence { game: "4.3", to: 10_000, sum: 10_001, max: 2, max_at: 2, zeros: 5_000 },
    Sequence { game: "0.04", to: 10_000, sum: 714_852, max: 262, max_at: 9_916, zeros: 37 },
    Sequence { game: "0.006", to: 10_000, sum: 1_222_435, max: 437, max_at: 9_584, zeros: 29 },
    Sequence { game: "0.744", to: 10_000, sum: 2_004_184, max: 577, max_at: 7_721, zeros: 2 },
    Sequence { game: "4.007", to: 10_000, sum: 1_486_858, max: 512, max_at: 9_499, zeros: 2 },
    Sequence { game: "0.14", to: 131_072, sum: 2_213_155, max: 67, max_at: 105_766, zeros: 172 },
    Sequence { game: "0.36", to: 131_072, sum: 7_417_854, max: 187, max_at: 13_841, zeros: 14 },
    Sequence { game: "0.104", to: 131_072, sum: 661_982, max: 24, max_at: 106_179, zeros: 15_202 },
    Sequence { game: "0.205", to: 131_072, sum: 1_975_629, max: 61, max_at: 78_915, zeros: 5_141 },
    Sequence { game: "0.324", to: 131_072, sum: 2_428_249, max: 84, max_at: 129_608, zeros: 4_922 },
    Sequence { game: "0.444", to: 131_072, sum: 4_325_831, max: 196, max_at: 53_921, zeros: 3 },
    Sequence { game: "0.776", to: 131_072, sum: 9_595_344, max: 296, max_at: 5_487, zeros: 1 },
    Sequence { game: "grundys-game", to: 131_072, sum: 8_180_590, max: 230, max_at: 45_668, zeros: 42 },
    Sequence { game: "0.127", to: 120_000, sum: 513_559, max: 56, max_at: 24_734, zeros: 1_190 },
];

/// Games on which all engines are compared with the definition.
const ENGINES: &[&str] = &[
    "0.77",
    "0.07",
    "0.6",
    "0.106",
    "0.104",
    "4.7",
    "4.045",
    "0.6[1]",
    "0.[37]",
    "4.[3]",
    "0.[12]",
    "0.137F",
    "8.3",
    "sub{2,5,11}",
    "sub{2+}",
    "allbut{1,4}",
    "grundys-game",
    "couples-are-forever",
];

/// How many heaps of them.
const HEAPS: u64 = 200;

/// Runs every check, and tells `report` the name of each and what is wrong, if anything is. Returns how many
/// failed.
pub fn run(mut report: impl FnMut(&str, Result<(), String>)) -> usize {
    let mut failed = 0;
    let mut check = |name: String, outcome: Result<(), String>| {
        failed += usize::from(outcome.is_err());
        report(&name, outcome);
    };
    for &game in ENGINES {
        check(format!("{game}: all engines against the definition to heap {HEAPS}"), engines(game));
    }
    for sequence in SEQUENCES {
        check(format!("{}: values to heap {}", sequence.game, sequence.to), values(sequence));
    }
    for known in PERIODS {
        check(format!("{}: period {}, preperiod {}", known.game, known.period, known.preperiod), period(known));
    }
    failed
}

fn rules(game: &str) -> Result<Rules, String> {
    game.parse().map_err(|e| format!("{e}"))
}

fn engines(game: &str) -> Result<(), String> {
    let rules = rules(game)?;
    let right = naive::values(&rules, HEAPS);
    for mut engine in engine::every(&rules, &right, 0) {
        engine.extend(HEAPS + 1).map_err(|e| e.to_string())?;
        let values = engine.history().from_zero();
        if let Some(n) = (0..right.len()).find(|&n| values.get(n) != right[n]) {
            return Err(format!("the {} engine has g({n}) = {}, not {}", engine.name(), values.get(n), right[n]));
        }
    }
    Ok(())
}

fn values(known: &Sequence) -> Result<(), String> {
    let mut computation = Computation::new(&rules(known.game)?, None, false);
    while computation.known() <= known.to {
        computation.step(known.to + 1).map_err(|e| e.to_string())?;
    }
    let Statistics { counts, max_value, max_at, .. } = computation.statistics();
    let counts = counts.as_deref().unwrap_or_default();
    let sum: u64 = (0..).zip(counts).map(|(v, n)| v * n).sum();
    let got = (sum, *max_value, *max_at, counts.first().copied().unwrap_or(0));
    let wanted = (known.sum, known.max, known.max_at, known.zeros);
    if got == wanted { Ok(()) } else { Err(format!("(sum, max, at, zeros) is {got:?}, not {wanted:?}")) }
}

fn period(known: &Known) -> Result<(), String> {
    let mut computation = Computation::new(&rules(known.game)?, None, true);
    let limit = 3 * (known.preperiod + known.period) + 1000;
    while computation.filler().is_none() && computation.known() < limit {
        computation.step(limit).map_err(|e| e.to_string())?;
    }
    let period = computation.filler().ok_or(format!("nothing is proven on {limit} heaps"))?.period();
    let got = (period.preperiod, period.period, period.saltus);
    let wanted = (known.preperiod, known.period, known.saltus);
    if got == wanted { Ok(()) } else { Err(format!("(preperiod, period, saltus) is {got:?}, not {wanted:?}")) }
}
