//! The adapters between the traits of provider authors and the traits of the engine. They only convert between Rust types
//! and values, because this code is compiled once for each resource.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::{Arc, LazyLock};

use ferroform_value::{Object, Value};

use crate::action::Action;
use crate::composed::Composed;
use crate::ephemeral_resource::{self, EphemeralResource, OpenCx};
use crate::function::{Arguments, Function, FunctionSignature};
use crate::model::{Args, Config, Planned, Proposed};
use crate::optional_method::{is_implemented, is_implemented3};
use crate::raw::{
    AnyAction, AnyChange, AnyDataSource, AnyEphemeralResource, AnyFunction, AnyListResource, AnyOpened,
    AnyProvider, AnyRenewed, AnyResource, AnyStateStore, EphemeralCapabilities, LogMasks, MethodFuture, Move,
    ProviderData, RequestContext, ResourceCapabilities, StoredState,
};
use crate::schema::{IdentitySchema, ImportPattern, LazySchema, Schema, Upgrades};
use crate::{
    ApplyCx, Attr, Change, Computed, Context, Cx, DataSource, Diagnostics, Identity, InvokeCx, Maybe, Model,
    Moves, PlanCx, Provider, Registry, Resource, Result, UnknownConfig,
};
use ferroform_engine::validator::conversion_error;

/// Reads a value that the engine has checked against the schema. A failure is a bug: for example, the author's `from_value`
/// rejects what `to_value` has returned.
pub(crate) fn read<T: Attr>(value: &Value, name: &str) -> Result<T> {
    T::from_value(value).map_err(Diagnostics::from).context(format!("Cannot Read the {name}"))
}

/// Reads the configuration for `validate`. It may have a null value for a required attribute, which is reported here.
pub(crate) fn read_config<T: Attr>(value: &Value) -> Result<T> {
    T::from_value(value).map_err(|it| conversion_error(&it))
}

pub(crate) struct TypedProvider<P> {
    schema: LazySchema,
    resources: Vec<(String, Arc<dyn AnyResource>)>,
    list_resources: Vec<(String, Arc<dyn AnyListResource>)>,
    data_sources: Vec<(String, Arc<dyn AnyDataSource>)>,
    ephemeral_resources: Vec<(String, Arc<dyn AnyEphemeralResource>)>,
    actions: Vec<(String, Arc<dyn AnyAction>)>,
    state_stores: Vec<(String, Arc<dyn AnyStateStore>)>,
    functions: Vec<(String, Arc<dyn AnyFunction>)>,
    provider_meta: Option<Schema>,
    concurrency_limit: Option<usize>,
    log_masks: LogMasks,
    definition_errors: Vec<String>,
    provider: PhantomData<fn() -> P>,
}

impl<P: Provider> TypedProvider<P> {
    pub(crate) fn new() -> TypedProvider<P> {
        let mut registry = Registry::<P>::new();
        P::register(&mut registry);
        TypedProvider {
            schema: LazySchema::new(<P::Config as Model>::schema),
            provider_meta: registry.provider_meta,
            concurrency_limit: registry.concurrency_limit,
            log_masks: registry.log_masks,
            definition_errors: registry.definition_errors,
            resources: registry.resources.into_iter().collect(),
            list_resources: registry.list_resources.into_iter().collect(),
            data_sources: registry.data_sources.into_iter().collect(),
            ephemeral_resources: registry.ephemeral_resources.into_iter().collect(),
            actions: registry.actions.into_iter().collect(),
            state_stores: registry.state_stores.into_iter().collect(),
            functions: registry.functions.into_iter().collect(),
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

    fn validate(&self, context: RequestContext, config: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let config: Config<P::Config> = read_config(&config)?;
            if is_implemented(&P::validate) { P::validate(&context.into(), config).await } else { Ok(()) }
        })
    }

