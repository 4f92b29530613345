//! The schema of a provider as text, for comparisons with the provider that it replaces.

use serde_json::Value;

use crate::run;

/// The kinds of objects that the text contains, by their keys in the JSON.
const KINDS: [(&str, &str); 4] = [
    ("resource_schemas", "resource"),
    ("data_source_schemas", "data"),
    ("ephemeral_resource_schemas", "ephemeral"),
    ("list_resource_schemas", "list"),
];

const IDENTITIES: &str = "resource_identity_schemas";

/// Asserts that the schema of a provider equals the description of another schema. The description contains a line for each
/// object, attribute, block and function, with every property that affects Terraform's behavior:
///
/// ```text
/// provider
///
/// resource tls_private_key version 1
/// algorithm string required
/// private_key_pem string computed sensitive
/// ```
///
/// Empty lines, and lines that begin with `#`, are ignored.
pub fn assert_schema_equals(binary: &str, expected: &str) {
    let expected = expected.lines().filter(|it| !it.is_empty() && !it.starts_with('#'));
    assert_eq!(describe_schemas(binary), expected.collect::<Vec<_>>().join("\n"));
}

/// Describes the schema of a provider in the format of [`assert_schema_equals`].
pub fn describe_schemas(binary: &str) -> String {
    let output = run(&["schema", binary]);
    assert_eq!((&*output.stderr, output.code), ("", 0));
    let schemas: Value = serde_json::from_str(&output.stdout).unwrap();
    let providers = schemas["provider_schemas"].as_object().unwrap();
    describe_provider(providers.values().next().unwrap()).join("\n")
}

fn describe_provider(provider: &Value) -> Vec<String> {
    let mut lines = vec!["provider".to_owned()];
    describe_block("", &provider["provider"]["block"], &mut lines);
    for (key, kind) in KINDS {
        for (name, schema) in members(&provider[key]) {
            let version = schema["version"].as_u64().unwrap_or_default();
            let is_versioned = kind == "resource" || version > 0;
            let version = if is_versioned { format!(" version {version}") } else { String::new() };
            lines.push(format!("{kind} {name}{version}"));
            describe_block("", &schema["block"], &mut lines);
        }
    }
    for (name, function) in members(&provider["functions"]) {
        assert!(function["variadic_parameter"].is_null(), "{function}");
        let parameters = function["parameters"].as_array().into_iter().flatten().map(|it| {
            assert!(it["is_nullable"].is_null(), "{it}");
            format!("{} {}", it["name"].as_str().unwrap(), describe_type(&it["type"]))
        });
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        lines.push(format!("function {name}({parameters}) {}", describe_type(&function["return_type"])));
    }
    for (name, schema) in members(&provider[IDENTITIES]) {
        lines.push(format!("identity {name} version {}", schema["version"].as_u64().unwrap_or_default()));
        describe_block("", schema, &mut lines);
    }
    for (key, others) in members(provider) {
        let is_described =
            ["provider", "functions", IDENTITIES].contains(&&**key) || KINDS.iter().any(|(it, _)| it == key);
        assert!(is_described || members(others).count() == 0, "objects of another kind: {others}");
    }
    lines
}

fn describe_block(prefix: &str, block: &Value, lines: &mut Vec<String>) {
    for (name, attribute) in members(&block["attributes"]) {
        let flags = [
            "required",
            "optional",
            "computed",
            "sensitive",
            "deprecated",
            "write_only",
            "required_for_import",
            "optional_for_import",
        ];
        let flags = flags.iter().filter(|it| attribute[**it] == true).map(|it| format!(" {it}"));
        let ty = describe_type(&attribute["type"]);
        lines.push(format!("{prefix}{name} {ty}{}", flags.collect::<String>()));
    }
    for (name, nested) in members(&block["block_types"]) {
        assert!(nested["min_items"].is_null() && nested["max_items"].is_null(), "{nested}");
        lines.push(format!("{prefix}{name} block {}", nested["nesting_mode"].as_str().unwrap()));
        describe_block(&format!("{prefix}{name}."), &nested["block"], lines);
    }
}

/// A type, such as `map(string)` or `object(day number, month number)`.
fn describe_type(ty: &Value) -> String {
    match ty {
        Value::Array(parts) => format!("{}({})", describe_type(&parts[0]), describe_type(&parts[1])),
        Value::Object(attributes) => {
            let attributes = attributes.iter().map(|(name, ty)| format!("{name} {}", describe_type(ty)));
            attributes.collect::<Vec<_>>().join(", ")
        }
        name => name.as_str().unwrap().to_owned(),
    }
}

fn members(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object.as_object().into_iter().flatten()
}
