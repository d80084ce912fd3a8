//! A position's answer as one JSON object. Numbers are numbers, however long.

use std::io::{self, Write};

use num_bigint::BigUint;
use serde::Serialize;
use serde_json::value::RawValue;

use super::Answer;
use crate::sums::Label;

#[derive(Serialize)]
struct Object<'a> {
    position: String,
    play: &'a str,
    value: Option<Box<RawValue>>,
    outcome: String,
    components: Vec<Component<'a>>,
    moves: Option<Vec<Move>>,
    move_count: Option<Box<RawValue>>,
}

#[derive(Serialize)]
struct Component<'a> {
    game: &'a str,
    position: Box<RawValue>,
    count: Box<RawValue>,
    value: Option<Box<RawValue>>,
}

#[derive(Serialize)]
struct Move {
    component: usize,
    from: Box<RawValue>,
    to: Vec<Box<RawValue>>,
}

/// Writes the answer on one line.
pub(super) fn write(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    let position = answer.position;
    // Under misère play nim-values decide nothing, so none is given: not even those of Nim.
    let values = answer.values.as_ref().filter(|_| !answer.misere);
    let component = |(i, term)| Component {
        game: &position.game(term).name,
        position: label(&position.label(term)),
        count: number(&term.count),
        value: values.map(|values| number(&values.of_components[i])),
    };
    let one_move = |m: &crate::sums::Move| Move {
        component: m.component,
        from: label(&m.step.from),
        to: m.step.to.iter().map(label).collect(),
    };
    let moves = answer.moves.as_ref().ok();
    let object = Object {
        position: position.to_string(),
        play: if answer.misere { "misere" } else { "normal" },
        value: values.map(|values| number(&values.nim_sum)),
        outcome: answer.outcome.to_string(),
        components: position.terms().iter().enumerate().map(component).collect(),
        moves: moves.map(|moves| moves.listed.iter().map(one_move).collect()),
        move_count: moves.map(|moves| number(&moves.count)),
    };
    serde_json::to_writer(&mut *out, &object)?;
    writeln!(out)
}

fn number(number: &BigUint) -> Box<RawValue> {
    raw(number.to_string())
}

fn label(label: &Label) -> Box<RawValue> {
    match label {
        Label::Number(n) => number(n),
        Label::Name(name) => raw(serde_json::Value::from(name.as_str()).to_string()),
    }
}

fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).expect("a number or a quoted string is JSON")
}
