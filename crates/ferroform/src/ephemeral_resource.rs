//! The trait of ephemeral resources.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ferroform_value::{Type, Value, json};

use crate::model::{Args, Config};
use crate::model_kinds::{NoReservedNames, NoWriteOnlyAttributes};
use crate::operation::{self, HasProvider, Open};
use crate::optional_method::{NotImplemented, is_implemented};
use crate::raw::{
    AnyEphemeralResource, AnyOpened, AnyRenewed, Definition, EphemeralCapabilities, MethodFuture,
    RequestContext,
};
use crate::typed::{Typed, read, validate};
use crate::{Attr, Computed as _, Context as _, MethodCx, Model, Provider, Registry, RequestCx, Result};

/// An ephemeral resource: values that Terraform uses but never stores, such as a token that expires.
///
/// Terraform 1.10 and OpenTofu 1.11 or later open an ephemeral resource in each run that needs its values, renew it while
/// they use it, and close it at the end of the run. The three methods share private data, which only the provider reads.
///
/// | method | receives | returns |
/// |---|---|---|
/// | [`validate`](EphemeralResource::validate) | the configuration, with unknown values | the errors |
/// | [`open`](EphemeralResource::open) | the configuration | the computed attributes, the private data and the renewal time |
/// | [`renew`](EphemeralResource::renew) | the private data | the new private data and the time of the next renewal |
/// | [`close`](EphemeralResource::close) | the private data | |
///
/// ```
/// use std::time::Duration;
///
/// use ferroform::{Args, EphemeralResource, Model, OpenCx, Opened, OpenedCx, Renewed, Result};
/// # use ferroform::{Known, Maybe, Provider, Registry, RequestCx};
///
/// # struct Cloud;
/// # impl Cloud {
/// #     async fn create_token(&self, _: &str) -> Result<(u64, String)> { Ok((7, "t-7".into())) }
/// #     async fn extend(&self, _: u64) -> Result<()> { Ok(()) }
/// #     async fn revoke(&self, _: u64) -> Result<()> { Ok(()) }
/// # }
/// # impl Provider for Cloud {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
/// #     fn register(_: &mut Registry<Self>) {}
/// # }
/// /// A token of a role.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Token {
///     role: String,
///     #[attr(computed, sensitive)]
///     value: String,
/// }
///
/// impl EphemeralResource for Token {
///     type Provider = Cloud;
///     /// The ID of the token.
///     type Private = u64;
///
///     async fn open(cx: &OpenCx<Self>, args: Args<Self>) -> Result<Opened<Self>> {
///         let (id, value) = cx.provider.create_token(&args.role).await?;
///         // From here on, Ferroform calls `close` if this method fails.
///         cx.opened(&id)?;
///         Ok(Opened::new(TokenComputed { value }, id).renew_in(Duration::from_secs(600)))
///     }
///
///     async fn renew(cx: &OpenedCx<Self>, id: u64) -> Result<Renewed<Self>> {
///         cx.provider.extend(id).await?;
///         Ok(Renewed::new(id).renew_in(Duration::from_secs(600)))
///     }
///
///     async fn close(cx: &OpenedCx<Self>, id: u64) -> Result<()> {
///         cx.provider.revoke(id).await
///     }
/// }
///
/// // In `Provider::register`: registry.ephemeral_resource::<Token>("cloud_token");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an ephemeral resource",
    label = "not an ephemeral resource",
    note = "write `impl EphemeralResource for {Self}` with `open`"
)]
pub trait EphemeralResource: Model<__Itself: NoReservedNames + NoWriteOnlyAttributes> {
    /// The provider of this ephemeral resource.
    type Provider: Provider;

    /// The data that `open` passes to `renew` and `close`: a model, a string, a number, or `()` if there is none.
    /// Terraform keeps it in memory for the time of the run.
    type Private: Attr;

