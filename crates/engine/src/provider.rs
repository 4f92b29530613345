//! The interface between the engine and a provider: object-safe traits that take and return values.
//!
//! The engine calls the provider only through these traits. The crate `ferroform` implements them for the typed traits
//! of provider authors. A provider whose schemas are built at run time, for example from an API description, implements
//! them directly.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Arc;
use std::time::SystemTime;

use ferroform_value::{Object, Type, Value};

use crate::definitions::Definitions;
use crate::function::FunctionSignature;
use crate::request::context::{ProviderData, RequestContext};
use crate::schema::{IdentitySchema, ImportPattern, Schema, Upgrades};
use crate::{Diagnostic, Maybe, MoveSource, Result, StoredState, UnknownConfig};

pub use crate::request::list_results::{AnyListed, ListResults, SentResults};
pub use crate::stored_state::Move;

/// The future of a method. The method must not start before the future is polled, because it may have to wait for a
/// permit of the concurrency limit.
pub type MethodFuture<T> = Pin<Box<dyn Future<Output = Result<T>> + Send>>;

/// An object with a configuration: a block with a schema, which the practitioner writes.
pub trait AnyConfigurable: Send + Sync {
    /// The schema of the configuration, which later requests use as well.
    fn schema(&self) -> &Schema;
    /// The schema for a single use. A [`LazySchema`](crate::schema::LazySchema) implements both.
    fn describe(&self) -> Cow<'_, Schema> {
        Cow::Borrowed(self.schema())
    }
    /// Validates a configuration, which may have unknown values.
    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }
}

/// A provider without Rust types. Its configuration is the `provider` block.
pub trait AnyProvider: AnyConfigurable {
    /// The source address, such as `registry.terraform.io/hashicorp/local`.
    fn address(&self) -> &str;
    /// Creates the provider's data from a configuration, which may have unknown values.
    fn configure(&self, cx: RequestContext, config: Value) -> MethodFuture<Maybe<ProviderData>>;
    /// The objects that the provider defines.
    fn definitions(&self) -> &Definitions;
    /// The schema of `provider_meta` blocks; `None` if the provider has no provider metadata.
    fn provider_meta(&self) -> Option<&Schema> {
        None
    }
    /// How operations behave while the provider's configuration is unknown.
    fn unknown_config(&self) -> UnknownConfig {
        UnknownConfig::default()
    }
    /// The concurrency limit: how many methods of resources and data sources may run at once; `None` if there is no
    /// limit.
    fn concurrency_limit(&self) -> Option<usize> {
        None
    }
    /// The masks of log lines, in addition to sensitive attributes.
    fn log_masks(&self) -> LogMasks {
        LogMasks::default()
    }
    /// The errors in the definition that the schemas do not show, such as a name that is used twice.
    fn definition_errors(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The fields and patterns that are masked in log lines, in addition to the values of sensitive attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogMasks {
    /// The names of fields whose values are masked.
    pub fields: Vec<String>,
    /// Regular expressions, whose matches are masked in messages and in fields.
    pub patterns: Vec<String>,
}

/// The optional operations that a resource supports.
///
/// ```
/// use ferroform_engine::provider::ResourceCapabilities;
///
/// let capabilities = ResourceCapabilities::new().update().import();
/// assert!(capabilities.update && capabilities.import && !capabilities.plan);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResourceCapabilities {
    /// It has a `plan` method.
    pub plan: bool,
    /// It has a `plan_delete` method.
    pub plan_delete: bool,
    /// It can be updated in place. Otherwise every change requires replacement.
    pub update: bool,
    /// It has an `import` method.
    pub import: bool,
    /// It has an `import_by_identity` method.
    pub import_by_identity: bool,
    /// The state is the only record of the object, so `read` returns it even after `delete`.
    pub state_only: bool,
}

impl ResourceCapabilities {
    /// No optional operation.
    pub fn new() -> ResourceCapabilities {
        ResourceCapabilities::default()
    }

    /// Adds the `plan` method.
    #[must_use]
    pub fn plan(mut self) -> ResourceCapabilities {
        self.plan = true;
        self
    }

    /// Adds the `plan_delete` method.
    #[must_use]
    pub fn plan_delete(mut self) -> ResourceCapabilities {
        self.plan_delete = true;
        self
    }

    /// Adds the update in place.
    #[must_use]
    pub fn update(mut self) -> ResourceCapabilities {
        self.update = true;
        self
    }

    /// Adds the `import` method.
    #[must_use]
    pub fn import(mut self) -> ResourceCapabilities {
        self.import = true;
        self
    }

