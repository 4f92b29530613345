//! Measures the shortest time of several runs, for all benchmarks.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Returns the CPU time of this thread, if the system provides it. The system updates it only a few times each
/// second.
fn cpu_time() -> Option<Duration> {
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(schedstat.split(' ').next()?.parse().ok()?))
}

/// Returns the shortest time of several runs.
pub(crate) fn time<T>(mut operation: impl FnMut() -> T) -> Duration {
    time_of(|| (), |()| operation())
}

/// Returns the shortest time of several runs, in which other processes interfered least. For long runs, only CPU time
/// is measured.
pub(crate) fn time_of<S, T>(mut set_up: impl FnMut() -> S, mut operation: impl FnMut(S) -> T) -> Duration {
    let mut best = Duration::MAX;
    let start = Instant::now();
    let mut runs = 0;
    while runs < 12 || start.elapsed() < Duration::from_millis(400) {
        let state = set_up();
        // Reading the CPU time takes long, so it is skipped for short runs.
        let before = if runs == 0 || best > Duration::from_millis(2) { cpu_time() } else { None };
        let run = Instant::now();
        let it = black_box(operation(state));
        let took = run.elapsed();
        let work = before.zip(cpu_time()).map(|(before, after)| after - before);
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

/// Returns true if the command line selects the benchmark, or selects none.
pub(crate) fn is_selected(name: &str) -> bool {
    let filters: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).collect();
    filters.is_empty() || filters.iter().any(|it| name.contains(&**it))
}
