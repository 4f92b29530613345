//! Timeouts of operations: which operations have a limit, and how long it is.

mod check;
mod duration;
mod limits;

pub use self::check::{faults, faults_of_data, faults_of_provider};
pub use self::duration::{parse, text};
pub use self::limits::{Limit, Limits, Operation, USUAL, carried_over, limit, name};