    /// Adds the `import_by_identity` method.
    #[must_use]
    pub fn import_by_identity(mut self) -> ResourceCapabilities {
        self.import_by_identity = true;
        self
    }

    /// The state is the only record of the object.
    #[must_use]
    pub fn state_only(mut self) -> ResourceCapabilities {
        self.state_only = true;
        self
    }
}

/// A change to plan. Each value is an object of the schema, or null.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AnyChange {
    /// The configuration with the defaults of `default_with`.
    pub config: Value,
    /// The prior state; null for a create.
    pub prior: Value,
    /// The proposed new state, after the plan modifiers of attributes.
    pub plan: Value,
}

impl AnyChange {
    /// A change, for unit tests of [`AnyResource::plan`].
    pub fn new(config: Value, prior: Value, plan: Value) -> AnyChange {
        AnyChange { config, prior, plan }
    }
}

/// A resource without Rust types. Each value is an object of the schema, or null.
pub trait AnyResource: AnyConfigurable {
    /// The supported operations.
    fn capabilities(&self) -> ResourceCapabilities;
    /// Customizes a plan. Called only with [`ResourceCapabilities::plan`].
    fn plan(&self, cx: RequestContext, change: AnyChange) -> MethodFuture<Value>;
    /// Warns about the destruction of the object, or rejects it. Called only with
    /// [`ResourceCapabilities::plan_delete`].
    fn plan_delete(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }
    /// Creates the object and returns its computed attributes. The plan contains the write-only values.
    fn create(&self, cx: RequestContext, plan: Value) -> MethodFuture<Object>;
    /// Reads the object and returns its state, or null if it does not exist.
    fn read(&self, cx: RequestContext, state: Value) -> MethodFuture<Value>;
    /// Updates the object and returns its computed attributes. Called only with [`ResourceCapabilities::update`].
    fn update(&self, cx: RequestContext, prior: Value, plan: Value) -> MethodFuture<Object>;
    /// Deletes the object.
    fn delete(&self, cx: RequestContext, state: Value) -> MethodFuture<()>;
    /// Imports an object by an import ID that matches no pattern, and returns its state. Called only with
    /// [`ResourceCapabilities::import`].
    fn import(&self, cx: RequestContext, id: String) -> MethodFuture<Value>;
    /// Imports an object by its identity, which has null for omitted attributes, and returns its state. Called only with
    /// [`ResourceCapabilities::import_by_identity`]. Without it, the engine copies the identity attributes of the same names to the state.
    fn import_by_identity(&self, _: RequestContext, _: Value) -> MethodFuture<Value> {
        Box::pin(async { Ok(Value::Null) })
    }
    /// The state upgrades from earlier schema versions.
    fn upgrades(&self) -> Upgrades {
        Upgrades::oldest(0)
    }
    /// Upgrades a state without an upgrade in [`upgrades`](AnyResource::upgrades). Called only with
    /// [`Upgrades::with_fallback`].
    fn upgrade(&self, _: RequestContext, _: StoredState) -> MethodFuture<Value> {
        Box::pin(async { Err(Diagnostic::error("Unable to Upgrade Resource State").into()) })
    }
    /// The other resource types whose states can be moved to this one.
    fn moves(&self) -> Vec<Move> {
        Vec::new()
    }
    /// Moves a state of a resource type that is not in [`moves`](AnyResource::moves). Returns null if that is not
    /// supported.
    fn move_from(&self, _: RequestContext, _: MoveSource) -> MethodFuture<Value> {
        Box::pin(async { Ok(Value::Null) })
    }
    /// The import patterns, in the order in which they are tried.
    fn import_patterns(&self) -> &[ImportPattern] {
        &[]
    }
    /// The identity schema; `None` if the resource has no identity.
    fn identity(&self) -> Option<&IdentitySchema> {
        None
    }
    /// Creates the identity of an object. Called only with [`IdentitySchema::by_provider`]. Null if the identity does
    /// not follow from the object: then each attribute that the object does not have keeps its value, unless a method
    /// has called [`RequestContext::set_identity`].
    fn identify(&self, _: RequestContext, _: Value) -> MethodFuture<Value> {
        Box::pin(async { Ok(Value::Null) })
    }
}

/// A list resource without Rust types: it lists the existing objects of the resource with the same name.
pub trait AnyListResource: AnyConfigurable {
    /// Sends the existing objects to `results`, until it returns an error.
    fn list(&self, cx: RequestContext, config: Value, results: ListResults) -> MethodFuture<()>;
}

/// A data source without Rust types.
pub trait AnyDataSource: AnyConfigurable {
    /// Reads the data source and returns its computed attributes.
    fn read(&self, cx: RequestContext, config: Value) -> MethodFuture<Object>;
}

