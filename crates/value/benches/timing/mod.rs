//! What the benchmarks share: the shortest time of several runs.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long this thread has been at work, where the system tells. It tells a few times each second only.
fn at_work() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

/// The shortest time of several runs.
pub(crate) fn time<T>(mut what: impl FnMut() -> T) -> Duration {
    time_of(|| (), |()| what())
}

/// The shortest of several runs, which is the one that was disturbed least. A long run is disturbed in any
/// case, so of that only the time at work counts.
pub(crate) fn time_of<S, T>(mut set_up: impl FnMut() -> S, mut what: impl FnMut(S) -> T) -> Duration {
    let mut best = Duration::MAX;
    let start = Instant::now();
    let mut runs = 0;
    while runs < 12 || start.elapsed() < Duration::from_millis(400) {
        let state = set_up();
        // Asking takes long itself, so short runs go without.
        let before = if runs == 0 || best > Duration::from_millis(2) { at_work() } else { None };
        let run = Instant::now();
        let it = black_box(what(state));
        let took = run.elapsed();
        let work = before.zip(at_work()).map(|(before, after)| after - before);
        best = best.min(match work {
            Some(work) if took > Duration::from_millis(20) && work > Duration::from_millis(5) => work,
            _ => took,
        });
        drop(it);
        runs += 1;
        if start.elapsed() > Duration::from_secs(20) {
            break;
        }
    }
    best
}

/// Whether the benchmark is among those named on the command line, or none is.
pub(crate) fn wanted(name: &str) -> bool {
    let words: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).collect();
    words.is_empty() || words.iter().any(|it| name.contains(&**it))
}
