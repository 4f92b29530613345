//! Retries of attempts that may fail transiently.

use std::time::Duration;

use ferroform_engine::diagnostic_kind::DiagnosticKind;
use ferroform_engine::timeouts::format_duration;

use super::Backoff;
use super::poll::rounded;
use crate::{Diagnostic, Diagnostics, RequestCx, Result};

const BACKOFF: Backoff =
    Backoff::exponential(Duration::from_millis(500), Duration::from_secs(10)).jitter(0.5);
const ATTEMPTS: u32 = 10;

/// The error of an attempt, with the decision whether to retry. `?` converts any other error into
/// [`Permanent`](RetryError::Permanent).
///
/// ```
/// use ferroform::Diagnostic;
/// use ferroform::wait::RetryError;
///
/// fn classify(status: u16) -> RetryError {
///     match status {
///         429 | 503 => RetryError::transient(Diagnostic::error("Service Busy")),
///         _ => Diagnostic::error("Request Rejected").into(),
///     }
/// }
///
/// assert!(matches!(classify(503), RetryError::Transient(_)));
/// assert!(matches!(classify(400), RetryError::Permanent(_)));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RetryError {
    /// The next attempt may succeed.
    Transient(Diagnostics),
    /// An attempt after that time may succeed, for example because the response has a `Retry-After` header.
    TransientAfter(Duration, Diagnostics),
    /// No attempt will succeed.
    Permanent(Diagnostics),
}

impl RetryError {
    /// The next attempt may succeed.
    pub fn transient(error: impl Into<Diagnostics>) -> RetryError {
        RetryError::Transient(error.into())
    }

    /// An attempt after that time may succeed.
    pub fn after(pause: Duration, error: impl Into<Diagnostics>) -> RetryError {
        RetryError::TransientAfter(pause, error.into())
    }
}

impl<E: Into<Diagnostics>> From<E> for RetryError {
    fn from(error: E) -> RetryError {
        RetryError::Permanent(error.into())
    }
}

/// Repeats an attempt until it succeeds: see the [example](super).
#[derive(Clone, Debug)]
#[must_use = "call `run`"]
pub struct Retry {
    operation: String,
    backoff: Backoff,
    attempts: Option<u32>,
    timeout: Option<Duration>,
}

impl Retry {
    /// Retries an operation, which error messages name: "start the server". By default, it makes at most 10 attempts.
    pub fn new(operation: impl Into<String>) -> Retry {
        Retry { operation: operation.into(), backoff: BACKOFF, attempts: None, timeout: None }
    }

    /// The maximum number of attempts. There is always at least one.
    pub fn attempts(mut self, max: u32) -> Retry {
        self.attempts = Some(max);
        self
    }

    /// Starts no attempt after that time. Unless [`attempts`](Retry::attempts) is set, the number of attempts is no
    /// longer limited to 10. The [deadline](crate::RequestCx::deadline) of the method applies in addition.
    pub fn timeout(mut self, timeout: Duration) -> Retry {
        self.timeout = Some(timeout);
        self
    }

    /// The pauses between attempts. The default is exponential from 0.5 to 10 seconds, with a jitter of 0.5.
    pub fn backoff(mut self, backoff: Backoff) -> Retry {
        self.backoff = backoff;
        self
    }

    /// Runs the attempts and returns the result of the one that succeeds. An attempt in progress is not canceled,
    /// because it may already have an effect.
    ///
    /// # Errors
    ///
    /// The error of the last attempt, with the number of attempts if there can be several; or an interruption between two attempts.
    pub async fn run<T, F, Fut>(self, cx: &RequestCx, mut attempt: F) -> Result<T>
    where
        F: FnMut() -> Fut,
        Fut: Future<Output = Result<T, RetryError>>,
    {
        let clock = cx.clock();
        let start = clock.now();
        let max = self.attempts.unwrap_or(if self.timeout.is_some() { u32::MAX } else { ATTEMPTS });
        let mut attempts = 0;
        loop {
            let (pause, errors) = match attempt().await {
                Ok(result) => return Ok(result),
                Err(RetryError::Permanent(errors)) => return Err(errors),
                Err(RetryError::Transient(errors)) => (self.backoff.pause(attempts, clock), errors),
                Err(RetryError::TransientAfter(pause, errors)) => (pause, errors),
            };
            attempts += 1;
            let elapsed = clock.now() - start;
            let remaining = self.timeout.map(|it| it.saturating_sub(elapsed));
            let is_too_late = remaining.into_iter().chain(cx.remaining()).any(|it| it <= pause);
            if max <= 1 {
                return Err(errors);
            }
            if attempts >= max || is_too_late {
                let plural = if attempts == 1 { "" } else { "s" };
                let reason = if attempts < max { ", and there is no time for another one" } else { "" };
                let note = format!(
                    "{attempts} attempt{plural} to {} failed within {}{reason}.",
                    self.operation,
                    format_duration(rounded(elapsed))
                );
                return Err(errors.into_iter().map(|it| with_note(it, &note)).collect());
            }
            let cause =
                errors.iter().next().map(|it| format!(" (last error: {:?})", it.summary)).unwrap_or_default();
            let before = cx.context().wait_description();
            cx.context().set_wait_description(Some(format!("another attempt to {}{cause}", self.operation)));
            cx.sleep(pause).await?;
            cx.context().set_wait_description(before);
        }
    }
}

fn with_note(error: Diagnostic, note: &str) -> Diagnostic {
    let detail = if error.detail.is_empty() { note.to_owned() } else { format!("{} {note}", error.detail) };
    let error = error.detail(detail);
    // Another kind, such as a timeout, stays recognizable.
    if *error.kind() == DiagnosticKind::Other { error.of_kind(DiagnosticKind::RetriesFailed) } else { error }
}
