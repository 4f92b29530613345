//! Shared fixtures of the engine tests: resources that have a schema but no remote objects.

#![allow(dead_code, unused_macros, unreachable_pub, reason = "each test uses a part")]

#[path = "../../../value/tests/common/deadline.rs"]
pub(crate) mod deadline;
pub(crate) mod test_provider;

use std::sync::Arc;

use expect_test::Expect;
use ferroform::raw::RequestContext;
use ferroform::raw::{
    AnyChange, AnyConfigurable, AnyProvider, AnyResource, MethodFuture, Move, ResourceCapabilities,
};
use ferroform::schema::{Schema, Upgrades};
use ferroform::value::{Error, Object, Type, Value};
use ferroform::view::View;
use ferroform::{Attr, Model, MoveSource, RawState, Result};
use ferroform_engine::{PlanRequest, PlanResponse, ProviderServer, ReadRequest};
use ferroform_testing::{Configuration, Diff, Harness, Instance, config};

use self::test_provider::TestProvider;

/// Plans a configuration against a prior state. Without a prior state, the plan creates the object.
pub fn plan<M: Model>(state: Option<Configuration>, config: Configuration) -> Diff {
    instance(M::schema(), true, state).plan(config)
}

/// Compares the printed plan with a snapshot.
pub fn check<M: Model>(state: Option<Configuration>, config: Configuration, expected: Expect) {
    expected.assert_eq(&plan::<M>(state, config).to_string());
}

/// Compares the printed plan of a resource without `update` with a snapshot.
pub fn check_without_update<M: Model>(state: Configuration, config: Configuration, expected: Expect) {
    expected.assert_eq(&instance(M::schema(), false, Some(state)).plan(config).to_string());
}

pub fn instance(schema: Schema, update: bool, state: Option<Configuration>) -> Instance {
    let instance = Harness::raw(provider(schema, update), config! {}).resource("test_thing");
    match state {
        Some(state) => instance.with_state(state),
        None => instance,
    }
}

/// Returns an engine whose provider has a single resource.
pub fn server(schema: Schema) -> ProviderServer {
    ProviderServer::new(provider(schema, true))
}

/// Returns an engine whose only resource returns this object from every `read`.
pub fn reader(schema: Schema, remote: Value) -> ProviderServer {
    ProviderServer::new(PlanOnlyResource { remote, ..PlanOnlyResource::of(schema) }.provider())
}

/// Calls `plan_resource_change` of the engine for `test_thing`, with the proposed new state of the configuration.
pub fn planned(schema: Schema, prior: Value, config: Value) -> PlanResponse {
    let response = runtime().block_on(server(schema).plan_resource_change(PlanRequest {
        type_name: "test_thing".into(),
        prior: Some(prior),
        is_destroy: false,
        config: Some(config),
        ..PlanRequest::default()
    }));
    assert_eq!(response.diagnostics.to_string(), "");
    response
}

/// Calls `read_resource` of the engine for `test_thing`. The resource returns `remote`.
pub fn read(schema: Schema, state: Value, remote: Value) -> Value {
    let request =
        ReadRequest { type_name: "test_thing".into(), state: Some(state), ..ReadRequest::default() };
    let response = runtime().block_on(reader(schema, remote).read_resource(request));
    assert_eq!(response.diagnostics.to_string(), "");
    response.state.expect("a state")
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime")
}

/// Returns the printed state after a read that returns `remote`.
pub fn refreshed(schema: Schema, state: Configuration, remote: Configuration) -> String {
    let remote = instance(schema.clone(), true, Some(remote)).state().value().clone();
    let provider = PlanOnlyResource { remote, ..PlanOnlyResource::of(schema) }.provider();
    let mut instance = Harness::raw(provider, config! {}).resource("test_thing").with_state(state);
    instance.refresh();
    instance.state().to_string()
}

fn provider(schema: Schema, update: bool) -> Arc<dyn AnyProvider> {
    PlanOnlyResource { update, ..PlanOnlyResource::of(schema) }.provider()
}

/// A resource that supports planning, reading, state upgrades and moves, but not apply.
pub struct PlanOnlyResource {
    pub schema: Schema,
    pub update: bool,
    /// The object that `read` returns.
    pub remote: Value,
    pub upgrades: Upgrades,
    pub upgrade: fn(RawState) -> Result<Value>,
    pub moves: Vec<Move>,
    pub move_from: fn(MoveSource) -> Result<Value>,
}

impl PlanOnlyResource {
    /// Returns a resource without state upgrades and moves.
    pub fn of(schema: Schema) -> PlanOnlyResource {
        PlanOnlyResource {
            update: true,
            remote: Value::Null,
            upgrades: Upgrades::oldest(schema.version),
            upgrade: |_| Ok(Value::Null),
            moves: Vec::new(),
            move_from: |_| Ok(Value::Null),
            schema,
        }
    }

    /// Returns a provider with this resource as `test_thing`.
    pub fn provider(self) -> Arc<dyn AnyProvider> {
        TestProvider::with_thing(self)
    }
}

macro_rules! unsupported_methods {
    ($($method:ident($($input:ty),*) -> $output:ty;)+) => {$(
        fn $method(&self, _: RequestContext $(, _: $input)*) -> MethodFuture<$output> {
            unreachable!("it is only planned and read")
        }
    )+};
}

impl AnyConfigurable for PlanOnlyResource {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }
}

impl AnyResource for PlanOnlyResource {
    fn capabilities(&self) -> ResourceCapabilities {
        let mut capabilities = ResourceCapabilities::new();
        capabilities.update = self.update;
        capabilities
    }

    fn read(&self, _: RequestContext, _: Value) -> MethodFuture<Value> {
        let remote = self.remote.clone();
        Box::pin(async { Ok(remote) })
    }

    unsupported_methods! {
        plan(AnyChange) -> Value;
        create(Value) -> Object;
        update(Value, Value) -> Object;
        delete(Value) -> ();
        import(String) -> Value;
    }

    fn upgrades(&self) -> Upgrades {
        self.upgrades.clone()
    }

    fn upgrade(&self, _: RequestContext, stored: ferroform::raw::StoredState) -> MethodFuture<Value> {
        let upgrade = self.upgrade;
        Box::pin(async move { upgrade(stored.into()) })
    }

    fn moves(&self) -> Vec<Move> {
        self.moves.clone()
    }

    fn move_from(&self, _: RequestContext, source: ferroform::raw::MoveSource) -> MethodFuture<Value> {
        let move_from = self.move_from;
        Box::pin(async move { move_from(source.into()) })
    }
}

/// Implements the methods of a resource without a remote object; `create` and `update` return these computed values.
macro_rules! state_only_resource {
    ($provider:ty, $computed:expr) => {
        type Provider = $provider;

        async fn create(_: &ferroform::ApplyCx<Self>, _: Planned<Self>) -> Result<<Self as Model>::Computed> {
            Ok($computed)
        }

        async fn update(
            _: &ferroform::ApplyCx<Self>,
            _: Self,
            _: Planned<Self>,
        ) -> Result<<Self as Model>::Computed> {
            Ok($computed)
        }

        ferroform::state_only!(read, delete);
    };
}
#[allow(unused_imports, reason = "each test uses a part")]
pub(crate) use state_only_resource;

/// A string that is compared without regard to case.
#[derive(Clone, Debug)]
pub struct Word(pub String);

impl PartialEq for Word {
    fn eq(&self, other: &Word) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Attr for Word {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        String::from_value(value).map(Word)
    }

    fn to_value(&self) -> Value {
        self.0.as_str().into()
    }
}
