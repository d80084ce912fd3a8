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

/// An atom as a letter that positions are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letter {
    pub(super) weight: u64,
    /// Whether rows are extended by it. Any other letter has a row of its own only, and acts as the state with that row.
    pub(super) generates: bool,
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
    /// The lightest position of every state in letters that generate, that of the empty position first.
    states: Vec<Sum>,
    /// `next[a][s]`: the state of state s and letter a.
    next: Vec<Vec<u16>>,
    p: Vec<bool>,
    generating: Vec<u16>,
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
            let Some(table) = self.table()? else { continue };
            match self.split(&table)? {
                Some(context) => self.contexts.push(context),
                None => return Ok(table),
            }
        }
    }

    /// The closed table; `None` if a letter turned out to generate and the table has to be made anew.
    fn table(&mut self) -> Result<Option<Table>, OutOfTime> {
        let generating: Vec<u16> = (0..self.letters.len() as u16).filter(|&a| self.generates(a)).collect();
        let mut numbers: HashMap<Vec<bool>, u16> = HashMap::new();
        let mut table =
            Table { states: Vec::new(), next: vec![Vec::new(); self.letters.len()], p: Vec::new(), generating };
        // Lightest positions become states first.
        let mut queue = BinaryHeap::from([Reverse((0u64, Sum::default(), None))]);
        while let Some(Reverse((weight, position, from))) = queue.pop() {
            self.search.spend(self.contexts.len())?;
            let row = self.row(&position)?.clone();
            let outcome = row[0];
            let number = *numbers.entry(row).or_insert(table.states.len() as u16);
            if let Some((state, letter)) = from {
                set(&mut table.next[letter as usize], state as usize, number);
            }
            if number as usize == table.states.len() {
                if table.states.len() == MAX_ORDER {
                    self.most = MAX_ORDER + 1;
                    return Err(OutOfTime);
                }
                for &a in &table.generating {
                    let weight = weight + self.letters[a as usize].weight;
                    queue.push(Reverse((weight, add(&position, &[a]), Some((number, a)))));
                }
                table.states.push(position);
                table.p.push(outcome);
                self.most = self.most.max(table.states.len());
            }
        }
        for a in (0..self.letters.len() as u16).filter(|a| !table.generating.contains(a)) {
            self.search.check_time()?;
            let row = self.row(&Sum::from([a]))?;
            match numbers.get(row) {
                Some(&state) => table.next[a as usize] = table.action(state),
                None => {
                    self.letters[a as usize].generates = true;
                    return Ok(None);
                }
            }
        }
        Ok(Some(table))
    }

    fn generates(&self, letter: u16) -> bool {
        self.letters[letter as usize].generates
    }

    /// A context that splits a row at which two letters do not commute.
    fn split(&mut self, table: &Table) -> Result<Option<Sum>, OutOfTime> {
        for (i, &b) in table.generating.iter().enumerate() {
            for &a in &table.generating[..i] {
                self.search.spend(table.states.len())?;
                let (after_a, after_b) = (&table.next[a as usize], &table.next[b as usize]);
                for (s, state) in table.states.iter().enumerate() {
                    let (sab, sba) = (after_b[after_a[s] as usize] as usize, after_a[after_b[s] as usize] as usize);
                    if sab == sba {
                        continue;
                    }
                    let differ = self.difference(&table.states[sab], &table.states[sba]);
                    let context = self.contexts[differ].clone();
                    let truth = self.search.is_p(&add(&add(state, &[a, b]), &context))?;
                    let wrong_after_a = self.rows[&table.states[sab]][differ] != truth;
                    return Ok(Some(add(&context, &[if wrong_after_a { b } else { a }])));
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
            if self.search.is_p(position)? != table.p[table.walk(0, position) as usize] {
                let context = self.context(table, 0, position)?;
                self.contexts.push(context);
                return Ok(());
            }
        }
        unreachable!("outcomes that obey the rule cannot all agree with a table that breaks it")
    }

    /// A context that splits a row. The letters after the start state's position have an outcome other than the state to
    /// which they lead: somewhere, replacing what was read by its state's position first changes the outcome, and
    /// what follows there tells the two apart. This is read from the end, where positions are light.
    fn context(&mut self, table: &Table, start: u16, letters: &[u16]) -> Result<Sum, OutOfTime> {
        let states: Vec<u16> = (0..=letters.len()).map(|i| table.walk(start, &letters[..i])).collect();
        let after = table.p[states[letters.len()] as usize];
        for i in (0..letters.len()).rev() {
            let (state, letter) = (&table.states[states[i] as usize], letters[i]);
            let suffix = add(&letters[i + 1..], &[]);
            let longer = add(state, &[letter]);
            let outcome = self.search.is_p(&add(&longer, &suffix))?;
            if outcome == after {
                continue;
            }
            if !self.generates(letter) {
                let acts_as = &table.states[table.next[letter as usize][0] as usize];
                if self.search.is_p(&add(&add(state, acts_as), &suffix))? != outcome {
                    return Ok(add(state, &suffix));
                }
                return self.context(table, states[i], &[acts_as, &letters[i + 1..]].concat());
            }
            let lighter = &table.states[table.walk(0, &suffix) as usize];
            let replaced = &table.states[states[i + 1] as usize];
            let splits = self.search.is_p(&add(&longer, lighter))? != self.search.is_p(&add(replaced, lighter))?;
            return Ok(if splits { lighter.clone() } else { suffix });
        }
        unreachable!("the outcome changes somewhere between the position and its state's")
    }
}

impl Table {
    /// The state to which letters lead.
    fn walk(&self, start: u16, letters: &[u16]) -> u16 {
        letters.iter().fold(start, |state, &letter| self.next[letter as usize][state as usize])
    }

    /// The state of a position.
    pub(super) fn value(&self, position: &[u16]) -> u16 {
        self.walk(0, position)
    }

    /// The products of all states with one.
    fn action(&self, state: u16) -> Vec<u16> {
        (0..self.states.len() as u16).map(|s| self.walk(s, &self.states[state as usize])).collect()
    }

    /// The monoid of the states.
    pub(super) fn monoid(&self) -> Monoid {
        let p = (0..self.states.len()).filter(|&s| self.p[s]);
        let actions: Vec<Vec<u16>> = self.generating.iter().map(|&a| self.next[a as usize].clone()).collect();
        Monoid::from_actions(&actions, BitSet::from_elements(self.states.len(), p))
    }
}

/// Sets the value at a place, which may be beyond the end.
fn set(values: &mut Vec<u16>, at: usize, value: u16) {
    if values.len() <= at {
        values.resize(at + 1, u16::MAX);
    }
    values[at] = value;
}
