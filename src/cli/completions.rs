//! `sprague completions` and `sprague man`: written from the same definitions as `--help`.

use std::io::{Write, stdout};

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Cli, Failure, Outcome};

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the completion script.
///
/// # Errors
/// Output that cannot be written.
pub fn run(args: Args) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sprague", &mut script);
    stdout().write_all(&script)?;
    Ok(Outcome::Done)
}

/// Prints the man page: the program's, then that of each subcommand.
///
/// # Errors
/// Output that cannot be written.
pub fn man() -> Result<Outcome, Failure> {
    let mut command = Cli::command();
    command.build();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for subcommand in command.get_subcommands().filter(|c| c.get_name() != "help") {
        let name = format!("sprague-{}", subcommand.get_name());
        clap_mangen::Man::new(subcommand.clone().name(name)).render(&mut page)?;
    }
    stdout().write_all(&page)?;
    Ok(Outcome::Done)
}
