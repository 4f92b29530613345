//! Runs an author's method: catches its panic, cancels it, collects its warnings.

use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use crate::concurrency::race::first;
use crate::concurrency::spawn::spawn;
use crate::diagnostic_kind::DiagnosticKind;
use crate::panics;
use crate::provider::Answer;
use crate::schema::timeouts::Limit;
use crate::{Deferral, Diagnostic, Diagnostics, RequestContext, Result, timeouts};

/// How long a method that changes something and has no checkpoint yet may go on after the host asked to
/// stop. Cutting it off earlier could lose an object that is just being made; the host itself waits.
const GRACE: Duration = Duration::from_secs(20);

/// The same at the end of its time, which the user has set: a method that waits for something is dropped after it. One
/// that blocks its thread cannot be dropped, only given up, and that for the longer time.
const LATE: Duration = Duration::from_secs(2);

/// How long a method that is to be dropped may block its thread before the answer goes out without it.
const BLOCKED: Duration = Duration::from_millis(200);

/// What a method does to the world, which decides how it is cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It only looks: it is dropped at once.
    Reads,
    /// It makes or changes something: it may go on to its next checkpoint.
    Writes,
}

/// The answer of the method, its warnings moved into `diagnostics` along with what went wrong.
///
/// First it waits for its turn; its time begins when it has it.
pub async fn run<T: Send + 'static>(
    call: &RequestContext,
    what: &str,
    effect: Effect,
    answer: Answer<T>,
    diagnostics: &mut Diagnostics,
) -> Option<T> {
    let result = match call.turn().await {
        Some(turn) => {
            let result = race(call, what, effect, answer, turn).await;
            result.map_err(|errors| completed(call, what, effect, errors))
        }
        None => Err(cut(call, &format!("{what}, which had not begun,"), Effect::Reads).into()),
    };
    diagnostics.extend(call.take_warnings());
    if let Some(why) = call.deferral().filter(|_| !call.deferral_allowed()) {
        diagnostics.push(not_deferred(call, what, why));
    }
    diagnostics.take(result)
}

async fn race<T: Send + 'static>(
    call: &RequestContext,
    what: &str,
    effect: Effect,
    answer: Answer<T>,
    turn: Option<OwnedSemaphorePermit>,
) -> Result<T> {
    // The method is a task of its own, so that one that blocks its thread can be abandoned.
    let (sender, outcome) = oneshot::channel();
    let dropped = CancellationToken::new();
    // Nobody waits for it either if this future is dropped.
    let _dropped = dropped.clone().drop_guard();
    let until = dropped.clone();
    let method = async move {
        let outcome = first(panics::catch(answer), until.cancelled()).await;
        // A method that was abandoned keeps its turn until it returns.
        drop(turn);
        let _ = sender.send(outcome);
    };
    call.begin();
    spawn(call.around().spawn.as_deref(), Box::pin(method.instrument(tracing::Span::current())));
    match first(outcome, abandon(call, effect, dropped)).await {
        Some(Ok(Some(Ok(result)))) => {
            if result.is_ok() {
                late(call, what).into_iter().for_each(|it| call.report(it));
            }
            result
        }
        Some(Ok(Some(Err(panic)))) => Err(panicked(what, effect, &panic)),
        Some(Ok(None)) | None => Err(call.interrupted()),
        Some(Err(_)) => {
            Err(Diagnostic::error("Call ended early").detail(format!("{what} did not end.")).into())
        }
    }
}

/// Has the method dropped when its time has come, and returns when a method that cannot be dropped, because it blocks
/// its thread, is to be abandoned.
async fn abandon(call: &RequestContext, effect: Effect, dropped: CancellationToken) {
    let clock = call.clock();
    call.over().await;
    if effect == Effect::Writes {
        // It may go on to its next checkpoint.
        let grace = if call.is_expired() { LATE } else { GRACE };
        first(call.saved(), clock.timer(grace)).await;
        dropped.cancel();
        first(call.saved(), clock.timer(GRACE - grace)).await;
    }
    dropped.cancel();
    clock.timer(BLOCKED).await;
}

/// How long the method has taken where its time is over, in tenths of a second beyond its limit, and the limit.
fn overrun(call: &RequestContext) -> Option<(Duration, &Limit)> {
    let (deadline, limit) = (call.deadline()?, call.around().limit.get()?);
    let over = call.clock().now().checked_duration_since(deadline)?;
    let tenths = u64::try_from(over.as_millis() / 100).unwrap_or(u64::MAX);
    Some((limit.duration.saturating_add(Duration::from_millis(tenths.saturating_mul(100))), limit))
}

