//! Table of the validators for a single attribute.

use std::collections::BTreeMap;

use ferroform::validators::{
    all, any, any_with_all_warnings, at_least, at_most, between, each, each_key, equals, json,
    length_at_least, length_at_most, length_between, matches, no_null_values, none_of,
    none_of_case_insensitive, not, one_of, one_of_case_insensitive, size_at_least, size_at_most,
    size_between, unique_values, utf8_length_at_least, utf8_length_at_most, utf8_length_between, warning,
};
use ferroform::value::{Number, Value};
use ferroform::{Dynamic, Set};

use crate::validators::{Row, outcomes};

fn list<T: Into<Value>>(elements: impl IntoIterator<Item = T>) -> Value {
    Value::List(elements.into_iter().map(Into::into).collect())
}

fn set<T: Into<Value>>(elements: impl IntoIterator<Item = T>) -> Value {
    Value::set(elements.into_iter().map(Into::into))
}

fn map<T: Into<Value>>(entries: impl IntoIterator<Item = (&'static str, T)>) -> Value {
    Value::map(entries.into_iter().map(|(key, it)| (key, it.into())))
}

fn number(decimal: &str) -> Value {
    decimal.parse::<Number>().map_or(Value::Null, Value::Number)
}

#[derive(ferroform::Attr, Clone, Debug, PartialEq)]
struct Share(f32);

type Numbers = Vec<i64>;
type Strings = Vec<String>;
type Labels = BTreeMap<String, String>;

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = strings();
    rows.extend(numbers());
    rows.extend(collections());
    rows.extend(elements());
    rows.extend(combined());
    rows
}

fn strings() -> Vec<Row> {
    vec![
        Row {
            go: &["LengthAtLeast"],
            outcomes: vec![
                outcomes(length_at_least::<String>(2), "ab", "a"),
                outcomes(length_at_least::<String>(1), "a", ""),
            ],
            expected: &[
                "Invalid Attribute Value Length: A string of at least 2 bytes is required, but this has 1 byte.",
                "Invalid Attribute Value Length: A string of at least 1 byte is required, but this has 0 bytes.",
            ],
        },
        Row {
            go: &["LengthAtMost"],
            outcomes: vec![outcomes(length_at_most::<String>(3), "abc", "aü€")],
            expected: &[
                "Invalid Attribute Value Length: A string of at most 3 bytes is required, but this has 6 bytes.",
            ],
        },
        Row {
            go: &["LengthBetween"],
            outcomes: vec![outcomes(length_between::<String>(1, 3), "a", "abcd")],
            expected: &[
                "Invalid Attribute Value Length: A string of 1 to 3 bytes is required, but this has 4 bytes.",
            ],
        },
        Row {
            go: &["UTF8LengthAtLeast"],
            outcomes: vec![outcomes(utf8_length_at_least::<String>(3), "äöü", "äö")],
            expected: &[
                "Invalid Attribute Value Length: A string of at least 3 characters is required, but this has 2 characters.",
            ],
        },
        Row {
            go: &["UTF8LengthAtMost"],
            outcomes: vec![outcomes(utf8_length_at_most::<String>(1), "€", "€€")],
            expected: &[
                "Invalid Attribute Value Length: A string of at most 1 character is required, but this has 2 characters.",
            ],
        },
        Row {
            go: &["UTF8LengthBetween"],
            outcomes: vec![outcomes(utf8_length_between::<String>(1, 2), "ß", "")],
            expected: &[
                "Invalid Attribute Value Length: A string of 1 to 2 characters is required, but this has 0 characters.",
            ],
        },
        Row {
            go: &["RegexMatches"],
            outcomes: vec![outcomes(
                matches::<String>("^[a-z]+$", "only small letters are allowed"),
                "abc",
                "Abc",
            )],
            expected: &["Invalid Attribute Value Match: Only small letters are allowed, but got \"Abc\"."],
        },
        Row {
            go: &["OneOfCaseInsensitive"],
            outcomes: vec![
                outcomes(one_of_case_insensitive::<String>(["On", "Off"]), "oFF", "of"),
                outcomes(one_of_case_insensitive::<String>(["ΑΣ"]), "ας", "α"),
            ],
            expected: &[
                r#"Invalid Attribute Value Match: One of "On", "Off" (case-insensitive) is required, but got "of"; did you mean "Off"?"#,
                r#"Invalid Attribute Value Match: One of "ΑΣ" (case-insensitive) is required, but got "α"."#,
            ],
        },
        Row {
            go: &["NoneOfCaseInsensitive"],
            outcomes: vec![outcomes(none_of_case_insensitive::<String>(["root"]), "me", "ROOT")],
            expected: &[
                r#"Invalid Attribute Value Match: A string other than "root" (case-insensitive) is required, but got "ROOT"."#,
            ],
        },
    ]
}

