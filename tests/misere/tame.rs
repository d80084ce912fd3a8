//! The fast path of tame games, against quotients that know nothing of it.

use std::time::{Duration, Instant};

use sprague::misere::{Certificate, Halt, MAX_ORDER, Method, Status, check};

use super::{analyse, games, quick, rules};

/// The fast path ends at the first heap whose quotient is wild, and gives the same quotients before.
#[test]
fn the_fast_path_agrees_with_the_quotients() {
    let mut tame = 0;
    for rules in games() {
        let (fast, slow) = (quick(&rules, 20, Method::Auto), quick(&rules, 20, Method::Guess));
        let heaps = fast.quotient.heaps().min(slow.quotient.heaps());
        let until = |changes: &[sprague::misere::Change]| -> Vec<_> {
            changes.iter().copied().take_while(|change| change.heap <= heaps).collect()
        };
        assert_eq!(until(&fast.changes), until(&slow.changes), "{rules}");
        if fast.quotient.heaps() == slow.quotient.heaps() {
            assert_eq!(fast.quotient, slow.quotient, "{rules}");
        }
        tame += usize::from(fast.quotient.is_tame());
    }
    assert!(tame > 50, "only {tame} games were tame");
}

/// Every finite subtraction game is tame (its heaps are nim-heaps), and solved for all heaps.
#[test]
fn subtraction_games_are_solved() {
    let clock = Instant::now();
    for set in 1..64u32 {
        let elements: Vec<String> = (0..6).filter(|i| set >> i & 1 == 1).map(|i| (i + 1).to_string()).collect();
        let game = format!("sub{{{}}}", elements.join(","));
        let analysis = analyse(&game, 1_000_000, Method::Auto);
        assert_eq!(analysis.status, Status::Solved, "{game}");
        assert!(analysis.quotient.is_tame(), "{game}");
        // The checker knows nothing of tame games.
        assert_eq!(check(&rules(&game), &Certificate::of(&analysis.quotient)), Ok(()), "{game}");
    }
    assert!(clock.elapsed() < Duration::from_secs(10), "{:?}", clock.elapsed());
}

/// The work for a heap grows with the number of elements, not with the largest of them, and so does the proof of a
/// period: within the budget of [`analyse`] neither could be done by looking at every digit.
#[test]
fn sets_with_large_elements_are_decided() {
    for (set, heaps, status) in [
        (&[1_000_000][..], 1_000_001, Status::Partial),
        (&[100_000], 1_000_000, Status::Solved),
        (&[7, 1001, 30_000], 200_000, Status::Solved),
    ] {
        let elements: Vec<String> = set.iter().map(ToString::to_string).collect();
        let game = format!("sub{{{}}}", elements.join(","));
        let analysis = analyse(&game, heaps, Method::Auto);
        assert_eq!((analysis.status, analysis.halt), (status, None), "{game}");
        let mut lost = vec![false];
        for heap in 1..=heaps as usize {
            let mut options = set.iter().filter(|&&taken| taken <= heap).map(|&taken| lost[heap - taken]);
            lost.push(options.next().is_some_and(|first| !first && !options.any(|option| option)));
        }
        for (heap, &lost) in (0..).zip(&lost) {
            let outcome = analysis.quotient.outcome(&[heap]).unwrap();
            assert_eq!(outcome == sprague::misere::Outcome::P, lost, "{game}, heap {heap}");
        }
    }
}

/// Where the quotient of a tame game grows beyond what is kept, the run says so.
#[test]
fn nim_halts_where_its_quotient_is_too_large() {
    for (game, heaps) in [("nim", 4095), ("sub{2+}", 8191), ("lasker", 4094)] {
        let analysis = analyse(game, 1_000_000, Method::Auto);
        assert_eq!((analysis.status, analysis.halt), (Status::Partial, Some(Halt::Order)), "{game}");
        assert_eq!((analysis.quotient.heaps(), analysis.quotient.order()), (heaps, 4098), "{game}");
        assert!(2 * (analysis.quotient.order() - 2) + 2 > MAX_ORDER);
    }
    let asked = analyse("nim", 4095, Method::Auto);
    assert_eq!((asked.quotient.heaps(), asked.halt), (4095, None));
}

/// 0.56 is tame for ever: its large heaps are those of normal play, whose period of 144 from heap 326640 on is known.
#[test]
fn a_tame_game_with_a_long_preperiod() {
    let analysis = analyse("0.56", 1_000_000, Method::Auto);
    let period = analysis.quotient.period().unwrap();
    assert_eq!((period.period, period.preperiod), (144, 326_640));
    assert_eq!((analysis.status, analysis.quotient.is_tame()), (Status::Solved, true));
    // What the quotients of the first heaps say, found without the fast path.
    let slow = analyse("0.56", 300, Method::Guess);
    let early: Vec<_> = analysis.changes.iter().copied().take_while(|change| change.heap <= 300).collect();
    assert_eq!(early, slow.changes);
}

/// Misère Nim (Bouton, 1902): a P-position has heaps of one only, oddly many, or a heap of two or more and nim-sum 0.
#[test]
fn nim_is_boutons() {
    let nim = analyse("nim", 7, Method::Guess).quotient;
    for position in super::brute::positions(20, 7) {
        let sum = position.iter().fold(0, |x, heap| x ^ heap);
        let lost = if position.iter().all(|&heap| heap <= 1) { sum == 1 } else { sum == 0 };
        assert_eq!(nim.outcome(&position) == Ok(sprague::misere::Outcome::P), lost, "{position:?}");
    }
}
