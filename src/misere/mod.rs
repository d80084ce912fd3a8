//! Misère play: whoever makes the last move loses.
mod atoms;
mod bits;
mod budget;
pub mod certificate;
pub mod check;
mod chain;
mod extend;
mod guess;
mod learn;
mod monoid;
mod options;
mod period;
mod play;
mod presentation;
mod quotient;
mod search;
mod solve;
mod tame;
mod trial;
mod words;

pub use certificate::{Certificate, CertificateError, Verified};
pub use check::{Refusal, check};
pub use period::Period;
pub use play::WinningMove;
pub use presentation::{Monomial, Presentation, generator_name};
pub use quotient::{Outcome, Quotient, UnknownHeap};
pub use solve::{Analysis, Change, Limits, Method, Status, solve};

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn first() {
        let code = std::env::var("GAME").unwrap_or("0.77".into());
        let to: u64 = std::env::var("HEAPS").unwrap_or("30".into()).parse().unwrap();
        let rules: crate::Rules = code.parse().unwrap();
        let method = match std::env::var("METHOD").as_deref() { Ok("guess") => Method::Guess, Ok("search") => Method::Search, _ => Method::Auto };
        let secs = std::env::var("SECS").unwrap_or("30".into()).parse().unwrap();
        let a = solve(&rules, &Limits { heaps: to, budget: std::time::Duration::from_secs(secs), method });
        println!("{:?} {:?} heaps {} order {} p {} tame {} period {:?} {:?}", a.status, a.spent, a.quotient.heaps(), a.quotient.order(), a.quotient.p_count(), a.quotient.is_tame(), a.quotient.period(), a.changes);
        let p = a.quotient.presentation();
        println!("{:?}", p.generators);
        for (a, b) in p.relations { print!("{a} = {b}, "); }
        println!();
    }
}
