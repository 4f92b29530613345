//! Attributes of object types, and of lists, sets and maps of objects: `#[attr(object)]`.

use std::collections::BTreeMap;

use crate::common::{check, instance, refreshed};
use expect_test::expect;
use ferroform::schema::Mode;
use ferroform::value::{Type, Value};
use ferroform::{Attr, Config, Known, Maybe, Model, Planned, Proposed, Set, Unknown};
use ferroform_testing::{Configuration, config, unknown};

#[derive(Model, Clone, Debug, PartialEq)]
struct Balancer {
    name: String,
    #[attr(object)]
    owner: Owner,
    /// The second owner.
    #[attr(object)]
    deputy: Option<Owner>,
    #[attr(object, min_items = 1, max_items = 2)]
    listeners: Option<Vec<Listener>>,
    #[attr(object)]
    rules: Option<Set<Listener>>,
    #[attr(object, requires_replace)]
    zones: Option<BTreeMap<String, Owner>>,
    #[attr(object, write_only)]
    secrets: Option<Vec<Owner>>,
    #[attr(object, default = Owner { name: "nobody".to_owned(), mail: None })]
    contact: Owner,
    #[attr(object, optional, computed, use_state_for_unknown)]
    limits: Vec<Limit>,
    #[attr(object, computed)]
    endpoint: Option<Listener>,
    #[attr(object, computed)]
    endpoints: Vec<Listener>,
    #[attr(object, computed)]
    by_zone: BTreeMap<String, Listener>,
    #[attr(object, computed)]
    addresses: Set<Owner>,
}

