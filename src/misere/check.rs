//! The checker: plain code of its own that decides whether a claimed misère quotient is the true one.
//!
//! A finite commutative monoid M with P ⊂ M and values Φ of heaps 1 to n that generate it gives the outcome of every
//! position in these heaps if and only if, the identity not being in P and heaps without options having it as
//! their value,
//! - (P) no position in P has an option in P: there are no z in M, heap h and option h' of h with zΦ(h) and zΦ(h')
//!   both in P;
//! - (N) every position outside P that has options has one in P.
//!
//! For (N) the pairs (value, set of option values) of all non-terminal positions are closed under addition of heaps,
//! keeping for each value the minimal sets: there are finitely many. If different elements are told apart by some
//! factor, M is the quotient itself (Plambeck and Siegel, "Misère quotients for impartial games", 2008).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, VecDeque};

use thiserror::Error;

use crate::Rules;
use crate::rules::{LEAVE_ONE, LEAVE_THREE, LEAVE_TWO, Split, TAKE_ALL};

use super::certificate::Certificate;

/// The largest order that is checked: the multiplication table of a larger one would not fit the memory of most machines.
const MAX_ORDER: usize = 1 << 14;

/// What is false in a claim.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// A list has the wrong length, or a number in it is not an element or a heap.
    #[error("{0}")]
    Shape(String),
    /// xgh and xhg differ.
    #[error("the actions of heaps {0} and {1} do not commute")]
    NotCommutative(u64, u64),
    /// An element that no position has as its value.
    #[error("element {0} is not a product of values of heaps")]
    NotGenerated(usize),
    /// The empty position is a win for the next player.
    #[error("the identity is among the P-elements")]
    IdentityInP,
    /// A heap that has no options.
    #[error("heap {0} has no options, but its value is not the identity")]
    Terminal(u64),
    /// Condition (P).
    #[error("with some other heaps, heap {0} and one of its options would both be P-positions")]
    TwoP(u64),
    /// Condition (N).
    #[error("some position with value {0} has options but none that is a P-position, and is not one itself")]
    NoMoveToP(usize),
    /// Not reduced.
    #[error("elements {0} and {1} have the same outcome with every factor: they are one")]
    NotReduced(usize, usize),
    /// The period.
    #[error("{0}")]
    Period(String),
}

/// Checks a certificate's claim about a game (`certificate.game` is not looked at).
///
/// # Errors
/// [`Refusal`]: the claim is false, or it is not a claim at all.
pub fn check(rules: &Rules, certificate: &Certificate) -> Result<(), Refusal> {
    let claim = Claim::read(certificate)?;
    claim.check_reduced()?;
    let heaps = claim.heaps(rules)?;
    claim.check_n(&heaps)?;
    check_period(rules, certificate)
}

/// A set of elements, as a row of machine words.
type Set = Vec<u64>;

/// A claim whose monoid is one.
struct Claim {
    order: usize,
    table: Vec<u16>,
    p: Set,
    /// For every element the factors that take it into P.
    p_factors: Vec<Set>,
    values: Vec<usize>,
}

/// A heap that has options, its value and the values of the options.
struct Heap {
    size: u64,
    value: usize,
    options: Set,
}

