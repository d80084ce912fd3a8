//! How work gets on that threads share: a bar on a terminal, plain lines elsewhere, nothing with `--quiet`.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use indicatif::ProgressBar;

use super::Global;
use super::progress::{Lines, reporters, span};

/// Reports on stderr how many heaps are done, until it is dropped.
pub struct Watched {
    bar: Option<ProgressBar>,
    lines: Option<Mutex<Lines>>,
    path: PathBuf,
    start: Instant,
}

impl Watched {
    /// Starts the clock of work on the file or directory at `path`.
    pub fn new(path: &Path, global: Global) -> Watched {
        let (bar, lines) = reporters(global, None, "{bar:30} {percent:>3}% {human_pos} heaps {msg}");
        Watched { bar, lines: lines.map(Mutex::new), path: path.to_owned(), start: Instant::now() }
    }

    /// `done` heaps of `of` have been recomputed.
    pub fn show(&self, done: u64, of: u64) {
        let seconds = self.start.elapsed().as_secs_f64();
        let left = || format!("{} to go", span(seconds * of.saturating_sub(done) as f64 / done.max(1) as f64));
        if let Some(bar) = &self.bar {
            bar.set_length(of);
            bar.set_position(done);
            bar.set_message(left());
        }
        // A thread that finds another at it has nothing newer to say.
        if let Some(mut lines) = self.lines.as_ref().and_then(|lines| lines.try_lock().ok())
            && lines.due()
        {
            eprintln!("sprague: {}: {done} of {of} heaps recomputed, {}", self.path.display(), left());
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
