//! The request contexts that the methods of a provider author receive as `cx`.
//!
//! | type | methods | can also |
//! |---|---|---|
//! | [`RequestCx`] | `validate`, `configure`, `upgrade`, `call` of a function | warn, wait, check for cancellation |
//! | [`MoveCx`] | `move_from` | store private state, set the identity |
//! | [`ReadCx`](crate::ReadCx) | `read`, `import` and `plan_delete` of a resource | use private state and the identity, defer |
//! | [`PlanCx`](crate::PlanCx) | `plan` of a resource | use private state and the identity, defer, require replacement |
//! | [`ApplyCx`](crate::ApplyCx) | `create`, `update`, `delete` | use private state and the identity, record checkpoints, read the configuration |
//! | [`DataCx`](crate::DataCx), [`LookupCx`](crate::LookupCx) | `read` of a data source | defer |
//! | [`OpenCx`](crate::OpenCx) | `open` of an ephemeral resource | defer, record that there is something to close |
//! | [`OpenedCx`](crate::OpenedCx) | `renew`, `close` | |
//! | [`PlanActionCx`](crate::PlanActionCx) | `plan` of an action | defer |
//! | [`InvokeCx`](crate::InvokeCx) | `invoke` of an action | report progress |
//! | [`ListCx`](crate::ListCx) | `list` | send results |
//! | `StoreCx` | the methods of a state store | |
//!
//! All of them from [`ReadCx`](crate::ReadCx) on are one type, [`MethodCx`], with a different operation. They dereference to [`Cx`], which
//! has the provider and its metadata, and then to [`RequestCx`].

mod move_cx;
pub mod operation;

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ferroform_engine::RequestContext;
use ferroform_engine::provider::ListResults;
use ferroform_engine::request::context::not_configured;
use ferroform_value::{Path, Type, Value};

pub use self::move_cx::MoveCx;
use self::operation::{Apply, Defer, HasProvider, Invoke, List, Plan, PrivateState};
use crate::{Attr, Clock, Config, Context as _, Data, Deferral, Diagnostic, Diagnostics, Model, Result};

/// The context of one request from Terraform, without a configured provider.
///
/// The methods that run before the provider is configured receive it: `validate`, `configure`, `upgrade` and the `call` of a
/// function. Every other context dereferences to it, so a function that only warns, waits or checks for cancellation
/// takes a `&RequestCx` and works in every method.
///
/// ```
/// use ferroform::{Clock, RequestCx};
///
/// fn check_region(cx: &RequestCx, region: &str) {
///     if region == "eu-old-1" {
///         cx.warn("The region eu-old-1 is deprecated");
///     }
/// }
///
/// check_region(&RequestCx::detached(Clock::test()), "eu-old-1");
/// ```
#[derive(Clone, Debug)]
pub struct RequestCx {
    context: RequestContext,
}

impl From<RequestContext> for RequestCx {
    fn from(context: RequestContext) -> RequestCx {
        RequestCx { context }
    }
}

impl RequestCx {
    /// A context without a request from Terraform: for unit tests of code that waits, sleeps or warns. It is never
    /// canceled. [`diagnostics`](RequestCx::diagnostics) returns the warnings.
    pub fn detached(clock: Clock) -> RequestCx {
        RequestContext::detached(clock).into()
    }

    /// The diagnostics that the method has [reported](RequestCx::report) so far: for unit tests with a detached context.
    ///
    /// ```
    /// use ferroform::{Clock, RequestCx};
    ///
    /// let cx = RequestCx::detached(Clock::test());
    /// cx.warn("The region eu-old-1 is deprecated");
    /// assert_eq!(cx.diagnostics().to_string(), "The region eu-old-1 is deprecated");
    /// ```
    pub fn diagnostics(&self) -> Diagnostics {
        self.context.diagnostics()
    }

    /// Shows a warning to the practitioner. The request continues.
    pub fn warn(&self, summary: impl Into<String>) {
        self.context.warn(summary);
    }

