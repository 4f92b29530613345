//! Resources whose schema is read from an API description when the provider starts.
//!
//! The description names the fields of each kind of object, and the provider registers one resource for each of them.
//! It implements [`AnyResource`], in which objects are [`Value`]s instead of structs.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use ferroform::raw::RequestContext;
use ferroform::raw::{
    AnyChange, AnyConfigurable, AnyResource, Definition, MethodFuture, ResourceCapabilities,
};
use ferroform::schema::{Attribute, Block, Schema};
use ferroform::value::{Object, Type, Value};
use ferroform::{Cx, Data, Known, Maybe, Provider, Registry, RequestCx, Result, path};
use serde::Deserialize;

fn main() -> ExitCode {
    ferroform::serve::<Catalog>()
}

/// The API description. A real provider would read a file or an embedded OpenAPI document.
const DESCRIPTION: &str = r#"{
    "host": [
        { "name": "cores", "type": "number", "required": true },
        { "name": "labels", "type": "map" }
    ],
    "bucket": [
        { "name": "title", "type": "string", "required": true, "immutable": true }
    ]
}"#;

/// A field of the API description.
#[derive(Deserialize)]
struct Field {
    name: String,
    r#type: String,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    immutable: bool,
}

impl Field {
    fn attribute(&self) -> Attribute {
        let ty = match self.r#type.as_str() {
            "number" => Type::Number,
            "bool" => Type::Bool,
            "map" => Type::map(Type::String),
            _ => Type::String,
        };
        let attribute = Attribute::raw(self.name.as_str(), ty);
        let attribute = if self.required { attribute } else { attribute.optional() };
        if self.immutable { attribute.requires_replace() } else { attribute }
    }
}

/// The client of the service, which stores its objects in memory.
#[derive(Default)]
struct Catalog {
    objects: Mutex<BTreeMap<String, Value>>,
}

impl Provider for Catalog {
    const ADDRESS: &'static str = "registry.terraform.io/example/catalog";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Catalog::default()))
    }

    fn register(registry: &mut Registry<Self>) {
        let kinds: BTreeMap<String, Vec<Field>> =
            serde_json::from_str(DESCRIPTION).expect("the description is valid JSON");
        for (kind, fields) in kinds {
            let described = Arc::new(Described::new(&kind, &fields));
            registry.raw(format!("catalog_{kind}"), Definition::Resource(described));
        }
    }
}

/// A resource from the API description.
struct Described {
    kind: String,
    schema: Schema,
}

impl Described {
    fn new(kind: &str, fields: &[Field]) -> Described {
        let id = Attribute::raw("id", Type::String).computed().use_state_for_unknown();
        let block = Block::new().attribute(id).with_attributes(fields.iter().map(Field::attribute));
        Described { kind: kind.to_owned(), schema: Schema::new(block) }
    }

    /// Returns the ID of an object of this resource.
    fn id(&self, object: &Value) -> Result<String> {
        Data::new(self.schema.block.clone(), object.clone())?.get(path!(id))
    }
}

/// Wraps the result of a method that does not wait.
fn ready<T: Send + 'static>(result: Result<T>) -> MethodFuture<T> {
    Box::pin(async move { result })
}

impl AnyConfigurable for Described {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        ready(Ok(()))
    }
}

impl AnyResource for Described {
    fn capabilities(&self) -> ResourceCapabilities {
        ResourceCapabilities::new().update()
    }

    fn plan(&self, _: RequestContext, change: AnyChange) -> MethodFuture<Value> {
        ready(Ok(change.plan))
    }

    fn create(&self, cx: RequestContext, plan: Value) -> MethodFuture<Object> {
        let kind = self.kind.clone();
        Box::pin(async move {
            let cx = Cx::<Catalog>::new(cx)?;
            let mut objects = cx.provider.objects.lock().unwrap_or_else(PoisonError::into_inner);
            let id = format!("{kind}-{}", objects.len() + 1);
            let mut object = plan.as_object().cloned().unwrap_or_default();
            object.insert("id", id.as_str().into());
            objects.insert(id.clone(), Value::Object(object));
            Ok([("id".into(), id.into())].into_iter().collect())
        })
    }

    fn read(&self, cx: RequestContext, state: Value) -> MethodFuture<Value> {
        let id = self.id(&state);
        Box::pin(async move {
            let cx = Cx::<Catalog>::new(cx)?;
            let objects = cx.provider.objects.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(objects.get(&id?).cloned().unwrap_or(Value::Null))
        })
    }

    fn update(&self, cx: RequestContext, prior: Value, plan: Value) -> MethodFuture<Object> {
        let id = self.id(&prior);
        Box::pin(async move {
            let (cx, id) = (Cx::<Catalog>::new(cx)?, id?);
            cx.provider.objects.lock().unwrap_or_else(PoisonError::into_inner).insert(id, plan);
            Ok(Object::default())
        })
    }

    fn delete(&self, cx: RequestContext, state: Value) -> MethodFuture<()> {
        let id = self.id(&state);
        Box::pin(async move {
            let cx = Cx::<Catalog>::new(cx)?;
            cx.provider.objects.lock().unwrap_or_else(PoisonError::into_inner).remove(&id?);
            Ok(())
        })
    }

    /// Ferroform never calls this method, because `capabilities` does not include import.
    fn import(&self, _: RequestContext, _: String) -> MethodFuture<Value> {
        ready(Ok(Value::Null))
    }
}

#[cfg(test)]
mod tests {
    use ferroform_testing::{Action, Harness, config};

    use super::*;

    #[test]
    fn resources_built_at_run_time_behave_like_typed_ones() {
        let harness = Harness::start::<Catalog>(config! {});
        let mut host = harness.resource("catalog_host");
        host.apply(config! { cores = 4 });
        let id: String = host.state().get(path!(id));
        let plan = host.plan(config! { cores = 8, labels = { team = "web" } });
        assert_eq!(plan.action, Action::Update);
        host.apply(config! { cores = 8, labels = { team = "web" } });
        assert_eq!(host.state().get::<String>(path!(id)), id);

        let mut bucket = harness.resource("catalog_bucket");
        bucket.apply(config! { title = "logs" });
        assert_eq!(bucket.plan(config! { title = "traces" }).action, Action::Replace);
        bucket.destroy();
        host.destroy();
    }

    #[test]
    fn missing_required_field_is_an_error() {
        let harness = Harness::start::<Catalog>(config! {});
        let error = harness.resource("catalog_host").try_apply(config! {}).error().to_string();
        assert!(error.contains("cores"), "{error}");
    }

    #[test]
    fn provider_violates_no_invariant() {
        ferroform_testing::check_provider::<Catalog>();
    }
}
