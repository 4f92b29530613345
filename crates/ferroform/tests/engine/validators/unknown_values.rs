//! Validators reject an unknown value if its refinements exclude every valid final value.

use std::ops::Bound;

use std::collections::BTreeMap;

use ferroform::validators::{
    Validator, all, any, at_least, at_most, between, each, equals, json, length_at_most, length_between,
    matches, none_of, not, one_of, one_of_case_insensitive, size_at_least, size_at_most, size_between,
    utf8_length_at_most, warning,
};
use ferroform::value::{Number, Refinements, Value};
use ferroform::{Attr, Model, Set};
use ferroform_testing::{config, refined};
use proptest::bool::ANY;
use proptest::prelude::{ProptestConfig, Strategy, prop_assert, prop_assume, proptest};

use crate::common::{Word, instance};
use crate::validators::messages;

fn unknown(known: Refinements) -> Value {
    Value::Unknown(Some(Box::new(known.not_null())))
}

fn prefix(prefix: &str) -> Value {
    unknown(Refinements::new().with_prefix(prefix))
}

fn range(min: Option<(i64, bool)>, max: Option<(i64, bool)>) -> Value {
    let end = |it: Option<(i64, bool)>| match it {
        Some((it, true)) => Bound::Included(Number::from(it)),
        Some((it, false)) => Bound::Excluded(Number::from(it)),
        None => Bound::Unbounded,
    };
    unknown(Refinements::new().with_range((end(min), end(max))))
}

fn elements(min: u64, max: u64) -> Value {
    unknown(Refinements::new().with_length(min..=max))
}

/// Asserts that the validator accepts the first value, which can become valid, and rejects the second.
fn check<T>(rule: Validator<T>, accepted: Value, rejected: Value, message: &str) {
    assert_eq!(messages(rule.validate(&accepted)), Ok(()), "{rule:?}");
    assert_eq!(messages(rule.validate(&rejected)), Err(message.to_owned()), "{rule:?}");
}

#[test]
fn unknown_strings_are_validated_by_prefix() {
    check(
        length_at_most::<String>(3),
        prefix("abc"),
        prefix("abcd"),
        r#"Invalid Attribute Value Length: A string of at most 3 bytes is required, but this begins with "abcd"."#,
    );
    check(
        length_between::<String>(1, 2),
        prefix("a"),
        prefix("abc"),
        r#"Invalid Attribute Value Length: A string of 1 to 2 bytes is required, but this begins with "abc"."#,
    );
    check(
        utf8_length_at_most::<String>(2),
        prefix("äö"),
        prefix("äöü"),
        r#"Invalid Attribute Value Length: A string of at most 2 characters is required, but this begins with "äöü"."#,
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
        r#"Invalid Attribute Value Match: One of "Straße" (case-insensitive) is required, but this begins with "STRE"."#,
    );
    // A prefix alone cannot make these strings invalid.
    for rule in [none_of::<String>(["a"]), matches("b$", "a b is required")] {
        assert_eq!(messages(rule.validate(&prefix("a"))), Ok(()));
    }
    // Semantically equal strings can have different prefixes.
    assert_eq!(messages(one_of::<Word>([Word("small".into())]).validate(&prefix("SM"))), Ok(()));
}

#[test]
fn unknown_numbers_are_validated_by_range() {
    check(
        at_least(10_i64),
        range(None, Some((10, true))),
        range(Some((0, true)), Some((10, false))),
        "Invalid Attribute Value: A whole number of at least 10 is required, but this will be at least 0 and less than 10.",
    );
    check(
        at_most(10_i64),
        range(Some((10, true)), None),
        range(Some((10, false)), None),
        "Invalid Attribute Value: A whole number of at most 10 is required, but this will be more than 10.",
    );
    check(
        between(1_u8, 3_u8),
        range(Some((3, true)), Some((9, true))),
        range(Some((4, true)), Some((9, true))),
        "Invalid Attribute Value: A whole number between 1 and 3 is required, but this will be at least 4 and at most 9.",
    );
    check(
        one_of::<i64>([1, 5]),
        range(Some((2, true)), None),
        range(Some((6, true)), None),
        "Invalid Attribute Value Match: One of 1, 5 is required, but this will be at least 6.",
    );
}

