use proptest::prelude::*;

use super::*;

/// An independent computation: recursion with a memo, and the mex by counting up over a sorted list.
fn slow_values(vertices: usize, edges: &[(u32, u32)]) -> Vec<u32> {
    fn value(v: usize, options: &[Vec<usize>], memo: &mut [Option<u32>]) -> u32 {
        if let Some(known) = memo[v] {
            return known;
        }
        let mut seen: Vec<u32> = options[v].iter().map(|&u| value(u, options, memo)).collect();
        seen.sort_unstable();
        seen.dedup();
        let mex = seen.iter().zip(0..).take_while(|&(&a, b)| a == b).count() as u32;
        memo[v] = Some(mex);
        mex
    }
    let mut options = vec![Vec::new(); vertices];
    edges.iter().for_each(|&(u, v)| options[u as usize].push(v as usize));
    let mut memo = vec![None; vertices];
    (0..vertices).map(|v| value(v, &options, &mut memo)).collect()
}

fn lcg(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *state >> 33
}

/// Edges from larger to smaller numbers of a shuffled set, so the order of the input says nothing. The first half of
/// the vertices has near options only, so that there are many small levels and then few large ones.
fn random_dag(vertices: u32, edges: usize, seed: u64) -> Vec<(u32, u32)> {
    let mut state = seed;
    let mut order: Vec<u32> = (0..vertices).collect();
    (1..vertices as usize).for_each(|i| order.swap(i, lcg(&mut state) as usize % (i + 1)));
    let mut edge = || {
        let u = 1 + lcg(&mut state) as u32 % (vertices - 1);
        let reach = if u < vertices / 2 { u.min(50) } else { vertices / 2 };
        let v = if u < vertices / 2 { u - 1 - lcg(&mut state) as u32 % reach } else { lcg(&mut state) as u32 % reach };
        (order[u as usize], order[v as usize])
    };
    (0..edges).map(|_| edge()).collect()
}

fn agrees(vertices: u32, edges: Vec<(u32, u32)>) {
    let slow = slow_values(vertices as usize, &edges);
    let solved = Graph::from_edges(vertices as usize, edges).unwrap().solve().unwrap();
    assert_eq!(solved.values(), slow);
    for v in 0..vertices {
        match solved.best_move(v) {
            Some(to) => assert!(slow[to as usize] == 0 && solved.options(v).contains(&to)),
            None => assert_eq!(slow[v as usize], 0),
        }
    }
}

/// The slow computation recurses as deep as the longest play, hence the stack.
#[test]
fn ten_million_edges_equal_a_slow_computation() {
    let check = || agrees(200_000, random_dag(200_000, 10_000_000, 2));
    std::thread::Builder::new().stack_size(1 << 28).spawn(check).unwrap().join().unwrap();
}

proptest! {
    #[test]
    fn random_graphs_equal_a_slow_computation(vertices in 2u32..40, edges in 1usize..200, seed: u64) {
        agrees(vertices, random_dag(vertices, edges, seed));
    }
}

/// In the complete order every vertex sees all smaller ones, so its value is its number: values far above 64.
#[test]
fn values_beyond_a_word() {
    let edges = (0..300u32).flat_map(|u| (0..u).map(move |v| (u, v))).collect();
    let solved = Graph::from_edges(300, edges).unwrap().solve().unwrap();
    assert!(solved.values().iter().copied().eq(0..300));
    assert_eq!(solved.longest_play(), 299);
}

#[test]
fn a_path_as_deep_as_it_is_long() {
    let n = 1_000_000;
    let solved = Graph::from_edges(n as usize + 1, (0..n).map(|v| (v + 1, v)).collect()).unwrap().solve().unwrap();
    assert!((0..=n).all(|v| solved.value(v) == v % 2));
    assert_eq!(solved.longest_play(), n as usize);
}