    /// Validates the configuration as a whole. For a single attribute, use `#[attr(validate = …)]`. The provider is not
    /// configured yet.
    ///
    /// # Errors
    ///
    /// Diagnostics about the configuration, each with its attribute path: `.at(path!(…))`.
    fn validate(cx: &RequestCx, config: Config<Self>) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, config);
        NotImplemented::new()
    }

    /// Opens the ephemeral resource and returns its computed attributes. The other attributes come from the
    /// configuration. Terraform opens it while it plans and again while it applies.
    ///
    /// Call [`cx.opened`](crate::MethodCx::opened) as soon as there is something to close.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be opened. [`cx.defer`](crate::MethodCx::defer) defers it.
    fn open(cx: &OpenCx<Self>, args: Args<Self>) -> impl Future<Output = Result<Opened<Self>>> + Send;

    /// Renews the ephemeral resource. Terraform calls it shortly before the time that [`Opened`] or [`Renewed`] sets.
    /// If this method is not implemented, `open` cannot set a renewal time.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be renewed. Terraform then ends the run with this error.
    fn renew(
        cx: &OpenedCx<Self>,
        private: Self::Private,
    ) -> impl Future<Output = Result<Renewed<Self>>> + Send {
        let _ = (cx, private);
        NotImplemented::new()
    }

    /// Closes the ephemeral resource. Terraform calls it at the end of the run. Ferroform calls it if `open` fails after
    /// [`cx.opened`](crate::MethodCx::opened), and if Terraform ends early.
    ///
    /// # Errors
    ///
    /// The reason why it cannot be closed.
    fn close(cx: &OpenedCx<Self>, private: Self::Private) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, private);
        NotImplemented::new()
    }
}

/// An open ephemeral resource: the result of [`EphemeralResource::open`].
pub struct Opened<E: EphemeralResource> {
    computed: E::Computed,
    private: E::Private,
    renew_at: Option<SystemTime>,
}

impl<E: EphemeralResource> fmt::Debug for Opened<E> {
    /// The values may be secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opened").field("renew_at", &self.renew_at).finish_non_exhaustive()
    }
}

impl<E: EphemeralResource> Opened<E> {
    /// The computed attributes, and the private data for `renew` and `close`.
    pub fn new(computed: E::Computed, private: E::Private) -> Opened<E> {
        Opened { computed, private, renew_at: None }
    }

    /// Sets the time of the renewal.
    #[must_use]
    pub fn renew_at(mut self, time: SystemTime) -> Opened<E> {
        self.renew_at = Some(time);
        self
    }

    /// Sets the renewal time to this duration from now.
    #[must_use]
    pub fn renew_in(self, duration: Duration) -> Opened<E> {
        self.renew_at(SystemTime::now() + duration)
    }

    /// The computed attributes.
    pub fn computed(&self) -> &E::Computed {
        &self.computed
    }

    /// The private data for `renew` and `close`.
    pub fn private(&self) -> &E::Private {
        &self.private
    }

    /// The time of the renewal; `None` if the ephemeral resource is not renewed.
    pub fn renewal_time(&self) -> Option<SystemTime> {
        self.renew_at
    }

    pub(crate) fn into_any(self) -> Result<AnyOpened> {
        let computed = self.computed.into_object();
        Ok(AnyOpened { computed, private: encode(&self.private)?, renew_at: self.renew_at })
    }
}

/// A renewed ephemeral resource: the result of [`EphemeralResource::renew`].
pub struct Renewed<E: EphemeralResource> {
    private: E::Private,
    renew_at: Option<SystemTime>,
}

impl<E: EphemeralResource> fmt::Debug for Renewed<E> {
    /// The private data may contain secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renewed").field("renew_at", &self.renew_at).finish_non_exhaustive()
    }
}

impl<E: EphemeralResource> Renewed<E> {
    /// The private data for the next `renew`, and for `close`.
    pub fn new(private: E::Private) -> Renewed<E> {
        Renewed { private, renew_at: None }
    }

    /// Sets the time of the next renewal.
    #[must_use]
    pub fn renew_at(mut self, time: SystemTime) -> Renewed<E> {
        self.renew_at = Some(time);
        self
    }

    /// Sets the next renewal time to this duration from now.
    #[must_use]
    pub fn renew_in(self, duration: Duration) -> Renewed<E> {
        self.renew_at(SystemTime::now() + duration)
    }