/// The warning about a method that came back after its time: what it has made is kept, and the user hears of it.
fn late(call: &RequestContext, what: &str) -> Option<Diagnostic> {
    let (took, limit) = overrun(call).filter(|(took, limit)| *took > limit.duration)?;
    let (took, allowed) = (timeouts::text(took), timeouts::text(limit.duration));
    let detail = format!("{what} took {took}, where {allowed} are allowed.\n\n{}", limit.advice());
    Some(Diagnostic::warning("Operation took longer than allowed").detail(detail).at(limit.place()))
}

/// What the user is told of a method that was cut off, or ended by itself because it was to be.
fn cut(call: &RequestContext, what: &str, effect: Effect) -> Diagnostic {
    let kept = match (effect, call.has_checkpoint()) {
        (Effect::Reads, _) => "Nothing was changed.",
        (Effect::Writes, true) => "The state contains what the provider had recorded until then.",
        (Effect::Writes, false) => {
            "The operation may have partially completed. Check the remote object before retrying."
        }
    };
    let waits = call.waits_for().map(|it| format!(" while waiting for {it}")).unwrap_or_default();
    let overrun = overrun(call).filter(|_| call.is_expired());
    let told = call.interruption();
    match overrun {
        None => told.detail(format!("{what} was interrupted{waits}. {kept}")),
        Some((took, limit)) => {
            let (took, allowed) = (timeouts::text(took), timeouts::text(limit.duration));
            let over = if took == allowed { String::new() } else { format!(", where {allowed} are allowed") };
            let advice = limit.advice();
            let detail = format!("{what} was interrupted after {took}{waits}{over}. {kept}\n\n{advice}");
            told.detail(detail).at(limit.place())
        }
    }
}

/// The errors of a method, where the engine explains interruptions and handles deferrals.
fn completed(call: &RequestContext, what: &str, effect: Effect, errors: Diagnostics) -> Diagnostics {
    let complete = |error: Diagnostic| match error {
        // The response carries the deferral, or `not_deferred` says why it cannot.
        error if error.is_deferral() && call.deferral().is_some() => None,
        error if error.is_interruption() => Some(explained(error, cut(call, what, effect))),
        error => Some(error),
    };
    errors.into_iter().filter_map(complete).collect()
}

/// The interruption with the engine's explanation after whatever the method has added to it: a summary and a detail from
/// `context`, and a path from `at`.
fn explained(mut error: Diagnostic, explanation: Diagnostic) -> Diagnostic {
    if !error.detail.is_empty() {
        error.detail.push(' ');
    }
    error.detail.push_str(&explanation.detail);
    error.path = error.path.or(explanation.path);
    error
}

fn not_deferred(call: &RequestContext, what: &str, why: Deferral) -> Diagnostic {
    let (then, kind) = match call.around().deferral {
        Some(_) => (
            "This version of Terraform or OpenTofu does not support deferred actions. Apply what is missing first, for \
             example with -target, and then the rest.",
            DiagnosticKind::Other,
        ),
        None => (
            "This operation cannot be deferred, which is a bug in the provider.",
            DiagnosticKind::ProviderBug,
        ),
    };
    let detail = format!("{what} would have to be deferred, because {}. {then}", why.text());
    Diagnostic::error("Deferral Not Supported").detail(detail).of_kind(kind)
}

/// Runs what the engine does around a method, where it asks rules, defaults and types of the author's. A panic of
/// theirs is an error, and what the work had put down before is there.
pub fn guarded<T>(what: &str, work: impl Future<Output = Result<T>>) -> impl Future<Output = Result<T>> {
    let caught = panics::catch(Box::pin(work));
    async move { caught.await.unwrap_or_else(|panic| Err(panicked_around(what, &panic))) }
}

/// The same, for what is done at once.
pub fn guarded_now<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    panics::catch_now(work).unwrap_or_else(|panic| Err(panicked_around(what, &panic)))
}

fn panicked_around(what: &str, panic: &panics::Panic) -> Diagnostics {
    panicked(&format!("A rule, a default or a type in {what}"), Effect::Reads, panic)
}

fn panicked(what: &str, effect: Effect, panic: &panics::Panic) -> Diagnostics {
    let kept = match effect {
        Effect::Reads => "",
        Effect::Writes => " What the provider had recorded before is kept in the state.",
    };
    panic.diagnostic(what, kept).into()
}
