//! A future against a limit.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

/// The outcome of the first future, or none where the second ends before it. Where both are done, the first
/// counts.
pub async fn run_until<T>(main: impl Future<Output = T>, limit: impl Future<Output = ()>) -> Option<T> {
    let (mut main, mut limit) = (pin!(main), pin!(limit));
    poll_fn(|cx| match main.as_mut().poll(cx) {
        Poll::Ready(it) => Poll::Ready(Some(it)),
        Poll::Pending => limit.as_mut().poll(cx).map(|()| None),
    })
    .await
}
