//! Game graphs: any acyclic directed graph is an impartial game, a move along an edge at a time, and whoever cannot
//! move loses.
//!
//! ```
//! use sprague::graph::Graph;
//! let graph = Graph::from_edge_list("start a\nstart b\na b   # a comment\n")?;
//! let solved = graph.solve()?;
//! let start = solved.find("start").unwrap();
//! assert_eq!(solved.value(start), 2);
//! assert_eq!(solved.best_move(start).map(|v| solved.name(v)), Some("b"));
//! # Ok::<(), sprague::graph::GraphError>(())
//! ```

mod csr;
mod dot;
mod json;
mod names;
mod read;
mod solve;

pub use dot::MAX_DOT_VERTICES;
pub use names::{Names, natural_order};

use thiserror::Error;

use csr::Csr;

/// A graph that cannot be read or has no Grundy values. The message does not name the file: whoever chose it does.
#[derive(Debug, Error)]
pub enum GraphError {
    /// The file cannot be read.
    #[error("the graph cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// The text is not UTF-8.
    #[error("the graph is not UTF-8 text: the first bad byte is in line {line}")]
    NotText {
        /// The line, counted from 1.
        line: usize,
    },
    /// A line is not an edge.
    #[error("line {line}: {message}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong and what to write.
        message: String,
    },
    /// The JSON is not an adjacency list.
    #[error("{0}; write {{\"u\": [\"v\", \"w\"], \"v\": []}}, or [[1, 2], [2], []] for the vertices 0, 1 and 2")]
    Json(String),
    /// A vertex that is its own option, in JSON.
    #[error("the graph has a loop: `{0}` is among its own options, so play would never end")]
    Loop(String),
    /// No vertex at all.
    #[error("the graph is empty: write one edge `u v` a line, or JSON such as {{\"u\": [\"v\"]}}")]
    Empty,
    /// A cycle, so that play need not end.
    #[error("the graph has a cycle, and Grundy values need play that ends: {}", show_cycle(.0))]
    Cycle(Vec<String>),
    /// 2^32 vertices or edges, or more.
    #[error("the graph is too large: vertices and edges are counted below 2^32")]
    TooLarge,
    /// Too many vertices to draw.
    #[error("a graph of {0} vertices makes no readable picture: DOT export ends at {MAX_DOT_VERTICES} vertices")]
    TooLargeToDraw(usize),
}

/// Longer cycles are shown with their middle left out.
const SHOWN_CYCLE: usize = 24;

fn show_cycle(names: &[String]) -> String {
    let mut shown: Vec<&str> = names.iter().map(String::as_str).collect();
    let middle = format!("... ({} more) ...", names.len().saturating_sub(SHOWN_CYCLE));
    if names.len() > SHOWN_CYCLE {
        shown.splice(SHOWN_CYCLE / 2..names.len() - SHOWN_CYCLE / 2, [middle.as_str()]);
    }
    shown.extend(names.first().map(String::as_str));
    shown.join(" -> ")
}

/// A directed graph: vertices with names, and edges that are moves. Vertices are numbered in the order in which the
/// input first names them. An edge that is given twice is one edge.
#[derive(Clone, Debug)]
pub struct Graph {
    names: Names,
    moves: Csr,
}

impl Graph {
    /// The number of vertices.
    pub fn vertices(&self) -> usize {
        self.names.len()
    }

    /// The number of different edges.
    pub fn edges(&self) -> usize {
        self.moves.len()
    }

    /// Grundy values of all vertices, in parallel on the threads of rayon's pool.
    ///
    /// # Errors
    /// [`GraphError::Cycle`] with the names on one cycle.
    pub fn solve(self) -> Result<Solved, GraphError> {
        match solve::values(&self.moves) {
            Ok((values, levels)) => Ok(Solved { graph: self, values, levels }),
            Err(marked) => {
                let cycle = solve::cycle(&self.moves, &marked);
                Err(GraphError::Cycle(cycle.into_iter().map(|v| self.names.get(v).to_owned()).collect()))
            }
        }
    }
}

/// A graph with the Grundy values of its vertices.
#[derive(Clone, Debug)]
pub struct Solved {
    graph: Graph,
    values: Vec<u32>,
    levels: usize,
}

impl Solved {
    /// The number of vertices; they are numbered from 0.
    pub fn vertices(&self) -> usize {
        self.graph.vertices()
    }

    /// The number of edges.
    pub fn edges(&self) -> usize {
        self.graph.edges()
    }

    /// The number of moves of the longest play.
    pub fn longest_play(&self) -> usize {
        self.levels.saturating_sub(1)
    }

    /// The Grundy value of a vertex; 0 is a P-position.
    pub fn value(&self, vertex: u32) -> u32 {
        self.values[vertex as usize]
    }

    /// All values, by vertex.
    pub fn values(&self) -> &[u32] {
        &self.values
    }

    /// The vertices that a move leads to, each once, ascending.
    pub fn options(&self, vertex: u32) -> &[u32] {
        self.graph.moves.row(vertex)
    }

    /// A winning move: of the options that are P-positions the first by [`natural_order`] of the names. `None` if the
    /// vertex is a P-position itself.
    pub fn best_move(&self, vertex: u32) -> Option<u32> {
        let winning = self.options(vertex).iter().copied().filter(|&v| self.value(v) == 0);
        winning.min_by(|&a, &b| natural_order(self.name(a), self.name(b)))
    }

    /// The name of a vertex.
    pub fn name(&self, vertex: u32) -> &str {
        self.graph.names.get(vertex)
    }

    /// The vertex of this name.
    pub fn find(&self, name: &str) -> Option<u32> {
        self.graph.names.find(name)
    }
}

#[cfg(test)]
mod tests;
