//! The request contexts that the methods of a provider author receive as `cx`.
//!
//! | type | methods | adds |
//! |---|---|---|
//! | [`RequestCx`] | `validate`, `configure`, `upgrade` | warnings, time, cancellation |
//! | [`MoveCx`] | `move_from` | private state to store |
//! | [`Cx<P>`] | `read`, `import`, `plan_delete`, `read` of a data source | the provider, private state, provider metadata, deferral |
//! | [`ListCx<L>`](crate::ListCx) | `list` | results |
//! | [`PlanCx<P>`] | `plan` | `requires_replace` |
//! | [`InvokeCx<P>`](crate::InvokeCx) | `invoke` of an action | the provider, progress messages |
//! | [`ApplyCx<P>`] | `create`, `update`, `delete` | checkpoints and the configuration, but no deferral |

use std::ops::Deref;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ferroform_engine::RequestContext;
use ferroform_engine::request::context::not_configured;
use ferroform_value::{Path, Type, Value};

use crate::{
    Attr, Clock, Computed, Config, Context as _, Data, Deferral, Diagnostic, Diagnostics, Model, Result,
};

/// The context of one request of Terraform, without a configured provider.
///
/// The methods that run before the provider is configured receive it: `validate`, `configure` and `upgrade`. [`Cx`],
/// [`PlanCx`], [`ApplyCx`] and [`MoveCx`] dereference to it, so a function that only warns, waits or checks for
/// cancellation takes a `&RequestCx` and works in every method.
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
    /// A context without a request of Terraform: for unit tests of code that waits, sleeps or warns. It is never
    /// canceled.
    pub fn detached(clock: Clock) -> RequestCx {
        RequestContext::detached(clock).into()
    }

    /// Shows a warning to the practitioner. The request continues.
    pub fn warn(&self, summary: impl Into<String>) {
        self.context.warn(summary);
    }

    /// Shows a diagnostic to the practitioner, for example a warning with a detail and an attribute path. The request
    /// continues, even after an error: to end the method, return the error instead.
    ///
    /// ```
    /// use ferroform::{Clock, Diagnostic, RequestCx, path};
    ///
    /// let cx = RequestCx::detached(Clock::test());
    /// cx.report(Diagnostic::warning("Weak Password").detail("Use at least 12 characters.").at(path!(password)));
    /// ```
    pub fn report(&self, diagnostic: Diagnostic) {
        self.context.report(diagnostic);
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

    /// Waits until the practitioner interrupts Terraform or the deadline passes: a branch for `tokio::select!`.
    pub async fn cancelled(&self) {
        self.context.cancelled().await;
    }

    /// Returns true if Terraform supports write-only attributes. Only `validate` of a resource receives this
    /// information; in other methods, it returns false.
    pub fn is_write_only_allowed(&self) -> bool {
        self.context.is_write_only_allowed()
    }

    /// Returns true if Terraform supports the deferral of this operation: see [`Cx::defer`]. In `configure`, it returns
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

/// The context of [`Resource::move_from`](crate::Resource::move_from): a [`RequestCx`] that can also store private
/// state for the moved object.
///
/// ```
/// use ferroform::{MoveCx, MoveSource, Result};
///
/// fn keep_etag(cx: &MoveCx, source: &MoveSource) -> Result<()> {
///     match source.private::<String>("etag")? {
///         Some(etag) => cx.set_private("etag", &etag),
///         None => Ok(()),
///     }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct MoveCx {
    request: RequestCx,
}

impl From<RequestContext> for MoveCx {
    fn from(context: RequestContext) -> MoveCx {
        MoveCx { request: context.into() }
    }
}

impl Deref for MoveCx {
    type Target = RequestCx;

    fn deref(&self) -> &RequestCx {
        &self.request
    }
}

impl MoveCx {
    /// A context without a request of Terraform: for unit tests of `move_from`.
    pub fn detached(clock: Clock) -> MoveCx {
        RequestContext::detached(clock).into()
    }

