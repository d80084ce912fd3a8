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