    /// Shows diagnostics to the practitioner, for example a warning with a detail and an attribute path. The request
    /// continues, even after an error: to end the method, return the error instead.
    ///
    /// ```
    /// use ferroform::{Clock, Diagnostic, RequestCx, path};
    ///
    /// let cx = RequestCx::detached(Clock::test());
    /// cx.report(Diagnostic::warning("Weak Password").detail("Use at least 12 characters.").at(path!(password)));
    /// ```
    pub fn report(&self, diagnostics: impl Into<Diagnostics>) {
        diagnostics.into().into_iter().for_each(|it| self.context.report(it));
    }

    /// The clock of this request: the real time, or in tests a clock that only advances while the code sleeps.
    pub fn clock(&self) -> &Clock {
        self.context.clock()
    }

    /// The time at which Ferroform interrupts the method, when its [timeout](crate::Timeouts) ends. `None` if the
    /// operation has no timeout.
    pub fn deadline(&self) -> Option<Instant> {
        self.context.deadline()
    }

    /// The time that is left until the [deadline](RequestCx::deadline); zero once it has passed.
    pub fn remaining(&self) -> Option<Duration> {
        self.context.remaining()
    }

    /// Sleeps for the duration.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use ferroform::{Clock, RequestCx, Result};
    ///
    /// async fn settle(cx: &RequestCx) -> Result<()> {
    ///     cx.sleep(Duration::from_secs(300)).await
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let cx = RequestCx::detached(Clock::test());
    /// assert_eq!(settle(&cx).await, Ok(()));
    /// assert_eq!(cx.clock().elapsed().as_secs(), 300);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`interrupted`](RequestCx::interrupted), if the practitioner interrupts Terraform or the deadline passes first.
    pub async fn sleep(&self, duration: Duration) -> Result<()> {
        self.context.sleep(duration).await
    }

    /// The error to return from a method that stops because it [is canceled](RequestCx::is_cancelled). Ferroform adds
    /// the interrupted operation and the contents of the state, even after [`context`](crate::Context::context) and
    /// [`at`](crate::Context::at).
    #[must_use = "return the error from the method"]
    pub fn interrupted(&self) -> Diagnostics {
        self.context.interrupted()
    }

    /// Returns true once the practitioner has interrupted Terraform, or the deadline has passed.
    pub fn is_cancelled(&self) -> bool {
        self.context.is_cancelled()
    }

    /// Returns the result of a future, which is dropped if the practitioner interrupts Terraform or the deadline passes. So the
    /// future should only read or wait: a request that changes something would be interrupted halfway.
    ///
    /// ```
    /// use ferroform::{Clock, RequestCx};
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let cx = RequestCx::detached(Clock::test());
    /// let response = cx.unless_cancelled(async { "hello" }).await;
    /// assert_eq!(response, Ok("hello"));
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`interrupted`](RequestCx::interrupted), if the request is canceled first.
    pub async fn unless_cancelled<T>(&self, future: impl Future<Output = T>) -> Result<T> {
        self.context.unless_cancelled(future).await.ok_or_else(|| self.interrupted())
    }

    /// Waits until the practitioner interrupts Terraform or the deadline passes: a branch for `tokio::select!`.
    pub async fn cancelled(&self) {
        self.context.cancelled().await;
    }

    /// Returns true if Terraform supports write-only attributes. Only `validate` of a resource receives this
    /// information; in other methods, it returns false.
    pub fn is_write_only_allowed(&self) -> bool {
        self.context.is_write_only_allowed()
    }

    /// Returns true if Terraform supports the deferral of this operation: see [`MethodCx::defer`]. In `configure`, it returns
    /// true if Terraform supports deferred actions.
    pub fn is_deferral_allowed(&self) -> bool {
        self.context.is_deferral_allowed()
    }

    /// The version of Terraform or OpenTofu, such as `1.11.4`. `None` before `configure`, because only that request
    /// contains it.
    pub fn terraform_version(&self) -> Option<&str> {
        self.context.terraform_version()
    }

    pub(crate) fn context(&self) -> &RequestContext {
        &self.context
    }
}

