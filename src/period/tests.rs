use proptest::prelude::*;

use super::*;
use crate::engine::dense::Dense;
use crate::engine::sparse::{RareSpace, Shape, Sparse, choose_mask};
use crate::engine::tail::Tail;
use crate::engine::{Engine, History, naive};
use crate::{Rules, Values};

/// The least (preperiod, period, saltus) that holds on the whole of a prefix, by trying all.
fn observed(values: &[u32]) -> Option<(u64, u64, u64)> {
    let n = values.len();
    (1..n / 3).find_map(|p| {
        let s = values[n - 1].checked_sub(values[n - 1 - p])?;
        let start = (0..n - p).rev().find(|&i| values[i + p] != values[i].wrapping_add(s)).map_or(0, |i| i + 1);
        (start < n / 3).then_some((start as u64, p as u64, u64::from(s)))
    })
}

fn detect(engine: &mut dyn Engine, rules: &Rules, limit: u64) -> (Option<Period>, Detector) {
    let mut detector = Detector::new(rules);
    while engine.history().len() < limit {
        let to = engine.history().len() + 1 + engine.history().len() / 10;
        engine.extend(to).unwrap();
        let period = detector.advance(engine.history().from_zero(), engine.rare());
        if period.is_some() {
            return (period, detector);
        }
    }
    (None, detector)
}

/// Whatever is proven on few values is what is seen on many more.
#[test]
fn proven_periods_hold_on_longer_runs() {
    for text in [
        "0.77",
        "0.07",
        "0.1",
        "0.2",
        "0.3",
        "0.0",
        "4.0",
        "0.15",
        "0.45",
        "0.137",
        "0.31",
        "4.3",
        "0.A",
        "0.B",
        "0.D",
        "0.81",
        "0.F3",
        "0.A3",
        "sub{1,2,3}",
        "sub{1,3,4}",
        "sub{3,5,9,12}",
        "sub{9,20,29,32}",
        "sub{2,5}",
        "0.12",
        "0.102",
    ] {
        let rules: Rules = text.parse().unwrap();
        let mut engine = Dense::new(&rules, History::new(None));
        let (period, _) = detect(&mut engine, &rules, 6000);
        let period = period.unwrap_or_else(|| panic!("{text}: no period found"));
        let known = engine.history().len();
        engine.extend(3 * known + 1000).unwrap();
        let values: Vec<u32> = engine.history().from_zero().iter().collect();
        assert_eq!(
            Some((period.preperiod, period.period, period.saltus)),
            observed(&values),
            "{text}: {period:?} at {known}"
        );
        for (n, &v) in values.iter().enumerate() {
            assert_eq!(period.value(engine.history().from_zero(), n as u128), u128::from(v), "{text} at {n}");
        }
    }
}

#[test]
fn arithmetic_periods_of_repeating_tails_are_proven() {
    for (text, wanted) in [
        ("0.[3]", (0, 1, 1)),
        ("sub{2+}", (0, 2, 1)),
        ("sub{3+}", (0, 3, 1)),
        ("allbut{1,2}", (0, 3, 1)),
        ("allbut{4,6,7,11}", (98, 48, 17)),
    ] {
        let rules: Rules = text.parse().unwrap();
        let mut engine = Tail::new(&rules, History::new(None));
        let (period, _) = detect(&mut engine, &rules, 5000);
        let period = period.unwrap_or_else(|| panic!("{text}: no period found"));
        assert_eq!((period.preperiod, period.period), (wanted.0, wanted.1), "{text}: {period:?}");
        assert_eq!(period.saltus, wanted.2, "{text}");
        engine.extend(8000).unwrap();
        for n in 0..8000 {
            let value = u128::from(engine.history().get(n).unwrap());
            assert_eq!(period.value(engine.history().from_zero(), n.into()), value, "{text} at {n}");
        }
    }
}

