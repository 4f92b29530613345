//! Invalid schemas: each is rejected at compile time, and the check of schemas that are built at run time reports it.
//!
//! The rows are the checks of SDKv2 (`InternalValidate`), of the Go framework (`ValidateImplementation`) and of
//! Terraform, and our own.

mod made;
mod table;

use std::collections::BTreeSet;
use std::path::Path;

use ferroform::schema::{Attribute, AttributeExt as _, Block, Schema};
use ferroform::value::Type;

use self::table::{Compile, RunTime, TABLE};

#[test]
fn each_invalid_schema_is_rejected_at_compile_time_and_run_time() {
    let mut wrong = Vec::new();
    for row in TABLE {
        if let Compile::Fails(tests) = &row.compile {
            for test in *tests {
                let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
                assert!(ui.join(format!("{test}.stderr")).exists(), "{}: there is no test {test}", row.what);
            }
        }
        if let RunTime::FoundIn(file, words) = &row.run_time {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
            let text = std::fs::read_to_string(path).expect("a test");
            for it in words.iter().filter(|it| !text.contains(**it)) {
                wrong.push(format!("{}: {file} has no {it:?}", row.what));
            }
        }
        if let RunTime::Finds(cases) = &row.run_time {
            for (made, wanted) in *cases {
                let (block, kind) = made();
                let found: Vec<String> = Schema { version: 0, block }
                    .definition_errors_of(kind)
                    .iter()
                    .map(|it| format!("{}: {it}", it.summary))
                    .collect();
                if found != *wanted {
                    wrong.push(format!("{}: {found:#?}, but expected is {wanted:#?}", row.what));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A test of a refusal that stands in no row would be forgotten when the row is changed.
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
    let faults: Vec<String> =
        Schema { version: 0, block }.definition_errors().iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
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
    let faults = Schema { version: -1, block: Block::new() }.definition_errors();
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults, ["a schema version cannot be negative, but it is -1"]);
}

#[test]
fn valid_schemas_are_accepted() {
    for (i, (block, kind)) in made::sound().into_iter().enumerate() {
        assert_eq!(Schema { version: 0, block }.definition_errors_of(kind), [], "{i}");
    }
}
