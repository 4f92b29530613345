//! Options and validators of attributes whose type is only known at run time. Their functions receive a `Dynamic`.

#![allow(missing_docs, clippy::unwrap_used, reason = "test code")]

use crate::common::instance;
use ferroform::defaults::env;
use ferroform::schema::{Attribute, AttributeExt as _, Block, BlockExt as _, Nested, Schema, ValueChange};
use ferroform::validators::{Validator, all, configured, equals, not};
use ferroform::value::{Type, Value};
use ferroform::{Attr, Diagnostic, Dynamic, Known, Maybe, Unknown, path};
use ferroform_testing::{Configuration, Instance, config, unknown};

fn string_list_type() -> Type {
    Type::list(Type::String)
}

/// Returns a schema with this attribute, called `it`, and a sibling.
fn of(it: Attribute) -> Schema {
    let block = Block::new().attribute(Attribute::raw("sibling", Type::String).optional()).attribute(it);
    let schema = Schema::new(block);
    assert_eq!(schema.definition_errors(), []);
    schema
}

fn optional() -> Attribute {
    Attribute::raw("it", string_list_type()).optional()
}

fn planned(it: Attribute, state: Option<Configuration>, config: Configuration) -> String {
    instance(of(it), true, state).plan(config).to_string()
}

fn list(string_list_type: &[&str]) -> Dynamic {
    Dynamic::of(string_list_type.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()).unwrap()
}

/// Returns true if both lists have the same length.
fn same_length(old: &Dynamic, new: &Dynamic) -> bool {
    let length = |it: &Dynamic| it.get::<Vec<String>>().unwrap().len();
    assert_eq!(old.ty(), &string_list_type());
    length(old) == length(new)
}

#[test]
fn default_has_the_type_of_the_attribute() {
    let attribute = optional().default(|| list(&["a", "b"]));
    assert_eq!(
        planned(attribute, None, config! {}),
        r#"create
+ it = ["a", "b"]"#
    );
    let attribute = optional().default_with(|| Some(list(&["a"])));
    assert_eq!(
        planned(attribute, None, config! {}),
        r#"create
+ it = ["a"]"#
    );
}

#[test]
fn default_of_another_type_is_reported() {
    let block = Block::new().attribute(optional().default(|| Dynamic::of(5).unwrap()));
    let errors = Schema::new(block).definition_errors();
    let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(errors, ["it: the default is invalid: the type is list(string), but the value is a number"]);
}

#[test]
fn environment_variable_is_converted_to_attribute_type() {
    let size = Attribute::raw("it", Type::Number).optional();
    let attribute = size.default_with::<Dynamic, _>(env("FERROFORM_NO_SUCH_VARIABLE").otherwise("5"));
    assert_eq!(planned(attribute, None, config! {}), "create\n+ it = 5");
}

#[test]
fn invalid_environment_variable_is_masked() {
    let size = Attribute::raw("it", Type::Number).optional();
    let attribute = size.default_with::<Dynamic, _>(env("FERROFORM_NO_SUCH_VARIABLE").otherwise("secret"));
    let errors = instance(of(attribute), true, None).try_apply(config! {}).error().to_string();
    assert!(errors.contains("a number is required"), "{errors}");
    assert!(!errors.contains("secret"), "{errors}");
}

#[test]
fn suppress_diff_receives_dynamic_values() {
    let attribute = optional().suppress_diff::<Dynamic, _>(same_length);
    let state = Some(config! { it = ["a"] });
    assert_eq!(planned(attribute, state, config! { it = ["b"] }), "no change");
}

#[test]
fn semantic_eq_receives_dynamic_values() {
    let string = Attribute::raw("it", Type::String).optional();
    let attribute = string.semantic_eq::<Dynamic, _>(|old: &Dynamic, new: &Dynamic| {
        old.get::<String>().unwrap().eq_ignore_ascii_case(&new.get::<String>().unwrap())
    });
    let state = Some(config! { it = "a" });
    assert_eq!(planned(attribute, state, config! { it = "A" }), "no change");
}

#[test]
fn requires_replace_if_receives_dynamic_values() {
    let shrinks = |it: &ValueChange<Dynamic>| match (&it.prior, &it.plan) {
        (Some(old), Known(Some(new))) => !same_length(old, new),
        (None, _) => false,
        _ => true,
    };
    let attribute = || optional().requires_replace_if(shrinks);
    let state = || Some(config! { it = ["a"] });
    let shrunk = planned(attribute(), state(), config! { it = ["b"] });
    assert!(shrunk.starts_with("update"), "{shrunk}");
    let other = planned(attribute(), state(), config! { it = ["b", "c"] });
    assert!(other.starts_with("replace"), "{other}");
    let unknown_value = planned(attribute(), state(), config! { it = unknown() });
    assert!(unknown_value.starts_with("replace"), "{unknown_value}");
    let created = planned(attribute(), Some(config! {}), config! { it = ["b"] });
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
    let attribute = || Attribute::raw("it", string_list_type()).computed().plan_with(more);
    assert_eq!(planned(attribute(), None, config! {}), "create\n+ it = (known after apply)");
    let state = Some(config! { it = ["a"] });
    assert_eq!(
        planned(attribute(), state, config! {}),
        r#"update
~ it = ["a"] -> ["a", "more"]"#
    );
    let kept_value = Attribute::raw("it", string_list_type())
        .computed()
        .plan_with(|it: &ValueChange<Dynamic>| it.as_planned());
    let state = Some(config! { it = ["a"] });
    assert_eq!(planned(kept_value, state, config! {}), "no change");
}