    /// Stores a value in the private state of the moved object; see [`Cx::set_private`].
    ///
    /// # Errors
    ///
    /// If the key begins with a dot, because those keys are reserved for Ferroform.
    pub fn set_private<T: Attr>(&self, key: &str, value: &T) -> Result<()> {
        set_private(self, key, value)
    }
}

/// The context of a request with the configured provider `P`: for `read`, `import` and `plan_delete` of a resource, and
/// `read` of a data source.
///
/// ```
/// use ferroform::{Clock, Cx};
///
/// struct Cloud {
///     region: String,
/// }
///
/// /// Code that only needs the provider takes the context too, so that it can warn and wait.
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

    /// A context without a request of Terraform: for unit tests of single methods.
    pub fn detached(provider: P, clock: Clock) -> Cx<P> {
        Cx { provider: Arc::new(provider), request: RequestCx::detached(clock) }
    }
}

impl<P> Cx<P> {
    /// The value that is stored in private state under the key; `None` if nothing is stored. Private state is stored
    /// alongside the state of each object, and Terraform does not show it.
    ///
    /// # Errors
    ///
    /// If the stored value is not a `T`.
    pub fn private<T: Attr>(&self, key: &str) -> Result<Option<T>> {
        private(&self.request, key)
    }

    /// Stores a value in private state. Do not store secrets: like the state, private state is not encrypted.
    ///
    /// `read`, `plan`, `import`, `create` and `update` can store values, and so can a `delete` that fails.
    ///
    /// # Errors
    ///
    /// If the key begins with a dot, because those keys are reserved for Ferroform.
    pub fn set_private<T: Attr>(&self, key: &str, value: &T) -> Result<()> {
        set_private(&self.request, key, value)
    }

    /// Removes the value that is stored in private state under the key.
    pub fn remove_private(&self, key: &str) {
        self.request.context.remove_private(key);
    }

    /// The `provider_meta` block of the module, read as the model that was
    /// [registered](crate::Registry::provider_meta). `None` if the module has no such block, and in `import`.
    ///
    /// # Errors
    ///
    /// If the provider has registered another model.
    pub fn provider_meta<M: Model>(&self) -> Result<Option<Config<M>>> {
        provider_meta::<M>(&self.request)
    }

    /// The `provider_meta` block of the module without a model: for a schema that was registered with
    /// [`raw_provider_meta`](crate::Registry::raw_provider_meta).
    pub fn provider_meta_data(&self) -> Option<Data> {
        data(self.request.context.provider_meta())
    }

    /// Records that the operation is deferred, and returns an error that ends the method:
    /// `return Err(cx.defer(reason))`. A method can also ignore the error and return the values that are known so far.
    ///
    /// If Terraform does not [allow](RequestCx::is_deferral_allowed) the deferral, the practitioner gets an error with the
    /// reason.
    ///
    /// ```
    /// use ferroform::{Cx, Deferral, Result};
    ///
    /// struct Cloud { is_ready: bool }
    ///
    /// async fn check_ready(cx: &Cx<Cloud>) -> Result<()> {
    ///     if cx.provider.is_ready { Ok(()) } else { Err(cx.defer(Deferral::AbsentPrerequisite)) }
    /// }
    /// ```
    pub fn defer(&self, reason: Deferral) -> Diagnostics {
        self.request.context.defer(reason)
    }
}

/// The context of [`Resource::plan`](crate::Resource::plan): a [`Cx`] that can also require replacement.
///
/// ```
/// use ferroform::{PlanCx, path};
///
/// struct Cloud { can_resize: bool }
///
/// fn replace_unless_resizable(cx: &PlanCx<Cloud>) {
///     if !cx.provider.can_resize {
///         cx.requires_replace(path!(size));
///     }
/// }
/// ```
#[derive(Debug)]
pub struct PlanCx<P> {
    cx: Cx<P>,
}

// A derived implementation would require `P: Clone`.
impl<P> Clone for PlanCx<P> {
    fn clone(&self) -> Self {
        PlanCx { cx: self.cx.clone() }
    }
}

