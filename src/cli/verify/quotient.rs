//! Certificates of misère quotients.

use std::io::{Write, stdout};
use std::time::Instant;

use serde_json::json;

use crate::misere::{CertificateError, certificate};

use super::{Failure, Outcome, Subject};

/// Checks the certificate.
pub fn verify(subject: &Subject<'_>, text: &str) -> Result<Outcome, Failure> {
    let clock = Instant::now();
    let outcome = match certificate::verify(text) {
        Err(error) if !matches!(error, CertificateError::Refused(_)) => {
            return Err(Failure::Data(format!("{}: {error}", subject.path.display())));
        }
        outcome => outcome,
    };
    let mut out = stdout().lock();
    let name = subject.path.display();
    if subject.args.json {
        let found = outcome.as_ref().ok();
        let json = json!({
            "path": subject.path.to_string_lossy(),
            "verified": outcome.is_ok(),
            "game": found.map(|v| &v.game),
            "heaps": found.map(|v| v.heaps),
            "order": found.map(|v| v.order),
            "p_count": found.map(|v| v.p_count),
            "preperiod": found.and_then(|v| v.period).map(|p| p.0),
            "period": found.and_then(|v| v.period).map(|p| p.1),
            "wrong": outcome.as_ref().err().map(CertificateError::to_string),
            "seconds": clock.elapsed().as_secs_f64(),
        });
        writeln!(out, "{json}")?;
    } else {
        match &outcome {
            Err(error) => writeln!(out, "{name}: REFUSED: {error}")?,
            Ok(found) => {
                let scope = match found.period {
                    Some((preperiod, period)) => format!("for all heaps (period {period} from heap {preperiod} on)"),
                    None => format!("for heaps up to {}", found.heaps),
                };
                writeln!(
                    out,
                    "{name}: {}, misère play: order {}, {} P-elements {scope}",
                    found.game, found.order, found.p_count
                )?;
                writeln!(out, "  verified")?;
            }
        }
    }
    Ok(if outcome.is_ok() { Outcome::Done } else { Outcome::False })
}
