//! The graph as a picture: Graphviz DOT, coloured by outcome.

use std::io::{self, Write};

use super::{GraphError, Solved};

/// Pictures of larger graphs cannot be read, and Graphviz would take minutes to lay them out.
pub const MAX_DOT_VERTICES: usize = 2000;

impl Solved {
    /// Writes the graph in the DOT language. Every vertex shows its name and value; P-positions are green, N-positions
    /// orange, and the winning moves are bold.
    ///
    /// # Errors
    /// An [`io::Error`] of `out`; `Ok(Err(_))` with [`GraphError::TooLargeToDraw`] beyond [`MAX_DOT_VERTICES`] vertices.
    pub fn write_dot(&self, out: &mut impl Write) -> io::Result<Result<(), GraphError>> {
        if self.vertices() > MAX_DOT_VERTICES {
            return Ok(Err(GraphError::TooLargeToDraw(self.vertices())));
        }
        writeln!(out, "digraph game {{\n  node [style=filled, fontname=\"sans-serif\"];")?;
        for v in 0..self.vertices() as u32 {
            let colour = if self.value(v) == 0 { "palegreen" } else { "orange" };
            writeln!(out, "  {v} [label=\"{}\\n{}\", fillcolor={colour}];", escape(self.name(v)), self.value(v))?;
        }
        for v in 0..self.vertices() as u32 {
            for &to in self.options(v) {
                let wins = if self.value(to) == 0 { " [style=bold]" } else { "" };
                writeln!(out, "  {v} -> {to}{wins};")?;
            }
        }
        writeln!(out, "}}").map(Ok)
    }
}

/// The text of a name inside a quoted DOT string.
fn escape(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