/// The context of a request with the configured provider `P`. All contexts of methods with a provider dereference to it, so
/// it is the parameter of functions that several methods share.
///
/// ```
/// use ferroform::{Clock, Cx};
///
/// struct Cloud {
///     region: String,
/// }
///
/// /// Code that needs the provider takes the context, so that it can warn and wait.
/// fn bucket_url(cx: &Cx<Cloud>, name: &str) -> String {
///     format!("https://{}.example.com/{name}", cx.provider.region)
/// }
///
/// let cx = Cx::detached(Cloud { region: "eu".to_owned() }, Clock::test());
/// assert_eq!(bucket_url(&cx, "logs"), "https://eu.example.com/logs");
/// ```
#[derive(Debug)]
pub struct Cx<P> {
    /// The provider, as [`configure`](crate::Provider::configure) has returned it.
    pub provider: Arc<P>,
    request: RequestCx,
}

// A derived implementation would require `P: Clone`.
impl<P> Clone for Cx<P> {
    fn clone(&self) -> Self {
        Cx { provider: self.provider.clone(), request: self.request.clone() }
    }
}

impl<P> Deref for Cx<P> {
    type Target = RequestCx;

    fn deref(&self) -> &RequestCx {
        &self.request
    }
}

impl<P: Send + Sync + 'static> Cx<P> {
    /// The context of a request with the provider of the type `P`, for providers that implement the traits of
    /// [`raw`](crate::raw).
    ///
    /// # Errors
    ///
    /// If the provider is not configured, because its configuration depends on values that are not known yet.
    pub fn new(request: impl Into<RequestCx>) -> Result<Cx<P>> {
        let request = request.into();
        let provider = request.context.provider().cloned().and_then(|it| it.downcast::<P>().ok());
        let provider = provider.ok_or_else(not_configured)?;
        Ok(Cx { provider, request })
    }

    /// A context without a request from Terraform: for unit tests of functions that several methods share.
    pub fn detached(provider: P, clock: Clock) -> Cx<P> {
        Cx::of(provider, RequestContext::detached(clock))
    }

    pub(crate) fn of(provider: P, request: RequestContext) -> Cx<P> {
        Cx { provider: Arc::new(provider), request: request.into() }
    }
}

impl<P> Cx<P> {
    /// The `provider_meta` block of the module, read as the model that was
    /// [registered](crate::Registry::provider_meta). `None` if the module has no such block. Terraform sends it only
    /// for resources and data sources, and not for `import`.
    ///
    /// # Errors
    ///
    /// If the provider has registered another model.
    pub fn provider_meta<M: Model>(&self) -> Result<Option<Config<M>>> {
        let Some((value, ty)) = self.context().provider_meta() else { return Ok(None) };
        let summary = "Cannot Read the provider_meta Block";
        if M::ty() != *ty {
            let detail = format!("The provider has registered a model of the type {ty}, not this model.");
            return Err(Diagnostic::error(summary).detail(detail).into());
        }
        <Config<M> as Attr>::from_value(value).context(summary).map(Some)
    }

    /// The `provider_meta` block of the module without a model: for a schema that was registered with
    /// [`raw_provider_meta`](crate::Registry::raw_provider_meta).
    pub fn provider_meta_data(&self) -> Option<Data> {
        data(self.context().provider_meta())
    }
}

/// The context of a method of `T` with the configured provider. The operation `Op` determines what the method can do; what is
/// not possible in a method does not compile.
///
/// Methods receive it under the name of their operation, such as [`ReadCx<Self>`](crate::ReadCx). Code that several methods share
/// takes a [`Cx`], or is generic over the operations if it needs more:
///
/// ```
/// use ferroform::operation::{HasProvider, PrivateState};
/// use ferroform::{MethodCx, Result};
///
/// /// The number of requests for an object so far.
/// fn count<T: HasProvider<Op>, Op: PrivateState>(cx: &MethodCx<T, Op>) -> Result<i64> {
///     let count = cx.private::<i64>("requests")?.unwrap_or(0) + 1;
///     cx.set_private("requests", &count)?;
///     Ok(count)
/// }
/// ```
pub struct MethodCx<T: HasProvider<Op>, Op> {
    cx: Cx<T::Provider>,
    operation: Op,
}

