//! Playing through a quotient.

use sprague::misere::{Method, Outcome, UnknownHeap, WinningMove};

use super::brute::{Brute, positions};
use super::{analyse, rules};

#[test]
fn the_winning_moves_are_those_to_p_positions() {
    for game in ["kayles", "0.123", "0.75", "sub{1,3,4}", "0.31", "0.8"] {
        let rules = rules(game);
        let quotient = analyse(game, 10, Method::Auto).quotient;
        let mut brute = Brute::default();
        for position in positions(10, 10) {
            let mut wanted = Vec::new();
            for (component, &heap) in position.iter().enumerate() {
                for play in rules.moves(heap) {
                    let mut option: Vec<u64> =
                        [&position[..component], &position[component + 1..], &play.parts].concat();
                    option.sort_unstable();
                    if brute.outcome(&rules, &option) == Outcome::P {
                        wanted.push(WinningMove { component, play });
                    }
                }
            }
            assert_eq!(quotient.winning_moves(&position).as_ref(), Ok(&wanted), "{game}, {position:?}");
        }
    }
}

#[test]
fn a_period_answers_for_all_heaps() {
    let kayles = analyse("kayles", 200, Method::Auto).quotient;
    // Sums of large heaps have the outcomes of their reductions, and every winning move is to a P-position.
    for heaps in [[1_000_000u64, 1_000_001], [123_456, 654_321], [5, 1_000_000]] {
        let reduced = heaps.map(|heap| kayles.period().unwrap().reduce(heap));
        assert!(reduced.iter().all(|&heap| heap <= 167));
        assert_eq!(kayles.outcome(&heaps), kayles.outcome(&reduced));
        let winning = kayles.winning_moves(&heaps).unwrap();
        assert_eq!(winning.is_empty(), kayles.outcome(&heaps) == Ok(Outcome::P));
        for WinningMove { component, play } in winning.into_iter().take(100) {
            let option: Vec<u64> = [&heaps[..component], &heaps[component + 1..], &play.parts].concat();
            assert_eq!(kayles.outcome(&option), Ok(Outcome::P));
        }
    }
}

#[test]
fn heaps_beyond_a_partial_quotient_are_not_guessed() {
    let partial = analyse("kayles", 30, Method::Auto).quotient;
    assert_eq!(partial.outcome(&[3, 31]), Err(UnknownHeap { heap: 31, heaps: 30 }));
    assert!(partial.outcome(&[3, 30]).is_ok());
    assert!(partial.winning_moves(&[3, 31]).is_err());
    // Moves from heap 31 alone lead to known heaps.
    assert!(partial.winning_moves(&[31]).is_ok());
}
