//! The kernels side by side: the mex of a set of sums on `bitvec` (the reference), on words bit by bit, and on bytes
//! that are gathered into words; and the block kernels in all variants that this CPU can run.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sprague::Rules;
use sprague::driver::Computation;
use sprague::engine::Engine;
use sprague::kernel::grouped::Grouped;
use sprague::kernel::met::{HEAPS, Lanes, ManySums, SLOTS, Sum, Sums};
use sprague::kernel::reference::BitvecSet;
use sprague::kernel::sieve::Open;
use sprague::kernel::small::{BLOCK, LANES, Small, Term};
use sprague::kernel::wide::Wide;
use sprague::kernel::witness::{List, Parts, Search, Target};
use sprague::kernel::{SmallWord, WordSet, variants, words};

/// The first values of Officers: what the sums of a real game look like.
fn officers(len: u64) -> Vec<u16> {
    let rules: Rules = "0.6".parse().expect("a code");
    let mut computation = Computation::new(&rules, None, false);
    while computation.known() < len {
        computation.step(len).expect("small values");
    }
    computation.engine().history().from_zero().iter().map(|v| v as u16).collect()
}

fn mex_of_sums(c: &mut Criterion) {
    let mut group = c.benchmark_group("mex of all sums of 0.6");
    for len in [1_000, 10_000] {
        let values = officers(len);
        let pairs = || values.iter().zip(values.iter().rev()).map(|(a, b)| u32::from(a ^ b));
        group.throughput(Throughput::Elements(len));
        group.bench_with_input(BenchmarkId::new("bitvec", len), &len, |b, _| {
            let mut set = BitvecSet::default();
            b.iter(|| {
                set.clear();
                pairs().for_each(|v| set.insert(v));
                set.mex()
            });
        });
        group.bench_with_input(BenchmarkId::new("words", len), &len, |b, _| {
            let mut set = WordSet::new();
            b.iter(|| {
                set.clear();
                pairs().for_each(|v| set.insert(v));
                set.mex()
            });
        });
        group.bench_with_input(BenchmarkId::new("bytes", len), &len, |b, _| {
            let mut marks = vec![0; 512];
            b.iter(|| {
                marks.fill(0);
                words::mark_sums(&values, &values, &mut marks);
                words::gather(&marks).mex()
            });
        });
    }
    group.finish();
}

/// Heaps before the block.
const BEFORE: usize = 1 << 15;

/// Bytes below `most` without a pattern, small ones more often: what the values of a game look like.
fn values(len: usize, most: u32) -> Vec<u8> {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % most
    };
    (0..len).map(|_| random().min(random()) as u8).collect()
}

/// As many terms as a game has that has so many rare heaps, half of them near.
fn terms(count: usize, most: u32) -> Vec<Term> {
    let distance = |i: usize| if i.is_multiple_of(2) { 1 + i as u32 / 2 % LANES as u32 } else { 90 + 7 * i as u32 };
    let xors = values(count, most);
    (0..count).map(|i| Term { distance: distance(i), xor: u32::from(xors[i]) / 4 }).collect()
}

/// Terms that are far but for a few, as those of many rare heaps are.
fn many_terms() -> Vec<Term> {
    (1..1500).zip(values(1500, 160)).map(|(i, v)| Term { distance: 9 * i, xor: v.into() }).collect()
}

fn small_blocks<W: SmallWord>(c: &mut Criterion, name: &str, rares: usize, room: u32) {
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(BLOCK as u64));
    for kernel in variants() {
        let mut small = Small::<W>::new(room, &terms(rares, room), &[], &[]).expect("few terms");
        let mut heaps = values(BEFORE + BLOCK, room);
        kernel.warm(&mut small, &heaps, BEFORE);
        group.bench_function(kernel.name(), |b| b.iter(|| kernel.small_block(&mut small, &mut heaps, BEFORE)));
    }
    group.finish();
}

fn grouped_blocks(c: &mut Criterion) {
    let mut group = c.benchmark_group("block of values below 16, 12 rare heaps, four heaps at a time");
    group.throughput(Throughput::Elements(BLOCK as u64));
    // No rare heap is nearer than four heaps.
    let terms: Vec<Term> = terms(12, 16).iter().map(|t| Term { distance: 4 + t.distance, ..*t }).collect();
    for kernel in variants().filter(|kernel| kernel.has_groups()) {
        let mut grouped = Grouped::new(&terms).expect("few terms, none of them nearer than four heaps");
        let mut heaps = values(BEFORE + BLOCK, 16);
        grouped.warm(&heaps, BEFORE);
        group.bench_function(kernel.name(), |b| b.iter(|| kernel.grouped_block(&mut grouped, &mut heaps, BEFORE)));
    }
    group.finish();
}

fn candidates(c: &mut Criterion) {
    grouped_blocks(c);
    small_blocks::<u32>(c, "block of values below 16, 12 rare heaps", 12, 16);
    small_blocks::<u32>(c, "block of values below 32, 24 rare heaps", 24, 32);
    small_blocks::<u64>(c, "block of values below 64, 60 rare heaps", 60, 64);
    let mut group = c.benchmark_group("block of values below 256, 1500 rare heaps");
    group.throughput(Throughput::Elements(BLOCK as u64));
    for kernel in variants() {
        let wide = Wide::new(&many_terms(), 256, 128).expect("room");
        let mut heaps = values(BEFORE + BLOCK, 160);
        group.bench_function(kernel.name(), |b| b.iter(|| kernel.wide_block(&wide, &mut heaps, BEFORE)));
    }
    group.finish();
}

