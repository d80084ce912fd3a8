//! A trial: a finite commutative monoid into which all positions map, with outcomes by the rule of misère play on
//! the lightest word of each element. Whether these are the outcomes of all positions is for the chain to say.

use std::collections::HashMap;

use crate::Rules;

use super::bits::BitSet;
use super::budget::{Budget, OutOfTime};
use super::monoid::{MAX_ORDER, Monoid};
use super::words::{LightWords, light_letters, weight};

/// The most elements that a trial may have: its tables then take some hundred megabytes.
const MAX_ELEMENTS: usize = 1 << 22;
/// How many elements are put into their classes between two looks at the clock.
const CLOCK: usize = 1 << 12;

/// A heap that is counted instead of standing for an element of the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Free {
    pub(super) heap: usize,
    /// Counts from here on repeat.
    pub(super) index: usize,
    /// With this period.
    pub(super) period: usize,
}

impl Free {
    /// How many counts are told apart.
    fn counts(&self) -> usize {
        self.index + self.period
    }
}

/// Counts of the free heaps, coded as one number, and an element of the base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Element {
    counts: usize,
    base: u16,
}

/// The codes with one more and with one less of one free heap, for every code.
#[derive(Debug)]
struct Counter {
    up: Vec<usize>,
    down: Vec<Option<usize>>,
}

/// One option of a heap: the free heaps in it, by place, and the value of the others.
type HeapOption = (Vec<usize>, u16);

/// The product of a base monoid and one cyclic monoid for each free heap.
#[derive(Debug)]
pub(super) struct Trial<'a> {
    rules: &'a Rules,
    base: &'a Monoid,
    /// The values of heaps in the base; those of free heaps do not count.
    phi: &'a [u16],
    free: Vec<Free>,
    counters: Vec<Counter>,
    light: LightWords,
    wins: BitSet,
}

/// What a trial says the quotient is.
#[derive(Debug)]
pub(super) struct Hypothesis {
    pub(super) monoid: Monoid,
    /// The values of heaps 0, 1, ...
    pub(super) phi: Vec<u16>,
}

