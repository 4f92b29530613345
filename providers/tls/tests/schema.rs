//! The schemas equal those of the original, attribute by attribute.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_terraform-provider-tls");

/// A type, such as `list(string)`.
fn type_name(ty: &Value) -> String {
    match ty {
        Value::Array(parts) => format!("{}({})", type_name(&parts[0]), type_name(&parts[1])),
        Value::Object(attributes) => {
            let attributes = attributes.iter().map(|(name, ty)| format!("{name} {}", type_name(ty)));
            attributes.collect::<Vec<_>>().join(", ")
        }
        name => name.as_str().unwrap().to_owned(),
    }
}

/// One line for each attribute, and then one for each block, followed by those of its contents.
fn block(prefix: &str, block: &Value) -> String {
    let mut lines = String::new();
    for (attribute, facts) in block["attributes"].as_object().into_iter().flatten() {
        lines += &format!("{prefix}{attribute} {}", type_name(&facts["type"]));
        for fact in ["required", "optional", "computed", "sensitive", "deprecated", "write_only"] {
            if facts[fact] == true {
                lines += &format!(" {fact}");
            }
        }
        lines.push('\n');
    }
    for (name, nested) in block["block_types"].as_object().into_iter().flatten() {
        assert!(nested["min_items"].is_null() && nested["max_items"].is_null(), "{name} has limits");
        lines += &format!("{prefix}{name} block {}\n", nested["nesting_mode"].as_str().unwrap());
        lines += &self::block(&format!("{prefix}{name}."), &nested["block"]);
    }
    lines
}

fn objects(kind: &str, schemas: &Value) -> String {
    let mut lines = String::new();
    for (name, schema) in schemas.as_object().unwrap() {
        let version =
            if kind == "resource" { format!(" version {}", schema["version"]) } else { String::new() };
        lines += &format!("\n{kind} {name}{version}\n{}", block("", &schema["block"]));
    }
    lines
}

#[test]
fn schemas_equal_those_of_the_original() {
    let output = cargo_ferroform::run(vec!["schema".into(), BINARY.into()], Vec::new());
    assert_eq!((&*output.stderr, output.code), ("", 0));
    let schemas: Value = serde_json::from_str(&output.stdout).unwrap();
    let provider = &schemas["provider_schemas"]["tls"];
    let found = format!("\nprovider\n{}", block("", &provider["provider"]["block"]))
        + &objects("resource", &provider["resource_schemas"])
        + &objects("data", &provider["data_source_schemas"])
        + &objects("ephemeral", &provider["ephemeral_resource_schemas"]);
    let (_, expected) = include_str!("original_schema.txt").split_once('\n').unwrap();
    assert_eq!(found, expected);
    for other in ["functions", "action_schemas", "list_resource_schemas"] {
        assert!(provider[other].as_object().is_none_or(|it| it.is_empty()), "{other}");
    }
}
