//! The checks of planned states, including plans that typed resources cannot return.

use std::sync::atomic::{AtomicUsize, Ordering};

use expect_test::{Expect, expect};
use ferroform::schema::{Attribute, AttributeExt as _, Block, Mode, Nested};
use ferroform::value::{Refinements, Type, Value};
use ferroform_engine::contract;

fn block() -> Block {
    let inner = || Block::new().attribute(Attribute::raw("port", Type::Number).with_mode(Mode::Optional));
    Block::new()
        .attribute(Attribute::raw("name", Type::String).with_mode(Mode::Optional))
        .attribute(Attribute::raw("secret", Type::String).with_mode(Mode::Optional).sensitive())
        .attribute(Attribute::raw("token", Type::String).with_mode(Mode::Optional).write_only())
        .attribute(Attribute::raw("id", Type::String).computed())
        .attribute(Attribute::raw_nested("list", Nested::list(inner())).with_mode(Mode::Optional))
        .attribute(Attribute::raw_nested("set", Nested::set(inner())).with_mode(Mode::Optional))
        .block(Attribute::raw_nested("rule", Nested::set(inner())))
        .block(Attribute::raw_nested("step", Nested::list(inner())))
}

/// Returns an object with these attributes. The other attributes are null, and the other blocks are absent.
fn object<const N: usize>(attributes: [(&str, Value); N]) -> Value {
    let block = block();
    let nulls = block.attributes().iter().map(|it| (it.name().to_string(), Value::Null));
    let absent = block.blocks().iter().map(|it| (it.name().to_string(), it.absent()));
    let configured = attributes.into_iter().map(|(name, it)| (name.to_owned(), it));
    Value::object(nulls.chain(absent).chain(configured).collect::<Vec<_>>())
}

fn ports(ports: &[i64]) -> impl Iterator<Item = Value> {
    ports.iter().map(|it| Value::object([("port", Value::from(*it))]))
}

