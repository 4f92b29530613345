//! Errors of `plan_with` functions, and schemas in which `plan_with` is invalid.

use std::collections::{BTreeMap, BTreeSet};
use std::num::ParseIntError;

use expect_test::expect;
use ferroform::schema::{Attribute, AttributeExt as _, Block, Nested, Schema, ValueChange};
use ferroform::value::Type;
use ferroform::{Diagnostic, Known, Maybe, Model, Result};
use ferroform_testing::{Action, config};

use crate::common::{instance, plan};
use crate::plan_with::{keep, newest, nothing};

/// Errors and panics have the path of their attribute. The errors of several attributes are returned together.
#[test]
fn plan_with_errors_have_attribute_paths() {
    fn failing(_: &ValueChange<i64>) -> Result<Maybe<i64>, ParseIntError> {
        "x".parse().map(Known)
    }
    fn failing_with_diagnostic(_: &ValueChange<i64>) -> Result<Maybe<Option<i64>>> {
        Err(Diagnostic::error("Nothing left").detail("There is no number left.").into())
    }
    fn panicking(_: &ValueChange<i64>) -> Maybe<i64> {
        panic!("no luck")
    }
    #[derive(Model, Clone, Debug, PartialEq)]
    struct WithErrors {
        #[attr(mixed)]
        rows: Option<Vec<Row>>,
        #[attr(mixed)]
        by_name: Option<BTreeMap<String, Row>>,
        #[attr(block, mixed)]
        part: BTreeSet<Row>,
        #[attr(computed, plan_with = failing_with_diagnostic)]
        number: i64,
        #[attr(computed, plan_with = panicking)]
        luck: i64,
    }
    #[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Row {
        #[attr(optional, computed, plan_with = failing)]
        size: i64,
    }
    let config = || {
        config! {
            rows = [{ size = 1 }, {}], by_name = { a = {} }, part {} part { size = 1 }
        }
    };
    let errors = |state| {
        let error = instance(WithErrors::schema(), true, state).try_apply(config()).error().to_string();
        let (before, after) = error.split_once(concat!(file!(), ":")).unwrap();
        format!("{before}…{}", after.trim_start_matches(|it: char| it.is_ascii_digit()))
    };
    let first = errors(None);
    expect![[r#"
        rows[1].size: invalid digit found in string
        by_name["a"].size: invalid digit found in string
        number: Nothing left: There is no number left.
        luck: Provider Panicked: The `plan_with` function of "luck" panicked at …: no luck

        This is a bug in the provider; please report it to its authors.
        part[an element of the set].size: invalid digit found in string"#]]
    .assert_eq(&first);
    // Each error is returned once, although the engine plans an update twice.
    assert_eq!(errors(Some(config! { number = 1, luck = 2 })), first);
}

/// The type of the attribute determines whether null is valid.
#[test]
fn plan_with_rejects_null_for_non_nullable_types() {
    #[derive(Model, Clone, Debug, PartialEq)]
    struct NonNullable {
        #[attr(computed, plan_with = nothing)]
        name: String,
        #[attr(computed, plan_with = nothing)]
        note: Option<String>,
    }
    let panic = std::panic::catch_unwind(|| plan::<NonNullable>(None, config! {})).expect_err("no plan");
    let message = panic.downcast_ref::<String>().map_or("", |it| it);
    assert!(
        message
            .contains("name: The planned value of the attribute \"name\" is null, but it must not be null"),
        "{message}"
    );
}

#[test]
fn runtime_schema_behaves_the_same_and_reports_errors() {
    let string = |name: &str| Attribute::raw(name, Type::String);
    let inner = || Block::new().attribute(string("name"));
    let block = Block::new()
        .attribute(string("required").plan_with::<String, _>(keep))
        .attribute(string("optional").optional().plan_with::<String, _>(keep))
        .attribute(string("secret").write_only().plan_with::<String, _>(keep))
        .attribute(string("usual").default(|| "a".to_owned()).plan_with::<String, _>(keep))
        .attribute(string("with_default").default_with(|| Some("a".to_owned())).plan_with::<String, _>(keep))
        .attribute(string("number").computed().plan_with::<i64, _>(keep))
        .block(Attribute::raw_nested("block", Nested::list(inner())).plan_with::<Vec<String>, _>(keep));
    let errors = Schema::new(block).definition_errors();
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    expect![[r#"
        required: `plan_with` requires a computed attribute
        optional: `plan_with` requires a computed attribute
        secret: `plan_with` has no effect on a write-only attribute
        usual: an attribute cannot have both a default and `plan_with`
        with_default: an attribute cannot have both a default and `plan_with`
        number: the function of `plan_with` is invalid: it takes values of type number, but the attribute is of type string
        block: a block does not support this option; add it to the attributes of the block"#]]
    .assert_eq(&errors.join("\n"));

    let size = Attribute::raw("size", Type::Number).optional_computed().plan_with::<i64, _>(newest);
    let schema = Schema::new(Block::new().attribute(size));
    assert_eq!(schema.definition_errors(), []);
    let mut instance = instance(schema, true, Some(config! { size = 2 }));
    assert_eq!(instance.plan(config! {}).action, Action::Update);
    assert_eq!(instance.plan(config! { size = 2 }).action, Action::NoOp);
}
