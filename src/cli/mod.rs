//! The command line: one file a subcommand, each thin. Results go to stdout, everything else to stderr.

mod failure;
mod graph;
mod play;

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
    /// Who wins a position, and with which moves: any sum of games, normal or misère
    Play(play::Args),
    /// Grundy values of any acyclic game graph
    Graph(graph::Args),
}

impl Cli {
    /// Runs the command.
    ///
    /// # Errors
    /// [`Failure`], which knows the exit code.
    pub fn run(self) -> Result<Outcome, Failure> {
        match self.command {
            Command::Play(args) => play::run(args, self.global),
            Command::Graph(args) => graph::run(args, self.global),
        }
    }
}
