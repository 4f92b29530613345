//! Sensitive and write-only values: where they must not be.

use expect_test::expect;
use ferroform::engine::contract;
use ferroform::schema::{Attribute, Block, Mode, Nested, Schema};
use ferroform::value::{Error, Type, Value};
use ferroform::view::View;
use ferroform::{Attr, Call, Cx, Known, Maybe, Model, Planned, Provider, Registry, Resource, Result};
use ferroform_testing::{Core, config};

struct Test;

impl Provider for Test {
    const ADDRESS: &'static str = "example.com/test/test";
    type Config = ();

    async fn configure(_: &Call, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Test))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Lock>("test_lock");
    }
}

/// Four digits. The error for other texts shows them.
#[derive(Clone, Debug, PartialEq)]
struct Pin(String);

impl Attr for Pin {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        let text = String::from_value(value)?;
        let is_pin = text.len() == 4 && text.chars().all(|it| it.is_ascii_digit());
        if is_pin {
            Ok(Pin(text))
        } else {
            Err(Error::new(format!("four digits are required, but this is {text:?}")))
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

fn no_space(text: &String) -> Result<(), String> {
    if text.contains(' ') { Err(format!("no spaces, please: {text}")) } else { Ok(()) }
}

impl Resource for Lock {
    type Provider = Test;

    async fn create(_: &Cx<Test>, _: Planned<Self>) -> Result<LockComputed> {
        Ok(LockComputed {})
    }

    async fn read(_: &Cx<Test>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &Cx<Test>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[test]
fn what_is_wrong_with_a_secret_is_said_without_it() {
    let mut lock = Core::start::<Test>(config! {}).resource("test_lock");
    let errors = lock.expect_error(config! {
        pin = "12345",
        once = "abcdef",
        keys = [{ cut = "zz\"zz" }],
        door = { word = "open sesame" },
    });
    expect![[r#"
        pin: Configuration Read Error: Four digits are required, but this is "(sensitive value)".
        once: Configuration Read Error: Four digits are required, but this is "(sensitive value)".
        keys[0].cut: Configuration Read Error: Four digits are required, but this is "(sensitive value)".
        door.word: Invalid Attribute Value: The value is refused. What the provider says of it is not shown, because it is sensitive."#]]
    .assert_eq(&errors.to_string());
}

#[test]
fn nothing_write_only_is_stored_at_any_depth() {
    let mut lock = Core::start::<Test>(config! {}).resource("test_lock");
    lock.apply(config! { once = "1234", door = { code = "xyzzy", word = "plugh" } });
    expect![[r#"door.word = (sensitive value)"#]].assert_eq(&lock.state().to_string());

    let inner =
        || Block::new().attribute(Attribute::raw("code", Type::String).mode(Mode::Optional).write_only());
    let block = Block::new()
        .attribute(Attribute::raw_nested("doors", Nested::list(inner())))
        .block(Attribute::raw_nested("gate", Nested::list(inner())));
    let code = || Value::List(vec![Value::object([("code", Value::from("xyzzy"))])]);
    let found = contract::state(&block, &Value::object([("doors", code()), ("gate", code())]));
    let lines: Vec<_> = found.iter().map(|it| it.detail.split(". ").next().unwrap_or_default()).collect();
    expect![[r#"
        doors[0].code: a write-only value must not be stored, but the provider answered one
        gate[0].code: a write-only value must not be stored, but the provider answered one"#]]
    .assert_eq(&lines.join("\n"));
}

/// Terraform refuses the whole schema otherwise.
#[test]
fn nothing_write_only_is_in_a_set() {
    let inner =
        || Block::new().attribute(Attribute::raw("code", Type::String).mode(Mode::Optional).write_only());
    let outer = || Block::new().attribute(Attribute::raw_nested("locks", Nested::list(inner())));
    let schema = |block| Schema { version: 0, block };
    let faults =
        |block| schema(block).faults().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    expect!["doors.code: what is write-only cannot stand in the set `doors`"]
        .assert_eq(&faults(Block::new().attribute(Attribute::raw_nested("doors", Nested::set(inner())))));
    expect!["doors.locks.code: what is write-only cannot stand in the set `doors`"]
        .assert_eq(&faults(Block::new().block(Attribute::raw_nested("doors", Nested::set(outer())))));
    expect![[r#""#]]
        .assert_eq(&faults(Block::new().attribute(Attribute::raw_nested("doors", Nested::list(outer())))));
}
