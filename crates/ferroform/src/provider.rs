//! The trait of providers, and the registry of everything that they offer.

use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use ferroform_value::Value;

use crate::model::Config;
use crate::model_kinds::{
    NoComputedAttributes, NoReservedNames, NoReservedProviderNames, NoWriteOnlyAttributes,
};
use crate::optional_method::NotImplemented;
use crate::raw::{
    AnyProvider, Definition, Definitions, LogMasks, MethodFuture, ProviderData, RequestContext,
};
use crate::schema::Schema;
use crate::typed::{Typed, read, validate};
use crate::{Maybe, Model, RequestCx, Result, UnknownConfig};

/// A provider: its configuration, its resources and its data sources.
/// Resources receive a value of the implementing type as `cx.provider`, for example the client of a service.
///
/// ```
/// use ferroform::{Config, Known, Maybe, Model, Provider, Registry, RequestCx, Result, path};
///
/// struct Cloud {
///     endpoint: String,
/// }
///
/// /// The `provider` block.
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Settings {
///     /// The URL of the service.
///     endpoint: String,
/// }
///
/// impl Provider for Cloud {
///     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
///     type Config = Settings;
///
///     async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
///         // Unknown while planning, if the URL comes from a resource that does not exist yet.
///         Ok(config.endpoint.map(|endpoint| Cloud { endpoint }))
///     }
///
///     fn register(_registry: &mut Registry<Self>) {
///         // registry.resource::<Machine>("cloud_machine");
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a provider",
    label = "not a provider",
    note = "write `impl Provider for {Self}` with `configure` and `register`"
)]
pub trait Provider: Sized + Send + Sync + 'static {
    /// The address of the provider in a registry, such as `registry.terraform.io/hashicorp/local`. The type names of
    /// resources and data sources must begin with its last segment and `_`: `local_file`.
    const ADDRESS: &'static str;

    /// The model of the `provider` block; `()` if it has no attributes.
    type Config: Model<__Itself: NoReservedProviderNames + NoWriteOnlyAttributes + NoComputedAttributes>;

    /// Validates the configuration as a whole. For a single attribute, use `#[attr(validate = …)]`.
    ///
    /// # Errors
    ///
    /// Diagnostics about the configuration, each with its attribute path: `.at(path!(…))`.
    fn validate(cx: &RequestCx, config: Config<Self::Config>) -> impl Future<Output = Result<()>> + Send {
        let _ = (cx, config);
        NotImplemented::new()
    }

    /// Creates the provider from its configuration; with `Config = ()`, the argument is `()`. During planning, values
    /// may be unknown; return [`Unknown`](crate::Unknown) if the provider cannot be created without them. Then
    /// [`Registry::unknown_config`] determines how its objects behave.
    ///
    /// # Errors
    ///
    /// Diagnostics about the configuration, each with its attribute path: `.at(path!(…))`.
    fn configure(
        cx: &RequestCx,
        config: Config<Self::Config>,
    ) -> impl Future<Output = Result<Maybe<Self>>> + Send;

    /// Registers the objects of the provider, such as resources and data sources, and its settings.
    fn register(registry: &mut Registry<Self>);
}

/// The resources and data sources of a provider, by type name, and its settings.
///
/// [`Provider::register`] receives it. Each method returns the registry, so that calls can be chained:
/// `registry.resource::<Machine>("cloud_machine").data_source::<Image>("cloud_image").concurrency_limit(10);`
///
/// A name that is registered twice is an invalid definition, which is reported with the first request.
///
/// ```
/// # use ferroform::{ApplyCx, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result};
/// # #[derive(Model, Clone, Debug, PartialEq)]
/// # struct Machine { name: String }
/// # impl Resource for Machine {
/// #     type Provider = Cloud;
/// #     async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<MachineComputed> { Ok(MachineComputed {}) }
/// #     async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> { Ok(Some(state)) }
/// #     async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> { Ok(()) }
/// # }
/// # struct Cloud;
/// impl Provider for Cloud {
/// #     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
/// #     type Config = ();
/// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
///     fn register(registry: &mut Registry<Self>) {
///         registry.resource::<Machine>("cloud_machine");
///     }
///     // …
/// }
/// ```
#[derive(Debug)]
pub struct Registry<P> {
    pub(crate) definitions: Definitions,
    pub(crate) provider_meta: Option<Schema>,
    pub(crate) concurrency_limit: Option<usize>,
    pub(crate) unknown_config: UnknownConfig,
    pub(crate) log_masks: LogMasks,
    pub(crate) definition_errors: Vec<String>,
    provider: PhantomData<fn() -> P>,
}

impl<P> Registry<P> {
    pub(crate) fn new() -> Registry<P> {
        Registry {
            definitions: Definitions::new(),
            provider_meta: None,
            concurrency_limit: None,
            unknown_config: UnknownConfig::default(),
            log_masks: LogMasks::default(),
            definition_errors: Vec::new(),
            provider: PhantomData,
        }
    }

