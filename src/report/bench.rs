//! Measured speeds, as a table and as JSON.

use std::fmt;

use serde::Serialize;

use crate::bench::Measured;

/// The keys of `bench --json`.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it, and the README documents the keys")]
pub struct BenchReport {
    pub version: &'static str,
    pub cpu: String,
    pub threads: usize,
    pub results: Vec<BenchResult>,
}

/// The speed of one game.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "as above")]
pub struct BenchResult {
    pub game: String,
    pub heaps: u64,
    pub seconds: f64,
    pub cpu_seconds: f64,
    pub values_per_second: f64,
    /// By processor time: what each core that was at work did.
    pub values_per_second_per_core: f64,
    pub bytes_per_value: u64,
    pub engine: &'static str,
    pub kernel: &'static str,
}

impl BenchReport {
    /// A report without results yet.
    pub fn new(cpu: String, threads: usize) -> BenchReport {
        BenchReport { version: env!("CARGO_PKG_VERSION"), cpu, threads, results: Vec::new() }
    }

    /// What stands above the table.
    pub fn head(&self) -> String {
        let plural = if self.threads == 1 { "" } else { "s" };
        format!(
            "sprague {}, {}, {} thread{plural}\n\n{:16} {:>10} {:>9} {:>9} {:>10} {:>10} {:>7}  {:7} {}",
            self.version,
            self.cpu,
            self.threads,
            "game",
            "heaps",
            "wall s",
            "CPU s",
            "M/s",
            "M/s a core",
            "bytes",
            "engine",
            "kernel"
        )
    }
}

impl BenchResult {
    /// What was measured of a game.
    pub fn new(game: &str, measured: &Measured) -> BenchResult {
        let (seconds, cpu_seconds) = (measured.wall.as_secs_f64(), measured.cpu.as_secs_f64());
        BenchResult {
            game: game.to_owned(),
            heaps: measured.heaps,
            seconds,
            cpu_seconds,
            values_per_second: measured.heaps as f64 / seconds,
            values_per_second_per_core: measured.heaps as f64 / cpu_seconds,
            bytes_per_value: measured.bytes_per_value,
            engine: measured.engine,
            kernel: measured.kernel,
        }
    }
}

impl fmt::Display for BenchResult {
    /// A line of the table; speeds in millions of values a second.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BenchResult { game, heaps, seconds, cpu_seconds, bytes_per_value, engine, kernel, .. } = self;
        let [all, core] = [self.values_per_second, self.values_per_second_per_core].map(|speed| speed / 1e6);
        write!(
            f,
            "{game:16} {heaps:>10} {seconds:>9.3} {cpu_seconds:>9.3} {all:>10.3} {core:>10.3} {bytes_per_value:>7}  {engine:7} {kernel}"
        )
    }
}
