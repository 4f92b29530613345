//! The author's traits without their types: values in, values out.
//!
//! The engine knows only these. A provider that is made at run time, from an API description say, implements
//! them itself.

use std::borrow::Cow;
use std::pin::Pin;

use ferroform_value::{Object, Value};

use crate::request::context::{ProviderData, RequestContext};
use crate::schema::{IdentitySchema, ImportPattern, Schema, Upgrades};
use crate::{Diagnostic, Maybe, MoveSource, Result, StoredState, UnknownConfig};

pub use crate::stored_state::Move;

/// The answer of an author's method, once it is there. Nothing is done before it is polled: the method may have to
/// wait for its turn.
pub type MethodFuture<T> = Pin<Box<dyn Future<Output = Result<T>> + Send>>;

/// A provider without its types.
pub trait AnyProvider: Send + Sync {
    /// Where it is published: `registry.terraform.io/hashicorp/local`.
    fn address(&self) -> &str;
    /// What stands in the `provider` block.
    fn schema(&self) -> &Schema;
    /// Judges a configuration; parts may be unknown.
    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }
    /// Makes the provider's data from the configuration, which may hold unknowns.
    fn configure(&self, cx: RequestContext, config: Value) -> MethodFuture<Maybe<ProviderData>>;
    /// Each resource with its full name.
    fn resources(&self) -> &[(String, std::sync::Arc<dyn AnyResource>)];
    /// Each data source with its full name.
    fn data_sources(&self) -> &[(String, std::sync::Arc<dyn AnyDataSource>)];
    /// What a module can say to the provider, in its `provider_meta` block.
    fn meta(&self) -> Option<&Schema> {
        None
    }
    /// What becomes of the calls that need the provider while its configuration is not known.
    fn unknown_config(&self) -> UnknownConfig {
        UnknownConfig::default()
    }
    /// How many methods of resources and data sources may run at the same time; none for any number.
    fn concurrency(&self) -> Option<usize> {
        None
    }
    /// What is wrong with the definition itself, such as a name that is used twice.
    fn definition_errors(&self) -> Vec<String> {
        Vec::new()
    }
}

/// What a resource can do besides being created, read and deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceCapabilities {
    /// It has a `plan` method.
    pub plan: bool,
    /// It has a word to say on destructions.
    pub plan_delete: bool,
    /// It can be changed in path; otherwise every change replaces.
    pub update: bool,
    /// It finds objects by import ids itself.
    pub import: bool,
}

/// What is about to change.
#[derive(Clone, Debug)]
pub struct AnyChange {
    /// The configuration as written, with what `default_with` puts in.
    pub config: Value,
    /// The object as it is; null where it is to be created.
    pub prior: Value,
    /// The plan so far.
    pub plan: Value,
}

/// A resource without its types. Every value is an object of the schema, or null.
pub trait AnyResource: Send + Sync {
    /// Its schema, kept for the calls to come.
    fn schema(&self) -> &Schema;
    /// Its schema for one use. A [`LazySchema`](crate::schema::LazySchema) answers both.
    fn describe(&self) -> Cow<'_, Schema> {
        Cow::Borrowed(self.schema())
    }
    /// What it can do.
    fn capabilities(&self) -> ResourceCapabilities;
    /// Judges a configuration; parts may be unknown.
    fn validate(&self, cx: RequestContext, config: Value) -> MethodFuture<()>;
    /// Changes the plan. Called only with [`ResourceCapabilities::plan`].
    fn plan(&self, cx: RequestContext, change: AnyChange) -> MethodFuture<Value>;
    /// Warns of a destruction, or refuses it. Called only with [`ResourceCapabilities::plan_delete`].
    fn plan_delete(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }
    /// Makes the object, and answers its computed attributes. Write-only values stand in the plan.
    fn create(&self, cx: RequestContext, plan: Value) -> MethodFuture<Object>;
    /// Reads the object: its state, or null where it is gone.
    fn read(&self, cx: RequestContext, state: Value) -> MethodFuture<Value>;
    /// Changes the object, and answers its computed attributes. Called only with [`ResourceCapabilities::update`].
    fn update(&self, cx: RequestContext, prior: Value, plan: Value) -> MethodFuture<Object>;
    /// Deletes the object.
    fn delete(&self, cx: RequestContext, state: Value) -> MethodFuture<()>;
    /// Finds an object by an import id that is none of the patterns. Called only with [`ResourceCapabilities::import`].
    fn import(&self, cx: RequestContext, id: String) -> MethodFuture<Value>;
    /// The steps from earlier versions of its state to the schema's.
    fn upgrades(&self) -> Upgrades {
        Upgrades::oldest(0)
    }
    /// Makes an object of the schema of an earlier one that no step covers. Called only with
    /// [`Upgrades::with_fallback`].
    fn upgrade(&self, _: RequestContext, _: StoredState) -> MethodFuture<Value> {
        Box::pin(async { Err(Diagnostic::error("Unable to Upgrade Resource State").into()) })
    }
    /// The other resources whose objects it takes over.
    fn moves(&self) -> Vec<Move> {
        Vec::new()
    }
    /// Makes an object of the schema of another resource's that is in none of [`moves`](AnyResource::moves); null
    /// where it cannot either.
    fn move_from(&self, _: RequestContext, _: MoveSource) -> MethodFuture<Value> {
        Box::pin(async { Ok(Value::Null) })
    }
    /// What its import ids look like, in the order in which they are tried.
    fn import_patterns(&self) -> &[ImportPattern] {
        &[]
    }
    /// What its objects are known by, where they have an identity.
    fn identity(&self) -> Option<&IdentitySchema> {
        None
    }
    /// The identity of an object. Called only with [`IdentitySchema::by_provider`].
    fn identify(&self, _: RequestContext, _: Value) -> MethodFuture<Value> {
        Box::pin(async { Ok(Value::Null) })
    }
}

/// A data source without its types.
pub trait AnyDataSource: Send + Sync {
    /// Its schema, kept for the calls to come.
    fn schema(&self) -> &Schema;
    /// Its schema for one use. A [`LazySchema`](crate::schema::LazySchema) answers both.
    fn describe(&self) -> Cow<'_, Schema> {
        Cow::Borrowed(self.schema())
    }
    /// Judges a configuration; parts may be unknown.
    fn validate(&self, cx: RequestContext, config: Value) -> MethodFuture<()>;
    /// Looks it up, and answers its computed attributes.
    fn read(&self, cx: RequestContext, config: Value) -> MethodFuture<Object>;
}