/// The state window needs fewer values than the whole window, and finds the same.
#[test]
fn both_windows_agree() {
    for (text, n0, p, whole) in [("0.156", 3479, 349, 7658), ("0.356", 7315, 142, 14917), ("0.055", 259, 148, 817)] {
        let rules: Rules = text.parse().unwrap();
        let mut dense = Dense::new(&rules, History::new(None));
        let (period, _) = detect(&mut dense, &rules, 20_000);
        let period = period.unwrap();
        assert_eq!((period.preperiod, period.period, period.theorem.name()), (n0, p, "guy-smith"));
        assert!(dense.history().len() >= whole);
        let mut start = History::new(None);
        dense.history().range(0, 600).iter().for_each(|v| start.push(v));
        let shape = Shape::of(&rules).unwrap();
        let space = RareSpace::new(choose_mask(start.from_zero(), 0, shape.parity()).unwrap(), start.from_zero());
        let mut sparse = Sparse::new(shape, start, space);
        let (period, _) = detect(&mut sparse, &rules, 20_000);
        let period = period.unwrap();
        assert_eq!((period.preperiod, period.period, period.theorem.name()), (n0, p, "state-window"), "{text}");
        assert!(sparse.history().len() < whole, "{text} used {}", sparse.history().len());
    }
}

