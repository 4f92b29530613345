//! The adapters between [`StateStore`] and the traits of the engine.

use std::sync::Arc;

use ferroform_value::Value;

use crate::model::Args;
use crate::raw::{AnyConfiguredStateStore, AnyStateStore, Definition, MethodFuture, RequestContext};
use crate::typed::{Typed, read, validate};
use crate::{Model, Provider, Registry, StateStore, StoreCx};

impl<S: StateStore> AnyStateStore for Typed<S> {
    fn configure(
        &self,
        context: RequestContext,
        config: Value,
    ) -> MethodFuture<Arc<dyn AnyConfiguredStateStore>> {
        Box::pin(async move {
            let args: Args<S::Config> = read(&config, "Configuration")?;
            let store = S::configure(&StoreCx::<S>::new(context)?, args).await?;
            Ok(Arc::new(TypedConfiguredStateStore(Arc::new(store))) as Arc<dyn AnyConfiguredStateStore>)
        })
    }
}

struct TypedConfiguredStateStore<S>(Arc<S>);

impl<S: StateStore> AnyConfiguredStateStore for TypedConfiguredStateStore<S> {
    fn read(&self, context: RequestContext, state_id: String) -> MethodFuture<Option<Vec<u8>>> {
        let store = Arc::clone(&self.0);
        Box::pin(async move { store.read(&StoreCx::<S>::new(context)?, &state_id).await })
    }

    fn write(&self, context: RequestContext, state_id: String, state: Vec<u8>) -> MethodFuture<()> {
        let store = Arc::clone(&self.0);
        Box::pin(async move { store.write(&StoreCx::<S>::new(context)?, &state_id, state).await })
    }

    fn lock(
        &self,
        context: RequestContext,
        state_id: String,
        operation: String,
    ) -> MethodFuture<Option<String>> {
        let store = Arc::clone(&self.0);
        Box::pin(async move { store.lock(&StoreCx::<S>::new(context)?, &state_id, &operation).await })
    }

    fn unlock(&self, context: RequestContext, state_id: String, lock_id: String) -> MethodFuture<()> {
        let store = Arc::clone(&self.0);
        Box::pin(async move { store.unlock(&StoreCx::<S>::new(context)?, &state_id, &lock_id).await })
    }

    fn states(&self, context: RequestContext) -> MethodFuture<Vec<String>> {
        let store = Arc::clone(&self.0);
        Box::pin(async move { store.states(&StoreCx::<S>::new(context)?).await })
    }

    fn delete(&self, context: RequestContext, state_id: String) -> MethodFuture<()> {
        let store = Arc::clone(&self.0);
        Box::pin(async move { store.delete(&StoreCx::<S>::new(context)?, &state_id).await })
    }
}

impl<P: Provider> Registry<P> {
    /// Registers a state store under its type name in configurations, such as `cloud_bucket`.
    pub fn state_store<S: StateStore<Provider = P>>(&mut self, name: impl Into<String>) -> &mut Self {
        self.raw(
            name,
            Definition::StateStore(Arc::new(Typed::<S>::new(
                <S::Config as Model>::schema,
                validate!(S, S::Config),
                (),
            ))),
        )
    }
}
