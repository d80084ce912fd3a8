//! Every variant computes what the portable one does, and that what it says.

use proptest::prelude::*;

use super::met::{FAMILY, HEAPS, Lanes as Runners, SLOTS, Sum, Sums};
use super::sieve::Open;
use super::small::{BLOCK, LANES, Small, Term};
use super::wide::Wide;
use super::*;

/// Heaps before the block in the tests.
const BEFORE: usize = 1024;

fn terms(most: u32) -> impl Strategy<Value = Vec<Term>> {
    let term = (1u32..700, 0..most).prop_map(|(distance, xor)| Term { distance, xor });
    prop::collection::vec(term, 1..40)
}

/// So many that they are compared in several groups.
fn many_terms() -> impl Strategy<Value = Vec<Term>> {
    let term = (1u32..900, 0u32..200).prop_map(|(distance, xor)| Term { distance, xor });
    prop::collection::vec(term, 300..600)
}

/// The mex over all sums, heap by heap.
fn by_definition(c: &mut Vec<u8>, terms: &[Term], others: &[usize]) {
    for _ in 0..BLOCK {
        let n = c.len();
        let sums: Vec<u32> = [0]
            .iter()
            .chain(others)
            .flat_map(|&i| {
                let c = &c;
                terms.iter().map(move |t| u32::from(c[n - i - t.distance as usize]) ^ t.xor)
            })
            .collect();
        c.push((0..).find(|v| !sums.contains(v)).unwrap() as u8);
    }
}

fn small_agrees<W: SmallWord>(start: &[u8], terms: &[Term], others: &[usize], room: u32) {
    let mut wanted = start.to_vec();
    by_definition(&mut wanted, terms, others);
    for kernel in variants() {
        let mut small = Small::<W>::new(room, terms, others, &[]).unwrap();
        let mut c = start.to_vec();
        c.resize(start.len() + BLOCK, 0);
        kernel.warm(&mut small, &c, start.len());
        kernel.small_block(&mut small, &mut c, start.len());
        let room = wanted.iter().position(|&v| u32::from(v) >= room).unwrap_or(wanted.len());
        assert_eq!(c[..room], wanted[..room], "{}", kernel.name());
    }
}

/// Two blocks, one after the other: what is kept of the last heaps is in order.
fn grouped_agrees(start: &[u8], terms: &[Term]) {
    let mut wanted = start.to_vec();
    by_definition(&mut wanted, terms, &[]);
    by_definition(&mut wanted, terms, &[]);
    for kernel in variants().filter(|kernel| kernel.has_groups()) {
        let mut grouped = Grouped::new(terms).unwrap();
        let mut c = start.to_vec();
        c.resize(wanted.len(), 0);
        grouped.warm(&c, start.len());
        kernel.grouped_block(&mut grouped, &mut c, start.len());
        kernel.grouped_block(&mut grouped, &mut c, start.len() + BLOCK);
        let room = wanted.iter().position(|&v| u32::from(v) >= grouped::ROOM).unwrap_or(wanted.len());
        assert_eq!(c[..room], wanted[..room], "{}", kernel.name());
        assert!(c.get(room).is_none_or(|&v| u32::from(v) >= grouped::ROOM), "{}", kernel.name());
    }
}

