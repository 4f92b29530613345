//! Invalid schemas: each is rejected at compile time, and the check of schemas that are built at run time reports it.
//!
//! The rows are the checks of SDKv2 (`InternalValidate`), of the Go framework (`ValidateImplementation`) and of Terraform, and
//! our own.

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
                    .faults_of(kind)
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
            tests.iter().for_each(|it| assert!(seen.insert(*it), "{it} stands there twice"));
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
    let faults: Vec<String> = Schema { version: 0, block }.faults().iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "count: `count` is reserved by Terraform",
            "Name: a name is lowercase letters, digits and underscores, and does not begin with a digit",
            "Name: what is write-only cannot be computed or have a default",
            "size: the default does not fit: the type is string, but this is a number",
            "size: only a list, set or map has a number of elements, but this is a string",
            "size: the name is used twice",
            "size: it follows `sice`, which is not another attribute or block beside it; there are: count, Name",
            "size: the elements of a collection are of one type, so no part of them can be of any",
        ]
    );
}

#[test]
fn negative_schema_version_is_rejected() {
    let faults = Schema { version: -1, block: Block::new() }.faults();
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults, ["a version is a number from 0 on, but this is -1"]);
}

#[test]
fn valid_schemas_are_accepted() {
    for (i, (block, kind)) in made::sound().into_iter().enumerate() {
        assert_eq!(Schema { version: 0, block }.faults_of(kind), [], "{i}");
    }
}
