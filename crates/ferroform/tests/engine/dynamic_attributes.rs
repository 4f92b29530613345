//! Options and validators of attributes whose type is only known at run time: their functions receive a `Dynamic`.

#![allow(missing_docs, clippy::unwrap_used, reason = "test code")]

use crate::common::instance;
use ferroform::defaults::env;
use ferroform::schema::{Attribute, AttributeExt as _, Block, BlockExt as _, Nested, Schema, ValueChange};
use ferroform::validators::{Validator, all, configured, equals, not};
use ferroform::value::{Type, Value};
use ferroform::{Attr, Diagnostic, Dynamic, Known, Maybe, Unknown, path};
use ferroform_testing::{Configuration, Instance, config, unknown};

fn words() -> Type {
    Type::list(Type::String)
}

/// A schema with this attribute, called `it`, and one beside it.
fn of(it: Attribute) -> Schema {
    let block = Block::new().attribute(Attribute::raw("beside", Type::String).optional()).attribute(it);
    let schema = Schema { version: 0, block };
    assert_eq!(schema.definition_errors(), []);
    schema
}

fn optional() -> Attribute {
    Attribute::raw("it", words()).optional()
}

fn planned(it: Attribute, state: Option<Configuration>, config: Configuration) -> String {
    instance(of(it), true, state).plan(config).to_string()
}

fn list(words: &[&str]) -> Dynamic {
    Dynamic::of(words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()).unwrap()
}

/// True where the two hold the same number of words.
fn same_length(old: &Dynamic, new: &Dynamic) -> bool {
    let length = |it: &Dynamic| it.get::<Vec<String>>().unwrap().len();
    assert_eq!(old.ty(), &words());
    length(old) == length(new)
}

#[test]
fn default_has_the_type_of_the_attribute() {
    let given = optional().default(|| list(&["a", "b"]));
    assert_eq!(
        planned(given, None, config! {}),
        r#"create
+ it = ["a", "b"]"#
    );
    let given = optional().default_with(|| Some(list(&["a"])));
    assert_eq!(
        planned(given, None, config! {}),
        r#"create
+ it = ["a"]"#
    );
}

#[test]
fn default_of_another_type_is_reported() {
    let block = Block::new().attribute(optional().default(|| Dynamic::of(5).unwrap()));
    let faults = Schema { version: 0, block }.definition_errors();
    let faults: Vec<_> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults, ["it: the default is invalid: the type is list(string), but the value is a number"]);
}

#[test]
fn environment_variable_is_converted_to_attribute_type() {
    let size = Attribute::raw("it", Type::Number).optional();
    let given = size.default_with::<Dynamic, _>(env("FERROFORM_NO_SUCH_VARIABLE").otherwise("5"));
    assert_eq!(planned(given, None, config! {}), "create\n+ it = 5");
}

#[test]
fn invalid_environment_variable_is_masked() {
    let size = Attribute::raw("it", Type::Number).optional();
    let given = size.default_with::<Dynamic, _>(env("FERROFORM_NO_SUCH_VARIABLE").otherwise("secret"));
    let errors = instance(of(given), true, None).expect_error(config! {}).to_string();
    assert!(errors.contains("a number is required"), "{errors}");
    assert!(!errors.contains("secret"), "{errors}");
}

#[test]
fn suppress_diff_receives_dynamic_values() {
    let given = optional().suppress_diff::<Dynamic, _>(same_length);
    let state = Some(config! { it = ["a"] });
    assert_eq!(planned(given, state, config! { it = ["b"] }), "no change");
}

#[test]
fn semantic_eq_receives_dynamic_values() {
    let text = Attribute::raw("it", Type::String).optional();
    let given = text.semantic_eq::<Dynamic, _>(|old: &Dynamic, new: &Dynamic| {
        old.get::<String>().unwrap().eq_ignore_ascii_case(&new.get::<String>().unwrap())
    });
    let state = Some(config! { it = "a" });
    assert_eq!(planned(given, state, config! { it = "A" }), "no change");
}

#[test]
fn requires_replace_if_receives_dynamic_values() {
    let shrinks = |it: &ValueChange<Dynamic>| match (&it.prior, &it.plan) {
        (Some(old), Known(Some(new))) => !same_length(old, new),
        (None, _) => false,
        _ => true,
    };
    let given = || optional().requires_replace_if(shrinks);
    let state = || Some(config! { it = ["a"] });
    let stays = planned(given(), state(), config! { it = ["b"] });
    assert!(stays.starts_with("update"), "{stays}");
    let other = planned(given(), state(), config! { it = ["b", "c"] });
    assert!(other.starts_with("replace"), "{other}");
    let open = planned(given(), state(), config! { it = unknown() });
    assert!(open.starts_with("replace"), "{open}");
    let created = planned(given(), Some(config! {}), config! { it = ["b"] });
    assert!(created.starts_with("update"), "{created}");
}

