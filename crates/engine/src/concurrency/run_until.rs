//! Runs a future until another one ends.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

/// The output of `future`, or `None` if `limit` ends first. If both end at the same time, the output is returned.
pub async fn run_until<T>(future: impl Future<Output = T>, limit: impl Future<Output = ()>) -> Option<T> {
    let (mut future, mut limit) = (pin!(future), pin!(limit));
    poll_fn(|context| match future.as_mut().poll(context) {
        Poll::Ready(output) => Poll::Ready(Some(output)),
        Poll::Pending => limit.as_mut().poll(context).map(|()| None),
    })
    .await
}
