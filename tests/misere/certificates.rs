//! Certificates: true ones are accepted, mutants are not.

use std::collections::VecDeque;

use sprague::misere::certificate::{looks_like, verify};
use sprague::misere::{Certificate, CertificateError, Method, Quotient, Refusal, check};

use super::{analyse, games, quick, rules};

/// The certificate that lists every heap as a generator, so that each value can be changed with its action.
fn full(quotient: &Quotient) -> Certificate {
    let mut full = Certificate::of(quotient);
    full.generators = (1..=quotient.heaps()).collect();
    full.actions = full.pretending.iter().map(|&value| action(quotient, value)).collect();
    full
}

fn action(quotient: &Quotient, value: u32) -> Vec<u32> {
    (0..quotient.order() as u16).map(|x| quotient.product(x, value as u16).into()).collect()
}

/// The structure with elements numbered as heaps 1, 2, ... first reach them: P, the values and the actions.
fn canonical(certificate: &Certificate) -> (Vec<u32>, Vec<u32>, Vec<Vec<u32>>) {
    let mut number = vec![None; certificate.order as usize];
    number[0] = Some(0);
    let mut elements = vec![0usize];
    let mut queue = VecDeque::from([0usize]);
    while let Some(x) = queue.pop_front() {
        for action in &certificate.actions {
            let y = action[x] as usize;
            if number[y].is_none() {
                number[y] = Some(elements.len() as u32);
                elements.push(y);
                queue.push_back(y);
            }
        }
    }
    let of = |x: u32| number[x as usize].unwrap();
    let mut p: Vec<u32> = certificate.p.iter().map(|&x| of(x)).collect();
    p.sort_unstable();
    let renumbered = |action: &Vec<u32>| elements.iter().map(|&x| of(action[x])).collect();
    (p, certificate.pretending.iter().map(|&x| of(x)).collect(), certificate.actions.iter().map(renumbered).collect())
}

const MUTATED: [(&str, u64); 6] =
    [("kayles", 30), ("0.123", 22), ("0.75", 21), ("0.34", 31), ("0.31", 11), ("0.71", 19)];

#[test]
fn what_is_found_is_accepted() {
    for rules in games() {
        for method in [Method::Auto, Method::Guess] {
            let quotient = quick(&rules, 18, method).quotient;
            let certificate = Certificate::of(&quotient);
            let verified = verify(&certificate.to_json()).unwrap_or_else(|error| panic!("{rules}: {error}"));
            assert_eq!((verified.order as usize, verified.p_count as usize), (quotient.order(), quotient.p_count()));
            assert_eq!(verified.period, quotient.period().map(|p| (p.preperiod, p.period)));
            assert!(looks_like(&certificate.to_json()));
        }
    }
}

#[test]
fn a_changed_p_element_is_refused() {
    for (game, heaps) in MUTATED {
        let rules = rules(game);
        let certificate = Certificate::of(&analyse(game, heaps, Method::Auto).quotient);
        for x in 0..certificate.order {
            let mut mutant = certificate.clone();
            match mutant.p.binary_search(&x) {
                Ok(at) => _ = mutant.p.remove(at),
                Err(at) => mutant.p.insert(at, x),
            }
            assert!(check(&rules, &mutant).is_err(), "{game}: element {x}");
        }
    }
}

#[test]
fn a_changed_product_is_refused() {
    for (game, heaps) in MUTATED {
        let rules = rules(game);
        let certificate = Certificate::of(&analyse(game, heaps, Method::Auto).quotient);
        for g in 0..certificate.actions.len() {
            for x in 0..certificate.order {
                let mut mutant = certificate.clone();
                let product = &mut mutant.actions[g][x as usize];
                *product = (*product + 1 + x) % certificate.order;
                if mutant != certificate {
                    assert!(check(&rules, &mutant).is_err(), "{game}: element {x} times generator {g}");
                }
            }
        }
    }
}

/// A changed value is refused, or it is the image of the true one in an automorphism: then the quotient is the same. That
/// happens, for heap 27 of Kayles among others.
#[test]
fn a_changed_value_is_refused_or_makes_no_difference() {
    let mut automorphisms = 0;
    for (game, heaps) in MUTATED {
        let rules = rules(game);
        let quotient = analyse(game, heaps, Method::Auto).quotient;
        let certificate = full(&quotient);
        for heap in 0..certificate.pretending.len() {
            for value in (0..certificate.order).filter(|&value| value != certificate.pretending[heap]) {
                let mut mutant = certificate.clone();
                mutant.pretending[heap] = value;
                mutant.actions[heap] = action(&quotient, value);
                if check(&rules, &mutant).is_ok() {
                    assert_eq!(canonical(&mutant), canonical(&certificate), "{game}: heap {} as {value}", heap + 1);
                    automorphisms += 1;
                }
            }
        }
    }
    assert!(automorphisms > 0);
}

