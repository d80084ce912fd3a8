//! Reading the tables, and computing what they are compared with.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use sprague::driver::Computation;
use sprague::period::Period;
use sprague::{Rules, Values};

/// One row of a table: the fields by the names of their columns.
pub struct Row(HashMap<String, String>);

impl Row {
    pub fn text(&self, column: &str) -> &str {
        &self.0[column]
    }

    /// A number, or `None` for an empty field.
    pub fn number(&self, column: &str) -> Option<i64> {
        let text = self.text(column);
        (!text.is_empty()).then(|| text.parse().unwrap_or_else(|e| panic!("{column} `{text}`: {e}")))
    }

    /// A number that every row has.
    #[track_caller]
    pub fn count(&self, column: &str) -> u64 {
        u64::try_from(self.number(column).expect("the field is not empty")).expect("the field is not negative")
    }
}

/// The text of a file in `tests/data`.
pub fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The rows of a CSV table in `tests/data`.
pub fn table(name: &str) -> Vec<Row> {
    let text = file(name);
    let mut lines = text.lines().map(fields);
    let columns = lines.next().expect("a table has a header");
    let row = |fields: Vec<String>| {
        assert_eq!(fields.len(), columns.len(), "{name}: {fields:?}");
        Row(columns.iter().cloned().zip(fields).collect())
    };
    lines.map(row).collect()
}

/// The fields of a line; a field in quotes may have commas, and `""` for a quote.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for (i, c) in line.char_indices() {
        match c {
            '"' if quoted || !line[..i].ends_with('"') => quoted = !quoted,
            '"' => {
                quoted = true;
                fields.last_mut().unwrap().push('"');
            }
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

/// A game as the tables write it.
#[track_caller]
pub fn rules(game: &str) -> Rules {
    let game = match game {
        "Grundy" => "grundys-game",
        // A point with nothing behind it is no code, and nor is a digit alone.
        "4" => "4.0",
        code => code,
    };
    game.parse().unwrap_or_else(|e| panic!("{e}"))
}

/// The values of heaps 0 to `to`, every heap computed by the engine of choice.
pub fn values(rules: &Rules, to: u64) -> Values {
    let mut computation = Computation::new(rules, None, false);
    while computation.known() <= to {
        computation.step(to + 1).unwrap();
    }
    computation.value(to).expect("the last heap is known");
    let mut values = Values::new();
    values.extend(sprague::engine::Engine::history(computation.engine()).from_zero());
    values
}

/// Computes until a period is proven: that period, and what was computed.
pub fn prove(rules: &Rules, limit: u64) -> (Option<Period>, Computation) {
    let mut computation = Computation::new(rules, None, true);
    while computation.known() < limit && computation.filler().is_none() {
        computation.step(limit).unwrap();
    }
    (computation.filler().map(|filler| filler.period().clone()), computation)
}
