//! Blocks against the plain rule, for every kernel that this CPU has.

use super::*;
use crate::kernel::{sieve, unavailable, variants};

fn shape(code: &str) -> Shape {
    Shape::of(&code.parse().unwrap()).unwrap()
}

/// The first values by all pairs.
fn start(code: &str, len: u64) -> History {
    let mut dense = crate::engine::dense::Dense::new(&code.parse().unwrap(), History::new(None));
    dense.extend(len).unwrap();
    dense.take_history()
}

fn best_space(shape: &Shape, history: &History) -> RareSpace {
    let half = history.len() / 2;
    let mask = choose_mask(history.range(half, history.len()), half, shape.parity()).unwrap();
    RareSpace::new(mask, history.from_zero())
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Compares blocks with the plain rule up to `to`, for every kernel, and gives the plain engine.
fn check(code: &str, history: &History, space: &RareSpace, to: u64) -> Sparse {
    let new = || Sparse::new(shape(code), history.clone(), space.clone());
    let mut plain = new().heap_by_heap();
    plain.extend(to).unwrap();
    unavailable().for_each(|name| eprintln!("skipped: this CPU cannot run {name}"));
    for kernel in variants() {
        let mut blocks = new().with_kernel(kernel);
        // In uneven steps, since blocks must be able to stop and go on anywhere.
        [to / 3 + 1, to / 2, to].iter().for_each(|&to| blocks.extend(to).unwrap());
        assert!(blocks.fast.is_some(), "{code}, {}: no blocks", kernel.name());
        let (ours, theirs) = (blocks.history.from_zero(), plain.history.from_zero());
        if let Some(n) = (0..to as usize).find(|&n| ours.get(n) != theirs.get(n)) {
            panic!("{code}, {}: g({n}) = {}, not {}", kernel.name(), ours.get(n), theirs.get(n));
        }
        assert_eq!(blocks.space.positions(), plain.space.positions(), "{code}, {}", kernel.name());
        assert_eq!(blocks.space.max_value(), plain.space.max_value(), "{code}, {}", kernel.name());
        check_depths(&blocks);
    }
    plain
}

/// The pairs whose smaller part is as deep as the log says suffice for every heap that is looked at.
fn check_depths(engine: &Sparse) {
    let (shape, space, history) = (&engine.shape, &engine.space, &engine.history);
    let values = history.from_zero();
    let g = |n: u64| values.get(n as usize);
    for n in (space.since()..history.len()).step_by(997) {
        let depth = space.depths().from(n);
        let mut found = vec![false; 1024];
        for rest in shape.splits.iter().map(|i| n - i) {
            for a in (1..=depth.min(rest / 2)).filter(|&a| shape.rules.may_split(a, rest - a)) {
                found[(g(a) ^ g(rest - a)) as usize] = true;
            }
        }
        shape.takes.iter().for_each(|i| found[g(n - i) as usize] = true);
        let lacks = (0..g(n)).find(|&v| space.mask().class(n, v) == 0 && !found[v as usize]);
        assert_eq!(lacks, None, "{}: a value below g({n}) has no witness up to {depth}", shape.rules);
    }
}

#[test]
fn few_rare_positions() {
    for code in ["0.106", "0.104", "0.454", "0.054", "0.205", "0.54", "4.045", "0.174"] {
        let history = start(code, 4096);
        let space = best_space(&shape(code), &history);
        check(code, &history, &space, 40_000);
    }
}

#[test]
fn other_splits() {
    for code in ["couples-are-forever", "0.356", "0.16"] {
        let history = start(code, 4096);
        let space = best_space(&shape(code), &history);
        check(code, &history, &space, 50_000);
    }
}

#[test]
fn many_rare_positions() {
    for (code, to) in [("0.6", 70_000), ("0.354", 40_000)] {
        let history = start(code, 4096);
        let space = best_space(&shape(code), &history);
        check(code, &history, &space, to);
    }
}

/// With a mask that lacks the bits of values yet to come, the first of these make late rare positions.
#[test]
fn a_rare_position_that_appears_late() {
    let code = "0.207";
    let history = start(code, 4096);
    let best = best_space(&shape(code), &history);
    let known = (best.max_value() + 1).next_power_of_two() - 1;
    let mask = Mask { bits: best.mask().bits & known, ..best.mask() };
    let plain = check(code, &history, &RareSpace::new(mask, history.from_zero()), 60_000);
    let late = plain.space.positions().iter().filter(|&&p| p > 20_000).count();
    assert!((1..100).contains(&late), "{late} late rare positions");
}

/// A mask that nobody would choose by now: too many heaps are rare, and more and more become so. Blocks are cut short
/// again and again, or never begin.
#[test]
fn a_mask_that_is_wrong_from_the_start() {
    for (code, early) in [("0.106", 40), ("0.104", 60), ("0.054", 100), ("0.454", 100)] {
        let history = start(code, 4096);
        let best = best_space(&shape(code), &history).mask();
        let seen = choose_mask(history.range(0, early), 0, shape(code).parity()).unwrap();
        let flipped = |bit: u32| Mask { bits: best.bits ^ 1 << bit, ..best };
        let wrong: Vec<Mask> = [seen, flipped(0), flipped(2), flipped(9)].into_iter().filter(|m| *m != best).collect();
        assert!(wrong.len() >= 3, "{code}");
        let mut known =
            Sparse::new(shape(code), history.clone(), RareSpace::new(best, history.from_zero())).heap_by_heap();
        known.extend(12_000).unwrap();
        for (mask, kernel) in wrong.iter().flat_map(|mask| variants().map(move |kernel| (*mask, kernel))) {
            let space = RareSpace::new(mask, history.from_zero());
            let mut engine = Sparse::new(shape(code), history.clone(), space).with_kernel(kernel);
            engine.extend(12_000).unwrap();
            assert_eq!(engine.history.from_zero(), known.history.from_zero(), "{code}, {mask:?}, {}", kernel.name());
        }
    }
}

/// In bounded memory, whose windows are moved again and again, blocks decide what they decide in unbounded memory.
#[test]
fn bounded_memory_moves_under_the_blocks() {
    // In the last one there is no room for blocks, only for the plain rule.
    let cases =
        [("0.106", 12_000, 200_000), ("0.454", 16_000, 200_000), ("0.6", 40_000, 170_000), ("0.104", 3_000, 60_000)];
    for (code, window, to) in cases {
        let history = start(code, 4096);
        let space = best_space(&shape(code), &history);
        let mut unbounded = Sparse::new(shape(code), history.clone(), space.clone());
        unbounded.extend(to).unwrap();
        for kernel in variants() {
            let (prefix, recent, base) = history.parts();
            let start = History::from_parts(prefix.clone(), recent.clone(), base, Some(window));
            let mut bounded = Sparse::new(shape(code), start, space.clone()).with_kernel(kernel);
            // In steps, since the window moves between blocks and at the end of a step.
            for end in (1..=10).map(|i| to * i / 10) {
                bounded.extend(end).unwrap();
                // As if deeper pairs were needed: there is no room for them.
                bounded.fast.iter_mut().for_each(|fast| fast.pretend_unproven());
                let base = bounded.history.base();
                assert_eq!(bounded.history.recent(), unbounded.history.range(base, end), "{code}, {}", kernel.name());
            }
            assert_eq!(bounded.in_blocks, code != "0.104", "{code}, {}", kernel.name());
            assert_eq!(bounded.fast.is_some(), code != "0.104", "{code}, {}", kernel.name());
            assert!(bounded.history.base() > 2 * window as u64);
            assert_eq!(bounded.history.from_zero(), unbounded.history.range(0, window as u64));
            assert_eq!(bounded.space.positions(), unbounded.space.positions(), "{code}, {}", kernel.name());
        }
    }
}

/// One thread computes block after block, several compute ahead, and throw away what turns out to follow from a wrong
/// candidate: where a value has no room, and where a late rare heap is found.
#[test]
fn any_number_of_threads() {
    for (code, narrow) in [("0.106", false), ("0.207", true), ("0.6", false)] {
        let history = start(code, 4096);
        let best = best_space(&shape(code), &history);
        let known = (best.max_value() + 1).next_power_of_two() - 1;
        let mask = if narrow { Mask { bits: best.mask().bits & known, ..best.mask() } } else { best.mask() };
        let space = RareSpace::new(mask, history.from_zero());
        let new = || Sparse::new(shape(code), history.clone(), space.clone());
        let mut plain = new().heap_by_heap();
        plain.extend(70_000).unwrap();
        for (threads, kernel) in variants().map(|kernel| (2, kernel)).chain([1, 5].map(|t| (t, kernel::best()))) {
            let mut blocks = new().with_kernel(kernel);
            on_threads(threads, || {
                blocks.extend(51_000).unwrap();
                // As if only small values had been seen: the next blocks are cut short.
                if let Some(fast) = &mut blocks.fast {
                    fast.pretend_max(&blocks.shape, &blocks.space, 2);
                }
                blocks.extend(70_000).unwrap();
            });
            let told = format!("{code}, {threads} threads, {}", kernel.name());
            assert!(blocks.in_blocks, "{told}");
            assert_eq!(blocks.history.from_zero(), plain.history.from_zero(), "{told}");
            assert_eq!(blocks.space.positions(), plain.space.positions(), "{told}");
            assert_eq!(blocks.space.max_value(), plain.space.max_value(), "{told}");
            check_depths(&blocks);
        }
    }
}

/// Far ahead of what is proven, where many blocks wait in line, several threads find what one does.
#[test]
fn several_threads_far_ahead() {
    for (code, to) in [("0.106", 5_000_000), ("0.6", 400_000), ("0.16", 1_000_000)] {
        let history = start(code, 4096);
        let space = best_space(&shape(code), &history);
        let on = |threads| {
            let mut engine = Sparse::new(shape(code), history.clone(), space.clone());
            on_threads(threads, || engine.extend(to)).unwrap();
            engine
        };
        let one = on(1);
        for threads in [2, 3] {
            let several = on(threads);
            assert!(several.fast.is_some_and(|fast| on_threads(threads, || fast.blocks_ahead()) > 64), "{code}");
            assert!(several.history.from_zero() == one.history.from_zero(), "{code}, {threads} threads");
            assert_eq!(several.space.positions(), one.space.positions(), "{code}, {threads} threads");
        }
    }
}

/// Whatever heap a computation is taken up at, it goes on as one that never stopped.
#[test]
fn taken_up_at_any_heap() {
    for code in ["0.106", "0.324", "0.16"] {
        let history = start(code, 4096);
        let space = best_space(&shape(code), &history);
        for kernel in variants() {
            let mut whole = Sparse::new(shape(code), history.clone(), space.clone()).with_kernel(kernel);
            whole.extend(40_000).unwrap();
            for at in (30_000..32_000).step_by(237) {
                let known: crate::Values = whole.history.range(0, at).iter().collect();
                let again = RareSpace::new(space.mask(), known.as_slice());
                let start = History::from_parts(crate::Values::new(), known, 0, None);
                let mut engine = Sparse::new(shape(code), start, again).with_kernel(kernel);
                engine.extend(at + 3000).unwrap();
                let right = whole.history.range(0, at + 3000);
                assert_eq!(engine.history.from_zero(), right, "{code} from {at}, {}", kernel.name());
            }
        }
    }
}

/// A block has no room for a value: it is cut short, and the next has.
#[test]
fn a_value_that_outgrows_the_kernel() {
    for (code, max) in [("0.454", 1), ("0.324", 1), ("0.324", 20), ("0.6", 20)] {
        let history = start(code, 4096);
        let space = best_space(&shape(code), &history);
        let new = || Sparse::new(shape(code), history.clone(), space.clone());
        let mut plain = new().heap_by_heap();
        plain.extend(52_000).unwrap();
        for kernel in variants() {
            let mut blocks = new().with_kernel(kernel);
            blocks.extend(51_000).unwrap();
            let fast = blocks.fast.as_mut().expect("blocks");
            fast.pretend_max(&blocks.shape, &blocks.space, max);
            blocks.extend(52_000).unwrap();
            assert_eq!(blocks.history.from_zero(), plain.history.from_zero(), "{code}, {}", kernel.name());
        }
    }
}

/// From known values that all fit a byte, each of the class that its heap has, the next blocks lead to some that do not:
/// where a block has room for them, and where it is cut short.
#[test]
fn a_value_that_outgrows_its_byte_within_a_block() {
    let code = "0.6";
    let history = start(code, 4096);
    let space = best_space(&shape(code), &history);
    let mask = space.mask();
    let mut known = Sparse::new(shape(code), history, space);
    known.extend(45_056).unwrap();
    let in_byte = |v: u32| [v ^ 0x100, v ^ 0x100 ^ mask.bits & mask.bits.wrapping_neg()].into_iter();
    let like = |v: u32| in_byte(v).find(|&w| mask.class(0, w) == mask.class(0, v)).unwrap();
    let bytes: crate::Values = known.history.from_zero().iter().map(|v| if v > 255 { like(v) } else { v }).collect();
    assert_eq!(bytes.width(), Width::U8);
    for max in [255, 300] {
        let mut space = RareSpace::new(mask, bytes.as_slice());
        space.record_common(45_055, max, 0);
        let history = History::from_parts(crate::Values::new(), bytes.clone(), 0, None);
        let new = || Sparse::new(shape(code), history.clone(), space.clone());
        let mut plain = new().heap_by_heap();
        plain.extend(47_000).unwrap();
        let first = plain.history.from_zero().iter().position(|v| v > 255).expect("a value above 255");
        assert!(first >= 45_056 && !first.is_multiple_of(BLOCK), "{first}");
        for kernel in variants() {
            let mut blocks = new().with_kernel(kernel);
            blocks.extend(47_000).unwrap();
            assert!(blocks.in_blocks, "{}", kernel.name());
            assert_eq!(blocks.history.from_zero(), plain.history.from_zero(), "up to {max}, {}", kernel.name());
        }
    }
}

/// Known values that are all small lead to larger ones, for which a block has room. These too are proven: smaller values
/// that were not known either may be what they should be instead.
#[test]
fn a_new_largest_value_is_proven() {
    let mut between = 0;
    for (code, len) in [("0.324", 40_960), ("0.454", 40_960), ("0.106", 20_480), ("0.207", 40_960), ("0.6", 45_056)] {
        let history = start(code, 4096);
        let space = best_space(&shape(code), &history);
        let mask = space.mask();
        let mut known = Sparse::new(shape(code), history, space);
        known.extend(len).unwrap();
        let largest = known.space.max_value();
        for most in (largest / 8..largest).step_by(1 + largest as usize / 10) {
            // A value of the same class, so that the same heaps are rare.
            let like = |v: u32| (0..=most).rev().find(|&w| mask.class(0, w) == mask.class(0, v));
            let small = |v: u32| if v > most { like(v).unwrap_or(0) } else { v };
            let values: crate::Values = known.history.from_zero().iter().map(small).collect();
            let space = RareSpace::new(mask, values.as_slice());
            let history = History::from_parts(crate::Values::new(), values, 0, None);
            let new = || Sparse::new(shape(code), history.clone(), space.clone());
            let to = len + 4096;
            let mut plain = new().heap_by_heap();
            plain.extend(to).unwrap();
            between += u32::from(plain.space.positions().len() > space.positions().len());
            for kernel in variants() {
                let mut blocks = new().with_kernel(kernel);
                blocks.extend(to).unwrap();
                let told = format!("{code} from values up to {most}, {}", kernel.name());
                let (found, wanted) = (blocks.history.from_zero(), plain.history.from_zero());
                let different = (0..to as usize).find(|&n| found.get(n) != wanted.get(n));
                assert_eq!(different, None, "{told}");
            }
        }
    }
    assert!(between > 0, "a rare value among the new ones");
}

/// The signature means something for every block kernel only if each has a game there that comes to use it.
#[test]
fn the_signature_uses_every_block_kernel() {
    let mut rooms = std::collections::BTreeSet::new();
    for &(game, to) in crate::bench::GAMES {
        let mut planned = crate::engine::Planned::new(&game.parse().unwrap(), None);
        planned.extend(to + 1).unwrap();
        let Some(space) = planned.rare().cloned().filter(|_| planned.kernel() != "words") else { continue };
        let history = planned.take_history();
        let to = (history.len() + RETRY).next_multiple_of(LANES as u64);
        let mut engine = Sparse::new(shape(game), history, space);
        engine.extend(to).unwrap();
        rooms.extend(engine.fast.map(|fast| (fast.room().next_power_of_two(), engine.space.mask().kind())));
    }
    for room in [16, 32, 64, 256] {
        assert!(rooms.iter().any(|(has, _)| *has == room), "{room}: {rooms:?}");
    }
    for kind in ["range", "domain"] {
        assert!(rooms.iter().any(|(_, has)| *has == kind), "{kind}: {rooms:?}");
    }
}

/// Compares growing blocks with the plain rule up to `to`, for every kernel, on one thread and on several.
fn check_growing(code: &str, space_of: impl Fn(&Shape, &History) -> RareSpace, to: u64) -> Sparse {
    let history = start(code, 4096);
    let space = space_of(&shape(code), &history);
    let new = || Sparse::new(shape(code), history.clone(), space.clone());
    let mut plain = new().heap_by_heap();
    plain.extend(to).unwrap();
    for (kernel, threads) in variants().flat_map(|kernel| [(kernel, 1), (kernel, 5)]) {
        let mut blocks = new().with_kernel(kernel);
        for to in [to / 3 + 1, to / 2, to] {
            if threads > 1 {
                // As a run that is gone on with: nothing is known but values and rare heaps.
                blocks = Sparse::new(shape(code), blocks.take_history(), blocks.space).with_kernel(kernel);
            }
            on_threads(threads, || blocks.extend(to)).unwrap();
            // Wherever a run stops, no heap was left to the plain rule, which can be slower than all others together.
            let seen = blocks.growing.as_ref().map(Growing::len);
            assert!(to <= 4096 || seen == Some(to as usize), "{code}, {}: {seen:?} of {to} heaps", kernel.name());
        }
        let (found, wanted) = (blocks.history.from_zero(), plain.history.from_zero());
        let different = (0..to as usize).find(|&n| found.get(n) != wanted.get(n));
        assert_eq!(different, None, "{code}, {}: a wrong value", kernel.name());
        assert_eq!(blocks.space.positions(), plain.space.positions(), "{code}, {}", kernel.name());
        // A bound for the depth of the witnesses is never less than what the plain rule needs.
        for n1 in (4096..to).step_by(997) {
            let (bound, depth) = (blocks.space.depths().from(n1), plain.space.depths().from(n1));
            assert!(bound + 32 >= depth, "{code}, {}: from {n1} on {bound}, not {depth}", kernel.name());
        }
    }
    plain
}

#[test]
fn growing_rare_positions() {
    for code in ["0.007", "0.016", "0.114", "0.04", "4.004", "0.0007"] {
        let plain = check_growing(code, best_space, 17_500);
        let late = plain.space.positions().iter().filter(|&&p| p > 10_000).count();
        assert!(late > 100, "{code}: {late} late rare positions");
    }
}

/// With any mask the values are the same: most heaps may be rare, and values of new bits may be.
#[test]
fn growing_with_masks_that_nobody_would_choose() {
    for (code, bits) in [("0.007", !5), ("0.007", 0x8), ("0.06", 0x1f0), ("0.016", u32::MAX), ("0.324", 0x33)] {
        check_growing(code, |_, history| RareSpace::new(Mask { bits, domain: None }, history.from_zero()), 9_000);
    }
    let domain = |shape: &Shape, history: &History| {
        RareSpace::new(Mask { bits: 0x7f, domain: shape.parity() }, history.from_zero())
    };
    check_growing("0.007", domain, 9_000);
    check_growing("0.104", domain, 9_000);
}

/// Numbers that look random, always the same.
fn random_numbers() -> impl FnMut() -> u32 {
    let mut state = 1u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32
    }
}

