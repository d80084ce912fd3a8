//! The sparse rule, heap by heap; for a game that only takes, the least value that no move leaves.

use super::{Refusal, Rules, Split, StateProof, refuse, require};

/// Digit bits, as the rules of octal games have them.
const ALL: u8 = 1;
const ONE: u8 = 2;
const TWO: u8 = 4;

/// A game with what its certificate says of rare heaps and witnesses.
pub(super) struct Game {
    rules: Rules,
    /// The index of the last non-zero digit.
    pub(super) k: u64,
    takes: Vec<u64>,
    splits: Vec<u64>,
    /// `None`: moves only take, and every value is of the common class.
    mask: Option<u32>,
    domain: Option<u64>,
    rare: Vec<u64>,
    start: u64,
    depth: u64,
    early_depth: u64,
}

impl Game {
    pub(super) fn new(rules: &Rules, proof: &StateProof) -> Result<Game, Refusal> {
        let k = rules.last_index().ok_or_else(|| refuse("the theorem needs a finite code"))?;
        match proof.mask {
            Some(0) => return Err(refuse("mask 0 makes no heap common: the rule gives no value")),
            Some(_) => require(rules.max_parts() == 2, || "a mask needs a game that splits into two heaps".to_owned())?,
            None => require(rules.max_parts() <= 1 && proof.domain.is_none(), || {
                "without a mask, moves may only take, and there is no domain type".to_owned()
            })?,
        }
        let with = |bit: u8| (0..=k).filter(|&i| rules.digit(i) & bit != 0).collect::<Vec<u64>>();
        let (takes, splits) = (with(ONE), with(TWO));
        if let Some(t) = proof.domain {
            let one_parity = t < 2 && splits.iter().all(|i| i % 2 == t);
            require(one_parity, || "a domain mask needs splitting digits of one parity".to_owned())?;
        }
        Ok(Game {
            rules: rules.clone(),
            k,
            takes,
            splits,
            mask: proof.mask,
            domain: proof.domain,
            rare: proof.rare.clone(),
            start: proof.start,
            depth: proof.depth,
            early_depth: proof.early_depth,
        })
    }

    /// Whether value `v` is of the common class for heap `n`.
    fn is_common(&self, n: u64, v: u32) -> bool {
        let Some(mask) = self.mask else { return true };
        let position = self.domain.map_or(0, |t| (n + t) % 2);
        (u64::from((v & mask).count_ones()) + position) % 2 == 1
    }

    /// The least value of the common class for heap `n`.
    ///
    /// It may be so large that a search from 0 on would not come to an end.
    fn least_common(&self, n: u64) -> u32 {
        if self.is_common(n, 0) { 0 } else { self.mask.map_or(0, |mask| mask & mask.wrapping_neg()) }
    }

    /// The least value of the common class for heap `n` that is not marked.
    fn candidate(&self, n: u64, marks: &Marks) -> u32 {
        (self.least_common(n)..).find(|&v| self.is_common(n, v) && !marks.has(v)).expect("a set misses a value")
    }

    /// The values of the heaps below `end`, by the rule with any witnesses; the rare ones must be those of `rare`.
    pub(super) fn compute(&self, end: u64, rare: &[u64]) -> Result<Vec<u32>, Refusal> {
        let mut g: Vec<u32> = Vec::new();
        let mut marks = Marks::new();
        let mut found: Vec<u64> = Vec::new();
        for n in 0..end {
            let at = |heap: u64| g[heap as usize];
            marks.clear();
            self.mark_takes(n, &at, &mut marks);
            self.mark_rare(n, &found, &at, &mut marks);
            let candidate = self.candidate(n, &marks);
            let wanted = |marks: &Marks| (0..candidate).find(|&v| !self.is_common(n, v) && !marks.has(v));
            let mut a = 1;
            while 2 * a <= n && wanted(&marks).is_some() {
                let next = a + 32;
                self.mark_pairs(n, a, next, &at, &mut marks);
                a = next;
            }
            let value = wanted(&marks).unwrap_or(candidate);
            if n > 0 && !self.is_common(n, value) {
                require(rare.get(found.len()) == Some(&n), || format!("heap {n} is rare, and not in the list"))?;
                found.push(n);
            }
            g.push(value);
        }
        require(found == rare, || format!("heap {} is not rare, or later than the first rung", rare[found.len()]))?;
        Ok(g)
    }