impl Claim {
    fn read(c: &Certificate) -> Result<Claim, Refusal> {
        let order = c.order as usize;
        require_shape((1..=MAX_ORDER).contains(&order), || format!("the order is not one of 1 to {MAX_ORDER}"))?;
        require_shape(c.actions.len() == c.generators.len(), || "there is not one action a generator".to_owned())?;
        let in_range = |list: &[u32]| list.iter().all(|&x| x < c.order);
        require_shape(in_range(&c.p) && in_range(&c.pretending), || "a number is not an element".to_owned())?;
        require_shape(c.p.is_sorted_by(|x, y| x < y), || "the P-elements are not in increasing order".to_owned())?;
        for (heap, action) in c.generators.iter().zip(&c.actions) {
            require_shape(action.len() == order && in_range(action), || {
                format!("the action of heap {heap} is not a map")
            })?;
            let index = usize::try_from(*heap).ok().and_then(|h| h.checked_sub(1));
            let value = index.and_then(|i| c.pretending.get(i));
            require_shape(value == Some(&action[0]), || format!("the action of heap {heap} is not that of its value"))?;
        }
        let table = table(c)?;
        let mut p = empty(order);
        c.p.iter().for_each(|&x| insert(&mut p, x as usize));
        let p_factors =
            table.chunks(order).map(|row| collect(order, (0..order).filter(|&z| contains(&p, row[z].into()))));
        let p_factors = p_factors.collect();
        let values = std::iter::once(0).chain(c.pretending.iter().map(|&x| x as usize)).collect();
        if contains(&p, 0) {
            return Err(Refusal::IdentityInP);
        }
        Ok(Claim { order, table, p, p_factors, values })
    }

    fn times(&self, x: usize, y: usize) -> usize {
        self.table[x * self.order + y].into()
    }

    fn check_reduced(&self) -> Result<(), Refusal> {
        let mut order: Vec<usize> = (0..self.order).collect();
        order.sort_by(|&x, &y| self.p_factors[x].cmp(&self.p_factors[y]));
        match order.windows(2).find(|w| self.p_factors[w[0]] == self.p_factors[w[1]]) {
            Some(same) => Err(Refusal::NotReduced(same[0].min(same[1]), same[0].max(same[1]))),
            None => Ok(()),
        }
    }

    /// The heaps that have options, of those with equal value and equal option values the smallest. Each is checked by
    /// itself, so that a claim that is false of a small heap is refused before the many larger ones are looked at.
    fn heaps(&self, rules: &Rules) -> Result<Vec<Heap>, Refusal> {
        let mut seen = BTreeSet::new();
        let mut heaps = Vec::new();
        let last = rules.last_index().unwrap_or(u64::MAX).min(self.values.len() as u64 - 1);
        // A set with a large element has few digits that are not 0.
        let digits: Vec<(usize, u8)> =
            (0..=last).map(|taken| (taken as usize, rules.digit(taken))).filter(|&(_, digit)| digit != 0).collect();
        let splits = digits.iter().any(|&(_, digit)| digit & LEAVE_TWO != 0);
        let mut pairs = vec![empty(self.order)];
        for size in 1..self.values.len() {
            if splits {
                pairs.push(self.pairs(rules, size));
            }
            let options = self.options(rules, &digits, size, &pairs);
            let value = self.values[size];
            if options.iter().all(|&word| word == 0) {
                if value != 0 {
                    return Err(Refusal::Terminal(size as u64));
                }
            } else if seen.insert((value, options.clone())) {
                let heap = Heap { size: size as u64, value, options };
                self.check_p(&heap)?;
                self.check_move(heap.value, &heap.options)?;
                heaps.push(heap);
            }
        }
        Ok(heaps)
    }

    /// The values of the options of a heap. `digits`: those that are not 0, by index. `pairs[r]`: the values of the
    /// splits of r <= size into two heaps, if some digit splits.
    fn options(&self, rules: &Rules, digits: &[(usize, u8)], size: usize, pairs: &[Set]) -> Set {
        let mut options = empty(self.order);
        for &(taken, digit) in digits.iter().take_while(|&&(taken, _)| taken <= size) {
            let rest = size - taken;
            if digit & LEAVE_TWO != 0 {
                unite(&mut options, &pairs[rest]);
            }
            if digit & TAKE_ALL != 0 && rest == 0 {
                insert(&mut options, 0);
            }
            if digit & LEAVE_ONE != 0 && rest > 0 {
                insert(&mut options, self.values[rest]);
            }
            if digit & LEAVE_THREE != 0 {
                for m in rules.moves_taking(size as u64, taken as u64).filter(|m| m.parts.len() == 3) {
                    let value = m.parts.iter().fold(0, |x, &part| self.times(x, self.values[part as usize]));
                    insert(&mut options, value);
                }
            }
        }
        options
    }