// Derived implementations would have bounds on `T`.
impl<T: HasProvider<Op>, Op: Clone> Clone for MethodCx<T, Op> {
    fn clone(&self) -> Self {
        MethodCx { cx: self.cx.clone(), operation: self.operation.clone() }
    }
}

impl<T: HasProvider<Op>, Op: fmt::Debug> fmt::Debug for MethodCx<T, Op> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MethodCx").field("operation", &self.operation).finish_non_exhaustive()
    }
}

impl<T: HasProvider<Op>, Op> Deref for MethodCx<T, Op> {
    type Target = Cx<T::Provider>;

    fn deref(&self) -> &Cx<T::Provider> {
        &self.cx
    }
}

impl<T: HasProvider<Op>, Op> MethodCx<T, Op> {
    pub(crate) fn with_operation(request: RequestContext, operation: Op) -> Result<MethodCx<T, Op>> {
        Ok(MethodCx::of(Cx::new(request)?, operation))
    }

    pub(crate) fn of(cx: Cx<T::Provider>, operation: Op) -> MethodCx<T, Op> {
        MethodCx { cx, operation }
    }
}

impl<T: HasProvider<Op>, Op: Default> MethodCx<T, Op> {
    pub(crate) fn new(request: RequestContext) -> Result<MethodCx<T, Op>> {
        MethodCx::with_operation(request, Op::default())
    }

    /// A context without a request from Terraform: for unit tests of single methods. Afterwards, the test reads what the
    /// method has recorded:
    ///
    /// | context | recorded |
    /// |---|---|
    /// | all | [`diagnostics`](RequestCx::diagnostics) |
    /// | [`ReadCx`](crate::ReadCx), [`PlanCx`](crate::PlanCx), [`ApplyCx`](crate::ApplyCx), [`MoveCx`] | [`private`](MethodCx::private), which the test can also set before the call |
    /// | contexts of operations that can be deferred | [`deferral`](MethodCx::deferral) |
    /// | [`PlanCx`](crate::PlanCx) | [`replacement_paths`](MethodCx::replacement_paths) |
    /// | [`ApplyCx`](crate::ApplyCx) | [`checkpointed`](MethodCx::checkpointed) |
    /// | [`OpenCx`](crate::OpenCx) | [`opened_private`](MethodCx::opened_private) |
    /// | [`InvokeCx`](crate::InvokeCx) | [`progress_messages`](MethodCx::progress_messages) |
    /// | [`ListCx`](crate::ListCx) | the results, which `ListCx::detached` returns together with the context |
    ///
    /// ```
    /// # use ferroform::{ApplyCx, Clock, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result, Unknown, path};
    /// # struct Cloud;
    /// # impl Provider for Cloud {
    /// #     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
    /// #     type Config = ();
    /// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
    /// #     fn register(_: &mut Registry<Self>) {}
    /// # }
    /// #[derive(Model, Clone, Debug, PartialEq)]
    /// struct Disk {
    ///     name: String,
    ///     #[attr(computed)]
    ///     id: String,
    /// }
    ///
    /// impl Resource for Disk {
    ///     type Provider = Cloud;
    ///
    ///     async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<DiskComputed> {
    ///         let id = format!("disk/{}", plan.name);
    ///         cx.checkpoint_at(path!(id), &id);
    ///         cx.set_private("etag", &7_u64)?;
    ///         Ok(DiskComputed { id })
    ///     }
    /// #     async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> { Ok(Some(state)) }
    /// #     async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> { Ok(()) }
    /// }
    ///
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let cx = ApplyCx::<Disk>::detached(Cloud, Clock::test());
    /// Disk::create(&cx, Planned::<Disk> { name: "a".to_owned(), id: Unknown }).await?;
    /// assert_eq!(cx.checkpointed::<String>(path!(id))?.as_deref(), Some("disk/a"));
    /// assert_eq!(cx.private::<u64>("etag")?, Some(7));
    /// assert!(cx.diagnostics().is_empty());
    /// # Ok::<(), ferroform::Diagnostics>(())
    /// # }).unwrap();
    /// ```
    pub fn detached(provider: T::Provider, clock: Clock) -> MethodCx<T, Op> {
        MethodCx::of(Cx::detached(provider, clock), Op::default())
    }
}