#[test]
fn unknown_collections_are_validated_by_length() {
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

/// Unknown elements of a set may turn out to be equal.
#[test]
fn unknown_set_elements_may_become_equal() {
    let object = |id: Value| Value::object([("id", id)]);
    let possibly_equal = Value::set([object(Value::UNKNOWN), object(prefix("b"))]);
    assert_eq!(messages(size_at_most::<Set<String>>(1).validate(&possibly_equal)), Ok(()));
    assert_eq!(messages(size_at_least::<Set<String>>(2).validate(&possibly_equal)), Ok(()));
    let mixed = Value::set([object("a".into()), object("b".into()), object(Value::UNKNOWN)]);
    check(
        size_at_most::<Set<String>>(1),
        possibly_equal.clone(),
        mixed,
        "Invalid Attribute Value: At most 1 element is required, but there are 2 elements.",
    );
    check(
        size_at_least::<Set<String>>(3),
        Value::UNKNOWN,
        possibly_equal,
        "Invalid Attribute Value: At least 3 elements are required, but there are 2 elements.",
    );
}

#[test]
fn combined_validators_check_unknown_values() {
    let (low, high) = (at_most(10_i64), at_least(100_i64));
    check(
        any([low.clone(), high.clone()]),
        range(None, Some((10, true))),
        range(Some((20, true)), Some((30, true))),
        "Invalid Attribute Value: A whole number of at most 10 is required, but this will be at least 20 and at most 30.\n\
         Invalid Attribute Value: A whole number of at least 100 is required, but this will be at least 20 and at most 30.",
    );
    check(
        all([low.clone(), at_least(0_i64)]),
        range(None, None),
        range(None, Some((0, false))),
        "Invalid Attribute Value: A whole number of at least 0 is required, but this will be less than 0.",
    );
    check(
        warning(low.clone()),
        range(None, None),
        range(Some((11, true)), None),
        "Invalid Attribute Value: A whole number of at most 10 is required, but this will be at least 11.",
    );
    // The final value may still be rejected, but its range does not prove it.
    assert_eq!(messages(not(low, "more than ten").validate(&range(None, Some((1, true))))), Ok(()));
    check(
        each::<Vec<String>, _>(length_at_most(1)),
        Value::List(vec![prefix("a"), Value::UNKNOWN]),
        Value::List(vec![Value::UNKNOWN, prefix("ab")]),
        r#"[1]: Invalid Attribute Value Length: A string of at most 1 byte is required, but this begins with "ab"."#,
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

/// The engine validates unknown values in the same way, and masks the refinements of sensitive values.
#[test]
fn unknown_configuration_is_validated() {
    let unknown_with_prefix = |prefix: &str| refined(Refinements::new().with_prefix(prefix));
    let lists = |max| refined(Refinements::new().with_length(..=max));
    let new = || instance(Server::schema(), true, None);
    new().plan(
        config! { url = unknown_with_prefix("https://"), zones = lists(2), pin = unknown_with_prefix("123") },
    );
    let found = new().try_apply(
        config! { url = unknown_with_prefix("http:"), zones = lists(1), pin = unknown_with_prefix("12345") },
    ).error();
    assert_eq!(
        found.to_string(),
        "url: Invalid Attribute Value Match: One of \"https://a\", \"https://b\" is required, but this begins with \"http:\".\n\
         zones: Invalid Attribute Value: 2 to 3 elements are required, but this will have at most 1 elements.\n\
         pin: Invalid Attribute Value Length: Requirement: a string of at most 4 bytes. The value is not shown, because it is sensitive."
    );
}

/// An unknown value that may become null is accepted, because validators do not receive null.
#[test]
fn nullable_unknown_value_is_not_validated() {
    let with_prefix = Refinements::new().with_prefix("12345");
    assert_eq!(
        messages(length_at_most::<String>(4).validate(&Value::Unknown(Some(Box::new(with_prefix))))),
        Ok(())
    );
    assert!(length_at_most::<String>(4).validate(&prefix("12345")).is_err());
}

#[derive(Attr, Clone, Debug, PartialEq)]
enum Letter {
    Alpha,
    Beta,
}

#[derive(Attr, Clone, Debug, PartialEq)]
#[attr(validate = matches("^x-", "an x is required"))]
struct Header(String);

#[derive(Model, Clone, Debug, PartialEq)]
struct Typed {
    letter: Option<Letter>,
    letters: Option<Vec<Letter>>,
    header: Option<Header>,
}

#[test]
fn types_reject_unknown_values_by_refinements() {
    let unknown_with_prefix = |prefix: &str| refined(Refinements::new().with_prefix(prefix));
    let new = || instance(Typed::schema(), true, None);
    new().plan(config! { letter = unknown_with_prefix("al"), letters = [unknown_with_prefix("b")], header = unknown_with_prefix("x") });
    let config = config! { letter = unknown_with_prefix("gam"), letters = ["alpha", unknown_with_prefix("bet-")], header = unknown_with_prefix("y") };
    assert_eq!(
        new().try_apply(config).error().to_string(),
        "letter: Invalid Attribute Value Match: One of \"alpha\", \"beta\" is required, but this begins with \"gam\".\n\
         letters[1]: Invalid Attribute Value Match: One of \"alpha\", \"beta\" is required, but this begins with \"bet-\".\n\
         header: Invalid Attribute Value: An x is required, but this begins with \"y\"."
    );
}

#[test]
fn unknown_patterns_and_documents_are_validated_by_prefix() {
    let https = || matches::<String>("^https://", "https is required");
    check(
        https(),
        prefix("htt"),
        prefix("http://x"),
        "Invalid Attribute Value Match: Https is required, but this begins with \"http://x\".",
    );
    check(
        each::<Vec<String>, _>(https()),
        Value::List(vec![prefix("https://x")]),
        Value::List(vec!["https://a".into(), prefix("ftp")]),
        "[1]: Invalid Attribute Value Match: Https is required, but this begins with \"ftp\".",
    );
    check(
        matches::<String>("^a\\.b+(c|d)$", "a.b is required"),
        prefix("a.bb"),
        prefix("a-"),
        "Invalid Attribute Value Match: A.b is required, but this begins with \"a-\".",
    );
    for pattern in ["^a(?i)?", "^a+*b", "^a|b", "^[|]|b", "(?i)^a", "^a*b", "^a{0}b", "a", "^a\\|b|b"] {
        assert_eq!(messages(matches::<String>(pattern, "it").validate(&prefix("b"))), Ok(()), "{pattern}");
    }
    for document in ["{", " [1", "\"", "-", "7", "tr", "true ", "", "\n", "fals", "nul"] {
        assert_eq!(messages(json::<String>().validate(&prefix(document))), Ok(()), "{document}");
    }
    for document in ["x", " +1", "trx", "N", "'"] {
        assert_eq!(
            messages(json::<String>().validate(&prefix(document))),
            Err(format!(
                "Invalid JSON String Value: A JSON document is required, but this begins with {document:?}."
            ))
        );
    }
}

/// Concatenates parts of regular expressions. Some combinations are invalid.
fn expression() -> impl Strategy<Value = String> {
    const PARTS: [&str; 22] = [
        "a", "b", "ab", ".", "\\.", "\\b", "\\w", "[ab]", "[|]", "[)]", "(a|b)", "(", ")", "(?i)", "(?:a)",
        "?", "*", "+", "{2}", "|", "^", "$",
    ];
    let part = (0..PARTS.len()).prop_map(|it| PARTS[it]);
    let parts = proptest::collection::vec(part, 0..6).prop_map(|it| it.concat());
    (ANY, parts).prop_map(|(anchored, it)| if anchored { format!("^{it}") } else { it })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, max_global_rejects: 65_536, ..ProptestConfig::default() })]

    /// A pattern that rejects a prefix rejects every string with that prefix.
    #[test]
    fn pattern_rejection_holds_for_every_final_value(
        expression in expression(),
        begins in "[abAB.|)]{0,3}",
        rest in "[abAB.|)]{0,4}",
    ) {
        let rule = matches::<String>(&expression, "it");
        if rule.validate(&prefix(&begins)).is_err() {
            prop_assert!(rule.validate(&format!("{begins}{rest}").into()).is_err(), "{expression}");
        }
    }

    #[test]
    fn early_rejection_of_strings_holds_for_every_final_value(
        which in 0..8_usize,
        begins in "[aAbsSßſkK\u{212a}İi\u{307}]{0,4}",
        rest in "[aAbsSßſkK\u{212a}İi\u{307}]{0,4}",
    ) {
        let words = || ["ab", "Straße", "skİ", "\u{212a}s"];
        let rules: [Validator<String>; 8] = [
            one_of(words()),
            one_of_case_insensitive(words()),
            equals("ab"),
            length_between(2, 3),
            utf8_length_at_most(2),
            any([equals("ab"), length_at_most(1)]),
            all([one_of(words()), length_at_most(3)]),
            not(one_of(words()), "another"),
        ];
        let final_value = Value::string(format!("{begins}{rest}"));
        // Unicode normalization (NFC) can change the prefix. Terraform then would not have sent it as a refinement.
        prop_assume!(final_value.as_str().is_some_and(|it| it.starts_with(&begins)));
        if rules[which].validate(&prefix(&begins)).is_err() {
            prop_assert!(rules[which].validate(&final_value).is_err(), "{:?}", rules[which]);
        }
    }

    #[test]
    fn early_rejection_of_documents_holds_for_every_final_value(begins in "[ tfn\\[{\"a0+-]{0,4}", rest in "[ ruealsn\\]}\":1]{0,5}") {
        if json::<String>().validate(&prefix(&begins)).is_err() {
            let final_value = format!("{begins}{rest}");
            prop_assert!(json::<String>().validate(&final_value.into()).is_err());
        }
    }
}
