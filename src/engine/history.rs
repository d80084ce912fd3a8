//! The values that an engine may still look at.

use crate::values::{Cell, Slice, Values};

/// The nim-values of heaps 0 to `len - 1`, or, in bounded memory, a prefix and the most recent of them.
///
/// In bounded memory (`window` values) the first `window` values and the last `window` to `2 * window` values
/// are kept. Until `2 * window` values are known nothing has been dropped.
#[derive(Clone, Debug, Default)]
pub struct History {
    prefix: Values,
    recent: Values,
    /// The heap of `recent`'s first value.
    base: u64,
    window: Option<usize>,
}

/// A history in the type that it is stored in, for inner loops.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, T> {
    prefix: &'a [T],
    /// The recent values.
    pub recent: &'a [T],
    /// The heap of the first recent value.
    pub base: u64,
}

impl<'a, T: Cell> View<'a, T> {
    /// A view of the values of all heaps from 0 on.
    pub fn whole(values: &'a [T]) -> View<'a, T> {
        View { prefix: &[], recent: values, base: 0 }
    }

    /// The value of heap `n`, if it is kept.
    pub fn get(&self, n: u64) -> Option<u32> {
        match n.checked_sub(self.base) {
            Some(i) => self.recent.get(i as usize),
            None => self.prefix.get(n as usize),
        }
        .map(|v| v.value())
    }
}

impl History {
    /// An empty history. `window`: how many values to keep at either end; `None` keeps all.
    pub fn new(window: Option<usize>) -> History {
        History { prefix: Values::new(), recent: Values::new(), base: 0, window }
    }

    /// A history that goes on from what [`History::parts`] gave.
    pub fn from_parts(mut prefix: Values, mut recent: Values, base: u64, window: Option<usize>) -> History {
        // Both ends in one width, so that `view` can give both.
        if !prefix.is_empty() {
            prefix.widen_to(recent.width());
            recent.widen_to(prefix.width());
        }
        History { prefix, recent, base, window }
    }

    /// The history of heaps from 0 on that have these values: of what a window drops nothing is copied.
    pub fn of(values: Slice<'_>, window: Option<usize>) -> History {
        let len = values.len();
        let copy = |range| {
            let mut copy = Values::new();
            copy.extend(values.range(range));
            copy
        };
        match window {
            Some(window) if len >= 2 * window.max(1) => {
                let (prefix, recent) = (copy(0..window), copy(len - window..len));
                History::from_parts(prefix, recent, (len - window) as u64, Some(window))
            }
            _ => History::from_parts(Values::new(), copy(0..len), 0, window),
        }
    }

    /// The kept prefix (empty while nothing has been dropped), the recent values and the heap of the first of these.
    pub fn parts(&self) -> (&Values, &Values, u64) {
        (&self.prefix, &self.recent, self.base)
    }

    /// How many heaps have been decided: the next one is heap `len`.
    pub fn len(&self) -> u64 {
        self.base + self.recent.len() as u64
    }

    /// Whether no heap has been decided yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first heap of the contiguous run of values that ends with the last decided heap.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// The values of heaps `base()` to `len() - 1`.
    pub fn recent(&self) -> Slice<'_> {
        self.recent.as_slice()
    }

