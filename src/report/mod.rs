//! Results as text, JSON, CSV, b-files and pictures. Nothing here computes.

pub mod bench;
pub mod misere;
pub mod period;
pub mod sequence;
pub mod svg;
