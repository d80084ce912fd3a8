//! JSON that a person can look at: one key of the outermost object a line, what is inside it in one piece.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

/// An object as text that ends with a newline.
pub(super) fn one_key_a_line(object: &impl Serialize) -> String {
    let mut text = Vec::new();
    object
        .serialize(&mut Serializer::with_formatter(&mut text, KeyALine { depth: 0 }))
        .expect("plain data in memory is always serialised");
    text.push(b'\n');
    String::from_utf8(text).expect("JSON is UTF-8")
}

struct KeyALine {
    depth: usize,
}

impl Formatter for KeyALine {
    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth += 1;
        out.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.depth -= 1;
        out.write_all(if self.depth == 0 { b"\n}" } else { b"}" })
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(match (self.depth, first) {
            (1, true) => b"\n  ",
            (1, false) => b",\n  ",
            (_, true) => b"",
            (_, false) => b", ",
        })
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}
