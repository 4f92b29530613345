//! Runs a method of the provider: concurrency limit, timeout, cancellation, panics, warnings and deferral.
//!
//! The method runs as a task of its own, so that a method that blocks its thread can be abandoned. When the
//! practitioner stops the operation or the deadline passes, the method is canceled:
//!
//! | method | interrupted by Stop | deadline has passed |
//! |---|---|---|
//! | only reads | dropped at once | dropped at once |
//! | changes something, has a checkpoint | dropped at once | dropped at once |
//! | changes something, no checkpoint yet | dropped at its first checkpoint, after 20 s at the latest | the same after 2 s |
//!
//! A method that blocks its thread cannot be dropped. The engine abandons it 200 ms later, or after 20 s if it changes
//! something, and sends the response without it.

use std::time::Duration;

use ferroform_value::Path;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use crate::concurrency::executor::spawn;
use crate::concurrency::run_until::run_until;
use crate::diagnostic::{SENTENCE_ENDS, capitalized};
use crate::diagnostic_kind::DiagnosticKind;
use crate::failed_check::REPORT_TO_AUTHORS;
use crate::panics;
use crate::provider::MethodFuture;
use crate::schema::timeouts::OperationTimeout;
use crate::{Deferral, Diagnostic, Diagnostics, RequestContext, Result, Severity, timeouts};

/// How long a method that changes something and has no checkpoint may continue after Stop. Dropping it earlier could
/// lose a remote object that is being created; Terraform itself waits.
const CANCEL_GRACE: Duration = Duration::from_secs(20);

/// How long such a method may continue after its deadline. If it blocks its thread, it is abandoned after
/// [`CANCEL_GRACE`].
const TIMEOUT_GRACE: Duration = Duration::from_secs(2);

/// How long a dropped method may block its thread before the response is sent without it.
const BLOCKED_GRACE: Duration = Duration::from_millis(200);

/// Whether a method changes remote objects, which decides how it is canceled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It only reads, so it can be dropped at any time.
    Reads,
    /// It creates an object, so it may continue to its first checkpoint.
    Creates,
    /// It updates an object.
    Updates,
    /// It deletes an object.
    Deletes,
    /// It closes an ephemeral resource.
    Closes,
    /// It invokes an action, which may change something.
    Invokes,
    /// It opens or renews an ephemeral resource, which is closed if it is interrupted after it has recorded that the
    /// resource is open.
    Opens,
    /// It writes, locks, unlocks or deletes a state in a state store.
    Stores,
}

/// Runs a method and returns its result; `None` if it has failed. Adds its warnings and errors to the diagnostics.
///
/// The method waits for a permit of the concurrency limit first. Its timeout starts afterwards. `operation` is part of
/// a sentence: `the creation of cloud_server`.
pub async fn run<T: Send + 'static>(
    cx: &RequestContext,
    operation: &str,
    effect: Effect,
    method: MethodFuture<T>,
    diagnostics: &mut Diagnostics,
) -> Option<T> {
    let operation = &capitalized(operation);
    // A request calls one method, so the operation is set once.
    let _ = cx.settings().operation.set(operation.clone());
    let result = match cx.acquire_permit().await {
        Some(permit) => {
            let result = run_task(cx, operation, effect, method, permit).await;
            result.map_err(|errors| with_explanations(cx, operation, effect, errors))
        }
        None => {
            let operation = format!("{operation}, which had not started,");
            Err(interruption_error(cx, &operation, Effect::Reads).into())
        }
    };
    diagnostics.extend(cx.take_warnings());
    if let Some(reason) = cx.deferral().filter(|_| !cx.is_deferral_allowed()) {
        diagnostics.push(deferral_error(cx, operation, reason));
    }
    diagnostics.ok_or_extend(result)
}

