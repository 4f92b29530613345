//! Identities and import patterns of a resource that is built at run time, and invalid definitions.

use ferroform::raw::RequestContext;
use ferroform::raw::{AnyChange, AnyConfigurable, AnyResource, MethodFuture, ResourceCapabilities};
use ferroform::schema::{Attribute, AttributeExt as _, Block, IdentitySchema, ImportPattern, Schema};
use ferroform::value::{Object, Type, Value};
use ferroform::{Diagnostic, path};
use ferroform_engine::ProviderServer;
use ferroform_testing::{Harness, Instance, config};

use crate::common::test_provider::TestProvider;
use crate::identity::identity;

/// A resource whose identity has an attribute that the state does not have.
struct RuntimeResource {
    schema: Schema,
    identity: Option<IdentitySchema>,
    patterns: Vec<ImportPattern>,
    import: bool,
}

fn string(name: &str) -> Attribute {
    Attribute::raw(name, Type::String)
}

fn block() -> Block {
    Block::new().attribute(string("name").requires_replace()).attribute(string("id").computed())
}

fn runtime_resource() -> RuntimeResource {
    let identity_block = Block::new().attribute(string("account")).attribute(string("name"));
    let old = Type::object([("name", Type::String)]);
    let upgrade = |old: &Value| {
        let name = old.attribute("name").cloned().unwrap_or(Value::Null);
        Ok(Value::object([("account", Value::string("old")), ("name", name)]))
    };
    RuntimeResource {
        schema: Schema::new(block()),
        identity: Some(
            IdentitySchema::raw(identity_block).version(1).by_provider().upgrade_raw(0, old, upgrade),
        ),
        patterns: vec![ImportPattern::new().literal("name:").attribute("name")],
        import: true,
    }
}

impl AnyConfigurable for RuntimeResource {
    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn validate(&self, _: RequestContext, _: Value) -> MethodFuture<()> {
        Box::pin(async { Ok(()) })
    }
}

