//! The kernels side by side: the mex of a set of sums on `bitvec` (the reference), on words bit by bit, and on bytes
//! that are gathered into words.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sprague::Rules;
use sprague::driver::Computation;
use sprague::engine::Engine;
use sprague::kernel::reference::BitvecSet;
use sprague::kernel::{WordSet, words};

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

criterion_group!(benches, mex_of_sums);
criterion_main!(benches);
