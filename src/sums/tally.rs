//! Counting moves in classes, and listing the least of them.

use num_bigint::BigUint;

/// The heaps that a move leaves, in ascending order.
type Parts = Vec<BigUint>;

/// Moves found: all counted, the least kept. Moves may come in any order.
pub(super) struct Tally {
    count: BigUint,
    least: Vec<Parts>,
    keep: usize,
}

impl Tally {
    pub fn new(keep: usize) -> Tally {
        Tally { count: BigUint::ZERO, least: Vec::new(), keep }
    }

    /// Adds one move.
    pub fn add(&mut self, parts: Parts) {
        self.count += 1u32;
        self.list(parts);
    }

    /// Adds, for every start, the moves with first parts `start`, `start + step`, ... up to `most`. The starts ascend and
    /// lie within one step. `parts` gives the move of a first part, or `None` if the rules forbid it: such a move is
    /// counted here, and [`Tally::uncount`] takes it away.
    pub fn add_classes(
        &mut self,
        starts: &[u64],
        step: u64,
        most: &BigUint,
        parts: impl Fn(&BigUint) -> Option<Parts>,
    ) {
        let starts = || starts.iter().map(|&start| BigUint::from(start)).take_while(|start| start <= most);
        starts().for_each(|start| self.count += (most - start) / step + 1u32);
        let laps = (0u64..).map(|lap| BigUint::from(lap) * step);
        let all = laps.map_while(|lap| {
            let mut lap = starts().map(move |start| start + &lap).take_while(|first| first <= most).peekable();
            lap.peek().is_some().then_some(lap)
        });
        let least: Vec<Parts> = all.flatten().filter_map(|first| parts(&first)).take(self.keep).collect();
        least.into_iter().for_each(|parts| self.list(parts));
    }

    /// Adds moves that were counted elsewhere, the least of them listed.
    pub fn add_counted(&mut self, count: BigUint, least: impl Iterator<Item = Parts>) {
        self.count += count;
        least.for_each(|parts| self.list(parts));
    }

    /// How many moves are kept.
    pub fn keep(&self) -> usize {
        self.keep
    }

    /// Takes back one move that a class counted and the rules forbid.
    pub fn uncount(&mut self) {
        self.count -= 1u32;
    }

    /// The number of moves and the least of them, least first.
    pub fn finish(mut self) -> (BigUint, Vec<Parts>) {
        self.prune();
        (self.count, self.least)
    }

    fn list(&mut self, parts: Parts) {
        // Twice what is kept, so that pruning costs little a move.
        if self.least.len() >= self.keep.saturating_mul(2).max(1024) {
            self.prune();
        }
        self.least.push(parts);
    }

    fn prune(&mut self) {
        self.least.sort_unstable();
        self.least.truncate(self.keep);
    }
}
