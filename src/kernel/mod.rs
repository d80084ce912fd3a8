//! Kernels: sets of nim-values, their mex, and the loops that mark sums in them.
//!
//! [`words`] is what the engines use for single heaps; [`mod@reference`] says the same on `bitvec`, and a benchmark
//! holds the two side by side. The block kernels exist in the variants of [`variants`], one for each kind of CPU;
//! they all compute the same.
#![allow(unsafe_code)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod count;
pub mod grouped;
pub mod marked;
pub mod met;
mod portable;
pub mod reference;
pub mod sieve;
mod simd;
pub mod small;
pub mod wide;
pub mod witness;
pub mod words;

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::OnceLock;

use thiserror::Error;

pub use simd::Word;
pub use words::WordSet;

use count::COUNTED;
use grouped::Grouped;
use marked::Marked;
use met::{HEAPS, Lanes as Runners, ManySums, SLOTS, Sum, Sums};
use sieve::{MOST, Open, OpenWords, Pairs};
use simd::Simd;
use small::{BLOCK, Small};
use wide::Wide;
use witness::{Lanes, Parts, Search};

/// The block kernels for one kind of CPU.
///
/// A kernel can only be had from [`variants`] and [`best`], which give out those that this CPU can run: that is
/// why calling them is safe.
pub struct Kernel {
    name: &'static str,
    available: fn() -> bool,
    small32: Blocks<u32>,
    small64: Blocks<u64>,
    grouped: Option<unsafe fn(&mut Grouped, &mut [u8], usize)>,
    above: unsafe fn(&[u8; BLOCK], [u32; 2]) -> Lanes,
    write_rows: unsafe fn(&[u8], &[u8], &mut [u64], usize),
    unproven: unsafe fn(&Search<'_>) -> (Lanes, u32),
    wide: unsafe fn(&Wide, &mut [u8], usize) -> usize,
    unmarked: unsafe fn(&Marked, &Parts, &[u8], usize) -> (Lanes, u32),
    count: unsafe fn(&[u8], &mut [u64]),
    look_up: unsafe fn(&[u8; BLOCK], &[u8; 64], u8) -> [u8; BLOCK],
    cross_off: unsafe fn(&[Pairs<'_>], &mut [Open]),
    leave_others: unsafe fn(&[u16], &[u16], &mut Vec<u16>),
    open_words: unsafe fn(&Open) -> [u64; MOST as usize / 64],
    many_sums: ManySums,
    cross_off_sums: unsafe fn(&[u16], usize, &[Sum], &mut [Open]),
    met: Met,
}

type Met = unsafe fn(&[u16], usize, &[Sum], &[Sum], &Runners) -> [u32; SLOTS];

#[derive(Clone, Copy)]
struct Blocks<W> {
    warm: unsafe fn(&mut Small<W>, &[u8], usize),
    block: unsafe fn(&mut Small<W>, &mut [u8], usize),
}

/// Stamps out one variant: every algorithm compiled with the features of the CPU.
macro_rules! variant {
    ($name:literal, $simd:ty, $grouped:expr, $available:expr, $(#[$feature:meta])?) => {{
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
        $(#[$feature])?
        unsafe fn above(block: &[u8; BLOCK], first: [u32; 2]) -> Lanes {
            // SAFETY: as above.
            unsafe { witness::above::<$simd>(block, first) }
        }
        $(#[$feature])?
        unsafe fn write_rows(heaps: &[u8], values: &[u8], words: &mut [u64], stride: usize) {
            // SAFETY: as above.
            unsafe { witness::write_rows::<$simd>(heaps, values, words, stride) }
        }
        $(#[$feature])?
        unsafe fn unproven(search: &Search<'_>) -> (Lanes, u32) {
            // SAFETY: as above.
            unsafe { search.unproven::<$simd>() }
        }
        $(#[$feature])?
        unsafe fn count(values: &[u8], counts: &mut [u64]) {
            // SAFETY: as above.
            unsafe { <$simd>::count(values, counts) }
        }
        $(#[$feature])?
        unsafe fn look_up(block: &[u8; BLOCK], table: &[u8; 64], odd: u8) -> [u8; BLOCK] {
            let mut out = [0; BLOCK];
            for (out, lanes) in out.as_chunks_mut().0.iter_mut().zip(block.as_chunks().0) {
                // SAFETY: as above.
                *out = unsafe { <$simd>::look_up(lanes, table, odd) };
            }
            out
        }
        $(#[$feature])?
        unsafe fn wide(wide: &Wide, c: &mut [u8], at: usize) -> usize {
            // SAFETY: as above.
            unsafe { wide.block::<$simd>(c, at) }
        }
        $(#[$feature])?
        unsafe fn unmarked(marked: &Marked, parts: &Parts, heaps: &[u8], least: usize) -> (Lanes, u32) {
            // SAFETY: as above.
            unsafe { marked.unproven::<$simd>(parts, heaps, least) }
        }
        $(#[$feature])?
        unsafe fn cross_off(stretches: &[Pairs<'_>], opens: &mut [Open]) {
            // SAFETY: as above.
            unsafe { <$simd>::cross_off(stretches, opens) }
        }
        $(#[$feature])?
        unsafe fn leave_others(smaller: &[u16], larger: &[u16], values: &mut Vec<u16>) {
            // SAFETY: as above.
            unsafe { sieve::leave_others::<$simd>(smaller, larger, values) }
        }
        $(#[$feature])?
        unsafe fn open_words(open: &Open) -> [u64; MOST as usize / 64] {
            // SAFETY: as above.
            unsafe { <$simd>::open_words(open) }
        }
        $(#[$feature])?
        unsafe fn cross_off_sums(values: &[u16], at: usize, sums: &[Sum], opens: &mut [Open]) {
            // SAFETY: as above.
            unsafe { <$simd>::cross_off_sums(values, at, sums, opens) }
        }
        $(#[$feature])?
        unsafe fn met(values: &[u16], at: usize, sums: &[Sum], soon: &[Sum], lanes: &Runners) -> [u32; SLOTS] {
            // SAFETY: as above.
            unsafe { <$simd>::met(values, at, sums, soon, lanes) }
        }
        Kernel {
            name: $name,
            available: $available,
            small32: Blocks { warm: warm::<u32>, block: block::<u32> },
            small64: Blocks { warm: warm::<u64>, block: block::<u64> },
            grouped: $grouped,
            above,
            write_rows,
            unproven,
            wide,
            unmarked,
            count,
            look_up,
            cross_off,
            leave_others,
            open_words,
            many_sums: <$simd>::MANY_SUMS,
            cross_off_sums,
            met,
        }
    }};
}

/// All variants, the fastest first.
static VARIANTS: &[Kernel] = &[
    #[cfg(target_arch = "x86_64")]
    variant!(
        "avx512",
        avx512::Avx512,
        Some(avx512::groups::block),
        || is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("gfni")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2"),
        #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,gfni,popcnt,bmi1,bmi2")]
    ),
    #[cfg(target_arch = "x86_64")]
    variant!(
        "avx2",
        avx2::Avx2,
        None,
        || is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2"),
        #[target_feature(enable = "avx2,bmi1,bmi2")]
    ),
    variant!("portable", portable::Portable, None, || true,),
];

/// The variants that this CPU can run, the fastest first; `portable` is always the last of them.
pub fn variants() -> impl Iterator<Item = &'static Kernel> {
    VARIANTS.iter().filter(|kernel| (kernel.available)())
}

/// The names of the variants that this CPU cannot run.
pub fn unavailable() -> impl Iterator<Item = &'static str> {
    VARIANTS.iter().filter(|kernel| !(kernel.available)()).map(|kernel| kernel.name)
}

/// The variant of that name, if this CPU can run it.
pub fn named(name: &str) -> Option<&'static Kernel> {
    variants().find(|kernel| kernel.name == name)
}

/// The variant that engines use unless they are told otherwise: the one of [`force`], or else the fastest.
pub fn best() -> &'static Kernel {
    FORCED.get().copied().unwrap_or_else(|| variants().next().expect("the portable variant runs everywhere"))
}

/// Makes the variant of that name the one that [`best`] gives, for the rest of the process. The first call counts.
///
/// # Errors
/// [`Unavailable`], if there is no such variant or this CPU cannot run it.
pub fn force(name: &str) -> Result<(), Unavailable> {
    let available = || variants().map(Kernel::name).collect::<Vec<_>>().join(", ");
    let kernel = named(name).ok_or_else(|| Unavailable { name: name.to_owned(), available: available() })?;
    FORCED.get_or_init(|| kernel);
    Ok(())
}

static FORCED: OnceLock<&'static Kernel> = OnceLock::new();

/// There is no such kernel on this CPU.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("this CPU has no kernel '{name}': the kernels it can run are {available}")]
pub struct Unavailable {
    name: String,
    available: String,
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

    /// Whether [`Kernel::grouped_block`] takes less time than [`Kernel::small_block`].
    pub fn has_groups(&self) -> bool {
        self.grouped.is_some()
    }

    /// What [`Kernel::small_block`] does, four heaps at a time.
    ///
    /// # Panics
    /// If this kernel [has no groups](Kernel::has_groups).
    pub fn grouped_block(&self, grouped: &mut Grouped, c: &mut [u8], at: usize) {
        let block = self.grouped.expect("a kernel that has groups");
        // SAFETY: as above.
        unsafe { block(grouped, c, at) }
    }

    /// The heaps of a block whose compressed value is at least `first`, for even and for odd heaps. `first` is
    /// at most 255.
    pub fn above(&self, block: &[u8; BLOCK], first: [u32; 2]) -> Lanes {
        // SAFETY: as above.
        unsafe { (self.above)(block, first) }
    }

    /// Writes, for each of `values`, the bits of the heaps that have it. Rows are `stride` words long; `words`
    /// begins with the first word to be written of the first row. The number of heaps is a multiple of `LANES`.
    pub fn write_rows(&self, heaps: &[u8], values: &[u8], words: &mut [u64], stride: usize) {
        // SAFETY: as above.
        unsafe { (self.write_rows)(heaps, values, words, stride) }
    }

    /// The heaps of a block for which no witness of a value below their candidate is found, and the depth of the
    /// witnesses of the others.
    pub fn unproven(&self, search: &Search<'_>) -> (Lanes, u32) {
        // SAFETY: as above.
        unsafe { (self.unproven)(search) }
    }

    /// Decides the candidates of `BLOCK` heaps from `at` on, and says how many of them there was room for.
    pub fn wide_block(&self, wide: &Wide, c: &mut [u8], at: usize) -> usize {
        // SAFETY: as above.
        unsafe { (self.wide)(wide, c, at) }
    }

    /// What [`Kernel::unproven`] says, by marked sums. `heaps`: compressed values, the last are those of the block;
    /// all from `least` on are common. Panics if there are fewer of these before the block than `marked` reaches.
    pub fn unmarked(&self, marked: &Marked, parts: &Parts, heaps: &[u8], least: usize) -> (Lanes, u32) {
        // SAFETY: as above.
        unsafe { (self.unmarked)(marked, parts, heaps, least) }
    }

    /// How often each value below `room` occurs among `values`, which are all below it.
    ///
    /// # Panics
    /// If a value is not below `room`, or `room` is above [`COUNTED`].
    pub fn count(&self, values: &[u8], room: usize) -> Vec<u64> {
        assert!(room <= COUNTED);
        let mut counts = vec![0; room];
        // SAFETY: as above.
        unsafe { (self.count)(values, &mut counts) };
        assert_eq!(counts.iter().sum::<u64>(), values.len() as u64, "all values have a count");
        counts
    }

    /// `table[c]` for every heap of a block, xored with `odd` for the odd ones. Values are below 64.
    pub fn look_up(&self, block: &[u8; BLOCK], table: &[u8; 64], odd: u8) -> [u8; BLOCK] {
        // SAFETY: as above.
        unsafe { (self.look_up)(block, table, odd) }
    }

    /// Takes the sums `smaller[k] ^ larger[k + l]` of each of the stretches `[smaller, larger]` out of `opens[l]`.
    ///
    /// # Panics
    /// If a `larger` has not `opens.len() - 1` values more than `smaller`, or the sets have not the same room. A sum that
    /// is not below the room is ignored if it is below [`MOST`], but taken for another if it is not.
    pub fn cross_off(&self, stretches: &[Pairs<'_>], opens: &mut [Open]) {
        assert!(stretches.iter().all(|[smaller, larger]| smaller.len() + opens.len() == larger.len() + 1));
        assert!(opens.iter().all(|open| open.room() == opens[0].room()));
        // SAFETY: the CPU has the features, or this kernel would not have been given out.
        unsafe { (self.cross_off)(stretches, opens) }
    }

    /// Leaves those of `values` that are none of the sums `smaller[k] ^ larger[k]`.
    ///
    /// # Panics
    /// If there are not as many of both.
    pub fn leave_others(&self, smaller: &[u16], larger: &[u16], values: &mut Vec<u16>) {
        assert_eq!(smaller.len(), larger.len());
        // SAFETY: the CPU has the features, or this kernel would not have been given out.
        unsafe { (self.leave_others)(smaller, larger, values) }
    }

    /// The open values in ascending order.
    pub fn open_words(&self, open: &Open) -> OpenWords {
        // SAFETY: as above.
        OpenWords { words: unsafe { (self.open_words)(open) }, room: open.room() }
    }

    /// What takes the least time for many sums with fixed heaps.
    pub fn many_sums(&self) -> ManySums {
        self.many_sums
    }

    /// Takes the sums out of `opens`, which are for the heaps from `at` on: a multiple of [`HEAPS`] of them.
    ///
    /// # Panics
    /// If a distance leads before the first value or not far enough back, there is another number of sets, or these have not
    /// the same room. Sums that are not below the room are as for [`Kernel::cross_off`].
    pub fn cross_off_sums(&self, values: &[u16], at: usize, sums: &Sums, opens: &mut [Open]) {
        assert!(opens.len().is_multiple_of(HEAPS) && sums.are_within(values, at, opens.len()));
        assert!(opens.iter().all(|open| open.room() == opens[0].room()));
        // SAFETY: as above, and the heaps are there.
        unsafe { (self.cross_off_sums)(values, at, sums.as_slice(), opens) }
    }

    /// The lanes whose candidate is one of the sums in `range`, for the heaps from `at` on. What as many sums after these
    /// need may be fetched meanwhile.
    ///
    /// # Panics
    /// If a distance leads before the first value or not far enough back, or `range` is not one of the sums.
    pub fn met(&self, values: &[u16], at: usize, sums: &Sums, range: Range<usize>, lanes: &Runners) -> [u32; SLOTS] {
        assert!(sums.are_within(values, at, HEAPS));
        let (now, soon) = sums.as_slice()[range.start..].split_at(range.len());
        // SAFETY: as above, and the heaps are there.
        unsafe { (self.met)(values, at, now, soon, lanes) }
    }
}