impl AnyResource for RuntimeResource {
    fn capabilities(&self) -> ResourceCapabilities {
        let mut capabilities = ResourceCapabilities::new().update();
        capabilities.import = self.import;
        capabilities.import_by_identity = true;
        capabilities
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

    fn import_by_identity(&self, cx: RequestContext, identity: Value) -> MethodFuture<Value> {
        self.import(cx, name(&identity))
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
                "fails" => Err(Diagnostic::error("The account is secret").into()),
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

fn instance(it: RuntimeResource) -> Instance {
    Harness::raw(TestProvider::with_thing(it), config! {}).resource("test_thing")
}

#[test]
fn identity_is_created_by_the_resource() {
    let mut thing = instance(runtime_resource());
    thing.apply(config! { name = "a" });
    assert_eq!(identity(&thing), r#"account = "me", name = "a""#);
    thing.upgrade_identity(0, r#"{"name":"a"}"#);
    assert_eq!(identity(&thing), r#"account = "old", name = "a""#);
}

#[test]
fn failed_identify_keeps_the_object() {
    for (name, message) in [
        ("fails", "The account is secret"),
        ("panics", "Provider Panicked: The method `identify` panicked at"),
        ("misfits", "account: Provider produced invalid object: account: the type in the schema is string"),
    ] {
        let mut thing = instance(runtime_resource());
        let errors = thing.try_apply(config! { name = name }).error().to_string();
        assert!(errors.starts_with(message), "{errors}");
        assert!(thing.is_tainted(), "the created object is in the state");
        assert_eq!(thing.state().get::<String>(path!(id)), format!("id-{name}"));
        assert_eq!(identity(&thing), format!("name = {name:?}"), "the known identity attributes are kept");
    }
}

#[test]
fn import_method_handles_ids_without_pattern() {
    let mut thing = instance(runtime_resource());
    assert_eq!(thing.import("name:a").get::<String>(path!(name)), "a");
    let mut thing = instance(runtime_resource());
    thing.import_by_identity(config! { account = "me", name = "c" });
    assert_eq!(thing.state().get::<String>(path!(id)), "id-c");
    let mut thing = instance(runtime_resource());
    assert_eq!(thing.import("b").get::<String>(path!(name)), "b");
    assert_eq!(identity(&thing), r#"account = "me", name = "b""#);
}

#[test]
fn invalid_identity_definitions_are_reported() {
    let list = |element| Type::list(element);
    let identity = |part: Attribute| IdentitySchema::raw(Block::new().attribute(part));
    let pattern = |pattern: ImportPattern| RuntimeResource { patterns: vec![pattern], ..runtime_resource() };
    let with_identity = |it: IdentitySchema| RuntimeResource { identity: Some(it), ..runtime_resource() };
    let of_block = |block: Block, part| RuntimeResource {
        schema: Schema::new(block),
        identity: Some(identity(part)),
        patterns: Vec::new(),
        import: true,
    };
    let name = || ImportPattern::new().attribute("name");
    let fine = |_: &Value| Ok(Value::Null);
    let table = [
        (runtime_resource(), ""),
        (with_identity(identity(Attribute::raw("x", list(Type::Bool))).by_provider()), ""),
        (
            with_identity(identity(Attribute::raw("x", Type::map(Type::Bool))).by_provider()),
            "the identity: x: an identity attribute must be a bool, a number, a string or a list of these",
        ),
        (
            with_identity(identity(Attribute::raw("x", list(list(Type::Bool)))).by_provider()),
            "the identity: x: an identity attribute must be a bool, a number, a string or a list of these",
        ),
        (
            with_identity(identity(string("X")).by_provider()),
            "the identity: X: a name can contain only lowercase letters, digits and underscores, and cannot begin with a digit",
        ),
        (
            with_identity(identity(string("count")).by_provider()),
            "the identity: count: `count` is reserved by Terraform",
        ),
        (
            with_identity(identity(string("x").sensitive()).by_provider()),
            "the identity: x: Terraform shows identities, so an identity attribute cannot be sensitive or write-only",
        ),
        (
            with_identity(identity(string("x").default(String::new)).by_provider()),
            "the identity: x: an identity attribute supports no option other than its type and whether it is required for import",
        ),
        (
            with_identity(
                identity(string("x").validate::<String, _>(ferroform::validators::json())).by_provider(),
            ),
            "the identity: x: an identity attribute supports no option other than its type and whether it is required for import",
        ),
        (
            with_identity(identity(string("x"))),
            "the identity: x: the resource has no such attribute, and the provider does not create the identity",
        ),
        (
            with_identity(identity(Attribute::raw("name", Type::Bool))),
            "the identity: name: the attribute with this name has another type",
        ),
        (
            with_identity(IdentitySchema::raw(
                Block::new().attribute(string("name")).attribute(string("name")),
            )),
            "the identity: name: the name is used more than once",
        ),
        (
            with_identity(identity(string("name")).upgrade_raw(0, Type::Bool, fine)),
            "the identity: there is an upgrade from version 0, but the current version is 0",
        ),
        (
            with_identity(identity(string("name")).version(1).upgrade_raw(0, Type::Bool, fine).upgrade_raw(
                0,
                Type::Bool,
                fine,
            )),
            "the identity: there are two upgrades from version 0",
        ),
        (
            of_block(Block::new().attribute(string("a")), string("a")),
            "the identity: a: a change of the identity means a different object, so the attribute with this name must require replacement",
        ),
        (
            of_block(Block::new().attribute(string("a").requires_replace().sensitive()), string("a")),
            "the identity: a: Terraform shows identities, but the attribute with this name is sensitive",
        ),
        (
            of_block(Block::new().attribute(string("a").write_only()), string("a")),
            "the identity: a: the attribute with this name is write-only, so its value is not stored",
        ),
        (pattern(ImportPattern::new().literal("x")), "the import pattern \"x\": it names no attribute"),
        (
            pattern(name().attribute("id")),
            "the import pattern \"{name}{id}\": two attributes must be separated by a string",
        ),
        (
            pattern(name().literal("/").attribute("x")),
            "the import pattern \"{name}/{x}\": there is no attribute \"x\"",
        ),
        (
            pattern(name().literal("/").attribute("name")),
            "the import pattern \"{name}/{name}\": \"name\" occurs more than once",
        ),
        (
            pattern(ImportPattern::new().rest("name").literal("/").attribute("id")),
            "the import pattern \"{name..}/{id}\": only the last attribute can match the rest",
        ),
        (
            RuntimeResource {
                patterns: vec![name()],
                ..of_block(
                    Block::new().attribute(Attribute::raw("name", list(Type::Bool)).requires_replace()),
                    Attribute::raw("name", list(Type::Bool)),
                )
            },
            "the import pattern \"{name}\": \"name\" is a list(bool), which cannot be converted from a string",
        ),
        (
            RuntimeResource {
                identity: None,
                patterns: vec![name()],
                ..of_block(Block::new().attribute(string("name").write_only()), string("x"))
            },
            "the import pattern \"{name}\": \"name\" is write-only, so its value is not stored",
        ),
    ];
    for (it, expected) in table {
        let errors = ProviderServer::new(TestProvider::with_thing(it)).definition_errors();
        let messages: Vec<String> = errors.into_iter().map(|it| it.detail).collect();
        let expected: Vec<String> = Some(expected)
            .filter(|it| !it.is_empty())
            .map(|it| format!("In resource test_thing: {it}. This is a bug in the provider; please report it to its authors."))
            .into_iter()
            .collect();
        assert_eq!(messages, expected);
    }
}