/// Values that need several tables are told apart by their class, whatever bits of them it is made of.
#[test]
fn growing_blocks_of_large_values() {
    let (code, len, to) = ("0.007", 61_440, 62_000);
    let parity = shape(code).parity();
    for (bits, domain, most) in
        [(!7, None, 2900), (!0x100, None, 5000), (!0xf00, None, 2900), (!0x2f0, parity, 3000), (1, None, 2900)]
    {
        let mask = Mask { bits, domain };
        let mut random = random_numbers();
        // One heap in eight is rare, or what chance makes of that near the largest value.
        let mut any = |n: u64| {
            let (value, class) = (random() % most, u32::from(!random().is_multiple_of(8)));
            (value..most).find(|&v| mask.class(n, v) == class).unwrap_or(value)
        };
        let known: crate::Values = (0..len).map(&mut any).collect();
        let space = RareSpace::new(mask, known.as_slice());
        let history = History::from_parts(crate::Values::new(), known, 0, None);
        let new = || Sparse::new(shape(code), history.clone(), space.clone());
        let mut plain = new().heap_by_heap();
        plain.extend(to).unwrap();
        let values = plain.history.from_zero();
        for kernel in variants() {
            let mut blocks = new().with_kernel(kernel);
            blocks.extend(to).unwrap();
            assert!(blocks.growing.is_some(), "{}", kernel.name());
            let different = (0..to as usize).find(|&n| blocks.history.from_zero().get(n) != values.get(n));
            assert_eq!(different, None, "{}, {mask:?}: a wrong value", kernel.name());
            assert_eq!(blocks.space.positions(), plain.space.positions(), "{}, {mask:?}", kernel.name());
        }
    }
}

