//! What is known of an unknown value decides early where it can.

use std::collections::BTreeMap;

use ferroform::rule::{
    Rule, all, any, at_least, at_most, between, each, equals, length_at_most, length_between, matches,
    none_of, not, one_of, one_of_case_insensitive, size_at_least, size_at_most, size_between,
    utf8_length_at_most, warning,
};
use ferroform::value::{Number, Refinements, Value};
use ferroform::{Model, Set};
use ferroform_testing::{config, refined};

use crate::common::{Word, instance};
use crate::told;

fn unknown(known: Refinements) -> Value {
    Value::Unknown(Some(Box::new(known)))
}

fn prefix(text: &str) -> Value {
    unknown(Refinements { prefix: Some(text.into()), ..Refinements::default() })
}

fn range(min: Option<(i64, bool)>, max: Option<(i64, bool)>) -> Value {
    let end = |it: Option<(i64, bool)>| it.map(|(it, included)| (Number::from(it), included));
    unknown(Refinements { min: end(min), max: end(max), ..Refinements::default() })
}

fn elements(min: u64, max: u64) -> Value {
    unknown(Refinements { len_min: Some(min), len_max: Some(max), ..Refinements::default() })
}

/// The rule lets the first through, as it may still turn out right, and refuses the second.
fn check<T>(rule: Rule<T>, open: Value, shut: Value, why: &str) {
    assert_eq!(told(rule.judge(&open)), Ok(()), "{rule:?}");
    assert_eq!(told(rule.judge(&shut)), Err(why.to_owned()), "{rule:?}");
}

#[test]
fn texts_by_how_they_begin() {
    check(
        length_at_most::<String>(3),
        prefix("abc"),
        prefix("abcd"),
        r#"Invalid Attribute Value Length: A text of at most 3 bytes is required, but this begins with "abcd"."#,
    );
    check(
        length_between::<String>(1, 2),
        prefix("a"),
        prefix("abc"),
        r#"Invalid Attribute Value Length: A text of 1 to 2 bytes is required, but this begins with "abc"."#,
    );
    check(
        utf8_length_at_most::<String>(2),
        prefix("äö"),
        prefix("äöü"),
        r#"Invalid Attribute Value Length: A text of at most 2 characters is required, but this begins with "äöü"."#,
    );
    check(
        one_of::<String>(["small", "large"]),
        prefix("sm"),
        prefix("medium"),
        r#"Invalid Attribute Value Match: One of "small", "large" is required, but this begins with "medium"."#,
    );
    check(
        equals::<String>("on"),
        prefix("o"),
        prefix("off"),
        r#"Invalid Attribute Value Match: The value "on" is required, but this begins with "off"."#,
    );
    check(
        one_of_case_insensitive::<String>(["Straße"]),
        prefix("STRA"),
        prefix("STRE"),
        r#"Invalid Attribute Value Match: One of, in any case of letters, "Straße" is required, but this begins with "STRE"."#,
    );
    // These can still turn out right, however the text begins.
    for rule in [none_of::<String>(["a"]), matches("b$", "a b is required")] {
        assert_eq!(told(rule.judge(&prefix("a"))), Ok(()));
    }
    // What the author's type takes for the same need not begin alike.
    assert_eq!(told(one_of::<Word>([Word("small".into())]).judge(&prefix("SM"))), Ok(()));
}

#[test]
fn numbers_by_their_range() {
    check(
        at_least(10_i64),
        range(None, Some((10, true))),
        range(Some((0, true)), Some((10, false))),
        "Invalid Attribute Value: A number of at least 10 is required, but this will be at least 0 and less than 10.",
    );
    check(
        at_most(10_i64),
        range(Some((10, true)), None),
        range(Some((10, false)), None),
        "Invalid Attribute Value: A number of at most 10 is required, but this will be more than 10.",
    );
    check(
        between(1_u8, 3_u8),
        range(Some((3, true)), Some((9, true))),
        range(Some((4, true)), Some((9, true))),
        "Invalid Attribute Value: A number from 1 to 3 is required, but this will be at least 4 and at most 9.",
    );
    check(
        one_of::<i64>([1, 5]),
        range(Some((2, true)), None),
        range(Some((6, true)), None),
        "Invalid Attribute Value Match: One of 1, 5 is required, but this will be at least 6.",
    );
}

