use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::Values;
use crate::check::{Certificate, MAX_VALUES, Proof, Share, check};
use crate::engine::naive;
use crate::period::{Theorem, first_misfit, prime_factors};

/// Computes in a window of so many values until a period is proven, saving and restoring on the way.
fn bounded(game: &str, window: usize, restore_every: u64) -> Computation {
    let rules: Rules = game.parse().unwrap();
    let mut computation = Computation::new(&rules, Some(window), true);
    let mut restored = 0;
    while computation.period().is_none() {
        computation.step(2_000_000).unwrap();
        assert!(computation.known() < 2_000_000, "{game}: nothing is proven");
        if computation.known() / restore_every > restored {
            restored = computation.known() / restore_every;
            let bytes = computation.save(true);
            computation = Computation::restore(&rules, &bytes, None).unwrap();
        }
    }
    computation
}

/// With a window that forgets most of the preperiod: the period, and the preperiod to the heap.
#[test]
fn periods_are_proven_exactly_in_bounded_memory() {
    for (game, window, preperiod, period) in [
        ("0.156", 1500, 3_479, 349),
        ("0.356", 1500, 7_315, 142),
        ("4.064", 3_000, 94_272, 16_132),
        ("0.16", 90_000, 105_351, 149_459),
        ("0.56", 8_000, 326_640, 144),
        ("4.406", 5_000, 294_097, 44),
    ] {
        for restore_every in [u64::MAX, 20_000] {
            let computation = bounded(game, window, restore_every);
            let found = computation.period().unwrap();
            assert_eq!((found.preperiod, found.period), (preperiod, period), "{game}");
            assert_eq!(found.theorem.name(), "state-window");
            assert!(computation.engine().history().base() > 0, "{game}: nothing was forgotten");
            assert!(computation.filler().is_none());
        }
    }
}

/// Games that only take, in a window of some hundred values: what the definition gives, to the heap, and the ladder's
/// windows prove it. The last one is the first with a token that stays in every heap.
#[test]
fn taking_games_are_proven_exactly_in_bounded_memory() {
    for (game, preperiod, period) in [
        ("sub{9,14,26,31,40}", 239, 26_538),
        ("sub{9,15,20,30,40,45,51,60}", 57_804, 51_362),
        ("sub{8,13,24,36,45,47,52,60}", 64_501, 195),
        ("0.0000000020000200000000000200002000000002", 240, 26_538),
    ] {
        let rules: Rules = game.parse().unwrap();
        let k = rules.last_index().unwrap();
        let values: Values = naive::values(&rules, preperiod + period + k).into_iter().collect();
        let fits = |from: u64, p: u64| first_misfit(values.as_slice(), from..preperiod + k, p, 0).is_none();
        assert!(fits(preperiod, period) && !fits(preperiod - 1, period), "{game}");
        assert!((1..period).all(|p| !fits(preperiod, p)), "{game}");
        for restore_every in [u64::MAX, 10_000] {
            let computation = bounded(game, 512, restore_every);
            let found = computation.period().unwrap();
            assert_eq!((found.preperiod, found.period), (preperiod, period), "{game}");
            assert!(computation.engine().history().base() > 0, "{game}: nothing was forgotten");
            let proof = Proof::StateWindow(computation.state_proof(found, None).unwrap());
            let certificate = Certificate::new(rules.to_string(), preperiod, period, 0, proof);
            let checked = check(&certificate, Share { index: 0, of: 1 }).unwrap_or_else(|e| panic!("{game}: {e}"));
            assert!(checked.of > 100 && checked.segments == checked.of, "{checked:?}");
        }
    }
}

/// Memory for fewer values than a move reaches back is not enough, and more is taken.
#[test]
fn a_window_holds_the_state() {
    let rules: Rules = "sub{1,5000}".parse().unwrap();
    let mut computation = Computation::new(&rules, Some(1), true);
    while computation.period().is_none() {
        computation.step(100_000).unwrap();
    }
    assert_eq!((computation.period().unwrap().preperiod, computation.period().unwrap().period), (0, 5001));
}

/// What is excluded in bounded memory is not there.
#[test]
fn bounded_exclusions_are_true() {
    let rules: Rules = "0.36".parse().unwrap();
    let mut computation = Computation::new(&rules, Some(60_000), true);
    while computation.known() < 200_000 {
        computation.step(200_000).unwrap();
    }
    assert!(computation.engine().history().base() > 0);
    let excluded = computation.excluded().unwrap();
    assert!(excluded.max_preperiod > 40_000 && excluded.max_period > 40_000, "{excluded:?}");
    let mut whole = Computation::new(&rules, None, false);
    while whole.known() < 200_000 {
        whole.step(200_000).unwrap();
    }
    let values = whole.engine().history().from_zero();
    for p in 1..=excluded.max_period {
        let known = values.len() as u64 - p;
        let misfit = crate::period::first_misfit(values, excluded.max_preperiod..known, p, 0);
        assert!(misfit.is_some(), "period {p} with preperiod {} is there", excluded.max_preperiod);
    }
}

