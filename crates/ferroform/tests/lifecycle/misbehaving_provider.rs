//! A correct resource and data source whose results each test changes to be invalid.

use std::sync::{Arc, Mutex};

use ferroform::raw::RequestContext;
use ferroform::raw::{
    AnyChange, AnyConfigurable, AnyDataSource, AnyResource, MethodFuture, ResourceCapabilities,
};
use ferroform::schema::{Attribute, Block, Mode, Nested, Schema};
use ferroform::value::{Object, Path, Type, Value};
use ferroform_engine::ProviderServer;

use crate::common::test_provider::TestProvider;

pub fn schema() -> Schema {
    let inner = || {
        Block::new()
            .attribute(Attribute::raw("port", Type::Number).with_mode(Mode::Optional))
            .attribute(Attribute::raw("id", Type::String).computed())
    };
    let optional = |it: Attribute| it.with_mode(Mode::Optional);
    let block = Block::new()
        .attribute(Attribute::raw("name", Type::String))
        .attribute(optional(Attribute::raw("note", Type::String)))
        .attribute(optional(Attribute::raw("secret", Type::String)).sensitive())
        .attribute(optional(Attribute::raw("token", Type::String)).write_only())
        .attribute(optional(Attribute::raw("tags", Type::list(Type::String))))
        .attribute(Attribute::raw("size", Type::Number).optional_computed())
        .attribute(Attribute::raw("id", Type::String).computed())
        .attribute(Attribute::raw("labels", Type::map(Type::String)).computed())
        .attribute(Attribute::raw("marks", Type::set(Type::String)).computed())
        .attribute(Attribute::raw("any", Type::Dynamic).computed())
        .attribute(optional(Attribute::raw_nested("owner", Nested::single(inner()))))
        .attribute(optional(Attribute::raw_nested("list", Nested::list(inner()))))
        .attribute(optional(Attribute::raw_nested("map", Nested::map(inner()))))
        .attribute(optional(Attribute::raw_nested("set", Nested::set(inner()))))
        .block(Attribute::raw_nested("step", Nested::list(inner())))
        .block(Attribute::raw_nested("rule", Nested::set(inner())))
        .block(Attribute::raw_nested("one", Nested::single(inner())));
    Schema::new(block)
}

pub type Change = Box<dyn Fn(&mut Object) + Send + Sync>;

/// A resource and data source whose results are changed by a function.
struct Misbehaving {
    schema: Schema,
    change: Mutex<Option<Change>>,
    /// The paths for which `plan` requires replacement.
    replace: Vec<Path>,
}

impl Misbehaving {
    fn changed(&self, value: Value) -> Value {
        match (value, &*self.change.lock().unwrap()) {
            (Value::Object(mut it), Some(change)) => {
                change(&mut it);
                // A result that is not an object is passed as the attribute `whole`.
                it.remove("whole").unwrap_or(Value::Object(it))
            }
            (it, _) => it,
        }
    }

    fn object(&self, value: Value) -> MethodFuture<Object> {
        let value = match self.changed(value) {
            Value::Object(it) => it,
            _ => Object::default(),
        };
        Box::pin(async { Ok(value) })
    }
}

impl AnyConfigurable for Misbehaving {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }
}

impl AnyResource for Misbehaving {
    fn capabilities(&self) -> ResourceCapabilities {
        ResourceCapabilities::new().plan().update().import()
    }

    fn plan(&self, call: RequestContext, change: AnyChange) -> MethodFuture<Value> {
        self.replace.iter().for_each(|it| call.requires_replace(it.clone()));
        let plan = self.changed(change.plan);
        Box::pin(async { Ok(plan) })
    }

    fn create(&self, _: RequestContext, plan: Value) -> MethodFuture<Object> {
        self.object(with_known_values(plan))
    }

    fn read(&self, _: RequestContext, state: Value) -> MethodFuture<Value> {
        let state = self.changed(state);
        Box::pin(async { Ok(state) })
    }

    fn update(&self, _: RequestContext, _: Value, plan: Value) -> MethodFuture<Object> {
        self.object(with_known_values(plan))
    }

    fn delete(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }

    fn import(&self, _: RequestContext, _: String) -> MethodFuture<Value> {
        let state = self.changed(object([("name", "a".into())]));
        Box::pin(async { Ok(state) })
    }
}

impl AnyDataSource for Misbehaving {
    fn read(&self, _: RequestContext, config: Value) -> MethodFuture<Object> {
        self.object(config)
    }
}

/// Replaces the unknown values of a plan with known ones.
pub fn with_known_values(plan: Value) -> Value {
    let Value::Object(mut it) = plan else { return plan };
    for (name, value) in [
        ("id", "i".into()),
        ("size", 1.into()),
        ("labels", Value::Null),
        ("marks", Value::Null),
        ("any", Value::Null),
    ] {
        if it.get(name).is_some_and(Value::is_unknown) {
            it.insert(name, value);
        }
    }
    Value::Object(it)
}

pub fn server(change: Option<Change>, replace: Vec<Path>) -> ProviderServer {
    let misbehaving = Arc::new(Misbehaving { schema: schema(), change: Mutex::new(change), replace });
    let provider = TestProvider::new(vec![("test_thing".to_owned(), misbehaving.clone())]);
    ProviderServer::new(Arc::new(provider.data_source("test_thing", misbehaving)))
}

pub fn run<T>(test: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap().block_on(test)
}

/// Returns an object with these attributes. The other attributes are null, and the other blocks are absent.
pub fn object<const N: usize>(attributes: [(&str, Value); N]) -> Value {
    let block = schema().block;
    let nulls = block.attributes().iter().map(|it| (it.name().to_string(), Value::Null));
    let absent = block.blocks().iter().map(|it| (it.name().to_string(), it.absent()));
    let set = attributes.into_iter().map(|(name, it)| (name.to_owned(), it));
    Value::object(nulls.chain(absent).chain(set).collect::<Vec<_>>())
}

pub fn ports(ports: &[i64]) -> Vec<Value> {
    ports.iter().map(|it| Value::object([("port", Value::from(*it)), ("id", Value::Null)])).collect()
}

pub fn config() -> Value {
    object([
        ("name", "a".into()),
        ("secret", "hush hush".into()),
        ("tags", Value::List(vec!["x".into(), "y".into()])),
        ("owner", ports(&[1]).remove(0)),
        ("list", Value::List(ports(&[1, 2]))),
        ("map", Value::map([("k", ports(&[1]).remove(0))])),
        ("set", Value::set(ports(&[1, 2]))),
        ("step", Value::List(ports(&[1, 2]))),
        ("rule", Value::set(ports(&[1, 2]))),
        ("one", ports(&[1]).remove(0)),
    ])
}
