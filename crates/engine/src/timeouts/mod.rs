//! The time that operations may take: durations as Go writes them, and the limits of operations.

mod duration;
mod limits;

pub use self::duration::{parse, text};
pub use self::limits::{Limits, Operation, USUAL};
