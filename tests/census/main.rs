//! The census: the same bytes however the work is done, and agreement with what is published.

mod common;
mod literature;
mod work;
