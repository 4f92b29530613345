//! A mock provider whose responses a test can replace, so that it can violate each invariant.

#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

#[path = "../../../ferroform/tests/common/test_provider.rs"]
mod test_provider;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use ferroform::Result;
use ferroform::raw::RequestContext;
use ferroform::raw::{
    AnyChange, AnyConfigurable, AnyProvider, AnyResource, MethodFuture, ResourceCapabilities,
};
use ferroform::schema::{Attribute, Block, IdentitySchema, Mode, Nested, Schema, Upgrades};
use ferroform::value::{Object, Path, Type, Value};
use ferroform_testing::{Harness, Instance, config};

use self::test_provider::TestProvider;

type Method<I, O> = Box<dyn Fn(&RequestContext, I) -> Result<O> + Send + Sync>;

/// The resource `test_thing`, which stores its objects in a map. A test replaces a method to make it incorrect.
pub struct MockResource {
    pub schema: Schema,
    pub identity: Option<IdentitySchema>,
    pub capabilities: ResourceCapabilities,
    pub plan: Method<AnyChange, Value>,
    pub create: Method<Value, Object>,
    pub read: Method<Value, Value>,
    pub update: Method<Value, Object>,
    pub delete: Method<Value, ()>,
    pub import: Method<String, Value>,
    pub upgrades: Upgrades,
}

/// The remote objects by name.
pub type ObjectStore = Arc<Mutex<BTreeMap<String, Value>>>;

pub fn block() -> Block {
    let optional = |name: &str, ty: Type| Attribute::raw(name, ty).with_mode(Mode::Optional);
    Block::new()
        .attribute(Attribute::raw("name", Type::String).requires_replace())
        .attribute(optional("note", Type::String))
        .attribute(optional("secret", Type::String).sensitive())
        .attribute(optional("token", Type::String).write_only())
        .attribute(optional("tags", Type::set(Type::String)))
        .attribute(Attribute::raw_nested("parts", Nested::list(part())).with_mode(Mode::Optional))
        .attribute(Attribute::raw("id", Type::String).computed().use_state_for_unknown())
        .attribute(Attribute::raw("etag", Type::String).computed())
}

pub fn part() -> Block {
    Block::new()
        .attribute(Attribute::raw("name", Type::String))
        .attribute(Attribute::raw("serial", Type::String).computed().use_state_for_unknown())
}

pub fn string(value: &Value, name: &str) -> String {
    value.attribute(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// The computed values of the correct provider: an ID, a tag that depends on the note, and serial numbers of parts.
pub fn computed(plan: &Value) -> Object {
    let mut computed_values = Object::default();
    computed_values.insert("id", format!("id of {}", string(plan, "name")).into());
    computed_values.insert("etag", format!("tag of {}", string(plan, "note")).into());
    if let Some(Value::List(parts)) = plan.attribute("parts") {
        let number = |(i, it): (usize, &Value)| {
            let mut it = it.clone();
            if let Value::Object(object) = &mut it
                && object.get("serial").is_none_or(Value::is_unknown)
            {
                object.insert("serial", format!("no. {i}").into());
            }
            it
        };
        computed_values.insert("parts", Value::List(parts.iter().enumerate().map(number).collect()));
    }
    computed_values
}

/// The remote object: the planned state with computed values and without the token.
pub fn complete_state(plan: &Value) -> Value {
    let mut it = plan.clone();
    if let Value::Object(object) = &mut it {
        for (name, value) in computed(plan) {
            object.insert(name, value);
        }
        object.insert("token", Value::Null);
    }
    it
}

impl MockResource {
    pub fn correct(objects: &ObjectStore) -> MockResource {
        let put = |objects: &ObjectStore| -> Method<Value, Object> {
            let objects = objects.clone();
            Box::new(move |_, plan| {
                objects.lock().expect("not poisoned").insert(string(&plan, "name"), complete_state(&plan));
                Ok(computed(&plan))
            })
        };
        let get =
            |objects: &ObjectStore, name: &str| objects.lock().expect("not poisoned").get(name).cloned();
        let (reads, deletes, imports) = (objects.clone(), objects.clone(), objects.clone());
        MockResource {
            schema: Schema::new(block()),
            identity: None,
            capabilities: ResourceCapabilities::new().update().import(),
            plan: Box::new(|_, change| Ok(change.plan)),
            create: put(objects),
            update: put(objects),
            read: Box::new(move |_, state| Ok(get(&reads, &string(&state, "name")).unwrap_or(Value::Null))),
            delete: Box::new(move |_, state| {
                deletes.lock().expect("not poisoned").remove(&string(&state, "name"));
                Ok(())
            }),
            import: Box::new(move |_, id| {
                get(&imports, &id).ok_or_else(|| ferroform::Diagnostic::error("Object Not Found").into())
            }),
            upgrades: Upgrades::oldest(0),
        }
    }
}

macro_rules! methods {
    ($($name:ident($input:ty) -> $output:ty;)+) => {$(
        fn $name(&self, call: RequestContext, input: $input) -> MethodFuture<$output> {
            let resource = self.0.clone();
            Box::pin(async move { (resource.$name)(&call, input) })
        }
    )+};
}

struct Shared(Arc<MockResource>);

impl AnyConfigurable for Shared {
    fn schema(&self) -> &Schema {
        &self.0.schema
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }
}

impl AnyResource for Shared {
    fn capabilities(&self) -> ResourceCapabilities {
        self.0.capabilities
    }

    fn identity(&self) -> Option<&IdentitySchema> {
        self.0.identity.as_ref()
    }

    fn upgrades(&self) -> Upgrades {
        self.0.upgrades.clone()
    }

    fn update(&self, call: RequestContext, _: Value, plan: Value) -> MethodFuture<Object> {
        let resource = self.0.clone();
        Box::pin(async move { (resource.update)(&call, plan) })
    }

    methods! {
        plan(AnyChange) -> Value;
        create(Value) -> Object;
        read(Value) -> Value;
        delete(Value) -> ();
        import(String) -> Value;
    }
}

pub fn harness(resource: MockResource) -> Harness {
    Harness::raw(provider([("test_thing", resource)]), config! {})
}

/// A provider with these resources.
pub fn provider(things: impl IntoIterator<Item = (&'static str, MockResource)>) -> Arc<dyn AnyProvider> {
    let shared = |(name, resource): (&str, MockResource)| {
        let resource: Arc<dyn AnyResource> = Arc::new(Shared(Arc::new(resource)));
        (name.to_owned(), resource)
    };
    let resources = things.into_iter().map(shared).collect();
    Arc::new(TestProvider::new(resources))
}

/// An instance of the correct resource with one change.
pub fn changed(change: impl FnOnce(&mut MockResource)) -> Instance {
    let mut resource = MockResource::correct(&ObjectStore::default());
    change(&mut resource);
    harness(resource).resource("test_thing")
}

/// The message of the panic of a test, or `no failure`.
pub fn failure_message<T>(test: impl FnOnce() -> T) -> String {
    panic_message(test).unwrap_or_else(|| "no failure".to_owned())
}

/// The message of the panic in a function; `None` if it returns.
pub fn panic_message<T>(run: impl FnOnce() -> T) -> Option<String> {
    let panic = catch_unwind(AssertUnwindSafe(run)).err()?;
    Some(match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(panic) => panic.downcast_ref::<&str>().copied().unwrap_or("?").to_owned(),
    })
}

/// Sets an attribute of an object.
pub fn set(mut object: Value, name: &str, value: impl Into<Value>) -> Value {
    if let Some(slot) = object.at_mut(&Path::attribute(name)) {
        *slot = value.into();
    }
    object
}
