//! Engines: ways to compute the nim-values of a game.
pub mod history;
pub mod naive;