/// A provider-defined function without Rust types.
pub trait AnyFunction: Send + Sync {
    /// The parameters, the type of the result and the documentation.
    fn signature(&self) -> &FunctionSignature;
    /// Calls the function with one value for each positional parameter, followed by those of the variadic parameter.
    /// The result has the type of the signature.
    fn call(&self, cx: RequestContext, arguments: Vec<Value>) -> MethodFuture<Value>;
}

/// The optional operations that an ephemeral resource supports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EphemeralCapabilities {
    /// It has a `renew` method.
    pub renew: bool,
    /// It has a `close` method.
    pub close: bool,
}

impl EphemeralCapabilities {
    /// No optional operation.
    pub fn new() -> EphemeralCapabilities {
        EphemeralCapabilities::default()
    }

    /// Adds the `renew` method.
    #[must_use]
    pub fn renew(mut self) -> EphemeralCapabilities {
        self.renew = true;
        self
    }

    /// Adds the `close` method.
    #[must_use]
    pub fn close(mut self) -> EphemeralCapabilities {
        self.close = true;
        self
    }
}

/// An ephemeral resource that is open.
#[derive(Clone, Debug, Default)]
pub struct AnyOpened {
    /// The computed attributes.
    pub computed: Object,
    /// The data for `renew` and `close`.
    pub private: Vec<u8>,
    /// The time at which Terraform renews it; `None` if the values stay valid.
    pub renew_at: Option<SystemTime>,
}

/// An ephemeral resource that was renewed.
#[derive(Clone, Debug, Default)]
pub struct AnyRenewed {
    /// The data for the next `renew`, and for `close`.
    pub private: Vec<u8>,
    /// The time of the next renewal; `None` if there is none.
    pub renew_at: Option<SystemTime>,
}

/// An ephemeral resource without Rust types.
pub trait AnyEphemeralResource: AnyConfigurable {
    /// The supported operations.
    fn capabilities(&self) -> EphemeralCapabilities;
    /// The type of the private data, if it is a value as JSON. The engine needs it to distinguish the keys of maps, which it
    /// masks in errors, from the names of attributes.
    fn private_type(&self) -> Option<Type> {
        None
    }
    /// Opens it. As soon as there is something to close, it calls [`RequestContext::record_opened`].
    fn open(&self, cx: RequestContext, config: Value) -> MethodFuture<AnyOpened>;
    /// Renews it. Called only with [`EphemeralCapabilities::renew`].
    fn renew(&self, cx: RequestContext, private: Vec<u8>) -> MethodFuture<AnyRenewed>;
    /// Closes it. Called only with [`EphemeralCapabilities::close`].
    fn close(&self, cx: RequestContext, private: Vec<u8>) -> MethodFuture<()>;
}

/// An action without Rust types.
pub trait AnyAction: AnyConfigurable {
    /// True if it has a `plan` method.
    fn has_plan(&self) -> bool {
        false
    }
    /// Checks whether the action can be invoked, with a configuration that may have unknown values. Called only with
    /// [`has_plan`](AnyAction::has_plan).
    fn plan(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }
    /// Invokes the action. It reports its progress with [`RequestContext::progress`].
    fn invoke(&self, cx: RequestContext, config: Value) -> MethodFuture<()>;
}

/// A state store without Rust types.
pub trait AnyStateStore: AnyConfigurable {
    /// Creates the configured state store from a configuration.
    fn configure(&self, cx: RequestContext, config: Value) -> MethodFuture<Arc<dyn AnyConfiguredStateStore>>;
}

/// A configured state store. Each state has an ID, which is the name of the workspace.
pub trait AnyConfiguredStateStore: Send + Sync {
    /// Reads a state; `None` if there is none.
    fn read(&self, cx: RequestContext, state_id: String) -> MethodFuture<Option<Vec<u8>>>;
    /// Stores a state, which is complete.
    fn write(&self, cx: RequestContext, state_id: String, state: Vec<u8>) -> MethodFuture<()>;
    /// Locks a state for an operation, such as `OperationTypeApply`, and returns the ID of the lock; `None` if the state
    /// store has no locks.
    fn lock(&self, cx: RequestContext, state_id: String, operation: String) -> MethodFuture<Option<String>>;
    /// Unlocks a state.
    fn unlock(&self, cx: RequestContext, state_id: String, lock_id: String) -> MethodFuture<()>;
    /// The IDs of all states.
    fn states(&self, cx: RequestContext) -> MethodFuture<Vec<String>>;
    /// Deletes a state.
    fn delete(&self, cx: RequestContext, state_id: String) -> MethodFuture<()>;
}
