//! What holds for every misère quotient, and for every way to find it.

use sprague::misere::{Method, Status};

use super::{analyse, games, quick, rules};

/// Orders are 1 or even, never 4, and grow with the heaps (Plambeck and Siegel, "Misère quotients for impartial
/// games", 2008).
#[test]
fn orders_are_even_never_four_and_grow() {
    let mut changes = 0;
    for rules in games() {
        let analysis = quick(&rules, 20, Method::Guess);
        let orders: Vec<usize> = analysis.changes.iter().map(|change| change.order).collect();
        assert!(orders.iter().all(|order| order.is_multiple_of(2) && *order != 4), "{rules}: {orders:?}");
        assert!(orders.is_sorted_by(|a, b| a < b), "{rules}: {orders:?}");
        assert!(analysis.changes.iter().all(|change| change.p_count < change.order), "{rules}");
        assert_eq!(orders.last().copied().unwrap_or(1), analysis.quotient.order(), "{rules}");
        changes += orders.len();
    }
    assert!(changes > 200, "only {changes} quotients were looked at");
}

/// No heap has the value of one of its options.
#[test]
fn no_heap_has_the_value_of_an_option() {
    for rules in games() {
        let quotient = quick(&rules, 25, Method::Auto).quotient;
        for heap in 1..=quotient.heaps() {
            let value = quotient.value(heap).unwrap();
            for m in rules.moves(heap) {
                let option = m.parts.iter().fold(0, |x, &part| quotient.product(x, quotient.value(part).unwrap()));
                assert_ne!(option, value, "{rules}, heap {heap} and {:?}", &*m.parts);
            }
        }
    }
}

/// Guesses and search find one quotient, with one numbering of its elements.
#[test]
fn guesses_and_search_agree() {
    for (game, heaps) in [
        ("0.77", 40),
        ("0.123", 22),
        ("0.75", 22),
        ("0.34", 31),
        ("0.144", 30),
        ("0.241", 30),
        ("0.351", 26),
        ("0.71", 19),
        ("0.07", 24),
        ("4.56", 31),
        ("0.712", 20),
        ("0.721", 42),
        ("0.774", 10),
        ("grundys-game", 19),
        ("0.8", 18),
    ] {
        let (guess, search) = (analyse(game, heaps, Method::Guess), analyse(game, heaps, Method::Search));
        assert!(matches!(guess.status, Status::Solved | Status::Partial), "{game}: {:?}", guess.status);
        assert_eq!(guess.quotient, search.quotient, "{game}");
        assert_eq!(guess.changes, search.changes, "{game}");
    }
}

/// Games that are one another with every heap a token larger, or doubled, have the same quotients.
#[test]
fn equivalent_games_have_equivalent_quotients() {
    // 0.07 is 0.137 with one token more in each heap; a heap of n in 0.77 is one of 2n + 1 in 0.44.
    for (game, heaps, other, image) in
        [("0.137", 27, "0.07", (|n| n + 1) as fn(u64) -> u64), ("0.77", 60, "0.44", |n| 2 * n + 1)]
    {
        let (one, two) = (analyse(game, heaps, Method::Auto), analyse(other, image(heaps), Method::Auto));
        let (one, two) = (one.quotient, two.quotient);
        assert_eq!((one.order(), one.p_count()), (two.order(), two.p_count()), "{game} and {other}");
        for n in 1..=heaps {
            for m in 1..=n {
                let images = [image(n), image(m)];
                assert_eq!(one.outcome(&[n, m]), two.outcome(&images), "{game}: {n} + {m}");
            }
        }
    }
}

/// A presentation presents: words multiply as elements do, and standard words stay within the relations.
#[test]
fn presentations_determine_the_quotient() {
    for game in ["kayles", "0.123", "0.31", "0.7", "0.0", "0.144"] {
        let quotient = analyse(game, 60, Method::Auto).quotient;
        let presentation = quotient.presentation();
        let value = |word: &[u32]| {
            let letters = presentation.generators.iter().zip(word);
            letters.fold(0, |x, (&heap, &exponent)| {
                (0..exponent).fold(x, |x, _| quotient.product(x, quotient.value(heap).unwrap()))
            })
        };
        let divides = |a: &[u32], b: &[u32]| a.iter().zip(b).all(|(x, y)| x <= y);
        assert_eq!(presentation.words.len(), quotient.order(), "{game}");
        for (x, word) in presentation.words.iter().enumerate() {
            assert_eq!(value(&word.0) as usize, x, "{game}");
            assert!(presentation.relations.iter().all(|(lead, _)| !divides(&lead.0, &word.0)), "{game}: {word}");
        }
        for (lead, standard) in &presentation.relations {
            assert_eq!(value(&lead.0), value(&standard.0), "{game}: {lead} = {standard}");
            assert!(presentation.words.contains(standard), "{game}: {standard}");
        }
        // Every word that is not standard is divided by the left side of a relation.
        for word in &presentation.words {
            for g in 0..presentation.generators.len() {
                let mut longer = word.0.clone();
                longer[g] += 1;
                let standard = presentation.words.iter().any(|w| w.0 == longer);
                assert!(standard || presentation.relations.iter().any(|(lead, _)| divides(&lead.0, &longer)), "{game}");
            }
        }
    }
}

/// Time is asked for often, the final check included: the bound leaves room for a machine that is busy.
#[test]
fn a_budget_of_time_is_kept() {
    for game in ["0.414", "0.764", "0.4", "0.06", "0.7", "8.3", "grundys-game", "nim"] {
        let clock = std::time::Instant::now();
        super::quick(&rules(game), 1_000_000, Method::Auto);
        assert!(clock.elapsed() < std::time::Duration::from_secs(5), "{game}: {:?}", clock.elapsed());
    }
}

/// Where a quotient is not found, what is said of it is true: the next one is larger, and the rows that were told apart are
/// no more than it has.
#[test]
fn a_lower_bound_is_one() {
    for (game, heaps, found) in [("0.07", 30, 360), ("0.07", 25, 144), ("0.774", 10, 152), ("0.123", 9, 20)] {
        for millis in [1, 20, 100, 400] {
            let limits = sprague::misere::Limits {
                heaps,
                budget: std::time::Duration::from_millis(millis),
                method: Method::Search,
            };
            let analysis = sprague::misere::solve(&rules(game), &limits).unwrap();
            match analysis.status {
                Status::Unresolved { lower_bound } if analysis.quotient.heaps() == heaps - 1 => {
                    assert!(lower_bound > analysis.quotient.order() && lower_bound <= found, "{game}: {lower_bound}");
                }
                Status::Unresolved { lower_bound } => assert!(lower_bound > analysis.quotient.order(), "{game}"),
                Status::Solved | Status::Partial => assert!(analysis.quotient.order() <= found, "{game}"),
            }
        }
    }
}
