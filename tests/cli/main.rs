//! The program as a user runs it: what it prints, where, and how it ends.

mod bench;
mod common;
mod games;
mod help;
mod kernels;
mod periods;
mod pipes;
mod plots;
mod runs;
mod values;
