//! A limit for the time that an operation takes.

use std::time::{Duration, Instant};

/// Twenty times the time of the slowest operation without optimization. An operation without a limit takes much longer.
const LIMIT: Duration = Duration::from_secs(5);

/// Returns the CPU time of this thread, if the system provides it.
fn cpu_time() -> Option<Duration> {
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(schedstat.split(' ').next()?.parse().ok()?))
}

/// Runs an operation and fails if it takes too much CPU time. The load of the machine does not count.
pub(crate) fn within_deadline<T>(operation: impl FnOnce() -> T) -> T {
    let (before, start) = (cpu_time(), Instant::now());
    let result = operation();
    let elapsed = start.elapsed();
    let used = before.zip(cpu_time()).map_or(elapsed, |(before, after)| after.saturating_sub(before));
    assert!(used.min(elapsed) < LIMIT, "took {used:?}");
    result
}