/// Up to `most` near terms that groups have, and some far ones.
fn group_terms(most: usize) -> impl Strategy<Value = Vec<Term>> {
    let near = (4u32..64, 0u32..8).prop_map(|(distance, xor)| Term { distance, xor });
    let far = (64u32..700, 0u32..16).prop_map(|(distance, xor)| Term { distance, xor });
    (prop::collection::vec(near, 0..most), prop::collection::vec(far, 0..12), 4u32..12).prop_map(
        |(near, far, nearest)| {
            let nearest = Term { distance: nearest, xor: 0 };
            near.into_iter().chain(far).chain([nearest]).collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// The grouped kernels give the mex over all sums.
    #[test]
    fn grouped_is_the_mex(
        start in prop::collection::vec(0u8..16, BEFORE),
        few in group_terms(6),
        many in group_terms(24),
    ) {
        grouped_agrees(&start, &few);
        grouped_agrees(&start, &many);
    }

    /// Terms that look at the heaps of a group, or exchange more than the bits of a byte, are not for groups.
    #[test]
    fn groups_have_far_terms(distance in 1u32..100, xor in 0u32..16) {
        let terms = [Term { distance, xor }];
        prop_assert_eq!(Grouped::new(&terms).is_some(), distance >= 64 || distance >= 4 && xor < 8);
    }

    /// The small kernels give the mex over all sums.
    #[test]
    fn small_is_the_mex(
        start in prop::collection::vec(0u8..16, BEFORE),
        few in terms(16),
        many in terms(64),
        others in prop::sample::select(vec![vec![], vec![1], vec![1, 2], vec![3, 64]]),
    ) {
        small_agrees::<u32>(&start, &few, &others, 16);
        small_agrees::<u32>(&start, &few, &others, 32);
        small_agrees::<u64>(&start, &many, &others, 64);
    }

    /// So does the wide kernel.
    #[test]
    fn wide_is_the_mex(
        start in prop::collection::vec(0u8..200, BEFORE),
        terms in prop_oneof![terms(200), many_terms()],
        marked in 0usize..600,
    ) {
        let mut wanted = start.clone();
        by_definition(&mut wanted, &terms, &[]);
        for (kernel, usual) in variants().flat_map(|kernel| [8, 60, 90, 128, 136, 150, 190, 250].map(|usual| (kernel, usual))) {
            let mut c = start.clone();
            c.resize(BEFORE + BLOCK, 0);
            let mut wide = Wide::new(&terms, 200, usual).unwrap();
            wide.mark_first(marked, |_| ());
            let done = kernel.wide_block(&wide, &mut c, BEFORE);
            let room = wanted[BEFORE..].iter().position(|&v| v >= 200).unwrap_or(BLOCK);
            prop_assert_eq!(done, room, "{}", kernel.name());
            prop_assert_eq!(&c[..BEFORE + done], &wanted[..BEFORE + done], "{}", kernel.name());
        }
    }

    /// Marked sums and single searches say the same as all pairs: which heaps lack a witness, and how deep to look.
    #[test]
    fn unmarked_heaps_lack_a_witness(
        heaps in prop::collection::vec(0u8..150, BEFORE + BLOCK),
        small in prop::collection::vec(prop::option::weighted(0.7, 0u8..150), 1..200),
        splits in prop::sample::select(vec![vec![1], vec![2, 5]]),
        firsts in prop::collection::vec(prop::array::uniform2(0u32..150), 1..150),
        terms in 0usize..40,
        usual in 1u32..256,
        last in 0usize..4,
    ) {
        let sum = |q: usize, i: u64| small[q].map(|c| Term { distance: q as u32 + i as u32, xor: c.into() });
        let terms: Vec<Term> =
            (0..terms.min(small.len())).flat_map(|q| splits.iter().filter_map(move |&i| sum(q, i))).collect();
        let marked = Marked::new(terms.iter().map(Into::into).collect(), small.len() as u32, usual, marked::wanted(&firsts));
        let parts = Parts::new(&small, &splits, last);
        let lacks = |n: usize| {
            let needed = (0..firsts.len()).filter(|&v| firsts[v][n % 2] <= u32::from(heaps[n]));
            let given = |v: usize| {
                let pairs = (0..small.len()).flat_map(|q| splits.iter().map(move |&i| (q, n - i as usize - q)));
                pairs.filter_map(|(q, other)| Some(small[q]? ^ heaps[other])).any(|sum| usize::from(sum) == v)
            };
            needed.into_iter().any(|v| !given(v))
        };
        for kernel in variants() {
            let (unproven, depth) = kernel.unmarked(&marked, &parts, &heaps, 0);
            for n in 0..BLOCK {
                prop_assert_eq!(unproven[n / 64] >> (n % 64) & 1 == 1, lacks(BEFORE + n), "{}", kernel.name());
            }
            prop_assert_eq!(depth, small.len() as u32);
        }
    }

    /// Comparisons, rows and tables, byte by byte.
    #[test]
    fn bytes_and_bits(block in prop::collection::vec(0u8..64, BLOCK), first in prop::array::uniform2(0u32..64), odd: u8) {
        let block: &[u8; BLOCK] = block.as_slice().try_into().unwrap();
        let table: [u8; 64] = std::array::from_fn(|c| (c as u8).wrapping_mul(37));
        for kernel in variants() {
            let above = kernel.above(block, first);
            let mut rows = vec![0; 3 * BLOCK / LANES];
            kernel.write_rows(block, &[5, 0, 63], &mut rows, BLOCK / LANES);
            let values = kernel.look_up(block, &table, odd);
            for (n, &c) in block.iter().enumerate() {
                prop_assert_eq!(above[n / 64] >> (n % 64) & 1 == 1, u32::from(c) >= first[n % 2]);
                for (row, value) in [5, 0, 63].into_iter().enumerate() {
                    prop_assert_eq!(rows[row * BLOCK / 64 + n / 64] >> (n % 64) & 1 == 1, c == value);
                }
                prop_assert_eq!(values[n], table[c as usize] ^ if n % 2 == 1 { odd } else { 0 });
            }
        }
    }

    /// Counts are those of one value at a time, over several pieces.
    #[test]
    fn values_are_counted(values in prop::collection::vec(0u8..32, 0..300), room in 29usize..33, times in 1usize..90) {
        let values: Vec<u8> = values.iter().map(|&v| v % room as u8).collect::<Vec<_>>().repeat(times);
        let wanted: Vec<u64> = (0..room as u8).map(|v| values.iter().filter(|&&w| w == v).count() as u64).collect();
        for kernel in variants() {
            prop_assert_eq!(&kernel.count(&values, room), &wanted, "{}", kernel.name());
        }
    }

    /// The open values are those that no sum has: for one table, two and four, few sums and many, one set and several, and
    /// where some sums are larger than there is room for.
    #[test]
    fn sums_are_crossed_off(
        bits in 1u32..14,
        room in 1u32..14,
        len in prop::sample::select(vec![0usize, 1, 31, 32, 33, 500, 1023, 1024, 1025, 2600, 9000]),
        sets in 1usize..5,
        cut in 0.0..1.0,
        seed: u64,
        sparse in 1u32..12,
    ) {
        let mut random = seed | 1;
        let mut value = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            // The `and` of several makes large values rare.
            (0..sparse).fold(random, |v, k| v & (random >> (5 * k) | 7)) as u16 & ((1 << bits) - 1) as u16
        };
        let (a, b): (Vec<u16>, Vec<u16>) = (0..len + sets - 1).map(|_| (value(), value())).unzip();
        let a = &a[..len];
        let cut = (cut * len as f64) as usize;
        let mut wanted = vec![vec![true; 1 << bits]; sets];
        for (set, wanted) in wanted.iter_mut().enumerate() {
            a.iter().zip(&b[set..]).for_each(|(a, b)| wanted[usize::from(a ^ b)] = false);
        }
        for kernel in variants() {
            let mut opens = vec![Open::new(1 << room).unwrap(); sets];
            kernel.cross_off(&[[&a[..cut], &b[..cut + sets - 1]], [&a[cut..], &b[cut..]]], &mut opens);
            for (open, wanted) in opens.iter().zip(&wanted) {
                let words = kernel.open_words(open);
                let closed = words.closed();
                for v in 0..open.room() {
                    let is_open = wanted.get(v as usize).copied().unwrap_or(true);
                    prop_assert_eq!(open.contains(v), is_open, "{}: {}", kernel.name(), v);
                    prop_assert_eq!(words.words()[v as usize / 64] >> (v % 64) & 1 == 1, is_open);
                    prop_assert_eq!(closed.contains(v), !is_open);
                }
            }
        }
    }

    /// The open values are those that no sum has, for one table, two and four: those of whole tiles of sums and of a rest, for
    /// one group of heaps and more.
    #[test]
    fn sums_of_fixed_heaps_are_crossed_off(
        bits in 1u32..14,
        room in 1u32..14,
        groups in 1usize..4,
        heaps in prop::collection::vec(any::<u16>(), 600),
        sums in prop::collection::vec((1usize..500, any::<u16>()), 0..200),
    ) {
        let below = |v: u16| v & ((1u32 << bits) - 1) as u16;
        let heaps: Vec<u16> = heaps.into_iter().map(below).collect();
        let at = 500;
        let sums: Vec<(usize, u16)> = sums.into_iter().map(|(distance, v)| (distance, below(v))).collect();
        let all: Sums = sums.iter().map(|&(distance, xor)| Sum::new(distance as u32, xor)).collect();
        for kernel in variants() {
            let mut opens = vec![Open::new(1 << room).unwrap(); groups * HEAPS];
            kernel.cross_off_sums(&heaps, at, &all, &mut opens);
            for (n, open) in (at..).zip(&opens) {
                let given: Vec<u16> = sums.iter().map(|(back, xor)| heaps[n - back] ^ xor).collect();
                for v in 0..open.room() {
                    prop_assert_eq!(open.contains(v), !given.contains(&(v as u16)), "{}: {} {}", kernel.name(), n, v);
                }
            }
        }
    }

    /// What is left of any number of values are those that are no sums.
    #[test]
    fn sums_are_found_among_values(
        pairs in prop::collection::vec((0u16..4000, 0u16..4000), 0..150),
        values in prop::collection::vec(0u16..4096, 0..12),
        forced in prop::collection::vec((0usize..12, 0usize..150), 0..8),
    ) {
        let (a, b): (Vec<u16>, Vec<u16>) = pairs.iter().copied().unzip();
        let mut values = values;
        for (k, pair) in forced {
            if let (Some(value), Some((a, b))) = (values.get_mut(k), pairs.get(pair)) {
                *value = a ^ b;
            }
        }
        let wanted: Vec<u16> = values.iter().copied().filter(|value| pairs.iter().all(|(a, b)| a ^ b != *value)).collect();
        for kernel in variants() {
            let mut left = values.clone();
            kernel.leave_others(&a, &b, &mut left);
            prop_assert_eq!(&left, &wanted, "{}", kernel.name());
        }
    }

    /// A set below a bound has the values below it, and no others whatever the room.
    #[test]
    fn bounds_are_kept(bound in 0u32..8193) {
        let open = Open::below(bound);
        prop_assert!((0..8192).all(|v| open.contains(v) == (v < bound)));
        prop_assert!(open.room() >= bound);
    }

    /// A lane is met if its candidate is among the sums of its heap.
    #[test]
    fn candidates_meet_sums(
        values in prop::collection::vec(0u16..2000, 300..400),
        sums in prop::collection::vec((1u32..250, 0u16..2000), 0..40),
        candidates in prop::collection::vec((0u16..2000, 0..FAMILY), HEAPS * SLOTS),
        forced in prop::collection::vec((0..HEAPS * SLOTS, 0usize..40), 0..20),
    ) {
        let at = 260;
        let sums: Vec<Sum> = sums.iter().map(|&(distance, xor)| Sum::new(distance, xor)).collect();
        // As many heaps as are there: a distance of less than `HEAPS` reads values that are there too.
        let sum_of = |heap: usize, sum: &Sum| values[at + heap - sum.distance()] ^ sum.xor();
        let mut runners: Vec<(usize, u16)> = (0..)
            .zip(&candidates)
            .map(|(k, &(value, pick))| (k % HEAPS / FAMILY * FAMILY + pick, value))
            .collect();
        for (k, sum) in forced {
            runners[k].1 = sums.get(sum).map_or(runners[k].1, |sum| sum_of(runners[k].0, sum));
        }
        let mut lanes = Runners::default();
        (0..).zip(&runners).for_each(|(k, &(heap, value))| lanes.set(k / HEAPS, k % HEAPS, heap, value));
        let met = |&(heap, value): &(usize, u16)| sums.iter().any(|sum| sum_of(heap, sum) == value);
        let wanted: [u32; SLOTS] = std::array::from_fn(|slot| {
            let slot = &runners[HEAPS * slot..HEAPS * (slot + 1)];
            slot.iter().rev().fold(0, |mask, runner| mask << 1 | u32::from(met(runner)))
        });
        let sums: Sums = sums.into_iter().collect();
        for kernel in variants() {
            let met = kernel.met(&values, at, &sums, 0..sums.as_slice().len(), &lanes);
            prop_assert_eq!(met, wanted, "{}", kernel.name());
        }
    }
}
