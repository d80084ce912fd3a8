//! Sequences of nim-values, kept in the narrowest type that holds them.

use std::ops::Range;

/// The number of bytes that one stored value takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// Values below 2^8.
    U8,
    /// Values below 2^16.
    U16,
    /// Values below 2^32.
    U32,
}

impl Width {
    /// The narrowest width that holds `value`.
    pub fn of(value: u32) -> Width {
        match value {
            0..=0xff => Width::U8,
            0x100..=0xffff => Width::U16,
            _ => Width::U32,
        }
    }

    /// Bytes a value.
    pub fn bytes(self) -> usize {
        1 << self as usize
    }
}

/// An integer type that values are stored in.
pub trait Cell: Copy + Eq + Ord + Send + Sync + 'static + Into<u32> {
    /// The width of this type.
    const WIDTH: Width;

    /// The value in this type.
    ///
    /// # Panics
    /// If it does not fit: callers widen first.
    fn from_value(value: u32) -> Self;

    /// The value.
    fn value(self) -> u32 {
        self.into()
    }

    /// The values of a slice that is stored in this type.
    fn typed(slice: Slice<'_>) -> Option<&[Self]>;
}

macro_rules! cell {
    ($($type:ident $width:ident)*) => {$(
        impl Cell for $type {
            const WIDTH: Width = Width::$width;
            fn from_value(value: u32) -> Self {
                $type::try_from(value).expect("the value fits the width that was chosen for it")
            }
            fn typed(slice: Slice<'_>) -> Option<&[Self]> {
                match slice {
                    Slice::$width(values) => Some(values),
                    _ => None,
                }
            }
        }
    )*};
}
cell!(u8 U8 u16 U16 u32 U32);

/// Runs one expression on the typed vector or slice inside a [`Values`] or [`Slice`].
#[macro_export]
#[doc(hidden)]
macro_rules! for_width {
    ($enum:ident, $value:expr, $name:ident => $body:expr) => {
        match $value {
            $crate::values::$enum::U8($name) => $body,
            $crate::values::$enum::U16($name) => $body,
            $crate::values::$enum::U32($name) => $body,
        }
    };
}

/// A growable sequence of nim-values. Pushing a value that does not fit widens all of them.
#[derive(Clone, Debug)]
pub enum Values {
    /// Values below 2^8.
    U8(Vec<u8>),
    /// Values below 2^16.
    U16(Vec<u16>),
    /// Values below 2^32.
    U32(Vec<u32>),
}

/// A borrowed run of nim-values.
#[derive(Clone, Copy, Debug)]
pub enum Slice<'a> {
    /// Values below 2^8.
    U8(&'a [u8]),
    /// Values below 2^16.
    U16(&'a [u16]),
    /// Values below 2^32.
    U32(&'a [u32]),
}

impl Default for Values {
    fn default() -> Values {
        Values::U8(Vec::new())
    }
}

impl Values {
    /// An empty sequence.
    pub fn new() -> Values {
        Values::default()
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        for_width!(Values, self, v => v.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The width in use.
    pub fn width(&self) -> Width {
        self.as_slice().width()
    }

    /// The value at `i`.
    pub fn get(&self, i: usize) -> u32 {
        self.as_slice().get(i)
    }

    /// All values.
    pub fn as_slice(&self) -> Slice<'_> {
        match self {
            Values::U8(v) => Slice::U8(v),
            Values::U16(v) => Slice::U16(v),
            Values::U32(v) => Slice::U32(v),
        }
    }

    /// Makes room for values up to `value`.
    pub fn widen_for(&mut self, value: u32) {
        self.widen_to(Width::of(value));
    }

    /// Makes the width at least `wanted`.
    pub fn widen_to(&mut self, wanted: Width) {
        if wanted > self.width() {
            *self = match wanted {
                Width::U8 => unreachable!("nothing is narrower than a byte"),
                Width::U16 => Values::U16(self.as_slice().iter().map(u16::from_value).collect()),
                Width::U32 => Values::U32(self.as_slice().iter().collect()),
            };
        }
    }

    /// Appends a value, widening if need be.
    pub fn push(&mut self, value: u32) {
        self.widen_for(value);
        for_width!(Values, self, v => v.push(Cell::from_value(value)));
    }

    /// Appends values, widening if need be.
    pub fn extend(&mut self, values: Slice<'_>) {
        self.widen_for(values.max().unwrap_or(0));
        match (self, values) {
            (Values::U8(v), Slice::U8(s)) => v.extend_from_slice(s),
            (Values::U16(v), Slice::U16(s)) => v.extend_from_slice(s),
            (Values::U32(v), Slice::U32(s)) => v.extend_from_slice(s),
            (v, s) => for_width!(Values, v, v => s.iter().for_each(|value| v.push(Cell::from_value(value)))),
        }
    }

    /// Forgets the first `count` values.
    pub fn drop_front(&mut self, count: usize) {
        for_width!(Values, self, v => { v.drain(..count); });
    }

    /// Forgets all values from index `len` on.
    pub fn truncate(&mut self, len: usize) {
        for_width!(Values, self, v => v.truncate(len));
    }
}

impl FromIterator<u32> for Values {
    fn from_iter<I: IntoIterator<Item = u32>>(iter: I) -> Values {
        let mut values = Values::new();
        iter.into_iter().for_each(|v| values.push(v));
        values
    }
}

impl<'a> Slice<'a> {
    /// How many values there are.
    pub fn len(self) -> usize {
        for_width!(Slice, self, s => s.len())
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The width in use.
    pub fn width(self) -> Width {
        match self {
            Slice::U8(_) => Width::U8,
            Slice::U16(_) => Width::U16,
            Slice::U32(_) => Width::U32,
        }
    }

    /// The value at `i`.
    pub fn get(self, i: usize) -> u32 {
        for_width!(Slice, self, s => s[i].value())
    }

    /// The values in `range`.
    pub fn range(self, range: Range<usize>) -> Slice<'a> {
        match self {
            Slice::U8(s) => Slice::U8(&s[range]),
            Slice::U16(s) => Slice::U16(&s[range]),
            Slice::U32(s) => Slice::U32(&s[range]),
        }
    }

    /// The values one by one.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = u32> + ExactSizeIterator + 'a {
        (0..self.len()).map(move |i| self.get(i))
    }

    /// The largest value.
    pub fn max(self) -> Option<u32> {
        for_width!(Slice, self, s => s.iter().max().map(|v| v.value()))
    }
}

impl PartialEq for Slice<'_> {
    /// Equal values, whatever their widths.
    fn eq(&self, other: &Slice<'_>) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl PartialEq for Values {
    /// Equal values, whatever their widths.
    fn eq(&self, other: &Values) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Values {}
impl Eq for Slice<'_> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_outgrows_its_width_keeps_the_others() {
        let mut values = Values::new();
        for v in [0, 255, 256, 65535, 65536, u32::MAX, 1] {
            values.push(v);
        }
        assert_eq!(values.width(), Width::U32);
        assert!(values.as_slice().iter().eq([0, 255, 256, 65535, 65536, u32::MAX, 1]));
    }

    #[test]
    fn extending_widens_once_and_compares_across_widths() {
        let mut a: Values = [1, 2, 3].into_iter().collect();
        let b: Values = [300, 4].into_iter().collect();
        a.extend(b.as_slice());
        assert_eq!(a.width(), Width::U16);
        assert_eq!(a, [1, 2, 3, 300, 4].into_iter().collect());
        a.drop_front(3);
        assert_eq!(a, b);
        assert_eq!(a.as_slice().range(1..2), Slice::U8(&[4]));
    }
}