impl<'a> Trial<'a> {
    /// `phi`: values in `base` of heaps 0, 1, ... `None` if the trial would be too large.
    pub(super) fn new(
        rules: &'a Rules,
        base: &'a Monoid,
        phi: &'a [u16],
        free: Vec<Free>,
        budget: &Budget,
    ) -> Result<Option<Trial<'a>>, OutOfTime> {
        let codes = free.iter().try_fold(1usize, |n, f| n.checked_mul(f.counts())).unwrap_or(usize::MAX);
        if codes.saturating_mul(base.order()) > MAX_ELEMENTS {
            return Ok(None);
        }
        let counters = counters(&free, codes);
        let light = LightWords::new(base, &light_letters(phi, |h| free.iter().all(|f| f.heap != h)));
        let wins = BitSet::new(codes * base.order());
        let mut trial = Trial { rules, base, phi, free, counters, light, wins };
        trial.decide(budget)?;
        Ok(Some(trial))
    }

    /// Whether the rule holds at this position: it is in P just when it has options and none of them is.
    pub(super) fn obeys(&self, word: &[usize]) -> bool {
        let mut options = (0..word.len()).flat_map(|i| {
            let rest = self.element(word.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, &h)| h));
            let moves = self.rules.moves(word[i] as u64);
            moves.map(move |m| m.parts.iter().fold(rest, |e, &part| self.times(e, part as usize)))
        });
        let first = options.next();
        let lost = first.is_some_and(|e| !self.is_p(e)) && options.all(|e| !self.is_p(e));
        lost == self.is_p(self.element(word.iter().copied()))
    }

    fn is_p(&self, e: Element) -> bool {
        self.wins.contains(self.number(e))
    }

    fn number(&self, e: Element) -> usize {
        e.counts * self.base.order() + e.base as usize
    }

    fn element(&self, word: impl Iterator<Item = usize>) -> Element {
        word.fold(Element { counts: 0, base: 0 }, |e, heap| self.times(e, heap))
    }

    fn times(&self, e: Element, heap: usize) -> Element {
        match self.free.iter().position(|f| f.heap == heap) {
            Some(i) => Element { counts: self.counters[i].up[e.counts], ..e },
            None => Element { base: self.base.product(e.base, self.phi[heap]), ..e },
        }
    }

    /// All elements, those whose word is light first. Options are lighter than the position.
    fn by_weight(&self) -> Vec<Element> {
        let count_weights: Vec<u64> = (0..self.codes())
            .map(|code| (0..self.free.len()).map(|i| self.count(code, i) as u64 * weight(self.free[i].heap)).sum())
            .collect();
        let mut elements: Vec<(u64, Element)> = (0..self.codes())
            .flat_map(|counts| self.light.elements().map(move |base| Element { counts, base }))
            .map(|e| (count_weights[e.counts] + self.light.weight(e.base), e))
            .collect();
        elements.sort_by_key(|&(weight, _)| weight);
        elements.into_iter().map(|(_, e)| e).collect()
    }

    fn codes(&self) -> usize {
        self.free.iter().map(Free::counts).product()
    }

    /// How many of free heap i a code stands for.
    fn count(&self, code: usize, i: usize) -> usize {
        let below: usize = self.free[..i].iter().map(Free::counts).product();
        code / below % self.free[i].counts()
    }

    /// Decides all elements by the rule of misère play.
    fn decide(&mut self, budget: &Budget) -> Result<(), OutOfTime> {
        let mut options: HashMap<usize, Vec<HeapOption>> = HashMap::new();
        let words: Vec<Vec<(usize, u16)>> = (0..self.base.order() as u16).map(|x| self.heaps_and_rests(x)).collect();
        let heaps = words.iter().flatten().map(|&(heap, _)| heap).chain(self.free.iter().map(|f| f.heap));
        for heap in heaps {
            options.entry(heap).or_insert_with(|| self.options(heap));
        }
        let mut steps = 0;
        for e in self.by_weight() {
            budget.spend(std::mem::take(&mut steps) + 1)?;
            let from_base = words[e.base as usize].iter().map(|&(heap, base)| (heap, Element { base, ..e }));
            let from_free = self
                .free
                .iter()
                .zip(&self.counters)
                .filter_map(|(f, counter)| counter.down[e.counts].map(|counts| (f.heap, Element { counts, ..e })));
            let mut terminal = true;
            let lost = from_base.chain(from_free).all(|(heap, rest)| {
                options[&heap].iter().all(|option| {
                    terminal = false;
                    steps += 1;
                    !self.is_p(self.apply(rest, option))
                })
            });
            if lost && !terminal {
                self.wins.insert(self.number(e));
            }
        }
        Ok(())
    }

    fn apply(&self, rest: Element, (free, value): &HeapOption) -> Element {
        let counts = free.iter().fold(rest.counts, |code, &i| self.counters[i].up[code]);
        Element { counts, base: self.base.product(rest.base, *value) }
    }

    /// The different heaps in the lightest word of x, each with the value of the word without it.
    fn heaps_and_rests(&self, x: u16) -> Vec<(usize, u16)> {
        if !self.light.has_word(x) {
            return Vec::new();
        }
        let word = self.light.word(x);
        let mut heaps = word.clone();
        heaps.sort_unstable();
        heaps.dedup();
        let value = |skip: usize| word.iter().enumerate().filter(move |&(i, _)| i != skip);
        heaps
            .into_iter()
            .map(|heap| {
                let at = word.iter().position(|&h| h == heap).expect("the heap is in the word");
                (heap, value(at).fold(0, |y, (_, &h)| self.base.product(y, self.phi[h])))
            })
            .collect()
    }

    fn options(&self, heap: usize) -> Vec<HeapOption> {
        let mut options: Vec<HeapOption> = self
            .rules
            .moves(heap as u64)
            .map(|m| {
                let mut free = Vec::new();
                let mut value = 0;
                for part in m.parts.iter().map(|&part| part as usize) {
                    match self.free.iter().position(|f| f.heap == part) {
                        Some(i) => free.push(i),
                        None => value = self.base.product(value, self.phi[part]),
                    }
                }
                free.sort_unstable();
                (free, value)
            })
            .collect();
        options.sort_unstable();
        options.dedup();
        options
    }

    /// The reduced quotient of the trial, with the values of heaps 0 to `to`. `None` if it is too large.
    pub(super) fn reduce(&self, to: usize, budget: &Budget) -> Result<Option<Hypothesis>, OutOfTime> {
        let heaps: Vec<usize> = (1..=to).collect();
        let letters = self.letters(&heaps);
        let elements: Vec<Element> = (0..self.codes())
            .flat_map(|counts| self.light.elements().map(move |base| Element { counts, base }))
            .collect();
        let mut place = vec![u32::MAX; self.codes() * self.base.order()];
        elements.iter().enumerate().for_each(|(i, &e)| place[self.number(e)] = i as u32);
        let at = |e: Element| place[self.number(e)];
        let mut actions: Vec<Vec<u32>> = Vec::with_capacity(letters.len());
        for &heap in &letters {
            budget.check_time()?;
            actions.push(elements.iter().map(|&e| at(self.times(e, heap))).collect());
        }
        let outcomes = elements.iter().map(|&e| u32::from(self.is_p(e))).collect();
        let Some(classes) = coarsest_congruence(outcomes, &actions, budget)? else { return Ok(None) };
        let order = *classes.iter().max().expect("the identity is an element") as usize + 1;
        let mut quotient_actions = vec![vec![0u16; order]; letters.len()];
        let mut p = BitSet::new(order);
        for (i, &class) in classes.iter().enumerate() {
            for (action, quotient) in actions.iter().zip(&mut quotient_actions) {
                quotient[class as usize] = classes[action[i] as usize] as u16;
            }
            if self.is_p(elements[i]) {
                p.insert(class as usize);
            }
        }
        let value = |heap| classes[at(self.times(Element { counts: 0, base: 0 }, heap)) as usize] as u16;
        let phi = std::iter::once(0).chain(heaps.iter().map(|&heap| value(heap))).collect();
        Ok(Some(Hypothesis { monoid: Monoid::from_actions(&quotient_actions, p), phi }))
    }

    /// Heaps that generate the trial: the free ones and those in lightest words of one letter.
    fn letters(&self, heaps: &[usize]) -> Vec<usize> {
        let is_free = |h: usize| self.free.iter().any(|f| f.heap == h);
        let is_letter = |h: usize| is_free(h) || self.light.word(self.phi[h]) == [h];
        heaps.iter().copied().filter(|&h| is_letter(h)).collect()
    }
}

