//! The settings of one request: timeout and deadline, deferral, provider metadata and the concurrency limit.
//!
//! Example: a resource has `timeouts { create = "30m" }`. Before `create` is called, the engine sets the timeout of the
//! request to 30 minutes. The deadline is set when the method starts, which is after it has acquired one of the permits
//! of the [concurrency limit](crate::provider::AnyProvider::concurrency_limit): the time spent waiting for a permit does
//! not count.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use std::task::Poll;
use std::time::{Duration, Instant};

use ferroform_value::{Type, Value};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::concurrency::executor::MethodExecutor;
use crate::concurrency::run_until::run_until;
use crate::diagnostic_kind::DiagnosticKind;
use crate::request::context::ProviderData;
use crate::request::private_state::Private;
use crate::request::progress::Progress;
use crate::schema::Block;
use crate::schema::timeouts::{self, OperationTimeout};
use crate::timeouts::Operation;
use crate::{Clock, Deferral, Diagnostic, Diagnostics, RequestContext, Result};

/// The settings that the engine gives to each request.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestSettings {
    /// The configured provider; `None` before it is configured.
    pub(crate) provider: Option<ProviderData>,
    pub(crate) clock: Clock,
    /// The executor of the provider's methods; `None` for blocking threads of the caller's tokio runtime.
    pub(crate) executor: Option<Arc<dyn MethodExecutor>>,
    /// Whether Terraform supports deferred actions; `None` if the operation cannot be deferred.
    pub(crate) deferral_allowed: Option<bool>,
    /// The `provider_meta` block of the module, with its type.
    pub(crate) provider_meta: Option<(Value, Type)>,
    /// The version of Terraform or OpenTofu, once it is known.
    pub(crate) terraform_version: Option<Arc<str>>,
    /// The configuration of the object with its type, for create and update.
    pub(crate) config: OnceLock<(Value, Type)>,
    /// The resource identity that Terraform sent.
    pub(crate) identity: OnceLock<Value>,
    /// The receiver of progress messages, for the invocation of an action.
    pub(crate) progress: OnceLock<Progress>,
    /// The permits of the provider's concurrency limit, if it has one.
    pub(crate) method_permits: Option<Arc<Semaphore>>,
    /// The operation as the subject of a sentence, set when its method runs.
    pub(crate) operation: OnceLock<String>,
    /// The timeout of the operation, set before the method is called.
    pub(crate) timeout: OnceLock<OperationTimeout>,
    /// The deadline, set when the method starts.
    pub(crate) deadline: OnceLock<Instant>,
    /// Set once the request is canceled because of its deadline.
    pub(crate) expired: OnceLock<()>,
    /// Set once the error about the interruption was created.
    pub(crate) interruption_reported: OnceLock<()>,
}

/// Clock, timeout and deadline.
impl RequestContext {
    /// The clock of this request.
    pub fn clock(&self) -> &Clock {
        &self.settings().clock
    }

    /// The time at which the engine interrupts the method; `None` if the resource has no
    /// [timeouts](crate::schema::Attribute::timeouts) for this operation.
    pub fn deadline(&self) -> Option<Instant> {
        self.settings().deadline.get().copied()
    }

