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