/// Checks a plan for a configuration and a prior state, and compares the errors with a snapshot.
fn check<const N: usize, const M: usize, const K: usize>(
    config: [(&str, Value); N],
    prior: [(&str, Value); M],
    planned: [(&str, Value); K],
    expected: Expect,
) {
    let prior = if M == 0 { Value::Null } else { object(prior) };
    let found = contract::check_plan(&block(), &object(config), &prior, &object(planned));
    let lines: Vec<String> = found
        .iter()
        .map(|it| it.detail.split(". This is a bug").next().unwrap_or_default().to_owned())
        .collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn planned_value_is_configured_prior_or_computed() {
    check([("name", "a".into())], [], [("name", "a".into()), ("id", Value::UNKNOWN)], expect![[r#""#]]);
    check([("name", "A".into())], [("name", "a".into())], [("name", "a".into())], expect![[r#""#]]);
    check(
        [("name", "A".into())],
        [],
        [("name", "a".into())],
        expect![[r#"name: the configured value is "A", but the provider planned "a""#]],
    );
    check(
        [],
        [("name", "a".into())],
        [("name", "a".into())],
        expect![[r#"name: the configuration omits it, but the provider planned "a""#]],
    );
    check(
        [("secret", "A".into()), ("token", "B".into())],
        [],
        [("secret", "a".into()), ("token", "B".into())],
        expect![[r#"
            secret: the configured value is (sensitive value), but the provider planned (sensitive value)
            token: a write-only value must be planned as null, but the provider planned another value"#]],
    );
}

/// The refinements of an unknown value are optional: a plan may drop them.
#[test]
fn unknown_value_matches_with_or_without_refinements() {
    let refined = || Value::Unknown(Some(Box::new(Refinements::new().not_null())));
    check([("name", refined())], [], [("name", Value::UNKNOWN)], expect![[r#""#]]);
    let list = |it: Value| Value::List(vec![Value::object([("port", it)])]);
    check([("list", list(refined()))], [], [("list", list(Value::UNKNOWN))], expect![[r#""#]]);
    check([("list", refined())], [], [("list", Value::UNKNOWN)], expect![[r#""#]]);
    check(
        [("name", refined())],
        [],
        [("name", "a".into())],
        expect![[
            r#"name: the configured value is an unknown value (not null), but the provider planned "a""#
        ]],
    );
}

#[test]
fn nested_objects_match_their_configuration() {
    let list = |it: &[i64]| Value::List(ports(it).collect());
    check([("list", list(&[1, 2]))], [], [("list", list(&[1, 2]))], expect![[r#""#]]);
    // The plan may keep the prior value as a whole, as for any other attribute.
    check([("list", list(&[1, 2]))], [("list", list(&[3]))], [("list", list(&[3]))], expect![[r#""#]]);
    check(
        [("list", list(&[1, 2]))],
        [],
        [("list", list(&[1]))],
        expect![
            "list: the configured value is a list of length 2, but the provider planned a list of length 1: the number and the paths of the nested objects must be equal"
        ],
    );
    check(
        [("step", list(&[1]))],
        [],
        [("step", list(&[2]))],
        expect![[r#"step[0].port: the configured value is 1, but the provider planned 2"#]],
    );
    check(
        [("step", list(&[]))],
        [],
        [("step", Value::Null)],
        expect![
            "step: the configured value is a list of length 0, but the provider planned null: the number and the paths of the nested objects must be equal"
        ],
    );
}

/// Terraform only compares the number of set elements in an attribute. The engine requires a planned element for each
/// configured element.
#[test]
fn set_elements_match_their_configuration() {
    let set = |it: &[i64]| Value::set(ports(it));
    check([("set", set(&[1, 2]))], [], [("set", set(&[2, 1]))], expect![[r#""#]]);
    check(
        [("set", set(&[1, 2]))],
        [],
        [("set", set(&[3, 2]))],
        expect!["set[an element of the set].port: the configured value is 1, but the provider planned 3"],
    );
    check(
        [("set", set(&[1, 2]))],
        [],
        [("set", set(&[3]))],
        expect![
            "set: the configured value is a set of length 2, but the provider planned a set of length 1: the number and the paths of the nested objects must be equal"
        ],
    );
    check(
        [("rule", set(&[1, 2]))],
        [],
        [("rule", set(&[2]))],
        expect![
            "rule[an element of the set]: the configured value is an object, but the provider planned no such element"
        ],
    );
    check(
        [("rule", set(&[1, 2]))],
        [],
        [("rule", set(&[3]))],
        expect![[r#"
            rule[an element of the set].port: the configured value is 1, but the provider planned 3
            rule[an element of the set]: the configured value is an object, but the provider planned no such element"#]],
    );
    check(
        [("rule", set(&[1]))],
        [],
        [("rule", set(&[1, 2]))],
        expect![
            "rule[an element of the set]: the configuration has no such element, but the provider planned an object"
        ],
    );
    check(
        [("rule", set(&[1]))],
        [],
        [("rule", set(&[]))],
        expect![
            "rule[an element of the set]: the configured value is an object, but the provider planned no such element"
        ],
    );
}

/// Elements with more configured values are matched first, unknown elements are distinguished by their refinements,
/// and a prior value may be kept if it is semantically equal.
#[test]
fn set_elements_are_matched_by_configured_values() {
    let equal_ignoring_case = |a: &String, b: &String| a.eq_ignore_ascii_case(b);
    let inner = Block::new()
        .attribute(Attribute::of::<Option<String>>("name").semantic_eq::<String, _>(equal_ignoring_case))
        .attribute(Attribute::raw("size", Type::Number).optional_computed())
        .attribute(Attribute::raw("note", Type::String).with_mode(Mode::Optional));
    let block = Block::new()
        .attribute(Attribute::raw_nested("set", Nested::set(inner.clone())).with_mode(Mode::Optional))
        .block(Attribute::raw_nested("rule", Nested::set(inner)));
    let element = |(name, size, note): &(&str, Option<i64>, Value)| {
        let size = size.map_or(Value::Null, Value::from);
        Value::object([("name", Value::from(*name)), ("size", size), ("note", note.clone())])
    };
    let messages = |config: &[(&str, Option<i64>, Value)], planned: &[(&str, Option<i64>, Value)]| {
        let object_with = |it: &[(&str, Option<i64>, Value)]| {
            Value::object([("set", Value::set(it.iter().map(element))), ("rule", Value::set([]))])
        };
        let found = contract::check_plan(&block, &object_with(config), &Value::Null, &object_with(planned));
        let message =
            |it: &ferroform::Diagnostic| it.detail.split(". This is").next().unwrap_or_default().to_owned();
        found.iter().map(message).collect::<Vec<_>>().join("\n")
    };
    let n = || Value::Null;
    assert_eq!(
        messages(&[("a", None, n()), ("a", Some(1), n())], &[("a", Some(1), n()), ("a", Some(2), n())]),
        ""
    );
    assert_eq!(
        messages(&[("a", None, n()), ("b", None, n())], &[("b", Some(2), n()), ("A", Some(1), n())]),
        ""
    );
    let refined = || Value::Unknown(Some(Box::new(Refinements::new().not_null())));
    assert_eq!(
        messages(
            &[("a", None, refined()), ("b", None, n())],
            &[("b", None, n()), ("a", None, Value::UNKNOWN)]
        ),
        ""
    );
    expect!["set[an element of the set].size: the configured value is 1, but the provider planned 2"]
        .assert_eq(&messages(
            &[("a", Some(1), n()), ("b", None, n())],
            &[("b", Some(3), n()), ("A", Some(2), n())],
        ));
    expect![[
        r#"set[an element of the set].name: the configured value is "a", but the provider planned "c""#
    ]]
    .assert_eq(&messages(&[("a", None, n()), ("b", None, n())], &[("b", None, n()), ("c", None, n())]));
    // While a value is unknown, the elements cannot be matched.
    assert_eq!(messages(&[("a", None, Value::UNKNOWN)], &[("a", None, "x".into())]), "");
    // The elements are equal after defaults. Terraform accepts that in blocks.
    let blocks = |it: &[(&str, Option<i64>, Value)]| {
        Value::object([("set", Value::Null), ("rule", Value::set(it.iter().map(element)))])
    };
    let config = blocks(&[("a", None, n()), ("a", Some(10), n())]);
    let found = contract::check_plan(&block, &config, &Value::Null, &blocks(&[("a", Some(10), n())]));
    assert_eq!(found.to_string(), "");
}

/// In large sets, every configured element without a planned element is reported, and the number of comparisons stays
/// linear.
#[test]
fn many_set_elements_match_their_configuration() {
    const COUNT: usize = 5_000;
    static COMPARISONS: AtomicUsize = AtomicUsize::new(0);
    let counted_equality = |a: &String, b: &String| {
        COMPARISONS.fetch_add(1, Ordering::Relaxed);
        a.eq_ignore_ascii_case(b)
    };
    let name = || Attribute::of::<Option<String>>("name").semantic_eq::<String, _>(counted_equality);
    let inside = Block::new()
        .attribute(Attribute::of::<Option<i64>>("port"))
        .attribute(name())
        .attribute(Attribute::raw("size", Type::Number).optional_computed());
    let names = Block::new().attribute(name());
    let block = Block::new()
        .attribute(Attribute::raw_nested("set", Nested::set(inside)).with_mode(Mode::Optional))
        .attribute(Attribute::raw_nested("names", Nested::set(names)).with_mode(Mode::Optional));
    let unmatched = |of: &str, element: &dyn Fn(usize, bool) -> Value| {
        let object_with = |planned| {
            let mut set = Some(Value::set((0..COUNT).map(|i| element(i, planned))));
            Value::object(["set", "names"].map(|it| (it, set.take_if(|_| it == of).unwrap_or(Value::Null))))
        };
        COMPARISONS.store(0, Ordering::Relaxed);
        let found = contract::check_plan(&block, &object_with(false), &Value::Null, &object_with(true));
        let comparisons = COMPARISONS.load(Ordering::Relaxed);
        assert!(comparisons <= 20 * COUNT + (1 << 17), "{of}: {comparisons}");
        let is_unmatched = |it: &&ferroform::Diagnostic| it.detail.contains("the configured value is");
        found.iter().filter(is_unmatched).count()
    };
    let port = |i: usize| Value::from(i64::try_from(i).expect("a small number"));
    let element = |at: usize, name: String, planned: bool| {
        let size = if planned { Value::UNKNOWN } else { Value::Null };
        Value::object([("port", port(at)), ("name", name.into()), ("size", size)])
    };
    let word = |i: usize, planned: bool| if planned { format!("WORD {i}") } else { format!("word {i}") };
    assert_eq!(
        unmatched("set", &|i, planned| element(i, word(i, planned), planned)),
        0,
        "every configured element has a planned element"
    );
    let moved = |i: usize, planned| element(if planned { i + COUNT } else { i }, word(i, planned), planned);
    assert!(unmatched("set", &moved) >= COUNT, "no planned element has a configured port");
    let renamed = |i: usize, planned| element(i, word(if planned { i + 1 } else { i }, planned), planned);
    assert!(unmatched("set", &renamed) >= COUNT, "no planned element has a configured name");
    let words = |by: usize| {
        move |i: usize, planned| {
            Value::object([("name", word(if planned { i + by } else { i }, planned).into())])
        }
    };
    assert!(unmatched("names", &words(COUNT)) > 0, "no configured name is planned");
}

#[test]
fn state_is_known_inside_dynamic_values() {
    let block = Block::new().attribute(Attribute::raw("any", Type::Dynamic).with_mode(Mode::Optional));
    let check = |value: Value, expected: Expect| {
        let state = Value::object([("any", Value::dynamic(Type::String, value))]);
        let errors = contract::check_state(&block, &state);
        let details: Vec<&str> = errors.iter().map(|it| it.detail.split(". This").next().unwrap()).collect();
        expected.assert_eq(&details.join("\n"));
    };
    check("a".into(), expect![[r#""#]]);
    check(
        Value::UNKNOWN,
        expect![[r#"any: the value must be known after apply, but the provider returned an unknown value"#]],
    );
}
