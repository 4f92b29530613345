//! The block `retry`.

use std::time::{Duration, SystemTime};

use ferroform::wait::{self, Backoff, RetryError};
use ferroform::{Diagnostic, Model, RequestCx, Result, path};
use reqwest::header::RETRY_AFTER;
use reqwest::{Response, StatusCode};

use crate::client::REQUEST_ERROR;

/// The number of retries, and the delays between them.
#[derive(Model, Clone, Debug, Default, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Retry {
    /// The number of retries: with `2`, the request is sent at most three times. Defaults to `0`.
    attempts: Option<u64>,
    /// The delay in milliseconds before the first retry. It doubles after each retry. Defaults to `1000`.
    min_delay_ms: Option<u64>,
    /// The maximum delay in milliseconds. Defaults to `30000`.
    #[attr(at_least_sum_of(min_delay_ms))]
    max_delay_ms: Option<u64>,
}

impl Retry {
    /// Runs attempts until one succeeds or returns a permanent error.
    pub(crate) async fn run<F>(&self, cx: &RequestCx, attempt: impl FnMut() -> F) -> Result<Response>
    where
        F: Future<Output = Result<Response, RetryError>>,
    {
        let attempts = self.attempts.unwrap_or_default().saturating_add(1);
        let min = Duration::from_millis(self.min_delay_ms.unwrap_or(1_000));
        let max = Duration::from_millis(self.max_delay_ms.unwrap_or(30_000));
        wait::Retry::new("send the request")
            .attempts(attempts.try_into().unwrap_or(u32::MAX))
            .backoff(Backoff::exponential(min, max))
            .run(cx, attempt)
            .await
    }
}

/// Converts the status codes for which a retry may succeed to transient errors.
pub(crate) fn check(cx: &RequestCx, response: Response) -> Result<Response, RetryError> {
    let status = response.status();
    let is_busy = status == StatusCode::TOO_MANY_REQUESTS;
    if !is_busy && (status.as_u16() < 500 || status == StatusCode::NOT_IMPLEMENTED) {
        return Ok(response);
    }
    let error = Diagnostic::error(REQUEST_ERROR).at(path!(url));
    let error = error.detail(format!("The server returned the status code {status}."));
    let pause = response.headers().get(RETRY_AFTER).and_then(|it| it.to_str().ok());
    match pause.and_then(|it| delay(it, cx.clock().system_time())) {
        Some(pause) if is_busy || status == StatusCode::SERVICE_UNAVAILABLE => {
            Err(RetryError::after(pause, error))
        }
        _ => Err(RetryError::transient(error)),
    }
}

/// The value of `Retry-After`: a number of seconds, or a date.
fn delay(value: &str, now: SystemTime) -> Option<Duration> {
    if let Ok(seconds) = value.parse::<u32>() {
        return Some(Duration::from_secs(seconds.into()));
    }
    Some(httpdate::parse_http_date(value).ok()?.duration_since(now).unwrap_or_default())
}
