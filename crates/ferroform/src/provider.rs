//! The trait of providers, and the registry of everything that they offer.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::model::Config;
use crate::model_kinds::{
    NoComputedAttributes, NoReservedNames, NoReservedProviderNames, NoWriteOnlyAttributes,
};
use crate::optional_method::NotImplemented;
use crate::raw::{
    AnyAction, AnyDataSource, AnyEphemeralResource, AnyFunction, AnyListResource, AnyResource, AnyStateStore,
    LogMasks,
};
use crate::schema::Schema;
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

    /// How resources and data sources behave if [`configure`](Provider::configure) returns [`Unknown`](crate::Unknown). By
    /// default, existing and new objects are planned without the provider, and data sources and imports return errors.
    const UNKNOWN_CONFIG: UnknownConfig = UnknownConfig::Defer;

    /// Creates the provider from its configuration; with `Config = ()`, the argument is `()`. During planning, values
    /// may be unknown; return [`Unknown`](crate::Unknown) if the provider cannot be created without them.
    ///
    /// # Errors
    ///
    /// Diagnostics about the configuration, each with its attribute path: `.at(path!(…))`.
    fn configure(
        cx: &RequestCx,
        config: Config<Self::Config>,
    ) -> impl Future<Output = Result<Maybe<Self>>> + Send;

    /// Registers the resources and data sources.
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
/// # use ferroform::{ApplyCx, Cx, Known, Maybe, Model, Planned, Provider, Registry, RequestCx, Resource, Result};
/// # #[derive(Model, Clone, Debug, PartialEq)]
/// # struct Machine { name: String }
/// # impl Resource for Machine {
/// #     type Provider = Cloud;
/// #     async fn create(_: &ApplyCx<Cloud>, _: Planned<Self>) -> Result<MachineComputed> { Ok(MachineComputed {}) }
/// #     async fn read(_: &Cx<Cloud>, state: Self) -> Result<Option<Self>> { Ok(Some(state)) }
/// #     async fn delete(_: &ApplyCx<Cloud>, _: Self) -> Result<()> { Ok(()) }
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
pub struct Registry<P> {
    pub(crate) resources: BTreeMap<String, Arc<dyn AnyResource>>,
    pub(crate) list_resources: BTreeMap<String, Arc<dyn AnyListResource>>,
    pub(crate) data_sources: BTreeMap<String, Arc<dyn AnyDataSource>>,
    pub(crate) ephemeral_resources: BTreeMap<String, Arc<dyn AnyEphemeralResource>>,
    pub(crate) actions: BTreeMap<String, Arc<dyn AnyAction>>,
    pub(crate) state_stores: BTreeMap<String, Arc<dyn AnyStateStore>>,
    pub(crate) functions: BTreeMap<String, Arc<dyn AnyFunction>>,
    pub(crate) provider_meta: Option<Schema>,
    pub(crate) concurrency_limit: Option<usize>,
    pub(crate) log_masks: LogMasks,
    pub(crate) definition_errors: Vec<String>,
    provider: PhantomData<fn() -> P>,
}

impl<P> fmt::Debug for Registry<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry")
            .field("resources", &self.resources.keys())
            .field("list_resources", &self.list_resources.keys())
            .field("data_sources", &self.data_sources.keys())
            .field("ephemeral_resources", &self.ephemeral_resources.keys())
            .field("actions", &self.actions.keys())
            .field("state_stores", &self.state_stores.keys())
            .field("functions", &self.functions.keys())
            .finish_non_exhaustive()
    }
}

impl<P> Registry<P> {
    pub(crate) fn new() -> Registry<P> {
        Registry {
            resources: BTreeMap::new(),
            list_resources: BTreeMap::new(),
            data_sources: BTreeMap::new(),
            ephemeral_resources: BTreeMap::new(),
            actions: BTreeMap::new(),
            state_stores: BTreeMap::new(),
            functions: BTreeMap::new(),
            provider_meta: None,
            concurrency_limit: None,
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

    /// Registers a resource that is built at run time.
    pub fn raw_resource(&mut self, name: impl Into<String>, resource: Arc<dyn AnyResource>) -> &mut Self {
        let name = name.into();
        if self.resources.insert(name.clone(), resource).is_some() {
            self.definition_errors.push(format!("resource {name} is registered twice"));
        }
        self
    }

    /// Registers a list resource that is built at run time. A resource with an identity must have the same name.
    pub fn raw_list_resource(
        &mut self,
        name: impl Into<String>,
        list: Arc<dyn AnyListResource>,
    ) -> &mut Self {
        let name = name.into();
        if self.list_resources.insert(name.clone(), list).is_some() {
            self.definition_errors.push(format!("list resource {name} is registered twice"));
        }
        self
    }

    /// Registers an ephemeral resource that is built at run time.
    pub fn raw_ephemeral_resource(
        &mut self,
        name: impl Into<String>,
        resource: Arc<dyn AnyEphemeralResource>,
    ) -> &mut Self {
        let name = name.into();
        if self.ephemeral_resources.insert(name.clone(), resource).is_some() {
            self.definition_errors.push(format!("ephemeral resource {name} is registered twice"));
        }
        self
    }

    /// Registers an action that is built at run time.
    pub fn raw_action(&mut self, name: impl Into<String>, action: Arc<dyn AnyAction>) -> &mut Self {
        let name = name.into();
        if self.actions.insert(name.clone(), action).is_some() {
            self.definition_errors.push(format!("action {name} is registered twice"));
        }
        self
    }

    /// Registers a state store that is built at run time.
    pub fn raw_state_store(&mut self, name: impl Into<String>, store: Arc<dyn AnyStateStore>) -> &mut Self {
        let name = name.into();
        if self.state_stores.insert(name.clone(), store).is_some() {
            self.definition_errors.push(format!("state store {name} is registered twice"));
        }
        self
    }

    /// Registers a function that is built at run time.
    pub fn raw_function(&mut self, name: impl Into<String>, function: Arc<dyn AnyFunction>) -> &mut Self {
        let name = name.into();
        if self.functions.insert(name.clone(), function).is_some() {
            self.definition_errors.push(format!("function {name} is registered twice"));
        }
        self
    }

    /// Registers a data source that is built at run time.
    pub fn raw_data_source(
        &mut self,
        name: impl Into<String>,
        data_source: Arc<dyn AnyDataSource>,
    ) -> &mut Self {
        let name = name.into();
        if self.data_sources.insert(name.clone(), data_source).is_some() {
            self.definition_errors.push(format!("data source {name} is registered twice"));
        }
        self
    }
}
