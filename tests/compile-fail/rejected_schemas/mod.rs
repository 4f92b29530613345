//! Invalid schemas are rejected at compile time, and by the schema check of providers that are built at run time.
//!
//! The rows are the checks of SDKv2 (`InternalValidate`), of the Go framework (`ValidateImplementation`), of
//! Terraform, and Ferroform's own.

mod runtime_schemas;
mod table;

use std::collections::BTreeSet;
use std::path::Path;

use ferroform::schema::{Attribute, AttributeExt as _, Block, Schema};
use ferroform::value::Type;

use self::table::{Compile, RunTime, TABLE};

#[test]
fn each_invalid_schema_is_rejected_at_compile_time_and_run_time() {
    let mut failures = Vec::new();
    for row in TABLE {
        if let Compile::Fails(tests) = &row.compile {
            for test in *tests {
                let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui");
                assert!(
                    ui.join(format!("{test}.stderr")).exists(),
                    "{}: the test {test} does not exist",
                    row.check
                );
            }
        }
        if let RunTime::FoundIn(file, messages) = &row.run_time {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/ferroform/tests").join(file);
            let source = std::fs::read_to_string(path).expect("a test");
            for it in messages.iter().filter(|it| !source.contains(**it)) {
                failures.push(format!("{}: {file} has no {it:?}", row.check));
            }
        }
        if let RunTime::Reports(cases) = &row.run_time {
            for (build, expected) in *cases {
                let (block, kind) = build();
                let found: Vec<String> = Schema::new(block)
                    .definition_errors_of(kind)
                    .iter()
                    .map(|it| format!("{}: {it}", it.summary))
                    .collect();
                if found != *expected {
                    failures.push(format!("{}: {found:#?}, expected {expected:#?}", row.check));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Each compile-fail test is listed in one row, so that a change of the row includes the test.
#[test]
fn table_lists_each_test_once() {
    let mut seen = BTreeSet::new();
    for row in TABLE {
        if let Compile::Fails(tests) = &row.compile {
            tests.iter().for_each(|it| assert!(seen.insert(*it), "{it} occurs more than once"));
        }
    }
    assert!(seen.len() > 60);
}

#[test]
fn all_schema_errors_are_reported_at_once() {
    let block = Block::new()
        .attribute(Attribute::raw("count", Type::Number))
        .attribute(Attribute::raw("Name", Type::String).computed().write_only())
        .attribute(Attribute::raw("size", Type::String).default(|| 7_i64).min_items(2))
        .attribute(Attribute::raw("size", Type::list(Type::Dynamic)).computed().follows(["sice"]));
    let errors: Vec<String> =
        Schema::new(block).definition_errors().iter().map(ToString::to_string).collect();
    assert_eq!(
        errors,
        [
            "count: `count` is reserved by Terraform",
            "Name: a name can contain only lowercase letters, digits and underscores, and cannot begin with a digit",
            "Name: a write-only attribute cannot be computed or have a default",
            "size: the default is invalid: the type is string, but the value is a number",
            "size: only the elements of a list, set or map can be limited, but the type is string",
            "size: the name is used more than once",
            "size: it follows `sice`, which is not another attribute or block of the same object; the object has: count, Name",
            "size: a collection cannot contain dynamic values, because its elements have one type",
        ]
    );
}

#[test]
fn negative_schema_version_is_rejected() {
    let errors = Schema::new(Block::new()).version(-1).definition_errors();
    let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(errors, ["a schema version cannot be negative, but it is -1"]);
}

#[test]
fn valid_schemas_are_accepted() {
    for (i, (block, kind)) in runtime_schemas::valid().into_iter().enumerate() {
        assert_eq!(Schema::new(block).definition_errors_of(kind), [], "{i}");
    }
}