impl<P> Deref for PlanCx<P> {
    type Target = Cx<P>;

    fn deref(&self) -> &Cx<P> {
        &self.cx
    }
}

impl<P: Send + Sync + 'static> PlanCx<P> {
    /// The context of a request to plan a change, for providers that implement the traits of [`raw`](crate::raw).
    ///
    /// # Errors
    ///
    /// As [`Cx::new`].
    pub fn new(request: impl Into<RequestCx>) -> Result<PlanCx<P>> {
        Ok(PlanCx { cx: Cx::new(request)? })
    }

    /// A context without a request of Terraform: for unit tests of `plan`.
    pub fn detached(provider: P, clock: Clock) -> PlanCx<P> {
        PlanCx { cx: Cx::detached(provider, clock) }
    }
}

impl<P> PlanCx<P> {
    /// Makes the change require replacement because of the attribute at that path.
    ///
    /// The value at the path must change, because Terraform ignores other paths. If no path that changes requires
    /// replacement, Ferroform rejects the plan. To force a replacement, plan a computed attribute as unknown and
    /// pass its path.
    pub fn requires_replace(&self, path: Path) {
        self.cx.request.context.requires_replace(path);
    }
}

/// The context of `create`, `update` and `delete` of a resource with the configured provider `P`.
///
/// These methods change the remote object, so they can record [checkpoints](ApplyCx::checkpoint). They cannot defer the
/// operation, because it is planned already.
///
/// ```
/// use ferroform::{ApplyCx, Result, path};
///
/// struct Cloud;
/// # impl Cloud {
/// #     async fn start(&self, _: &str) -> Result<String> { Ok("m-1".to_owned()) }
/// #     async fn attach_disk(&self, _: &str) -> Result<()> { Ok(()) }
/// # }
///
/// async fn start(cx: &ApplyCx<Cloud>, name: &str) -> Result<String> {
///     let id = cx.provider.start(name).await?;
///     // From here on the machine exists. If attaching the disk fails, the state contains its ID.
///     cx.checkpoint_at(path!(id), &id);
///     cx.provider.attach_disk(&id).await?;
///     Ok(id)
/// }
/// ```
#[derive(Debug)]
pub struct ApplyCx<P> {
    /// The provider, as [`configure`](crate::Provider::configure) has returned it.
    pub provider: Arc<P>,
    cx: Cx<P>,
}

// A derived implementation would require `P: Clone`.
impl<P> Clone for ApplyCx<P> {
    fn clone(&self) -> Self {
        ApplyCx { provider: self.provider.clone(), cx: self.cx.clone() }
    }
}

impl<P> Deref for ApplyCx<P> {
    type Target = RequestCx;

    fn deref(&self) -> &RequestCx {
        &self.cx.request
    }
}

impl<P: Send + Sync + 'static> ApplyCx<P> {
    /// The context of a request to apply a change, for providers that implement the traits of [`raw`](crate::raw).
    ///
    /// # Errors
    ///
    /// As [`Cx::new`].
    pub fn new(request: impl Into<RequestCx>) -> Result<ApplyCx<P>> {
        let cx = Cx::<P>::new(request)?;
        Ok(ApplyCx { provider: cx.provider.clone(), cx })
    }

    /// A context without a request of Terraform: for unit tests of `create`, `update` and `delete`.
    pub fn detached(provider: P, clock: Clock) -> ApplyCx<P> {
        let cx = Cx::detached(provider, clock);
        ApplyCx { provider: cx.provider.clone(), cx }
    }
}

impl<P> ApplyCx<P> {
    /// The context for code that is shared with `read`: `Self::read(cx.as_cx(), state)`.
    ///
    /// A deferral in that code is an error here, because the operation is planned already.
    pub fn as_cx(&self) -> &Cx<P> {
        &self.cx
    }

    /// Records computed attributes of the object: call it as soon as the remote object exists. If the method fails,
    /// panics or is canceled afterwards, the state contains these values, and Terraform marks the object as tainted.
    pub fn checkpoint(&self, computed: impl Computed) {
        self.context().checkpoint_object(computed.into_object());
    }

