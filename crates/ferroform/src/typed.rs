//! The thin shell between an author's types and the engine's values. Nothing but conversions: what is here
//! is compiled once for each resource.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::{Arc, LazyLock};

use ferroform_value::{Object, Value};

use crate::left_out::{is_left_out, is_left_out3};
use crate::model::{Args, Config, Planned, Proposed};
use crate::raw::{
    AnyChange, AnyDataSource, AnyProvider, AnyResource, MethodFuture, Move, ProviderData, RequestContext,
    ResourceCapabilities, StoredState,
};
use crate::schema::{IdentitySchema, ImportPattern, LazySchema, Schema, Upgrades};
use crate::{
    Attr, Change, Computed, Context, Cx, DataSource, Diagnostics, Identity, Maybe, Model, Moves, Provider,
    Registry, Resource, Result, UnknownConfig,
};
use ferroform_engine::validator::conversion_error;

/// Reads a value that the engine has checked against the schema: a failure is a bug, or an author's
/// `from_value` that refuses what its `to_value` wrote.
fn read<T: Attr>(value: &Value, what: &str) -> Result<T> {
    T::from_value(value).map_err(Diagnostics::from).context(format!("Cannot read the {what}"))
}

/// Reads a configuration as `validate` sees it: this is where a null that the model cannot hold is found at last.
fn configured<T: Attr>(value: &Value) -> Result<T> {
    T::from_value(value).map_err(|it| conversion_error(&it))
}

pub(crate) struct TypedProvider<P> {
    schema: LazySchema,
    resources: Vec<(String, Arc<dyn AnyResource>)>,
    data_sources: Vec<(String, Arc<dyn AnyDataSource>)>,
    meta: Option<Schema>,
    concurrency: Option<usize>,
    faults: Vec<String>,
    provider: PhantomData<fn() -> P>,
}

impl<P: Provider> TypedProvider<P> {
    pub(crate) fn new() -> TypedProvider<P> {
        let mut registry = Registry::<P>::new();
        P::register(&mut registry);
        TypedProvider {
            schema: LazySchema::new(<P::Config as Model>::schema),
            meta: registry.meta,
            concurrency: registry.concurrency,
            faults: registry.faults,
            resources: registry.resources.into_iter().collect(),
            data_sources: registry.data_sources.into_iter().collect(),
            provider: PhantomData,
        }
    }
}

impl<P: Provider> AnyProvider for TypedProvider<P> {
    fn address(&self) -> &str {
        P::ADDRESS
    }

    fn schema(&self) -> &Schema {
        self.schema.get()
    }

    fn validate(&self, call: RequestContext, config: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let config: Config<P::Config> = configured(&config)?;
            if is_left_out(&P::validate) { Ok(()) } else { P::validate(&call.into(), config).await }
        })
    }

    fn configure(&self, call: RequestContext, config: Value) -> MethodFuture<Maybe<ProviderData>> {
        Box::pin(async move {
            let config: Config<P::Config> = read(&config, "provider's configuration")?;
            let provider = P::configure(&call.into(), config).await?;
            Ok(provider.map(|it| Arc::new(it) as ProviderData))
        })
    }

    fn resources(&self) -> &[(String, Arc<dyn AnyResource>)] {
        &self.resources
    }

    fn data_sources(&self) -> &[(String, Arc<dyn AnyDataSource>)] {
        &self.data_sources
    }

    fn meta(&self) -> Option<&Schema> {
        self.meta.as_ref()
    }

    fn unknown_config(&self) -> UnknownConfig {
        P::UNKNOWN_CONFIG
    }

    fn concurrency(&self) -> Option<usize> {
        self.concurrency
    }

    fn definition_errors(&self) -> Vec<String> {
        self.faults.clone()
    }
}

pub(crate) struct TypedResource<R> {
    schema: LazySchema,
    identity: LazyLock<Option<IdentitySchema>>,
    import_patterns: LazyLock<Vec<ImportPattern>>,
    resource: PhantomData<fn() -> R>,
}

impl<R: Model> Default for TypedResource<R> {
    fn default() -> Self {
        TypedResource {
            schema: LazySchema::new(R::schema),
            identity: LazyLock::new(R::identity),
            import_patterns: LazyLock::new(R::import_patterns),
            resource: PhantomData,
        }
    }
}

impl<R: Resource> AnyResource for TypedResource<R> {
    fn schema(&self) -> &Schema {
        self.schema.get()
    }

