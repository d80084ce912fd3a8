//! Arguments that several commands take, and how they are read.

use std::time::Duration;

use crate::Rules;
use crate::check::Share;
use crate::kernel;
use crate::rules::{ParseError, parse_heap_size, parse_memory_size};

use super::Failure;

/// The game that a command is about.
#[derive(Debug, clap::Args)]
pub struct GameArg {
    /// The text of the game.
    #[arg(
        value_name = "GAME",
        allow_hyphen_values = true,
        help = "The game: a code such as 0.77, 4.3 or 0.[3], a set such as sub{1,3,4} or allbut{1,4}, or a name such as kayles"
    )]
    pub game: String,
}

impl GameArg {
    /// The rules of the game.
    ///
    /// # Errors
    /// The parse error, which points at the character.
    pub fn rules(&self) -> Result<Rules, ParseError> {
        self.game.parse()
    }

    /// The canonical form, with the text that was given where it differs.
    pub fn title(&self, rules: &Rules) -> String {
        let canonical = rules.to_string();
        if canonical == self.game { canonical } else { format!("{canonical} ({})", self.game) }
    }
}

/// How many threads to use.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Threads {
    /// Threads to compute with [default: one for each core]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

impl Threads {
    /// Sets the number of threads for all that follows, and returns it.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn apply(self) -> Result<usize, Failure> {
        if let Some(threads) = self.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(usize::from(threads));
            pool.build_global()
                .map_err(|e| Failure::Usage(format!("cannot start {threads} threads ({e}): ask for fewer")))?;
        }
        Ok(rayon::current_num_threads())
    }
}

/// What to compute with: all of it gives the same values.
#[derive(Clone, Debug, clap::Args)]
pub struct Processor {
    #[command(flatten)]
    threads: Threads,
    /// Kernel for blocks of heaps: avx512, avx2 or portable [default: the fastest that this CPU can run]
    #[arg(long, value_name = "NAME")]
    kernel: Option<String>,
}

impl Processor {
    /// Whether a kernel was asked for by name.
    pub fn names_kernel(&self) -> bool {
        self.kernel.is_some()
    }

    /// Sets the kernel and the number of threads for all that follows, and returns the latter.
    ///
    /// # Errors
    /// A kernel that this CPU cannot run, or threads that cannot be started.
    pub fn apply(&self) -> Result<usize, Failure> {
        if let Some(name) = &self.kernel {
            kernel::force(name)?;
        }
        self.threads.apply()
    }
}

/// A heap size, for clap.
pub fn heap(text: &str) -> Result<u64, String> {
    parse_heap_size(text).map_err(|e| e.to_string())
}

/// A memory size, for clap.
pub fn memory(text: &str) -> Result<u64, String> {
    parse_memory_size(text).map_err(|e| e.to_string())
}

/// A share such as `1/4`, the first of four, for clap.
pub fn share(text: &str) -> Result<Share, String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse::<usize>().ok()?, n.parse::<usize>().ok()?)));
    let share = parts.filter(|&(i, n)| 1 <= i && i <= n).map(|(i, of)| Share { index: i - 1, of });
    share.ok_or_else(|| format!("`{text}` is not a share: write 1/4 for the first of four"))
}

/// A time span such as `500ms`, `90s`, `10m` or `2h`, for clap.
pub fn duration(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];
    let unit = units.iter().find_map(|&(unit, scale)| Some((text.strip_suffix(unit)?, scale)));
    let (number, scale) = unit.unwrap_or((text, 1000));
    let span: Option<u64> = number.parse().ok().and_then(|n: u64| n.checked_mul(scale));
    span.filter(|&s| s > 0)
        .map(Duration::from_millis)
        .ok_or_else(|| format!("`{text}` is not a time span: write 500ms, 90s, 10m or 2h"))
}