async fn run_task<T: Send + 'static>(
    cx: &RequestContext,
    operation: &str,
    effect: Effect,
    method: MethodFuture<T>,
    permit: Option<OwnedSemaphorePermit>,
) -> Result<T> {
    let (sender, outcome) = oneshot::channel();
    let dropped = CancellationToken::new();
    // The method is also dropped if this future is dropped.
    let _drop_guard = dropped.clone().drop_guard();
    let is_dropped = dropped.clone();
    let task = async move {
        let outcome = run_until(panics::catch(method), is_dropped.cancelled()).await;
        // An abandoned method keeps its permit until it returns.
        drop(permit);
        let _ = sender.send(outcome);
    };
    cx.start_timeout();
    spawn(cx.settings().executor.as_deref(), Box::pin(task.instrument(tracing::Span::current())));
    match run_until(outcome, abandonment(cx, effect, dropped)).await {
        Some(Ok(Some(Ok(result)))) => {
            if result.is_ok() {
                overrun_warning(cx, operation).into_iter().for_each(|it| cx.report(it));
            }
            result
        }
        Some(Ok(Some(Err(panic)))) => Err(panic.diagnostic(operation).into()),
        Some(Ok(None)) | None => Err(cx.interrupted()),
        Some(Err(_)) => Err(Diagnostic::error("Operation Aborted")
            .detail(format!("{operation} was aborted before it returned."))
            .of_kind(DiagnosticKind::ProviderBug)
            .into()),
    }
}

/// Drops the method when it is canceled or its grace period ends. Returns when a method that cannot be dropped, because
/// it blocks its thread, is to be abandoned.
async fn abandonment(cx: &RequestContext, effect: Effect, dropped: CancellationToken) {
    let clock = cx.clock();
    cx.wait_for_interruption().await;
    if effect != Effect::Reads {
        let grace = if cx.is_expired() { TIMEOUT_GRACE } else { CANCEL_GRACE };
        run_until(cx.checkpoint_recorded(), clock.timer(grace)).await;
        dropped.cancel();
        run_until(cx.checkpoint_recorded(), clock.timer(CANCEL_GRACE - grace)).await;
    }
    dropped.cancel();
    clock.timer(BLOCKED_GRACE).await;
}

/// How long the method has taken if its deadline has passed, rounded to tenths of a second beyond the timeout, and the
/// timeout.
fn overrun(cx: &RequestContext) -> Option<(Duration, &OperationTimeout)> {
    let (deadline, timeout) = (cx.deadline()?, cx.settings().timeout.get()?);
    let over = cx.clock().now().checked_duration_since(deadline)?;
    let tenths = u64::try_from(over.as_millis() / 100).unwrap_or(u64::MAX);
    Some((timeout.duration.saturating_add(Duration::from_millis(tenths.saturating_mul(100))), timeout))
}

/// The warning about a method that has returned after its deadline. Its result is used, because it describes the remote
/// object.
fn overrun_warning(cx: &RequestContext, operation: &str) -> Option<Diagnostic> {
    let (took, timeout) = overrun(cx).filter(|(took, timeout)| *took > timeout.duration)?;
    let (took, allowed) = (timeouts::format_duration(took), timeouts::format_duration(timeout.duration));
    let detail = format!("{operation} took {took}, but the timeout is {allowed}.\n\n{}", timeout.hint());
    Some(with_timeout_path(Diagnostic::warning("Operation Exceeded Timeout").detail(detail), timeout))
}

/// The state of the object after a method has failed, as far as it is known.
fn consequence(cx: &RequestContext, effect: Effect) -> &'static str {
    match (effect, cx.has_checkpoint()) {
        (Effect::Reads, _) => "Nothing was changed.",
        (Effect::Creates, true) => {
            "The state contains the values that the provider recorded. The object is tainted, so the next apply replaces \
             it."
        }
        (Effect::Creates, false) => {
            "The object is not in the state. Check whether it exists before you apply again."
        }
        (Effect::Updates, true) => {
            "The state contains the values that the provider recorded. The object is not tainted."
        }
        (Effect::Updates, false) => {
            "The update may have partially completed. The state contains the prior values, and the object is not tainted."
        }
        (Effect::Deletes, _) => {
            "The deletion may have partially completed. The object is still in the state. Apply again to retry the deletion."
        }
        (Effect::Opens, true) => "The ephemeral resource is closed.",
        (Effect::Stores, _) => {
            "The operation may have completed. Check the state and its lock before retrying."
        }
        (Effect::Opens | Effect::Closes | Effect::Invokes, _) => {
            "The operation may have partially completed. Check the remote object before retrying."
        }
    }
}

