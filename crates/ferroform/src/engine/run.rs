//! Runs an author's method: catches its panic, cancels it, collects its warnings.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use crate::raw::Answer;
use crate::{Call, Diagnostic, Diagnostics, Result, panics};

/// How long a method that changes something and has no checkpoint yet may go on after the host asked to
/// stop. Cutting it off earlier could lose an object that is just being made; the host itself waits.
const GRACE: Duration = Duration::from_secs(20);

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
    // A task of its own, so that a method that blocks its thread does not keep the others from being heard.
    let mut task = tokio::spawn(panics::catch(answer));
    let mut cut_off = pin!(cut_off(call, effect));
    let joined = poll_fn(|cx| match Pin::new(&mut task).poll(cx) {
        Poll::Ready(joined) => Poll::Ready(Some(joined)),
        Poll::Pending => cut_off.as_mut().poll(cx).map(|()| None),
    });
    let Some(joined) = joined.await else {
        task.abort();
        return Err(cancelled(call, what, effect));
    };
    match joined {
        Ok(Ok(result)) => result,
        Ok(Err(panic)) => Err(panicked(what, &panic)),
        Err(error) => Err(Diagnostic::error("Call ended early").detail(format!("{what}: {error}.")).into()),
    }
}

/// Returns when the method is to be dropped.
async fn cut_off(call: &Call, effect: Effect) {
    call.cancelled().await;
    if effect == Effect::Reads || call.has_checkpoint() {
        return;
    }
    let _ = tokio::time::timeout(GRACE, call.saved()).await;
}

fn cancelled(call: &Call, what: &str, effect: Effect) -> Diagnostics {
    let detail = match (effect, call.has_checkpoint()) {
        (Effect::Reads, _) => "Nothing was changed.",
        (Effect::Writes, true) => "What had been made until then is kept in the state.",
        (Effect::Writes, false) => "It is not known how far it got; see what exists before trying again.",
    };
    Diagnostic::error("Operation cancelled").detail(format!("{what} was interrupted. {detail}")).into()
}

fn panicked(what: &str, panic: &panics::Panic) -> Diagnostics {
    let place = panic.place.as_deref().unwrap_or("an unknown place");
    let detail = format!(
        "{what} panicked at {place}: {}\n\nThis is a bug in the provider; please report it to its authors. What was \
         made before the panic is kept in the state as far as the provider had recorded it.",
        panic.message
    );
    Diagnostic::error("The provider panicked").detail(detail).into()
}
