//! How fast the engines are on this machine, on fixed work; and a signature of what they compute.
//!
//! Only engines are measured: no search for a period, no statistics, nothing written.

mod signature;

pub use signature::{GAMES, checksum, signature};

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use crate::Rules;
use crate::engine::{Engine, EngineError, Planned};

/// A game, and how far it is computed.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// The text of the game.
    pub game: &'static str,
    /// The last heap.
    pub to: u64,
    /// The last heap where it should take a moment only.
    pub quick: u64,
}

const fn work(game: &'static str, to: u64, quick: u64) -> Workload {
    Workload { game, to, quick }
}

/// Many rare heaps; few of them, at several widths of the values; more and more of them; all pairs; taking only.
pub const WORKLOADS: &[Workload] = &[
    work("0.6", 3_000_000, 100_000),
    work("0.106", 100_000_000, 1_000_000),
    work("0.104", 100_000_000, 1_000_000),
    work("0.054", 50_000_000, 500_000),
    work("0.454", 50_000_000, 500_000),
    work("0.354", 10_000_000, 300_000),
    work("0.16", 10_000_000, 300_000),
    work("0.007", 100_000, 30_000),
    work("0.04", 100_000, 10_000),
    work("sub{9,20,29,32}", 20_000_000, 200_000),
];

/// What computing a game took.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// How many heaps were decided.
    pub heaps: u64,
    /// The time by the clock on the wall.
    pub wall: Duration,
    /// The processor time of all threads together.
    pub cpu: Duration,
    /// How many bytes a value takes.
    pub bytes_per_value: u64,
    /// The engine that was at work at the end.
    pub engine: &'static str,
    /// Its kernel.
    pub kernel: &'static str,
}

/// Computes heaps 0 to `to` of a game, all of which are kept in memory.
///
/// # Errors
/// [`EngineError`], if a value is beyond what can be kept.
pub fn measure(rules: &Rules, to: u64) -> Result<Measured, EngineError> {
    let (wall, cpu) = (Instant::now(), processor_time());
    let mut engine = Planned::new(rules, None);
    engine.extend(to.saturating_add(1))?;
    Ok(Measured {
        heaps: engine.history().len(),
        wall: wall.elapsed(),
        cpu: processor_time().saturating_sub(cpu),
        bytes_per_value: engine.history().recent().width().bytes() as u64,
        engine: engine.name(),
        kernel: engine.kernel(),
    })
}

/// The processor time that this process has used so far, on all threads.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// What the CPU calls itself, or `unknown` where the system does not tell.
pub fn cpu_name() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or("unknown", |(_, name)| name.trim()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_work() {
        let rules: Rules = "0.04".parse().unwrap();
        let short = measure(&rules, 100).unwrap();
        let long = measure(&rules, 10_000).unwrap();
        assert_eq!((short.heaps, long.heaps), (101, 10_001));
        assert_eq!((short.engine, long.engine, long.bytes_per_value), ("dense", "dense", 2));
        // No ratio of the two: other tests share the processor, and its time is that of the whole process.
        assert!(!long.cpu.is_zero() && !long.wall.is_zero());
        assert!(!cpu_name().is_empty());
    }
}