    fn configure(&self, context: RequestContext, config: Value) -> MethodFuture<Maybe<ProviderData>> {
        Box::pin(async move {
            let config: Config<P::Config> = read(&config, "Provider Configuration")?;
            let provider = P::configure(&context.into(), config).await?;
            Ok(provider.map(|it| Arc::new(it) as ProviderData))
        })
    }

    fn resources(&self) -> &[(String, Arc<dyn AnyResource>)] {
        &self.resources
    }

    fn list_resources(&self) -> &[(String, Arc<dyn AnyListResource>)] {
        &self.list_resources
    }

    fn data_sources(&self) -> &[(String, Arc<dyn AnyDataSource>)] {
        &self.data_sources
    }

    fn ephemeral_resources(&self) -> &[(String, Arc<dyn AnyEphemeralResource>)] {
        &self.ephemeral_resources
    }

    fn actions(&self) -> &[(String, Arc<dyn AnyAction>)] {
        &self.actions
    }

    fn state_stores(&self) -> &[(String, Arc<dyn AnyStateStore>)] {
        &self.state_stores
    }

    fn functions(&self) -> &[(String, Arc<dyn AnyFunction>)] {
        &self.functions
    }

    fn provider_meta(&self) -> Option<&Schema> {
        self.provider_meta.as_ref()
    }

    fn unknown_config(&self) -> UnknownConfig {
        P::UNKNOWN_CONFIG
    }

    fn concurrency_limit(&self) -> Option<usize> {
        self.concurrency_limit
    }

    fn log_masks(&self) -> LogMasks {
        self.log_masks.clone()
    }

    fn definition_errors(&self) -> Vec<String> {
        self.definition_errors.clone()
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
        let mut capabilities = ResourceCapabilities::new();
        capabilities.plan = is_implemented(&R::plan) || !R::__COMPOSED.is_empty();
        capabilities.plan_delete = is_implemented(&R::plan_delete);
        capabilities.update = is_implemented3(&R::update);
        capabilities.import = is_implemented(&R::import);
        capabilities
    }

