//! Misère certificates: a quotient in a file that anyone can check without looking for it.
//!
//! The file is one JSON object (see [`Certificate`] for its members). The monoid is given by the actions of some
//! heaps on its elements, element 0 being the identity: from these its multiplication table follows.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::rules::ParseError;

use super::check::{self, Refusal};
use super::quotient::Quotient;

/// What the member `format` says.
pub const FORMAT: &str = "sprague-misere-quotient";

/// The version that this program writes, and the only one that it reads.
pub const VERSION: u32 = 1;

/// A claim about the misère quotient of a game: of heaps 1 to `pretending.len()`, or of the whole game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The game, in any form that the program reads.
    pub game: String,
    /// With `period`: the claim that Φ(n + period) = Φ(n) for all n >= preperiod, and that this is the quotient of
    /// the whole game. Without: the claim ends at heap `pretending.len()`.
    pub preperiod: Option<u64>,
    /// See `preperiod`.
    pub period: Option<u64>,
    /// How many elements the quotient has.
    pub order: u32,
    /// Heaps whose values generate the quotient.
    pub generators: Vec<u64>,
    /// `actions[g][x]`: element x times the value of heap `generators[g]`.
    pub actions: Vec<Vec<u32>>,
    /// The elements that are values of P-positions, in increasing order.
    pub p: Vec<u32>,
    /// The values of heaps 1, 2, ...
    pub pretending: Vec<u32>,
}

/// A certificate that was checked and found true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The game in canonical form.
    pub game: String,
    /// The largest heap that was checked by itself.
    pub heaps: u64,
    /// Preperiod and period of the pretending function, if the quotient is that of the whole game.
    pub period: Option<(u64, u64)>,
    /// The order of the quotient.
    pub order: u32,
    /// How many of its elements are values of P-positions.
    pub p_count: u32,
}

/// Why a certificate was not accepted.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// Not JSON, or not the members of a certificate.
    #[error("this is not a misère certificate: {0}; write one with `sprague misere GAME --heaps N --certificate FILE`")]
    Json(#[from] serde_json::Error),
    /// Another format or version.
    #[error(
        "format `{format}`, version {version} is not one that this program reads: it reads `{FORMAT}`, version {VERSION}"
    )]
    Version {
        /// The format that the file names.
        format: String,
        /// Its version.
        version: u32,
    },
    /// The game cannot be read.
    #[error("the game of the certificate cannot be read: {0}")]
    Game(#[from] ParseError),
    /// Checked and found false.
    #[error("the certificate is false: {0}")]
    Refused(#[from] Refusal),
}

impl Certificate {
    /// The certificate of a quotient.
    pub fn of(quotient: &Quotient) -> Certificate {
        let elements = || 0..quotient.order() as u16;
        let generators = quotient.generators();
        let action = |&heap: &u64| {
            let value = quotient.pretending()[heap as usize - 1];
            elements().map(|x| quotient.product(x, value).into()).collect()
        };
        Certificate {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: quotient.rules().to_string(),
            preperiod: quotient.period().map(|p| p.preperiod),
            period: quotient.period().map(|p| p.period),
            order: quotient.order() as u32,
            actions: generators.iter().map(action).collect(),
            generators,
            p: quotient.p_elements().map(u32::from).collect(),
            pretending: quotient.pretending().iter().map(|&x| x.into()).collect(),
        }
    }

    /// The text of the file.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string(self).expect("numbers and strings can always be written");
        text.push('\n');
        text
    }
}

/// Whether a file that starts like this names the format of misère certificates.
pub fn looks_like(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains(FORMAT)
}

/// Reads a certificate and checks it, with code that shares nothing with what finds quotients.
///
/// # Errors
/// [`CertificateError`]: unreadable, or [`CertificateError::Refused`] if the claim is false.
pub fn verify(text: &str) -> Result<Verified, CertificateError> {
    let certificate: Certificate = serde_json::from_str(text)?;
    if certificate.format != FORMAT || certificate.version != VERSION {
        return Err(CertificateError::Version { format: certificate.format, version: certificate.version });
    }
    let rules = certificate.game.parse()?;
    check::check(&rules, &certificate)?;
    Ok(Verified {
        game: rules.to_string(),
        heaps: certificate.pretending.len() as u64,
        period: certificate.preperiod.zip(certificate.period),
        order: certificate.order,
        p_count: certificate.p.len() as u32,
    })
}
