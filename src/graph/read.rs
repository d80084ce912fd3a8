//! Reading a graph: a list of edges, or JSON.

use std::path::Path;

use super::csr::Csr;
use super::names::Names;
use super::{Graph, GraphError, json};

/// Vertices and edges as they are read.
#[derive(Default)]
pub(super) struct Builder {
    pub names: Names,
    pub edges: Vec<(u32, u32)>,
}

impl Builder {
    pub fn vertex(&mut self, name: &str) -> Result<u32, GraphError> {
        self.names.intern(name).ok_or(GraphError::TooLarge)
    }

    pub fn finish(mut self) -> Result<Graph, GraphError> {
        if self.names.is_empty() {
            return Err(GraphError::Empty);
        }
        if u32::try_from(self.edges.len()).is_err() {
            return Err(GraphError::TooLarge);
        }
        self.names.shrink();
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
        let io = |source| GraphError::Io { path: path.to_owned(), source };
        let text = String::from_utf8(std::fs::read(path).map_err(io)?).map_err(|error| {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            GraphError::NotText { line: good.iter().filter(|&&b| b == b'\n').count() + 1 }
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        if text.trim_start().starts_with(['{', '[']) { Graph::from_json(text) } else { Graph::from_edge_list(text) }
    }

    /// Reads a list of edges: `u v` a line, where `u` and `v` are names or numbers without white space and `v` is an
    /// option of `u`. What follows a word that starts with `#` is a comment; empty lines are skipped.
    ///
    /// # Errors
    /// [`GraphError::Line`] with the number of the first bad line, [`GraphError::Empty`] if there is no edge.
    pub fn from_edge_list(text: &str) -> Result<Graph, GraphError> {
        let mut builder = Builder::default();
        for (i, line) in text.lines().enumerate() {
            let mut words = line.split_ascii_whitespace().take_while(|word| !word.starts_with('#'));
            let wrong = |message: String| GraphError::Line { line: i + 1, message };
            match (words.next(), words.next(), words.next()) {
                (None, ..) => {}
                (Some(u), Some(v), None) if u != v => {
                    let edge = (builder.vertex(u)?, builder.vertex(v)?);
                    builder.edges.push(edge);
                }
                (Some(u), Some(_), None) => {
                    return Err(wrong(format!("the edge from `{u}` to itself is a cycle: play would never end")));
                }
                (Some(u), None, _) => {
                    return Err(wrong(format!("`{u}` stands alone: an edge is two vertices, `u v`")));
                }
                (Some(u), Some(v), Some(w)) => {
                    return Err(wrong(format!(
                        "`{u} {v} {w}` is more than two words: write one edge `u v` a line, and comments behind a #"
                    )));
                }
            }
        }
        builder.finish()
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
        let mut builder = Builder { names: Names::default(), edges };
        for vertex in 0..vertices {
            builder.vertex(&vertex.to_string())?;
        }
        builder.finish()
    }
}
