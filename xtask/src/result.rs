//! The result of a task. Its error is only printed.

use std::error::Error;

pub(crate) type Result<T = (), E = Box<dyn Error>> = std::result::Result<T, E>;
