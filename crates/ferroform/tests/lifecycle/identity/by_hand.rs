//! Identities and import patterns of a resource that is built at run time, and invalid definitions.

use std::sync::Arc;

use ferroform::raw::{
    AnyChange, AnyDataSource, AnyProvider, AnyResource, MethodFuture, ResourceCapabilities,
};
use ferroform::schema::{Attribute, AttributeExt as _, Block, IdentitySchema, ImportPattern, Schema};
use ferroform::value::{Object, Type, Value};
use ferroform::{Diagnostic, Maybe, ProviderData, RequestContext, path};
use ferroform_engine::ProviderServer;
use ferroform_testing::{Harness, Instance, config};

use crate::identity::identity;

/// A resource whose identity has a part that the state has not.
struct ByHand {
    schema: Schema,
    identity: Option<IdentitySchema>,
    patterns: Vec<ImportPattern>,
    import: bool,
}

fn text(name: &str) -> Attribute {
    Attribute::raw(name, Type::String)
}

fn block() -> Block {
    Block::new().attribute(text("name").requires_replace()).attribute(text("id").computed())
}

fn by_hand() -> ByHand {
    let parts = Block::new().attribute(text("account")).attribute(text("name"));
    let old = Type::object([("name", Type::String)]);
    let upgrade = |old: &Value| {
        let name = old.attribute("name").cloned().unwrap_or(Value::Null);
        Ok(Value::object([("account", Value::string("old")), ("name", name)]))
    };
    ByHand {
        schema: Schema { version: 0, block: block() },
        identity: Some(IdentitySchema::raw(parts).version(1).by_provider().upgrade_raw(0, old, upgrade)),
        patterns: vec![ImportPattern::new().text("name:").attribute("name")],
        import: true,
    }
}

impl AnyResource for ByHand {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn capabilities(&self) -> ResourceCapabilities {
        ResourceCapabilities { plan: false, plan_delete: false, update: true, import: self.import }
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }

    fn plan(&self, _: RequestContext, change: AnyChange) -> MethodFuture<Value> {
        Box::pin(async { Ok(change.plan) })
    }

    fn create(&self, _: RequestContext, plan: Value) -> MethodFuture<Object> {
        let id = format!("id-{}", name(&plan));
        Box::pin(async move { Ok([("id".into(), Value::string(id))].into_iter().collect()) })
    }

    fn read(&self, _: RequestContext, state: Value) -> MethodFuture<Value> {
        let read = Value::object([
            ("name", Value::string(name(&state))),
            ("id", Value::string(format!("id-{}", name(&state)))),
        ]);
        Box::pin(async { Ok(read) })
    }

    fn update(&self, call: RequestContext, _: Value, plan: Value) -> MethodFuture<Object> {
        self.create(call, plan)
    }

    fn delete(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }

    fn import(&self, _: RequestContext, id: String) -> MethodFuture<Value> {
        let found = Value::object([("name", Value::string(&id)), ("id", Value::string(format!("id-{id}")))]);
        Box::pin(async { Ok(found) })
    }

    fn import_patterns(&self) -> &[ImportPattern] {
        &self.patterns
    }

    fn identity(&self) -> Option<&IdentitySchema> {
        self.identity.as_ref()
    }

    fn identify(&self, _: RequestContext, state: Value) -> MethodFuture<Value> {
        Box::pin(async move {
            match name(&state).as_str() {
                "refuses" => Err(Diagnostic::error("The account is secret").into()),
                "panics" => panic!("no account"),
                "misfits" => Ok(Value::object([("account", Value::from(5)), ("name", Value::Null)])),
                name => Ok(Value::object([("account", Value::string("me")), ("name", Value::string(name))])),
            }
        })
    }
}

