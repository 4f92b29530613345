//! A watchdog for operations whose cost would grow without bounds if a limit or an index were missing.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Hundreds of times the time of the slowest operation without optimization, so that a loaded machine does not matter.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs an operation. If it does not end, ends the test process, which would otherwise hang.
pub(crate) fn within_deadline<T>(operation: impl FnOnce() -> T) -> T {
    let test = thread::current().name().unwrap_or_default().to_owned();
    let (ended, is_ended) = channel::<()>();
    thread::spawn(move || {
        if is_ended.recv_timeout(LIMIT) == Err(RecvTimeoutError::Timeout) {
            eprintln!("an operation of the test {test} does not end");
            std::process::abort();
        }
    });
    let result = operation();
    drop(ended);
    result
}
