//! Validators. The table has a row for each validator of the Go module `terraform-plugin-framework-validators` with a
//! value that is accepted, a value that is rejected, and the message.

mod defaults;
mod objects;
mod relations;
mod table;
mod unknown_values;

use std::collections::BTreeSet;

use ferroform::Diagnostics;
use ferroform::validators::Validator;
use ferroform::value::Value;

/// A row of the table: the validators of one Go function.
struct Row {
    /// The names in Go, without the package. Empty for validators without a counterpart in Go.
    go: &'static [&'static str],
    /// The results of the accepted and of the rejected value of each example.
    outcomes: Vec<(Result<(), String>, Result<(), String>)>,
    /// The message of each rejected value.
    expected: &'static [&'static str],
}

fn messages(outcome: Result<(), Diagnostics>) -> Result<(), String> {
    outcome.map_err(|it| it.to_string())
}

/// Returns the results for a value that must be accepted and for a value that must be rejected.
fn outcomes<T>(
    rule: Validator<T>,
    accepted: impl Into<Value>,
    rejected: impl Into<Value>,
) -> (Result<(), String>, Result<(), String>) {
    (messages(rule.validate(&accepted.into())), messages(rule.validate(&rejected.into())))
}

#[test]
fn every_validator_accepts_and_rejects() {
    for row in table::rows() {
        assert_eq!(row.outcomes.len(), row.expected.len(), "{:?}", row.go);
        for ((accepted, rejected), expected) in row.outcomes.into_iter().zip(row.expected) {
            assert_eq!(accepted, Ok(()), "{:?}", row.go);
            assert_eq!(rejected, Err((*expected).to_owned()), "{:?}", row.go);
        }
    }
}

/// The validators of the Go library, including those that relate several attributes (see `relations`).
const GO: [&str; 44] = [
    "All",
    "Any",
    "AnyWithAllWarnings",
    "Equals",
    "AtLeast",
    "AtMost",
    "Between",
    "OneOf",
    "NoneOf",
    "IsRequired",
    "NoNullValues",
    "SizeAtLeast",
    "SizeAtMost",
    "SizeBetween",
    "UniqueValues",
    "KeysAre",
    "ValueStringsAre",
    "ValueInt32sAre",
    "ValueInt64sAre",
    "ValueFloat32sAre",
    "ValueFloat64sAre",
    "ValueNumbersAre",
    "ValueListsAre",
    "ValueMapsAre",
    "ValueSetsAre",
    "LengthAtLeast",
    "LengthAtMost",
    "LengthBetween",
    "UTF8LengthAtLeast",
    "UTF8LengthAtMost",
    "UTF8LengthBetween",
    "OneOfCaseInsensitive",
    "NoneOfCaseInsensitive",
    "RegexMatches",
    "AlsoRequires",
    "AtLeastOneOf",
    "ConflictsWith",
    "ExactlyOneOf",
    "PreferWriteOnlyAttribute",
    "AtLeastSumOf",
    "AtMostSumOf",
    "EqualToSumOf",
    "EqualToProductOf",
    "RequiredTogether",
];

#[test]
fn every_validator_of_the_go_library_is_covered_and_documented() {
    let tested: BTreeSet<&str> =
        table::rows().iter().flat_map(|it| it.go).copied().chain(relations::GO.iter().copied()).collect();
    assert_eq!(tested, GO.into_iter().chain(["Conflicting"]).collect());
    let documented = include_str!("../../../docs/validation.md");
    for name in tested {
        assert!(documented.contains(&format!("`{name}`")), "docs/validation.md does not mention {name}");
    }
}

#[test]
fn validators_do_not_receive_null_or_unknown() {
    let never: Validator<String> = Validator::new("", |_| panic!("the validator was called"));
    for value in [Value::Null, Value::UNKNOWN] {
        assert_eq!(messages(never.validate(&value)), Ok(()));
    }
    let list: Validator<Vec<String>> = Validator::new("", |_| panic!("the validator was called"));
    assert_eq!(messages(list.validate(&Value::List(vec!["a".into(), Value::UNKNOWN]))), Ok(()));
}
