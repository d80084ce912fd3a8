//! The games that have names.

use super::{Form, Rules, Split};

/// A game that has a name.
#[derive(Debug)]
pub struct Named {
    /// The name that the program takes.
    pub name: &'static str,
    /// The rules in a sentence.
    pub about: &'static str,
    code: &'static str,
    split: Split,
}

impl Named {
    /// The rules of this game.
    pub fn rules(&self) -> Rules {
        match self.split {
            Split::Any => self.code.parse().expect("the codes of named games parse"),
            split => Rules::new(Form::Code, vec![4], vec![], split),
        }
    }

    /// The game of this name, whatever the case of its letters.
    pub(super) fn find(name: &str) -> Option<&'static Named> {
        NAMED.iter().find(|named| named.name.eq_ignore_ascii_case(name))
    }

    /// The game whose name is at most two slips away: letters that are missing, wrong or too many.
    pub(super) fn nearest(name: &str) -> Option<&'static Named> {
        let name = name.to_lowercase();
        let near = NAMED.iter().map(|named| (slips(&name, named.name), named)).min_by_key(|&(slips, _)| slips);
        near.filter(|&(slips, named)| slips <= 2 && slips * 2 < named.name.len()).map(|(_, named)| named)
    }
}

/// How many letters have to be added, dropped or changed to make `a` into `b` (Levenshtein 1965).
fn slips(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut before = std::mem::replace(&mut row[0], i + 1);
        for (j, &to) in b.iter().enumerate() {
            let changed = before + usize::from(from != to);
            before = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(before + 1);
        }
    }
    row[b.len()]
}

const fn code(name: &'static str, code: &'static str, about: &'static str) -> Named {
    Named { name, about, code, split: Split::Any }
}

const fn splitting(name: &'static str, split: Split, about: &'static str) -> Named {
    Named { name, about, code: "", split }
}

/// Every game that has a name.
pub const NAMED: &[Named] = &[
    code("kayles", "0.77", "take one or two tokens and split the rest into two heaps if you like"),
    code("dawsons-kayles", "0.07", "take two tokens and split the rest into two heaps if you like"),
    code("dawsons-chess", "0.137", "take one token as a whole heap, two from an end, or three from anywhere in a row"),
    code("officers", "0.6", "take one token from a heap of two or more, leaving one or two heaps"),
    code("treblecross", "0.007", "take three tokens and split the rest into two heaps if you like"),
    code("guiles", "0.15", "take a heap of one or two, or two tokens leaving exactly two heaps"),
    code("nim", "0.[3]", "take any number of tokens"),
    code("lasker", "4.[3]", "take any number of tokens, or split a heap in two without taking"),
    splitting("grundys-game", Split::Unequal, "split a heap into two heaps of different sizes"),
    splitting("couples-are-forever", Split::FromThree, "split a heap of three or more into two heaps"),
];
