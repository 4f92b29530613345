//! The pauses between polls or attempts.

use std::time::Duration;

use crate::Clock;

/// Shorter pauses would keep a processor busy.
const MIN: Duration = Duration::from_millis(1);

/// The pauses between polls of a [`Wait`](super::Wait) or attempts of a [`Retry`](super::Retry).
///
/// ```
/// use std::time::Duration;
///
/// use ferroform::wait::Backoff;
///
/// // 1, 2, 4, 8, 16, 30, 30, … seconds, each shortened by up to half.
/// let backoff = Backoff::exponential(Duration::from_secs(1), Duration::from_secs(30)).jitter(0.5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Backoff {
    first: Duration,
    max: Duration,
    jitter: f64,
}

impl Backoff {
    /// Always the same pause.
    pub const fn constant(pause: Duration) -> Backoff {
        Backoff { first: pause, max: pause, jitter: 0.0 }
    }

    /// Pauses that double each time, from `first` up to `max`.
    pub const fn exponential(first: Duration, max: Duration) -> Backoff {
        Backoff { first, max, jitter: 0.0 }
    }

    /// Shortens each pause by a random fraction of at most `fraction`, from 0 (not at all) to 1 (down to nothing). This
    /// spreads the attempts of requests that have failed at the same time.
    pub const fn jitter(mut self, fraction: f64) -> Backoff {
        self.jitter = if fraction > 0.0 { fraction.min(1.0) } else { 0.0 };
        self
    }

    /// The pause after that many previous pauses.
    pub(super) fn pause(&self, previous: u32, clock: &Clock) -> Duration {
        let factor = 1_u32.checked_shl(previous).unwrap_or(u32::MAX);
        let pause = self.first.saturating_mul(factor).min(self.max);
        let fraction = if self.jitter > 0.0 { 1.0 - self.jitter * clock.random() } else { 1.0 };
        Duration::try_from_secs_f64(pause.as_secs_f64() * fraction).unwrap_or(pause).max(MIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(it: u64) -> Duration {
        Duration::from_secs(it)
    }

    fn pauses(backoff: Backoff) -> [f64; 6] {
        let clock = Clock::test();
        [0, 1, 2, 3, 4, 500].map(|it| backoff.pause(it, &clock).as_secs_f64())
    }

    #[test]
    fn exponential_pauses_double_up_to_the_maximum() {
        assert_eq!(pauses(Backoff::constant(seconds(5))), [5.0; 6]);
        assert_eq!(pauses(Backoff::exponential(seconds(1), seconds(10))), [1.0, 2.0, 4.0, 8.0, 10.0, 10.0]);
        assert_eq!(pauses(Backoff::constant(Duration::ZERO)), [0.001; 6], "some time passes");
        assert_eq!(pauses(Backoff::constant(Duration::MAX))[5], Duration::MAX.as_secs_f64());
    }

    #[test]
    fn jitter_shortens_pauses() {
        let all = pauses(Backoff::constant(seconds(10)).jitter(0.5));
        assert!(all.iter().all(|it| (5.0..=10.0).contains(it)), "{all:?}");
        assert!(all.windows(2).any(|it| it[0] != it[1]), "{all:?}");
        assert_eq!(all, pauses(Backoff::constant(seconds(10)).jitter(0.5)), "the same in each test");
        let odd = [f64::NAN, -1.0].map(|it| pauses(Backoff::constant(seconds(10)).jitter(it)));
        assert_eq!(odd, [[10.0; 6]; 2]);
        assert!(
            pauses(Backoff::constant(seconds(10)).jitter(7.0)).iter().all(|it| (0.0..=10.0).contains(it))
        );
    }
}
