//! Sums against brute force on the position graph, and moves counted in classes against moves counted one by one.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use num_bigint::BigUint;
use proptest::prelude::*;

use super::*;
use crate::Rules;
use crate::engine::naive;

/// A sum of heaps: the index of the game and the size of each, sorted.
type State = Vec<(usize, u64)>;

/// The definition for whole positions: nothing is known of nim-sums here.
struct Oracle<'a> {
    games: &'a [Rules],
    values: HashMap<State, u32>,
    misere_p: HashMap<State, bool>,
}

impl<'a> Oracle<'a> {
    fn new(games: &'a [Rules]) -> Oracle<'a> {
        Oracle { games, values: HashMap::new(), misere_p: HashMap::new() }
    }

    /// Each move: what it moves, what that becomes, the position after it.
    fn moves(&self, state: &State) -> Vec<((usize, u64), Vec<u64>, State)> {
        let mut moves = Vec::new();
        for (i, &(game, heap)) in state.iter().enumerate().filter(|(i, heap)| *i == 0 || state[i - 1] != **heap) {
            for m in self.games[game].moves(heap) {
                let mut after = state.clone();
                after.remove(i);
                after.extend(m.parts.iter().map(|&part| (game, part)));
                after.sort_unstable();
                moves.push(((game, heap), m.parts.to_vec(), after));
            }
        }
        moves
    }

    fn value(&mut self, state: &State) -> u32 {
        if let Some(&known) = self.values.get(state) {
            return known;
        }
        let options = self.moves(state).iter().map(|(_, _, after)| self.value(after)).collect();
        self.values.insert(state.clone(), naive::mex(&options));
        self.values[state]
    }

    fn misere_p(&mut self, state: &State) -> bool {
        if let Some(&known) = self.misere_p.get(state) {
            return known;
        }
        let moves = self.moves(state);
        let p = !moves.is_empty() && moves.iter().all(|(_, _, after)| !self.misere_p(after));
        self.misere_p.insert(state.clone(), p);
        p
    }

    /// The winning moves as text, sorted.
    fn winning(&mut self, state: &State, misere: bool) -> Vec<String> {
        let mut wins = Vec::new();
        for ((game, heap), parts, after) in self.moves(state) {
            if if misere { self.misere_p(&after) } else { self.value(&after) == 0 } {
                wins.push(format!("{} {heap} {parts:?}", self.games[game]));
            }
        }
        wins.sort();
        wins
    }
}

fn shown(position: &Position, found: &Found<Move>) -> Vec<String> {
    assert_eq!(found.count, found.listed.len().into());
    assert!(found.listed.is_sorted(), "by component, then least first");
    let parts = |step: &Step| step.to.iter().map(Label::to_string).collect::<Vec<_>>().join(", ");
    let show = |m: &Move| {
        let game = &position.game(&position.terms()[m.component]).name;
        format!("{game} {} [{}]", m.step.from, parts(&m.step))
    };
    let mut shown: Vec<String> = found.listed.iter().map(show).collect();
    shown.sort();
    shown
}

fn agrees(oracle: &mut Oracle, state: &State) {
    let terms: Vec<String> = state.iter().map(|(game, heap)| format!("{}: {heap}", oracle.games[*game])).collect();
    let text = terms.join(" + ");
    let position: Position = text.parse().unwrap();
    let sum = position.sum().unwrap();
    let value = oracle.value(state);
    assert_eq!(sum.value().unwrap(), value.into(), "{text}");
    assert_eq!(sum.outcome().unwrap() == Outcome::P, value == 0, "{text}");
    let wins = oracle.winning(state, false);
    assert_eq!(shown(&position, &sum.winning_moves(usize::MAX).unwrap()), wins, "{text}");
    let misere = position.misere(usize::MAX).unwrap();
    assert_eq!(misere.outcome == Outcome::P, oracle.misere_p(state), "misère {text}");
    assert_eq!(shown(&position, &misere.moves), oracle.winning(state, true), "misère {text}");
}

fn sorted(mut state: State) -> State {
    state.sort_unstable();
    state
}

fn any_game() -> impl Strategy<Value = Rules> {
    let digits = |range| prop::collection::vec(range, 1..4);
    let code = (prop::sample::select(vec![0u8, 4, 8, 12]), digits(0u8..16), prop::collection::vec(0u8..8, 0..3));
    let code = code.prop_map(|(d0, digits, tail)| {
        let prefix: Vec<u8> = std::iter::once(d0).chain(digits).collect();
        Rules::from_digits(&prefix, &tail).unwrap()
    });
    let named = prop::sample::select(vec![
        "nim",
        "lasker",
        "grundys-game",
        "couples-are-forever",
        "kayles",
        "sub{1,2,3}",
        "sub{2+}",
        "allbut{2}",
    ]);
    prop_oneof![3 => code, 1 => named.prop_map(|name| name.parse().unwrap())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Value, outcome and every winning move, normal and misère, of sums of one or two random games.
    #[test]
    fn random_sums_agree_with_brute_force(
        games in prop::collection::vec(any_game(), 2),
        sums in prop::collection::vec(prop::collection::vec((0usize..2, 0u64..7), 2..5), 5),
    ) {
        // Two names of one game would be one game to the position and two to the oracle.
        prop_assume!(games[0] != games[1]);
        let mut oracle = Oracle::new(&games);
        for sum in sums {
            agrees(&mut oracle, &sorted(sum));
        }
    }

    /// Moves counted by classes equal moves counted one by one. The table need not be that of the game for this.
    #[test]
    fn classes_equal_single_moves(
        game in any_game(),
        (preperiod, period, saltus) in (0u64..7, 1u64..7, prop::sample::select(vec![0u64, 0, 1, 2, 3])),
        seed in prop::collection::vec(0u32..5, 14),
        size in 0u64..60,
        keep in 0usize..12,
    ) {
        let rules = Arc::new(game);
        let three = rules.max_parts() == 3;
        let short = Table::new(
            seed[..(preperiod + period) as usize].iter().copied().collect(),
            Some(Period { preperiod, period, saltus }),
        );
        let long: Vec<u32> = (0..=size).map(|n| u32::try_from(short.value(&n.into()).unwrap()).unwrap()).collect();
        let long = Table::new(long.into_iter().collect(), None);
        let heap = |table: &Table| Heap::with_table(rules.clone(), Arc::new(table.clone()), size.into()).unwrap();
        let mut wanted: BTreeMap<u128, Vec<Vec<u64>>> = BTreeMap::new();
        for m in rules.moves(size) {
            let value = m.parts.iter().fold(0, |sum, &part| sum ^ short.small(part));
            wanted.entry(value).or_default().push(m.parts.to_vec());
        }
        for target in 0..if three { 8u32 } else { 40 } {
            let mut moves = wanted.remove(&target.into()).unwrap_or_default();
            moves.sort_unstable();
            for table in [&short, &long] {
                let found = heap(table).moves_to(&target.into(), keep).unwrap();
                prop_assert_eq!(&found.count, &moves.len().into(), "{} {} to {}", rules, size, target);
                let number = |label: &Label| label.to_string().parse::<u64>().unwrap();
                let listed: Vec<Vec<u64>> =
                    found.listed.iter().map(|step| step.to.iter().map(number).collect()).collect();
                prop_assert_eq!(&listed[..], &moves[..moves.len().min(keep)], "{} {} to {}", rules, size, target);
            }
        }
    }
}

/// All positions of up to four heaps of Nim up to 6: the normal and the misère theorem of Bouton, moves included.
#[test]
fn bouton_agrees_with_brute_force() {
    let games = ["nim".parse().unwrap()];
    let mut oracle = Oracle::new(&games);
    for code in 0..7u64.pow(4) {
        let heaps = sorted((0..4).map(|i| (0, code / 7u64.pow(i) % 7)).collect());
        agrees(&mut oracle, &heaps);
    }
}

/// The number of winning moves of a heap beyond the preperiod grows by a fixed amount every two periods, so two heaps
/// that are counted move by move say what it is for 10^18 and for 10^30.
#[test]
fn the_winning_moves_of_a_huge_heap_are_counted_exactly() {
    let rules: Rules = "kayles".parse().unwrap();
    let values = naive::values(&rules, 999);
    let slow = |n: u64, target: u32| {
        let hits = |m: &crate::rules::Move| m.parts.iter().fold(0, |sum, &part| sum ^ values[part as usize]) == target;
        rules.moves(n).filter(hits).count()
    };
    for exponent in [18u32, 30] {
        let huge = BigUint::from(10u32).pow(exponent);
        let heap = Heap::new(&rules, huge.clone()).unwrap();
        let near = 240 + u64::try_from(&huge % 24u32).unwrap();
        for target in 0..10 {
            let (first, second) = (slow(near, target), slow(near + 24, target));
            assert_eq!(slow(near + 48, target) - second, second - first);
            let wanted = (&huge - near) / 24u32 * (second - first) + first;
            let found = heap.moves_to(&target.into(), 5).unwrap();
            assert_eq!(found.count, wanted);
            assert_eq!(found.listed.len(), 5.min(usize::try_from(&wanted).unwrap_or(5)));
            for step in found.listed {
                let tokens = step.to.iter().fold(BigUint::ZERO, |sum, part| match part {
                    Label::Number(n) => sum + n,
                    Label::Name(name) => panic!("{name}"),
                });
                assert!(&huge - tokens <= 2u32.into());
            }
        }
    }
}

#[test]
fn nim_of_any_size() {
    let position: Position = "nim: 10^30 + 10^30+1 + 5".parse().unwrap();
    let sum = position.sum().unwrap();
    assert_eq!(sum.value().unwrap(), 4u32.into());
    let moves = sum.winning_moves(10).unwrap();
    assert_eq!((moves.count, moves.listed.len()), (1u32.into(), 1));
    assert_eq!(moves.listed[0].to_string(), "2: 5 -> 1");
    let misere = position.misere(10).unwrap();
    assert_eq!(misere.moves.listed, moves.listed);
}

#[test]
fn equal_components_cancel() {
    let position: Position = "kayles: 10^40*7 + 10^40*7 + 3*5 + 10^5000*3".parse().unwrap();
    let sum = position.sum().unwrap();
    assert_eq!(sum.value().unwrap(), 4u32.into());
    assert_eq!(position.terms().len(), 3);
}

#[test]
fn a_heap_out_of_reach_says_so() {
    let position = "0.6: 10^12".parse::<Position>().unwrap().with_patience(Duration::from_millis(100));
    let error = position.sum().err().unwrap();
    assert!(matches!(&error, SumError::TooFar { game, .. } if game == "0.6"), "{error}");
}

/// The limit holds for heaps that are too large, for too many heaps, and for a heap whose moves alone are too many.
#[test]
fn misere_brute_force_has_a_limit_and_points_on() {
    for (text, pointer) in [
        ("kayles: 10^6", "`sprague misere 0.77 --heaps N`"),
        ("kayles: 10^30", "`sprague misere 0.77 --heaps N`"),
        ("0.8: 100k", "`sprague misere 0.8 --heaps N`"),
        ("0.[1]: 10^12", "`sprague misere 0.[1] --heaps N`"),
        ("0.3: 10^9*5", "`sprague misere 0.3 --heaps N`"),
        ("strip: 10^9", "made smaller"),
        ("kayles: 10^6 + nim: 3", "made smaller"),
    ] {
        let error = text.parse::<Position>().unwrap().misere(1).unwrap_err();
        let SumError::TooManyPositions { cure, .. } = &error else { panic!("{text}: {error}") };
        assert!(cure.contains(pointer) && error.is_limit(), "{error}");
    }
    let chain: Position = "0.3: 499999".parse().unwrap();
    assert_eq!(chain.misere(1).unwrap().outcome, Outcome::P);
    let dead: Position = "0.3: 1 + 0.1: 10^9*5".parse().unwrap();
    assert_eq!(dead.misere(9).unwrap().outcome, Outcome::P);
}

/// The limit is one of different positions: those of one heap of a game that only takes are its smaller heaps.
#[test]
fn misere_limits_count_positions() {
    let heap: Position = "sub{1,2}: 499999".parse().unwrap();
    assert_eq!(heap.misere(1).unwrap().outcome, Outcome::P);
    let heap: Position = "sub{1,2}: 500001".parse().unwrap();
    assert!(matches!(heap.misere(1), Err(SumError::TooManyPositions { .. })));
    let impatient = "kayles: 100".parse::<Position>().unwrap().with_patience(Duration::from_millis(50));
    let start = Instant::now();
    let error = impatient.misere(1).unwrap_err();
    assert!(matches!(error, SumError::TookTooLong { .. }) && start.elapsed() < Duration::from_secs(5), "{error}");
}

/// Lasker's Nim far beyond all tables: moves found by the exclusive or of growing values are moves, and they are as many
/// as theory says.
#[test]
fn moves_of_huge_lasker_heaps() {
    let rules: Rules = "lasker".parse().unwrap();
    let size = BigUint::from(10u32).pow(30);
    let heap = Heap::new(&rules, size.clone()).unwrap();
    // Values of Winning Ways, ch. 4.
    let value = |n: &BigUint| match u32::try_from(n % 4u32).unwrap() {
        3 => n + 1u32,
        0 if n.bits() > 0 => n - 1u32,
        _ => n.clone(),
    };
    for target in [0u32, 1, 2, 3, 7, 1000] {
        let found = heap.moves_to(&target.into(), usize::MAX).unwrap();
        assert_eq!(found.count, found.listed.len().into());
        for step in &found.listed {
            let parts: Vec<&BigUint> = step
                .to
                .iter()
                .map(|part| match part {
                    Label::Number(n) => n,
                    Label::Name(name) => panic!("{name}"),
                })
                .collect();
            let left: BigUint = parts.iter().copied().sum();
            assert!(parts.len() == 1 && left < size || parts.len() == 2 && left == size || parts.is_empty());
            assert_eq!(parts.iter().fold(BigUint::ZERO, |sum, part| sum ^ value(part)), target.into());
        }
    }
    // Splits into u + 1 and t + 1, both values 3 modulo 4: u + t = 2^60 - 2 and u xor t = 2^60 - 8 leave the 57 bits from
    // 2^3 on free, and half of the ways begin with the smaller heap. The one other move leaves the heap 2^60 - 9.
    let size = BigUint::from(1u64 << 60);
    let found = Heap::new(&rules, size.clone()).unwrap().moves_to(&(size - 8u32), 3).unwrap();
    assert_eq!((found.count, found.listed.len()), (((1u64 << 56) + 1).into(), 3));
    assert_eq!(found.listed[0].to_string(), "1152921504606846976 -> 4 + 1152921504606846972");
}

#[test]
fn a_search_stops_at_its_limit() {
    struct Kayles(Rules);
    impl Game for Kayles {
        type Position = u64;
        fn options(&self, &heap: &u64) -> Vec<Vec<u64>> {
            self.0.moves(heap).map(|m| m.parts.to_vec()).collect()
        }
    }
    let kayles = || Kayles("kayles".parse().unwrap());
    let mut solver = MisereSolver::new(kayles(), 3000);
    assert!(matches!(solver.outcome(&[30, 31]), Err(SumError::TooManyPositions { limit: 3000, .. })));
    // What was found stays, and small questions are still answered.
    assert_eq!(solver.outcome(&[1, 4]).unwrap(), MisereSolver::new(kayles(), 3000).outcome(&[1, 4]).unwrap());
}

/// Misère strips are not Nim: with both counted gaps closed there may still be moves.
#[test]
fn misere_strips_are_searched() {
    // One token: a heap of Nim. Two next to each other on 1 and 2: the first moves, the second follows or not.
    for (text, outcome) in
        [("strip: 0", Outcome::N), ("strip: 1", Outcome::P), ("strip: 2", Outcome::N), ("strip: 1,2", Outcome::N)]
    {
        assert_eq!(text.parse::<Position>().unwrap().misere(9).unwrap().outcome, outcome, "{text}");
    }
}

#[test]
fn play_that_need_not_end_is_an_error() {
    struct Circle;
    impl Game for Circle {
        type Position = u32;
        fn options(&self, &at: &u32) -> Vec<Vec<u32>> {
            vec![vec![(at + 1) % 5]]
        }
    }
    assert!(matches!(Solver::new(Circle).value(&0), Err(SumError::Endless(_))));
    assert!(matches!(MisereSolver::new(Circle, 1000).outcome(&[0]), Err(SumError::Endless(_))));
}

#[test]
fn long_plays_need_no_deep_stack() {
    struct Walk;
    impl Game for Walk {
        type Position = u32;
        fn options(&self, &at: &u32) -> Vec<Vec<u32>> {
            if at == 0 { vec![] } else { vec![vec![at - 1]] }
        }
    }
    let solver = Solver::new(Walk);
    assert_eq!(solver.value(&300_001).unwrap(), 1);
    let mut sum = Sum::new();
    sum.push(solver.at(2));
    sum.push(solver.at(1));
    assert_eq!(
        sum.winning_moves(5).unwrap().listed.iter().map(Move::to_string).collect::<Vec<_>>(),
        ["0: 2 -> 1", "1: 1 -> 0"]
    );
}
