//! What stands around a call: its time, what the host can do, and what the module says to the provider.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use ferroform_value::{Type, Value};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::diagnostic_kind::DiagnosticKind;
use crate::race::first;
use crate::schema::Block;
use crate::timeouts::{self, Limit, Operation};
use crate::{Call, Clock, Config, Context, Cx, Data, Deferral, Diagnostic, Diagnostics, Model, Result};

/// Given to each call by the engine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    pub(crate) clock: Clock,
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
impl Call {
    /// The clock of this call.
    pub fn clock(&self) -> &Clock {
        &self.around().clock
    }

    /// When the method is cut off, where its time is limited by [`Timeouts`](crate::Timeouts).
    pub fn deadline(&self) -> Option<Instant> {
        self.around().deadline.get().copied()
    }

    /// How long the method has until its [deadline](Call::deadline).
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline().map(|it| it.saturating_duration_since(self.clock().now()))
    }

    /// Waits that long.
    ///
    /// # Errors
    ///
    /// Where the user asks to stop or the time is over before: [`interrupted`](Call::interrupted).
    pub async fn sleep(&self, duration: Duration) -> Result<()> {
        let slept = first(self.clock().sleep(duration), self.over()).await;
        slept.ok_or_else(|| self.interrupted())
    }

    /// The error with which a method ends that has seen that it should: after [`cancelled`](Call::cancelled), or
    /// where [`is_cancelled`](Call::is_cancelled). Ferroform adds what was interrupted, and what is kept of it.
    pub fn interrupted(&self) -> Diagnostics {
        self.interruption().into()
    }

    pub(crate) fn interruption(&self) -> Diagnostic {
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
    pub(crate) async fn over(&self) {
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

/// What cannot be done yet.
impl Call {
    /// True where the host lets this call be put off.
    pub fn deferral_allowed(&self) -> bool {
        self.around().deferral == Some(true)
    }

    /// Why the call is put off, where it is and may be.
    pub(crate) fn allowed_deferral(&self) -> Option<Deferral> {
        self.deferral().filter(|_| self.deferral_allowed())
    }

    /// Puts off what the method was to do: for `plan`, `plan_delete`, `read` and `import` of a resource and `read` of
    /// a data source. Either end the method with `return Err(cx.defer(why))`, or answer as well as it is known: a
    /// plan, or the state.
    ///
    /// Where the host does not [allow](Call::deferral_allowed) it, the user gets an error that says why it would
    /// have to wait.
    pub fn defer(&self, why: Deferral) -> Diagnostics {
        self.set_deferral(why);
        Diagnostic::error("Operation Deferred").of_kind(DiagnosticKind::Deferred).into()
    }
}

/// What the module says to the provider.
impl Call {
    /// What the module says in its `provider_meta` block, with the model that was
    /// [registered](crate::Registry::meta); none where it has no such block. It is known in the methods `plan`,
    /// `create`, `read`, `update` and `delete` of resources and `read` of data sources.
    ///
    /// # Errors
    ///
    /// Where another model was registered.
    pub fn meta<M: Model>(&self) -> Result<Option<Config<M>>> {
        let Some((value, ty)) = &self.around().meta else { return Ok(None) };
        let other = || format!("The provider has registered a model of the type {ty}, not this one.");
        viewed::<M>(value, ty, "Cannot read the provider_meta block", other).map(Some)
    }

    /// The same for those who work without a model.
    pub fn meta_data(&self) -> Option<Data> {
        let (value, ty) = self.around().meta.as_ref()?;
        Data::typed(ty.clone(), value.clone()).ok()
    }
}

/// What stands behind the plan.
impl Call {
    /// The configuration of the object that `create` or `update` makes or changes; none in other methods, which are
    /// given it where there is one. It tells what the plan does not: whether a value that is optional and computed, or
    /// has a default, was written. `M` is the resource's own model.
    ///
    /// # Errors
    ///
    /// Where `M` is another model.
    pub fn config<M: Model>(&self) -> Result<Option<Config<M>>> {
        let Some((value, ty)) = self.around().config.get() else { return Ok(None) };
        let other = || format!("The resource's model is of the type {ty}, not this one.");
        viewed::<M>(value, ty, "Cannot read the configuration", other).map(Some)
    }

    /// The same for those who work without a model.
    pub fn config_data(&self) -> Option<Data> {
        let (value, ty) = self.around().config.get()?;
        Data::typed(ty.clone(), value.clone()).ok()
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

/// A value of that type as the model's view of it.
fn viewed<M: Model>(
    value: &Value,
    ty: &Type,
    wrong: &'static str,
    other: impl FnOnce() -> String,
) -> Result<Config<M>> {
    if M::ty() != *ty {
        return Err(Diagnostic::error(wrong).detail(other()).into());
    }
    <Config<M> as crate::Attr>::from_value(value).context(wrong)
}

/// For tests.
impl Call {
    /// A call that no host has made: for unit tests of code that waits, sleeps or warns. Nobody cancels it.
    pub fn detached(clock: Clock) -> Call {
        Call::new(None, Default::default(), Around { clock, ..Around::default() })
    }
}

impl<P: Send + Sync + 'static> Cx<P> {
    /// A call that no host has made, with this provider: for unit tests of single methods.
    ///
    /// ```
    /// use ferroform::{Call, Clock, Config, Cx, Known, Maybe, Provider, Registry, Result};
    ///
    /// struct Cloud;
    /// # impl Provider for Cloud {
    /// #     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
    /// #     type Config = ();
    /// #     async fn configure(_: &Call, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
    /// #     fn register(_: &mut Registry<Self>) {}
    /// # }
    ///
    /// async fn settle(cx: &Cx<Cloud>) -> Result<()> {
    ///     cx.sleep(std::time::Duration::from_secs(300)).await
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let cx = Cx::detached(Cloud, Clock::test());
    /// assert_eq!(settle(&cx).await, Ok(()));
    /// assert_eq!(cx.clock().elapsed().as_secs(), 300);
    /// # });
    /// ```
    pub fn detached(provider: P, clock: Clock) -> Cx<P> {
        Cx { provider: Arc::new(provider), call: Call::detached(clock) }
    }
}