    fn validate(&self, context: RequestContext, config: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let config: Config<R> = read_config(&config)?;
            if is_implemented(&R::validate) { R::validate(&context.into(), config).await } else { Ok(()) }
        })
    }

    fn plan(&self, context: RequestContext, change: AnyChange) -> MethodFuture<Value> {
        let composed = Composed::of::<R>();
        Box::pin(async move {
            let plan = composed.fill(change.plan);
            if !is_implemented(&R::plan) {
                return Ok(plan);
            }
            let change = Change::<R> {
                config: read(&change.config, "Configuration")?,
                prior: read(&change.prior, "Prior State")?,
                plan: read(&plan, "Plan")?,
            };
            let plan: Proposed<R> = R::plan(&PlanCx::new(context)?, change).await?;
            Ok(composed.fill(plan.to_value()))
        })
    }

    fn plan_delete(&self, context: RequestContext, state: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let state: R = read(&state, "State")?;
            R::plan_delete(&Cx::new(context)?, state).await
        })
    }

    fn create(&self, context: RequestContext, plan: Value) -> MethodFuture<Object> {
        let composed = Composed::of::<R>();
        Box::pin(async move {
            let planned: Planned<R> = read(&plan, "Plan")?;
            let computed = R::create(&ApplyCx::new(context)?, planned).await?.into_object();
            Ok(composed.fill_computed(&plan, computed))
        })
    }

    fn read(&self, context: RequestContext, state: Value) -> MethodFuture<Value> {
        let composed = Composed::of::<R>();
        Box::pin(async move {
            // After an import, the state contains the parts only.
            let state: R = read(&composed.fill(state), "State")?;
            Ok(composed.fill(R::read(&Cx::new(context)?, state).await?.to_value()))
        })
    }

    fn update(&self, context: RequestContext, prior: Value, plan: Value) -> MethodFuture<Object> {
        let composed = Composed::of::<R>();
        Box::pin(async move {
            let (prior, planned): (R, Planned<R>) = (read(&prior, "Prior State")?, read(&plan, "Plan")?);
            let computed = R::update(&ApplyCx::new(context)?, prior, planned).await?.into_object();
            Ok(composed.fill_computed(&plan, computed))
        })
    }

    fn delete(&self, context: RequestContext, state: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let state: R = read(&state, "State")?;
            R::delete(&ApplyCx::new(context)?, state).await
        })
    }

    fn import(&self, context: RequestContext, id: String) -> MethodFuture<Value> {
        Box::pin(async move { Ok(R::import(&Cx::new(context)?, id).await?.to_value()) })
    }

    fn upgrades(&self) -> Upgrades {
        let upgrades = R::upgrades();
        if is_implemented(&R::upgrade) { upgrades.with_fallback() } else { upgrades }
    }

    fn upgrade(&self, context: RequestContext, stored: StoredState) -> MethodFuture<Value> {
        Box::pin(async move { Ok(R::upgrade(&context.into(), stored.into()).await?.to_value()) })
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Moves::<R>::new();
        R::moves(&mut moves);
        moves.all
    }

    fn move_from(
        &self,
        context: RequestContext,
        source: ferroform_engine::MoveSource,
    ) -> MethodFuture<Value> {
        Box::pin(async move {
            if !is_implemented(&R::move_from) {
                return Ok(Value::Null);
            }
            Ok(R::move_from(&context.into(), source.into()).await?.to_value())
        })
    }

    fn import_patterns(&self) -> &[ImportPattern] {
        &self.import_patterns
    }

    fn identity(&self) -> Option<&IdentitySchema> {
        self.identity.as_ref()
    }

    fn identify(&self, context: RequestContext, state: Value) -> MethodFuture<Value> {
        Box::pin(async move {
            let object: R = read(&state, "State")?;
            let cx = Cx::<R::Provider>::new(context)?;
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

    fn validate(&self, context: RequestContext, config: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let config: Config<D> = read_config(&config)?;
            if is_implemented(&D::validate) { D::validate(&context.into(), config).await } else { Ok(()) }
        })
    }

    fn read(&self, context: RequestContext, config: Value) -> MethodFuture<Object> {
        Box::pin(async move {
            let args: Args<D> = read(&config, "Configuration")?;
            Ok(D::read(&Cx::new(context)?, args).await?.into_object())
        })
    }
}

pub(crate) struct TypedEphemeralResource<E> {
    schema: LazySchema,
    resource: PhantomData<fn() -> E>,
}

impl<E: Model> Default for TypedEphemeralResource<E> {
    fn default() -> Self {
        TypedEphemeralResource { schema: LazySchema::new(E::schema), resource: PhantomData }
    }
}

impl<E: EphemeralResource> AnyEphemeralResource for TypedEphemeralResource<E> {
    fn schema(&self) -> &Schema {
        self.schema.get()
    }

    fn describe(&self) -> Cow<'_, Schema> {
        self.schema.describe()
    }

    fn capabilities(&self) -> EphemeralCapabilities {
        let mut capabilities = EphemeralCapabilities::new();
        capabilities.renew = is_implemented(&E::renew);
        capabilities.close = is_implemented(&E::close);
        capabilities
    }

    fn validate(&self, context: RequestContext, config: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let config: Config<E> = read_config(&config)?;
            if is_implemented(&E::validate) { E::validate(&context.into(), config).await } else { Ok(()) }
        })
    }

    fn open(&self, context: RequestContext, config: Value) -> MethodFuture<AnyOpened> {
        Box::pin(async move {
            let args: Args<E> = read(&config, "Configuration")?;
            E::open(&OpenCx::new(Cx::new(context)?), args).await?.into_any()
        })
    }

    fn renew(&self, context: RequestContext, private: Vec<u8>) -> MethodFuture<AnyRenewed> {
        Box::pin(async move {
            let private = ephemeral_resource::decode(&private)?;
            E::renew(&Cx::new(context)?, private).await?.into_any()
        })
    }

    fn close(&self, context: RequestContext, private: Vec<u8>) -> MethodFuture<()> {
        Box::pin(async move {
            let private = ephemeral_resource::decode(&private)?;
            E::close(&Cx::new(context)?, private).await
        })
    }
}

