//! The adapter between [`Resource`] and the trait of the engine.

use std::sync::{Arc, LazyLock};

use ferroform_engine::diagnostic_kind::DiagnosticKind::IdentityNotInObject;
use ferroform_value::{Object, Value};

use crate::composed::Composed;
use crate::model::{Planned, Proposed};
use crate::optional_method::{is_implemented, is_implemented3};
use crate::raw::{
    AnyChange, AnyResource, Definition, MethodFuture, Move, MoveSource, RequestContext, ResourceCapabilities,
    StoredState,
};
use crate::resource::flattened_plan::FlattenedPlans as _;
use crate::schema::{IdentitySchema, ImportPattern, Upgrades};
use crate::typed::{Typed, read, validate};
use crate::{
    ApplyCx, Attr as _, Change, Computed as _, Cx, Identity, Moves, PlanCx, Provider, ReadCx, Registry,
    Resource,
};

/// How the objects of a resource are identified.
struct ObjectIdentification {
    identity: LazyLock<Option<IdentitySchema>>,
    import_patterns: LazyLock<Vec<ImportPattern>>,
}

impl<R: Resource> AnyResource for Typed<R, ObjectIdentification> {
    fn capabilities(&self) -> ResourceCapabilities {
        let mut capabilities = ResourceCapabilities::new();
        capabilities.plan =
            is_implemented(&R::plan) || R::FACTS.has_flattened_plan || !R::__COMPOSED.is_empty();
        capabilities.plan_delete = is_implemented(&R::plan_delete);
        capabilities.update = is_implemented3(&R::update);
        capabilities.import = is_implemented(&R::import);
        capabilities.import_by_identity = is_implemented(&R::import_by_identity);
        capabilities.state_only = R::__STATE_ONLY_READ || R::__STATE_ONLY_DELETE;
        capabilities
    }

    fn plan(&self, context: RequestContext, mut change: AnyChange) -> MethodFuture<Value> {
        let composed = Composed::of::<R>();
        Box::pin(async move {
            change.plan = composed.fill(change.plan);
            if !is_implemented(&R::plan) && !R::FACTS.has_flattened_plan {
                return Ok(change.plan);
            }
            let cx = PlanCx::<R>::new(context)?;
            R::__Itself::plan_flattened(&cx, &mut change)?;
            if !is_implemented(&R::plan) {
                return Ok(composed.fill(change.plan));
            }
            let change = Change::<R> {
                config: read(&change.config, "Configuration")?,
                prior: read(&change.prior, "Prior State")?,
                plan: read(&change.plan, "Plan")?,
            };
            let plan: Proposed<R> = R::plan(&cx, change).await?;
            Ok(composed.fill(plan.to_value()))
        })
    }

    fn plan_delete(&self, context: RequestContext, state: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let state: R = read(&state, "State")?;
            R::plan_delete(&ReadCx::<R>::new(context)?, state).await
        })
    }

    fn create(&self, context: RequestContext, plan: Value) -> MethodFuture<Object> {
        let composed = Composed::of::<R>();
        Box::pin(async move {
            let planned: Planned<R> = read(&plan, "Plan")?;
            let computed = R::create(&ApplyCx::<R>::new(context)?, planned).await?.into_object();
            Ok(composed.fill_computed(&plan, computed))
        })
    }

    fn read(&self, context: RequestContext, state: Value) -> MethodFuture<Value> {
        let composed = Composed::of::<R>();
        Box::pin(async move {
            // After an import, the state contains the parts only.
            let state: R = read(&composed.fill(state), "State")?;
            Ok(composed.fill(R::read(&ReadCx::<R>::new(context)?, state).await?.to_value()))
        })
    }

    fn update(&self, context: RequestContext, prior: Value, plan: Value) -> MethodFuture<Object> {
        let composed = Composed::of::<R>();
        Box::pin(async move {
            let (prior, planned): (R, Planned<R>) = (read(&prior, "Prior State")?, read(&plan, "Plan")?);
            let computed = R::update(&ApplyCx::<R>::new(context)?, prior, planned).await?.into_object();
            Ok(composed.fill_computed(&plan, computed))
        })
    }

    fn delete(&self, context: RequestContext, state: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let state: R = read(&state, "State")?;
            R::delete(&ApplyCx::<R>::new(context)?, state).await
        })
    }

    fn import(&self, context: RequestContext, id: String) -> MethodFuture<Value> {
        Box::pin(async move { Ok(R::import(&ReadCx::<R>::new(context)?, id).await?.to_value()) })
    }

    fn import_by_identity(&self, context: RequestContext, identity: Value) -> MethodFuture<Value> {
        Box::pin(async move {
            let identity: R::Identity = read(&identity, "Identity")?;
            Ok(R::import_by_identity(&ReadCx::<R>::new(context)?, identity).await?.to_value())
        })
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

    fn move_from(&self, context: RequestContext, source: MoveSource) -> MethodFuture<Value> {
        Box::pin(async move {
            if !is_implemented(&R::move_from) {
                return Ok(Value::Null);
            }
            Ok(R::move_from(&context.into(), source.into()).await?.to_value())
        })
    }

    fn import_patterns(&self) -> &[ImportPattern] {
        &self.extra.import_patterns
    }

    fn identity(&self) -> Option<&IdentitySchema> {
        self.extra.identity.as_ref()
    }

    fn identify(&self, context: RequestContext, state: Value) -> MethodFuture<Value> {
        Box::pin(async move {
            let object: R = read(&state, "State")?;
            let cx = Cx::<R::Provider>::new(context)?;
            match <R::Identity as Identity<R>>::of(&cx.provider, &object) {
                Ok(identity) => Ok(identity.to_value()),
                Err(errors) if errors.iter().all(|it| *it.kind() == IdentityNotInObject) => Ok(Value::Null),
                Err(errors) => Err(errors),
            }
        })
    }
}

impl<P: Provider> Registry<P> {
    /// Registers a resource under its type name in configurations, such as `local_file`.
    pub fn resource<R: Resource<Provider = P>>(&mut self, name: impl Into<String>) -> &mut Self {
        let facts = ObjectIdentification {
            identity: LazyLock::new(R::identity),
            import_patterns: LazyLock::new(R::import_patterns),
        };
        self.raw(name, Definition::Resource(Arc::new(Typed::<R, _>::new(R::schema, validate!(R, R), facts))))
    }
}