fn numbers() -> Vec<Row> {
    vec![
        Row {
            go: &["Equals"],
            outcomes: vec![outcomes(equals::<bool>(true), true, false)],
            expected: &["Invalid Attribute Value Match: The value true is required, but got false."],
        },
        Row {
            go: &["AtLeast"],
            outcomes: vec![
                outcomes(at_least(2_i64), 2, 1),
                outcomes(at_least(2_i32), 2, -2),
                outcomes(at_least(0.5_f64), number("0.5"), number("0.49")),
                outcomes(at_least(0.5_f32), number("0.5"), number("0.49")),
                // No 32-bit float is exactly 0.1. The configured number is compared after conversion to the float.
                outcomes(at_least(0.1_f32), number("0.1"), number("0.09")),
                outcomes(at_least(Number::from(i64::MAX)), number("1e30"), 0),
            ],
            expected: &[
                "Invalid Attribute Value: A whole number of at least 2 is required, but got 1.",
                "Invalid Attribute Value: A whole number between 2 and 2147483647 is required, but got -2.",
                "Invalid Attribute Value: A number of at least 0.5 is required, but got 0.49.",
                "Invalid Attribute Value: A number of at least 0.5 is required, but got 0.49.",
                "Invalid Attribute Value: A number of at least 0.1 is required, but got 0.09.",
                "Invalid Attribute Value: A number of at least 9223372036854775807 is required, but got 0.",
            ],
        },
        Row {
            go: &["AtMost"],
            outcomes: vec![
                outcomes(at_most(2_u8), 2, 3),
                outcomes(at_most(0.7_f32), number("0.7"), number("0.71")),
                outcomes(at_most(0.7_f32), number("0.699999988079071044921875"), number("0.8")),
                outcomes(at_most(0.3_f64), number("0.3"), number("0.31")),
                outcomes(at_most(Share(0.7)), number("0.7"), number("0.71")),
            ],
            expected: &[
                "Invalid Attribute Value: A whole number between 0 and 2 is required, but got 3.",
                "Invalid Attribute Value: A number of at most 0.7 is required, but got 0.71.",
                "Invalid Attribute Value: A number of at most 0.7 is required, but got 0.8.",
                "Invalid Attribute Value: A number of at most 0.3 is required, but got 0.31.",
                "Invalid Attribute Value: A number of at most 0.7 is required, but got 0.71.",
            ],
        },
        Row {
            go: &["Between"],
            outcomes: vec![
                outcomes(between(-1, 1), 0, 2),
                outcomes(between(Some(0.1_f32), Some(0.2)), number("0.2"), number("0.21")),
            ],
            expected: &[
                "Invalid Attribute Value: A whole number between -1 and 1 is required, but got 2.",
                "Invalid Attribute Value: A number between 0.1 and 0.2 is required, but got 0.21.",
            ],
        },
        Row {
            go: &["OneOf"],
            outcomes: vec![
                outcomes(one_of::<String>(["a", "b"]), "b", "c"),
                outcomes(one_of::<i64>([1, 2]), 2, 3),
                outcomes(one_of::<f64>([0.5]), number("0.5"), 1),
                outcomes(one_of::<f32>([0.1, 2.0]), number("0.1"), number("0.2")),
                outcomes(one_of::<Number>([Number::from(7)]), 7, 8),
                outcomes(one_of::<Numbers>([vec![1, 2]]), list([1, 2]), list([2, 1])),
            ],
            expected: &[
                r#"Invalid Attribute Value Match: One of "a", "b" is required, but got "c"."#,
                "Invalid Attribute Value Match: One of 1, 2 is required, but got 3.",
                "Invalid Attribute Value Match: One of 0.5 is required, but got 1.",
                "Invalid Attribute Value Match: One of 0.1, 2 is required, but got 0.2.",
                "Invalid Attribute Value Match: One of 7 is required, but got 8.",
                "Invalid Attribute Value Match: One of [1, 2] is required, but got [2, 1].",
            ],
        },
        Row {
            go: &["NoneOf"],
            outcomes: vec![
                outcomes(none_of::<String>(["root"]), "me", "root"),
                outcomes(none_of::<i64>([0]), 1, 0),
            ],
            expected: &[
                r#"Invalid Attribute Value Match: A value other than "root" is required, but got "root"."#,
                "Invalid Attribute Value Match: A value other than 0 is required, but got 0.",
            ],
        },
    ]
}