/// Z4 gives all outcomes of heaps of one token, but a and a^3 are not told apart.
#[test]
fn what_is_not_reduced_is_refused() {
    let mut certificate = Certificate::of(&analyse("0.1", 1, Method::Auto).quotient);
    assert_eq!(check(&rules("0.1"), &certificate), Ok(()));
    (certificate.order, certificate.actions, certificate.p) = (4, vec![vec![1, 2, 3, 0]], vec![1, 3]);
    assert!(matches!(check(&rules("0.1"), &certificate), Err(Refusal::NotReduced(0, 2) | Refusal::NotReduced(1, 3))));
}

#[test]
fn what_no_position_reaches_is_refused() {
    let mut certificate = Certificate::of(&analyse("0.1", 1, Method::Auto).quotient);
    (certificate.order, certificate.actions) = (3, vec![vec![1, 0, 2]]);
    assert_eq!(check(&rules("0.1"), &certificate), Err(Refusal::NotGenerated(2)));
}

#[test]
fn a_period_is_proven_at_its_bound_and_not_before() {
    let kayles = rules("kayles");
    let certificate = Certificate::of(&analyse("kayles", 200, Method::Auto).quotient);
    assert_eq!(certificate.pretending.len(), 167);
    let refused = |change: &dyn Fn(&mut Certificate)| {
        let mut mutant = certificate.clone();
        change(&mut mutant);
        matches!(check(&kayles, &mutant), Err(Refusal::Period(_)))
    };
    assert!(refused(&|c| _ = c.pretending.pop()));
    assert!(refused(&|c| c.preperiod = Some(70)));
    assert!(refused(&|c| c.period = Some(11)));
    assert!(refused(&|c| c.preperiod = Some(0)));
    assert!(refused(&|c| c.period = Some(0)));
    assert!(refused(&|c| c.period = None));
    assert!(refused(&|c| c.preperiod = Some(u64::MAX)));
    // Without the period, the first 166 heaps are still a true claim.
    let mut partial = certificate.clone();
    (partial.period, partial.preperiod) = (None, None);
    partial.pretending.pop();
    assert_eq!(check(&kayles, &partial), Ok(()));
    // A game whose digits never end has no such theorem.
    let mut nim = Certificate::of(&analyse("nim", 1, Method::Auto).quotient);
    (nim.period, nim.preperiod) = (Some(1), Some(1));
    assert!(matches!(check(&rules("nim"), &nim), Err(Refusal::Period(_))));
}

/// Long lists are refused for what is false at their beginning, and what is there many times is looked at once.
#[test]
fn long_lists_are_refused_at_once() {
    let taken = Certificate::of(&analyse("0.1", 1, Method::Auto).quotient);
    let mut long = taken.clone();
    long.pretending = vec![1; 1 << 20];
    assert!(matches!(check(&rules("kayles"), &long), Err(Refusal::TwoP(_))));
    long.p.clear();
    assert!(check(&rules("kayles"), &long).is_err());
    let mut many = taken.clone();
    (many.generators, many.actions) = (vec![1; 1 << 18], vec![many.actions[0].clone(); 1 << 18]);
    assert_eq!(check(&rules("0.1"), &many), Ok(()));
}

/// The quotient of one game is not that of another.
#[test]
fn the_wrong_game_is_refused() {
    let certificate = Certificate::of(&analyse("kayles", 30, Method::Auto).quotient);
    for game in ["0.07", "0.7", "0.777", "4.77", "nim"] {
        assert!(check(&rules(game), &certificate).is_err(), "{game}");
    }
}

#[test]
fn damaged_files_are_errors() {
    let text = Certificate::of(&analyse("kayles", 30, Method::Auto).quotient).to_json();
    assert!(matches!(verify(&text[..text.len() / 2]), Err(CertificateError::Json(_))));
    assert!(matches!(verify(&text.replace("\"version\":1", "\"version\":2")), Err(CertificateError::Version { .. })));
    assert!(matches!(verify(&text.replace("\"0.77\"", "\"0.79x\"")), Err(CertificateError::Game(_))));
    assert!(matches!(verify(&text.replace("\"0.77\"", "\"0.07\"")), Err(CertificateError::Refused(_))));
    for shape in ["\"order\":40,\"order\":41", "\"order\":40,\"order\":0", "\"order\":40,\"order\":4000000000"] {
        let (from, to) = shape.split_once(',').unwrap();
        assert!(matches!(verify(&text.replace(from, to)), Err(CertificateError::Refused(Refusal::Shape(_)))), "{to}");
    }
    assert!(!looks_like("{\"format\":\"another\"}") && !looks_like("n,value\n0,0\n"));
}
