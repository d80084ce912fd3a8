//! Reading a graph: a list of edges, or JSON.

use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use super::csr::Csr;
use super::names::Names;
use super::{Graph, GraphError, json};

/// A smaller part of a file is not worth a thread of its own.
const MIN_CHUNK: usize = 1 << 20;

/// Vertices and edges as they are read.
pub(super) struct Builder {
    pub names: Names,
    pub edges: Vec<(u32, u32)>,
}

impl Builder {
    /// Nothing yet; the graph will be read from a text of so many bytes.
    pub fn for_text(bytes: usize) -> Builder {
        Builder { names: Names::for_text(bytes), edges: Vec::new() }
    }

    pub fn vertex(&mut self, name: &str) -> Result<u32, GraphError> {
        self.names.intern(name).ok_or(GraphError::TooLarge)
    }

    /// Adds what was read from a later part of the input.
    fn append(&mut self, later: Builder) -> Result<(), GraphError> {
        if self.names.is_empty() {
            *self = later;
            return Ok(());
        }
        let here = |v| self.vertex(later.names.get(v));
        let here: Vec<u32> = (0..later.names.len() as u32).map(here).collect::<Result<_, _>>()?;
        self.edges.par_extend(later.edges.par_iter().map(|&(u, v)| (here[u as usize], here[v as usize])));
        Ok(())
    }

    pub fn finish(self) -> Result<Graph, GraphError> {
        if self.names.is_empty() {
            return Err(GraphError::Empty);
        }
        if u32::try_from(self.edges.len()).is_err() {
            return Err(GraphError::TooLarge);
        }
        let moves = Csr::new(self.names.len(), || self.edges.iter().copied());
        Ok(Graph { names: self.names, moves })
    }
}

impl Graph {
    /// Reads a file: JSON if its first character is `{` or `[`, otherwise a list of edges.
    ///
    /// # Errors
    /// [`GraphError`] if the file cannot be read or is neither.
    pub fn read(path: &Path) -> Result<Graph, GraphError> {
        let text = String::from_utf8(std::fs::read(path)?).map_err(|error| {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            GraphError::NotText { line: good.iter().filter(|&&b| b == b'\n').count() + 1 }
        })?;
        let graph = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let is_json = graph.trim_start().starts_with(['{', '[']);
        let builder = if is_json { json::read(graph)? } else { edge_list(graph)? };
        // A large text would weigh on the peak of memory, which is still to come.
        drop(text);
        builder.finish()
    }

    /// Reads a list of edges: `u v` a line, where `u` and `v` are names or numbers without white space and `v` is an
    /// option of `u`. What follows a word that starts with `#` is a comment; empty lines are skipped.
    ///
    /// # Errors
    /// [`GraphError::Line`] with the number of the first bad line, [`GraphError::Empty`] if there is no edge.
    pub fn from_edge_list(text: &str) -> Result<Graph, GraphError> {
        edge_list(text)?.finish()
    }

    /// Reads JSON adjacency: `{"u": ["v", "w"], "v": []}`, or a list of lists in which vertex `i` has the options in the
    /// `i`-th. Vertices are strings or non-negative integers, and `7` is the vertex `"7"`. A vertex that is only named
    /// as an option has no options.
    ///
    /// # Errors
    /// [`GraphError::Json`], [`GraphError::Empty`].
    pub fn from_json(text: &str) -> Result<Graph, GraphError> {
        json::read(text)?.finish()
    }

    /// A graph on the vertices 0 to `vertices - 1`, each named by its number.
    ///
    /// # Errors
    /// [`GraphError::TooLarge`].
    ///
    /// # Panics
    /// If an edge names a vertex that is not there.
    pub fn from_edges(vertices: usize, edges: Vec<(u32, u32)>) -> Result<Graph, GraphError> {
        let mut builder = Builder { names: Names::for_text(2 * vertices), edges };
        for vertex in 0..vertices {
            builder.vertex(&vertex.to_string())?;
        }
        builder.finish()
    }
}

