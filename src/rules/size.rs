//! Sizes as people write them: `1e9`, `2^36`, `10M`, `1e9+5e8`; memory `16GiB`, `16GB`.

use thiserror::Error;

/// A size that cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SizeError {
    /// A heap size that is not a number in one of the accepted forms.
    #[error("`{0}` is not a heap size: write 1000000, 1_000_000, 1e9, 2^36, 10k, 10M, 10G or a sum such as 1e9+5e8")]
    Heap(String),
    /// A memory size that is not a number with a unit.
    #[error("`{0}` is not a memory size: write a number of bytes or one with a unit, such as 512MiB, 16GiB or 16GB")]
    Memory(String),
    /// A size of 2^64 or more.
    #[error("`{0}` is too large: sizes end below 2^64")]
    TooLarge(String),
}

/// Reads a heap size: digits with optional `_`, an exponent (`1e9`), a power (`2^36`), a decimal suffix
/// (`k`, `M`, `G`), or a sum of such terms.
///
/// # Errors
/// [`SizeError`] if it is none of these or does not fit 64 bits.
///
/// ```
/// use sprague::rules::parse_heap_size;
/// assert_eq!(parse_heap_size("2^36")?, 68_719_476_736);
/// assert_eq!(parse_heap_size("1e9+5e8")?, 1_500_000_000);
/// # Ok::<(), sprague::rules::SizeError>(())
/// ```
pub fn parse_heap_size(text: &str) -> Result<u64, SizeError> {
    text.split('+').try_fold(0u64, |sum, term| {
        let value = term_value(term).ok_or_else(|| SizeError::Heap(text.to_owned()))?;
        value.and_then(|v| sum.checked_add(v)).ok_or_else(|| SizeError::TooLarge(text.to_owned()))
    })
}

/// Reads a memory size: bytes, or a number with `k`, `M`, `G`, `T` and `B` (decimal) or `iB` (binary) behind it.
///
/// # Errors
/// [`SizeError`] if it is neither or does not fit 64 bits.
pub fn parse_memory_size(text: &str) -> Result<u64, SizeError> {
    let bad = || SizeError::Memory(text.to_owned());
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number = digits(number.trim_end()).ok_or_else(bad)?;
    let (letter, binary) = match unit {
        "" | "B" => ("", false),
        _ => match (unit.strip_suffix("iB"), unit.strip_suffix('B')) {
            (Some(letter), _) => (letter, true),
            (None, Some(letter)) => (letter, false),
            (None, None) => (unit, false),
        },
    };
    let power = match letter {
        "" if unit != "iB" => 0,
        "k" | "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err(bad()),
    };
    let base: u64 = if binary { 1024 } else { 1000 };
    number.and_then(|n| n.checked_mul(base.pow(power))).ok_or_else(|| SizeError::TooLarge(text.to_owned()))
}

/// `None`: not a term. `Some(None)`: a term that overflows.
fn term_value(term: &str) -> Option<Option<u64>> {
    if let Some((base, power)) = term.split_once('^') {
        return Some(checked_power(digits(base)?, digits(power)?));
    }
    if let Some((mantissa, exponent)) = term.split_once(['e', 'E']) {
        let scale = checked_power(Some(10), digits(exponent)?);
        return Some(digits(mantissa)?.zip(scale).and_then(|(m, s)| m.checked_mul(s)));
    }
    let (number, scale) = match term.as_bytes().last()? {
        b'k' | b'K' => (&term[..term.len() - 1], 1_000),
        b'M' => (&term[..term.len() - 1], 1_000_000),
        b'G' => (&term[..term.len() - 1], 1_000_000_000),
        _ => (term, 1),
    };
    Some(digits(number)?.and_then(|n| n.checked_mul(scale)))
}

fn checked_power(base: Option<u64>, power: Option<u64>) -> Option<u64> {
    base?.checked_pow(u32::try_from(power?).ok()?)
}

/// `None`: not digits (`_` is allowed between them). `Some(None)`: too large.
fn digits(text: &str) -> Option<Option<u64>> {
    let plain = text.replace('_', "");
    let valid = text.starts_with(|c: char| c.is_ascii_digit()) && plain.bytes().all(|b| b.is_ascii_digit());
    valid.then(|| plain.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heap_sizes() {
        for (text, value) in [
            ("0", 0),
            ("1000000", 1_000_000),
            ("1_000_000", 1_000_000),
            ("1e9", 1_000_000_000),
            ("2^36", 1 << 36),
            ("10k", 10_000),
            ("10M", 10_000_000),
            ("10G", 10_000_000_000),
            ("1e9+5e8", 1_500_000_000),
            ("2^32+1", (1 << 32) + 1),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(parse_heap_size(text), Ok(value), "{text}");
        }
        for text in ["", "-1", "1.5", "e9", "2^", "+", "1++2", "k", "1e", "0x10", "_1", "10 k", "1e9e9"] {
            assert_eq!(parse_heap_size(text), Err(SizeError::Heap(text.to_owned())), "{text}");
        }
        for text in ["2^64", "1e20", "18446744073709551616", "18446744073709551615+1", "99999999999G"] {
            assert_eq!(parse_heap_size(text), Err(SizeError::TooLarge(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn memory_sizes() {
        for (text, value) in
            [("16GiB", 16 << 30), ("16GB", 16_000_000_000), ("512MiB", 512 << 20), ("4096", 4096), ("1 kB", 1000)]
        {
            assert_eq!(parse_memory_size(text), Ok(value), "{text}");
        }
        for text in ["", "GiB", "16XB", "iB", "1iB", "-1GB", "1.5GB"] {
            assert_eq!(parse_memory_size(text), Err(SizeError::Memory(text.to_owned())), "{text}");
        }
        assert!(matches!(parse_memory_size("99999999999TiB"), Err(SizeError::TooLarge(_))));
    }
}
