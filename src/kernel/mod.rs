//! Kernels: sets of nim-values, their mex, and the loops that mark sums in them.
//!
//! [`words`] is what the engines use for single heaps; [`reference`] says the same on `bitvec`, and a benchmark
//! holds the two side by side. The block kernels exist in the variants of [`variants`], one for each kind of CPU;
//! they all compute the same.
#![allow(unsafe_code)]

mod avx512;
mod portable;
pub mod reference;
mod simd;
pub mod small;
pub mod words;

pub use simd::{Lanes, Word};
pub use words::WordSet;

use simd::Simd;
use small::{BLOCK, LANES, Small};

/// The block kernels for one kind of CPU.
///
/// A kernel can only be had from [`variants`] and [`best`], which give out those that this CPU can run: that is
/// why calling them is safe.
pub struct Kernel {
    name: &'static str,
    available: fn() -> bool,
    small32: Blocks<u32>,
    small64: Blocks<u64>,
    equal: unsafe fn(&[u8; LANES], u8) -> u64,
    at_least: unsafe fn(&[u8; LANES], u8) -> u64,
    cover: unsafe fn(&[u64], usize, &[i32], &mut Lanes) -> usize,
    cover_whole_bytes: unsafe fn(&[u64], usize, &[i32], &mut Lanes) -> usize,
    look_up: unsafe fn(&[u8; LANES], &[u8; 64]) -> [u8; LANES],
}

#[derive(Clone, Copy)]
struct Blocks<W> {
    warm: unsafe fn(&mut Small<W>, &[u8], usize),
    block: unsafe fn(&mut Small<W>, &mut [u8], usize),
}

/// Stamps out one variant: every algorithm compiled with the features of the CPU.
macro_rules! variant {
    ($name:literal, $simd:ty, $available:expr, $(#[$feature:meta])?) => {{
        $(#[$feature])?
        unsafe fn warm<W: Word>(small: &mut Small<W>, c: &[u8], at: usize) {
            // SAFETY: the caller has seen to it that the CPU has the features.
            unsafe { small.warm::<$simd>(c, at) }
        }
        $(#[$feature])?
        unsafe fn block<W: Word>(small: &mut Small<W>, c: &mut [u8], at: usize) {
            // SAFETY: as above.
            unsafe { small.block::<$simd>(c, at) }
        }
        Kernel {
            name: $name,
            available: $available,
            small32: Blocks { warm: warm::<u32>, block: block::<u32> },
            small64: Blocks { warm: warm::<u64>, block: block::<u64> },
            equal: <$simd>::equal,
            at_least: <$simd>::at_least,
            cover: <$simd>::cover,
            cover_whole_bytes: <$simd>::cover_whole_bytes,
            look_up: <$simd>::look_up,
        }
    }};
}

/// All variants, the fastest first.
static VARIANTS: [Kernel; 2] = [
    variant!(
        "avx512",
        avx512::Avx512,
        || is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2"),
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2")]
    ),
    variant!("portable", portable::Portable, || true,),
];

/// The variants that this CPU can run, the fastest first; `portable` is always the last of them.
pub fn variants() -> impl Iterator<Item = &'static Kernel> {
    VARIANTS.iter().filter(|kernel| (kernel.available)())
}

/// The names of the variants that this CPU cannot run.
pub fn unavailable() -> impl Iterator<Item = &'static str> {
    VARIANTS.iter().filter(|kernel| !(kernel.available)()).map(|kernel| kernel.name)
}

/// The fastest variant for this CPU.
pub fn best() -> &'static Kernel {
    variants().next().expect("the portable variant runs everywhere")
}

/// A word type that the small kernel exists for.
pub trait SmallWord: Word {
    #[doc(hidden)]
    fn warm(kernel: &Kernel) -> unsafe fn(&mut Small<Self>, &[u8], usize);
    #[doc(hidden)]
    fn block(kernel: &Kernel) -> unsafe fn(&mut Small<Self>, &mut [u8], usize);
}

impl SmallWord for u32 {
    fn warm(kernel: &Kernel) -> unsafe fn(&mut Small<u32>, &[u8], usize) {
        kernel.small32.warm
    }
    fn block(kernel: &Kernel) -> unsafe fn(&mut Small<u32>, &mut [u8], usize) {
        kernel.small32.block
    }
}

impl SmallWord for u64 {
    fn warm(kernel: &Kernel) -> unsafe fn(&mut Small<u64>, &[u8], usize) {
        kernel.small64.warm
    }
    fn block(kernel: &Kernel) -> unsafe fn(&mut Small<u64>, &mut [u8], usize) {
        kernel.small64.block
    }
}

impl Kernel {
    /// `avx512`, `avx2` or `portable`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Fills what `small` keeps of the heaps before `at`, from their values.
    pub fn warm<W: SmallWord>(&self, small: &mut Small<W>, c: &[u8], at: usize) {
        // SAFETY: the CPU has the features, or this kernel would not have been given out.
        unsafe { W::warm(self)(small, c, at) }
    }

    /// Decides the candidates of `BLOCK` heaps from `at` on.
    pub fn small_block<W: SmallWord>(&self, small: &mut Small<W>, c: &mut [u8], at: usize) {
        // SAFETY: as above.
        unsafe { W::block(self)(small, c, at) }
    }

    /// The lanes whose byte is `value`.
    pub fn equal(&self, lanes: &[u8; LANES], value: u8) -> u64 {
        // SAFETY: as above.
        unsafe { (self.equal)(lanes, value) }
    }

    /// The lanes of a block whose byte is at least `value`.
    pub fn at_least(&self, block: &[u8; BLOCK], value: u8) -> Lanes {
        let (groups, _) = block.as_chunks::<LANES>();
        // SAFETY: as above.
        std::array::from_fn(|k| unsafe { (self.at_least)(&groups[k], value) })
    }

    /// Takes the heaps of a block away from `missing` that some row has, until none is left, and says how many rows
    /// it took. A row is the block's worth of bits from bit `at + offset` of `rows` on.
    pub fn cover(&self, rows: &[u64], at: usize, offsets: &[i32], missing: &mut Lanes) -> usize {
        check_rows(rows, at, offsets);
        // SAFETY: as above, and the rows are there.
        unsafe { (self.cover)(rows, at, offsets, missing) }
    }

    /// The same where `at` and all offsets are multiples of 8, and faster.
    pub fn cover_whole_bytes(&self, rows: &[u64], at: usize, offsets: &[i32], missing: &mut Lanes) -> usize {
        check_rows(rows, at, offsets);
        // SAFETY: as above, and the rows are there.
        unsafe { (self.cover_whole_bytes)(rows, at, offsets, missing) }
    }

    /// `table[c]` for every lane, modulo 64.
    pub fn look_up(&self, lanes: &[u8; LANES], table: &[u8; 64]) -> [u8; LANES] {
        // SAFETY: as above.
        unsafe { (self.look_up)(lanes, table) }
    }
}

/// The kernels do not check each row.
fn check_rows(rows: &[u64], at: usize, offsets: &[i32]) {
    let start = |offset: i32| at as i64 + i64::from(offset);
    let (first, last) = (offsets.iter().copied().min(), offsets.iter().copied().max());
    let room = (rows.len() * 64) as i64;
    assert!(first.is_none_or(|o| start(o) >= 0), "a row before the rows");
    assert!(last.is_none_or(|o| start(o) + ((BLOCK + 64) as i64) <= room), "a row beyond the rows");
}