/// Witnesses by lists of pairs, and one by one where there are no lists.
fn witnesses(c: &mut Criterion) {
    const ROWS: usize = 16;
    let heaps = values(BEFORE + BLOCK, 32);
    let stride = heaps.len() / LANES;
    let mut rows = vec![0; ROWS * stride + 1];
    let row_values: Vec<u8> = (0..ROWS as u8).collect();
    variants().next().expect("a kernel").write_rows(&heaps, &row_values, &mut rows, stride);
    let small: Vec<Option<u8>> = heaps[..2048].iter().map(|&v| Some(v)).collect();
    let parts = Parts::new(&small, &[1], 0);
    let list = |v: u8, step: usize| {
        let mut list = List::new(step);
        let fits = |q: &usize| (q + 1).is_multiple_of(step) && usize::from(v ^ heaps[*q]) < ROWS;
        for q in (1..2048).filter(fits).take(60) {
            list.push(((v ^ heaps[q]) as usize * stride * LANES) as i32 - (q + 1) as i32, q as u32);
        }
        list
    };
    let targets = |listed: bool| -> Vec<Target> {
        let list = |v: u8, step| if listed { list(v, step) } else { List::new(step) };
        let target = |v: u32| Target { first_above: [v + 1; 2], whole_bytes: list(v as u8, 8), any: list(v as u8, 1) };
        (0..24).map(target).collect()
    };
    for (name, listed) in [("witnesses by lists", true), ("witnesses one by one", false)] {
        let targets = targets(listed);
        let search = Search { targets: &targets, rows: &rows, bit: BEFORE, parts: &parts, heaps: &heaps, least: 0 };
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements(BLOCK as u64));
        for kernel in variants() {
            group.bench_function(kernel.name(), |b| b.iter(|| kernel.unproven(black_box(&search))));
        }
        group.finish();
    }
}

/// What is done with every block beside: rows of bits, and the values themselves.
fn rows_and_values(c: &mut Criterion) {
    let heaps: [u8; BLOCK] = values(BLOCK, 64).try_into().expect("a block");
    let row_values: Vec<u8> = (0..32).collect();
    let mut group = c.benchmark_group("write 32 rows");
    group.throughput(Throughput::Elements(BLOCK as u64));
    for kernel in variants() {
        let mut rows = vec![0; row_values.len() * BLOCK / LANES];
        group.bench_function(kernel.name(), |b| {
            b.iter(|| kernel.write_rows(black_box(&heaps), &row_values, &mut rows, BLOCK / LANES));
        });
    }
    group.finish();
    let mut group = c.benchmark_group("look up values");
    group.throughput(Throughput::Elements(BLOCK as u64));
    let table = std::array::from_fn(|c| c as u8 ^ 37);
    for kernel in variants() {
        group.bench_function(kernel.name(), |b| b.iter(|| kernel.look_up(black_box(&heaps), &table, 2)));
    }
    group.finish();
}

/// What games with growing rare sets need: many pairs crossed off, and the sums of rare heaps, or these compared with candidates.
fn growing(c: &mut Criterion) {
    const PAIRS: usize = 1 << 14;
    let heaps: Vec<u16> = values(2 * PAIRS + HEAPS, 255).iter().map(|&v| 4 * u16::from(v)).collect();
    let (smaller, larger) = (&heaps[..PAIRS], &heaps[PAIRS..2 * PAIRS + HEAPS - 1]);
    let mut group = c.benchmark_group("cross off pairs for 32 heaps, values below 1024");
    group.throughput(Throughput::Elements((PAIRS * HEAPS) as u64));
    for kernel in variants() {
        group.bench_function(kernel.name(), |b| {
            b.iter(|| {
                let mut opens = vec![Open::below(1024); HEAPS];
                kernel.cross_off(&[[smaller, larger]], &mut opens);
                opens
            });
        });
    }
    group.finish();
    // Odd values, of which none is a sum.
    let mut group = c.benchmark_group("look for two values among pairs");
    group.throughput(Throughput::Elements(PAIRS as u64));
    for kernel in variants() {
        group.bench_function(kernel.name(), |b| {
            b.iter(|| {
                let mut values = vec![5, 7];
                kernel.leave_others(smaller, &larger[..PAIRS], black_box(&mut values));
                values
            });
        });
    }
    group.finish();
    let rares = (HEAPS..PAIRS).step_by(4);
    let sums: Sums = rares.map(|p| Sum::new(p as u32, heaps[p])).collect();
    let all = 0..sums.as_slice().len();
    // Odd values, of which none is a sum: every lane is compared with all.
    let mut lanes = Lanes::default();
    (0..SLOTS * HEAPS).for_each(|k| lanes.set(k / HEAPS, k % HEAPS, k % HEAPS, 2 * k as u16 + 1));
    let mut group = c.benchmark_group("cross off sums with fixed heaps for 32 heaps");
    group.throughput(Throughput::Elements((sums.as_slice().len() * HEAPS) as u64));
    for kernel in variants() {
        group.bench_function(kernel.name(), |b| {
            b.iter(|| {
                let mut opens = vec![Open::below(1024); HEAPS];
                kernel.cross_off_sums(&heaps, PAIRS, &sums, &mut opens);
                opens
            });
        });
    }
    group.finish();
    let mut group = c.benchmark_group("compare the sums of 32 heaps with 64 candidates");
    group.throughput(Throughput::Elements((sums.as_slice().len() * SLOTS * HEAPS) as u64));
    for kernel in variants().filter(|kernel| kernel.many_sums() != ManySums::Marked) {
        group.bench_function(kernel.name(), |b| {
            b.iter(|| kernel.met(&heaps, PAIRS, &sums, all.clone(), black_box(&lanes)))
        });
    }
    group.finish();
}

criterion_group!(benches, mex_of_sums, candidates, witnesses, rows_and_values, growing);
criterion_main!(benches);