/// Mixed-radix counters: the first free heap's count is the last digit.
fn counters(free: &[Free], codes: usize) -> Vec<Counter> {
    let mut unit = 1;
    free.iter()
        .map(|f| {
            let radix = f.counts();
            let digit = |code: usize| code / unit % radix;
            // One more than the last count is the index again.
            let back = (f.period - 1) * unit;
            let up = (0..codes).map(|c| if digit(c) + 1 < radix { c + unit } else { c - back }).collect();
            let down = (0..codes).map(|c| (digit(c) > 0).then(|| c - unit)).collect();
            unit *= radix;
            Counter { up, down }
        })
        .collect()
}

/// The coarsest partition that respects the outcomes and all actions, classes numbered so that element 0 is in
/// class 0. `None` if it has more classes than a monoid may have elements.
fn coarsest_congruence(
    outcomes: Vec<u32>,
    actions: &[Vec<u32>],
    budget: &Budget,
) -> Result<Option<Vec<u32>>, OutOfTime> {
    let (mut classes, mut count) = (outcomes, 0);
    loop {
        budget.spend(classes.len() * (actions.len() + 1))?;
        match refine(&classes, actions, budget)? {
            None => return Ok(None),
            Some((refined, same)) if same == count => return Ok(Some(refined)),
            Some(refined) => (classes, count) = refined,
        }
    }
}

/// Parts classes whose elements are taken to different classes, and counts them. `None` if they are too many.
fn refine(classes: &[u32], actions: &[Vec<u32>], budget: &Budget) -> Result<Option<(Vec<u32>, usize)>, OutOfTime> {
    let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut refined = Vec::with_capacity(classes.len());
    for (i, &class) in classes.iter().enumerate() {
        let images = actions.iter().map(|action| classes[action[i] as usize]);
        let key: Vec<u32> = std::iter::once(class).chain(images).collect();
        let new = numbers.len() as u32;
        refined.push(*numbers.entry(key).or_insert(new));
        if numbers.len() > MAX_ORDER {
            return Ok(None);
        }
        if i % CLOCK == 0 {
            budget.check_time()?;
        }
    }
    Ok(Some((refined, numbers.len())))
}
