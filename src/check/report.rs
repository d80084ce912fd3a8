//! Reports of shares: a certificate that was checked in parts, perhaps on several machines.

use serde_json::Value;

use super::{Certificate, Refusal, Share, refuse, require};

/// That a share of a certificate's rungs has been checked, and holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// The share.
    pub share: Share,
    /// How many rungs the certificate has.
    pub rungs: usize,
}

impl Report {
    /// Reads what `sprague verify --rungs I/N --json` printed, a report on `certificate`.
    ///
    /// # Errors
    /// If it is no such report, is on another certificate, or says that the share was refused.
    pub fn read(json: &Value, certificate: &Certificate) -> Result<Report, Refusal> {
        if let Some(wrong) = json["wrong"].as_str() {
            return Err(refuse(format!("this share was refused: {wrong}")));
        }
        let number = |value: &Value| value.as_u64().and_then(|n| usize::try_from(n).ok());
        let report = || {
            let share = Share { index: number(&json["share"][0])?.checked_sub(1)?, of: number(&json["share"][1])? };
            Some((json["certificate"].as_str()?, Report { share, rungs: number(&json["rungs"])? }))
        };
        let (crc, report) =
            report().ok_or_else(|| refuse("it is no report on a share of a certificate of a period"))?;
        require(json["verified"] == true, || "it does not say that the share was verified".to_owned())?;
        require(crc == certificate.crc32(), || format!("it is a report on another certificate (CRC-32 {crc})"))?;
        require(report.share.index < report.share.of, || "its share makes no sense".to_owned())?;
        require(report.rungs == certificate.segments(), || {
            format!("it tells of {} rungs, and the certificate has {}", report.rungs, certificate.segments())
        })?;
        Ok(report)
    }
}

/// The rungs, counted from 1, that none of the reports on a certificate covers.
pub fn merge(reports: &[Report]) -> Vec<usize> {
    let rungs = reports.iter().map(|report| report.rungs).max().unwrap_or(0);
    let covered = |i: usize| reports.iter().any(|report| report.share.covers(i));
    (0..rungs).filter(|&i| !covered(i)).map(|i| i + 1).collect()
}
