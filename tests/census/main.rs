//! The census: the same bytes however the work is done, and agreement with what is published.

#[path = "../cli/common.rs"]
mod common;
mod literature;
mod work;
