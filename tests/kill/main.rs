//! Runs that are killed, stopped, damaged or cut off by a full disk, and go on.

mod common;
mod damage;
#[cfg(target_os = "linux")]
mod full_disk;
mod killed;
mod stopped;