/// An owner.
#[derive(Model, Clone, Debug, PartialEq)]
struct Owner {
    name: String,
    #[attr(rename = "e_mail")]
    mail: Option<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Listener {
    port: u16,
    protocol: Protocol,
    targets: Vec<Target>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Target {
    address: String,
}

#[derive(Attr, Clone, Copy, Debug, PartialEq)]
enum Protocol {
    Http,
    Tcp,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Limit {
    kind: String,
    value: Option<u64>,
}

fn owner() -> Type {
    Type::object([("name", Type::String), ("e_mail", Type::String)])
}

fn listener() -> Type {
    let targets = Type::list(Type::object([("address", Type::String)]));
    Type::object([("port", Type::Number), ("protocol", Type::String), ("targets", targets)])
}

#[test]
fn schema_has_object_types_and_no_nested_attributes() {
    let schema = Balancer::schema();
    assert_eq!(schema.definition_errors(), []);
    assert!(schema.block.attributes().iter().all(|it| it.nested().is_none()));
    let attribute = |name| schema.block.get(name).unwrap();
    let types = [
        ("owner", owner()),
        ("deputy", owner()),
        ("listeners", Type::list(listener())),
        ("rules", Type::set(listener())),
        ("zones", Type::map(owner())),
        ("endpoint", listener()),
        ("endpoints", Type::list(listener())),
        ("by_zone", Type::map(listener())),
        ("addresses", Type::set(owner())),
    ];
    for (name, ty) in types {
        assert_eq!(attribute(name).ty(), &ty, "{name}");
    }
    let modes = ["owner", "deputy", "limits", "endpoints"].map(|it| attribute(it).mode());
    assert_eq!(modes, [Mode::Required, Mode::Optional, Mode::OptionalComputed, Mode::Computed]);
    let descriptions = ["owner", "deputy", "contact"].map(|it| attribute(it).full_description());
    assert_eq!(
        descriptions,
        ["An owner.", "The second owner.", "An owner. Defaults to `{name = \"nobody\"}`."]
    );
}

/// The types of the views are those of nested attributes.
#[test]
fn views_contain_the_views_of_the_model() {
    fn types(config: &Config<Balancer>, proposed: &Proposed<Balancer>, planned: &Planned<Balancer>) {
        let _: &Maybe<Config<Owner>> = &config.owner;
        let _: &Maybe<Option<Vec<Maybe<Config<Listener>>>>> = &config.listeners;
        let _: &Maybe<Vec<Maybe<Proposed<Listener>>>> = &proposed.endpoints;
        let _: &Option<Vec<Planned<Listener>>> = &planned.listeners;
        let _: &Maybe<Vec<Maybe<Proposed<Listener>>>> = &planned.endpoints;
    }
    let _ = types;
    let config = Config::<Owner> { name: Unknown, mail: Known(None) };
    assert_eq!(config.to_value(), Value::object([("name", Value::UNKNOWN), ("e_mail", Value::Null)]));
}

#[test]
fn computed_objects_are_unknown_and_configured_objects_are_planned() {
    check::<Balancer>(
        None,
        config! {
            name = "a",
            owner = { name = "me", e_mail = null },
            listeners = [{ port = 80, protocol = "http", targets = [{ address = unknown() }] }],
            zones = { a = { name = unknown(), e_mail = "a@example.com" } },
            secrets = [{ name = "s", e_mail = null }],
        },
        expect![[r#"
            create
            + name = "a"
            + owner = {name = "me"}
            + listeners = [{port = 80, protocol = "http", targets = [{address = (known after apply)}]}]
            + zones = {"a" = {e_mail = "a@example.com", name = (known after apply)}}
            + contact = {name = "nobody"}
            + limits = (known after apply)
            + endpoint = (known after apply)
            + endpoints = (known after apply)
            + by_zone = (known after apply)
            + addresses = (known after apply)"#]],
    );
}

fn stored(mail: &str, port: i64) -> Configuration {
    config! {
        name = "a",
        owner = { name = "me", e_mail = null },
        contact = { name = "nobody", e_mail = null },
        zones = { a = { name = "x", e_mail = mail } },
        limits = [{ kind = "cpu", value = 1 }],
        endpoint = { port = 80, protocol = "http", targets = [] },
        endpoints = [{ port = port, protocol = "http", targets = [{ address = "1.2.3.4" }] }],
        by_zone = {},
        addresses = [],
    }
}

/// An object that the configuration omits keeps its prior value as a whole. An object that the configuration sets is
/// planned as configured, including its null attributes.
#[test]
fn optional_computed_objects_are_kept_or_replaced_as_a_whole() {
    let omitted = config! {
        name = "a",
        owner = { name = "you", e_mail = null },
        zones = { a = { name = "x", e_mail = "m" } },
    };
    check::<Balancer>(
        Some(stored("m", 80)),
        omitted,
        expect![[r#"
        update
        ~ owner = {name = "me"} -> {name = "you"}
        ~ endpoint = {port = 80, protocol = "http", targets = []} -> (known after apply)
        ~ endpoints = [{port = 80, protocol = "http", targets = [{address = "1.2.3.4"}]}] -> (known after apply)
        ~ by_zone = {} -> (known after apply)
        ~ addresses = [] -> (known after apply)"#]],
    );
    let set = config! {
        name = "a",
        owner = { name = "me", e_mail = null },
        zones = { a = { name = "x", e_mail = "m" } },
        limits = [{ kind = "cpu", value = null }, { kind = "memory", value = 2 }],
    };
    check::<Balancer>(
        Some(stored("m", 80)),
        set,
        expect![[r#"
        update
        ~ limits = [{kind = "cpu", value = 1}] -> [{kind = "cpu"}, {kind = "memory", value = 2}]
        ~ endpoint = {port = 80, protocol = "http", targets = []} -> (known after apply)
        ~ endpoints = [{port = 80, protocol = "http", targets = [{address = "1.2.3.4"}]}] -> (known after apply)
        ~ by_zone = {} -> (known after apply)
        ~ addresses = [] -> (known after apply)"#]],
    );
}

#[test]
fn replacement_applies_to_the_whole_map() {
    let config = config! {
        name = "a",
        owner = { name = "me", e_mail = null },
        zones = { a = { name = "x", e_mail = "2" } },
    };
    check::<Balancer>(
        Some(stored("1", 80)),
        config,
        expect![[r#"
        replace
        ~ zones = {"a" = {e_mail = "1", name = "x"}} -> {"a" = {e_mail = "2", name = "x"}} # forces replacement
        ~ limits = [{kind = "cpu", value = 1}] -> (known after apply)
        ~ endpoint = {port = 80, protocol = "http", targets = []} -> (known after apply)
        ~ endpoints = [{port = 80, protocol = "http", targets = [{address = "1.2.3.4"}]}] -> (known after apply)
        ~ by_zone = {} -> (known after apply)
        ~ addresses = [] -> (known after apply)"#]],
    );
}

/// Each invalid attribute of each object is reported, with its path.
#[test]
fn every_invalid_value_inside_objects_is_reported() {
    let mut instance = instance(Balancer::schema(), true, None);
    let diagnostics = instance
        .try_apply(config! {
            name = "a",
            owner = { name = "me", e_mail = null },
            listeners = [
                { port = 70000, protocol = "htp", targets = [] },
                { port = 1, protocol = "tcp", targets = [] },
                { port = -1, protocol = "tcp", targets = [] },
            ],
        })
        .error();
    expect![[r#"
        listeners[0].port: Invalid Attribute Value: A whole number between 0 and 65535 is required, but got 70000.
        listeners[0].protocol: Invalid Attribute Value Match: One of "http", "tcp" is required, but got "htp"; did you mean "http"?
        listeners[2].port: Invalid Attribute Value: A whole number between 0 and 65535 is required, but got -1."#]].assert_eq(&diagnostics.to_string());
}

#[test]
fn read_returns_computed_objects() {
    let found = refreshed(Balancer::schema(), stored("m", 80), stored("n", 443));
    expect![[r#"
        name = "a"
        owner = {name = "me"}
        zones = {"a" = {e_mail = "n", name = "x"}}
        contact = {name = "nobody"}
        limits = [{kind = "cpu", value = 1}]
        endpoint = {port = 80, protocol = "http", targets = []}
        endpoints = [{port = 443, protocol = "http", targets = [{address = "1.2.3.4"}]}]
        by_zone = {}
        addresses = []"#]]
    .assert_eq(&found);
}
