//! What is done at little cost.

use std::time::{Duration, Instant};

/// Twenty times what any of it takes without optimisation, and far less than what is guarded against, which would
/// not end at all.
const LIMIT: Duration = Duration::from_secs(5);

/// How long this thread has been at work, where the system tells.
fn at_work() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

/// Does it, and fails where that was much work. How long the machine was busy with something else does not count.
pub(crate) fn quickly<T>(what: impl FnOnce() -> T) -> T {
    let (before, start) = (at_work(), Instant::now());
    let it = what();
    let took = start.elapsed();
    let worked = before.zip(at_work()).map_or(took, |(before, after)| after.saturating_sub(before));
    assert!(worked.min(took) < LIMIT, "took {worked:?}");
    it
}
