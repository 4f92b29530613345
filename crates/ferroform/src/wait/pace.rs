//! How long to wait between attempts.

use std::time::Duration;

use crate::Clock;

/// Shorter pauses would keep a processor busy.
const LEAST: Duration = Duration::from_millis(1);

/// How long to wait between attempts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    first: Duration,
    most: Duration,
    jitter: f64,
}

impl Pace {
    /// Always that long.
    #[must_use]
    pub const fn every(pause: Duration) -> Pace {
        Pace { first: pause, most: pause, jitter: 0.0 }
    }

    /// Twice as long each time, from `first` up to `most`.
    #[must_use]
    pub const fn growing(first: Duration, most: Duration) -> Pace {
        Pace { first, most, jitter: 0.0 }
    }

    /// Makes each pause shorter by a random part of it, at most this one: 0.5 for half of it, 1 for anything down to
    /// nothing. So those who have failed together do not come back together.
    #[must_use]
    pub const fn jitter(mut self, part: f64) -> Pace {
        self.jitter = if part > 0.0 { part.min(1.0) } else { 0.0 };
        self
    }

    /// The pause after so many others.
    pub(super) fn pause(&self, others: u32, clock: &Clock) -> Duration {
        let times = 1_u32.checked_shl(others).unwrap_or(u32::MAX);
        let pause = self.first.saturating_mul(times).min(self.most);
        let left = if self.jitter > 0.0 { 1.0 - self.jitter * clock.random() } else { 1.0 };
        Duration::try_from_secs_f64(pause.as_secs_f64() * left).unwrap_or(pause).max(LEAST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(it: u64) -> Duration {
        Duration::from_secs(it)
    }

    fn pauses(pace: Pace) -> [f64; 6] {
        let clock = Clock::test();
        [0, 1, 2, 3, 4, 500].map(|it| pace.pause(it, &clock).as_secs_f64())
    }

    #[test]
    fn pauses_grow_up_to_the_most() {
        assert_eq!(pauses(Pace::every(seconds(5))), [5.0; 6]);
        assert_eq!(pauses(Pace::growing(seconds(1), seconds(10))), [1.0, 2.0, 4.0, 8.0, 10.0, 10.0]);
        assert_eq!(pauses(Pace::every(Duration::ZERO)), [0.001; 6], "some time passes");
        assert_eq!(pauses(Pace::every(Duration::MAX))[5], Duration::MAX.as_secs_f64());
    }

    #[test]
    fn jitter_makes_pauses_shorter() {
        let all = pauses(Pace::every(seconds(10)).jitter(0.5));
        assert!(all.iter().all(|it| (5.0..=10.0).contains(it)), "{all:?}");
        assert!(all.windows(2).any(|it| it[0] != it[1]), "{all:?}");
        assert_eq!(all, pauses(Pace::every(seconds(10)).jitter(0.5)), "the same in each test");
        let odd = [f64::NAN, -1.0].map(|it| pauses(Pace::every(seconds(10)).jitter(it)));
        assert_eq!(odd, [[10.0; 6]; 2]);
        assert!(pauses(Pace::every(seconds(10)).jitter(7.0)).iter().all(|it| (0.0..=10.0).contains(it)));
    }
}
