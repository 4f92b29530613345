//! Trying again what may fail.

use std::time::Duration;

use super::Pace;
use super::until::rounded;
use crate::model::timeouts::format_duration;
use crate::{Call, Diagnostic, Diagnostics, Result};

const PACE: Pace = Pace::growing(Duration::from_millis(500), Duration::from_secs(10)).jitter(0.5);
const ATTEMPTS: u32 = 10;

/// How an attempt has failed. `?` makes the last kind of every error.
#[derive(Clone, Debug, PartialEq)]
pub enum Failed {
    /// It may go well the next time.
    Again(Diagnostics),
    /// It may go well after so long: what a service says with `Retry-After`.
    AgainAfter(Duration, Diagnostics),
    /// It will not.
    Fatal(Diagnostics),
}

impl Failed {
    /// It may go well the next time.
    pub fn again(error: impl Into<Diagnostics>) -> Failed {
        Failed::Again(error.into())
    }

    /// It may go well after so long.
    pub fn again_after(pause: Duration, error: impl Into<Diagnostics>) -> Failed {
        Failed::AgainAfter(pause, error.into())
    }
}

impl<E: Into<Diagnostics>> From<E> for Failed {
    fn from(error: E) -> Failed {
        Failed::Fatal(error.into())
    }
}

/// Tries something until it goes well.
#[derive(Clone, Debug)]
pub struct Retry {
    what: String,
    pace: Pace,
    attempts: Option<u32>,
    timeout: Option<Duration>,
}

impl Retry {
    /// Tries this: "start the server". At most 10 times, where nothing else is said.
    pub fn new(what: impl Into<String>) -> Retry {
        Retry { what: what.into(), pace: PACE, attempts: None, timeout: None }
    }

    /// Tries so many times at most, and once at least.
    #[must_use]
    pub fn attempts(mut self, most: u32) -> Retry {
        self.attempts = Some(most);
        self
    }

    /// Begins no attempt after so long; the number of attempts then does not count where it is not said. The method's
    /// [deadline](crate::RequestContext::deadline) holds too.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Retry {
        self.timeout = Some(timeout);
        self
    }

    /// How long it waits between two attempts: half a second to ten, twice as long each time, and by up to half
    /// shorter, where nothing else is said.
    #[must_use]
    pub fn pace(mut self, pace: Pace) -> Retry {
        self.pace = pace;
        self
    }

    /// Tries, and answers what the attempt that goes well answers. An attempt that is under way is not given up: what
    /// it does at the service counts.
    ///
    /// # Errors
    ///
    /// That of the last attempt, with how often it was tried; or that the user has asked to stop between two.
    pub async fn run<T, F, Fut>(self, cx: &Call, mut attempt: F) -> Result<T>
    where
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<T, Failed>>,
    {
        let clock = cx.clock();
        let start = clock.now();
        let most = self.attempts.unwrap_or(if self.timeout.is_some() { u32::MAX } else { ATTEMPTS });
        let mut tried = 0;
        loop {
            let (pause, errors) = match attempt().await {
                Ok(it) => return Ok(it),
                Err(Failed::Fatal(errors)) => return Err(errors),
                Err(Failed::Again(errors)) => (self.pace.pause(tried, clock), errors),
                Err(Failed::AgainAfter(pause, errors)) => (pause, errors),
            };
            tried += 1;
            let waited = clock.now() - start;
            let left = self.timeout.map(|it| it.saturating_sub(waited));
            let is_late = left.into_iter().chain(cx.remaining()).any(|it| it <= pause);
            if tried >= most || is_late {
                let times = if tried == 1 { "once".to_owned() } else { format!("{tried} times") };
                let why = if tried < most { "; there is no time to try again" } else { "" };
                let tried = format!(
                    "Tried {times} to {} within {}{why}.",
                    self.what,
                    format_duration(rounded(waited))
                );
                return Err(errors.into_iter().map(|it| with(it, &tried)).collect());
            }
            let reason =
                errors.iter().next().map(|it| format!(" after {:?}", it.summary)).unwrap_or_default();
            let before = cx.wait_description();
            cx.set_wait_description(Some(format!("another attempt to {}{reason}", self.what)));
            cx.sleep(pause).await?;
            cx.set_wait_description(before);
        }
    }
}

fn with(it: Diagnostic, more: &str) -> Diagnostic {
    let detail = if it.detail.is_empty() { more.to_owned() } else { format!("{} {more}", it.detail) };
    it.detail(detail)
}