    /// Registers the model of `provider_meta` blocks. Methods read the block with
    /// [`cx.provider_meta::<M>()`](crate::Cx::provider_meta). The attributes of the model cannot be computed or have
    /// defaults.
    pub fn provider_meta<M>(&mut self) -> &mut Self
    where
        M: Model + NoReservedNames + NoWriteOnlyAttributes + NoComputedAttributes,
    {
        self.raw_provider_meta(M::schema())
    }

    /// Limits how many methods of resources and data sources run at the same time, in addition to the `-parallelism` of
    /// Terraform. Other requests wait in the order of their arrival. Validation is not limited. A limit of 0 is an
    /// invalid definition, which is reported with the first request.
    ///
    /// The [timeout](crate::Timeouts) of a method starts when the method starts.
    pub fn concurrency_limit(&mut self, limit: usize) -> &mut Self {
        self.concurrency_limit = Some(limit);
        self
    }

    /// Sets how resources and data sources behave if [`Provider::configure`] returns [`Unknown`](crate::Unknown). By
    /// default, every operation is deferred if Terraform supports deferred actions. Otherwise, resources are planned
    /// without the provider, and data sources and imports return errors.
    pub fn unknown_config(&mut self, behavior: UnknownConfig) -> &mut Self {
        self.unknown_config = behavior;
        self
    }

    /// Masks the values of a field in log lines, such as `authorization` in `tracing::debug!(authorization, "sent")`. Values of
    /// sensitive attributes are masked in any case.
    pub fn mask_log_field(&mut self, name: impl Into<String>) -> &mut Self {
        self.log_masks.fields.push(name.into());
        self
    }

    /// Masks every match of a regular expression in log lines, in messages and in the values of fields. An expression that
    /// is not valid is an invalid definition, which is reported with the first request.
    ///
    /// ```
    /// # use ferroform::{Known, Maybe, Provider, Registry, RequestCx, Result};
    /// # struct Cloud;
    /// # impl Provider for Cloud {
    /// #     const ADDRESS: &'static str = "registry.terraform.io/example/cloud";
    /// #     type Config = ();
    /// #     async fn configure(_: &RequestCx, _: ()) -> Result<Maybe<Self>> { Ok(Known(Cloud)) }
    /// fn register(registry: &mut Registry<Self>) {
    ///     registry.mask_log_field("authorization").mask_log_pattern("tok-[0-9a-f]{32}");
    /// }
    /// # }
    /// ```
    pub fn mask_log_pattern(&mut self, pattern: impl Into<String>) -> &mut Self {
        let pattern = pattern.into();
        if let Err(error) = regex_lite::Regex::new(&pattern) {
            self.definition_errors.push(format!("the log mask {pattern:?} is invalid: {error}"));
        }
        self.log_masks.patterns.push(pattern);
        self
    }

    /// Registers a schema of `provider_meta` blocks that is built at run time; methods read them with
    /// [`cx.provider_meta_data()`](crate::Cx::provider_meta_data).
    pub fn raw_provider_meta(&mut self, schema: Schema) -> &mut Self {
        if self.provider_meta.replace(schema).is_some() {
            self.definition_errors.push("provider_meta is registered twice".to_owned());
        }
        self
    }

    /// Registers an object that is built at run time under its full name, such as
    /// `Definition::Resource(Arc::new(machine))`. A list resource has the name of the resource whose objects it lists.
    pub fn raw(&mut self, name: impl Into<String>, definition: Definition) -> &mut Self {
        self.definitions.insert(name, definition);
        self
    }
}

impl<P: Provider> AnyProvider for Typed<P, Registry<P>> {
    fn address(&self) -> &str {
        P::ADDRESS
    }

    fn configure(&self, context: RequestContext, config: Value) -> MethodFuture<Maybe<ProviderData>> {
        Box::pin(async move {
            let config: Config<P::Config> = read(&config, "Provider Configuration")?;
            let provider = P::configure(&context.into(), config).await?;
            Ok(provider.map(|it| Arc::new(it) as ProviderData))
        })
    }

    fn definitions(&self) -> &Definitions {
        &self.extra.definitions
    }

    fn provider_meta(&self) -> Option<&Schema> {
        self.extra.provider_meta.as_ref()
    }

    fn unknown_config(&self) -> UnknownConfig {
        self.extra.unknown_config
    }

    fn concurrency_limit(&self) -> Option<usize> {
        self.extra.concurrency_limit
    }

    fn log_masks(&self) -> LogMasks {
        self.extra.log_masks.clone()
    }

    fn definition_errors(&self) -> Vec<String> {
        self.extra.definition_errors.clone()
    }
}

/// The provider of the engine for a type of the author.
pub(crate) fn typed<P: Provider>() -> Arc<dyn AnyProvider> {
    let mut registry = Registry::<P>::new();
    P::register(&mut registry);
    Arc::new(Typed::<P, _>::new(<P::Config as Model>::schema, validate!(P, P::Config), registry))
}
