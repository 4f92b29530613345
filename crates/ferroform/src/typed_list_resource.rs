//! The adapter between [`ListResource`] and the trait of the engine.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

use ferroform_value::Value;

use crate::model::{Args, Config};
use crate::optional_method::is_implemented;
use crate::raw::{AnyListResource, ListResults, MethodFuture, RequestContext};
use crate::schema::{LazySchema, Schema};
use crate::typed::{read, read_config};
use crate::{Cx, ListCx, ListResource, Model, Provider, Registry, Resource};

struct TypedListResource<L> {
    schema: LazySchema,
    list: PhantomData<fn() -> L>,
}

impl<L: Model> Default for TypedListResource<L> {
    fn default() -> Self {
        TypedListResource { schema: LazySchema::new(L::schema), list: PhantomData }
    }
}

impl<L: ListResource> AnyListResource for TypedListResource<L> {
    fn schema(&self) -> &Schema {
        self.schema.get()
    }

    fn describe(&self) -> Cow<'_, Schema> {
        self.schema.describe()
    }

    fn validate(&self, context: RequestContext, config: Value) -> MethodFuture<()> {
        Box::pin(async move {
            let config: Config<L> = read_config(&config)?;
            if is_implemented(&L::validate) { L::validate(&context.into(), config).await } else { Ok(()) }
        })
    }

    fn list(&self, context: RequestContext, config: Value, results: ListResults) -> MethodFuture<()> {
        Box::pin(async move {
            let config: Args<L> = read(&config, "Configuration")?;
            L::list(&ListCx::new(Cx::new(context)?, results), config).await
        })
    }
}

impl<P: Provider> Registry<P> {
    /// Registers a list of the objects of the resource with this type name, such as `cloud_machine`.
    pub fn list_resource<L>(&mut self, name: impl Into<String>) -> &mut Self
    where
        L: ListResource<Resource: Resource<Provider = P>>,
    {
        self.raw_list_resource(name, Arc::new(TypedListResource::<L>::default()))
    }
}
