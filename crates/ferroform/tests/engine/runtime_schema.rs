//! A run-time schema has the same behavior as the derived one.

use std::fmt::Debug;

use crate::full_provider;
use expect_test::expect;
use ferroform::Data;
use ferroform::raw::Kind;
use ferroform::schema::{Attribute, Block, Nested, Schema};
use ferroform::value::{Type, Value};
use ferroform_testing::{
    Configuration, Harness, Instance, Invariant, Literal, ProviderCheck, config, unknown,
};

/// A list of attribute names and values. The values have the syntax of `config!`.
macro_rules! attributes {
    ($(($name:ident = $($value:tt)*))*) => {
        Vec::from([$((stringify!($name), config!(@value $($value)*))),*])
    };
}

type Attributes = Vec<(&'static str, Literal)>;

/// Runs an action with both resources and asserts that the results are equal.
#[track_caller]
fn same_result<T: PartialEq + Debug>(case: &str, action: impl Fn(&mut Instance) -> T) -> T {
    let typed = Harness::start::<full_provider::typed::Cloud>(config! {});
    let raw = Harness::raw(full_provider::raw::provider(), config! {});
    let [typed, raw] = [typed, raw].map(|harness| action(&mut harness.resource("cloud_machine")));
    assert_eq!(typed, raw, "{case}");
    typed
}

fn default_attributes() -> Attributes {
    attributes! {
        (name = "a")
        (image = "i")
        (user = "me")
        (secret = "s")
        (size = 5)
        (zone = "z")
        (password = "p")
        (note = "Note")
        (words = ["a", "b"])
        (capacity = 5)
        (ports = [1, 2])
        (labels = { a = "b" })
        (any = [1, "a"])
        (low = 1)
        (sum = 1)
        (source = { text = "t" })
        (disks = [{ slot = 1 }, { slot = 2, kind = "hdd" }])
        (rules = [{ number = 1, note = "a" }])
        (routes = { home = { to = "a" } })
        (timeouts = { create = "1h" })
    }
}

/// Returns the configuration with some attributes replaced.
fn with(other: Attributes) -> Configuration {
    with_blocks(other, |it| {
        it.block("boot", config! { to = "b" })
            .block("port", config! { to = "p" })
            .block("tag", config! { number = 1 })
            .labeled_block("route", "home", config! { to = "h" })
    })
}

fn with_blocks(other: Attributes, blocks: impl Fn(Configuration) -> Configuration) -> Configuration {
    let mut all = default_attributes();
    all.retain(|(name, _)| other.iter().all(|(it, _)| it != name));
    let config = all.into_iter().chain(other).fold(Configuration::new(), |all, (name, it)| all.set(name, it));
    blocks(config)
}

/// Returns a change for each attribute and block.
fn changes() -> Vec<Attributes> {
    let each: Attributes = attributes! {
        (name = "other")
        (image = "other")
        (user = unknown())
        (secret = "other")
        (size = null)
        (size = 6)
        (region = "us")
        (zone = null)
        (zone = "other")
        (password = "other")
        (password = null)
        (note = "NOTE")
        (note = null)
        (words = ["b", "a"])
        (words = ["c"])
        (capacity = 4)
        (capacity = 6)
        (capacity = unknown())
        (ports = [2, 3])
        (labels = { a = unknown() })
        (any = "text")
        (low = 2)
        (sum = null)
        (source = { bucket = { to = "b" } })
        (source = unknown())
        (disks = [{ slot = 2, kind = "hdd" }, { slot = 1 }])
        (disks = [{ slot = 1, kind = "hdd" }])
        (disks = [{ slot = 1 }, { slot = unknown() }])
        (disks = [])
        (rules = [{ number = 1, note = "b" }])
        (rules = [{ number = unknown() }])
        (routes = { home = { to = "b" }, away = { to = "c" } })
        (timeouts = { delete = "1h" })
    };
    each.into_iter().map(|it| vec![it]).collect()
}

#[test]
fn runtime_schema_plans_and_applies_the_same() {
    let created = same_result("create", |it| it.apply(with(Vec::new())).to_string());
    assert!(created.contains("+ url = (known after apply)"), "{created}");
    same_result("create with an unknown name", |it| it.plan(with(vec![("name", unknown())])).to_string());
    for change in std::iter::once(Vec::new()).chain(changes()) {
        same_result(&format!("{change:?}"), |it| {
            it.apply(with(Vec::new()));
            let planned = it.plan(with(change.clone()));
            (planned.to_string(), planned.requires_replace, planned.warnings.to_string())
        });
    }
}

#[test]
fn runtime_schema_has_the_same_blocks() {
    let boot = |it: Configuration| it.block("boot", config! { to = "b" });
    let port = |it: Configuration, to: &str| it.block("port", config! { to = to });
    let valid_blocks: [(&str, &dyn Fn(Configuration) -> Configuration); 4] = [
        ("another port", &|it| port(boot(it), "other")),
        ("two ports", &|it| port(port(boot(it), "p"), "other")),
        ("another boot", &|it| port(it.block("boot", config! { to = "o", via = "v" }), "p")),
        ("an endpoint", &|it| port(boot(it), "p").block("endpoint", config! { host = "h" })),
    ];
    for (case, blocks) in valid_blocks {
        same_result(case, |it| {
            it.apply(with(Vec::new()));
            let planned = it.apply(with_blocks(Vec::new(), blocks));
            (planned.to_string(), planned.requires_replace, it.state().to_string())
        });
    }
    let invalid_blocks: [(&str, &dyn Fn(Configuration) -> Configuration); 3] = [
        ("no boot", &|it| port(it, "p")),
        ("no port", &boot),
        ("three ports", &|it| port(port(port(boot(it), "a"), "b"), "c")),
    ];
    for (case, blocks) in invalid_blocks {
        same_result(case, |it| it.try_apply(with_blocks(Vec::new(), blocks)).error().to_string());
    }
}

#[test]
fn runtime_schema_reports_the_same_errors() {
    let invalid_attributes: Attributes = attributes! {
        (name = "much_too_long")
        (image = null)
        (snapshot = "both")
        (secret = null)
        (user = "root")
        (size = 1000)
        (ports = [])
        (ports = [1, 2, 3, 4])
        (ports = [0])
        (high = 5)
        (sum = 2)
        (source = { text = "t", bucket = { to = "b" } })
        (source = {})
        (routes = { home = { to = "much_too_long" } })
        (timeouts = { create = "soon" })
    };
    for it in invalid_attributes {
        same_result(&format!("{it:?}"), |resource| {
            resource.try_apply(with(vec![it.clone()])).error().to_string()
        });
    }
}

#[test]
fn runtime_provider_imports_and_reads_the_same() {
    let imported = same_result("import", |it| it.import("a").to_string());
    assert!(imported.contains("name = \"a\""), "{imported}");
    same_result("import by identity", |it| it.import_by_identity(config! { name = "a" }).to_string());
    same_result("identity", |it| {
        it.apply(with(Vec::new()));
        it.identity().to_string()
    });
    same_result("configuration", |it| {
        it.apply(with(Vec::new()));
        it.generate_config().to_string()
    });
    same_result("refresh and destruction", |it| {
        it.apply(with(Vec::new()));
        let read = it.refresh().to_string();
        (read, it.plan_destroy().to_string())
    });
    same_result("an older state", |it| it.try_upgrade_state(0, "{}").error().to_string());
}

/// Terraform prints only that something is deprecated, so a schema that is read from its output has no message.
#[test]
fn empty_deprecation_message_is_replaced_by_a_sentence() {
    let inner = Block::new().attribute(Attribute::raw("x", Type::String).optional().deprecated(""));
    let block = Block::new()
        .deprecated("")
        .attribute(Attribute::raw("name", Type::String).deprecated(" "))
        .block(Attribute::raw_nested("disk", Nested::list(inner)).optional().deprecated(""));
    let config = Value::object([
        ("name", "a".into()),
        ("disk", Value::List(vec![Value::object([("x", "b".into())])])),
    ]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = crate::common::server(Schema::new(block));
    let found = runtime.block_on(server.validate_config(Kind::Resource.named("test_thing"), config, true));
    expect![[r#"
        name: Attribute Deprecated: The attribute "name" is deprecated.
        disk[0].x: Attribute Deprecated: The attribute "x" is deprecated.
        disk: Block Deprecated: The block "disk" is deprecated.
        Deprecated: This block is deprecated."#]]
    .assert_eq(&found.to_string());
}

#[test]
fn types_of_nested_attributes_are_those_of_their_blocks() {
    let mut block = Block::new().attribute(Attribute::raw("leaf", Type::String));
    for depth in 0..40 {
        let nested = Nested::list(block);
        block = Block::new().attribute(Attribute::raw_nested(format!("level_{depth}"), nested));
    }
    let mut ty = block.ty();
    for depth in (0..40).rev() {
        let Type::Object(object) = ty else { panic!("an object") };
        let Type::List(element) = &object.get(&format!("level_{depth}")).unwrap().ty else {
            panic!("a list")
        };
        ty = element;
    }
    assert_eq!(ty, &Type::object([("leaf", Type::String)]));
}

#[test]
fn unknown_values_are_replaced_by_type() {
    let ty = Type::object([
        ("name", Type::String),
        ("tags", Type::set(Type::String)),
        ("any", Type::Dynamic),
        ("typed", Type::Dynamic),
        ("inside", Type::Dynamic),
        ("ports", Type::list(Type::Number)),
    ]);
    let value = Value::object([
        ("name", Value::UNKNOWN),
        ("tags", Value::set([Value::UNKNOWN, "a".into()])),
        ("any", Value::UNKNOWN),
        ("typed", Value::dynamic(Type::Bool, Value::UNKNOWN)),
        ("inside", Value::dynamic(Type::list(Type::Number), Value::List(vec![1.into(), Value::UNKNOWN]))),
        ("ports", Value::List(vec![Value::UNKNOWN, 2.into()])),
    ]);
    let data = Data::typed(ty, value).unwrap();
    let mut seen = Vec::new();
    let known = data.clone().replace_unknown(|path, ty| {
        seen.push(format!("{path}: {ty}"));
        Data::empty_of(ty.clone()).into_value()
    });
    seen.sort();
    expect![[r#"
        any: any
        inside[1]: number
        name: string
        ports[0]: number
        tags[an element of the set]: string
        typed: bool"#]]
    .assert_eq(&seen.join("\n"));
    expect![[r#"{inside = [1, 0], name = "", ports = [0, 2], tags = ["", "a"], typed = false}"#]]
        .assert_eq(&known.unwrap().value().to_string());
    let error = data.replace_unknown(|_, _| "text".into()).unwrap_err();
    expect!["inside[1]: Value Conversion Error: A number is required, but got a string."]
        .assert_eq(&error.to_string());
}

/// Its objects exist only in the state.
#[test]
fn provider_with_all_options_violates_no_invariant() {
    ProviderCheck::<full_provider::typed::Cloud>::new().skip(Invariant::DestroyRemovesObject).run();
}
