//! What stands around a call: its time, what the host can do, and what the module says to the provider.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ferroform_value::{Type, Value};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::concurrency::race::first;
use crate::concurrency::spawn::Spawn;
use crate::diagnostic_kind::DiagnosticKind;
use crate::schema::Block;
use crate::schema::timeouts::{self, Limit};
use crate::timeouts::Operation;
use crate::{Clock, Deferral, Diagnostic, Diagnostics, RequestContext, Result};

/// Given to each call by the engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    pub(crate) clock: Clock,
    /// Where its methods run, unless that is a blocking thread of the caller's runtime.
    pub(crate) spawn: Option<Arc<dyn Spawn>>,
    /// Whether the host lets the call be put off; none where such a call cannot be.
    pub(crate) deferral: Option<bool>,
    /// The module's `provider_meta`, and its type.
    pub(crate) meta: Option<(Value, Type)>,
    /// Which Terraform it is, where it has said so.
    pub(crate) host: Option<Arc<str>>,
    /// What the configuration says of the object, and its type, where something is made or changed.
    pub(crate) config: OnceLock<(Value, Type)>,
    /// The turns of the provider's methods, where only some may run at a time.
    pub(crate) turns: Option<Arc<Semaphore>>,
    pub(crate) limit: OnceLock<Limit>,
    pub(crate) deadline: OnceLock<Instant>,
    pub(crate) expired: OnceLock<()>,
}

/// The time.
impl RequestContext {
    /// The clock of this call.
    pub fn clock(&self) -> &Clock {
        &self.around().clock
    }

    /// When the method is cut off, where its time is limited by `ferroform::Timeouts`.
    pub fn deadline(&self) -> Option<Instant> {
        self.around().deadline.get().copied()
    }

    /// How long the method has until its [deadline](RequestContext::deadline).
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline().map(|it| it.saturating_duration_since(self.clock().now()))
    }

    /// Waits that long.
    ///
    /// # Errors
    ///
    /// Where the user asks to stop or the time is over before: [`interrupted`](RequestContext::interrupted).
    pub async fn sleep(&self, duration: Duration) -> Result<()> {
        let slept = first(self.clock().sleep(duration), self.over()).await;
        slept.ok_or_else(|| self.interrupted())
    }

    /// The error for a method that ends because of an interruption: after [`cancelled`](RequestContext::cancelled), or if
    /// [`is_cancelled`](RequestContext::is_cancelled) returns true. The framework adds which operation was interrupted and
    /// what the state contains, also if [`context`](crate::Context::context) or [`at`](crate::Context::at) has changed the
    /// summary or the path.
    pub fn interrupted(&self) -> Diagnostics {
        self.interruption().into()
    }

    /// The interruption before the framework has explained it.
    pub fn interruption(&self) -> Diagnostic {
        match self.is_expired() {
            true => Diagnostic::error("Operation timed out").of_kind(DiagnosticKind::DeadlineExceeded),
            false => Diagnostic::error("Operation cancelled").of_kind(DiagnosticKind::Cancelled),
        }
    }

    /// Limits the time of the method, as this object says.
    pub(crate) fn limit(&self, block: &Block, operation: Operation, object: &Value) {
        if let Some(limit) = timeouts::limit(block, operation, object) {
            let _ = self.around().limit.set(limit);
        }
    }

    /// Lets the time of the method begin.
    pub(crate) fn begin(&self) {
        let around = self.around();
        if let Some(limit) = around.limit.get()
            && let Some(deadline) = around.clock.now().checked_add(limit.duration)
        {
            // It begins once.
            let _ = around.deadline.set(deadline);
        }
    }

    /// Waits until the user asks to stop, or the time is over.
    pub async fn over(&self) {
        match self.deadline() {
            None => self.cancelled().await,
            Some(at) => {
                if first(self.cancelled(), self.clock().comes(at)).await.is_none() {
                    self.expire();
                }
            }
        }
    }

    /// From now on the call is cancelled because its time is over, unless it is cancelled already.
    fn expire(&self) {
        if !self.is_cancelled() {
            let _ = self.around().expired.set(());
            self.cancel();
        }
    }

    /// True where it is cancelled because its time is over.
    pub(crate) fn is_expired(&self) -> bool {
        self.around().expired.get().is_some()
    }

    /// Waits for the method's turn; none where the user asks to stop before.
    pub(crate) async fn turn(&self) -> Option<Option<OwnedSemaphorePermit>> {
        match self.around().turns.clone() {
            None => Some(None),
            Some(turns) => {
                let turn = first(turns.acquire_owned(), self.cancelled()).await;
                // Those who end because of the stop leave their turns: to nobody who is to stop as well.
                turn.filter(|_| !self.is_cancelled()).map(Result::ok) // Nobody closes it.
            }
        }
    }
}

/// Deferred actions.
impl RequestContext {
    /// True if Terraform allows the provider to defer this operation.
    pub fn deferral_allowed(&self) -> bool {
        self.around().deferral == Some(true)
    }

    /// The reason of the deferral, if the method has deferred the operation and Terraform allows it.
    pub(crate) fn allowed_deferral(&self) -> Option<Deferral> {
        self.deferral().filter(|_| self.deferral_allowed())
    }

    /// Defers the operation: in `plan`, `plan_delete`, `read` and `import` of a resource, and in `read` of a data source.
    /// Either end the method with `return Err(cx.defer(why))`, or return what is known so far: a plan, or the state.
    ///
    /// If Terraform does not [allow](RequestContext::deferral_allowed) the deferral, the practitioner gets an error with
    /// the reason.
    pub fn defer(&self, why: Deferral) -> Diagnostics {
        self.set_deferral(why);
        Diagnostic::error("Operation Deferred").of_kind(DiagnosticKind::Deferred).into()
    }
}

/// Provider metadata and configuration.
impl RequestContext {
    /// The module's `provider_meta` block with its type; none where the module has no such block, and in requests that
    /// carry none.
    pub fn provider_meta(&self) -> Option<&(Value, Type)> {
        self.around().meta.as_ref()
    }

    /// The configuration of the object that a create or an update changes, with its type; none in other requests.
    pub fn configuration(&self) -> Option<&(Value, Type)> {
        self.around().config.get()
    }

    pub(crate) fn configured(&self, config: &Value, ty: Type) {
        // Once for a call.
        let _ = self.around().config.set((config.clone(), ty));
    }

    /// The version of the Terraform or OpenTofu that uses the provider, such as `1.11.4`; none before it configures the
    /// provider, which is where it says so.
    pub fn terraform_version(&self) -> Option<&str> {
        self.around().host.as_deref()
    }
}

/// For tests.
impl RequestContext {
    /// A call that no host has made: for unit tests of code that waits, sleeps or warns. Nobody cancels it.
    pub fn detached(clock: Clock) -> RequestContext {
        RequestContext::new(None, Default::default(), Around { clock, ..Around::default() })
    }
}
