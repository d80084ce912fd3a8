//! Learning a quotient from outcomes (after Angluin, "Learning regular sets from queries and counterexamples", 1987).
//!
//! Rows are positions, columns are *contexts*, positions too, and a cell says whether their sum is a P-position.
//! Rows that differ belong to different elements of the quotient. A position whose outcome a table gets wrong yields a
//! new context that splits a row (Rivest and Schapire, "Inference of finite automata using homing sequences", 1993).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::atoms::{Sum, add};
use super::bits::BitSet;
use super::budget::OutOfTime;
use super::monoid::{MAX_ORDER, Monoid};
use super::search::Search;

/// An atom that positions are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letter {
    pub(super) atom: u16,
    pub(super) weight: u64,
}

/// The contexts found so far, and the rows of all positions that were ever asked for.
pub(super) struct Learner<'a> {
    letters: Vec<Letter>,
    search: Search<'a>,
    contexts: Vec<Sum>,
    rows: HashMap<Sum, Vec<bool>>,
    /// The most different rows that were seen.
    most: usize,
}

/// A closed and commutative table: every row with one more letter is the row of a state.
pub(super) struct Table {
    /// The lightest position of every state, that of the empty position first.
    states: Vec<Sum>,
    /// `next[a][s]`: the state of state s and letter a.
    next: Vec<Vec<u16>>,
    p: Vec<bool>,
}

impl<'a> Learner<'a> {
    /// `letters`: letter i is atom i.
    pub(super) fn new(letters: Vec<Letter>, search: Search<'a>) -> Learner<'a> {
        Learner { letters, search, contexts: vec![Sum::default()], rows: HashMap::new(), most: 1 }
    }

    /// The number of different rows that were seen: the quotient has at least so many elements.
    pub(super) fn rows(&self) -> usize {
        self.most
    }

    /// The row of a position.
    fn row(&mut self, position: &Sum) -> Result<&Vec<bool>, OutOfTime> {
        let mut row = self.rows.remove(position).unwrap_or_default();
        for context in &self.contexts[row.len()..] {
            row.push(self.search.is_p(&add(position, context))?);
        }
        Ok(self.rows.entry(position.clone()).or_insert(row))
    }

    /// The closed table of the contexts so far, after adding contexts until letters commute in it.
    pub(super) fn close(&mut self) -> Result<Table, OutOfTime> {
        loop {
            let table = self.table()?;
            match self.split(&table)? {
                Some(context) => self.contexts.push(context),
                None => return Ok(table),
            }
        }
    }

    /// Lightest positions become states first, and rows that are known already give the transitions.
    fn table(&mut self) -> Result<Table, OutOfTime> {
        let mut numbers: HashMap<Vec<bool>, u16> = HashMap::new();
        let (mut states, mut p) = (Vec::new(), Vec::new());
        let mut next = vec![Vec::new(); self.letters.len()];
        let mut queue = BinaryHeap::from([Reverse((0u64, Sum::default(), None))]);
        while let Some(Reverse((weight, position, from))) = queue.pop() {
            let row = self.row(&position)?.clone();
            let number = *numbers.entry(row).or_insert_with_key(|row| {
                p.push(row[0]);
                states.len() as u16
            });
            if let Some((state, letter)) = from {
                set(&mut next[letter], state as usize, number);
            }
            if number as usize == states.len() {
                if states.len() == MAX_ORDER {
                    return Err(OutOfTime);
                }
                for (a, letter) in self.letters.iter().enumerate() {
                    queue.push(Reverse((weight + letter.weight, add(&position, &[letter.atom]), Some((number, a)))));
                }
                states.push(position);
                self.most = self.most.max(states.len());
            }
        }
        Ok(Table { states, next, p })
    }

    /// A context that splits a row at which two letters do not commute.
    fn split(&mut self, table: &Table) -> Result<Option<Sum>, OutOfTime> {
        for (b, after_b) in table.next.iter().enumerate() {
            for (a, after_a) in table.next[..b].iter().enumerate() {
                for (s, state) in table.states.iter().enumerate() {
                    let (sa, sb) = (after_a[s] as usize, after_b[s] as usize);
                    let (sab, sba) = (after_b[sa] as usize, after_a[sb] as usize);
                    if sab == sba {
                        continue;
                    }
                    let differ = self.difference(&table.states[sab], &table.states[sba]);
                    let context = self.contexts[differ].clone();
                    let position = add(&add(state, &[a as u16, b as u16]), &context);
                    let truth = self.search.is_p(&position)?;
                    let wrong_at_a = self.rows[&table.states[sab]][differ] != truth;
                    return Ok(Some(add(&context, &[if wrong_at_a { b as u16 } else { a as u16 }])));
                }
            }
        }
        Ok(None)
    }

    /// The first context at which two known rows differ.
    fn difference(&self, x: &Sum, y: &Sum) -> usize {
        let (x, y) = (&self.rows[x], &self.rows[y]);
        (0..self.contexts.len()).find(|&i| x[i] != y[i]).expect("states have different rows")
    }

    /// Adds a context that splits a row, from positions of which the table has at least one wrong.
    pub(super) fn refute(&mut self, table: &Table, positions: &[Sum]) -> Result<(), OutOfTime> {
        for position in positions {
            if self.search.is_p(position)? != table.p[table.value(position) as usize] {
                let context = self.context(table, position)?;
                self.contexts.push(context);
                return Ok(());
            }
        }
        unreachable!("outcomes that obey the rule cannot all agree with a table that breaks it")
    }

    /// Where replacing a beginning of the position by its state's position first changes the outcome, read from the
    /// end: what follows there is a context.
    fn context(&mut self, table: &Table, position: &Sum) -> Result<Sum, OutOfTime> {
        let states: Vec<u16> = (0..=position.len()).map(|i| table.value(&position[..i])).collect();
        let mut after = table.p[states[position.len()] as usize];
        for i in (0..position.len()).rev() {
            let (before, suffix) = (&table.states[states[i] as usize], &position[i + 1..]);
            let longer = add(before, &[position[i]]);
            let outcome = self.search.is_p(&add(&longer, suffix))?;
            if outcome != after {
                let lighter = &table.states[table.value(suffix) as usize];
                let replaced = &table.states[states[i + 1] as usize];
                let splits = self.search.is_p(&add(&longer, lighter))? != self.search.is_p(&add(replaced, lighter))?;
                return Ok(if splits { lighter.clone() } else { suffix.into() });
            }
            after = outcome;
        }
        unreachable!("the outcome changes somewhere between the position and its state's")
    }
}

impl Table {
    /// The state of a position.
    pub(super) fn value(&self, position: &[u16]) -> u16 {
        position.iter().fold(0, |state, &atom| self.next[atom as usize][state as usize])
    }

    /// The monoid of the states.
    pub(super) fn monoid(&self) -> Monoid {
        let p = (0..self.states.len()).filter(|&s| self.p[s]);
        Monoid::from_actions(&self.next, BitSet::from_elements(self.states.len(), p))
    }
}

/// Sets the value at a place, which may be beyond the end.
fn set(values: &mut Vec<u16>, at: usize, value: u16) {
    if values.len() <= at {
        values.resize(at + 1, u16::MAX);
    }
    values[at] = value;
}
