use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;

use super::*;
use crate::driver::Computation;

fn certificate(game: &str, window: Option<usize>) -> Certificate {
    let mut computation = Computation::new(&game.parse().unwrap(), window, true);
    while computation.period().is_none() {
        computation.step(1_000_000).unwrap();
        assert!(computation.known() < 1_000_000, "{game}: nothing is proven");
    }
    let mut certificate = computation.certificate().unwrap();
    if window.is_some() && certificate.proof == Proof::GuySmith {
        // Games that only take have windows when they are long: here they may be short.
        let proof = computation.state_proof(computation.period().unwrap(), None).unwrap();
        certificate.proof = Proof::StateWindow(proof);
    }
    certificate
}

const WHOLE: Share = Share { index: 0, of: 1 };

/// Games with each proof, in whole and in bounded memory, with short and long rare lists, range and domain masks.
const GAMES: &[(&str, Option<usize>)] = &[
    ("0.77", None),
    ("0.1", None),
    ("0.A", None),
    ("sub{2,5}", None),
    ("nim", None),
    ("sub{2+}", None),
    ("allbut{4,6,7,11}", None),
    ("0.156", None),
    ("0.356", None),
    ("0.644", None),
    ("0.127", None),
    ("4.064", None),
    ("0.156", Some(1500)),
    ("0.356", Some(1500)),
    ("sub{5,11,32,37,40}", Some(512)),
];

#[test]
fn certificates_are_accepted_and_come_back_from_text() {
    for &(game, window) in GAMES {
        let certificate = certificate(game, window);
        let checked = check(&certificate, WHOLE).unwrap_or_else(|e| panic!("{game}: {e}"));
        assert_eq!(checked.segments, checked.of);
        let mut text = Vec::new();
        certificate.write(&mut text).unwrap();
        assert_eq!(Certificate::read(std::str::from_utf8(&text).unwrap()), Ok(certificate), "{game}");
    }
}

#[test]
fn shares_cover_the_segments_once() {
    let certificate = certificate("4.064", Some(3000));
    let whole = check(&certificate, WHOLE).unwrap();
    assert!(whole.of > 5, "{whole:?}");
    for of in [2, 3] {
        let shares = (0..of).map(|index| {
            let told = AtomicU64::new(0);
            let watch = |done: u64, _: u64| {
                told.fetch_max(done, Ordering::Relaxed);
            };
            let checked = check_watched(&certificate, Share { index, of }, &watch).unwrap();
            assert_eq!(told.into_inner(), checked.heaps);
            checked
        });
        let (segments, heaps) = shares.fold((0, 0), |sum, part| (sum.0 + part.segments, sum.1 + part.heaps));
        assert_eq!((segments, heaps), (whole.segments, whole.heaps));
    }
}

/// Every number moved by one either way, every list cut or repeated, every text changed: each is refused, with its
/// checksum made to fit.
#[test]
fn mutants_are_refused() {
    for &(game, window) in GAMES {
        let original = serde_json::to_value(certificate(game, window)).unwrap();
        let mut mutants = Vec::new();
        mutate(&original, &mut |mutant| mutants.push(mutant));
        assert!(mutants.len() >= 8, "{game}");
        for mutant in mutants {
            let Ok(changed) = serde_json::from_value::<Certificate>(mutant.clone()) else { continue };
            let difference = || difference(&original, &mutant, String::new());
            if harmless(&original, &mutant) {
                continue;
            }
            assert!(check(&changed, WHOLE).is_err(), "{game}: a certificate with {} was accepted", difference());
        }
    }
}

