//! Genus symbols (Conway, "On Numbers and Games", chapter 12; Berlekamp, Conway, Guy, "Winning Ways", chapter 13).
//!
//! The genus g^{γ0 γ1 γ2 ...} of a position G has its nim-value g and the misère nim-values γi of G + i·*2, the mex of
//! those of its options, where the empty position has γ0 = 1. From some i on γ(i + 2) = γi; the symbol shows the γi
//! up to the first two that repeat for ever.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use thiserror::Error;

use crate::Rules;

/// The largest heap whose genus is computed: all positions that can be reached from it are looked at, and
/// from a heap of 50 that splits freely there are a million.
pub const MAX_HEAP: u64 = 50;

/// A heap too large for its genus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the genus of heap {0} needs too many positions: ask for --genus {MAX_HEAP} at most")]
pub struct TooLarge(pub u64);

/// A genus.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Genus {
    /// The nim-value.
    pub normal: u32,
    /// γ0, γ1, ..., at least two; the last two repeat for ever.
    pub misere: Vec<u32>,
}

/// What a genus and those of the options say about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The genus is one of a position of Nim: 0^120, 1^031 or n^{n, n^2} with n^2 the nim-sum of n and 2.
    Tame,
    /// Not tame, all options (and theirs, and so on) are, and the nim-value is 0 or 1.
    Restive,
    /// Not tame, all options (and theirs, and so on) are, and γ0 is 0 or 1.
    Restless,
    /// None of these.
    Wild,
}

/// The genus of heaps 1 to `to`, and what kind it is.
///
/// ```
/// use sprague::misere::{Kind, genera};
/// let kayles = genera(&"kayles".parse().unwrap(), 5)?;
/// let text: Vec<String> = kayles.iter().map(|(genus, _)| genus.to_string()).collect();
/// assert_eq!(text, ["1^031", "2^20", "3^31", "1^031", "4^146"]);
/// assert_eq!(kayles[4].1, Kind::Restless);
/// # Ok::<(), sprague::misere::TooLarge>(())
/// ```
///
/// # Errors
/// [`TooLarge`] beyond [`MAX_HEAP`].
pub fn genera(rules: &Rules, to: u64) -> Result<Vec<(Genus, Kind)>, TooLarge> {
    if to > MAX_HEAP {
        return Err(TooLarge(to));
    }
    let mut known = Known { rules, positions: HashMap::new() };
    Ok((1..=to)
        .map(|heap| {
            let position = known.position(vec![heap]);
            let kind = position.kind();
            (position.genus, kind)
        })
        .collect())
}

/// What is known of a position.
#[derive(Clone, Debug)]
struct Position {
    genus: Genus,
    options_tame: bool,
}

impl Position {
    fn is_tame(&self) -> bool {
        self.options_tame && self.genus.is_tame()
    }

    fn kind(&self) -> Kind {
        match &self.genus {
            genus if genus.is_tame() => Kind::Tame,
            Genus { normal: 0 | 1, .. } if self.options_tame => Kind::Restive,
            Genus { misere, .. } if self.options_tame && misere[0] <= 1 => Kind::Restless,
            _ => Kind::Wild,
        }
    }
}

/// The positions that were looked at, their heaps in increasing order.
struct Known<'a> {
    rules: &'a Rules,
    positions: HashMap<Vec<u64>, Position>,
}

impl Known<'_> {
    fn position(&mut self, heaps: Vec<u64>) -> Position {
        if let Some(known) = self.positions.get(&heaps) {
            return known.clone();
        }
        let mut genera = BTreeSet::new();
        let mut options_tame = true;
        for option in self.options(&heaps) {
            let option = self.position(option);
            options_tame &= option.is_tame();
            genera.insert((option.genus.normal, option.genus.misere));
        }
        let options: Vec<Genus> = genera.into_iter().map(|(normal, misere)| Genus { normal, misere }).collect();
        let position = Position { genus: Genus::of(&options), options_tame };
        self.positions.insert(heaps, position.clone());
        position
    }

    fn options(&self, heaps: &[u64]) -> BTreeSet<Vec<u64>> {
        let mut options = BTreeSet::new();
        for (i, &heap) in heaps.iter().enumerate() {
            for m in self.rules.moves(heap) {
                let mut option: Vec<u64> = [&heaps[..i], &heaps[i + 1..], &m.parts].concat();
                option.sort_unstable();
                options.insert(option);
            }
        }
        options
    }
}

impl Genus {
    /// The genus of a position whose options have these.
    fn of(options: &[Genus]) -> Genus {
        let normal = mex(options.iter().map(|o| o.normal));
        let repeating = options.iter().map(|o| o.misere.len()).max().unwrap_or(0);
        let mut misere: Vec<u32> = Vec::new();
        // Once the options' values repeat, one value that does makes all later ones repeat too.
        while misere.len() < repeating + 4 || misere[misere.len() - 1] != misere[misere.len() - 3] {
            let i = misere.len();
            let of_options = options.iter().map(|o| o.at(i));
            misere.push(match (i, options) {
                (0, []) => 1,
                (0, _) => mex(of_options),
                _ => mex(of_options.chain([misere[i - 1], misere[i - 1] ^ 1])),
            });
        }
        Genus { normal, misere: shortest(misere) }
    }

    /// γi.
    fn at(&self, i: usize) -> u32 {
        let last = self.misere.len() - 1;
        if i <= last { self.misere[i] } else { self.misere[last - (i - last) % 2] }
    }

    fn is_tame(&self) -> bool {
        match (self.normal, &self.misere[..]) {
            (0, [1, 2, 0]) | (1, [0, 3, 1]) => true,
            (n, [first, second]) => *first == n && *second == n ^ 2,
            _ => false,
        }
    }
}

/// The values without those at the end that repeat the two before.
fn shortest(mut values: Vec<u32>) -> Vec<u32> {
    while values.len() > 2 && values[values.len() - 1] == values[values.len() - 3] {
        values.pop();
    }
    values
}

fn mex(values: impl Iterator<Item = u32>) -> u32 {
    let values: BTreeSet<u32> = values.collect();
    (0..).find(|v| !values.contains(v)).expect("a finite set misses a value")
}

/// As in the literature, 4^146; numbers of two digits are put in parentheses, 8^(10)8(10).
impl fmt::Display for Genus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}^", self.normal)?;
        self.misere.iter().try_for_each(|&v| if v < 10 { write!(f, "{v}") } else { write!(f, "({v})") })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Tame => "tame",
            Kind::Restive => "restive",
            Kind::Restless => "restless",
            Kind::Wild => "wild",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_symbols() {
        let mut compared = 0;
        for line in include_str!("../../tests/data/misere_genus.csv").lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let (heap, tame): (u64, bool) = (cells[1].parse().unwrap(), cells[3] == "tame");
            let game = if cells[0] == "grundy" { "grundys-game" } else { cells[0] };
            let (genus, kind) = genera(&game.parse().unwrap(), heap).unwrap().pop().unwrap();
            assert_eq!((genus.to_string().as_str(), kind == Kind::Tame), (cells[2], tame), "{game}, heap {heap}");
            compared += 1;
        }
        assert_eq!(compared, 201);
    }

    #[test]
    fn nim_heaps_have_the_genus_of_their_size() {
        let symbols: Vec<String> =
            genera(&"nim".parse().unwrap(), 12).unwrap().iter().map(|(genus, _)| genus.to_string()).collect();
        assert_eq!(symbols[..5], ["1^031", "2^20", "3^31", "4^46", "5^57"]);
        assert_eq!(symbols[9..], ["10^(10)8", "11^(11)9", "12^(12)(14)"]);
    }
}
