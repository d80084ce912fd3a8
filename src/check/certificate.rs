//! The file: JSON, sealed with a checksum.

use std::io;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Refusal, too_many_values};

const FORMAT: &str = "sprague-certificate";
const VERSION: u64 = 1;

/// A proof that `g(n + period) = g(n) + saltus` for all `n >= preperiod`, with period and preperiod least.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    format: String,
    format_version: u64,
    /// The version of the program that wrote it.
    pub program_version: String,
    /// The game in canonical form.
    pub game: String,
    /// The least preperiod.
    pub preperiod: u64,
    /// The least period.
    pub period: u64,
    /// The saltus.
    pub saltus: u64,
    /// What proves it.
    pub proof: Proof,
}

/// The theorem that is applied, and what it needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "theorem", rename_all = "kebab-case")]
pub enum Proof {
    /// The window of the whole sequence.
    GuySmith,
    /// Two equal states of a repeating tail.
    TailState {
        /// The first heap of the earlier state.
        start: u64,
        /// How far apart the states are.
        distance: u64,
    },
    /// The window of the state, of the sparse rule or of a game that only takes.
    StateWindow(StateProof),
}

/// What the theorem of the state window needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateProof {
    /// The mask's bits: `None` for a game that only takes, which has no rare heaps.
    pub mask: Option<u32>,
    /// For the domain type, the parity of the splitting digits.
    pub domain: Option<u64>,
    /// The rare heaps.
    pub rare: Vec<u64>,
    /// Where the window starts.
    pub start: u64,
    /// The deepest witness from `start` on.
    pub depth: u64,
    /// The deepest witness from the first rung on.
    pub early_depth: u64,
    /// Windows of values.
    pub rungs: Vec<Rung>,
}

/// The values of the heaps just before `heap`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rung {
    /// The first heap after the window.
    pub heap: u64,
    /// Bytes a value.
    width: usize,
    /// The values, packed.
    values: String,
}

impl Rung {
    /// Packs the values of the heaps before `heap`.
    pub fn new(heap: u64, values: &[u32]) -> Rung {
        let width = match values.iter().max().copied().unwrap_or(0) {
            0..=0xff => 1,
            0x100..=0xffff => 2,
            _ => 4,
        };
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes().into_iter().take(width)).collect();
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&bytes, 9);
        Rung { heap, width, values: BASE64_STANDARD.encode(packed) }
    }

    /// The values, unpacked: at most `most` of them, since a few packed bytes can make more than fit any memory.
    ///
    /// # Errors
    /// If they cannot be unpacked, or are more.
    pub fn values(&self, most: u64) -> Result<Vec<u32>, Refusal> {
        let bad = || Refusal::Altered(format!("the window before heap {} cannot be unpacked", self.heap));
        let packed = BASE64_STANDARD.decode(&self.values).map_err(|_| bad())?;
        let most = usize::try_from(most).unwrap_or(usize::MAX).saturating_mul(self.width);
        let bytes = decompress_to_vec_zlib_with_limit(&packed, most).map_err(|error| match error.status {
            TINFLStatus::HasMoreOutput => too_many_values(),
            _ => bad(),
        })?;
        if ![1, 2, 4].contains(&self.width) || bytes.len() % self.width != 0 {
            return Err(bad());
        }
        let value = |bytes: &[u8]| bytes.iter().rev().fold(0, |v, &b| v << 8 | u32::from(b));
        Ok(bytes.chunks_exact(self.width).map(value).collect())
    }
}

impl Certificate {
    /// A certificate, made by this version of the program.
    pub fn new(game: String, preperiod: u64, period: u64, saltus: u64, proof: Proof) -> Certificate {
        Certificate {
            format: FORMAT.to_owned(),
            format_version: VERSION,
            program_version: env!("CARGO_PKG_VERSION").to_owned(),
            game,
            preperiod,
            period,
            saltus,
            proof,
        }
    }

    /// How many segments are to be recomputed: one where there are no windows.
    pub fn segments(&self) -> usize {
        match &self.proof {
            Proof::StateWindow(proof) => proof.rungs.len().saturating_sub(1),
            Proof::GuySmith | Proof::TailState { .. } => 1,
        }
    }

    /// Writes the certificate with its checksum.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut impl io::Write) -> io::Result<()> {
        let mut json = serde_json::to_value(self).map_err(io::Error::other)?;
        json["crc32"] = Value::from(crc_of(&json));
        serde_json::to_writer_pretty(&mut *out, &json).map_err(io::Error::other)?;
        writeln!(out)
    }

    /// The checksum that is written with it.
    pub fn crc32(&self) -> String {
        crc_of(&serde_json::to_value(self).expect("a certificate is plain data"))
    }

    /// Reads a certificate and compares it with its checksum.
    ///
    /// # Errors
    /// [`Refusal`], but for [`Refusal::False`].
    pub fn read(text: &str) -> Result<Certificate, Refusal> {
        let foreign = |what: String| Refusal::Foreign(what);
        let mut json: Value = serde_json::from_str(text).map_err(|e| foreign(e.to_string()))?;
        if json["format"] != FORMAT {
            return Err(foreign(format!("its format is not {FORMAT}")));
        }
        match json["format_version"].as_u64() {
            Some(VERSION) => {}
            Some(found) if found > VERSION => return Err(Refusal::Newer { found, known: VERSION }),
            _ => return Err(foreign("its format version cannot be read".to_owned())),
        }
        let told = json.as_object_mut().and_then(|keys| keys.remove("crc32"));
        if told != Some(Value::from(crc_of(&json))) {
            return Err(Refusal::Altered("it does not have its checksum".to_owned()));
        }
        // From the text, where a key that is there twice is seen.
        let certificate: Certificate = serde_json::from_str(text).map_err(|e| foreign(e.to_string()))?;
        // Keys that say nothing are refused too: what is not understood cannot be checked.
        if serde_json::to_value(&certificate).map_err(|e| foreign(e.to_string()))? != json {
            return Err(foreign("it has keys that this version does not know".to_owned()));
        }
        Ok(certificate)
    }
}

fn crc_of(json: &Value) -> String {
    format!("{:08x}", crc32fast::hash(json.to_string().as_bytes()))
}
