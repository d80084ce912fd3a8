//! Adjacency in compressed rows: all targets end to end, and where each row starts.

/// The edges of a graph, grouped by one of their ends. 4 bytes an edge and 4 a vertex.
#[derive(Clone, Debug)]
pub(super) struct Csr {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Csr {
    /// Groups edges by the first vertex of the pairs that `edges` gives; it is asked twice. Inside a row the edges keep
    /// their order. There are fewer than 2^32 of them: the reader sees to that.
    pub fn new<I: Iterator<Item = (u32, u32)>>(vertices: usize, edges: impl Fn() -> I) -> Csr {
        let mut starts = vec![0u32; vertices + 2];
        // Counted two places ahead, so that filling the rows moves every start to its own place.
        edges().for_each(|(from, _)| starts[from as usize + 2] += 1);
        (1..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        let mut targets = vec![0; starts[vertices + 1] as usize];
        for (from, to) in edges() {
            let place = &mut starts[from as usize + 1];
            targets[*place as usize] = to;
            *place += 1;
        }
        starts.pop();
        Csr { starts, targets }
    }

    /// The same rows, each ascending and every target once.
    pub fn without_repeats(mut self) -> Csr {
        let (mut from, mut kept) = (0, 0);
        for v in 0..self.vertices() {
            let end = self.starts[v + 1] as usize;
            self.targets[from..end].sort_unstable();
            let first = kept;
            for i in from..end {
                if kept == first || self.targets[kept - 1] != self.targets[i] {
                    self.targets[kept] = self.targets[i];
                    kept += 1;
                }
            }
            (from, self.starts[v + 1]) = (end, kept as u32);
        }
        self.targets.truncate(kept);
        self
    }

    /// The same edges, grouped by their other end.
    pub fn reversed(&self) -> Csr {
        Csr::new(self.vertices(), || self.edges().map(|(from, to)| (to, from)))
    }

    pub fn vertices(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn len(&self) -> usize {
        self.targets.len()
    }

    pub fn row(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.targets[self.starts[v] as usize..self.starts[v + 1] as usize]
    }

    fn edges(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.vertices() as u32).flat_map(|v| self.row(v).iter().map(move |&to| (v, to)))
    }
}
