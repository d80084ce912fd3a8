use proptest::prelude::*;

use super::*;

fn canonical(text: &str) -> String {
    text.parse::<Rules>().unwrap_or_else(|e| panic!("{e}")).to_string()
}

#[test]
fn canonical_forms() {
    for (text, form) in [
        ("0.77", "0.77"),
        (".77", "0.77"),
        ("0.7700", "0.77"),
        ("4.3", "4.3"),
        ("4.0", "4.0"),
        ("0.0", "0.0"),
        ("0.[3]", "0.[3]"),
        ("0.3[33]", "0.[3]"),
        ("0.1[2121]", "0.[12]"),
        ("0.07[37]", "0.0[73]"),
        ("0.7[0]", "0.7"),
        ("0.137f", "0.137F"),
        ("c.4", "C.4"),
        ("sub{4,1,3,1}", "sub{1,3,4}"),
        ("SUB { 4, 1 ,3 }", "sub{1,3,4}"),
        ("allbut {}", "allbut{}"),
        ("sub{2+}", "sub{2+}"),
        ("sub{1,2+}", "sub{1+}"),
        ("sub{5+,3}", "sub{3,5+}"),
        ("sub{3+,7}", "sub{3+}"),
        ("allbut{4,1}", "allbut{1,4}"),
        ("allbut{}", "allbut{}"),
        ("Kayles", "0.77"),
        ("dawsons-kayles", "0.07"),
        ("nim", "0.[3]"),
        ("lasker", "4.[3]"),
        ("grundys-game", "grundys-game"),
        ("couples-are-forever", "couples-are-forever"),
    ] {
        assert_eq!(canonical(text), form, "{text}");
        assert_eq!(canonical(form), form, "{text} again");
    }
}

#[test]
fn errors_point_at_the_character() {
    for (text, at) in [
        ("", 0),
        ("77", 2),
        ("0.7x7", 3),
        ("1.7", 0),
        ("00.7", 1),
        ("0.", 2),
        ("0.[", 3),
        ("0.[3", 4),
        ("0.[3]7", 5),
        ("0.7é", 3),
        ("sub{", 4),
        ("sub{}", 4),
        ("sub{0}", 4),
        ("sub{1,0}", 6),
        ("sub{1;2}", 5),
        ("sub {1, 2; 3}", 9),
        ("sub", 0),
        ("sub{1}x", 6),
        ("sub{1+,2+}", 7),
        ("sub{99999999999999999999}", 4),
        ("allbut{2+}", 8),
        ("kayle", 0),
    ] {
        let error = text.parse::<Rules>().expect_err(text);
        assert_eq!(error.at, at, "{text}: {error}");
        let caret = error.to_string().lines().last().unwrap().chars().count();
        assert_eq!(caret, at + 3, "the caret under {text}");
    }
}

#[test]
fn a_subtraction_set_is_a_code_of_threes() {
    let set: Rules = "sub{1,3,4}".parse().unwrap();
    let code: Rules = "0.3033".parse().unwrap();
    assert_eq!((set.prefix(), set.tail()), (code.prefix(), code.tail()));
    let allbut: Rules = "allbut{1,4}".parse().unwrap();
    let digits: Vec<u8> = (0..8).map(|i| allbut.digit(i)).collect();
    assert_eq!(digits, [0, 0, 3, 3, 0, 3, 3, 3]);
    assert_eq!(allbut.last_index(), None);
}

#[test]
fn shape_of_the_rules() {
    let of = |text: &str| text.parse::<Rules>().unwrap();
    assert_eq!(of("0.77").max_parts(), 2);
    assert_eq!(of("0.1").max_parts(), 0);
    assert_eq!(of("0.3").max_parts(), 1);
    assert_eq!(of("0.9").max_parts(), 3);
    assert_eq!(of("4.[3]").max_parts(), 2);
    assert_eq!(of("0.0").last_index(), Some(0));
    assert_eq!(of("0.77").name().unwrap().name, "kayles");
    assert!(of("0.78").name().is_none());
    assert_eq!(Rules::from_digits(&[0, 7, 7], &[]), Some(of("0.77")));
    assert_eq!(Rules::from_digits(&[1, 7], &[]), None);
    assert_eq!(Rules::from_digits(&[], &[3]), None);
}

