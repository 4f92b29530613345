//! Timeouts of operations: durations in the format of Go, and the defaults of a resource or data source.

mod defaults;
mod duration;

pub use self::defaults::{DEFAULT_TIMEOUT, Operation, TimeoutDefaults};
pub use self::duration::{format_duration, parse_timeout};
