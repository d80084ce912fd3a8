//! Arguments that several commands take, and how they are read.

use std::path::{MAIN_SEPARATOR, Path, PathBuf};
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

/// What `info` and `plot` are about.
pub enum Subject {
    /// A game.
    Game(Rules),
    /// A directory, of a run perhaps.
    Run(PathBuf),
}

impl Subject {
    /// Finds out what is meant: what is a directory is no game.
    ///
    /// # Errors
    /// If it is neither. A path is told from the text of a game by a separator in it.
    pub fn read(text: &str) -> Result<Subject, Failure> {
        let path = Path::new(text);
        if path.is_dir() {
            return Ok(Subject::Run(path.to_owned()));
        }
        text.parse().map(Subject::Game).map_err(|error: ParseError| {
            if path.exists() {
                Failure::Data(format!("{text} is a file: give a run directory, or a game"))
            } else if text.contains(MAIN_SEPARATOR) {
                Failure::Data(format!("{text}: there is no such run directory; check the path"))
            } else {
                let message = format!("neither a run directory nor a game: {}", error.message);
                ParseError { message, ..error }.into()
            }
        })
    }
}

/// How many threads to use.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Threads {
    /// Threads to compute with [default: one for each core]
    #[arg(long, value_name = "T", value_parser = threads)]
    threads: Option<usize>,
}

impl Threads {
    /// Sets the number of threads for all that follows, and returns it.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn apply(self) -> Result<usize, Failure> {
        if let Some(threads) = self.threads {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
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

/// The most threads: more than this get in each other's way until nothing moves.
const MAX_THREADS: usize = 512;

/// A number of threads, for clap.
fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|threads| (1..=MAX_THREADS).contains(threads));
    number.ok_or_else(|| format!("write a number from 1 to {MAX_THREADS}, or leave it out for one thread a core"))
}

/// A heap size, for clap.
pub fn heap(text: &str) -> Result<u64, String> {
    parse_heap_size(text).map_err(|e| e.to_string())
}

/// The least memory for values that is of any use.
const MIN_MEMORY: u64 = 64 << 10;

/// A memory size, for clap.
pub fn memory(text: &str) -> Result<u64, String> {
    match parse_memory_size(text) {
        Ok(bytes) if bytes < MIN_MEMORY => {
            Err(format!("{bytes} bytes are too few for values: write 64KiB or more, such as 256MiB"))
        }
        size => size.map_err(|e| e.to_string()),
    }
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