#[test]
fn misspelt_names_are_guessed() {
    for (text, wanted) in [
        ("nimm", "did you mean nim?"),
        ("Kayle", "did you mean kayles?"),
        ("dawson-kayles", "did you mean dawsons-kayles?"),
        ("grundy-game", "did you mean grundys-game?"),
        ("chess", "or one of kayles"),
        ("x", "or one of kayles"),
    ] {
        let error = text.parse::<Rules>().unwrap_err();
        assert!(error.message.contains(wanted) && error.message.starts_with("no such game"), "{error}");
    }
}

#[test]
fn moves_of_small_heaps() {
    let moves = |text: &str, n| -> Vec<(u64, Vec<u64>)> {
        text.parse::<Rules>().unwrap().moves(n).map(|m| (m.taken, m.parts.to_vec())).collect()
    };
    assert_eq!(moves("0.77", 3), [(1, vec![2]), (1, vec![1, 1]), (2, vec![1])]);
    assert_eq!(moves("0.1", 1), [(1, vec![])]);
    assert_eq!(moves("0.1", 2), []);
    assert_eq!(moves("4.0", 4), [(0, vec![1, 3]), (0, vec![2, 2])]);
    assert_eq!(moves("grundys-game", 4), [(0, vec![1, 3])]);
    assert_eq!(moves("couples-are-forever", 2), []);
    assert_eq!(moves("couples-are-forever", 3), [(0, vec![1, 2])]);
    assert_eq!(moves("0.8", 4), [(1, vec![1, 1, 1])]);
    assert_eq!(moves("nim", 2), [(1, vec![1]), (2, vec![])]);
}

proptest! {
    /// parse(display(g)) == g for every code, finite or with a tail.
    #[test]
    fn display_round_trips(
        d0 in prop::sample::select(vec![0u8, 4, 8, 12]),
        digits in prop::collection::vec(0u8..16, 1..8),
        tail in prop::collection::vec(0u8..16, 0..5),
    ) {
        let prefix: Vec<u8> = std::iter::once(d0).chain(digits).collect();
        let rules = Rules::from_digits(&prefix, &tail).unwrap();
        prop_assert_eq!(rules.to_string().parse::<Rules>().unwrap(), rules.clone());
        // Normalising changes the writing, never a digit.
        for i in 0..60u64 {
            let wanted = match prefix.get(i as usize) {
                Some(&d) => d,
                None if tail.is_empty() => 0,
                None => tail[(i as usize - prefix.len()) % tail.len()],
            };
            prop_assert_eq!(rules.digit(i), wanted);
        }
    }

    /// The same for sets.
    #[test]
    fn sets_round_trip(set in prop::collection::btree_set(1u64..30, 1..6), allbut: bool, plus in 0u64..40) {
        let mut items: Vec<String> = set.iter().map(u64::to_string).collect();
        if plus > 0 && !allbut {
            items.push(format!("{plus}+"));
        }
        let text = format!("{}{{{}}}", if allbut { "allbut" } else { "sub" }, items.join(","));
        let rules: Rules = text.parse().unwrap();
        prop_assert_eq!(rules.to_string().parse::<Rules>().unwrap(), rules.clone());
        for i in 1..60 {
            let may = if allbut { !set.contains(&i) } else { set.contains(&i) || (plus > 0 && i >= plus) };
            prop_assert_eq!(rules.digit(i), if may { 3 } else { 0 });
        }
    }

    /// Every move leaves the tokens that it does not take, in heaps that are not empty, and comes once.
    #[test]
    fn moves_are_legal_and_distinct(digits in prop::collection::vec(0u8..16, 1..5), n in 0u64..25) {
        let mut prefix = vec![4];
        prefix.extend(digits);
        let rules = Rules::from_digits(&prefix, &[]).unwrap();
        let mut seen = std::collections::HashSet::new();
        for m in rules.moves(n) {
            prop_assert_eq!(m.taken + m.parts.iter().sum::<u64>(), n);
            prop_assert!(m.parts.iter().all(|&h| h > 0) && m.parts.is_sorted());
            prop_assert!(rules.digit(m.taken) >> m.parts.len() & 1 == 1);
            prop_assert!(seen.insert(m));
        }
    }
}