/// An open game: nothing is proven, and what is excluded is really not there.
#[test]
fn exclusions_are_true() {
    let rules: Rules = "0.6".parse().unwrap();
    let mut engine = Dense::new(&rules, History::new(None));
    let (period, detector) = detect(&mut engine, &rules, 3000);
    assert_eq!(period, None);
    let excluded = detector.excluded();
    assert!(excluded.max_preperiod > 800 && excluded.max_period > 800, "{excluded:?}");
    let values = engine.history().from_zero();
    for p in 1..=excluded.max_period {
        let known = values.len() as u64 - p;
        assert!(!reduce::holds(values, excluded.max_preperiod..known, p, 0), "period {p}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Random short codes, finite or with a tail: a period that is proven holds on twice as many values by the
    /// definition, and is the least.
    #[test]
    fn proofs_are_true(
        d0 in prop::sample::select(vec![0u8, 4]),
        digits in prop::collection::vec(0u8..10, 1..4),
        tail in prop::collection::vec(0u8..4, 0..4),
    ) {
        let prefix: Vec<u8> = std::iter::once(d0).chain(digits).collect();
        let rules = Rules::from_digits(&prefix, &tail).unwrap();
        let known: Values = naive::values(&rules, 220).into_iter().collect();
        let mut detector = Detector::new(&rules);
        for len in (10..=100).step_by(5) {
            if let Some(period) = detector.advance(known.as_slice().range(0..len), None) {
                let fits = |n0: u64, p: u64, s: u64| reduce::holds(known.as_slice(), n0..known.len() as u64 - p, p, s);
                let Period { preperiod, period, saltus, .. } = period;
                prop_assert!(fits(preperiod, period, saltus), "{rules}: {preperiod} {period} {saltus} at {len}");
                prop_assert!(preperiod == 0 || !fits(preperiod - 1, period, saltus), "{rules}: preperiod {preperiod}");
                prop_assert!((1..period).all(|p| (0..=saltus).all(|s| !fits(preperiod, p, s))), "{rules}: period {period}");
                break;
            }
        }
    }
}

/// Filling gives what the engine computes, over every seam.
#[test]
fn filling_is_computing() {
    for text in ["0.77", "0.1", "sub{2,5}", "sub{2+}", "allbut{4,6,7,11}", "0.[3]", "0.45"] {
        let rules: Rules = text.parse().unwrap();
        let mut engine = Dense::new(&rules, History::new(None));
        let (period, _) = detect(&mut engine, &rules, 5000);
        let filler = Filler::new(&period.unwrap(), engine.history().from_zero());
        engine.extend(7000).unwrap();
        for start in [0, 1, 97, 500] {
            let mut n = start;
            while n < 7000 {
                let values = filler.next(n..7000);
                assert_eq!(values.as_slice(), engine.history().range(n, n + values.len() as u64), "{text} at {n}");
                n += values.len() as u64;
            }
        }
        assert_eq!(filler.width(7000), engine.history().recent().width());
    }
}

/// Nim's values are its heaps: heap 2^32 is the first that 32 bits cannot hold.
#[test]
fn values_of_2_to_the_32_are_found_in_time() {
    let rules: Rules = "nim".parse().unwrap();
    let mut engine = Tail::new(&rules, History::new(None));
    let (period, _) = detect(&mut engine, &rules, 1000);
    let filler = Filler::new(&period.unwrap(), engine.history().from_zero());
    assert_eq!(filler.overflow(0..1 << 32), None);
    assert_eq!(filler.overflow(0..1 << 40), Some(1 << 32));
    assert_eq!(filler.overflow(1 << 35..1 << 40), Some(1 << 35));
    assert_eq!(filler.value(u64::MAX), Some(u64::MAX));
    let top = filler.next((1 << 32) - 2..1 << 32);
    assert!(top.as_slice().iter().eq([u32::MAX - 1, u32::MAX]));
}

/// Claims about heaps beyond 2^64 are decided like all others.
#[test]
fn claims_beyond_64_bits_are_decided() {
    let filler = |text: &str| {
        let rules: Rules = text.parse().unwrap();
        let mut engine = Dense::new(&rules, History::new(None));
        let (period, _) = detect(&mut engine, &rules, 5000);
        Filler::new(&period.unwrap(), engine.history().from_zero())
    };
    let claim = |period, preperiod, saltus| Claim { period, preperiod, saltus };
    let (nim, halves, kayles) = (filler("nim"), filler("sub{2+}"), filler("kayles"));
    const TOP: u64 = u64::MAX;
    assert_eq!(claim(TOP - 2, 10, TOP - 5).refuted_by(&nim), Some(10));
    assert_eq!(claim(TOP - 2, 10, TOP - 2).refuted_by(&nim), None);
    assert_eq!(claim(TOP - 2, 10, TOP).refuted_by(&halves), Some(10));
    for preperiod in [TOP - 13, TOP - 12, TOP - 1, TOP] {
        assert_eq!(claim(12, preperiod, 0).refuted_by(&kayles), None);
        assert_eq!(claim(11, preperiod, 0).refuted_by(&kayles).map(|n| n >= u128::from(preperiod)), Some(true));
    }
    assert_eq!(claim((TOP - 3) / 12 * 12, 71, 0).refuted_by(&kayles), None);
    assert_eq!(claim((TOP - 3) / 12 * 12, 70, 0).refuted_by(&kayles), Some(70));
}

/// Values that come again every 12 heaps, and a byte of which comes again every 4: the true place overlaps the false one.
/// The byte is the lowest, or the xor of the two lowest.
fn misleading(len: u64, xor: bool) -> Values {
    let value = |n: u64| ((n % 4) ^ ((n / 4 % 3) * u64::from(xor))) + n / 4 % 3 * 256;
    (0..len).map(|n| value(n) as u32).collect()
}

/// A place that is false is passed by one heap, and not by the length of what was looked for there.
#[test]
fn places_that_overlap_a_false_one_are_looked_at() {
    let rules: Rules = "sub{1,2}".parse().unwrap();
    let values = misleading(200, true);
    let period = Detector::new(&rules).advance(values.as_slice(), None).expect("it is a period");
    assert_eq!((period.preperiod, period.period), (0, 12));

    let mut search = Recurrence::new(1);
    let state = State::of(&rules, None).unwrap();
    let history = |len| History::from_parts(Values::new(), misleading(len, false), 0, None);
    assert_eq!(search.advance(&history(300), 0, state), None);
    let (found, _) = search.advance(&history(3000), 300, state).expect("it comes again");
    assert_eq!((found.start, found.period), (44, 12));
}
