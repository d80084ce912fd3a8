//! `sprague run` and `sprague resume`: compute a game into a run directory.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::ValueEnum;

use crate::driver::{Run, RunError, RunPlan};
use crate::engine::EngineError;
use crate::store::StoreError;

use super::args::{self, GameArg, Processor};
use super::progress::Progress;
use super::{Failure, Global, Outcome, stop};

/// Memory for values when they are stored as well.
const MEMORY_ALL: u64 = 4 << 30;
/// Memory for values when they are not: with all the rest, on up to eight threads, it is less than 256 MiB.
const MEMORY_NONE: u64 = 192 << 20;
/// Bytes of memory for each value of the window: a byte each in the prefix and in up to two windows of recent values, as
/// many again in a checkpoint that is being written, and one to spare.
const BYTES_A_VALUE: u64 = 7;

/// What is kept of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Keep {
    /// All of them, in values.npy
    All,
    /// None: only statistics, rare heaps and the period, in bounded memory where the game allows it
    None,
}

/// Compute a game into a run directory, resumable at any time
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    game: GameArg,
    /// The last heap: 1000000, 1_000_000, 1e9, 2^36, 10k, 10M, 10G or a sum of these
    #[arg(long, value_name = "N", value_parser = args::heap)]
    to: u64,
    /// The run directory: it is created
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// What to keep of the values
    #[arg(long, value_enum, default_value_t = Keep::All)]
    values: Keep,
    /// Memory for values that the engine may look at again, such as 16GiB [default: 4GiB; 192MiB with --values none]. A run
    /// that keeps its values takes more where the game needs values that are no longer in it
    #[arg(long, value_name = "M", value_parser = args::memory)]
    memory: Option<u64>,
    /// How often the state is saved, such as 90s, 10m or 2h
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = args::duration)]
    checkpoint_every: Duration,
    /// Compute every heap, even when a period is proven
    #[arg(long)]
    no_detect: bool,
    #[command(flatten)]
    processor: Processor,
}

/// Go on with a run that was stopped, killed or cut off
#[derive(Debug, clap::Args)]
pub struct ResumeArgs {
    /// The run directory
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Go on to this heap, further than the run was meant to go
    #[arg(long, value_name = "N", value_parser = args::heap)]
    to: Option<u64>,
    /// How often the state is saved, such as 90s, 10m or 2h
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = args::duration)]
    checkpoint_every: Duration,
    #[command(flatten)]
    processor: Processor,
}

/// Runs `sprague run`.
///
/// # Errors
/// Bad arguments, a directory that holds a run already, a disk that is full.
pub fn run(args: Args, global: Global) -> Result<Outcome, Failure> {
    let rules = args.game.rules()?;
    args.processor.apply()?;
    stop::on_signals()?;
    let keep_values = args.values == Keep::All;
    let memory = args.memory.unwrap_or(if keep_values { MEMORY_ALL } else { MEMORY_NONE });
    let window = usize::try_from(memory / BYTES_A_VALUE).unwrap_or(usize::MAX / 2);
    let plan = RunPlan { to: args.to, keep_values, window, detect: !args.no_detect };
    let run = Run::create(&rules, &args.output, &plan)?;
    complete(run, &args.output, args.checkpoint_every, global)
}

/// Runs `sprague resume`.
///
/// # Errors
/// A directory that holds no run, or one that cannot be gone on with.
pub fn resume(args: ResumeArgs, global: Global) -> Result<Outcome, Failure> {
    args.processor.apply()?;
    stop::on_signals()?;
    let (mut run, warnings) = Run::open(&args.dir)?;
    if let Some(to) = args.to {
        run.extend(to)?;
    }
    if !global.quiet {
        warnings.iter().for_each(|warning| eprintln!("sprague: {warning}"));
        eprintln!("sprague: going on with {} at heap {}", run.manifest().game, run.done());
    }
    complete(run, &args.dir, args.checkpoint_every, global)
}

/// Goes on to the end, or to a signal or a limit.
fn complete(mut run: Run, dir: &Path, every: Duration, global: Global) -> Result<Outcome, Failure> {
    let end = run.manifest().to.saturating_add(1);
    let mut progress = Progress::new(global, run.done(), end);
    let mut saved = Instant::now();
    let mut limit = None;
    while !run.is_complete() && !stop::requested() && limit.is_none() {
        progress.show(run.computation(), run.done());
        match run.step() {
            // What is decided is saved all the same.
            Err(RunError::Engine(error)) => limit = Some(error),
            other => other?,
        }
        if saved.elapsed() >= every {
            run.checkpoint()?;
            progress.detail(&format!("saved at heap {}", run.done()));
            saved = Instant::now();
        }
    }
    progress.finish();
    let manifest = run.finish()?;
    let done = manifest.done;
    if manifest.complete {
        progress.say(&format!("done: {} heaps of {} in {}", done, manifest.game, dir.display()));
        return Ok(Outcome::Done);
    }
    match limit {
        Some(error) => {
            // A run that stores its values reads them back.
            let cure = match error {
                EngineError::Window { .. } => {
                    "; run the game in a new directory with more --memory, or with --values all"
                }
                EngineError::Value { .. } => "",
            };
            eprintln!("sprague: {error}; the {done} heaps before are saved in {}{cure}", dir.display());
        }
        None => eprintln!("sprague: stopped, {done} heaps are saved; go on with: sprague resume {}", dir.display()),
    }
    Ok(Outcome::Stopped)
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        match &error {
            RunError::Store(StoreError::Exists { .. } | StoreError::InTheWay { .. } | StoreError::Shorter { .. }) => {
                Failure::Usage(error.to_string())
            }
            _ => Failure::Data(error.to_string()),
        }
    }
}
