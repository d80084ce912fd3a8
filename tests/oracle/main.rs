//! Published facts (`tests/data`), compared with what the engines compute.

mod checksums;
mod data;
mod equivalents;
mod hexadecimal;
mod sequences;
mod solved;
