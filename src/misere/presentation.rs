//! Quotients in generators and relations.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;

use super::quotient::Quotient;

/// A product of generators: the exponent of each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Monomial(pub Vec<u32>);

/// Generators and minimal relations of a quotient, and a standard word for every element.
///
/// Words are ordered by the exponent of the last generator, then of the one before it, and so on; the standard word
/// of an element is its least. The relations are the least words that are not standard, each equated with its
/// standard word: a reduced Gröbner basis, which presents the quotient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presentation {
    /// The heaps that generate the quotient: those whose value is no product of values of smaller heaps.
    pub generators: Vec<u64>,
    /// The standard word of every element.
    pub words: Vec<Monomial>,
    /// Pairs of a word and the standard word that it equals.
    pub relations: Vec<(Monomial, Monomial)>,
}

impl Quotient {
    /// The heaps whose value is no product of values of smaller heaps, smallest first.
    pub fn generators(&self) -> Vec<u64> {
        let mut heaps = Vec::new();
        let mut generated = vec![false; self.order()];
        generated[0] = true;
        for (heap, &value) in (1u64..).zip(self.pretending()) {
            if !generated[value as usize] {
                heaps.push(heap);
                close(self, value, &mut generated);
            }
        }
        heaps
    }

    /// Generators and relations.
    pub fn presentation(&self) -> Presentation {
        let generators = self.generators();
        let values: Vec<u16> = generators.iter().map(|&heap| self.pretending()[heap as usize - 1]).collect();
        let words = standard_words(self, &values);
        let relations = relations(self, &values, &words);
        Presentation { generators, words, relations }
    }
}

/// Marks the products of marked elements with the powers of one more.
fn close(quotient: &Quotient, value: u16, generated: &mut [bool]) {
    let mut queue: Vec<u16> = (0..quotient.order() as u16).filter(|&x| generated[x as usize]).collect();
    while let Some(x) = queue.pop() {
        let y = quotient.product(x, value);
        if !generated[y as usize] {
            generated[y as usize] = true;
            queue.push(y);
        }
    }
}

/// The least word of every element. Words are found in their order, as distances are in Dijkstra's algorithm.
fn standard_words(quotient: &Quotient, values: &[u16]) -> Vec<Monomial> {
    // Reversed exponents: the order of words is then the order of vectors.
    let mut words: Vec<Option<Vec<u32>>> = vec![None; quotient.order()];
    let mut queue = BinaryHeap::from([Reverse((vec![0u32; values.len()], 0u16))]);
    while let Some(Reverse((reversed, x))) = queue.pop() {
        if words[x as usize].is_some() {
            continue;
        }
        for (g, &value) in values.iter().rev().enumerate() {
            let y = quotient.product(x, value);
            if words[y as usize].is_none() {
                let mut longer = reversed.clone();
                longer[g] += 1;
                queue.push(Reverse((longer, y)));
            }
        }
        words[x as usize] = Some(reversed);
    }
    let standard = |word: Option<Vec<u32>>| {
        let reversed = word.expect("the generators generate");
        Monomial(reversed.into_iter().rev().collect())
    };
    words.into_iter().map(standard).collect()
}

/// The words that are not standard although all words that divide them are.
fn relations(quotient: &Quotient, values: &[u16], words: &[Monomial]) -> Vec<(Monomial, Monomial)> {
    let value = |word: &Monomial| {
        let letters = word.0.iter().zip(values).flat_map(|(&e, &value)| std::iter::repeat_n(value, e as usize));
        letters.fold(0, |x, value| quotient.product(x, value))
    };
    let is_standard = |word: &Monomial| words[value(word) as usize] == *word;
    let shifted = |word: &Monomial, g: usize, by: i32| {
        let mut word = word.clone();
        word.0[g] = word.0[g].checked_add_signed(by)?;
        Some(word)
    };
    let mut relations = Vec::new();
    for word in words {
        for g in 0..values.len() {
            let Some(longer) = shifted(word, g, 1) else { continue };
            // Each word is met once: from the divisor without its last generator.
            let is_last = longer.0[g + 1..].iter().all(|&e| e == 0);
            let minimal = || (0..values.len()).filter_map(|h| shifted(&longer, h, -1)).all(|w| is_standard(&w));
            if is_last && !is_standard(&longer) && minimal() {
                let standard = words[value(&longer) as usize].clone();
                relations.push((longer, standard));
            }
        }
    }
    relations.sort_by(|(a, _), (b, _)| a.0.iter().rev().cmp(b.0.iter().rev()));
    relations
}

/// Generators are written a, b, ..., z, and then g27, g28, ...; the identity is 1.
impl fmt::Display for Monomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.iter().all(|&e| e == 0) {
            return f.write_str("1");
        }
        for (g, &exponent) in self.0.iter().enumerate().filter(|&(_, &e)| e > 0) {
            f.write_str(&generator_name(g))?;
            if exponent > 1 {
                write!(f, "^{exponent}")?;
            }
        }
        Ok(())
    }
}

/// What the g-th generator, counted from 0, is called.
pub fn generator_name(g: usize) -> String {
    match u8::try_from(g) {
        Ok(g) if g < 26 => char::from(b'a' + g).to_string(),
        _ => format!("g{}", g + 1),
    }
}