    fn describe(&self) -> Cow<'_, Schema> {
        self.schema.describe()
    }

    fn capabilities(&self) -> ResourceCapabilities {
        ResourceCapabilities {
            plan: !is_left_out(&R::plan),
            plan_delete: !is_left_out(&R::plan_delete),
            update: !is_left_out3(&R::update),
            import: !is_left_out(&R::import),
        }
    }

    fn validate(&self, call: RequestContext, config: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let config: Config<R> = configured(&config)?;
            if is_left_out(&R::validate) { Ok(()) } else { R::validate(&call.into(), config).await }
        })
    }

    fn plan(&self, call: RequestContext, change: AnyChange) -> MethodFuture<Value> {
        Box::pin(async move {
            let change = Change::<R> {
                config: read(&change.config, "configuration")?,
                prior: read(&change.prior, "prior state")?,
                plan: read(&change.plan, "plan")?,
            };
            let plan: Proposed<R> = R::plan(&Cx::new(call)?, change).await?;
            Ok(plan.to_value())
        })
    }

    fn plan_delete(&self, call: RequestContext, state: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let state: R = read(&state, "state")?;
            R::plan_delete(&Cx::new(call)?, state).await
        })
    }

    fn create(&self, call: RequestContext, plan: Value) -> MethodFuture<Object> {
        Box::pin(async move {
            let plan: Planned<R> = read(&plan, "plan")?;
            Ok(R::create(&Cx::new(call)?, plan).await?.into_object())
        })
    }

    fn read(&self, call: RequestContext, state: Value) -> MethodFuture<Value> {
        Box::pin(async move {
            let state: R = read(&state, "state")?;
            Ok(R::read(&Cx::new(call)?, state).await?.to_value())
        })
    }

    fn update(&self, call: RequestContext, prior: Value, plan: Value) -> MethodFuture<Object> {
        Box::pin(async move {
            let (prior, plan): (R, Planned<R>) = (read(&prior, "prior state")?, read(&plan, "plan")?);
            Ok(R::update(&Cx::new(call)?, prior, plan).await?.into_object())
        })
    }

    fn delete(&self, call: RequestContext, state: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let state: R = read(&state, "state")?;
            R::delete(&Cx::new(call)?, state).await
        })
    }

    fn import(&self, call: RequestContext, id: String) -> MethodFuture<Value> {
        Box::pin(async move { Ok(R::import(&Cx::new(call)?, id).await?.to_value()) })
    }

    fn upgrades(&self) -> Upgrades {
        let upgrades = R::upgrades();
        if is_left_out(&R::upgrade) { upgrades } else { upgrades.with_fallback() }
    }

    fn upgrade(&self, call: RequestContext, stored: StoredState) -> MethodFuture<Value> {
        Box::pin(async move { Ok(R::upgrade(&call.into(), stored.into()).await?.to_value()) })
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Moves::<R>::new();
        R::moves(&mut moves);
        moves.all
    }

    fn move_from(&self, call: RequestContext, source: ferroform_engine::MoveSource) -> MethodFuture<Value> {
        Box::pin(async move {
            if is_left_out(&R::move_from) {
                return Ok(Value::Null);
            }
            Ok(R::move_from(&call.into(), source.into()).await?.to_value())
        })
    }

    fn import_patterns(&self) -> &[ImportPattern] {
        &self.import_patterns
    }

    fn identity(&self) -> Option<&IdentitySchema> {
        self.identity.as_ref()
    }

    fn identify(&self, call: RequestContext, state: Value) -> MethodFuture<Value> {
        Box::pin(async move {
            let object: R = read(&state, "state")?;
            let cx = Cx::<R::Provider>::new(call)?;
            Ok(<R::Identity as Identity<R>>::of(&cx.provider, &object)?.to_value())
        })
    }
}

pub(crate) struct TypedDataSource<D> {
    schema: LazySchema,
    data_source: PhantomData<fn() -> D>,
}

impl<D: Model> Default for TypedDataSource<D> {
    fn default() -> Self {
        TypedDataSource { schema: LazySchema::new(D::schema), data_source: PhantomData }
    }
}

impl<D: DataSource> AnyDataSource for TypedDataSource<D> {
    fn schema(&self) -> &Schema {
        self.schema.get()
    }

    fn describe(&self) -> Cow<'_, Schema> {
        self.schema.describe()
    }

    fn validate(&self, call: RequestContext, config: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let config: Config<D> = configured(&config)?;
            if is_left_out(&D::validate) { Ok(()) } else { D::validate(&call.into(), config).await }
        })
    }

    fn read(&self, call: RequestContext, config: Value) -> MethodFuture<Object> {
        Box::pin(async move {
            let args: Args<D> = read(&config, "configuration")?;
            Ok(D::read(&Cx::new(call)?, args).await?.into_object())
        })
    }
}

impl<P: Provider> Registry<P> {
    /// Offers a resource, with its full name in the configuration: `local_file`.
    pub fn resource<R: Resource<Provider = P>>(&mut self, name: impl Into<String>) -> &mut Self {
        self.raw_resource(name, Arc::new(TypedResource::<R>::default()))
    }

    /// Offers a data source, with its full name in the configuration: `local_file`.
    pub fn data_source<D: DataSource<Provider = P>>(&mut self, name: impl Into<String>) -> &mut Self {
        self.raw_data_source(name, Arc::new(TypedDataSource::<D>::default()))
    }
}
