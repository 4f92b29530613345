//! The time that operations may take: durations as Go writes them, and the limits of operations.

mod defaults;
mod duration;

pub use self::defaults::{DEFAULT_TIMEOUT, Operation, TimeoutDefaults};
pub use self::duration::{format_duration, parse_timeout};