/// Calls `emit` with every copy of `value` that has one thing changed.
fn mutate(value: &Value, emit: &mut dyn FnMut(Value)) {
    match value {
        Value::Number(n) => {
            let n = n.as_u64().unwrap();
            emit(Value::from(n + 1));
            n.checked_sub(1).into_iter().for_each(|n| emit(Value::from(n)));
        }
        Value::String(text) => {
            for i in [0, text.len() / 2, text.len().saturating_sub(5)] {
                let mut bytes = text.clone().into_bytes();
                bytes[i] = if bytes[i] == b'7' { b'3' } else { b'7' };
                emit(Value::from(String::from_utf8(bytes).unwrap()));
            }
        }
        Value::Array(items) => {
            // The ends and a few between stand for all.
            let chosen = [0, 1, items.len() / 2, items.len().saturating_sub(2), items.len().saturating_sub(1)];
            for i in chosen.into_iter().filter(|&i| i < items.len()) {
                mutate(&items[i], &mut |item| {
                    let mut copy = items.clone();
                    copy[i] = item;
                    emit(Value::from(copy));
                });
                let mut copy = items.clone();
                copy.remove(i);
                emit(Value::from(copy));
            }
        }
        Value::Object(keys) => {
            for (key, value) in keys {
                mutate(value, &mut |value| {
                    let mut copy = keys.clone();
                    copy.insert(key.clone(), value);
                    emit(Value::from(copy));
                });
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// Changes that may leave a true certificate of the same period: bounds and places of the proof, which may be larger
/// than they must be, a rung less, another program version.
fn harmless(original: &Value, mutant: &Value) -> bool {
    let without = |value: &Value| {
        let mut copy = value.clone();
        copy["program_version"] = Value::Null;
        copy["format"] = Value::Null;
        copy["format_version"] = Value::Null;
        for key in ["depth", "early_depth", "start", "distance"] {
            copy["proof"][key] = Value::Null;
        }
        copy
    };
    let rungs = |value: &Value| value["proof"]["rungs"].as_array().map_or(0, Vec::len);
    without(original) == without(mutant) || rungs(mutant) < rungs(original)
}

fn difference(a: &Value, b: &Value, path: String) -> String {
    match (a, b) {
        (Value::Object(a), Value::Object(b)) => {
            a.iter().filter(|(k, v)| b[*k] != **v).map(|(k, v)| difference(v, &b[k], format!("{path}/{k}"))).collect()
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            (0..a.len()).filter(|&i| a[i] != b[i]).map(|i| difference(&a[i], &b[i], format!("{path}/{i}"))).collect()
        }
        _ => format!("{path} changed"),
    }
}

#[test]
fn altered_and_foreign_texts_are_refused() {
    let mut text = Vec::new();
    certificate("0.156", None).write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(Certificate::read(&text).is_ok());
    for i in (0..text.len()).step_by(97) {
        let mut bytes = text.clone().into_bytes();
        bytes[i] ^= 1;
        let Ok(changed) = String::from_utf8(bytes) else { continue };
        assert!(Certificate::read(&changed).is_err_and(|e| !matches!(e, Refusal::False(_))), "byte {i}");
    }
    assert!(matches!(Certificate::read("{}"), Err(Refusal::Foreign(_))));
    assert!(matches!(Certificate::read(&text[..text.len() / 2]), Err(Refusal::Foreign(_))));
    let newer = text.replace("\"format_version\": 1", "\"format_version\": 2");
    assert!(matches!(Certificate::read(&newer), Err(Refusal::Newer { found: 2, known: 1 })));
}

/// The reason for which a certificate is refused after a change.
fn refusal(certificate: &Certificate, change: impl Fn(&mut Certificate)) -> String {
    let mut forged = certificate.clone();
    change(&mut forged);
    check(&forged, WHOLE).expect_err("a forged certificate is refused").to_string()
}

fn state(certificate: &mut Certificate) -> &mut StateProof {
    match &mut certificate.proof {
        Proof::StateWindow(proof) => proof,
        other => panic!("{other:?} has no windows"),
    }
}

/// Numbers with which a check would not end, or take all memory, or that no sum has room for.
#[test]
fn absurd_numbers_are_refused_at_once() {
    let windows = certificate("0.644", None);
    let forged = |change: &dyn Fn(&mut StateProof)| refusal(&windows, |c| change(state(c)));
    assert!(forged(&|proof| proof.mask = Some(0)).contains("mask 0"));
    assert!(forged(&|proof| proof.mask = Some(1 << 31)).contains("is rare, and not in the list"));
    assert!(forged(&|proof| proof.depth = u64::MAX).contains("too large to check"));
    assert!(forged(&|proof| proof.early_depth = u64::MAX).contains("too large to check"));
    assert!(forged(&|proof| proof.start = u64::MAX).contains("too large to check"));
    assert!(forged(&|proof| proof.rungs[0].heap = 1 << 40).contains("too many to check"));
    assert!(forged(&|proof| proof.rungs.last_mut().unwrap().heap = u64::MAX).contains("too far to check"));
    assert!(forged(&|proof| proof.rungs[1] = Rung::new(4000, &[u32::MAX; 2000])).contains("has a value of"));
    assert!(forged(&|proof| proof.rungs.clear()).contains("there are no rungs"));
    assert!(refusal(&windows, |c| c.period = (1 << 61) - 1).contains("too large to check"));

    let by_definition = "too large to be checked by the definition";
    assert!(refusal(&certificate("0.77", None), |c| c.preperiod = 1 << 20).contains(by_definition));
    assert!(refusal(&certificate("0.A", None), |c| c.period = 1 << 20).contains(by_definition));
    assert!(refusal(&certificate("sub{2,5}", None), |c| c.preperiod = 1 << 31).contains(by_definition));
    let tail = |c: &mut Certificate| c.proof = Proof::TailState { start: 1 << 22, distance: 1 };
    assert!(refusal(&certificate("nim", None), tail).contains(by_definition));
}

#[test]
fn a_window_is_unpacked_as_far_as_there_is_room() {
    let rung = Rung::new(1 << 20, &[7; 1 << 16]);
    assert_eq!(rung.values(1 << 16), Ok(vec![7; 1 << 16]));
    assert!(rung.values((1 << 16) - 1).unwrap_err().to_string().contains("too many to check"));
}

#[test]
fn keys_that_are_there_twice_are_refused() {
    let mut text = Vec::new();
    certificate("0.156", None).write(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let twice = text.replacen("\"period\"", "\"period\": 7,\n  \"period\"", 1);
    assert!(matches!(Certificate::read(&twice), Err(Refusal::Foreign(why)) if why.contains("duplicate")));
}

/// A report with a number of rungs that is not the certificate's is no report on it.
#[test]
fn reports_have_the_rungs_of_the_certificate() {
    let certificate = certificate("0.156", None);
    let report = |rungs: u64| {
        let json = serde_json::json!({
            "certificate": certificate.crc32(), "verified": true, "share": [1, 2], "rungs": rungs,
        });
        Report::read(&json, &certificate)
    };
    assert_eq!(report(3).unwrap().rungs, 3);
    assert!(report(1 << 60).unwrap_err().to_string().contains("the certificate has 3"));
}