/// The edges of a text, read in parallel.
fn edge_list(text: &str) -> Result<Builder, GraphError> {
    let chunks = chunks(text, text.len().div_ceil(rayon::current_num_threads()).max(MIN_CHUNK));
    let parts: Vec<_> = chunks.par_iter().map(|chunk| edges(&text[chunk.clone()])).collect();
    let mut builder = Builder::for_text(0);
    for (chunk, part) in chunks.into_iter().zip(parts) {
        builder.append(part.map_err(|BadLine { index, message }| {
            let before = text[..chunk.start].bytes().filter(|&b| b == b'\n').count();
            GraphError::Line { line: before + index + 1, message }
        })?)?;
    }
    Ok(builder)
}

/// The text in pieces of about `size` bytes that end with a line.
fn chunks(text: &str, size: usize) -> Vec<Range<usize>> {
    let mut chunks = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let wanted = (start + size).min(text.len());
        let end = text.as_bytes()[wanted..].iter().position(|&b| b == b'\n').map_or(text.len(), |at| wanted + at + 1);
        chunks.push(start..end);
        start = end;
    }
    chunks
}

/// A line that is no edge: its index in the text at hand, and what is wrong.
struct BadLine {
    index: usize,
    message: String,
}

/// The edges of some lines.
fn edges(text: &str) -> Result<Builder, BadLine> {
    let mut builder = Builder::for_text(text.len());
    for (index, line) in text.lines().enumerate() {
        let wrong = |message| BadLine { index, message };
        if let Some((u, v)) = edge(line).map_err(wrong)? {
            let mut vertex = |name| builder.vertex(name).map_err(|error| wrong(error.to_string()));
            let edge = (vertex(u)?, vertex(v)?);
            builder.edges.push(edge);
        }
    }
    Ok(builder)
}

/// The edge of a line, `None` if there is nothing on it but a comment.
fn edge(line: &str) -> Result<Option<(&str, &str)>, String> {
    let mut words = line.split_ascii_whitespace().take_while(|word| !word.starts_with('#'));
    match (words.next(), words.next(), words.next()) {
        (None, ..) => Ok(None),
        (Some(u), Some(v), None) if u != v => Ok(Some((u, v))),
        (Some(u), Some(_), None) => Err(format!("the edge from `{u}` to itself is a cycle: play would never end")),
        (Some(u), None, _) => Err(format!("`{u}` stands alone: an edge is two vertices, `u v`")),
        (Some(u), Some(v), Some(w)) => {
            Err(format!("`{u} {v} {w}` is more than two words: write one edge `u v` a line, and comments behind a #"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_whole_lines_and_all_of_them() {
        let text = "ab\n\ncdé f\ng";
        for size in 1..20 {
            let chunks: Vec<&str> = chunks(text, size).into_iter().map(|range| &text[range]).collect();
            assert_eq!(chunks.concat(), text);
            assert!(chunks[..chunks.len() - 1].iter().all(|chunk| chunk.ends_with('\n')));
        }
        assert!(chunks("", 5).is_empty());
    }

    /// A file of several chunks is the graph that it is in one, and a bad line in a later chunk has its number.
    #[test]
    fn parts_read_side_by_side_are_one_graph() {
        let name = |i: u32| {
            format!("{}{}", if i.is_multiple_of(3) { "the-vertex-of-number-" } else { "" }, i * 7919 % 100_003)
        };
        let lines = 200_000;
        let mut text: String =
            (0..lines).map(|i| format!("{} {}\n", name(i % 50_000), name(50_000 + i % 40_000))).collect();
        assert!(text.len() > 3 * MIN_CHUNK);
        let whole = edges(&text).map_err(|bad| bad.message).unwrap().finish().unwrap();
        let graph = Graph::from_edge_list(&text).unwrap();
        assert_eq!((graph.vertices(), graph.edges()), (whole.vertices(), whole.edges()));
        for v in 0..graph.vertices() as u32 {
            assert_eq!((graph.names.get(v), graph.moves.row(v)), (whole.names.get(v), whole.moves.row(v)));
        }
        text.push_str("\nalone\n");
        let error = Graph::from_edge_list(&text).unwrap_err().to_string();
        assert!(error.starts_with("line 200002: `alone`"), "{error}");
    }
}
