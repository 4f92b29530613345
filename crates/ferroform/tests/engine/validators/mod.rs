//! Validators: one row for each name of the Go module `terraform-plugin-framework-validators`, with a value that is accepted,
//! one that is rejected, and the message.

mod early;
mod filled;
mod objects;
mod relations;
mod table;

use std::collections::BTreeSet;

use ferroform::Diagnostics;
use ferroform::validators::Validator;
use ferroform::value::Value;

/// A row of the table.
struct Row {
    /// The names in Go, without the package.
    go: &'static [&'static str],
    found: Vec<(Result<(), String>, Result<(), String>)>,
    wanted: &'static [&'static str],
}

fn told(verdict: Result<(), Diagnostics>) -> Result<(), String> {
    verdict.map_err(|it| it.to_string())
}

/// What a rule says of a value that should pass and of one that should not.
fn judged<T>(
    rule: Validator<T>,
    passes: impl Into<Value>,
    fails: impl Into<Value>,
) -> (Result<(), String>, Result<(), String>) {
    (told(rule.validate(&passes.into())), told(rule.validate(&fails.into())))
}

#[test]
fn every_validator_accepts_and_rejects() {
    for row in table::rows() {
        assert_eq!(row.found.len(), row.wanted.len(), "{:?}", row.go);
        for ((passes, fails), wanted) in row.found.into_iter().zip(row.wanted) {
            assert_eq!(passes, Ok(()), "{:?}", row.go);
            assert_eq!(fails, Err((*wanted).to_owned()), "{:?}", row.go);
        }
    }
}

/// What the Go library has, but for what is about several attributes (see `relations`).
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
        assert!(documented.contains(&format!("`{name}`")), "{name} stands in no row of docs/validation.md");
    }
}

#[test]
fn validators_do_not_receive_null_or_unknown() {
    let never: Validator<String> = Validator::new("", |_| panic!("it was asked"));
    for value in [Value::Null, Value::UNKNOWN] {
        assert_eq!(told(never.validate(&value)), Ok(()));
    }
    let list: Validator<Vec<String>> = Validator::new("", |_| panic!("it was asked"));
    assert_eq!(told(list.validate(&Value::List(vec!["a".into(), Value::UNKNOWN]))), Ok(()));
}
