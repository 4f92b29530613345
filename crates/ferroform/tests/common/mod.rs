//! Resources that have a schema and no world: what is tested is the engine's part.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use std::sync::Arc;

use expect_test::Expect;
use ferroform::engine::Server;
use ferroform::raw::{Abilities, Answer, AnyChange, AnyDataSource, AnyProvider, AnyResource};
use ferroform::schema::Schema;
use ferroform::value::{Error, Object, Type, Value};
use ferroform::view::View;
use ferroform::{Attr, Call, Maybe, Model, ProviderData};
use ferroform_testing::{Configuration, Core, Diff, Instance, config};

/// The plan for a configuration over a state; none where the object is to be created.
pub fn plan<M: Model>(state: Option<Configuration>, config: Configuration) -> Diff {
    instance(M::schema(), true, state).plan(config)
}

/// The same, compared with its printed form.
pub fn check<M: Model>(state: Option<Configuration>, config: Configuration, wanted: Expect) {
    wanted.assert_eq(&plan::<M>(state, config).to_string());
}

/// The same, for a resource without `update`.
pub fn check_without_update<M: Model>(state: Configuration, config: Configuration, wanted: Expect) {
    wanted.assert_eq(&instance(M::schema(), false, Some(state)).plan(config).to_string());
}

pub fn instance(schema: Schema, update: bool, state: Option<Configuration>) -> Instance {
    let instance = Core::raw(provider(schema, update), config! {}).resource("test_thing");
    match state {
        Some(state) => instance.with_state(state),
        None => instance,
    }
}

/// The engine with that resource alone.
pub fn server(schema: Schema) -> Server {
    Server::raw(provider(schema, true))
}

/// The engine with a resource that is always read as this.
pub fn reader(schema: Schema, found: Value) -> Server {
    let thing: Arc<dyn AnyResource> = Arc::new(Still { schema, update: true, found });
    Server::raw(of(thing))
}

/// The state after a read that finds this.
pub fn refreshed(schema: Schema, state: Configuration, found: Configuration) -> String {
    let found = instance(schema.clone(), true, Some(found)).state().value().clone();
    let thing: Arc<dyn AnyResource> = Arc::new(Still { schema, update: true, found });
    let mut instance = Core::raw(of(thing), config! {}).resource("test_thing").with_state(state);
    instance.refresh();
    instance.state().to_string()
}

fn provider(schema: Schema, update: bool) -> Arc<dyn AnyProvider> {
    of(Arc::new(Still { schema, update, found: Value::Null }))
}

fn of(thing: Arc<dyn AnyResource>) -> Arc<dyn AnyProvider> {
    Arc::new(Test { schema: <()>::schema(), resources: vec![("test_thing".to_owned(), thing)] })
}

/// A resource that is only planned and read.
struct Still {
    schema: Schema,
    update: bool,
    found: Value,
}

macro_rules! nothing {
    ($($method:ident($($input:ty),*) -> $output:ty;)+) => {$(
        fn $method(&self, _: Call $(, _: $input)*) -> Answer<$output> {
            unreachable!("it is only planned and read")
        }
    )+};
}

impl AnyResource for Still {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn abilities(&self) -> Abilities {
        Abilities { plan: false, plan_delete: false, update: self.update, import: false }
    }

    fn validate(&self, _: Call, _: Value) -> Answer<()> {
        Box::pin(async { Ok(()) })
    }

    fn read(&self, _: Call, _: Value) -> Answer<Value> {
        let found = self.found.clone();
        Box::pin(async { Ok(found) })
    }

    nothing! {
        plan(AnyChange) -> Value;
        create(Value) -> Object;
        update(Value, Value) -> Object;
        delete(Value) -> ();
        import(String) -> Value;
    }
}

struct Test {
    schema: Schema,
    resources: Vec<(String, Arc<dyn AnyResource>)>,
}

impl AnyProvider for Test {
    fn address(&self) -> &str {
        "example.com/test/test"
    }

    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn configure(&self, _: Call, _: Value) -> Answer<Maybe<ProviderData>> {
        Box::pin(async { Ok(Maybe::Known(Arc::new(()) as ProviderData)) })
    }

    fn resources(&self) -> &[(String, Arc<dyn AnyResource>)] {
        &self.resources
    }

    fn data_sources(&self) -> &[(String, Arc<dyn AnyDataSource>)] {
        &[]
    }
}

/// A text in which the case of letters means nothing.
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
