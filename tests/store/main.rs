//! Run directories: what is written is read again, whatever happens in between.

mod common;
mod damage;
mod death;
mod full_disk;
mod round_trip;