fn name(object: &Value) -> String {
    object.attribute("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}

struct One {
    schema: Schema,
    resources: Vec<(String, Arc<dyn AnyResource>)>,
}

fn provider(it: ByHand) -> Arc<One> {
    let schema = Schema { version: 0, block: Block::new() };
    Arc::new(One { schema, resources: vec![("test_thing".into(), Arc::new(it))] })
}

fn instance(it: ByHand) -> Instance {
    Harness::raw(provider(it), config! {}).resource("test_thing")
}

impl AnyProvider for One {
    fn address(&self) -> &str {
        "example.com/test/test"
    }

    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn configure(&self, _: RequestContext, _: Value) -> MethodFuture<Maybe<ProviderData>> {
        Box::pin(async { Ok(Maybe::Known(Arc::new(()) as ProviderData)) })
    }

    fn resources(&self) -> &[(String, Arc<dyn AnyResource>)] {
        &self.resources
    }

    fn data_sources(&self) -> &[(String, Arc<dyn AnyDataSource>)] {
        &[]
    }
}

#[test]
fn identity_is_created_by_the_resource() {
    let mut thing = instance(by_hand());
    thing.apply(config! { name = "a" });
    assert_eq!(identity(&thing), r#"account = "me", name = "a""#);
    thing.upgrade_identity(0, r#"{"name":"a"}"#);
    assert_eq!(identity(&thing), r#"account = "old", name = "a""#);
}

#[test]
fn failed_identity_keeps_the_object() {
    for (name, said) in [
        ("refuses", "The account is secret"),
        ("panics", "Provider Panicked: The method `identify` panicked at"),
        ("misfits", "account: Provider produced invalid object: account: the type in the schema is string"),
    ] {
        let mut thing = instance(by_hand());
        let errors = thing.expect_error(config! { name = name }).to_string();
        assert!(errors.starts_with(said), "{errors}");
        assert!(thing.is_tainted(), "what was made is in the state");
        assert_eq!(thing.state().get::<String>(path!(id)), format!("id-{name}"));
        assert_eq!(identity(&thing), format!("name = {name:?}"), "what is known of it");
    }
}

#[test]
fn import_method_handles_ids_without_pattern() {
    let mut thing = instance(by_hand());
    assert_eq!(thing.import("name:a").get::<String>(path!(name)), "a");
    let mut thing = instance(by_hand());
    assert_eq!(thing.import("b").get::<String>(path!(name)), "b");
    assert_eq!(identity(&thing), r#"account = "me", name = "b""#);
}

#[test]
fn invalid_identity_definitions_are_reported() {
    let list = |element| Type::list(element);
    let identity = |part: Attribute| IdentitySchema::raw(Block::new().attribute(part));
    let pattern = |pattern: ImportPattern| ByHand { patterns: vec![pattern], ..by_hand() };
    let known_by = |it: IdentitySchema| ByHand { identity: Some(it), ..by_hand() };
    let of_block = |block: Block, part| ByHand {
        schema: Schema { version: 0, block },
        identity: Some(identity(part)),
        patterns: Vec::new(),
        import: true,
    };
    let name = || ImportPattern::new().attribute("name");
    let fine = |_: &Value| Ok(Value::Null);
    let table = [
        (by_hand(), ""),
        (known_by(identity(Attribute::raw("x", list(Type::Bool))).by_provider()), ""),
        (
            known_by(identity(Attribute::raw("x", Type::map(Type::Bool))).by_provider()),
            "the identity: x: an identity attribute must be a bool, a number, a string or a list of these",
        ),
        (
            known_by(identity(Attribute::raw("x", list(list(Type::Bool)))).by_provider()),
            "the identity: x: an identity attribute must be a bool, a number, a string or a list of these",
        ),
        (
            known_by(identity(text("X")).by_provider()),
            "the identity: X: a name can contain only lowercase letters, digits and underscores, and cannot begin with a digit",
        ),
        (
            known_by(identity(text("count")).by_provider()),
            "the identity: count: `count` is reserved by Terraform",
        ),
        (
            known_by(identity(text("x").sensitive()).by_provider()),
            "the identity: x: Terraform shows identities, so an identity attribute cannot be sensitive or write-only",
        ),
        (
            known_by(identity(text("x").default(String::new)).by_provider()),
            "the identity: x: an identity attribute supports no option other than its type and whether it is required for import",
        ),
        (
            known_by(identity(text("x").validate::<String, _>(ferroform::validators::json())).by_provider()),
            "the identity: x: an identity attribute supports no option other than its type and whether it is required for import",
        ),
        (
            known_by(identity(text("x"))),
            "the identity: x: the resource has no such attribute, and the provider does not create the identity",
        ),
        (
            known_by(identity(Attribute::raw("name", Type::Bool))),
            "the identity: name: the attribute with this name has another type",
        ),
        (
            known_by(IdentitySchema::raw(Block::new().attribute(text("name")).attribute(text("name")))),
            "the identity: name: the name is used more than once",
        ),
        (
            known_by(identity(text("name")).upgrade_raw(0, Type::Bool, fine)),
            "the identity: there is an upgrade from version 0, but the current version is 0",
        ),
        (
            known_by(identity(text("name")).version(1).upgrade_raw(0, Type::Bool, fine).upgrade_raw(
                0,
                Type::Bool,
                fine,
            )),
            "the identity: there are two upgrades from version 0",
        ),
        (
            of_block(Block::new().attribute(text("a")), text("a")),
            "the identity: a: a change of the identity means a different object, so the attribute with this name must require replacement",
        ),
        (
            of_block(Block::new().attribute(text("a").requires_replace().sensitive()), text("a")),
            "the identity: a: Terraform shows identities, but the attribute with this name is sensitive",
        ),
        (
            of_block(Block::new().attribute(text("a").write_only()), text("a")),
            "the identity: a: the attribute with this name is write-only, so its value is not stored",
        ),
        (pattern(ImportPattern::new().text("x")), "the import pattern \"x\": it names no attribute"),
        (
            pattern(name().attribute("id")),
            "the import pattern \"{name}{id}\": two attributes must be separated by a string",
        ),
        (
            pattern(name().text("/").attribute("x")),
            "the import pattern \"{name}/{x}\": there is no attribute \"x\"",
        ),
        (
            pattern(name().text("/").attribute("name")),
            "the import pattern \"{name}/{name}\": \"name\" occurs more than once",
        ),
        (
            pattern(ImportPattern::new().rest("name").text("/").attribute("id")),
            "the import pattern \"{name..}/{id}\": only the last attribute can match the rest",
        ),
        (
            ByHand {
                patterns: vec![name()],
                ..of_block(
                    Block::new().attribute(Attribute::raw("name", list(Type::Bool)).requires_replace()),
                    Attribute::raw("name", list(Type::Bool)),
                )
            },
            "the import pattern \"{name}\": \"name\" is a list(bool), which cannot be converted from a string",
        ),
        (
            ByHand {
                identity: None,
                patterns: vec![name()],
                ..of_block(Block::new().attribute(text("name").write_only()), text("x"))
            },
            "the import pattern \"{name}\": \"name\" is write-only, so its value is not stored",
        ),
    ];
    for (it, wanted) in table {
        let faults = ProviderServer::new(provider(it)).definition_errors();
        let said: Vec<String> = faults.into_iter().map(|it| it.detail).collect();
        let wanted: Vec<String> = Some(wanted)
            .filter(|it| !it.is_empty())
            .map(|it| format!("In resource test_thing: {it}. This is a bug in the provider."))
            .into_iter()
            .collect();
        assert_eq!(said, wanted);
    }
}
