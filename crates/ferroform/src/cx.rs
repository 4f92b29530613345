//! The request context as methods of a provider author see it, with their own types.

use std::ops::Deref;
use std::sync::Arc;

use ferroform_engine::RequestContext;
use ferroform_engine::request::context::not_configured;
use ferroform_value::{Path, Type, Value};

use crate::{Attr, Clock, Computed, Config, Context as _, Data, Diagnostic, Model, Result};

/// One request of the host, as an author's method without a provider sees it: a [`RequestContext`], and what takes the
/// author's own types.
#[derive(Clone, Debug)]
pub struct Call {
    context: RequestContext,
}

impl From<RequestContext> for Call {
    fn from(context: RequestContext) -> Call {
        Call { context }
    }
}

impl Deref for Call {
    type Target = RequestContext;

    fn deref(&self) -> &RequestContext {
        &self.context
    }
}

impl Call {
    /// A call that no host has made: for unit tests of code that waits, sleeps or warns. Nobody cancels it.
    pub fn detached(clock: Clock) -> Call {
        RequestContext::detached(clock).into()
    }

    /// Keeps what has been made so far: call it as soon as the remote object exists. When the method later
    /// fails, panics or is cancelled, this is what the state keeps, so that nothing is lost.
    pub fn checkpoint(&self, computed: impl Computed) {
        self.checkpoint_object(computed.into_object());
    }

    /// Keeps one computed attribute, where the others are not known yet: `cx.checkpoint_at(path!(id), &id)`; or, while
    /// updating, an input that has been changed already: `cx.checkpoint_at(path!(size), &plan.size)`. Any other value of
    /// an input is an error beside that of the method.
    pub fn checkpoint_at(&self, place: Path, value: &impl Attr) {
        self.checkpoint_value(place, value.to_value());
    }

    /// What the provider keeps beside the state under that key, unseen by the user.
    ///
    /// # Errors
    ///
    /// Where what is kept is not a `T`.
    pub fn private<T: Attr>(&self, key: &str) -> Result<Option<T>> {
        let value = self.private_value(key, &T::ty())?;
        value
            .map(|it| T::from_value(&it))
            .transpose()
            .context(format!("Cannot read the private data {key:?}"))
    }

    /// Keeps something beside the state, unseen by the user: for `plan`, `create`, `read`, `update`, `import`, for
    /// `plan_delete` of what is then deleted, and for a `delete` that fails. It is as durable as the state, and as
    /// little a place for secrets.
    ///
    /// # Errors
    ///
    /// Where the key begins with a dot, as only the framework's own do.
    pub fn set_private<T: Attr>(&self, key: &str, value: &T) -> Result<()> {
        self.set_private_value(key, &value.to_value(), &T::ty())
    }

    /// What the module says in its `provider_meta` block, with the model that was
    /// [registered](crate::Registry::meta); none where it has no such block. It is known in the methods `plan`,
    /// `create`, `read`, `update` and `delete` of resources and `read` of data sources.
    ///
    /// # Errors
    ///
    /// Where another model was registered.
    pub fn meta<M: Model>(&self) -> Result<Option<Config<M>>> {
        let Some((value, ty)) = self.provider_meta() else { return Ok(None) };
        let other = || format!("The provider has registered a model of the type {ty}, not this one.");
        viewed::<M>(value, ty, "Cannot read the provider_meta block", other).map(Some)
    }

    /// The same for those who work without a model.
    pub fn meta_data(&self) -> Option<Data> {
        let (value, ty) = self.provider_meta()?;
        Data::typed(ty.clone(), value.clone()).ok()
    }

    /// The configuration of the object that `create` or `update` makes or changes; none in other methods, which are
    /// given it where there is one. It tells what the plan does not: whether a value that is optional and computed, or
    /// has a default, was written. `M` is the resource's own model.
    ///
    /// # Errors
    ///
    /// Where `M` is another model.
    pub fn config<M: Model>(&self) -> Result<Option<Config<M>>> {
        let Some((value, ty)) = self.configuration() else { return Ok(None) };
        let other = || format!("The resource's model is of the type {ty}, not this one.");
        viewed::<M>(value, ty, "Cannot read the configuration", other).map(Some)
    }

    /// The same for those who work without a model.
    pub fn config_data(&self) -> Option<Data> {
        let (value, ty) = self.configuration()?;
        Data::typed(ty.clone(), value.clone()).ok()
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

/// One call of the host, with the configured provider of the type `P`.
#[derive(Debug)]
pub struct Cx<P> {
    /// The provider, as [`configure`](crate::Provider::configure) made it.
    pub provider: Arc<P>,
    pub(crate) call: Call,
}

impl<P: Send + Sync + 'static> Cx<P> {
    /// The typed form of a call.
    ///
    /// # Errors
    ///
    /// Where the provider's configuration depends on something that is not known yet.
    pub fn new(call: impl Into<Call>) -> Result<Cx<P>> {
        let call = call.into();
        let provider = call.provider().cloned().and_then(|it| it.downcast::<P>().ok());
        let provider = provider.ok_or_else(not_configured)?;
        Ok(Cx { provider, call })
    }
}

impl<P> Deref for Cx<P> {
    type Target = Call;

    fn deref(&self) -> &Call {
        &self.call
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
