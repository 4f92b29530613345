//! The block `retry`.

use std::time::{Duration, SystemTime};

use ferroform::wait::{self, Backoff, RetryError};
use ferroform::{Args, Diagnostic, Model, RequestCx, Result, path};
use reqwest::header::RETRY_AFTER;
use reqwest::{Response, StatusCode};

/// The number of attempts, and the delays between them.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Retry {
    /// The number of attempts after the first one. The default is 0.
    attempts: Option<u64>,
    /// The delay before the second attempt in milliseconds. It doubles after each attempt. The default is 1000.
    min_delay_ms: Option<u64>,
    /// The maximum delay in milliseconds. The default is 30000.
    #[attr(at_least_sum_of(min_delay_ms))]
    max_delay_ms: Option<u64>,
}

/// Repeats attempts until one succeeds, or fails with an error that another attempt cannot correct.
pub(crate) async fn run<F>(
    cx: &RequestCx,
    retry: Option<Args<Retry>>,
    attempt: impl FnMut() -> F,
) -> Result<Response>
where
    F: Future<Output = Result<Response, RetryError>>,
{
    let (attempts, min, max) = match retry {
        Some(retry) => (retry.attempts, retry.min_delay_ms, retry.max_delay_ms),
        None => (None, None, None),
    };
    let attempts = attempts.unwrap_or_default().saturating_add(1);
    let (min, max) = (min.unwrap_or(1_000), max.unwrap_or(30_000));
    wait::Retry::new("send the request")
        .attempts(attempts.try_into().unwrap_or(u32::MAX))
        .backoff(Backoff::exponential(Duration::from_millis(min), Duration::from_millis(max)))
        .run(cx, attempt)
        .await
}

/// Turns statuses into errors that another attempt may not have.
pub(crate) fn check(cx: &RequestCx, response: Response) -> Result<Response, RetryError> {
    let status = response.status();
    let is_busy = status == StatusCode::TOO_MANY_REQUESTS;
    if !is_busy && (status.as_u16() < 500 || status == StatusCode::NOT_IMPLEMENTED) {
        return Ok(response);
    }
    let error = Diagnostic::error("Error making request").at(path!(url));
    let error = error.detail(format!("The server has returned the status {status}."));
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
