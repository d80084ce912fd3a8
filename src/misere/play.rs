//! Playing through a verified quotient.

use crate::rules::Move;

use super::quotient::{Outcome, Quotient, UnknownHeap};

/// A move that wins: it leaves a P-position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinningMove {
    /// The index of the heap that is moved in.
    pub component: usize,
    /// What is taken and left there.
    pub play: Move,
}

impl Quotient {
    /// Who wins the sum of these heaps in misère play (heaps of 0 do not count).
    ///
    /// # Errors
    /// [`UnknownHeap`] if a heap is too large and there is no period.
    pub fn outcome(&self, heaps: &[u64]) -> Result<Outcome, UnknownHeap> {
        let value = self.sum(heaps.iter().copied())?;
        Ok(if self.is_p_element(value) { Outcome::P } else { Outcome::N })
    }

    /// Every move that wins, component by component, those that take least first. A move occurs once for each
    /// component that it can be made in. There is none in a P-position, nor in a position without any move, which the
    /// next player has won.
    ///
    /// This tries all moves: as many for each heap and each digit that splits as the heap is large.
    ///
    /// # Errors
    /// [`UnknownHeap`] if a heap is too large and there is no period.
    pub fn winning_moves(&self, heaps: &[u64]) -> Result<Vec<WinningMove>, UnknownHeap> {
        let mut winning = Vec::new();
        for (component, &heap) in heaps.iter().enumerate() {
            let others = heaps.iter().enumerate().filter(|&(i, _)| i != component).map(|(_, &h)| h);
            let rest = self.sum(others)?;
            for play in self.rules().moves(heap) {
                let value = self.product(rest, self.sum(play.parts.iter().copied())?);
                if self.is_p_element(value) {
                    winning.push(WinningMove { component, play });
                }
            }
        }
        Ok(winning)
    }

    fn sum(&self, heaps: impl Iterator<Item = u64>) -> Result<u16, UnknownHeap> {
        heaps.into_iter().try_fold(0, |x, heap| Ok(self.product(x, self.value(heap)?)))
    }
}
