//! How far work has come that threads share.

use std::sync::atomic::{AtomicU64, Ordering};

/// Is told how many heaps are done, and of how many; by any thread, and not always in order.
pub type Watch<'a> = &'a (dyn Fn(u64, u64) + Sync);

/// Adds up what threads have done, and tells whoever watches.
pub(crate) struct Work<'a> {
    watch: Watch<'a>,
    done: AtomicU64,
    of: u64,
}

impl<'a> Work<'a> {
    /// Work on `of` heaps.
    pub(crate) fn new(watch: Watch<'a>, of: u64) -> Work<'a> {
        Work { watch, done: AtomicU64::new(0), of }
    }

    /// So many heaps more are done.
    pub(crate) fn add(&self, heaps: u64) {
        let before = self.done.fetch_add(heaps, Ordering::Relaxed);
        (self.watch)(before + heaps, self.of);
    }
}
