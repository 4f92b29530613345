//! A watchdog for operations whose cost would grow without bounds if a limit or an index were missing.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Hundreds of times the time of the slowest operation without optimization, so that a loaded machine does not matter.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs an operation, and aborts the test process if it takes longer than [`LIMIT`].
pub(crate) fn within_deadline<T>(operation: impl FnOnce() -> T) -> T {
    let test = thread::current().name().unwrap_or_default().to_owned();
    let (sender, receiver) = channel::<()>();
    thread::spawn(move || {
        if receiver.recv_timeout(LIMIT) == Err(RecvTimeoutError::Timeout) {
            eprintln!("an operation of the test {test} takes longer than {LIMIT:?}");
            std::process::abort();
        }
    });
    let result = operation();
    drop(sender);
    result
}