/// The error about a method that was interrupted, or that has returned an error because it was.
fn interruption_error(cx: &RequestContext, operation: &str, effect: Effect) -> Diagnostic {
    let consequence = consequence(cx, effect);
    let waiting = cx.wait_description().map(|it| format!(" while waiting for {it}")).unwrap_or_default();
    let error = cx.interruption();
    match overrun(cx).filter(|_| cx.is_expired()) {
        None => error.detail(format!("{operation} was interrupted{waiting}. {consequence}")),
        Some((took, timeout)) => {
            let (took, allowed) =
                (timeouts::format_duration(took), timeouts::format_duration(timeout.duration));
            let limit = if took == allowed { String::new() } else { format!("; the timeout is {allowed}") };
            let hint = timeout.hint();
            let detail =
                format!("{operation} timed out after {took}{waiting}{limit}. {consequence}\n\n{hint}");
            with_timeout_path(error.detail(detail), timeout)
        }
    }
}

/// Adds the path of the configured timeout. The hint names the attribute, so the detail does not repeat the path.
fn with_timeout_path(diagnostic: Diagnostic, timeout: &OperationTimeout) -> Diagnostic {
    match timeout.path() {
        Some(path) => diagnostic.at(path).naming_path(),
        None => diagnostic,
    }
}

/// The errors of a method, with explanations of interruptions and without deferrals.
fn with_explanations(
    cx: &RequestContext,
    operation: &str,
    effect: Effect,
    errors: Diagnostics,
) -> Diagnostics {
    let is_interruption = |it: &Diagnostic| it.is_interruption() || it.is_deferral();
    let is_interrupted = errors.iter().any(is_interruption);
    let mut note = failure_note(cx, operation, effect, &errors).filter(|_| !is_interrupted);
    let explain = |error: Diagnostic| match error {
        // The response carries the deferral, or `deferral_error` reports it.
        error if error.is_deferral() && cx.deferral().is_some() => None,
        error if error.is_interruption() => {
            let Diagnostic { detail, path, .. } = interruption_error(cx, operation, effect);
            Some(explained(error, &detail, path))
        }
        // Only the first error gets the explanation.
        error if error.severity == Severity::Error => Some(match note.take() {
            Some(note) => explained(error, &note, None),
            None => error,
        }),
        error => Some(error),
    };
    errors.into_iter().filter_map(explain).collect()
}

/// The explanation that is appended to the first error of a method that was not interrupted: what the state contains, if
/// the object is tainted or may have changed, and the timeout, if the method has returned after its deadline.
fn failure_note(
    cx: &RequestContext,
    operation: &str,
    effect: Effect,
    errors: &Diagnostics,
) -> Option<String> {
    let is_tainted = effect == Effect::Creates && cx.has_checkpoint();
    let is_partial = is_tainted || effect != Effect::Reads && errors.errors().any(may_be_partial);
    let consequence = is_partial.then(|| consequence(cx, effect).to_owned());
    let overrun = overrun(cx).filter(|_| cx.is_expired() || !cx.is_cancelled());
    let late = overrun.map(|(took, timeout)| {
        let (took, allowed) = (timeouts::format_duration(took), timeouts::format_duration(timeout.duration));
        format!("{operation} failed after {took}; the timeout is {allowed}.\n\n{}", timeout.hint())
    });
    let notes: Vec<String> = consequence.into_iter().chain(late).collect();
    (!notes.is_empty()).then(|| notes.join(" "))
}

/// True for the errors of waiting and retrying and for panics, after which the object may exist or may have changed.
fn may_be_partial(error: &Diagnostic) -> bool {
    use DiagnosticKind::{NotFound, ProviderBug, RetriesFailed, UnexpectedState, WaitTimedOut};
    matches!(error.kind(), NotFound | ProviderBug | RetriesFailed | UnexpectedState | WaitTimedOut)
}

