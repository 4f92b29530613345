//! Sensitive and write-only values appear neither in messages nor in states.

use std::collections::BTreeMap;

use expect_test::expect;
use ferroform::schema::{Attribute, Block, Mode, Nested, Schema};
use ferroform::value::{Error, Type, Value};
use ferroform::view::View;
use ferroform::{
    ApplyCx, Args, Attr, DataCx, DataSource, Diagnostic, Dynamic, Model, Planned, ReadCx, Resource, Result,
    path,
};
use ferroform_engine::{ReadRequest, contract};
use ferroform_testing::{Harness, config, provider};

provider! { Test { resource Lock = "test_lock", resource Safe = "test_safe", data_source Hint = "test_hint" } }

/// A string of four digits. Its conversion errors contain the string, one of them in uppercase.
#[derive(Clone, Debug, PartialEq)]
struct Pin(String);

impl Attr for Pin {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        let string = String::from_value(value)?;
        let is_pin = string.len() == 4 && string.chars().all(|it| it.is_ascii_digit());
        if is_pin {
            Ok(Pin(string))
        } else if string.chars().any(char::is_alphabetic) {
            Err(Error::new(format!("{} has letters, but a pin has none", string.to_uppercase())))
        } else {
            Err(Error::invalid_value("a string of four digits", format_args!("{string:?}")))
        }
    }

    fn to_value(&self) -> Value {
        self.0.as_str().into()
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Lock {
    #[attr(sensitive)]
    pin: Option<Pin>,
    #[attr(write_only)]
    once: Option<Pin>,
    #[attr(sensitive)]
    keys: Option<Vec<Key>>,
    door: Option<Door>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Key {
    cut: Pin,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Door {
    #[attr(write_only)]
    code: Option<String>,
    #[attr(sensitive, validate = no_space)]
    word: Option<String>,
}

fn no_space(string: &String) -> Result<(), String> {
    if string.contains(' ') { Err(format!("no spaces, please: {string}")) } else { Ok(()) }
}

impl Resource for Lock {
    type Provider = Test;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<LockComputed> {
        Ok(LockComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Hint {
    #[attr(sensitive)]
    word: String,
}

impl DataSource for Hint {
    type Provider = Test;

    async fn read(_: &DataCx<Self>, args: Args<Self>) -> Result<HintComputed> {
        Err(Diagnostic::error(format!("There is no hint for {}", args.word)).into())
    }
}

#[test]
fn data_source_error_masks_sensitive_configuration() {
    let hint = Harness::start::<Test>(config! {}).data_source("test_hint");
    let errors = hint.try_read(config! { word = "mellon" }).error();
    assert_eq!(errors.to_string(), "There is no hint for (sensitive value)");
}

#[test]
fn error_about_sensitive_value_does_not_depend_on_value() {
    let mut lock = Harness::start::<Test>(config! {}).resource("test_lock");
    let errors = lock
        .try_apply(config! {
            pin = "12345",
            once = "abcdef",
            keys = [{ cut = "zz\"zz" }],
            door = { word = "open sesame" },
        })
        .error();
    expect![[r#"
        pin: Invalid Attribute Value: A string of four digits is required, but got (sensitive value).
        once: Invalid Attribute Value: The value is not valid; the reason is not shown because the value is sensitive.
        keys[0].cut: Invalid Attribute Value: The value is not valid; the reason is not shown because the value is sensitive.
        door.word: Invalid Attribute Value: The value is not valid. The reason is not shown, because the value is sensitive."#]]
    .assert_eq(&errors.to_string());
}

/// Either an attribute or a value that encloses it can be sensitive. Some errors are about the type of the value.
#[test]
fn failed_contract_check_shows_no_sensitive_value() {
    let pw = || Block::new().attribute(Attribute::raw("pw", Type::String).with_mode(Mode::Optional));
    let block = Block::new()
        .attribute(Attribute::raw_nested("creds", Nested::single(pw())).optional().sensitive())
        .attribute(Attribute::raw_nested("by_user", Nested::map(pw())).optional().sensitive())
        .attribute(Attribute::raw("tok", Type::Number).computed().sensitive())
        .attribute(Attribute::raw("keys", Type::map(Type::Number)).computed().sensitive());
    let object = |pw: &str, more: &[&str], tok: Value, keys: Value| {
        let user = |it: &&str| ((*it).to_owned(), Value::object([("pw", pw.into())]));
        let by_user = ["ann"].iter().chain(more).map(user);
        Value::object([
            ("creds", Value::object([("pw", pw.into())])),
            ("by_user", Value::map(by_user)),
            ("tok", tok),
            ("keys", keys),
        ])
    };
    let config = object("mellon", &[], Value::Null, Value::Null);
    let wrong_types =
        object("hunter2", &["hunter3"], "hunter4".into(), Value::map([("hunter5", "x".into())]));
    let messages = |found: ferroform::Diagnostics| {
        assert!(!format!("{found:?}").contains("hunter"), "{found:?}");
        found
            .iter()
            .map(|it| it.detail.split(". ").next().unwrap_or_default().to_owned() + "\n")
            .collect::<String>()
    };
    expect![[r#"
        creds.pw: the configured value is (sensitive value), but the provider planned (sensitive value)
        by_user: the provider returned this key, but the configuration does not contain it
        by_user: the configured value is (sensitive value), but the provider planned (sensitive value)
        tok: the type in the schema is number, but the provider returned (sensitive value)
        keys: the type in the schema is number, but the provider returned (sensitive value)
    "#]]
    .assert_eq(&messages(contract::check_plan(&block, &config, &Value::Null, &wrong_types)));
    expect![[r#"
        keys: the type in the schema is number, but the provider returned (sensitive value)
        tok: the type in the schema is number, but the provider returned (sensitive value)
    "#]]
    .assert_eq(&messages(contract::check_type(&block, &wrong_types)));
    let planned = object("mellon", &[], Value::UNKNOWN, Value::UNKNOWN);
    let applied = object("hunter2", &["hunter3"], 1.into(), Value::map([("hunter5", 1.into())]));
    expect![[r#"
        by_user: the provider returned this key, but the plan does not contain it
        by_user: the planned value is (sensitive value), but the provider returned (sensitive value)
        creds.pw: the planned value is (sensitive value), but the provider returned (sensitive value)
    "#]]
    .assert_eq(&messages(contract::check_new_state(&block, &planned, &applied)));
}

#[test]
fn write_only_values_are_not_stored_at_any_depth() {
    let mut lock = Harness::start::<Test>(config! {}).resource("test_lock");
    lock.apply(config! { once = "1234", door = { code = "xyzzy", word = "plugh" } });
    expect![[r#"door.word = (sensitive value)"#]].assert_eq(&lock.state().to_string());

    let inner = || {
        Block::new().attribute(Attribute::raw("code", Type::String).with_mode(Mode::Optional).write_only())
    };
    let block = Block::new()
        .attribute(Attribute::raw_nested("doors", Nested::list(inner())))
        .block(Attribute::raw_nested("gate", Nested::list(inner())));
    let code = || Value::List(vec![Value::object([("code", Value::from("xyzzy"))])]);
    let found = contract::check_state(&block, &Value::object([("doors", code()), ("gate", code())]));
    let lines: Vec<_> = found.iter().map(|it| it.detail.split(". ").next().unwrap_or_default()).collect();
    expect![[r#"
        doors[0].code: a write-only value must not be stored, but the provider returned one
        gate[0].code: a write-only value must not be stored, but the provider returned one"#]]
    .assert_eq(&lines.join("\n"));
}

/// Terraform rejects such a schema.
#[test]
fn set_with_write_only_attribute_is_rejected() {
    let inner = || {
        Block::new().attribute(Attribute::raw("code", Type::String).with_mode(Mode::Optional).write_only())
    };
    let outer = || Block::new().attribute(Attribute::raw_nested("locks", Nested::list(inner())));
    let schema = |block| Schema::new(block);
    let errors = |block| {
        schema(block).definition_errors().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    expect!["doors.code: a write-only attribute is not supported inside the set `doors`"]
        .assert_eq(&errors(Block::new().attribute(Attribute::raw_nested("doors", Nested::set(inner())))));
    expect!["doors.locks.code: a write-only attribute is not supported inside the set `doors`"]
        .assert_eq(&errors(Block::new().block(Attribute::raw_nested("doors", Nested::set(outer())))));
    expect![[r#""#]]
        .assert_eq(&errors(Block::new().attribute(Attribute::raw_nested("doors", Nested::list(outer())))));
}

#[derive(Model, Clone, Debug, PartialEq)]
struct SafeV0 {
    #[attr(sensitive)]
    old: BTreeMap<String, u64>,
}

#[derive(Model, Clone, Debug, PartialEq)]
#[attr(version = 1, upgrade_from = SafeV0)]
struct Safe {
    #[attr(sensitive)]
    codes: BTreeMap<String, u64>,
    #[attr(sensitive)]
    any: Option<Dynamic>,
}

impl From<SafeV0> for Safe {
    fn from(old: SafeV0) -> Safe {
        Safe { codes: old.old, any: None }
    }
}

impl Resource for Safe {
    type Provider = Test;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<SafeComputed> {
        Ok(SafeComputed {})
    }

    async fn read(_: &ReadCx<Self>, _: Self) -> Result<Option<Self>> {
        Err(Diagnostic::error("Cannot Read").at(path!(any.SECRET[0])).into())
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn paths_of_errors_about_states_contain_no_part_of_a_sensitive_value() {
    let server = ferroform::server::<Test>();
    let configured = server.configure_provider(Value::object::<&str>([]), &Default::default()).await;
    assert!(configured.is_empty());
    let state = |codes| Value::object([("codes", codes), ("any", Value::Null)]);
    let read = async |codes| {
        let request = ReadRequest {
            type_name: "test_safe".into(),
            state: Some(state(codes)),
            ..ReadRequest::default()
        };
        server.read_resource(request).await.diagnostics
    };
    let errors = read(Value::map([("SECRET", Value::Null)])).await;
    expect![
        "codes: Cannot Read the State: Value Conversion Error: A whole number is required, but got null."
    ]
    .assert_eq(&errors.to_string());
    let errors = read(Value::map([("SECRET", 1.into())])).await;
    expect!["any: Cannot Read"].assert_eq(&errors.to_string());
    let (_, errors) = server.upgrade_resource_state("test_safe", 0, br#"{"old": {"SECRET": null}}"#).await;
    expect!["old: Unable to Upgrade Resource State: From version 0 to version 1 of test_safe: Value Conversion Error: A whole number is required, but got null."].assert_eq(&errors.to_string());
}