// `Op` is bounded on each method, because the compiler prints the messages of `PrivateState` and `Defer` only there.
impl<T: HasProvider<Op>, Op> MethodCx<T, Op> {
    /// The value that is stored in private state under the key; `None` if nothing is stored. Private state is stored
    /// alongside the state of each object, and Terraform does not show it.
    ///
    /// # Errors
    ///
    /// If the stored value is not a `V`.
    pub fn private<V: Attr>(&self, key: &str) -> Result<Option<V>>
    where
        Op: PrivateState,
    {
        private(self, key)
    }

    /// Stores a value in private state. Do not store secrets: like the state, private state is not encrypted.
    ///
    /// A `delete` can store values only if it fails.
    ///
    /// # Errors
    ///
    /// If the key begins with a dot, because those keys are reserved for Ferroform.
    pub fn set_private<V: Attr>(&self, key: &str, value: &V) -> Result<()>
    where
        Op: PrivateState,
    {
        set_private(self, key, value)
    }

    /// Removes the value that is stored in private state under the key.
    pub fn remove_private(&self, key: &str)
    where
        Op: PrivateState,
    {
        self.context().remove_private(key);
    }

    /// The resource identity of the object: the one that the method has [set](MethodCx::set_identity), or the one that
    /// Terraform has stored. `None` if there is none, for example in `create`. In the `read` after an import by identity,
    /// it is the identity of the `import` block.
    ///
    /// # Errors
    ///
    /// If the stored identity cannot be read, which is a bug in the type of an attribute.
    pub fn identity(&self) -> Result<Option<T::Identity>>
    where
        T: Model,
        Op: PrivateState,
    {
        let identity = self.context().identity();
        identity.map(|it| T::Identity::from_value(&it)).transpose().context("Cannot Read the Identity")
    }

    /// Sets the resource identity of the object, if only the API knows it. It takes precedence over
    /// [`Identity::of`](crate::Identity::of). Terraform rejects another identity than the stored one, unless the model has
    /// `#[attr(mutable_identity)]`.
    ///
    /// Call it in `create`, as soon as the object exists, and in `read`, which also has to set it if
    /// [`identity`](MethodCx::identity) returns `None`. In `delete` and `plan_delete`, it has no effect.
    pub fn set_identity(&self, identity: T::Identity)
    where
        T: Model,
        Op: PrivateState,
    {
        self.context().set_identity(identity.to_value());
    }

    /// Records that the operation is deferred, and returns an error that ends the method:
    /// `return Err(cx.defer(reason))`. A method can also ignore the error and return the values that are known so far.
    ///
    /// If Terraform does not [allow](RequestCx::is_deferral_allowed) the deferral, the practitioner gets an error with the
    /// reason.
    ///
    /// ```
    /// use ferroform::operation::{Defer, HasProvider};
    /// use ferroform::{Deferral, MethodCx, Result};
    ///
    /// /// The ID of a network, which may not exist yet.
    /// fn network<T: HasProvider<Op>, Op: Defer>(cx: &MethodCx<T, Op>, found: Option<u64>) -> Result<u64> {
    ///     found.ok_or_else(|| cx.defer(Deferral::AbsentPrerequisite))
    /// }
    /// ```
    pub fn defer(&self, reason: Deferral) -> Diagnostics
    where
        Op: Defer,
    {
        self.context().defer(reason)
    }

    /// The reason for the [deferral](MethodCx::defer) that the method has recorded: for unit tests with a detached context.
    pub fn deferral(&self) -> Option<Deferral>
    where
        Op: Defer,
    {
        self.context().deferral()
    }
}

impl<R: HasProvider<Plan>> MethodCx<R, Plan> {
    /// Makes the change require replacement because of the attribute at that path.
    ///
    /// The value at the path must change, because Terraform ignores other paths. If no path that changes requires
    /// replacement, Ferroform rejects the plan. To force a replacement, plan a computed attribute as unknown and
    /// pass its path.
    pub fn requires_replace(&self, path: Path) {
        self.context().requires_replace(path);
    }