    /// The values of all heaps from 0 that are kept without a gap.
    pub fn from_zero(&self) -> Slice<'_> {
        if self.base == 0 { self.recent.as_slice() } else { self.prefix.as_slice() }
    }

    /// The values of heaps `from` to `to - 1`.
    ///
    /// # Panics
    /// If these are not among the recent values.
    pub fn range(&self, from: u64, to: u64) -> Slice<'_> {
        self.recent().range((from - self.base) as usize..(to - self.base) as usize)
    }

    /// The value of heap `n`, if it is kept.
    pub fn get(&self, n: u64) -> Option<u32> {
        if n >= self.base {
            let i = (n - self.base) as usize;
            (i < self.recent.len()).then(|| self.recent.get(i))
        } else {
            ((n as usize) < self.prefix.len()).then(|| self.prefix.get(n as usize))
        }
    }

    /// Adds the value of heap `len`.
    pub fn push(&mut self, value: u32) {
        self.recent.push(value);
        // Both ends in one width, so that `view` can give both.
        if self.recent.width() > self.prefix.width() && !self.prefix.is_empty() {
            self.prefix.widen_to(self.recent.width());
        }
    }

    /// Adds the values of the next heaps.
    pub fn extend(&mut self, values: Slice<'_>) {
        self.recent.extend(values);
        if self.recent.width() > self.prefix.width() && !self.prefix.is_empty() {
            self.prefix.widen_for(values.max().unwrap_or(0));
        }
    }

    /// How many values are kept at either end; `None` for all.
    pub fn window(&self) -> Option<usize> {
        self.window
    }

    /// What is kept, if it is stored in the type `T`.
    pub fn view<T: Cell>(&self) -> Option<View<'_, T>> {
        let prefix = if self.prefix.is_empty() { &[] } else { T::typed(self.prefix.as_slice())? };
        Some(View { prefix, recent: T::typed(self.recent())?, base: self.base })
    }

    /// Drops what the window no longer holds. Engines call this between blocks, never within one.
    pub fn trim(&mut self) {
        let Some(window) = self.window else { return };
        if self.recent.len() < 2 * window.max(1) {
            return;
        }
        if self.base == 0 {
            // A copy of these alone: one of all, cut short, would go on to take the memory of all.
            self.prefix.extend(self.recent.as_slice().range(0..window));
            self.prefix.widen_to(self.recent.width());
        }
        let surplus = self.recent.len() - window;
        self.recent.drop_front(surplus);
        self.base += surplus as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Runs of values of any size: both ends are there, and in one width, so that there is a view of them.
        #[test]
        fn runs_of_values_that_outgrow_the_width(
            runs in prop::collection::vec((prop::collection::vec(0u32..256, 1..40), prop::option::of(0u32..70_000)), 1..30),
            window in 1usize..50,
        ) {
            let mut history = History::new(Some(window));
            let mut all = Vec::new();
            for (mut run, large) in runs {
                run.extend(large);
                let values: Values = run.iter().copied().collect();
                history.extend(values.as_slice());
                history.trim();
                all.extend(run);
            }
            prop_assert!(history.recent().iter().eq(all[history.base() as usize..].iter().copied()));
            let kept = |n: u64| match history.recent.width() {
                crate::Width::U8 => history.view::<u8>().expect("one width").get(n),
                crate::Width::U16 => history.view::<u16>().expect("one width").get(n),
                crate::Width::U32 => history.view::<u32>().expect("one width").get(n),
            };
            for n in 0..all.len().min(window) {
                let recent = all.len() - 1 - n;
                prop_assert_eq!([kept(n as u64), kept(recent as u64)], [Some(all[n]), Some(all[recent])]);
            }
        }
    }

    #[test]
    fn a_window_keeps_both_ends() {
        let mut history = History::new(Some(10));
        for n in 0..1000u32 {
            history.push(n);
            history.trim();
            assert_eq!(history.len(), u64::from(n) + 1);
            for back in 0..10.min(n) {
                assert_eq!(history.get(u64::from(n - back)), Some(n - back));
            }
            for early in 0..10.min(n) {
                assert_eq!(history.get(u64::from(early)), Some(early));
            }
        }
        assert_eq!(history.get(500), None);
        assert_eq!(history.get(1000), None);
        assert!(history.recent().len() < 20);
    }

    /// What is read back is what was kept all the time.
    #[test]
    fn a_history_of_known_values() {
        for len in [0, 1, 19, 20, 1000] {
            let values: Values = (0..len).collect();
            for window in [None, Some(10), Some(0)] {
                let mut grown = History::new(window);
                grown.extend(values.as_slice());
                grown.trim();
                let of = History::of(values.as_slice(), window);
                let parts = |history: &History| {
                    let (prefix, recent, base) = history.parts();
                    let all = |values: &Values| values.as_slice().iter().collect::<Vec<_>>();
                    (all(prefix), all(recent), base, history.window())
                };
                assert_eq!(parts(&of), parts(&grown), "{len} values, window {window:?}");
            }
        }
    }

    #[test]
    fn an_unbounded_history_keeps_everything() {
        let mut history = History::new(None);
        (0..100u32).for_each(|n| history.push(n * n));
        history.trim();
        assert_eq!((history.base(), history.len()), (0, 100));
        assert_eq!(history.range(3, 5), Slice::U8(&[9, 16]));
    }
}