pub(crate) struct TypedAction<A> {
    schema: LazySchema,
    action: PhantomData<fn() -> A>,
}

impl<A: Model> Default for TypedAction<A> {
    fn default() -> Self {
        TypedAction { schema: LazySchema::new(A::schema), action: PhantomData }
    }
}

impl<A: Action> AnyAction for TypedAction<A> {
    fn schema(&self) -> &Schema {
        self.schema.get()
    }

    fn describe(&self) -> Cow<'_, Schema> {
        self.schema.describe()
    }

    fn has_plan(&self) -> bool {
        is_implemented(&A::plan)
    }

    fn validate(&self, context: RequestContext, config: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let config: Config<A> = read_config(&config)?;
            if is_implemented(&A::validate) { A::validate(&context.into(), config).await } else { Ok(()) }
        })
    }

    fn plan(&self, context: RequestContext, config: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let config: Config<A> = read(&config, "Configuration")?;
            A::plan(&Cx::new(context)?, config).await
        })
    }

    fn invoke(&self, context: RequestContext, config: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let args: Args<A> = read(&config, "Configuration")?;
            A::invoke(&InvokeCx::new(context)?, args).await
        })
    }
}

pub(crate) struct TypedFunction<F> {
    signature: LazyLock<FunctionSignature>,
    function: PhantomData<fn() -> F>,
}

impl<F: Function> Default for TypedFunction<F> {
    fn default() -> Self {
        TypedFunction { signature: LazyLock::new(|| F::signature(F::Output::ty())), function: PhantomData }
    }
}

impl<F: Function> AnyFunction for TypedFunction<F> {
    fn signature(&self) -> &FunctionSignature {
        &self.signature
    }

    fn call(&self, _: RequestContext, arguments: Vec<Value>) -> MethodFuture<Value> {
        Box::pin(async move {
            let function = F::from_arguments(Arguments::new(arguments))?;
            Ok(function.call().await?.to_value())
        })
    }
}

impl<P: Provider> Registry<P> {
    /// Registers a resource under its type name in configurations, such as `local_file`.
    pub fn resource<R: Resource<Provider = P>>(&mut self, name: impl Into<String>) -> &mut Self {
        self.raw_resource(name, Arc::new(TypedResource::<R>::default()))
    }

    /// Registers an ephemeral resource under its type name in configurations, such as `local_command`.
    pub fn ephemeral_resource<E: EphemeralResource<Provider = P>>(
        &mut self,
        name: impl Into<String>,
    ) -> &mut Self {
        self.raw_ephemeral_resource(name, Arc::new(TypedEphemeralResource::<E>::default()))
    }

    /// Registers an action under its type name in configurations, such as `local_command`.
    pub fn action<A: Action<Provider = P>>(&mut self, name: impl Into<String>) -> &mut Self {
        self.raw_action(name, Arc::new(TypedAction::<A>::default()))
    }

    /// Registers a function under its name: `provider::local::direxists` is registered as `direxists`.
    pub fn function<F: Function>(&mut self, name: impl Into<String>) -> &mut Self {
        self.raw_function(name, Arc::new(TypedFunction::<F>::default()))
    }

    /// Registers a data source under its type name in configurations, such as `local_file`.
    pub fn data_source<D: DataSource<Provider = P>>(&mut self, name: impl Into<String>) -> &mut Self {
        self.raw_data_source(name, Arc::new(TypedDataSource::<D>::default()))
    }
}
