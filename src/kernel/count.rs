//! How often small values occur.

/// Values below this are counted.
pub const COUNTED: usize = 32;

/// Adds how often each value occurs to its count, two values at a time, since counting takes as many steps for a pair
/// as for one. All values are below `counts.len()`, which is at most `COUNTED`.
#[inline(always)]
pub(super) fn by_pairs(values: &[u8], counts: &mut [u64]) {
    let mut table = vec![0u32; counts.len() * COUNTED];
    let (pairs, rest) = values.as_chunks::<2>();
    for &[p, q] in pairs {
        table[usize::from(p) * COUNTED + usize::from(q)] += 1;
    }
    rest.iter().for_each(|&value| counts[usize::from(value)] += 1);
    for (first, row) in table.chunks_exact(COUNTED).enumerate() {
        for (second, &count) in row[..counts.len()].iter().enumerate() {
            counts[first] += u64::from(count);
            counts[second] += u64::from(count);
        }
    }
}