#[test]
fn plan_with_receives_dynamic_values() {
    fn more(it: &ValueChange<Dynamic>) -> Maybe<Dynamic> {
        let Some(prior) = &it.prior else { return Unknown };
        let mut all = prior.get::<Vec<String>>().unwrap();
        all.push("more".to_owned());
        Known(Dynamic::of(all).unwrap())
    }
    let given = || Attribute::raw("it", words()).computed().plan_with(more);
    assert_eq!(planned(given(), None, config! {}), "create\n+ it = (known after apply)");
    let state = Some(config! { it = ["a"] });
    assert_eq!(
        planned(given(), state, config! {}),
        r#"update
~ it = ["a"] -> ["a", "more"]"#
    );
    let kept =
        Attribute::raw("it", words()).computed().plan_with(|it: &ValueChange<Dynamic>| it.as_planned());
    let state = Some(config! { it = ["a"] });
    assert_eq!(planned(kept, state, config! {}), "no change");
}

#[test]
fn validators_read_dynamic_values() {
    let errors = |it: Attribute, config| instance(of(it), true, None).expect_error(config).to_string();
    let no_root = |it: &Dynamic| match it.get::<Vec<String>>() {
        Ok(it) if it.iter().any(|it| it == "root") => Err("a user other than root is required"),
        _ => Ok(()),
    };
    let found = errors(optional().validate::<Dynamic, _>(no_root), config! { it = ["a", "root"] });
    assert!(found.contains("A user other than root is required"), "{found}");
    let found = errors(optional().validate(equals::<Dynamic>(list(&["a"]))), config! { it = ["b"] });
    assert!(found.contains(r#"The value ["a"] is required, but got ["b"]"#), "{found}");
    let given = optional().validate(not(equals::<Dynamic>(list(&["a"])), "something else is required"));
    planned(given, None, config! { it = ["b"] });
}

/// A port above 9 is refused; the object is of the type that the block has in the end.
fn low(it: &Dynamic) -> Result<(), String> {
    let port = it.data().get::<Option<u64>>(path!(port)).map_err(|it| it.to_string())?;
    if port > Some(9) { Err(format!("the port is {port:?} of {}", it.ty())) } else { Ok(()) }
}

fn port() -> Attribute {
    Attribute::raw("port", Type::Number).optional()
}

fn id() -> Attribute {
    Attribute::raw("id", Type::String).computed()
}

fn thing(block: Block) -> Instance {
    let schema = Schema { version: 0, block };
    assert_eq!(schema.definition_errors(), []);
    instance(schema, true, None)
}

fn refused(block: Block, config: Configuration) -> String {
    thing(block).expect_error(config).to_string()
}

const HIGH: &str = "Invalid Attribute Value: The port is Some(10) of object({id = string, port = number}).";

#[test]
fn object_validator_reads_dynamic_attribute() {
    let made = || Block::new().attribute(port()).validate::<Dynamic, _>(low).attribute(id());
    thing(made()).plan(config! { port = 9 });
    thing(made()).plan(config! {});
    thing(made()).plan(config! { port = unknown() });
    assert_eq!(refused(made(), config! { port = 10 }), HIGH);
    let combined = Block::new().attributes([port(), id()]).validate(all::<Dynamic>([configured(low)]));
    assert_eq!(refused(combined, config! { port = 10 }), HIGH);
}

#[test]
fn nested_object_validator_reads_dynamic_attribute() {
    let inside = || Block::new().attributes([port(), id()]).validate::<Dynamic, _>(low);
    let many = Attribute::raw_nested("it", Nested::set(inside())).optional();
    let found = refused(Block::new().attribute(many), config! { it = [{ port = 10 }, { port = 3 }] });
    assert_eq!(found, format!("it[an element of the set]: {HIGH}"));
    let beside = Attribute::raw("beside", Type::Bool).optional();
    let flat = Block::new().attribute(beside).flatten(inside());
    assert_eq!(refused(flat, config! { port = 10, beside = true }), HIGH);
}

/// As one of a model does; what says how it is configured does not.
#[test]
fn validator_function_receives_defaults() {
    let given = || port().default(|| Dynamic::of(10_u64).unwrap());
    let block = || Block::new().attributes([given(), id()]);
    assert_eq!(refused(block().validate::<Dynamic, _>(low), config! {}), HIGH);
    thing(block().validate(configured::<Dynamic, _>(low))).plan(config! {});
    let it = Attribute::raw_nested("it", Nested::single(block())).optional();
    let found = refused(Block::new().attribute(it.validate::<Dynamic, _>(low)), config! { it = {} });
    assert_eq!(found, format!("it: {HIGH}"));
}

#[test]
fn raw_validator_receives_the_object() {
    let rule = Validator::<Dynamic>::new("a port", |it| match it {
        Value::Object(it) if it.get("port").is_some_and(|it| !it.is_null()) => Ok(()),
        _ => Err(Diagnostic::error("No port").into()),
    });
    let made = || Block::new().attributes([port(), id()]).validate(rule.clone().partial());
    thing(made()).plan(config! { port = unknown() });
    assert_eq!(refused(made(), config! {}), "No port");
}

/// What is of any type stays as it is.
#[test]
fn dynamic_attribute_is_not_converted() {
    let given = Attribute::raw("it", Type::Dynamic).optional().default(|| list(&["a"]));
    let made = instance(of(given), true, None).plan(config! {});
    let value = made.after.as_ref().and_then(|it| it.value().attribute("it").cloned());
    assert_eq!(value, Some(Value::dynamic(words(), vec!["a".to_owned()].to_value())));
}
