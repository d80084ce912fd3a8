use proptest::prelude::*;

use super::dense::Dense;
use super::finite::Finite;
use super::sparse::{Mask, RareSpace, Shape, Sparse, choose_mask};
use super::tail::Tail;
use super::*;
use crate::{Rules, Values};

fn rules(text: &str) -> Rules {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

fn history(values: &[u32]) -> History {
    let mut history = History::new(None);
    values.iter().for_each(|&v| history.push(v));
    history
}

/// Every engine that covers the game, each going on from the first `from` of `known` values.
fn engines(rules: &Rules, known: &[u32], from: usize) -> Vec<Box<dyn Engine>> {
    let start = || history(&known[..from]);
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Dense::new(rules, start()))];
    if Finite::covers(rules) {
        engines.push(Box::new(Finite::new(rules, start())));
    }
    if Tail::covers(rules) {
        engines.push(Box::new(Tail::new(rules, start())));
    }
    if let Some(shape) = Shape::of(rules) {
        // The best mask, and masks that nobody would choose: the result must be the same.
        let all: Values = known.iter().copied().collect();
        let best = choose_mask(all.as_slice(), 0, shape.parity());
        let odd = [Some(Mask { bits: !5, domain: None }), shape.parity().map(|t| Mask { bits: !2, domain: Some(t) })];
        for mask in best.into_iter().chain(odd.into_iter().flatten()) {
            let start = start();
            let space = RareSpace::new(mask, start.from_zero());
            engines.push(Box::new(Sparse::new(shape.clone(), start, space)));
        }
    }
    engines
}

fn check(rules: &Rules, known: &[u32], from: usize) {
    for mut engine in engines(rules, known, from) {
        // In two steps, since an engine must be able to stop anywhere.
        let middle = (from + known.len()) / 2;
        engine.extend(middle as u64).unwrap();
        engine.extend(known.len() as u64).unwrap();
        let values = engine.history().from_zero();
        if let Some(n) = (0..known.len()).find(|&n| values.get(n) != known[n]) {
            panic!("{rules}: {} from {from} has g({n}) = {}, not {}", engine.name(), values.get(n), known[n]);
        }
        if let Some(space) = engine.rare() {
            let rare: Vec<u64> =
                (1..).zip(&known[1..]).filter(|&(n, &v)| space.mask().class(n, v) == 0).map(|x| x.0).collect();
            assert_eq!(space.positions(), rare, "{rules}: the rare positions");
        }
    }
}

#[test]
fn all_families_agree_with_the_definition() {
    for text in [
        "0.77",
        "0.07",
        "0.137",
        "0.6",
        "0.007",
        "0.15",
        "4.3",
        "4.7",
        "4.44",
        "0.106",
        "0.104",
        "4.045",
        "0.6[1]",
        "0.[3]",
        "4.[3]",
        "0.[37]",
        "0.0[7]",
        "0.[12]",
        "0.3[1]",
        "0.12[203]",
        "4.[7]",
        "0.0",
        "4.0",
        "0.1",
        "0.2",
        "0.C",
        "0.137F",
        "0.8",
        "0.9",
        "8.0",
        "C.3",
        "0.[8]",
        "4.[9]",
        "sub{1,2,3}",
        "sub{2,5}",
        "sub{2+}",
        "allbut{1,4}",
        "allbut{2}",
        "sub{3,5+}",
        "allbut{}",
        "grundys-game",
        "couples-are-forever",
        "lasker",
        "0.000007",
    ] {
        let rules = rules(text);
        let known = naive::values(&rules, 150);
        for from in [0, 1, 2, 40] {
            check(&rules, &known, from);
        }
    }
}

/// The window may be as small as the game allows, and the result is the same; smaller, and it is an error.
#[test]
fn bounded_memory_is_exact_or_refused() {
    let rules = rules("0.104");
    let mut all = Dense::new(&rules, History::new(None));
    all.extend(6000).unwrap();
    let known = all.history().from_zero();
    let mask = choose_mask(known, 0, Some(1)).unwrap();
    let shape = Shape::of(&rules).unwrap();
    for window in [400, 1000, 2500] {
        let mut start = History::new(Some(window));
        known.range(0..1000).iter().for_each(|v| start.push(v));
        let space = RareSpace::new(mask, known.range(0..1000));
        start.trim();
        let mut engine = Sparse::new(shape.clone(), start, space);
        while engine.history().len() < 6000 {
            let to = engine.history().len() + 100;
            if let Err(error) = engine.extend(to) {
                assert!(matches!(error, EngineError::Window { .. }) && window < 1000, "{window}: {error}");
                break;
            }
        }
        let (_, recent, base) = engine.history().parts();
        assert_eq!(recent.as_slice(), known.range(base as usize..engine.history().len() as usize), "{window}");
        assert!(window >= 1000 || base > 0);
    }
}

/// Sizes around which indices are computed differently: the end of the first block, of a byte of values.
#[test]
fn blocks_join_without_a_seam() {
    for text in ["0.07", "4.004", "grundys-game", "4.[3]"] {
        let rules = rules(text);
        let mut whole = Dense::new(&rules, History::new(None));
        whole.extend(3000).unwrap();
        let mut steps = Dense::new(&rules, History::new(None));
        for to in [1, 2, 31, 32, 33, 63, 64, 100, 1023, 1024, 1025, 2047, 2048, 2049, 3000] {
            steps.extend(to).unwrap();
            assert_eq!(steps.history().len(), to);
        }
        assert_eq!(whole.history().from_zero(), steps.history().from_zero(), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Any code, finite or infinite, octal or hexadecimal: every engine computes the definition.
    #[test]
    fn random_codes(
        d0 in prop::sample::select(vec![0u8, 4, 8, 12]),
        digits in prop::collection::vec(0u8..16, 1..5),
        tail in prop::collection::vec(0u8..16, 0..4),
        from in 0usize..60,
    ) {
        let prefix: Vec<u8> = std::iter::once(d0).chain(digits).collect();
        let rules = Rules::from_digits(&prefix, &tail).unwrap();
        let known = naive::values(&rules, 60);
        check(&rules, &known, from);
    }

    /// Octal codes, where the sparse rule applies, with random masks.
    #[test]
    fn any_mask_is_exact(
        digits in prop::collection::vec(0u8..8, 1..5),
        d0 in prop::sample::select(vec![0u8, 4]),
        bits: u32,
        domain: bool,
        from in 0usize..200,
    ) {
        let prefix: Vec<u8> = std::iter::once(d0).chain(digits).collect();
        let rules = Rules::from_digits(&prefix, &[]).unwrap();
        let known = naive::values(&rules, 200);
        if let Some(shape) = Shape::of(&rules) {
            let mask = Mask { bits, domain: shape.parity().filter(|_| domain) };
            let start = history(&known[..from]);
            let space = RareSpace::new(mask, start.from_zero());
            let mut engine = Sparse::new(shape, start, space);
            engine.extend(201).unwrap();
            prop_assert!(engine.history().from_zero().iter().eq(known));
        }
    }
}
