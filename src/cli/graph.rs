//! `sprague graph`: Grundy values of a game graph.

use std::cmp::Reverse;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;

use super::{Failure, Global, Outcome};
use crate::graph::{Graph, GraphError, Solved};

/// Longer names do not widen the column.
const MAX_NAME_WIDTH: usize = 40;

/// What `sprague graph` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Input: one edge `u v` a line (from u a move leads to v; names or numbers), or JSON:
{\"u\": [\"v\", \"w\"], \"v\": [\"w\"]} or [[1, 2], [2], []] (a list for each of the vertices 0, 1, 2).
A `#` at the start of a line or behind white space begins a comment; in a#b it is part of the name.
An edge given twice is one edge. There must be no cycle.
Sums of positions of a graph: sprague play \"graph(FILE): u + v\".")]
pub struct Args {
    /// The graph: a list of edges, or JSON adjacency; `-` reads the standard input
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print only the N vertices with the largest values, largest first
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Print the graph in the DOT language, green for P and orange for N (at most 2000 vertices: `| dot -Tsvg`)
    #[arg(long, conflicts_with_all = ["json", "top"])]
    dot: bool,
}

/// Reads the graph, solves it, prints it.
///
/// # Errors
/// A file that is no acyclic graph, a picture that would be too large.
pub fn run(args: Args, global: Global) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let failure = |error: GraphError| {
        let message = format!("{}: {error}", args.file.display());
        if matches!(error, GraphError::TooLargeToDraw(_)) { Failure::Usage(message) } else { Failure::Data(message) }
    };
    let graph =
        if args.file.as_os_str() == "-" { Graph::read_from(io::stdin().lock()) } else { Graph::read(&args.file) };
    let graph = graph.map_err(failure)?;
    let read = start.elapsed();
    let solved = graph.solve().map_err(failure)?;
    if global.verbose {
        let solving = start.elapsed() - read;
        eprintln!("read in {:.2} s, solved in {:.2} s", read.as_secs_f64(), solving.as_secs_f64());
    }
    let mut out = BufWriter::new(io::stdout().lock());
    if args.dot {
        solved.write_dot(&mut out)?.map_err(failure)?;
    } else {
        let shown = select(&solved, args.top);
        if args.json { json(&mut out, &solved, &shown)? } else { text(&mut out, &solved, &shown)? }
    }
    out.flush()?;
    Ok(Outcome::Done)
}

/// The vertices to show: all as the file names them, or the largest values first.
fn select(solved: &Solved, top: Option<usize>) -> Vec<u32> {
    let mut shown: Vec<u32> = (0..solved.vertices() as u32).collect();
    if let Some(top) = top {
        shown.sort_by_key(|&v| Reverse(solved.value(v)));
        shown.truncate(top);
    }
    shown
}

fn outcome(value: u32) -> &'static str {
    if value == 0 { "P" } else { "N" }
}

/// What is said of the graph as a whole.
#[derive(Serialize)]
struct Summary {
    vertex_count: usize,
    edge_count: usize,
    p_count: usize,
    n_count: usize,
    max_value: u32,
    longest_play: usize,
}

impl Summary {
    fn of(solved: &Solved) -> Summary {
        let p_count = solved.values().iter().filter(|&&value| value == 0).count();
        Summary {
            vertex_count: solved.vertices(),
            edge_count: solved.edges(),
            p_count,
            n_count: solved.vertices() - p_count,
            max_value: solved.values().iter().copied().max().unwrap_or(0),
            longest_play: solved.longest_play(),
        }
    }
}

fn text(out: &mut impl Write, solved: &Solved, shown: &[u32]) -> io::Result<()> {
    let Summary { vertex_count, edge_count, p_count, n_count, max_value, longest_play } = Summary::of(solved);
    let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    let vertices = count(vertex_count, "vertex", "vertices");
    let (edges, moves) = (count(edge_count, "edge", "edges"), count(longest_play, "move", "moves"));
    writeln!(out, "{vertices}, {edges}, longest play {moves}")?;
    let [next, previous] = [n_count, p_count].map(|n| n != 1).map(|many| if many { "s" } else { "" });
    writeln!(
        out,
        "{n_count} N-position{next} (the player to move wins), {p_count} P-position{previous}, \
         largest value {max_value}\n"
    )?;
    let longest = shown.iter().map(|&v| solved.name(v).chars().count()).max().unwrap_or(0);
    let width = longest.clamp("vertex".len(), MAX_NAME_WIDTH);
    writeln!(out, "{:width$}  {:>5}  outcome  best move", "vertex", "value")?;
    for &v in shown {
        let value = solved.value(v);
        let best = solved.best_move(v).map_or("-", |to| solved.name(to));
        writeln!(out, "{:width$}  {value:>5}  {:7}  {best}", solved.name(v), outcome(value))?;
    }
    Ok(())
}

/// One vertex of the JSON output.
#[derive(Serialize)]
struct Row<'a> {
    vertex: &'a str,
    value: u32,
    outcome: &'a str,
    best_move: Option<&'a str>,
}

/// One object, written vertex by vertex: there may be millions.
fn json(out: &mut impl Write, solved: &Solved, shown: &[u32]) -> io::Result<()> {
    let summary = serde_json::to_string(&Summary::of(solved))?;
    write!(out, "{},\"vertices\":[", summary.trim_end_matches('}'))?;
    for (i, &v) in shown.iter().enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        let (value, best_move) = (solved.value(v), solved.best_move(v).map(|to| solved.name(to)));
        let row = Row { vertex: solved.name(v), value, outcome: outcome(value), best_move };
        serde_json::to_writer(&mut *out, &row)?;
    }
    writeln!(out, "\n]}}")
}
