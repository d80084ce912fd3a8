//! The command line: one file a subcommand, each thin. Results go to stdout, everything else to stderr.

pub mod args;
mod bench;
mod census;
mod claim;
mod completions;
mod compute;
mod export;
mod failure;
mod file;
mod graph;
mod info;
mod misere;
mod period;
mod play;
mod plot;
pub mod progress;
mod run;
mod selftest;
mod stop;
mod values;
mod verify;
mod watched;

use clap::{Parser, Subcommand};

pub use failure::{Failure, Outcome};

/// Nim-values of impartial heap games: computed, stored, their periods found and proven.
#[derive(Debug, Parser)]
#[command(name = "sprague", version, about, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// The flags that every command takes.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Global {
    /// Print nothing on stderr but errors
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say more on stderr: the engine chosen and why, times, checkpoints
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub verbose: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Values(values::Args),
    Period(period::Args),
    Claim(claim::Args),
    Run(run::Args),
    Resume(run::ResumeArgs),
    Info(info::Args),
    Verify(verify::Args),
    Export(export::Args),
    Plot(plot::Args),
    /// Who wins a position, and with which moves: any sum of games, normal or misère
    Play(play::Args),
    /// Grundy values of any acyclic game graph
    Graph(graph::Args),
    Misere(misere::Args),
    /// Ask one question of many games, in units of work that can be done anywhere: periods, or misère quotients
    Census(census::Args),
    Selftest(selftest::Args),
    Bench(bench::Args),
    Completions(completions::Args),
    /// Print the man page
    Man,
}

impl Cli {
    /// Runs the command.
    ///
    /// # Errors
    /// [`Failure`], which knows the exit code.
    pub fn run(self) -> Result<Outcome, Failure> {
        let global = self.global;
        match self.command {
            Command::Values(args) => values::run(args, global),
            Command::Period(args) => period::run(args, global),
            Command::Run(args) => run::run(args, global),
            Command::Resume(args) => run::resume(args, global),
            Command::Info(args) => info::run(args),
            Command::Verify(args) => verify::run(&args, global),
            Command::Export(args) => export::run(args),
            Command::Plot(args) => plot::run(args, global),
            Command::Claim(args) => claim::run(args, global),
            Command::Selftest(args) => selftest::run(&args, global),
            Command::Bench(args) => bench::run(&args),
            Command::Misere(args) => misere::run(args, global),
            Command::Census(args) => census::run(args, global),
            Command::Completions(args) => completions::run(args),
            Command::Man => completions::man(),
            Command::Play(args) => play::run(args, global),
            Command::Graph(args) => graph::run(args, global),
        }
    }
}