fn collections() -> Vec<Row> {
    vec![
        Row {
            go: &["SizeAtLeast"],
            outcomes: vec![
                outcomes(size_at_least::<Strings>(1), list(["a"]), list::<Value>([])),
                outcomes(size_at_least::<Set<i64>>(2), set([1, 2]), set([1])),
                outcomes(size_at_least::<Labels>(1), map([("a", "b")]), map::<Value>([])),
            ],
            expected: &[
                "Invalid Attribute Value: At least 1 element is required, but there are 0 elements.",
                "Invalid Attribute Value: At least 2 elements are required, but there is 1 element.",
                "Invalid Attribute Value: At least 1 element is required, but there are 0 elements.",
            ],
        },
        Row {
            go: &["SizeAtMost"],
            outcomes: vec![outcomes(size_at_most::<[i64; 2]>(1), list([1]), list([1, 2]))],
            expected: &["Invalid Attribute Value: At most 1 element is required, but there are 2 elements."],
        },
        Row {
            go: &["SizeBetween"],
            outcomes: vec![outcomes(size_between::<Numbers>(1, 2), list([1]), list([1, 2, 3]))],
            expected: &["Invalid Attribute Value: 1 to 2 elements are required, but there are 3 elements."],
        },
        Row {
            go: &["UniqueValues"],
            outcomes: vec![
                outcomes(
                    unique_values::<Strings>(),
                    list([Value::UNKNOWN, Value::UNKNOWN, "a".into()]),
                    list(["a", "b", "a"]),
                ),
                outcomes(
                    unique_values::<Labels>(),
                    map([("a", "x"), ("b", "y")]),
                    map([("a", "x"), ("b", "x")]),
                ),
            ],
            expected: &[
                "Duplicate List Value: The elements 0 and 2 have the same value: \"a\"; each element must be unique.",
                "Duplicate Map Value: The elements \"a\" and \"b\" have the same value: \"x\"; each element must be unique.",
            ],
        },
        Row {
            go: &["NoNullValues"],
            outcomes: vec![
                outcomes(
                    no_null_values::<Vec<Option<String>>>(),
                    list([Value::UNKNOWN, "a".into()]),
                    list([Value::Null]),
                ),
                outcomes(no_null_values::<Set<Option<i64>>>(), set([1]), set([Value::Null])),
                outcomes(no_null_values::<Labels>(), map([("a", "b")]), map([("a", Value::Null)])),
            ],
            expected: &[
                "Null List Value: No element may be null, but one is.",
                "Null Set Value: No element may be null, but one is.",
                "Null Map Value: No element may be null, but one is.",
            ],
        },
        Row {
            go: &["KeysAre"],
            outcomes: vec![outcomes(
                each_key::<Labels, _>(length_at_most(1)),
                map([("a", "long")]),
                map([("ab", "x"), ("b", "y")]),
            )],
            expected: &[
                r#"["ab"]: Invalid Attribute Value Length: A string of at most 1 byte is required, but this has 2 bytes."#,
            ],
        },
    ]
}

