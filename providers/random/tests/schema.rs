//! The schemas equal those of the original, attribute by attribute.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_terraform-provider-random");

/// A type as in a configuration, such as `map(string)`.
fn type_name(ty: &Value) -> String {
    match ty {
        Value::Array(parts) => format!("{}({})", type_name(&parts[0]), type_name(&parts[1])),
        name => name.as_str().unwrap().to_owned(),
    }
}

/// One line for each attribute. A nested attribute or block, which the original does not have, fails.
fn lines(kind: &str, schemas: &Value) -> String {
    let mut lines = String::new();
    for (name, schema) in schemas.as_object().unwrap() {
        let version =
            if kind == "resource" { format!(" version {}", schema["version"]) } else { String::new() };
        lines += &format!("\n{kind} {name}{version}\n");
        assert!(schema["block"]["block_types"].is_null(), "{name} has blocks");
        for (attribute, facts) in schema["block"]["attributes"].as_object().unwrap() {
            lines += &format!("{attribute} {}", type_name(&facts["type"]));
            for fact in ["required", "optional", "computed", "sensitive", "deprecated", "write_only"] {
                if facts[fact] == true {
                    lines += &format!(" {fact}");
                }
            }
            lines.push('\n');
        }
    }
    lines
}

#[test]
fn schemas_equal_those_of_the_original() {
    let output = cargo_ferroform::run(vec!["schema".into(), BINARY.into()], Vec::new());
    assert_eq!((&*output.stderr, output.code), ("", 0));
    let schemas: Value = serde_json::from_str(&output.stdout).unwrap();
    let provider = &schemas["provider_schemas"]["random"];
    let found = lines("resource", &provider["resource_schemas"])
        + &lines("ephemeral", &provider["ephemeral_resource_schemas"]);
    let (_, expected) = include_str!("original_schema.txt").split_once('\n').unwrap();
    assert_eq!(found, expected);
    assert!(provider["provider"]["block"]["attributes"].is_null());
    for other in ["data_source_schemas", "functions", "action_schemas", "list_resource_schemas"] {
        assert!(provider[other].as_object().is_none_or(|it| it.is_empty()), "{other}");
    }
}
