//! Games whose splits leave two heaps, finitely many of them: only sums of a *rare* and a *common* heap are
//! needed to find the candidate for a heap's value, and one *witness* for each smaller value that it skips.
//!
//! A mask `m` sorts the heaps: heap `n` is rare if `popcount(g(n) & m)` is even, common if it is odd. For games
//! of the *domain* type, whose splitting digits all have indices of one parity `t`, the parity of `n + t` may be
//! added to it. The class of a sum `a + b` is that of the xor of the two; so values of the common class for heap
//! `n` arise from rare x common pairs and from taking moves alone. The least common-class value `c` that does not
//! arise is the value of heap `n`, unless a rare-class value below `c` does not arise either. Those are decided
//! exactly, by looking for a pair that gives each: its *witness*.
//!
//! This is the sparse-space phenomenon of E. Berlekamp, J. Conway and R. Guy, *Winning Ways*, chapter 4, used as
//! in A. Gangolli and T. Plambeck, *A note on periodicity in some octal games* (1989), and A. Flammenkamp's runs;
//! the order of the witness search and the proof obligations are described in [`crate::period`].

mod decide;
mod depth;
mod mask;
mod rule;
mod space;

pub use depth::DepthLog;
pub use mask::{Mask, choose as choose_mask};
pub use rule::Rule;
pub use space::RareSpace;

use crate::Rules;
use crate::rules::{LEAVE_ONE, LEAVE_TWO, Split, TAKE_ALL};
use crate::values::{Cell, Width};

use super::{Engine, EngineError, History};
use decide::Decider;

/// What the sparse rule needs to know of a game, looked up once.
#[derive(Clone, Debug)]
pub struct Shape {
    rules: Rules,
    /// The numbers of tokens that may be taken from a larger heap, leaving one heap.
    takes: Vec<u64>,
    /// The numbers of tokens that may be taken leaving two heaps.
    splits: Vec<u64>,
}

impl Shape {
    /// The shape of a game that the sparse rule covers.
    pub fn of(rules: &Rules) -> Option<Shape> {
        let with = |bit| (0..rules.prefix().len() as u64).filter(|&i| rules.digit(i) & bit != 0).collect::<Vec<_>>();
        let covered = rules.max_parts() == 2 && rules.tail().iter().all(|&d| d & !TAKE_ALL == 0);
        covered.then(|| Shape { rules: rules.clone(), takes: with(LEAVE_ONE), splits: with(LEAVE_TWO) })
    }

    /// The parity of the indices of all splitting digits, if they have one parity: the game can be of domain type.
    pub fn parity(&self) -> Option<u64> {
        let t = self.splits[0] % 2;
        self.splits.iter().all(|i| i % 2 == t).then_some(t)
    }

    /// How many digits split.
    pub fn splits(&self) -> usize {
        self.splits.len()
    }

    /// The largest number of tokens that a move takes and leaves something.
    fn reach(&self) -> u64 {
        self.takes.iter().chain(&self.splits).copied().max().unwrap_or(0)
    }

    /// Whether every pair of non-empty heaps of a total of 3 or more may be left.
    fn splits_freely(&self) -> bool {
        self.rules.split() != Split::Unequal
    }
}

/// The sparse engine.
pub struct Sparse {
    shape: Shape,
    history: History,
    space: RareSpace,
    /// How many values are kept at either end, for messages.
    window: usize,
}

impl Sparse {
    /// Goes on from `history` with the rare positions of `space`, which must be those of all of the history.
    pub fn new(shape: Shape, history: History, space: RareSpace) -> Sparse {
        let window = history.window().unwrap_or(usize::MAX);
        Sparse { shape, history, space, window }
    }

    /// Decides heaps until `to`, or until a value does not fit `T` or `W` words of marks.
    fn run<T: Cell, const W: usize>(&mut self, to: u64) -> Result<(), EngineError> {
        let mut decider = Decider::<W>::new(&self.shape, &self.space);
        while self.history.len() < to {
            let n = self.history.len();
            let view = self.history.view::<T>().expect("the caller looked the width up");
            let decided =
                decider.decide(n, &view, &self.space).ok_or(EngineError::Window { heap: n, window: self.window })?;
            self.space.record(n, decided.value, decided.depth);
            self.history.push(decided.value);
            if Width::of(decided.value) > T::WIDTH || decided.value as usize >= W * 64 {
                break;
            }
        }
        Ok(())
    }

    fn run_typed<T: Cell>(&mut self, to: u64) -> Result<(), EngineError> {
        // One bit for every value that a sum of known values can have.
        match (self.space.max_value() + 1).next_power_of_two() {
            0..=64 => self.run::<T, 1>(to),
            128 => self.run::<T, 2>(to),
            256 => self.run::<T, 4>(to),
            512 => self.run::<T, 8>(to),
            1024 => self.run::<T, 16>(to),
            2048 => self.run::<T, 32>(to),
            4096 => self.run::<T, 64>(to),
            8192 => self.run::<T, 128>(to),
            _ => self.run::<T, 1024>(to),
        }
    }
}

impl Engine for Sparse {
    fn name(&self) -> &'static str {
        "sparse"
    }

    fn kernel(&self) -> &'static str {
        "words"
    }

    fn history(&self) -> &History {
        &self.history
    }

    fn take_history(&mut self) -> History {
        std::mem::take(&mut self.history)
    }

    fn extend(&mut self, to: u64) -> Result<(), EngineError> {
        while self.history.len() < to {
            let before = self.history.len();
            if self.space.max_value() >= 1 << 16 {
                return Err(EngineError::Value { heap: before });
            }
            match self.history.recent().width() {
                Width::U8 => self.run_typed::<u8>(to)?,
                Width::U16 => self.run_typed::<u16>(to)?,
                Width::U32 => self.run_typed::<u32>(to)?,
            }
            self.history.trim();
        }
        Ok(())
    }

    fn rare(&self) -> Option<&RareSpace> {
        Some(&self.space)
    }
}
