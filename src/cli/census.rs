//! `sprague census`: one question asked of many games.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Subcommand;

use crate::census::{self, CensusError, Family, Literature, MisereLimits, NormalLimits, Plan, Progress};
use crate::check::Share;

use super::args::{self, Threads};
use super::file::Replacement;
use super::{Failure, Global, Outcome};

/// The arguments of `census`.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Plan(PlanArgs),
    Run(RunArgs),
    Merge(MergeArgs),
}

/// List the units of work in a new directory
///
/// Without --misere a unit is a class of games with equal sequences of nim-values, whose period is looked for. With it, a unit
/// is a game whose misère quotient is looked for.
#[derive(Debug, clap::Args)]
struct PlanArgs {
    /// The directory
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// The games, several families separated by commas [default: octal3,hexadecimal,splitting,subtraction; octal3 with --misere]
    #[arg(long, value_name = "FAMILY", value_delimiter = ',', value_enum)]
    codes: Vec<Family>,
    /// Where games without a proven period end, rounded up to a power of two [default: 2^20; less where that takes long]
    #[arg(long, value_name = "N", value_parser = args::heap, conflicts_with = "misere")]
    limit: Option<u64>,
    /// Look for misère quotients
    #[arg(long)]
    misere: bool,
    /// With --misere: the last heap to go to [default: 1000]
    #[arg(long, value_name = "N", value_parser = args::heap, requires = "misere")]
    heaps: Option<u64>,
    /// With --misere: the work for one game, in steps of about one product in a quotient; 10^8 take about a second
    #[arg(long, value_name = "STEPS", value_parser = args::heap, requires = "misere")]
    steps: Option<u64>,
}

/// Do the units that are not done yet: it may be interrupted at any time and started again
#[derive(Debug, clap::Args)]
struct RunArgs {
    /// The directory of the census
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Do the I-th of N shares of the units only, such as 1/4
    #[arg(long, value_name = "I/N", value_parser = args::share, default_value = "1/1")]
    shard: Share,
    #[command(flatten)]
    threads: Threads,
}

/// Put all results into one file: the same bytes in whatever order, shares and threads they were found
#[derive(Debug, clap::Args)]
struct MergeArgs {
    /// The directory of the census
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Write the results as a Markdown table too
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// A directory with tables of published results, to be shown and compared in the table
    #[arg(long, value_name = "DIR", requires = "table")]
    literature: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// Bad arguments, or a file that cannot be read or written.
pub fn run(args: Args, global: Global) -> Result<Outcome, Failure> {
    match args.command {
        Command::Plan(args) => plan(&args, global),
        Command::Run(args) => run_units(&args, global),
        Command::Merge(args) => merge(&args),
    }
}

fn plan(args: &PlanArgs, global: Global) -> Result<Outcome, Failure> {
    let families = match (&args.codes[..], args.misere) {
        ([], true) => &[Family::Octal3][..],
        ([], false) => &[Family::Octal3, Family::Hexadecimal, Family::Splitting, Family::Subtraction],
        (codes, _) => codes,
    };
    let plan = if args.misere {
        let usual = MisereLimits::default();
        let limits =
            MisereLimits { heaps: args.heaps.unwrap_or(usual.heaps), steps: args.steps.unwrap_or(usual.steps) };
        Plan::misere(families, limits)
    } else {
        Plan::normal(families, args.limit.map_or_else(NormalLimits::default, NormalLimits::up_to))?
    };
    census::create(&args.output, &plan)?;
    say(global, || format!("{} games in {} units of work", plan.games, plan.units.len()));
    Ok(Outcome::Done)
}

fn run_units(args: &RunArgs, global: Global) -> Result<Outcome, Failure> {
    args.threads.apply()?;
    let progress = |Progress { before, now, units }| {
        if global.verbose {
            eprintln!("sprague: {} of {units} units done", before + now);
        }
    };
    let Progress { before, now, units } = census::run(&args.dir, args.shard, progress)?;
    say(global, || format!("{now} units done, {before} of {units} were done before"));
    Ok(Outcome::Done)
}

fn merge(args: &MergeArgs) -> Result<Outcome, Failure> {
    let merged = census::merge(&args.dir)?;
    let literature = args.literature.as_deref().map(Literature::read).transpose()?;
    write(&args.output, &merged.to_json())?;
    if let Some(path) = &args.table {
        write(path, &census::table(&merged, literature.as_ref())?)?;
    }
    Ok(Outcome::Done)
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    Replacement::create(path)?.finish(|out| out.write_all(text.as_bytes()))
}

fn say(global: Global, what: impl FnOnce() -> String) {
    if !global.quiet {
        eprintln!("sprague: {}", what());
    }
}

impl From<CensusError> for Failure {
    fn from(error: CensusError) -> Failure {
        match error {
            CensusError::Exists(_) | CensusError::Game(_) | CensusError::Engine { .. } => {
                Failure::Usage(error.to_string())
            }
            CensusError::Quotient(error) => error.into(),
            CensusError::Unfinished { .. } => Failure::Limit(error.to_string()),
            _ => Failure::Data(error.to_string()),
        }
    }
}