    /// The values of the splits of a rest into two heaps.
    fn pairs(&self, rules: &Rules, rest: usize) -> Set {
        // Marks that are only ever set are faster than bits that are read back.
        let mut marks = vec![false; self.order];
        for a in (1..=rest / 2).filter(|&a| rules.may_split(a as u64, (rest - a) as u64)) {
            marks[self.times(self.values[a], self.values[rest - a])] = true;
        }
        collect(self.order, (0..self.order).filter(|&x| marks[x]))
    }

    /// Condition (P), of one heap.
    fn check_p(&self, heap: &Heap) -> Result<(), Refusal> {
        let both = |option: usize| meet(&self.p_factors[heap.value], &self.p_factors[option]);
        if elements(&heap.options).any(both) { Err(Refusal::TwoP(heap.size)) } else { Ok(()) }
    }

    /// Condition (N), of one position that has options.
    fn check_move(&self, value: usize, options: &Set) -> Result<(), Refusal> {
        let decided = contains(&self.p, value) || meet(options, &self.p);
        if decided { Ok(()) } else { Err(Refusal::NoMoveToP(value)) }
    }

    /// Condition (N): closes the pairs (value, option values) under addition of one heap.
    fn check_n(&self, heaps: &[Heap]) -> Result<(), Refusal> {
        let has_less =
            |h: &Heap, g: &Heap| g.value == h.value && g.options != h.options && is_subset(&g.options, &h.options);
        let heaps: Vec<&Heap> = heaps.iter().filter(|h| !heaps.iter().any(|g| has_less(h, g))).collect();
        let mut minimal: Vec<Vec<Set>> = vec![Vec::new(); self.order];
        // Small sets first: most others then turn out not to be minimal.
        let mut queue = BinaryHeap::new();
        for heap in &heaps {
            self.keep_minimal(&mut minimal, &mut queue, heap.value, heap.options.clone())?;
        }
        while let Some(Reverse((_, value, options))) = queue.pop() {
            if !minimal[value].contains(&options) {
                continue;
            }
            for heap in &heaps {
                let mut sum = empty(self.order);
                elements(&heap.options).for_each(|x| insert(&mut sum, self.times(value, x)));
                elements(&options).for_each(|x| insert(&mut sum, self.times(heap.value, x)));
                self.keep_minimal(&mut minimal, &mut queue, self.times(value, heap.value), sum)?;
            }
        }
        Ok(())
    }

    /// Keeps a pair, and has it added to, if no pair known so far has the same value and fewer option values.
    fn keep_minimal(
        &self,
        minimal: &mut [Vec<Set>],
        queue: &mut BinaryHeap<Reverse<(u32, usize, Set)>>,
        value: usize,
        options: Set,
    ) -> Result<(), Refusal> {
        self.check_move(value, &options)?;
        if !minimal[value].iter().any(|known| is_subset(known, &options)) {
            minimal[value].retain(|known| !is_subset(&options, known));
            minimal[value].push(options.clone());
            let size = options.iter().map(|word| word.count_ones()).sum();
            queue.push(Reverse((size, value, options)));
        }
        Ok(())
    }
}