#[test]
fn validators_read_dynamic_values() {
    let errors = |it: Attribute, config| instance(of(it), true, None).try_apply(config).error().to_string();
    let no_root = |it: &Dynamic| match it.get::<Vec<String>>() {
        Ok(it) if it.iter().any(|it| it == "root") => Err("a user other than root is required"),
        _ => Ok(()),
    };
    let found = errors(optional().validate::<Dynamic, _>(no_root), config! { it = ["a", "root"] });
    assert!(found.contains("A user other than root is required"), "{found}");
    let found = errors(optional().validate(equals::<Dynamic>(list(&["a"]))), config! { it = ["b"] });
    assert!(found.contains(r#"The value ["a"] is required, but got ["b"]"#), "{found}");
    let attribute = optional().validate(not(equals::<Dynamic>(list(&["a"])), "something else is required"));
    planned(attribute, None, config! { it = ["b"] });
}

/// Accepts ports up to 9. The value has the final type of the block.
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

fn instance_of(block: Block) -> Instance {
    let schema = Schema::new(block);
    assert_eq!(schema.definition_errors(), []);
    instance(schema, true, None)
}

fn error_message(block: Block, config: Configuration) -> String {
    instance_of(block).try_apply(config).error().to_string()
}

const HIGH: &str = "Invalid Attribute Value: The port is Some(10) of object({id = string, port = number}).";

#[test]
fn object_validator_reads_dynamic_attribute() {
    let block = || Block::new().attribute(port()).validate::<Dynamic, _>(low).attribute(id());
    instance_of(block()).plan(config! { port = 9 });
    instance_of(block()).plan(config! {});
    instance_of(block()).plan(config! { port = unknown() });
    assert_eq!(error_message(block(), config! { port = 10 }), HIGH);
    let combined = Block::new().with_attributes([port(), id()]).validate(all::<Dynamic>([configured(low)]));
    assert_eq!(error_message(combined, config! { port = 10 }), HIGH);
}

#[test]
fn nested_object_validator_reads_dynamic_attribute() {
    let inside = || Block::new().with_attributes([port(), id()]).validate::<Dynamic, _>(low);
    let many = Attribute::raw_nested("it", Nested::set(inside())).optional();
    let found = error_message(Block::new().attribute(many), config! { it = [{ port = 10 }, { port = 3 }] });
    assert_eq!(found, format!("it[an element of the set]: {HIGH}"));
    let sibling = Attribute::raw("sibling", Type::Bool).optional();
    let flat = Block::new().attribute(sibling).flatten(inside());
    assert_eq!(error_message(flat, config! { port = 10, sibling = true }), HIGH);
}

/// A function validator receives defaults, as in a model. A validator in `configured` does not.
#[test]
fn validator_function_receives_defaults() {
    let attribute = || port().default(|| Dynamic::of(10_u64).unwrap());
    let block = || Block::new().with_attributes([attribute(), id()]);
    assert_eq!(error_message(block().validate::<Dynamic, _>(low), config! {}), HIGH);
    instance_of(block().validate(configured::<Dynamic, _>(low))).plan(config! {});
    let it = Attribute::raw_nested("it", Nested::single(block())).optional();
    let found = error_message(Block::new().attribute(it.validate::<Dynamic, _>(low)), config! { it = {} });
    assert_eq!(found, format!("it: {HIGH}"));
}

#[test]
fn raw_validator_receives_the_object() {
    let rule = Validator::<Dynamic>::new("a port", |it| match it {
        Value::Object(it) if it.get("port").is_some_and(|it| !it.is_null()) => Ok(()),
        _ => Err(Diagnostic::error("No port").into()),
    });
    let block = || Block::new().with_attributes([port(), id()]).validate(rule.clone().partial());
    instance_of(block()).plan(config! { port = unknown() });
    assert_eq!(error_message(block(), config! {}), "No port");
}

/// A dynamic attribute keeps the type of its value.
#[test]
fn dynamic_attribute_is_not_converted() {
    let attribute = Attribute::raw("it", Type::Dynamic).optional().default(|| list(&["a"]));
    let plan = instance(of(attribute), true, None).plan(config! {});
    let value = plan.after.as_ref().and_then(|it| it.value().attribute("it").cloned());
    assert_eq!(value, Some(Value::dynamic(string_list_type(), vec!["a".to_owned()].to_value())));
}