    fn mark_takes(&self, n: u64, at: &impl Fn(u64) -> u32, marks: &mut Marks) {
        if self.rules.digit(n) & ALL != 0 {
            marks.add(0);
        }
        self.takes.iter().filter(|&&i| i < n).for_each(|i| marks.add(at(n - i)));
    }

    fn mark_rare(&self, n: u64, rare: &[u64], at: &impl Fn(u64) -> u32, marks: &mut Marks) {
        for rest in self.splits.iter().filter_map(|i| n.checked_sub(*i)) {
            for &r in rare.iter().take_while(|&&r| r < rest).filter(|&&r| self.may_split(r, rest - r)) {
                marks.add(at(r) ^ at(rest - r));
            }
        }
    }

    fn mark_pairs(&self, n: u64, from: u64, to: u64, at: &impl Fn(u64) -> u32, marks: &mut Marks) {
        for rest in self.splits.iter().filter_map(|i| n.checked_sub(*i)) {
            for a in (from..to).take_while(|a| 2 * a <= rest).filter(|&a| self.may_split(a, rest - a)) {
                marks.add(at(a) ^ at(rest - a));
            }
        }
    }

    fn may_split(&self, a: u64, b: u64) -> bool {
        match self.rules.split() {
            Split::Any => true,
            Split::Unequal => a != b,
            Split::FromThree => a + b >= 3,
        }
    }
}

/// A set of values.
struct Marks {
    words: Vec<u64>,
}

impl Marks {
    fn new() -> Marks {
        Marks { words: vec![0; 1] }
    }

    fn clear(&mut self) {
        self.words.fill(0);
    }

    fn add(&mut self, v: u32) {
        let word = v as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (v % 64);
    }

    fn has(&self, v: u32) -> bool {
        self.words.get(v as usize / 64).is_some_and(|word| word >> (v % 64) & 1 == 1)
    }
}

/// A run of heaps that is recomputed from a window.
pub(super) struct Segment<'a> {
    game: &'a Game,
    prefix: &'a [u32],
    /// The values from heap `first` on, in the window and after it.
    values: Vec<u32>,
    first: u64,
    /// How many values the rule looks back at.
    keep: usize,
}

impl<'a> Segment<'a> {
    pub(super) fn new(game: &'a Game, prefix: &'a [u32], first: u64, window: &[u32]) -> Segment<'a> {
        Segment { game, prefix, values: window.to_vec(), first, keep: window.len() }
    }

    /// Decides the heaps below `end`. All of them must be common, with witnesses as shallow as the certificate says.
    pub(super) fn run(&mut self, end: u64) -> Result<(), Refusal> {
        let mut marks = Marks::new();
        let spare = self.keep.max(1 << 16);
        while self.first + (self.values.len() as u64) < end {
            let n = self.first + self.values.len() as u64;
            let value = self.decide(n, &mut marks)?;
            self.values.push(value);
            if self.values.len() > self.keep + spare {
                self.values.drain(..spare);
                self.first += spare as u64;
            }
        }
        Ok(())
    }

    fn decide(&self, n: u64, marks: &mut Marks) -> Result<u32, Refusal> {
        let (game, first) = (self.game, self.first);
        let at = |heap: u64| match heap.checked_sub(first) {
            Some(i) => self.values[i as usize],
            None => self.prefix[heap as usize],
        };
        marks.clear();
        game.mark_takes(n, &at, marks);
        game.mark_rare(n, &game.rare, &at, marks);
        let candidate = game.candidate(n, marks);
        let deepest = if n >= game.start { game.depth } else { game.early_depth };
        let mut wanted = 0;
        let mut a = 1;
        loop {
            // What has a witness keeps it: the next value to look for only grows.
            while wanted < candidate && (game.is_common(n, wanted) || marks.has(wanted)) {
                wanted += 1;
            }
            if wanted == candidate {
                return Ok(candidate);
            }
            require(a <= deepest, || format!("heap {n} has no witness for {wanted} within depth {deepest}"))?;
            let next = (a + 8).min(deepest + 1);
            game.mark_pairs(n, a, next, &at, marks);
            a = next;
        }
    }

    /// The last `count` values, or as many as there are.
    pub(super) fn last(&self, count: usize) -> &[u32] {
        &self.values[self.values.len().saturating_sub(count)..]
    }
}
