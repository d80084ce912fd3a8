//! Values as bytes and bytes as values. Files are little-endian, and so must the machine be.
#![allow(unsafe_code)]

use crate::for_width;
use crate::values::{Cell, Slice, Width};

#[cfg(target_endian = "big")]
compile_error!("run directories are memory-mapped little-endian files: a big-endian machine cannot use them");

/// The bytes of values.
pub(super) fn bytes(values: Slice<'_>) -> &[u8] {
    // SAFETY: integers have no padding and any byte of them may be looked at; the length is theirs.
    for_width!(Slice, values, v => unsafe { std::slice::from_raw_parts(v.as_ptr().cast(), size_of_val(v)) })
}

/// The values in bytes that begin at a multiple of `width` in memory.
pub(super) fn values(bytes: &[u8], width: Width) -> Slice<'_> {
    match width {
        Width::U8 => Slice::U8(bytes),
        Width::U16 => Slice::U16(cells(bytes)),
        Width::U32 => Slice::U32(cells(bytes)),
    }
}

/// Writes values over `to`, as values of `width`.
///
/// # Panics
/// If a value does not fit, or `to` is not as long as they are.
pub(super) fn copy(to: &mut [u8], width: Width, from: Slice<'_>) {
    if from.width() == width {
        to.copy_from_slice(bytes(from));
        return;
    }
    match width {
        Width::U8 => convert::<u8>(to, from),
        Width::U16 => convert::<u16>(to, from),
        Width::U32 => convert::<u32>(to, from),
    }
}

fn convert<D: Cell>(to: &mut [u8], from: Slice<'_>) {
    let to = cells_mut::<D>(to);
    assert_eq!(to.len(), from.len(), "there is a place for each value");
    for_width!(Slice, from, from => to.iter_mut().zip(from).for_each(|(to, v)| *to = D::from_value(v.value())));
}

fn cells<C: Cell>(bytes: &[u8]) -> &[C] {
    // SAFETY: any bytes are an unsigned integer, and only those are `Cell`s.
    let (before, cells, after) = unsafe { bytes.align_to() };
    assert!(before.is_empty() && after.is_empty(), "the bytes are whole, aligned values");
    cells
}

fn cells_mut<C: Cell>(bytes: &mut [u8]) -> &mut [C] {
    // SAFETY: any bytes are an unsigned integer and any unsigned integer is bytes; only those are `Cell`s.
    let (before, cells, after) = unsafe { bytes.align_to_mut() };
    assert!(before.is_empty() && after.is_empty(), "the bytes are whole, aligned values");
    cells
}