    /// The paths that the method has passed to [`requires_replace`](MethodCx::requires_replace): for unit tests with a
    /// detached context.
    pub fn replacement_paths(&self) -> Vec<Path> {
        self.context().replacement_paths()
    }
}

impl<R: HasProvider<Apply> + Model> MethodCx<R, Apply> {
    /// Records computed attributes of the object: call it as soon as the remote object exists. If the method fails,
    /// panics or is canceled afterwards, the state contains these values, and Terraform marks the object as tainted.
    pub fn checkpoint(&self, computed: R::Computed) {
        self.context().checkpoint_object(crate::Computed::into_object(computed));
    }

    /// The configuration; `None` in `delete`. Unlike the plan, it shows whether an attribute that is optional and computed,
    /// or has a default, is set in the configuration.
    ///
    /// # Errors
    ///
    /// If the configuration cannot be read, which is a bug in the type of an attribute.
    pub fn config(&self) -> Result<Option<Config<R>>> {
        let Some((value, _)) = self.context().configuration() else { return Ok(None) };
        <Config<R> as Attr>::from_value(value).context("Cannot Read the Configuration").map(Some)
    }

    /// Records one attribute. In `create`, it must be a computed attribute: `cx.checkpoint_at(path!(id), &id)`. In
    /// `update`, it can also be a configured attribute that the remote object already has:
    /// `cx.checkpoint_at(path!(size), &plan.size)`. A configured attribute with another value than the planned one is
    /// an error, in addition to that of the method.
    pub fn checkpoint_at(&self, path: Path, value: &impl Attr) {
        self.context().checkpoint_value(path, value.to_value());
    }

    /// The value that the method last recorded for the path, with [`checkpoint`](MethodCx::checkpoint) or
    /// [`checkpoint_at`](MethodCx::checkpoint_at): for unit tests with a detached context.
    ///
    /// # Errors
    ///
    /// If the recorded value is not a `V`.
    pub fn checkpointed<V: Attr>(&self, path: Path) -> Result<Option<V>> {
        let recorded = self.context().checkpoints();
        let value = recorded.iter().rev().find_map(|(recorded_at, value)| {
            let rest = path.steps().strip_prefix(recorded_at.steps())?;
            value.at(&rest.iter().cloned().collect())
        });
        value.map(V::from_value).transpose().context("Cannot Read Checkpoint")
    }

    /// The configuration without a model; `None` in `delete`.
    pub fn config_data(&self) -> Option<Data> {
        data(self.context().configuration())
    }
}

impl<A: HasProvider<Invoke>> MethodCx<A, Invoke> {
    /// Reports progress: Terraform prints the message while the action runs. Sensitive values of the configuration and of
    /// the provider's configuration are masked.
    ///
    /// Waits until Terraform has received the previous messages, so that a fast method cannot fill the memory. If the
    /// invocation is canceled, it does not wait. A [detached](MethodCx::detached) context
    /// [keeps](MethodCx::progress_messages) the messages.
    pub async fn progress(&self, message: impl Into<String>) {
        self.context().progress(message).await;
    }

    /// The progress messages of a method with a detached context: for unit tests.
    pub fn progress_messages(&self) -> Vec<String> {
        self.context().progress_messages()
    }
}

impl<L: HasProvider<List>> MethodCx<L, List> {
    pub(crate) fn results(&self) -> &ListResults {
        &self.operation.0
    }
}

fn private<V: Attr>(cx: &RequestCx, key: &str) -> Result<Option<V>> {
    let value = cx.context.private_value(key, &V::ty())?;
    value.map(|it| V::from_value(&it)).transpose().context(format!("Cannot Read the Private State {key:?}"))
}

fn set_private<V: Attr>(cx: &RequestCx, key: &str, value: &V) -> Result<()> {
    cx.context.set_private_value(key, &value.to_value(), &V::ty())
}

fn data(typed: Option<&(Value, Type)>) -> Option<Data> {
    let (value, ty) = typed?;
    Data::typed(ty.clone(), value.clone()).ok()
}