#[test]
fn the_edge_list_and_both_kinds_of_json_are_one_graph() {
    let texts = ["0 1\r\n# c\n\n  0\t2 # d\n1 2 #\n", r#"{"0": [1, "2"], "1": [2]}"#, "[[1,2],[2],[]]"];
    let graphs = texts
        .map(|text| if text.starts_with(['{', '[']) { Graph::from_json(text) } else { Graph::from_edge_list(text) });
    for graph in graphs {
        let solved = graph.unwrap().solve().unwrap();
        let found: Vec<(&str, u32)> =
            (0..solved.vertices() as u32).map(|v| (solved.name(v), solved.value(v))).collect();
        assert_eq!(found, [("0", 2), ("1", 1), ("2", 0)]);
    }
}

#[test]
fn a_cycle_is_named_and_is_one() {
    for text in ["a b\nb c\nc a\nx a\nc d\n", "s a\na b\nb s2\ns2 a\nb t\n"] {
        let Err(GraphError::Cycle(cycle)) = Graph::from_edge_list(text).unwrap().solve() else { panic!("a cycle") };
        assert_eq!(cycle.len(), 3);
        for (i, from) in cycle.iter().enumerate() {
            let to = &cycle[(i + 1) % cycle.len()];
            assert!(text.lines().any(|line| line == format!("{from} {to}")), "{from} {to}");
        }
    }
}

#[test]
fn a_long_cycle_is_shown_in_short() {
    let text: String = (0..1000).map(|i| format!("{i} {}\n", (i + 1) % 1000)).collect();
    let error = Graph::from_edge_list(&text).unwrap().solve().unwrap_err().to_string();
    assert!(error.contains("(976 more)") && error.len() < 400, "{error}");
}

#[test]
fn bad_graphs_say_what_is_wrong() {
    for (text, words) in [
        ("a b\nc\n", "line 2: `c` stands alone"),
        ("a b\n\nb b\n", "line 3: the edge from `b` to itself"),
        ("a b c\n", "line 1: `a b c` is more than two words"),
        ("# nothing\n", "the graph is empty"),
    ] {
        assert!(Graph::from_edge_list(text).unwrap_err().to_string().contains(words), "{text}");
    }
    for (text, words) in [
        ("{}", "the graph is empty"),
        ("[]", "the graph is empty"),
        (r#"{"a": ["a"]}"#, "`a` is among its own options"),
        ("[[1],[2]]", "`2` is no vertex: a list of 2 lists has the vertices 0 to 1"),
        (r#"[["a"]]"#, "`a` is no vertex"),
        (r#"{"a": "b"}"#, "the list of a vertex's options"),
        (r#"{"a": [-1]}"#, "a string or a non-negative integer"),
        (r#"{"a": ["b"]"#, "EOF"),
        ("[[1]] x", "trailing characters"),
        ("[[0.5]]", "a string or a non-negative integer"),
    ] {
        let error = Graph::from_json(text).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn dot_colours_and_escapes() {
    let solved = Graph::from_json(r#"{"a\"\\": ["b"]}"#).unwrap().solve().unwrap();
    let mut dot = Vec::new();
    solved.write_dot(&mut dot).unwrap().unwrap();
    let dot = String::from_utf8(dot).unwrap();
    assert!(dot.contains(r#"0 [label="a\"\\\n1", fillcolor=orange];"#), "{dot}");
    assert!(dot.contains(r#"1 [label="b\n0", fillcolor=palegreen];"#) && dot.contains("0 -> 1 [style=bold];"), "{dot}");
    let path = Graph::from_edges(2001, (0..2000).map(|v| (v + 1, v)).collect()).unwrap().solve().unwrap();
    assert!(matches!(path.write_dot(&mut Vec::new()), Ok(Err(GraphError::TooLargeToDraw(2001)))));
}

/// A graph that is read block by block is the one that its whole text is, whatever comes at the ends of the blocks.
#[test]
fn an_input_of_several_blocks_is_one_graph() {
    let lines = 1_500_000u32;
    let text: String = (0..lines).map(|i| format!("näme-{} {}\n", i % 700_000, i / 3)).collect();
    assert!(text.len() > 20 << 20, "more than a block");
    let whole = Graph::from_edge_list(&text).unwrap();
    let read = Graph::read_from(text.as_bytes()).unwrap();
    assert_eq!((read.vertices(), read.edges()), (whole.vertices(), whole.edges()));
    assert!((0..read.vertices() as u32).all(|v| read.names.get(v) == whole.names.get(v)));
    assert!((0..read.vertices() as u32).all(|v| read.moves.row(v) == whole.moves.row(v)));
    let mut bad = text.into_bytes();
    bad.extend_from_slice(b"alone\n");
    let error = Graph::read_from(&bad[..]).unwrap_err().to_string();
    assert!(error.starts_with("line 1500001: `alone`"), "{error}");
    bad.truncate(bad.len() - 6);
    bad.push(0xff);
    assert!(matches!(Graph::read_from(&bad[..]), Err(GraphError::NotText { line: 1_500_001 })));
    // Lines that end where a block ends.
    let even: String = (0..1u32 << 22).map(|i| format!("{i:07} {:07}\n", i + 1)).collect();
    assert_eq!(even.len(), 64 << 20);
    assert_eq!(Graph::read_from(even.as_bytes()).unwrap().edges(), 1 << 22);
    // One comment that is longer than a block.
    let comment = format!("a b\n#{}\nb c", "x".repeat(40 << 20));
    assert_eq!(Graph::read_from(comment.as_bytes()).unwrap().edges(), 2);
}

#[test]
fn an_edge_given_twice_is_one_edge() {
    let solved = Graph::from_edge_list("a b\nb c\na b\na c\na b\n").unwrap().solve().unwrap();
    assert_eq!((solved.edges(), solved.value(0)), (3, 2));
    assert_eq!(solved.options(0), [1, 2]);
}

#[test]
fn a_hash_inside_a_word_belongs_to_it() {
    let solved = Graph::from_edge_list("a b#c\n#d e\n f g #h").unwrap().solve().unwrap();
    assert_eq!((solved.vertices(), solved.find("b#c"), solved.find("g")), (4, Some(1), Some(3)));
}

#[test]
fn the_best_move_is_the_least_in_natural_order() {
    let solved = Graph::from_edge_list("s 10\ns 9\ns b\n").unwrap().solve().unwrap();
    assert_eq!(solved.best_move(0).map(|v| solved.name(v)), Some("9"));
}
