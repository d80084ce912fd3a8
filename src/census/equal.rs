//! When two codes have one sequence of nim-values, but for leading zeros: two theorems that look at the codes.
//!
//! **Moved codes** ([`moved`]; the first cousins of R. Guy and C. Smith, *The G-values of various games*, 1956). Let
//! a heap of 1 have no moves in B, and let A(n) stand for B(n + 1). A move of B that takes `j` and leaves `m >= 1`
//! non-empty heaps of sizes `a + 1, b + 1, ...` is one that takes `j + m - 1` from A(n) and leaves heaps `a, b, ...`,
//! some of which may be empty: the digit `d(j + m - 1)` of A allows `m` heaps and any smaller number. A move of B that
//! takes all of `j = n + 1` takes all of A's heap of `j - 1`. Since the heaps of 1 that A does not see have no moves, the
//! positions of A are those of B, move for move: A and B have equal nim-values, `g_B(n + 1) = g_A(n)`, and equal
//! outcomes in misère play. If B splits only what makes three or more ([`Split::FromThree`]), `a` and `b` are not both 0,
//! so that the digit of A allows two heaps and one, but not none: Couples-are-Forever is 0.6, moved.
//!
//! **Equal options** ([`same_options`]). Let `K` be the last index of a digit that is not zero in A or B, let both games
//! have the same values for heaps 0 to `K`, and let the following hold for each index `i` and each number `m` of one or two
//! heaps that `d(i)` allows in one of the games only: there are `j` and `c >= 1` with `j + c = i` and `g(c) = 0`
//! such that `d(j)` allows `m + 1` heaps in both. If both also allow the same splits into three, they have the same
//! values for ever. *Proof* by induction: for `n > K` the options that one game alone has leave `m` heaps of a total of
//! `n - i`; the other leaves these together with a heap of `c`, of value 0, by taking `j`. So both heaps have options of
//! the same values. (Taking all matters for heaps up to `K` alone.)

use crate::Rules;
use crate::engine::naive;
use crate::rules::{LEAVE_ONE, LEAVE_THREE, LEAVE_TWO, Split, TAKE_ALL};

/// The game with heaps one smaller, if that is a code: a heap of 1 has no moves, the digits end, and no split depends on
/// whether its heaps are equal.
pub fn moved(rules: &Rules) -> Option<Rules> {
    let pairs = match rules.split() {
        Split::Any => TAKE_ALL | LEAVE_ONE | LEAVE_TWO,
        Split::FromThree => LEAVE_ONE | LEAVE_TWO,
        Split::Unequal => return None,
    };
    let has_moves = rules.last_index().is_some_and(|k| k > 0 || rules.digit(0) != 0);
    if !has_moves || rules.digit(1) & TAKE_ALL != 0 {
        return None;
    }
    let mut digits = vec![0u8; rules.prefix().len() + 2];
    for (j, &digit) in rules.prefix().iter().enumerate() {
        if digit & TAKE_ALL != 0 {
            digits[j - 1] |= TAKE_ALL;
        }
        for m in (1..=3).filter(|&m| digit >> m & 1 == 1) {
            digits[j + m - 1] |= if m == 2 { pairs } else { (2 << m) - 1 };
        }
    }
    Some(Rules::from_digits(&digits, &[]).expect("a heap of 1 is not split, and heaps of 0 have no moves"))
}

/// The game moved until a heap of 1 has a move, and how often it was moved.
pub fn standard(rules: &Rules) -> (Rules, u64) {
    let mut standard = (rules.clone(), 0);
    while let Some(next) = moved(&standard.0) {
        standard = (next, standard.1 + 1);
    }
    standard
}

/// Whether the theorem on equal options gives two games the same values.
pub fn same_options(a: &Rules, b: &Rules) -> bool {
    let (Some(k), Some(l)) = (a.last_index(), b.last_index()) else { return false };
    if (a.split(), b.split()) != (Split::Any, Split::Any) {
        return false;
    }
    let last = k.max(l);
    let (values, others) = (naive::values(a, last), naive::values(b, last));
    values == others && (0..=last).all(|i| differences_do_not_matter(a, b, i, &values))
}

fn differences_do_not_matter(a: &Rules, b: &Rules, i: u64, values: &[u32]) -> bool {
    let differ = a.digit(i) ^ b.digit(i);
    let given = |more: u8| (1..=i).any(|c| values[c as usize] == 0 && a.digit(i - c) & b.digit(i - c) & more != 0);
    differ & LEAVE_THREE == 0
        && (differ & LEAVE_TWO == 0 || given(LEAVE_THREE))
        && (differ & LEAVE_ONE == 0 || given(LEAVE_TWO))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::Family;

    fn game(text: &str) -> Rules {
        text.parse().unwrap()
    }

    #[test]
    fn known_cousins() {
        for (code, cousin) in [("0.07", "0.137"), ("4.4", "0.77"), ("0.002", "0.003"), ("0.8", "0.00F")] {
            assert_eq!(moved(&game(code)), Some(game(cousin)), "{code}");
        }
        assert_eq!(moved(&game("couples-are-forever")), Some(game("0.6")));
        assert_eq!(standard(&game("couples-are-forever")), (game("0.37"), 2));
        assert_eq!(moved(&game("0.77")), None);
        assert_eq!(moved(&game("grundys-game")), None);
        assert_eq!(standard(&game("0.002")), (game("0.113"), 3));
    }

    /// Heap n of the moved game has the value of heap n + 1, whatever the code.
    #[test]
    fn moving_keeps_values() {
        let games = [Family::Octal3.games(), Family::Hexadecimal.games(), Family::Splitting.games()].concat();
        let mut count = 0;
        for rules in &games {
            let Some(moved) = moved(rules) else { continue };
            let (before, after) = (naive::values(rules, 31), naive::values(&moved, 30));
            assert_eq!(before[1..], after, "{rules} and {moved}");
            count += 1;
        }
        assert!(count > 400);
    }

    /// Codes to which the theorem on equal options applies have equal values far beyond the heaps that it looks at.
    #[test]
    fn equal_options_give_equal_values() {
        let games = [Family::Octal2.games(), Family::Hexadecimal.games()].concat();
        let values: Vec<Vec<u32>> = games.iter().map(|rules| naive::values(rules, 40)).collect();
        let mut equal = 0;
        for (i, a) in games.iter().enumerate() {
            for (j, b) in games.iter().enumerate().skip(i + 1).filter(|(_, b)| same_options(a, b)) {
                assert_eq!(values[i], values[j], "{a} and {b}");
                equal += 1;
            }
        }
        assert!(equal > 20, "{equal}");
    }
}
