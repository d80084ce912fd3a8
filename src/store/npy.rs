//! NumPy's file format, as far as nim-values need it: version 1.0, one dimension, unsigned little-endian integers.

use std::io::{self, Write};

use super::cast;
use crate::values::{Slice, Width};

/// The length of every header: enough for any number of values, so that it can be rewritten in place, and a multiple
/// of 64, as NumPy asks, so that the values are aligned.
pub const HEADER_LEN: usize = 128;

const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";

/// What a header tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The type of the values.
    pub width: Width,
    /// How many values follow.
    pub len: u64,
}

impl Header {
    /// The header's bytes.
    pub fn to_bytes(self) -> [u8; HEADER_LEN] {
        let dict = format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({},), }}", descr(self.width), self.len);
        let mut bytes = [b' '; HEADER_LEN];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..10].copy_from_slice(&(HEADER_LEN as u16 - 10).to_le_bytes());
        bytes[10..10 + dict.len()].copy_from_slice(dict.as_bytes());
        bytes[HEADER_LEN - 1] = b'\n';
        bytes
    }

    /// Reads a header that [`Header::to_bytes`] wrote, and no other: `None` for a header that differs in any byte.
    pub fn parse(bytes: &[u8]) -> Option<Header> {
        let dict = std::str::from_utf8(bytes.get(10..HEADER_LEN)?).ok()?;
        let width = [Width::U8, Width::U16, Width::U32].into_iter().find(|&w| dict.contains(descr(w)))?;
        let (_, shape) = dict.split_once("'shape': (")?;
        let len = shape.split_once(',')?.0.parse().ok()?;
        let header = Header { width, len };
        (header.to_bytes() == bytes[..HEADER_LEN]).then_some(header)
    }

    /// The length in bytes of a file with this header.
    pub fn file_len(self) -> u64 {
        self.len.saturating_mul(self.width.bytes() as u64).saturating_add(HEADER_LEN as u64)
    }
}

/// NumPy's name of a type.
pub fn descr(width: Width) -> &'static str {
    match width {
        Width::U8 => "|u1",
        Width::U16 => "<u2",
        Width::U32 => "<u4",
    }
}

/// Writes values as they stand in a file, after the header: in their own width, little-endian.
///
/// # Errors
/// Those of `out`.
pub fn write_values(out: &mut impl Write, values: Slice<'_>) -> io::Result<()> {
    out.write_all(cast::bytes(values))
}

/// Writes a whole file.
///
/// # Errors
/// Those of `out`.
pub fn write(out: &mut impl Write, values: Slice<'_>) -> io::Result<()> {
    out.write_all(&Header { width: values.width(), len: values.len() as u64 }.to_bytes())?;
    write_values(out, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_as_numpy_writes_them() {
        let bytes = Header { width: Width::U16, len: 1000 }.to_bytes();
        assert_eq!(&bytes[..10], b"\x93NUMPY\x01\x00\x76\x00");
        let text = std::str::from_utf8(&bytes[10..]).unwrap();
        assert_eq!(text.trim_end(), "{'descr': '<u2', 'fortran_order': False, 'shape': (1000,), }");
        assert!(text.ends_with(" \n"));
    }

    #[test]
    fn headers_round_trip_and_any_flipped_bit_shows() {
        for width in [Width::U8, Width::U16, Width::U32] {
            for len in [0, 1, 255, 1 << 32, u64::MAX] {
                let header = Header { width, len };
                assert_eq!(Header::parse(&header.to_bytes()), Some(header));
            }
        }
        let good = Header { width: Width::U8, len: 1009 };
        for bit in 0..8 * HEADER_LEN {
            let mut bytes = good.to_bytes();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(Header::parse(&bytes), Some(good), "bit {bit}");
        }
        assert_eq!(Header::parse(&good.to_bytes()[..127]), None);
        assert_eq!(Header::parse(b""), None);
    }

    #[test]
    fn a_file_is_a_header_and_little_endian_values() {
        let mut out = Vec::new();
        write(&mut out, Slice::U16(&[1, 0x203])).unwrap();
        assert_eq!(Header::parse(&out).unwrap(), Header { width: Width::U16, len: 2 });
        assert_eq!(&out[HEADER_LEN..], [1, 0, 3, 2]);
    }
}