    /// Records one attribute. In `create`, it must be a computed attribute: `cx.checkpoint_at(path!(id), &id)`. In
    /// `update`, it can also be a configured attribute that the remote object already has:
    /// `cx.checkpoint_at(path!(size), &plan.size)`. A configured attribute with another value than the planned one is
    /// an error, in addition to that of the method.
    pub fn checkpoint_at(&self, path: Path, value: &impl Attr) {
        self.context().checkpoint_value(path, value.to_value());
    }

    /// The configuration, read as `M`, the model of the resource; `None` in `delete`.
    /// Unlike the plan, it shows whether an attribute that is optional and computed, or has a default, is set in
    /// the configuration.
    ///
    /// # Errors
    ///
    /// If `M` is another model than that of the resource.
    pub fn config<M: Model>(&self) -> Result<Option<Config<M>>> {
        let Some((value, ty)) = self.context().configuration() else { return Ok(None) };
        let other =
            || format!("The model of the resource has the type {ty}, which is not that of this model.");
        viewed::<M>(value, ty, "Cannot Read the Configuration", other).map(Some)
    }

    /// The configuration without a model; `None` in `delete`.
    pub fn config_data(&self) -> Option<Data> {
        data(self.context().configuration())
    }

    /// The value that is stored in private state under the key; see [`Cx::private`].
    ///
    /// # Errors
    ///
    /// If the stored value is not a `T`.
    pub fn private<T: Attr>(&self, key: &str) -> Result<Option<T>> {
        private(self, key)
    }

    /// Stores a value in private state; see [`Cx::set_private`].
    ///
    /// # Errors
    ///
    /// If the key begins with a dot, because those keys are reserved for Ferroform.
    pub fn set_private<T: Attr>(&self, key: &str, value: &T) -> Result<()> {
        set_private(self, key, value)
    }

    /// Removes the value that is stored in private state under the key.
    pub fn remove_private(&self, key: &str) {
        self.context().remove_private(key);
    }

    /// The `provider_meta` block of the module; see [`Cx::provider_meta`].
    ///
    /// # Errors
    ///
    /// If the provider has registered another model.
    pub fn provider_meta<M: Model>(&self) -> Result<Option<Config<M>>> {
        provider_meta::<M>(self)
    }

    /// The `provider_meta` block of the module without a model; see [`Cx::provider_meta_data`].
    pub fn provider_meta_data(&self) -> Option<Data> {
        data(self.context().provider_meta())
    }
}

fn private<T: Attr>(cx: &RequestCx, key: &str) -> Result<Option<T>> {
    let value = cx.context.private_value(key, &T::ty())?;
    value.map(|it| T::from_value(&it)).transpose().context(format!("Cannot Read the Private State {key:?}"))
}

fn set_private<T: Attr>(cx: &RequestCx, key: &str, value: &T) -> Result<()> {
    cx.context.set_private_value(key, &value.to_value(), &T::ty())
}

fn provider_meta<M: Model>(cx: &RequestCx) -> Result<Option<Config<M>>> {
    let Some((value, ty)) = cx.context.provider_meta() else { return Ok(None) };
    let other = || format!("The provider has registered a model of the type {ty}, not this model.");
    viewed::<M>(value, ty, "Cannot Read the provider_meta Block", other).map(Some)
}

fn data(typed: Option<&(Value, Type)>) -> Option<Data> {
    let (value, ty) = typed?;
    Data::typed(ty.clone(), value.clone()).ok()
}

/// Reads a value of that type as the view of a configuration.
fn viewed<M: Model>(
    value: &Value,
    ty: &Type,
    summary: &'static str,
    other_model: impl FnOnce() -> String,
) -> Result<Config<M>> {
    if M::ty() != *ty {
        return Err(Diagnostic::error(summary).detail(other_model()).into());
    }
    <Config<M> as crate::Attr>::from_value(value).context(summary)
}
