//! The schema equals that of the original.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use serde_json::Value;

/// Derived from the source code of the original.
const ORIGINAL: &str = include_str!("original_schema.txt");

fn attribute(attribute: &Value) -> String {
    let flags = ["required", "optional", "computed", "sensitive", "write_only", "deprecated"];
    let set = flags.iter().filter(|it| attribute[**it] == true).map(|it| format!(" {it}"));
    format!("{}{}", type_name(&attribute["type"]), set.collect::<String>())
}

/// A type as in Terraform's language.
fn type_name(ty: &Value) -> String {
    match ty {
        Value::String(name) => name.clone(),
        Value::Array(it) if it[0] == "object" => {
            let attributes = it[1].as_object().unwrap();
            let attributes = attributes.iter().map(|(name, ty)| format!("{name}={}", type_name(ty)));
            format!("object({{{}}})", attributes.collect::<Vec<_>>().join(", "))
        }
        _ => format!("{}({})", type_name(&ty[0]), type_name(&ty[1])),
    }
}

/// Lines in the format of the file.
fn schema() -> Vec<String> {
    let arguments = ["schema", env!("CARGO_BIN_EXE_terraform-provider-time")];
    let output = cargo_ferroform::run(arguments.map(Into::into).into(), Vec::new());
    assert_eq!((&*output.stderr, output.code), ("", 0));
    let json: Value = serde_json::from_str(&output.stdout).unwrap();
    let provider = json["provider_schemas"].as_object().unwrap().values().next().unwrap();
    // Nested blocks, other kinds of objects and an attribute of the provider would be further keys.
    let keys = provider.as_object().unwrap().keys();
    assert_eq!(keys.collect::<Vec<_>>(), ["functions", "provider", "resource_schemas"]);
    assert!(provider["provider"]["block"]["attributes"].is_null());

    let mut lines = Vec::new();
    for (resource, schema) in provider["resource_schemas"].as_object().unwrap() {
        lines.push(format!("resource {resource} version {}", schema["version"]));
        assert!(schema["block"]["block_types"].is_null());
        let attributes = schema["block"]["attributes"].as_object().unwrap();
        lines.extend(attributes.iter().map(|(name, it)| format!("{resource}.{name} {}", attribute(it))));
    }
    for (function, signature) in provider["functions"].as_object().unwrap() {
        let parameters = signature["parameters"].as_array().unwrap().iter();
        let parameters = parameters.map(|it| {
            assert!(it["is_nullable"].is_null());
            format!("{} {}", it["name"].as_str().unwrap(), type_name(&it["type"]))
        });
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        assert!(signature["variadic_parameter"].is_null());
        lines.push(format!("function {function}({parameters}) {}", type_name(&signature["return_type"])));
    }
    lines
}

#[test]
fn schema_equals_that_of_the_original() {
    let original = ORIGINAL.lines().filter(|it| !it.is_empty() && !it.starts_with('#'));
    let (expected, found) = (original.collect::<Vec<_>>().join("\n"), schema().join("\n"));
    assert_eq!(expected, found);
}
