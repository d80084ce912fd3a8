//! The signature of `sprague bench`: established by the plain rules, and the same however it is computed.

use std::convert::Infallible;

use sprague::bench::{checksum, signature};
use sprague::driver::Computation;
use sprague::engine::sparse::{RareSpace, Shape, Sparse, choose_mask};
use sprague::engine::{Engine, EngineError, History, naive};
use sprague::{Rules, Values};

/// What `by_the_plain_rules` establishes.
const SIGNATURE: u32 = 0x124d_c9a5;

/// As far as the definition is computed where there is a faster rule that is as plain.
const START: u64 = 1500;

/// No block, no kernel, no plan: the definition, or, from `START` on, the sparse rule heap by heap.
#[test]
#[ignore = "ten seconds"]
fn by_the_plain_rules() {
    let plainly = |rules: &Rules, to: u64| -> Result<Values, EngineError> {
        let Some(shape) = Shape::of(rules) else { return Ok(naive::values(rules, to).into_iter().collect()) };
        let start: Values = naive::values(rules, START).into_iter().collect();
        let mask = choose_mask(start.as_slice(), 0, shape.parity()).expect("rare heaps");
        let space = RareSpace::new(mask, start.as_slice());
        let mut engine = Sparse::new(shape, History::from_parts(Values::new(), start, 0, None), space).heap_by_heap();
        engine.extend(to + 1)?;
        Ok(copy(engine.history()))
    };
    assert_eq!(checksum(plainly), Ok(SIGNATURE));
}

#[test]
fn by_the_engines() {
    assert_eq!(signature(), Ok(SIGNATURE));
}

/// In blocks of sizes that nobody would choose, saved and restored between some of them.
#[test]
fn with_stops_and_restarts() {
    let mut random = 1u64;
    let restarted = |rules: &Rules, to: u64| -> Result<Values, EngineError> {
        let mut computation = Computation::new(rules, None, false);
        while computation.known() <= to {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let stop = (computation.known() + 1 + (random >> 33) % (to / 3)).min(to + 1);
            while computation.known() < stop {
                computation.compute(stop)?;
            }
            computation = Computation::restore(rules, &computation.save(true), None).expect("what was saved");
        }
        Ok(copy(computation.engine().history()))
    };
    assert_eq!(checksum(restarted), Ok(SIGNATURE));
}

/// Every value counts, and its place does.
#[test]
fn another_value_is_another_signature() {
    let of = |change: fn(&mut Vec<u32>)| {
        let values = |_: &Rules, to: u64| -> Result<Values, Infallible> {
            let mut values: Vec<u32> = (0..=to.min(600) as u32).collect();
            change(&mut values);
            Ok(values.into_iter().collect())
        };
        let Ok(sum) = checksum(values);
        sum
    };
    let changes: [fn(&mut Vec<u32>); 3] = [|v| v[600] += 1, |v| v.swap(3, 4), |v| v[0] = 1 << 31];
    assert!(changes.iter().all(|change| of(*change) != of(|_| ())));
}

fn copy(history: &History) -> Values {
    let mut values = Values::new();
    values.extend(history.from_zero());
    values
}
