//! Reading a graph: a list of edges, or JSON.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use super::csr::Csr;
use super::names::Names;
use super::{Graph, GraphError, json};

/// A smaller part of a file is not worth a thread of its own.
const MIN_CHUNK: usize = 1 << 20;

/// How much of a file is in memory at once.
const BLOCK: usize = 1 << 24;

/// Numbers below this are looked up directly when the length of the input is not known.
const UNKNOWN_LENGTH: u64 = 1 << 24;

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
        let moves = Csr::new(self.names.len(), || self.edges.iter().copied()).without_repeats();
        Ok(Graph { names: self.names, moves })
    }
}

impl Graph {
    /// Reads a file: JSON if its first character is `{` or `[`, otherwise a list of edges. A list is read block by block,
    /// and is never in memory as a whole.
    ///
    /// # Errors
    /// [`GraphError`] if the file cannot be read or is neither.
    pub fn read(path: &Path) -> Result<Graph, GraphError> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        let length = if metadata.is_file() { metadata.len() } else { UNKNOWN_LENGTH };
        read(file, length)
    }

    /// The same from anywhere, such as the standard input.
    ///
    /// # Errors
    /// As for [`Graph::read`].
    pub fn read_from(input: impl Read) -> Result<Graph, GraphError> {
        read(input, UNKNOWN_LENGTH)
    }

    /// Reads a list of edges: `u v` a line, where `u` and `v` are names or numbers without white space and `v` is an
    /// option of `u`. A `#` at the start of a line or behind white space begins a comment, a `#` inside a word belongs to
    /// the word; empty lines are skipped.
    ///
    /// # Errors
    /// [`GraphError::Line`] with the number of the first bad line, [`GraphError::Empty`] if there is no edge.
    pub fn from_edge_list(text: &str) -> Result<Graph, GraphError> {
        edge_list(text)?.finish()
    }

    /// Reads JSON adjacency: `{"u": ["v", "w"], "v": []}`, or a list of lists in which vertex `i` has the options in the
    /// `i`-th. Vertices are strings or non-negative integers, and `7` is the vertex `"7"`. In an object, a vertex that is
    /// only named as an option has no options; in a list of lists every vertex has its list.
    ///
    /// # Errors
    /// [`GraphError::Json`], [`GraphError::Loop`], [`GraphError::Empty`].
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

/// A graph from an input of about `length` bytes.
fn read(mut input: impl Read, length: u64) -> Result<Graph, GraphError> {
    let mut block = Vec::new();
    fill(&mut input, &mut block)?;
    if block.starts_with("\u{feff}".as_bytes()) {
        block.drain(..3);
    }
    if block.trim_ascii_start().starts_with(b"{") || block.trim_ascii_start().starts_with(b"[") {
        input.read_to_end(&mut block)?;
        let builder = json::read(text(&block, 0)?)?;
        // A large text would weigh on the peak of memory, which is still to come.
        drop(block);
        return builder.finish();
    }
    let mut builder = Builder::for_text(usize::try_from(length).unwrap_or(usize::MAX));
    let (mut lines, mut more) = (0, true);
    while more {
        // Up to the last line that is whole; at the end of the input that is all.
        more = fill(&mut input, &mut block)?;
        let end = if more { block.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1) } else { block.len() };
        add_edges(&mut builder, text(&block[..end], lines)?, lines)?;
        lines += count_lines(&block[..end]);
        block.drain(..end);
    }
    builder.finish()
}

/// Reads on until the block is full, or doubled if it holds one long line. Whether there may be more.
fn fill(input: &mut impl Read, block: &mut Vec<u8>) -> io::Result<bool> {
    let wanted = if block.len() < BLOCK { BLOCK } else { 2 * block.len() };
    let room = (wanted - block.len()) as u64;
    Ok(input.take(room).read_to_end(block)? as u64 == room)
}

/// The text of a block behind `lines` lines.
fn text(block: &[u8], lines: usize) -> Result<&str, GraphError> {
    std::str::from_utf8(block)
        .map_err(|error| GraphError::NotText { line: lines + count_lines(&block[..error.valid_up_to()]) + 1 })
}

fn count_lines(text: &[u8]) -> usize {
    text.iter().filter(|&&b| b == b'\n').count()
}

/// The edges of a text.
fn edge_list(text: &str) -> Result<Builder, GraphError> {
    let mut builder = Builder::for_text(text.len());
    add_edges(&mut builder, text, 0)?;
    Ok(builder)
}

/// Adds the edges of a text that stands behind `lines` lines, read in parallel.
fn add_edges(builder: &mut Builder, text: &str, lines: usize) -> Result<(), GraphError> {
    let chunks = chunks(text, text.len().div_ceil(rayon::current_num_threads()).max(MIN_CHUNK));
    let parts: Vec<_> = chunks.par_iter().map(|chunk| edges(&text[chunk.clone()])).collect();
    for (chunk, part) in chunks.into_iter().zip(parts) {
        builder.append(part.map_err(|BadLine { index, message }| {
            let before = lines + count_lines(&text.as_bytes()[..chunk.start]);
            GraphError::Line { line: before + index + 1, message }
        })?)?;
    }
    Ok(())
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