fn elements() -> Vec<Row> {
    const LONG: &str =
        "Invalid Attribute Value Length: A string of at most 1 byte is required, but this has 2 bytes.";
    vec![
        Row {
            go: &["ValueStringsAre"],
            outcomes: vec![
                outcomes(
                    each::<Strings, _>(length_at_most(1)),
                    list([Value::Null, Value::UNKNOWN]),
                    list(["a", "bb"]),
                ),
                outcomes(each::<Set<String>, _>(length_at_most(1)), set(["a"]), set(["bb"])),
                outcomes(each::<Labels, _>(length_at_most(1)), map([("long", "a")]), map([("k", "bb")])),
            ],
            expected: &[
                "[1]: Invalid Attribute Value Length: A string of at most 1 byte is required, but this has 2 bytes.",
                "[an element of the set]: Invalid Attribute Value Length: A string of at most 1 byte is required, but this has 2 bytes.",
                r#"["k"]: Invalid Attribute Value Length: A string of at most 1 byte is required, but this has 2 bytes."#,
            ],
        },
        Row {
            go: &[
                "ValueInt32sAre",
                "ValueInt64sAre",
                "ValueFloat32sAre",
                "ValueFloat64sAre",
                "ValueNumbersAre",
            ],
            outcomes: vec![
                outcomes(each::<Vec<i32>, _>(at_least(1_i32)), list([1]), list([0])),
                outcomes(each::<Numbers, _>(at_least(1_i64)), list([1]), list([1, 0])),
                outcomes(each::<Set<f32>, _>(at_least(1_f32)), set([1]), set([0])),
                outcomes(each::<BTreeMap<String, f64>, _>(at_most(1_f64)), map([("a", 1)]), map([("a", 2)])),
                outcomes(each::<Vec<Number>, _>(one_of([Number::from(1)])), list([1]), list([2])),
            ],
            expected: &[
                "[0]: Invalid Attribute Value: A whole number between 1 and 2147483647 is required, but got 0.",
                "[1]: Invalid Attribute Value: A whole number of at least 1 is required, but got 0.",
                "[an element of the set]: Invalid Attribute Value: A number of at least 1 is required, but got 0.",
                r#"["a"]: Invalid Attribute Value: A number of at most 1 is required, but got 2."#,
                "[0]: Invalid Attribute Value Match: One of 1 is required, but got 2.",
            ],
        },
        Row {
            go: &["ValueListsAre", "ValueMapsAre", "ValueSetsAre"],
            outcomes: vec![
                outcomes(
                    each::<Vec<Strings>, _>(size_at_least(1)),
                    list([list(["a"])]),
                    list([list::<Value>([])]),
                ),
                outcomes(
                    each::<Vec<Labels>, _>(each_key(length_at_most(1))),
                    list([map([("a", "b")])]),
                    list([map([("aa", "b")])]),
                ),
                outcomes(
                    each::<BTreeMap<String, Set<String>>, _>(each(length_at_most(1))),
                    map([("a", set(["b"]))]),
                    map([("a", set(["bb"]))]),
                ),
            ],
            expected: &[
                "[0]: Invalid Attribute Value: At least 1 element is required, but there are 0 elements.",
                r#"[0]["aa"]: Invalid Attribute Value Length: A string of at most 1 byte is required, but this has 2 bytes."#,
                r#"["a"][an element of the set]: Invalid Attribute Value Length: A string of at most 1 byte is required, but this has 2 bytes."#,
            ],
        },
        Row {
            go: &[],
            outcomes: vec![
                outcomes(json::<String>(), r#"{"a": [1e400, null]}"#, "{'a': 1}"),
                outcomes(length_at_most::<Option<String>>(1), "a", "bb"),
                outcomes(
                    one_of::<Dynamic>([Dynamic::of(1_i64).expect("a value")]),
                    Value::dynamic(ferroform::value::Type::Number, 1.into()),
                    "1",
                ),
            ],
            expected: &[
                "Invalid JSON String Value: A JSON document is required: invalid JSON: expected a quoted object key at line 1, column 2.",
                LONG,
                r#"Invalid Attribute Value Match: One of 1 is required, but got "1"."#,
            ],
        },
    ]
}

fn combined() -> Vec<Row> {
    let short = || length_at_most::<String>(1);
    let word = |message: &str| matches::<String>("^[a-z]*$", message);
    vec![
        Row {
            go: &["All"],
            outcomes: vec![outcomes(all([short(), word("letters are required")]), "a", "11")],
            expected: &[
                "Invalid Attribute Value Length: A string of at most 1 byte is required, but this has 2 bytes.\n\
                 Invalid Attribute Value Match: Letters are required, but got \"11\".",
            ],
        },
        Row {
            go: &["Any"],
            outcomes: vec![outcomes(any([short(), word("letters are required")]), "abc", "11")],
            expected: &[
                "Invalid Attribute Value Length: A string of at most 1 byte is required, but this has 2 bytes.\n\
                 Invalid Attribute Value Match: Letters are required, but got \"11\".",
            ],
        },
        Row {
            go: &["AnyWithAllWarnings"],
            outcomes: vec![
                outcomes(any_with_all_warnings([short(), word("letters are required")]), "abc", "11"),
                // If one validator passes, the result contains the warnings of all validators and no errors.
                outcomes(
                    any_with_all_warnings([short(), word("letters are required"), warning(short())]),
                    "a",
                    "ab",
                ),
            ],
            expected: &[
                "Invalid Attribute Value Length: A string of at most 1 byte is required, but this has 2 bytes.\n\
                 Invalid Attribute Value Match: Letters are required, but got \"11\".",
                "Invalid Attribute Value Length: A string of at most 1 byte is required, but this has 2 bytes.",
            ],
        },
        Row {
            go: &[],
            outcomes: vec![
                outcomes(not(word(""), "something besides letters is required"), "a1", "ab"),
                outcomes(
                    not(each::<Strings, _>(short()), "one of them must be longer"),
                    list([Value::UNKNOWN, "a".into()]),
                    list(["a"]),
                ),
            ],
            expected: &[
                "Invalid Attribute Value: Something besides letters is required.",
                "Invalid Attribute Value: One of them must be longer.",
            ],
        },
    ]
}
