//! How a computation gets on: a bar on a terminal, plain lines elsewhere, nothing with `--quiet`.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::driver::Computation;
use crate::engine::Engine;

use super::Global;

/// Where there is no terminal, the first line is printed after this time, and each next one after twice as long, ...
const FIRST_LINE: Duration = Duration::from_secs(10);
/// ... but at least this often.
const LAST_LINES: Duration = Duration::from_secs(600);
/// Rates are those of the last so many seconds, roughly.
const RATE_SPAN: f64 = 20.0;

/// Runs over all pairs that are expected to take more seconds than this are announced.
const LONG: f64 = 10.0;

/// When the next line is due where there is no terminal.
pub(super) struct Lines {
    last: Instant,
    every: Duration,
}

impl Lines {
    /// Starts the clock.
    pub(super) fn new() -> Lines {
        Lines { last: Instant::now(), every: FIRST_LINE }
    }

    /// Whether a line is due; then the next one is, after a longer time.
    pub(super) fn due(&mut self) -> bool {
        let due = self.last.elapsed() >= self.every;
        if due {
            *self = Lines { last: Instant::now(), every: (2 * self.every).min(LAST_LINES) };
        }
        due
    }
}

/// What shows how far something of that length is, if it is known: a bar on a terminal, lines elsewhere, neither with
/// `--quiet`.
pub(super) fn reporters(global: Global, of: Option<u64>, template: &str) -> (Option<ProgressBar>, Option<Lines>) {
    if global.quiet {
        return (None, None);
    }
    if !stderr().is_terminal() {
        return (None, Some(Lines::new()));
    }
    let style = ProgressStyle::with_template(template).expect("the template is a valid one");
    let bar = ProgressBar::with_draw_target(of, ProgressDrawTarget::stderr_with_hz(4)).with_style(style);
    (Some(bar), None)
}

/// Reports on stderr.
pub struct Progress {
    bar: Option<ProgressBar>,
    lines: Option<Lines>,
    global: Global,
    reason: String,
    to: u64,
    rate: Rate,
    /// When and where it was looked at last.
    at: Instant,
    done: u64,
}

impl Progress {
    /// Starts to report on heaps from `start` up to `to`, exclusive.
    pub fn new(global: Global, start: u64, to: u64) -> Progress {
        let (bar, lines) = reporters(global, Some(to), "{bar:30} {percent:>3}% heap {human_pos} {msg}");
        let now = Instant::now();
        Progress { bar, lines, global, reason: String::new(), to, rate: Rate::default(), at: now, done: start }
    }

    /// Says something, above the bar if there is one.
    pub fn say(&self, text: &str) {
        match &self.bar {
            _ if self.global.quiet => {}
            Some(bar) => bar.println(format!("sprague: {text}")),
            None => eprintln!("sprague: {text}"),
        }
    }

    /// Says something with `--verbose` only.
    pub fn detail(&self, text: &str) {
        if self.global.verbose {
            self.say(text);
        }
    }

    /// Shows where the computation is: `done` heaps are known.
    pub fn show(&mut self, computation: &Computation, done: u64) {
        if self.reason != computation.engine().reason() {
            self.reason = computation.engine().reason().to_owned();
            self.detail(&format!("{} engine: {}", computation.engine().name(), self.reason));
            self.announce(computation);
        }
        self.measure(done);
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(self.summary(computation, done));
        } else if self.lines.as_mut().is_some_and(Lines::due) {
            self.say(&format!("heap {done} of {}, {}", self.to, self.summary(computation, done)));
        }
    }

    /// Says how long a run over all pairs will take, before it takes it.
    fn announce(&self, computation: &Computation) {
        let forecast = computation.engine().forecast(self.to).map(|d| d.as_secs_f64());
        if let Some(seconds) = forecast.filter(|&s| s > LONG) {
            self.say(&format!(
                "{}; heaps up to {} take about {} unless a period is proven or rare positions become few before",
                self.reason,
                self.to - 1,
                span(seconds)
            ));
        }
    }

    /// Takes note of what has been done since the last look.
    fn measure(&mut self, done: u64) {
        let seconds = self.at.elapsed().as_secs_f64();
        if seconds >= 0.2 {
            self.rate.add((done - self.done) as f64, seconds);
            (self.at, self.done) = (Instant::now(), done);
        }
    }

    fn summary(&self, computation: &Computation, done: u64) -> String {
        let rate = self.rate.per_second();
        let left = (self.to.saturating_sub(done)) as f64 / rate.max(1e-9);
        let rare = computation
            .engine()
            .rare()
            .map_or(String::new(), |space| format!(", {} rare (last {})", space.positions().len(), space.last()));
        format!("{}, {} to go, max {}{rare}", speed(rate), span(left), computation.statistics().max_value)
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// The rate over the last while: a run slows down as its heaps grow, or when other work comes.
#[derive(Default)]
struct Rate {
    /// What was done, and in how many seconds; the longer ago, the less it counts.
    done: f64,
    seconds: f64,
}

impl Rate {
    fn add(&mut self, done: f64, seconds: f64) {
        let faded = (-seconds / RATE_SPAN).exp();
        self.done = faded * self.done + done;
        self.seconds = faded * self.seconds + seconds;
    }

    fn per_second(&self) -> f64 {
        self.done / self.seconds.max(1e-9)
    }
}

/// Heaps a second, readable.
fn speed(rate: f64) -> String {
    match rate {
        r if r >= 1e6 => format!("{:.1} M/s", r / 1e6),
        r if r >= 1e3 => format!("{:.1} k/s", r / 1e3),
        r => format!("{r:.0} /s"),
    }
}

/// A time span in seconds, readable.
pub fn span(seconds: f64) -> String {
    match seconds {
        s if !s.is_finite() || s > 3e9 => "more than a century".to_owned(),
        s if s >= 2.0 * 86_400.0 * 365.0 => format!("{:.0} years", s / (86_400.0 * 365.0)),
        s if s >= 2.0 * 86_400.0 => format!("{:.0} days", s / 86_400.0),
        s if s >= 3600.0 => format!("{:.1} h", s / 3600.0),
        s if s >= 90.0 => format!("{:.0} min", s / 60.0),
        s => format!("{s:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A short slow start hardly counts, and what was long ago does not count at all.
    #[test]
    fn rates_are_those_of_the_last_while() {
        let mut rate = Rate::default();
        assert_eq!(rate.per_second(), 0.0);
        rate.add(3.0, 0.3);
        assert!((rate.per_second() - 10.0).abs() < 1e-6);
        (0..10).for_each(|_| rate.add(1000.0, 1.0));
        assert!((950.0..1000.0).contains(&rate.per_second()));
        (0..200).for_each(|_| rate.add(500.0, 1.0));
        assert!((500.0..500.1).contains(&rate.per_second()));
    }
}