#[test]
fn collections_by_how_many_elements_they_will_have() {
    check(
        size_at_least::<Vec<String>>(3),
        elements(0, 3),
        elements(0, 2),
        "Invalid Attribute Value: At least 3 elements are required, but this will have at most 2 elements.",
    );
    check(
        size_at_most::<BTreeMap<String, String>>(1),
        elements(1, 2),
        elements(2, 2),
        "Invalid Attribute Value: At most 1 element is required, but this will have at least 2 and at most 2 elements.",
    );
    check(
        size_between::<Set<i64>>(2, 3),
        elements(3, 9),
        elements(4, 9),
        "Invalid Attribute Value: 2 to 3 elements are required, but this will have at least 4 and at most 9 elements.",
    );
}

/// Elements of a set that are not known yet may turn out to be equal.
#[test]
fn a_set_may_have_fewer_elements_in_the_end() {
    let object = |id: Value| Value::object([("id", id)]);
    let open = Value::set([object(Value::UNKNOWN), object(prefix("b"))]);
    assert_eq!(told(size_at_most::<Set<String>>(1).judge(&open)), Ok(()));
    assert_eq!(told(size_at_least::<Set<String>>(2).judge(&open)), Ok(()));
    let mixed = Value::set([object("a".into()), object("b".into()), object(Value::UNKNOWN)]);
    check(
        size_at_most::<Set<String>>(1),
        open.clone(),
        mixed,
        "Invalid Attribute Value: At most 1 element is required, but there are 2 elements.",
    );
    check(
        size_at_least::<Set<String>>(3),
        Value::UNKNOWN,
        open,
        "Invalid Attribute Value: At least 3 elements are required, but there are 2 elements.",
    );
}

#[test]
fn rules_of_rules() {
    let (low, high) = (at_most(10_i64), at_least(100_i64));
    check(
        any([low.clone(), high.clone()]),
        range(None, Some((10, true))),
        range(Some((20, true)), Some((30, true))),
        "Invalid Attribute Value: A number of at most 10 is required, but this will be at least 20 and at most 30.\n\
         Invalid Attribute Value: A number of at least 100 is required, but this will be at least 20 and at most 30.",
    );
    check(
        all([low.clone(), at_least(0_i64)]),
        range(None, None),
        range(None, Some((0, false))),
        "Invalid Attribute Value: A number of at least 0 is required, but this will be less than 0.",
    );
    check(
        warning(low.clone()),
        range(None, None),
        range(Some((11, true)), None),
        "Invalid Attribute Value: A number of at most 10 is required, but this will be at least 11.",
    );
    // That it will be refused cannot be told.
    assert_eq!(told(not(low, "more than ten").judge(&range(None, Some((1, true))))), Ok(()));
    check(
        each::<Vec<String>, _>(length_at_most(1)),
        Value::List(vec![prefix("a"), Value::UNKNOWN]),
        Value::List(vec![Value::UNKNOWN, prefix("ab")]),
        r#"[1]: Invalid Attribute Value Length: A text of at most 1 byte is required, but this begins with "ab"."#,
    );
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Server {
    #[attr(validate = one_of(["https://a", "https://b"]))]
    url: Option<String>,
    #[attr(min_items = 2, max_items = 3)]
    zones: Option<Vec<String>>,
    #[attr(sensitive, validate = length_at_most(4))]
    pin: Option<String>,
}

/// The engine asks of an unknown what it asks of a value, and keeps what is known of a secret to itself.
#[test]
fn an_unknown_configuration_is_judged() {
    let begins = |text: &str| refined(Refinements { prefix: Some(text.into()), ..Refinements::default() });
    let lists = |max| refined(Refinements { len_max: Some(max), ..Refinements::default() });
    let new = || instance(Server::schema(), true, None);
    new().plan(config! { url = begins("https://"), zones = lists(2), pin = begins("123") });
    let found =
        new().expect_error(config! { url = begins("http:"), zones = lists(1), pin = begins("12345") });
    assert_eq!(
        found.to_string(),
        "url: Invalid Attribute Value Match: One of \"https://a\", \"https://b\" is required, but this begins with \"http:\".\n\
         zones: Invalid Attribute Value: 2 to 3 elements are required, but this will have at most 1 elements.\n\
         pin: Invalid Attribute Value Length: A text of at most 4 bytes is required; the value is not shown, because it is sensitive."
    );
}