/// The multiplication table that commuting actions define; every element has to be reached from the identity.
///
/// If the actions commute, words that lead from the identity to one element act alike everywhere, and the product is
/// well defined, commutative and associative.
fn table(c: &Certificate) -> Result<Vec<u16>, Refusal> {
    let order = c.order as usize;
    // Each once. Commuting maps that reach every element are told apart by where they take the identity: there are no
    // more of them than elements.
    let actions: BTreeMap<&Vec<u32>, u64> = c.actions.iter().zip(c.generators.iter().copied()).collect();
    require_shape(actions.len() <= order, || "there are more different actions than elements".to_owned())?;
    for (i, (a, &g)) in actions.iter().enumerate() {
        for (b, &h) in actions.iter().take(i) {
            if (0..order).any(|x| a[b[x] as usize] != b[a[x] as usize]) {
                return Err(Refusal::NotCommutative(g.min(h), g.max(h)));
            }
        }
    }
    let mut table = vec![0u16; order * order];
    (0..order).for_each(|y| table[y] = y as u16);
    let mut reached = vec![false; order];
    reached[0] = true;
    let mut queue = VecDeque::from([0]);
    while let Some(x) = queue.pop_front() {
        for action in actions.keys() {
            let next = action[x] as usize;
            if !reached[next] {
                reached[next] = true;
                queue.push_back(next);
                for y in 0..order {
                    table[next * order + y] = action[table[x * order + y] as usize] as u16;
                }
            }
        }
    }
    match reached.iter().position(|&r| !r) {
        Some(x) => Err(Refusal::NotGenerated(x)),
        None => Ok(table),
    }
}

/// Whether the values shown prove the period claimed.
///
/// With k the last index of a digit, j >= 2 the most parts of a move and M the largest heap shown, M >= j(n0 + p) + k - 1
/// suffices: beyond it every split has a part that may be moved by p, so heap m + p repeats the pair of heap m. In
/// Grundy's game the moved part may meet its equal, and p heaps more are asked for.
fn check_period(rules: &Rules, c: &Certificate) -> Result<(), Refusal> {
    let refuse = |text: String| Err(Refusal::Period(text));
    let (n0, p) = match (c.preperiod, c.period) {
        (None, None) => return Ok(()),
        (Some(n0), Some(p)) if n0 >= 1 && p >= 1 => (n0, p),
        _ => return refuse("a period has a preperiod and a period, both at least 1".to_owned()),
    };
    let Some(k) = rules.last_index() else {
        return refuse("no theorem proves a period of a game whose digits never end".to_owned());
    };
    let heaps = c.pretending.len() as u128;
    let (n0, p, parts) = (u128::from(n0), u128::from(p), u128::from(rules.max_parts().max(2)));
    let grundy = if rules.split() == Split::Unequal { p } else { 0 };
    let needed = parts * (n0 + p) + u128::from(k) - 1 + grundy;
    if heaps < needed {
        return refuse(format!("the period needs the values of heaps 1 to {needed}, and there are {heaps}"));
    }
    let (n0, p) = (n0 as usize, p as usize);
    match (n0..=c.pretending.len() - p).find(|&n| c.pretending[n - 1] != c.pretending[n + p - 1]) {
        Some(n) => refuse(format!("heaps {n} and {} have different values", n + p)),
        None => Ok(()),
    }
}

fn require_shape(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(Refusal::Shape(otherwise())) }
}

fn empty(order: usize) -> Set {
    vec![0; order.div_ceil(64)]
}

fn insert(set: &mut Set, x: usize) {
    set[x / 64] |= 1 << (x % 64);
}

fn contains(set: &Set, x: usize) -> bool {
    set[x / 64] >> (x % 64) & 1 == 1
}

fn collect(order: usize, elements: impl Iterator<Item = usize>) -> Set {
    let mut set = empty(order);
    elements.for_each(|x| insert(&mut set, x));
    set
}

fn elements(set: &Set) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(i, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                i * 64 + bit
            })
        })
    })
}

fn unite(set: &mut Set, other: &Set) {
    set.iter_mut().zip(other).for_each(|(x, y)| *x |= y);
}

fn meet(a: &Set, b: &Set) -> bool {
    a.iter().zip(b).any(|(x, y)| x & y != 0)
}

fn is_subset(a: &Set, b: &Set) -> bool {
    a.iter().zip(b).all(|(x, y)| x & !y == 0)
}