/// A search in bounded memory finds the window long after the preperiod; the certificate's begins with the preperiod. Its
/// windows are those of the ladder, and what lies between is not computed again.
#[test]
fn certificates_begin_with_the_preperiod_and_recompute_little() {
    for (game, window) in [("0.56", 8_000), ("sub{8,13,24,36,45,47,52,60}", 512)] {
        let computation = bounded(game, window, u64::MAX);
        let period = computation.period().unwrap();
        let climber = computation.climber().unwrap();
        let proof = computation.state_proof_from(period, &certify::Source::Ladder(&climber)).unwrap();
        assert_eq!(proof.start, period.preperiod, "{game}");
        if let Theorem::State { start, .. } = period.theorem {
            assert!(start > proof.start + 1000, "{game}: the search was lucky");
        }
        let (rungs, spacing) = climber.ladder().parts();
        assert!(rungs.len() > 20, "{game}: {} rungs", rungs.len());
        // The proof's window, moved by the period and by its quotients by primes, and the window before the first rung.
        let windows = 3 + prime_factors(period.period).len() as u64;
        let most = windows * 2 * spacing;
        assert!(climber.recomputed() <= most, "{game}: {} heaps, not {most}", climber.recomputed());
        assert!(most < period.preperiod, "{game}: this shows nothing");
    }
}

/// The windows of a run that stores its values are of these, though memory holds fewer.
#[test]
fn certificates_of_stored_values_take_them_as_they_are() {
    let computation = bounded("0.356", 1500, u64::MAX);
    let period = computation.period().unwrap();
    let mut values = computed(computation.rules(), 9_000);
    values[period.preperiod as usize] += 1;
    let stored: Values = values.into_iter().collect();
    let proof = computation.state_proof(period, Some(stored.as_slice())).unwrap();
    let told = |rung: &crate::check::Rung| {
        let window = rung.values(MAX_VALUES).unwrap();
        let i = (window.len() as u64 + period.preperiod).checked_sub(rung.heap)?;
        window.get(i as usize).copied()
    };
    let expected = stored.as_slice().get(period.preperiod as usize);
    assert!(proof.rungs.iter().any(|rung| told(rung) == Some(expected)));
}

/// The values of all heaps up to `to`, by an engine that forgets none.
fn computed(rules: &Rules, to: u64) -> Vec<u32> {
    let mut computation = Computation::new(rules, None, false);
    while computation.known() <= to {
        computation.step(to + 1).unwrap();
    }
    computation.engine().history().from_zero().iter().collect()
}

/// Everything is computed once more.
const WHOLE: Sample = Sample { fraction: 1.0, seed: 0, by_engine: true };

/// What is computed once more is the same, and one value that is not is named.
#[test]
fn parts_that_differ_are_found() {
    for (game, window) in [("4.406", 5_000), ("sub{8,13,24,36,45,47,52,60}", 512)] {
        let mut computation = bounded(game, window, u64::MAX);
        let known = computation.known();
        let told = AtomicU64::new(0);
        let watch = |done: u64, of: u64| {
            assert!(done <= of, "{game}");
            told.fetch_max(done, Ordering::Relaxed);
        };
        let found = recompute::parts_of_ladder(&computation, WHOLE, &watch).unwrap().unwrap();
        assert_eq!((found.heaps >= known, found.wrong), (true, None), "{game}");
        assert_eq!(told.into_inner(), found.heaps, "{game}: all heaps are told of");
        assert_eq!(found.parts, found.of);
        let tenth = Sample { fraction: 0.1, seed: 1, by_engine: true };
        let some = recompute::parts_of_ladder(&computation, tenth, &|_, _| {}).unwrap().unwrap();
        assert_eq!(some.parts, found.of.div_ceil(10));

        let (rungs, spacing) = computation.ladder.parts();
        let mut rungs = rungs.to_vec();
        let bad = rungs.len() / 2;
        let heap = rungs[bad].heap - 1;
        let mut values: Vec<u32> = rungs[bad].values.as_slice().iter().collect();
        *values.last_mut().unwrap() ^= 1;
        rungs[bad].values = values.into_iter().collect();
        computation.ladder = Ladder::from_parts(rungs, spacing);
        let wrong = recompute::parts_of_ladder(&computation, WHOLE, &|_, _| {}).unwrap().unwrap().wrong.unwrap();
        assert!(wrong.starts_with(&format!("heap {heap} has value ")), "{game}: {wrong}");
    }
    for game in ["0.106", "sub{8,13,24,36,45,47,52,60}"] {
        let rules: Rules = game.parse().unwrap();
        let mut computation = Computation::new(&rules, None, false);
        while computation.known() < 700_000 {
            computation.step(700_000).unwrap();
        }
        let space = computation.engine().rare();
        let mut values: Values = computation.engine().history().from_zero().iter().collect();
        let check = |values: &Values| {
            let found =
                recompute::parts_of_values(&rules, space, values.as_slice(), WHOLE, &|_, _| {}).unwrap().unwrap();
            assert_eq!((found.parts, found.parts), (found.of, 3), "{game}");
            found
        };
        let found = check(&values);
        assert_eq!((found.heaps, found.wrong), (700_000, None), "{game}");
        let mut list: Vec<u32> = values.as_slice().iter().collect();
        list[600_000] ^= 1;
        values = list.into_iter().collect();
        assert!(check(&values).wrong.unwrap().starts_with("heap 600000 has value "), "{game}");
    }
}