    /// The private data for the next `renew`, and for `close`.
    pub fn private(&self) -> &E::Private {
        &self.private
    }

    /// The time of the next renewal; `None` if the ephemeral resource is not renewed again.
    pub fn renewal_time(&self) -> Option<SystemTime> {
        self.renew_at
    }

    pub(crate) fn into_any(self) -> Result<AnyRenewed> {
        Ok(AnyRenewed { private: encode(&self.private)?, renew_at: self.renew_at })
    }
}

/// The context of [`EphemeralResource::open`] of the ephemeral resource `E`.
pub type OpenCx<E> = MethodCx<E, Open>;

/// The context of [`EphemeralResource::renew`] and [`EphemeralResource::close`] of the ephemeral resource `E`.
pub type OpenedCx<E> = MethodCx<E, operation::Opened>;

impl<T: EphemeralResource> HasProvider<Open> for T {
    type Provider = <T as EphemeralResource>::Provider;
}

impl<T: EphemeralResource> HasProvider<operation::Opened> for T {
    type Provider = <T as EphemeralResource>::Provider;
}

impl<E: EphemeralResource> MethodCx<E, Open> {
    /// Records that there is something to close. If `open` then returns an error, panics or is interrupted, Ferroform
    /// calls `close` with this private data. A later call replaces the data of an earlier one.
    ///
    /// # Errors
    ///
    /// If the private data cannot be encoded, which is a bug in its type.
    pub fn opened(&self, private: &E::Private) -> Result<()> {
        self.context().record_opened(encode(private)?);
        Ok(())
    }

    /// The private data that the method has passed to [`opened`](MethodCx::opened) last: for unit tests with a detached
    /// context.
    ///
    /// # Errors
    ///
    /// If the private data cannot be decoded, which is a bug in its type.
    pub fn opened_private(&self) -> Result<Option<E::Private>> {
        self.context().opened_private().map(|it| decode(&it)).transpose()
    }
}

const PRIVATE: &str = "Cannot Encode Private Data";

/// Encodes private data as JSON.
fn encode<P: Attr>(private: &P) -> Result<Vec<u8>> {
    json::encode(&private.to_value(), &P::ty()).context(PRIVATE)
}

/// Decodes private data.
fn decode<P: Attr>(private: &[u8]) -> Result<P> {
    let value = json::decode(private, &P::ty()).context("Cannot Decode Private Data")?;
    P::from_value(&value).context("Cannot Decode Private Data")
}

impl<E: EphemeralResource> AnyEphemeralResource for Typed<E> {
    fn capabilities(&self) -> EphemeralCapabilities {
        let mut capabilities = EphemeralCapabilities::new();
        capabilities.renew = is_implemented(&E::renew);
        capabilities.close = is_implemented(&E::close);
        capabilities
    }

    fn private_type(&self) -> Option<Type> {
        Some(E::Private::ty())
    }

    fn open(&self, context: RequestContext, config: Value) -> MethodFuture<AnyOpened> {
        Box::pin(async move {
            let args: Args<E> = read(&config, "Configuration")?;
            E::open(&OpenCx::<E>::new(context)?, args).await?.into_any()
        })
    }

    fn renew(&self, context: RequestContext, private: Vec<u8>) -> MethodFuture<AnyRenewed> {
        Box::pin(async move {
            let private = decode(&private)?;
            E::renew(&OpenedCx::<E>::new(context)?, private).await?.into_any()
        })
    }

    fn close(&self, context: RequestContext, private: Vec<u8>) -> MethodFuture<()> {
        Box::pin(async move {
            let private = decode(&private)?;
            E::close(&OpenedCx::<E>::new(context)?, private).await
        })
    }
}

impl<P: Provider> Registry<P> {
    /// Registers an ephemeral resource under its type name in configurations, such as `local_command`.
    pub fn ephemeral_resource<E: EphemeralResource<Provider = P>>(
        &mut self,
        name: impl Into<String>,
    ) -> &mut Self {
        self.raw(
            name,
            Definition::EphemeralResource(Arc::new(Typed::<E>::new(E::schema, validate!(E, E), ()))),
        )
    }
}
