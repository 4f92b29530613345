//! The schema equals that of version 3.6.0 of the original.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use serde_json::Value;

const BINARY: &str = env!("CARGO_BIN_EXE_terraform-provider-http");

/// The facts about the original's schema: path, type, and who sets the value.
const ORIGINAL: &str = "
    body string computed deprecated
    ca_cert_pem string optional
    client_cert_pem string optional
    client_key_pem string optional
    id string computed
    insecure bool optional
    method string optional
    request_body string optional
    request_headers map(string) optional
    request_timeout_ms number optional
    response_body string computed
    response_body_base64 string computed
    response_headers map(string) computed
    retry block single
    retry.attempts number optional
    retry.max_delay_ms number optional
    retry.min_delay_ms number optional
    status_code number computed
    url string required
";

fn type_name(json: &Value) -> String {
    match json {
        Value::String(name) => name.clone(),
        json => format!("{}({})", json[0].as_str().unwrap(), type_name(&json[1])),
    }
}

/// One line for each attribute and block, with every property that changes how Terraform treats it.
fn facts(block: &Value, prefix: &str, lines: &mut Vec<String>) {
    for (name, attribute) in block["attributes"].as_object().into_iter().flatten() {
        let flags = ["required", "optional", "computed", "sensitive", "write_only", "deprecated"];
        let flags = flags.into_iter().filter(|it| attribute[it] == true);
        let words: Vec<_> =
            [type_name(&attribute["type"])].into_iter().chain(flags.map(str::to_owned)).collect();
        lines.push(format!("{prefix}{name} {}", words.join(" ")));
    }
    for (name, nested) in block["block_types"].as_object().into_iter().flatten() {
        assert!(nested["min_items"].is_null() && nested["max_items"].is_null(), "{nested}");
        lines.push(format!("{prefix}{name} block {}", nested["nesting_mode"].as_str().unwrap()));
        facts(&nested["block"], &format!("{prefix}{name}."), lines);
    }
}

#[test]
fn schema_equals_the_original() {
    let output = cargo_ferroform::run(vec!["schema".into(), BINARY.into()], Vec::new());
    assert_eq!((&*output.stderr, output.code), ("", 0));
    let schemas: Value = serde_json::from_str(&output.stdout).unwrap();
    let provider = &schemas["provider_schemas"]["http"];
    let http = &provider["data_source_schemas"]["http"];
    assert_eq!(http["version"], 0);
    let mut lines = Vec::new();
    facts(&http["block"], "", &mut lines);
    lines.sort();
    assert_eq!(lines, ORIGINAL.trim().lines().map(str::trim).collect::<Vec<_>>());

    // There are no other objects, and the provider has no settings.
    let count = |kind: &str| provider[kind].as_object().map_or(0, serde_json::Map::len);
    assert_eq!((count("data_source_schemas"), count("resource_schemas"), count("functions")), (1, 0, 0));
    assert_eq!((count("ephemeral_resource_schemas"), count("action_schemas")), (0, 0));
    let settings = &provider["provider"]["block"];
    assert!(settings["attributes"].is_null() && settings["block_types"].is_null(), "{settings}");
}