    /// The time until the [deadline](RequestContext::deadline); zero once it has passed.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline().map(|it| it.saturating_duration_since(self.clock().now()))
    }

    /// Sleeps. Unlike `tokio::time::sleep`, it ends as soon as the request is interrupted.
    ///
    /// # Errors
    ///
    /// Returns [`interrupted`](RequestContext::interrupted) if the practitioner stops the operation or the deadline
    /// passes first.
    ///
    /// ```
    /// use std::time::Duration;
    /// use ferroform_engine::{Clock, RequestContext};
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let cx = RequestContext::detached(Clock::test());
    /// cx.sleep(Duration::from_secs(60)).await.unwrap();
    /// assert_eq!(cx.clock().elapsed(), Duration::from_secs(60));
    /// # });
    /// ```
    pub async fn sleep(&self, duration: Duration) -> Result<()> {
        let mut canceled = pin!(self.cancelled());
        let mut sleep = pin!(run_until(self.clock().sleep(duration), self.wait_for_interruption()));
        // On a test clock, a sleep ends when it is polled again, so a cancellation comes first.
        let slept = poll_fn(|context| match canceled.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(None),
            Poll::Pending => sleep.as_mut().poll(context),
        });
        slept.await.ok_or_else(|| self.interrupted())
    }

    /// The error for a method that ends because of an interruption: after [`cancelled`](RequestContext::cancelled), or
    /// if [`is_cancelled`](RequestContext::is_cancelled) returns true. The framework adds which operation was
    /// interrupted and what the state contains, also if [`context`](crate::Context::context) or
    /// [`at`](crate::Context::at) has changed the summary or the path.
    pub fn interrupted(&self) -> Diagnostics {
        self.interruption().into()
    }

    /// The interruption, without the explanation that the framework adds to it.
    pub fn interruption(&self) -> Diagnostic {
        let _ = self.settings().interruption_reported.set(());
        match self.is_expired() {
            true => Diagnostic::error("Operation Timed Out").of_kind(DiagnosticKind::DeadlineExceeded),
            false => Diagnostic::error("Operation Canceled").of_kind(DiagnosticKind::Cancelled),
        }
    }

    /// True if the method has got the error about an interruption, for tests of how it handles the error.
    pub fn is_interruption_reported(&self) -> bool {
        self.settings().interruption_reported.get().is_some()
    }

    /// Sets the timeout of the method: the one that the object configures for the operation, or the default.
    pub(crate) fn set_timeout(&self, block: &Block, operation: Operation, object: &Value) {
        if let Some(timeout) = timeouts::operation_timeout(block, operation, object) {
            // A request calls one method, so the timeout is set once.
            let _ = self.settings().timeout.set(timeout);
        }
    }

    /// Starts the timeout: sets the deadline.
    pub(crate) fn start_timeout(&self) {
        let settings = self.settings();
        if let Some(timeout) = settings.timeout.get()
            && let Some(deadline) = settings.clock.now().checked_add(timeout.duration)
        {
            // A request calls one method, so the deadline is set once.
            let _ = settings.deadline.set(deadline);
        }
    }

    /// Waits until the practitioner stops the operation or the deadline passes. Afterwards the request is canceled.
    pub async fn wait_for_interruption(&self) {
        match self.deadline() {
            None => self.cancelled().await,
            Some(deadline) => {
                if run_until(self.cancelled(), self.clock().wait_until(deadline)).await.is_none() {
                    self.expire();
                }
            }
        }
    }

    /// Cancels the request because of its deadline, unless it is canceled already.
    fn expire(&self) {
        if !self.is_cancelled() {
            let _ = self.settings().expired.set(());
            self.cancel();
        }
    }

    /// True if the request was canceled because of its deadline.
    pub(crate) fn is_expired(&self) -> bool {
        self.settings().expired.get().is_some()
    }

    /// Waits for a permit of the concurrency limit. Returns `None` if the request is canceled first, and `Some(None)`
    /// if the provider has no limit.
    pub(crate) async fn acquire_permit(&self) -> Option<Option<OwnedSemaphorePermit>> {
        let permit = match self.settings().method_permits.clone() {
            None => None,
            // The semaphore is never closed, so there is no error.
            Some(permits) => run_until(permits.acquire_owned(), self.cancelled()).await?.ok(),
        };
        // The request can be canceled before the executor runs it. Methods that end because of a cancellation release
        // permits to requests that are canceled as well.
        (!self.is_cancelled()).then_some(permit)
    }
}

/// Deferred actions.
impl RequestContext {
    /// True if Terraform allows the provider to defer this operation.
    pub fn is_deferral_allowed(&self) -> bool {
        self.settings().deferral_allowed == Some(true)
    }

    /// The reason for the deferral, if the method has deferred the operation and Terraform allows it.
    pub(crate) fn allowed_deferral(&self) -> Option<Deferral> {
        self.deferral().filter(|_| self.is_deferral_allowed())
    }

    /// Defers the operation: in `plan`, `plan_delete`, `read` and `import` of a resource, and in `read` of a data
    /// source. Either end the method with `return Err(cx.defer(reason))`, or return the values that are known so far in
    /// the plan or the state.
    ///
    /// If Terraform does not [allow](RequestContext::is_deferral_allowed) the deferral, the practitioner gets an error
    /// with the reason.
    ///
    /// ```
    /// use ferroform_engine::{Clock, Deferral, RequestContext, Result};
    ///
    /// fn read(cx: &RequestContext, cluster_is_ready: bool) -> Result<u32> {
    ///     if !cluster_is_ready {
    ///         return Err(cx.defer(Deferral::AbsentPrerequisite));
    ///     }
    ///     Ok(3)
    /// }
    ///
    /// let cx = RequestContext::detached(Clock::test());
    /// assert!(read(&cx, false).unwrap_err().iter().all(|it| it.is_deferral()));
    /// ```
    pub fn defer(&self, reason: Deferral) -> Diagnostics {
        self.set_deferral(reason);
        Diagnostic::error("Operation Deferred").of_kind(DiagnosticKind::Deferred).into()
    }
}

/// Provider metadata and configuration.
impl RequestContext {
    /// The module's `provider_meta` block with its type; `None` if the module has no such block, and in requests that
    /// carry none.
    pub fn provider_meta(&self) -> Option<&(Value, Type)> {
        self.settings().provider_meta.as_ref()
    }

    /// The configuration of the object that a create or an update changes, with its type; `None` in other requests.
    pub fn configuration(&self) -> Option<&(Value, Type)> {
        self.settings().config.get()
    }

    /// Sets the value that [`configuration`](RequestContext::configuration) returns.
    pub(crate) fn set_configuration(&self, config: &Value, ty: Type) {
        // A request calls one method, so the configuration is set once.
        let _ = self.settings().config.set((config.clone(), ty));
    }

    /// The version of Terraform or OpenTofu, such as `1.11.4`; `None` before Terraform configures the provider, because
    /// only that request carries the version.
    pub fn terraform_version(&self) -> Option<&str> {
        self.settings().terraform_version.as_deref()
    }
}

/// Unit tests.
impl RequestContext {
    /// A context that belongs to no request of Terraform: for unit tests of code that waits, sleeps or warns. It is
    /// never canceled.
    pub fn detached(clock: Clock) -> RequestContext {
        RequestContext::new(Default::default(), RequestSettings { clock, ..RequestSettings::default() })
            .with_private(Private::default())
    }
}