/// Growing blocks go on to values that they have no room for: those are decided one by one, and so is all that follows.
#[test]
fn a_value_that_outgrows_growing_blocks() {
    let (code, len, to) = ("0.007", 122_880, 123_400);
    // Any values will do: so many pairs of heaps give nearly all sums below the room, but not all for every heap.
    let mut random = random_numbers();
    let known: crate::Values = (0..len).map(|_| random() % sieve::MOST).collect();
    let space = RareSpace::new(Mask { bits: u32::MAX, domain: None }, known.as_slice());
    let history = History::from_parts(crate::Values::new(), known, 0, None);
    let new = || Sparse::new(shape(code), history.clone(), space.clone());
    let mut plain = new().heap_by_heap();
    plain.extend(to).unwrap();
    let values = plain.history.from_zero();
    let first = values.iter().position(|v| v >= sieve::MOST).expect("a value without room");
    assert!(first > len + HEAPS && !first.is_multiple_of(HEAPS), "{first}");
    for kernel in variants() {
        let mut blocks = new().with_kernel(kernel);
        blocks.extend(to).unwrap();
        assert!(blocks.in_blocks, "{}", kernel.name());
        let different = (0..to as usize).find(|&n| blocks.history.from_zero().get(n) != values.get(n));
        assert_eq!(different, None, "{}: a wrong value", kernel.name());
        assert_eq!(blocks.space.positions(), plain.space.positions(), "{}", kernel.name());
    }
}
