//! Misère quotients against published and independently computed facts.

mod brute;
mod mutants;
mod table;
