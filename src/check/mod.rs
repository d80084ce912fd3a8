//! Certificates of periods, and a checker that shares no code with what computed them.
//!
//! A certificate says "`g(n + p) = g(n) + s` for all `n >= n0`, with p and n0 least" and carries what is needed to see
//! it. [`check`] uses the rules of the game and this module alone, but for the count of what is done: plain scalar code, no
//! engine, no kernel. The
//! theorems that it applies are stated and proven in [`crate::period`].
//!
//! # Format, version 1
//!
//! One JSON object.
//!
//! | key | meaning |
//! |---|---|
//! | `format` | `"sprague-certificate"` |
//! | `format_version` | 1 |
//! | `program_version` | the version of the program that wrote it |
//! | `game` | the game in canonical form |
//! | `preperiod`, `period`, `saltus` | n0, p and s |
//! | `proof` | one of the proofs below, told apart by its key `theorem` |
//! | `crc32` | CRC-32, 8 hexadecimal digits, of the compact JSON text of the object without this key |
//!
//! `guy-smith` has no other key: the checker computes all values that the theorem needs, by the definition. Nor has
//! `tail-state` any but `start` and `distance`, the first heap of the two equal states and how far they are apart.
//!
//! `state-window` has the following.
//!
//! | key | meaning |
//! |---|---|
//! | `mask`, `domain` | the mask's bits, and the parity `t` for the domain type (else null); for a game that only takes, both are null, there are no rare heaps, and L = A = 0 |
//! | `rare` | all rare heaps from 1 on, ascending; L is the last |
//! | `start` | n1, where the window starts: after L |
//! | `depth` | A: no witness of a heap from n1 on has a larger smaller part |
//! | `early_depth` | the same for all heaps from the first rung on |
//! | `rungs` | windows of values, ascending: `heap`, the first heap after the window; `width`, bytes a value; `values`, little-endian, compressed with DEFLATE (zlib), in Base64 |
//!
//! The window's length is `w = max(L, A) + k`. There are rungs that hold the heaps n0 - 1 to n1 + w, the same heaps
//! moved by p, and, moved by p/q, for every prime q that divides p. The first rung is computed
//! from heap 0, every other from the rung before it: these *segments* can be checked apart from each other.

mod certificate;
mod definition;
mod report;
mod segment;
mod state;
mod tail;

use rayon::prelude::*;
use thiserror::Error;

use crate::Rules;
use crate::rules::Split;
use crate::work::{Watch, Work};

pub use certificate::{Certificate, Proof, Rung, StateProof};
pub use report::{Report, merge};

/// Why a certificate does not prove what it claims.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The file is no certificate.
    #[error("it is no certificate of a period ({0})")]
    Foreign(String),
    /// A newer program wrote it.
    #[error("it has format version {found} and was made by a newer sprague; this one reads up to {known}: upgrade")]
    Newer {
        /// The version in the file.
        found: u64,
        /// The newest that can be read.
        known: u64,
    },
    /// It was changed after it was written.
    #[error("it was altered after it was written: {0}")]
    Altered(String),
    /// Something that it says is false, or does not suffice.
    #[error("{0}")]
    False(String),
}

/// Which segments of a certificate to check: share `index` of `of`, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Which share.
    pub index: usize,
    /// How many shares there are.
    pub of: usize,
}

impl Share {
    /// Whether segment `i`, counted from 0, is in the share.
    pub fn covers(self, i: usize) -> bool {
        i % self.of == self.index
    }
}

/// What was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// How many segments were recomputed.
    pub segments: usize,
    /// How many there are.
    pub of: usize,
    /// How many heaps were recomputed.
    pub heaps: u64,
}

/// Checks a certificate, on all of rayon's threads. A certificate is proven when all of its shares are.
///
/// # Errors
/// The reason for which it is refused.
pub fn check(certificate: &Certificate, share: Share) -> Result<Checked, Refusal> {
    check_watched(certificate, share, &|_, _| {})
}

/// The same; `watch` is told how many of the heaps to be recomputed from windows are done.
///
/// # Errors
/// As [`check`].
pub fn check_watched(certificate: &Certificate, share: Share, watch: Watch<'_>) -> Result<Checked, Refusal> {
    let rules: Rules =
        certificate.game.parse().map_err(|e| Refusal::Foreign(format!("its game cannot be read: {e}")))?;
    require(rules.to_string() == certificate.game, || "its game is not in canonical form".to_owned())?;
    require(certificate.period >= 1, || "a period is at least 1".to_owned())?;
    match &certificate.proof {
        Proof::GuySmith => definition::check_window(&rules, certificate),
        Proof::TailState { start, distance } => tail::check(&rules, certificate, *start, *distance),
        Proof::StateWindow(proof) => {
            let plan = state::plan(&rules, certificate, proof)?;
            let mine: Vec<usize> = (0..plan.segments()).filter(|&i| share.covers(i)).collect();
            let heaps = mine.iter().map(|&i| plan.heaps(i)).sum();
            let work = Work::new(watch, heaps);
            mine.par_iter().try_for_each(|&i| plan.check_segment(i, &work))?;
            Ok(Checked { segments: mine.len(), of: plan.segments(), heaps })
        }
    }
}

/// The most values that the windows of a certificate and the heaps before them may have: more do not fit the memory of
/// most machines.
pub const MAX_VALUES: u64 = 1 << 27;

/// The last heap that a certificate may need: no machine recomputes more in a lifetime.
const MAX_HEAPS: u64 = 1 << 50;

fn too_many_values() -> Refusal {
    refuse(format!("its windows and the heaps before them have more than {MAX_VALUES} values: too many to check"))
}

fn refuse(what: impl Into<String>) -> Refusal {
    Refusal::False(what.into())
}

fn require(holds: bool, what: impl FnOnce() -> String) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(Refusal::False(what())) }
}

/// The primes that divide `n`.
fn primes(mut n: u64) -> Vec<u64> {
    let mut primes = Vec::new();
    let mut d = 2;
    while d * d <= n {
        if n.is_multiple_of(d) {
            primes.push(d);
            while n.is_multiple_of(d) {
                n /= d;
            }
        }
        d += 1;
    }
    primes.extend((n > 1).then_some(n));
    primes
}

#[cfg(test)]
mod tests;