/// The error with the engine's explanation after whatever the method has added to it: a summary and a detail from
/// `context`, and a path from `at`.
fn explained(mut error: Diagnostic, explanation: &str, path: Option<Path>) -> Diagnostic {
    if !error.detail.is_empty() {
        error.detail.push_str(if error.detail.ends_with(SENTENCE_ENDS) { " " } else { ". " });
    }
    error.detail.push_str(explanation);
    match path.filter(|_| error.path.is_none()) {
        // The hint about the timeout names the attribute.
        Some(path) => error.at(path).naming_path(),
        None => error,
    }
}

/// The error about a deferral that Terraform does not allow.
fn deferral_error(cx: &RequestContext, operation: &str, reason: Deferral) -> Diagnostic {
    let (explanation, kind) = match cx.settings().deferral_allowed {
        Some(_) => (
            "This version of Terraform or OpenTofu does not support deferred actions. Apply the missing prerequisites first, for \
                 example with -target."
                .to_owned(),
            DiagnosticKind::Other,
        ),
        None => (
            format!("This operation cannot be deferred. {REPORT_TO_AUTHORS}"),
            DiagnosticKind::ProviderBug,
        ),
    };
    let detail = format!("{operation} must be deferred, because {}. {explanation}", reason.clause());
    Diagnostic::error("Deferral Not Supported").detail(detail).of_kind(kind)
}

/// Runs the engine's part of an RPC, which uses validators, defaults and types of the provider. A panic becomes an
/// error. `operation` is part of a sentence: `the plan of cloud_server`.
pub fn catch_panics<T>(
    operation: &str,
    work: impl Future<Output = Result<T>>,
) -> impl Future<Output = Result<T>> {
    let caught = panics::catch(Box::pin(work));
    async move { caught.await.unwrap_or_else(|panic| Err(panicked_in_engine(operation, &panic))) }
}

/// Runs synchronous work of an RPC like [`catch_panics`].
pub fn catch_panics_sync<T>(operation: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    panics::catch_sync(work).unwrap_or_else(|panic| Err(panicked_in_engine(operation, &panic)))
}

fn panicked_in_engine(operation: &str, panic: &panics::Panic) -> Diagnostics {
    panic.diagnostic(&format!("A validator, a default or a type in {operation}")).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clock;

    #[tokio::test]
    async fn canceled_request_starts_no_method() {
        let cx = RequestContext::detached(Clock::default());
        cx.cancel();
        let mut diagnostics = Diagnostics::new();
        let method: MethodFuture<()> = Box::pin(async { panic!("the method has started") });
        let result =
            run(&cx, "the creation of cloud_server", Effect::Creates, method, &mut diagnostics).await;
        assert_eq!(result, None);
        let details: Vec<_> = diagnostics.iter().map(|it| it.detail.as_str()).collect();
        let expected =
            "The creation of cloud_server, which had not started, was interrupted. Nothing was changed.";
        assert_eq!(details, [expected]);
    }

    #[test]
    fn path_of_a_timeout_is_not_repeated_in_the_detail() {
        let path = crate::path!(timeouts.create);
        let error = explained(Diagnostic::error("Operation Timed Out"), "It timed out.", Some(path));
        assert!(error.has_path_in_detail() && error.path == Some(crate::path!(timeouts.create)));
    }

    #[tokio::test]
    async fn failed_retries_state_whether_the_object_is_tainted() {
        for (effect, kind, expected) in [
            (Effect::Creates, DiagnosticKind::RetriesFailed, "not in the state"),
            (Effect::Updates, DiagnosticKind::WaitTimedOut, "the object is not tainted"),
            (Effect::Deletes, DiagnosticKind::NotFound, "is still in the state"),
            (Effect::Updates, DiagnosticKind::Other, ""),
            (Effect::Reads, DiagnosticKind::WaitTimedOut, ""),
        ] {
            let cx = RequestContext::detached(Clock::default());
            let error = Diagnostics::from(Diagnostic::error("Busy").of_kind(kind));
            let method: MethodFuture<()> = Box::pin(async { Err(error) });
            let mut diagnostics = Diagnostics::new();
            run(&cx, "the change of cloud_server", effect, method, &mut diagnostics).await;
            let detail = diagnostics.iter().map(|it| it.detail.as_str()).collect::<String>();
            assert!(detail.contains(expected) && detail.is_empty() == expected.is_empty(), "{detail}");
        }
    }
}
