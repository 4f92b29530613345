//! The traits of providers, resources and data sources without Rust types: their methods receive and return values.
//!
//! Implement them for a provider whose schemas are built at run time, for example from an API description. [`Provider`],
//! [`Resource`] and [`DataSource`] are typed layers over these traits. [`Data`] reads and writes values by attribute path.
//!
//! This provider has a resource that stores a message, and a data source that converts a string to upper case. The guide describes
//! how such a resource is registered next to typed ones: [Schemas](crate::guide::schemas).
//!
//! ```
//! use std::sync::Arc;
//!
//! use ferroform::raw::{
//!     AnyChange, AnyConfigurable, AnyDataSource, AnyProvider, AnyResource, Definition, Definitions, MethodFuture,
//!     ProviderData, RequestContext, ResourceCapabilities,
//! };
//! use ferroform::schema::{Attribute, Block, Schema};
//! use ferroform::value::{Object, Type, Value};
//! use ferroform::{Diagnostic, Known, Maybe, path};
//! use ferroform_testing::{Harness, config};
//!
//! fn ready<T: Send + 'static>(result: T) -> MethodFuture<T> {
//!     Box::pin(async { Ok(result) })
//! }
//!
//! struct Message(Schema);
//!
//! impl AnyConfigurable for Message {
//!     fn schema(&self) -> &Schema {
//!         &self.0
//!     }
//!
//!     fn validate(&self, _: RequestContext, _config: Value) -> MethodFuture<()> {
//!         ready(())
//!     }
//! }
//!
//! impl AnyResource for Message {
//!     fn capabilities(&self) -> ResourceCapabilities {
//!         ResourceCapabilities::new().update()
//!     }
//!
//!     // Not called, because `capabilities` does not contain `plan`.
//!     fn plan(&self, _: RequestContext, change: AnyChange) -> MethodFuture<Value> {
//!         ready(change.plan)
//!     }
//!
//!     /// Returns the computed attributes.
//!     fn create(&self, _: RequestContext, _plan: Value) -> MethodFuture<Object> {
//!         ready([("id".into(), "m-1".into())].into_iter().collect())
//!     }
//!
//!     fn read(&self, _: RequestContext, state: Value) -> MethodFuture<Value> {
//!         ready(state)
//!     }
//!
//!     fn update(&self, _: RequestContext, _prior: Value, _plan: Value) -> MethodFuture<Object> {
//!         ready(Object::default())
//!     }
//!
//!     fn delete(&self, _: RequestContext, _state: Value) -> MethodFuture<()> {
//!         ready(())
//!     }
//!
//!     // Not called, because `capabilities` does not contain `import`.
//!     fn import(&self, _: RequestContext, _id: String) -> MethodFuture<Value> {
//!         Box::pin(async { Err(Diagnostic::error("Import Not Supported").into()) })
//!     }
//! }
//!
//! struct UpperCase(Schema);
//!
//! impl AnyConfigurable for UpperCase {
//!     fn schema(&self) -> &Schema {
//!         &self.0
//!     }
//!
//!     fn validate(&self, _: RequestContext, _config: Value) -> MethodFuture<()> {
//!         ready(())
//!     }
//! }
//!
//! impl AnyDataSource for UpperCase {
//!     fn read(&self, _: RequestContext, config: Value) -> MethodFuture<Object> {
//!         let text = config.attribute("text").and_then(Value::as_str).unwrap_or_default();
//!         ready([("result".into(), text.to_uppercase().into())].into_iter().collect())
//!     }
//! }
//!
//! struct Messages {
//!     schema: Schema,
//!     definitions: Definitions,
//! }
//!
//! impl AnyConfigurable for Messages {
//!     fn schema(&self) -> &Schema {
//!         &self.schema
//!     }
//! }
//!
//! impl AnyProvider for Messages {
//!     fn address(&self) -> &str {
//!         "registry.terraform.io/example/messages"
//!     }
//!
//!     fn configure(&self, _: RequestContext, _config: Value) -> MethodFuture<Maybe<ProviderData>> {
//!         ready(Known(Arc::new(()) as ProviderData))
//!     }
//!
//!     fn definitions(&self) -> &Definitions {
//!         &self.definitions
//!     }
//! }
//!
//! let text = Attribute::raw("text", Type::String);
//! let id = Attribute::raw("id", Type::String).computed().use_state_for_unknown();
//! let result = Attribute::raw("result", Type::String).computed();
//! let message = Message(Schema::new(Block::new().attribute(text.clone()).attribute(id)));
//! let upper_case = UpperCase(Schema::new(Block::new().attribute(text).attribute(result)));
//! let provider = Messages {
//!     schema: Schema::new(Block::new()),
//!     definitions: Definitions::new()
//!         .with("messages_message", Definition::Resource(Arc::new(message)))
//!         .with("messages_upper_case", Definition::DataSource(Arc::new(upper_case))),
//! };
//!
//! // `ferroform::serve_raw` serves the provider; a test calls it in process.
//! let harness = Harness::raw(Arc::new(provider), config! {});
//! let mut message = harness.resource("messages_message");
//! message.apply(config! { text = "hello" });
//! assert_eq!(message.state().get::<String>(path!(id)), "m-1");
//! let upper_case = harness.data_source("messages_upper_case").read(config! { text = "hello" });
//! assert_eq!(upper_case.get::<String>(path!(result)), "HELLO");
//! ```
//!
//! [`Provider`]: crate::Provider
//! [`Resource`]: crate::Resource
//! [`DataSource`]: crate::DataSource
//! [`Data`]: crate::Data

pub use ferroform_engine::provider::{
    AnyAction, AnyChange, AnyConfigurable, AnyDataSource, AnyEphemeralResource, AnyFunction, AnyListResource,
    AnyListed, AnyOpened, AnyProvider, AnyRenewed, AnyResource, EphemeralCapabilities, ListResults, LogMasks,
    MethodFuture, Move, ResourceCapabilities, SentResults,
};
#[cfg(feature = "unstable-state-stores")]
pub use ferroform_engine::provider::{AnyConfiguredStateStore, AnyStateStore};
pub use ferroform_engine::{
    Definition, Definitions, Kind, MoveSource, ProviderData, RequestContext, StoredState,
};
