//! Taking only, finitely many digits: every subtraction game, and codes with digits 0 to 3.
//! The value of a heap depends on the `k` values before it, so memory is bounded for every heap size.

use crate::Rules;
use crate::kernel::WordSet;
use crate::rules::{LEAVE_ONE, TAKE_ALL};

use super::{Engine, EngineError, History};

/// The engine for finite taking games.
pub struct Finite {
    rules: Rules,
    /// The numbers of tokens that may be taken from a heap that is larger.
    takes: Vec<u64>,
    history: History,
}

impl Finite {
    /// Whether the engine can compute this game.
    pub fn covers(rules: &Rules) -> bool {
        rules.max_parts() <= 1 && rules.last_index().is_some()
    }

    /// Goes on from `history`, whose window must hold at least `k` values.
    ///
    /// # Panics
    /// If the engine does not cover the game.
    pub fn new(rules: &Rules, history: History) -> Finite {
        assert!(Finite::covers(rules));
        let takes = (1..rules.prefix().len() as u64).filter(|&i| rules.digit(i) & LEAVE_ONE != 0).collect();
        Finite { rules: rules.clone(), takes, history }
    }
}

impl Engine for Finite {
    fn name(&self) -> &'static str {
        "finite"
    }

    fn kernel(&self) -> &'static str {
        "words"
    }

    fn history(&self) -> &History {
        &self.history
    }

    fn take_history(&mut self) -> History {
        std::mem::take(&mut self.history)
    }

    fn extend(&mut self, to: u64) -> Result<(), EngineError> {
        let mut options = WordSet::new();
        for n in self.history.len()..to {
            options.clear();
            if self.rules.digit(n) & TAKE_ALL != 0 {
                options.insert(0);
            }
            let (recent, base) = (self.history.recent(), self.history.base());
            self.takes.iter().take_while(|&&i| i < n).for_each(|i| options.insert(recent.get((n - i - base) as usize)));
            self.history.push(options.mex());
            if n % 1024 == 0 {
                self.history.trim();
            }
        }
        self.history.trim();
        Ok(())
    }
}
