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
mod fast;
mod growing;
mod mask;
mod rule;
mod space;
#[cfg(test)]
mod tests;

pub use depth::DepthLog;
pub use mask::{Mask, choose as choose_mask};
pub use rule::Rule;
pub use space::RareSpace;

use crate::Rules;
use crate::kernel::met::HEAPS;
use crate::kernel::sieve;
use crate::kernel::small::{BLOCK, LANES};
use crate::kernel::wide;
use crate::kernel::{self, Kernel};
use crate::rules::{LEAVE_ONE, LEAVE_TWO, Split, TAKE_ALL};
use crate::values::{Cell, Width};

use super::{Engine, EngineError, History};
use decide::Decider;
use fast::{Block, Fast, is_regular};
use growing::Growing;

/// After a block that a new rare heap or a large value has cut short, so many heaps are decided one by one, or a
/// sixteenth of those known: where one is, others may follow, and preparing for blocks takes time.
const RETRY: u64 = 1 << 16;

/// So many heaps are decided one by one before a faster way is thought of again.
const PLAIN: u64 = 1 << 10;

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
    kernel: &'static Kernel,
    /// Boxed: it is handed to and fro for every block.
    fast: Option<Box<Fast>>,
    growing: Option<Growing>,
    /// Whether only the plain rule is used.
    plain: bool,
    /// The heap from which on blocks are tried again.
    fast_from: u64,
    /// How deep witnesses for blocks are looked for.
    depth: u64,
    /// Whether any block has been decided at once.
    in_blocks: bool,
}

impl Sparse {
    /// Goes on from `history` with the rare positions of `space`, which must be those of all of the history.
    pub fn new(shape: Shape, history: History, space: RareSpace) -> Sparse {
        let window = history.window().unwrap_or(usize::MAX);
        let fast_from = history.len();
        let kernel = kernel::best();
        Sparse {
            shape,
            history,
            space,
            window,
            kernel,
            fast: None,
            growing: None,
            plain: false,
            fast_from,
            depth: 0,
            in_blocks: false,
        }
    }

    /// The same with another kernel than the fastest.
    pub fn with_kernel(mut self, kernel: &'static Kernel) -> Sparse {
        self.kernel = kernel;
        self
    }

    /// The same heap by heap: the reference for blocks, many times slower.
    pub fn heap_by_heap(mut self) -> Sparse {
        self.fast_from = u64::MAX;
        self.plain = true;
        self
    }

    /// Decides the next blocks of heaps below `to` at once, if that is possible.
    fn run_blocks(&mut self, to: u64) -> Result<bool, EngineError> {
        let n = self.history.len();
        let end = n + BLOCK as u64;
        if n < self.fast_from || end > to || !n.is_multiple_of(LANES as u64) || self.space.max_value() >= 2 * wide::MOST
        {
            return Ok(false);
        }
        if !is_regular(&self.shape, &self.space, n..end) {
            self.fast_from = end;
            return Ok(false);
        }
        if !self.fast.as_mut().is_some_and(|fast| fast.catch_up(&self.shape, &self.history, &self.space)) {
            let depth = self.fast.take().map(|fast| fast.next_depth(&self.shape, &self.history));
            self.depth = depth.unwrap_or(self.depth);
            self.fast = Fast::new(self.kernel, &self.shape, &self.history, &self.space, self.depth).map(Box::new);
        }
        let Some(mut fast) = self.fast.take() else {
            self.fast_from = n + RETRY.min(n / 16);
            return Ok(false);
        };
        self.growing = None;
        let count = fast.blocks_ahead().min((to - n) as usize / BLOCK);
        let regular = is_regular(&self.shape, &self.space, n..n + (count * BLOCK) as u64);
        let blocks = fast.advance_by(if regular { count } else { 1 });
        self.in_blocks = true;
        let rares = self.space.positions().len();
        for (i, block) in blocks.iter().enumerate() {
            if self.settle(block)? {
                continue;
            }
            if self.space.positions().len() == rares {
                self.fast = fast.cut(blocks.len() - i);
            } else {
                self.fast_from = self.history.len() + RETRY.min(n / 16);
            }
            return Ok(true);
        }
        self.fast = Some(fast);
        Ok(true)
    }

    /// Takes over the values of a block, deciding by the plain rule those that are not proven. False if that gave
    /// another value: then the rest of the block is void.
    fn settle(&mut self, block: &Block) -> Result<bool, EngineError> {
        let mut done = 0;
        for lane in fast::lanes(&block.unproven).filter(|&lane| lane < block.len).chain([block.len]) {
            if done < lane {
                let values = block.values.as_slice().range(done..lane);
                self.history.extend(values);
                let max = if values.len() == BLOCK { block.values.max() } else { values.max().unwrap_or(0) };
                self.space.record_common(self.history.len() - 1, max, block.depth);
            }
            if lane == BLOCK {
                break;
            }
            self.extend_plainly(self.history.len() + 1)?;
            let decided = self.history.get(self.history.len() - 1);
            if lane == block.len || decided != Some(block.values.as_slice().get(lane)) {
                return Ok(false);
            }
            done = lane + 1;
        }
        Ok(true)
    }

    /// Decides the next heaps below `to` where no block can be decided at once but there are many rare heaps: as far as the
    /// next heap where a block may begin, or from such a heap on.
    fn run_growing(&mut self, to: u64) -> Result<bool, EngineError> {
        let n = self.history.len();
        if self.plain || !Growing::suits(&self.shape, &self.history, &self.space) {
            return Ok(false);
        }
        let mut growing = self.growing.take().unwrap_or_else(|| Growing::new(self.kernel, &self.space));
        growing.catch_up(&self.shape, &self.history, &self.space);
        self.in_blocks = true;
        let aligned = n.next_multiple_of(LANES as u64);
        let end = if n < aligned { aligned } else { n + (growing.groups() * HEAPS) as u64 }.min(to);
        // One heap by the plain rule can take as long as all that is needed for a whole group.
        let groups = (end - n).div_ceil(HEAPS as u64);
        for mut far in growing.far(&self.shape, groups as usize).into_iter().take((end - n) as usize) {
            let n = self.history.len();
            match growing.decide(&self.shape, &mut far) {
                Some(decided) => {
                    self.space.record(n, decided.value, decided.depth);
                    self.history.push(decided.value);
                }
                None => self.extend_plainly(n + 1)?,
            }
            if self.space.max_value() >= sieve::MOST {
                // The kernels would take its sums for others.
                return Ok(true);
            }
            growing.push(self.history.recent().get(n as usize));
        }
        self.growing = Some(growing);
        Ok(true)
    }

    /// Decides heaps until `to` one by one.
    fn extend_plainly(&mut self, to: u64) -> Result<(), EngineError> {
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
        }
        Ok(())
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
        if self.in_blocks { self.kernel.name() } else { "words" }
    }

    fn history(&self) -> &History {
        &self.history
    }

    fn take_history(&mut self) -> History {
        std::mem::take(&mut self.history)
    }

    fn extend(&mut self, to: u64) -> Result<(), EngineError> {
        while self.history.len() < to {
            if !self.run_blocks(to)? && !self.run_growing(to)? {
                let next = (self.history.len() + 1).next_multiple_of(LANES as u64);
                self.extend_plainly(to.min(next.max(self.fast_from.min(next + PLAIN))))?;
            }
            self.history.trim();
        }
        Ok(())
    }

    fn rare(&self) -> Option<&RareSpace> {
        Some(&self.space)
    }
}
