//! All engines against the definition, and against one another where the definition is too slow.

use rayon::prelude::*;
use sprague::driver::Computation;
use sprague::engine::dense::Dense;
use sprague::engine::sparse::{RareSpace, Shape, Sparse, choose_mask};
use sprague::engine::{Engine, History, Planned, naive};
use sprague::{Rules, Values};

/// The last heap that is compared with the definition.
const NAIVE: u64 = 300;
/// Past the heaps where the planned engine looks for rare positions: 1024, 2048, 4096.
const DOUBLINGS: u64 = 4500;

/// All codes `0.d`, `0.dd`, `0.ddd`, `4.d`, `4.dd`, `4.ddd`.
fn codes() -> Vec<Rules> {
    let digits = (0..512u32).map(|code| [code >> 6, code >> 3 & 7, code & 7].map(|d| d as u8));
    let with = |d0: u8| digits.clone().map(move |d| Rules::from_digits(&[d0, d[0], d[1], d[2]], &[]).unwrap());
    with(0).chain(with(4)).collect()
}

fn extended(mut engine: impl Engine, to: u64) -> Values {
    engine.extend(to + 1).unwrap();
    let mut values = Values::new();
    values.extend(engine.history().from_zero());
    values
}

/// The sparse engine, going on from the first `from` values with the mask that suits all of `known` best.
fn sparse(rules: &Rules, known: &Values, from: usize, domain: bool) -> Option<Sparse> {
    let shape = Shape::of(rules)?;
    let mask = choose_mask(known.as_slice(), 0, shape.parity().filter(|_| domain))?;
    let mut history = History::new(None);
    known.as_slice().range(0..from).iter().for_each(|v| history.push(v));
    let space = RareSpace::new(mask, history.from_zero());
    Some(Sparse::new(shape, history, space))
}

#[track_caller]
fn assert_same(rules: &Rules, engine: &str, values: &Values, known: &Values) {
    let different = (0..known.len()).find(|&n| values.get(n) != known.get(n));
    if let Some(n) = different {
        panic!("{rules}: the {engine} engine has g({n}) = {}, not {}", values.get(n), known.get(n));
    }
    assert_eq!(values.len(), known.len());
}

#[test]
fn every_code_of_three_digits() {
    codes().par_iter().for_each(|rules| {
        let known: Values = naive::values(rules, NAIVE).into_iter().collect();
        assert_same(rules, "dense", &extended(Dense::new(rules, History::new(None)), NAIVE), &known);
        assert_same(rules, "planned", &extended(Planned::new(rules, None), NAIVE), &known);
        for (from, domain) in [(0, false), (0, true), (NAIVE as usize / 2, true)] {
            if let Some(engine) = sparse(rules, &known, from, domain) {
                assert_same(rules, "sparse", &extended(engine, NAIVE), &known);
            }
        }
    });
}

#[test]
fn every_code_of_three_digits_through_changes_of_the_engine() {
    codes().par_iter().for_each(|rules| {
        let known = extended(Dense::new(rules, History::new(None)), DOUBLINGS);
        assert_same(rules, "planned", &extended(Planned::new(rules, None), DOUBLINGS), &known);
    });
}

#[test]
fn a_few_dozen_games_to_20_000() {
    const TO: u64 = 20_000;
    let games = [
        "0.77",
        "0.07",
        "0.137",
        "0.6",
        "0.007",
        "0.15",
        "0.04",
        "0.14",
        "0.36",
        "0.45",
        "0.56",
        "0.64",
        "0.054",
        "0.055",
        "0.104",
        "0.106",
        "0.127",
        "0.143",
        "0.156",
        "0.16",
        "0.161",
        "0.167",
        "0.205",
        "0.207",
        "0.324",
        "0.354",
        "0.356",
        "0.376",
        "0.454",
        "0.644",
        "0.776",
        "4.004",
        "4.044",
        "4.045",
        "4.367",
        "4.406",
        "4.7",
        "0.0007",
        "0.6[1]",
        "grundys-game",
        "couples-are-forever",
    ];
    games.par_iter().for_each(|game| {
        let rules: Rules = game.parse().unwrap();
        let known = extended(Dense::new(&rules, History::new(None)), TO);
        assert_same(&rules, "planned", &extended(Planned::new(&rules, None), TO), &known);
        let engine = sparse(&rules, &known, 5000, true).expect("all of these split");
        assert_same(&rules, "sparse", &extended(engine, TO), &known);
    });
}

/// Saved and restored at many moments, a computation decides what one that was never interrupted decides.
#[test]
fn restored_computations_have_the_same_values() {
    const TO: u64 = 12_000;
    let games =
        ["0.6", "0.104", "0.007", "0.324", "0.16", "4.[3]", "sub{9,22,30}", "allbut{4,6,7,11}", "0.A8", "grundys-game"];
    games.par_iter().enumerate().for_each(|(seed, game)| {
        let rules: Rules = game.parse().unwrap();
        let to = if rules.max_parts() == 3 { 600 } else { TO };
        let mut whole = Computation::new(&rules, None, false);
        while whole.known() < to {
            whole.compute(to).unwrap();
        }
        let mut computation = Computation::new(&rules, None, false);
        let mut random = seed as u64;
        while computation.known() < to {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let stop = (computation.known() + 1 + (random >> 33) % (to / 4)).min(to);
            while computation.known() < stop {
                computation.compute(stop).unwrap();
            }
            let stored = computation.engine().history().from_zero();
            let keep = random >> 40 & 1 == 0;
            let state = computation.save(keep);
            computation = Computation::restore(&rules, &state, (!keep).then_some(stored)).unwrap();
        }
        assert_eq!(computation.engine().history().from_zero(), whole.engine().history().from_zero(), "{game}");
        assert_eq!(computation.statistics(), whole.statistics(), "{game}");
    });
}
