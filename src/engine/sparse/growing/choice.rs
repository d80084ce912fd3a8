//! Which of several ways is the least work: found by taking each of them now and then.

/// So many times the best way is taken before another one is tried again.
const BETWEEN: usize = 64;
/// The share that the last time has in what a way is known to cost.
const LAST: f64 = 0.25;

/// What is known of the ways.
#[derive(Clone, Debug)]
pub struct Choice<const N: usize> {
    costs: [Option<f64>; N],
    current: usize,
    times: usize,
}

impl<const N: usize> Default for Choice<N> {
    fn default() -> Choice<N> {
        Choice { costs: [None; N], current: 0, times: 0 }
    }
}

impl<const N: usize> Choice<N> {
    /// The way to take this time.
    pub fn next(&mut self) -> usize {
        self.times += 1;
        let best = (0..N).min_by(|&a, &b| self.costs[a].partial_cmp(&self.costs[b]).expect("costs are numbers"));
        self.current = match best {
            // A way that was never taken comes before all others.
            Some(best) if self.costs[best].is_none() || !self.times.is_multiple_of(BETWEEN) => best,
            _ => self.times / BETWEEN % N,
        };
        self.current
    }

    /// Takes note of what the way that was taken has cost, in any unit.
    pub fn tell(&mut self, cost: f64) {
        let known = &mut self.costs[self.current];
        *known = Some(known.map_or(cost, |before| before + LAST * (cost - before)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cheapest way is taken nearly always, also when it is another one later.
    #[test]
    fn the_cheapest_way_is_found() {
        let mut choice = Choice::<3>::default();
        for costs in [[3.0, 1.0, 2.0], [3.0, 4.0, 2.0]] {
            let mut taken = [0; 3];
            for _ in 0..10_000 {
                let way = choice.next();
                choice.tell(costs[way]);
                taken[way] += 1;
            }
            let cheapest = (0..3).min_by(|&a, &b| costs[a].total_cmp(&costs[b])).unwrap();
            assert!(taken[cheapest] > 9_000, "{costs:?}: {taken:?}");
        }
    }
}
