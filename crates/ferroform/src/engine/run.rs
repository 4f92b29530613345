//! Runs an author's method: catches its panic, cancels it, collects its warnings.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use tokio::runtime::Handle;
use tracing::Instrument as _;

use crate::raw::Answer;
use crate::{Call, Diagnostic, Diagnostics, Result, panics};

/// How long a method that changes something and has no checkpoint yet may go on after the host asked to
/// stop. Cutting it off earlier could lose an object that is just being made; the host itself waits.
const GRACE: Duration = Duration::from_secs(20);

/// How long a method that is to be dropped may block its thread before the answer goes out without it.
const BLOCKED: Duration = Duration::from_millis(200);

/// What a method does to the world, which decides how it is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It only looks: it is dropped at once.
    Reads,
    /// It makes or changes something: it may go on to its next checkpoint.
    Writes,
}

/// The answer of the method, its warnings moved into `diagnostics` along with what went wrong.
pub(super) async fn run<T: Send + 'static>(
    call: &Call,
    what: &str,
    effect: Effect,
    answer: Answer<T>,
    diagnostics: &mut Diagnostics,
) -> Option<T> {
    let result = race(call, what, effect, answer).await;
    diagnostics.extend(call.take_warnings());
    diagnostics.take(result)
}

async fn race<T: Send + 'static>(call: &Call, what: &str, effect: Effect, answer: Answer<T>) -> Result<T> {
    // A thread of its own: a method that blocks (files, a synchronous client) keeps no other from being
    // heard, and does not keep this one from being cut off.
    let here = Handle::current();
    let inside = call.clone();
    let answer = panics::catch(answer).instrument(tracing::Span::current());
    let task = tokio::task::spawn_blocking(move || {
        here.block_on(first(answer, async move { cut_off(&inside, effect).await }))
    });
    let late = async {
        cut_off(call, effect).await;
        tokio::time::sleep(BLOCKED).await;
    };
    match first(task, late).await {
        Some(Ok(Some(Ok(result)))) => result,
        Some(Ok(Some(Err(panic)))) => Err(panicked(what, effect, &panic)),
        Some(Ok(None)) | None => Err(cancelled(call, what, effect)),
        Some(Err(error)) => {
            Err(Diagnostic::error("Call ended early").detail(format!("{what}: {error}.")).into())
        }
    }
}

/// The outcome of the first future, or none where the second ends before it.
async fn first<T>(main: impl Future<Output = T>, limit: impl Future<Output = ()>) -> Option<T> {
    let (mut main, mut limit) = (pin!(main), pin!(limit));
    poll_fn(|cx| match main.as_mut().poll(cx) {
        Poll::Ready(it) => Poll::Ready(Some(it)),
        Poll::Pending => limit.as_mut().poll(cx).map(|()| None),
    })
    .await
}

/// Returns when the method is to be dropped.
async fn cut_off(call: &Call, effect: Effect) {
    call.cancelled().await;
    if effect == Effect::Writes {
        let _ = tokio::time::timeout(GRACE, call.saved()).await;
    }
}

fn cancelled(call: &Call, what: &str, effect: Effect) -> Diagnostics {
    let detail = match (effect, call.has_checkpoint()) {
        (Effect::Reads, _) => "Nothing was changed.",
        (Effect::Writes, true) => "What had been made until then is kept in the state.",
        (Effect::Writes, false) => "It is not known how far it got; see what exists before trying again.",
    };
    Diagnostic::error("Operation cancelled").detail(format!("{what} was interrupted. {detail}")).into()
}

fn panicked(what: &str, effect: Effect, panic: &panics::Panic) -> Diagnostics {
    let kept = match effect {
        Effect::Reads => "",
        Effect::Writes => " What the provider had recorded before is kept in the state.",
    };
    panic.diagnostic(what, kept).into()
}
