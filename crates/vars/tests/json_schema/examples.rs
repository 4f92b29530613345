//! The keywords for single types and conditions, and the document as a whole.

use std::fs;

use expect_test::{Expect, expect};
use ferroform_vars::{AsErrors, Request, SourceTexts, evaluate, generate_schema, generate_schema_of_sources};
use serde_json::{Value, json};

use crate::{evaluation_accepts, validator};

fn texts(module: &str) -> SourceTexts {
    SourceTexts { module: vec![("main.tf".to_owned(), module.to_owned())], values: Vec::new() }
}

/// Compares the schema of a variable `x` that is not nullable.
fn check(ty: &str, condition: &str, expected: Expect) {
    let module = format!(
        "variable \"x\" {{\n  type = {ty}\n  nullable = false\n  validation {{\n    condition = {condition}\n    error_message = \"No.\"\n  }}\n}}\nvariable \"y\" {{}}\n"
    );
    let schema: Value = serde_json::from_str(&validator(&module).0).expect("the schema is JSON");
    expected.assert_eq(&schema["properties"]["x"].to_string());
}

#[test]
fn conditions_are_keywords() {
    check(
        "string",
        "contains([\"eu\", \"1\"], var.x)",
        expect![[r#"{"enum":["eu","1",1],"type":["string","number","boolean"]}"#]],
    );
    check(
        "number",
        "var.x >= 1 && var.x < 10",
        expect![[
            r#"{"exclusiveMaximum":10,"minimum":1,"pattern":"^[+-]?(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eEpP][+-]?[0-9]+)?|[Ii]nf)$","type":["number","string"]}"#
        ]],
    );
    check(
        "number",
        "floor(var.x) == var.x",
        expect![[
            r#"{"multipleOf":1,"pattern":"^[+-]?(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eEpP][+-]?[0-9]+)?|[Ii]nf)$","type":["number","string"]}"#
        ]],
    );
    check(
        "string",
        "can(regex(\"^[a-z]+\\\\d$\", var.x)) && length(var.x) <= 8",
        expect![[
            r#"{"anyOf":[{"maxLength":8},{"pattern":"[^ -~]"}],"pattern":"^[a-z]+[0-9]$","type":["string","number","boolean"]}"#
        ]],
    );
    check(
        "string",
        "startswith(var.x, \"a.\") || var.x == \"b\"",
        expect![[r#"{"anyOf":[{"enum":["b"]},{"pattern":"^a\\."}],"type":["string","number","boolean"]}"#]],
    );
    check(
        "string",
        "substr(var.x, 0, 4) == \"ami-\"",
        expect![[
            r#"{"$comment":"The schema does not express a part of the validation at main.tf:4:3: substr(var.x, 0, 4) == \"ami-\" (No.)","pattern":"^ami-","type":["string","number","boolean"]}"#
        ]],
    );
    check(
        "string",
        "!(var.x == \"\") && !contains([\"a\"], var.x)",
        expect![[r#"{"minLength":1,"not":{"enum":["a"]},"type":["string","number","boolean"]}"#]],
    );
    check(
        "set(string)",
        "length(var.x) > 0 && length(setsubtract(var.x, [\"a\"])) == 0",
        expect![[
            r#"{"items":{"enum":["a"],"type":["string","number","boolean"]},"minItems":1,"type":"array"}"#
        ]],
    );
    check(
        "map(number)",
        "alltrue([for key, it in var.x : it > 0 if it != 5])",
        expect![[
            r#"{"additionalProperties":{"anyOf":[{"enum":[5]},{"type":"string"},{"exclusiveMinimum":0}],"pattern":"^[+-]?(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eEpP][+-]?[0-9]+)?|[Ii]nf)$","type":["number","string"]},"type":"object"}"#
        ]],
    );
    check(
        "object({ a = optional(object({ b = string })) })",
        "try(var.x.a.b, \"\") == \"\"",
        expect![[
            r#"{"$comment":"The schema does not express the validation at main.tf:4:3: try(var.x.a.b, \"\") == \"\" (No.)","properties":{"a":{"properties":{"b":{"type":["string","number","boolean","null"]}},"required":["b"],"type":["object","null"]}},"type":"object"}"#
        ]],
    );
    check(
        "object({ a = object({ b = string }) })",
        "var.x.a.b != null && length(var.x.a.b) > 1",
        expect![[
            r#"{"properties":{"a":{"properties":{"b":{"minLength":2,"type":["string","number","boolean"]}},"required":["b"],"type":"object"}},"required":["a"],"type":"object"}"#
        ]],
    );
    check(
        "list(string)",
        "anytrue([for it in var.x : it == \"a\"])",
        expect![[
            r#"{"contains":{"enum":["a"],"type":["string","number","boolean"]},"items":{"type":["string","number","boolean","null"]},"type":"array"}"#
        ]],
    );
}

#[test]
fn other_conditions_are_in_a_comment() {
    check(
        "number",
        "var.x != var.y",
        expect![[
            r#"{"$comment":"The schema does not express the validation at main.tf:4:3: var.x != var.y (No.)","pattern":"^[+-]?(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eEpP][+-]?[0-9]+)?|[Ii]nf)$","type":["number","string"]}"#
        ]],
    );
    check(
        "number",
        "var.x > 0 && var.x != var.y",
        expect![[
            r#"{"$comment":"The schema does not express a part of the validation at main.tf:4:3: var.x > 0 && var.x != var.y (No.)","exclusiveMinimum":0,"pattern":"^[+-]?(([0-9]+\\.?[0-9]*|\\.[0-9]+)([eEpP][+-]?[0-9]+)?|[Ii]nf)$","type":["number","string"]}"#
        ]],
    );
    check(
        "string",
        "can(cidrhost(var.x, 0))",
        expect![[
            r#"{"$comment":"The schema does not express the validation at main.tf:4:3: can(cidrhost(var.x, 0)) (No.)","type":["string","number","boolean"]}"#
        ]],
    );
    check(
        "string",
        "can(regex(\"(?i)^a\", var.x))",
        expect![[
            r#"{"$comment":"The schema does not express the validation at main.tf:4:3: can(regex(\"(?i)^a\", var.x)) (No.)","type":["string","number","boolean"]}"#
        ]],
    );
    check(
        "set(string)",
        "length(var.x) < 3",
        expect![[
            r#"{"$comment":"The schema does not express the validation at main.tf:4:3: length(var.x) < 3 (No.)","items":{"type":["string","number","boolean","null"]},"type":"array"}"#
        ]],
    );
}

#[test]
fn sensitive_defaults_are_not_part_of_the_schema() {
    let module = r#"
variable "a" {
  default   = "hunter2"
  sensitive = true
}
variable "b" {
  type      = object({ password = optional(string, "hunter2") })
  ephemeral = true
}
"#;
    let (document, _) = validator(module);
    assert!(!document.contains("hunter2"), "{document}");
    assert_eq!(document.matches("\"writeOnly\": true").count(), 2, "{document}");
}

#[test]
fn annotations_are_those_of_the_declaration() {
    let module = r#"
variable "a" {
  type        = object({ size = optional(number, 3) })
  description = "The size."
  deprecated  = "Use b."
  default     = {}
}
"#;
    let schema: Value = serde_json::from_str(&validator(module).0).expect("the schema is JSON");
    let variable = &schema["properties"]["a"];
    assert_eq!(variable["description"], "The size.\n\nDeprecated: Use b.");
    assert_eq!(variable["deprecated"], true);
    assert_eq!(variable["default"], json!({"size": 3}));
    assert_eq!(variable["properties"]["size"]["default"], 3);
    assert_eq!(schema["required"], json!([]));
}

#[test]
fn invalid_module_is_reported() {
    let report = generate_schema_of_sources(&texts("variable \"a\" {\n  type = strng\n}\n"))
        .expect_err("an invalid type");
    assert!(report.diagnostics().contains("Invalid type specification"));
    let mut streams = (Vec::new(), Vec::new());
    let code = ferroform_vars::run(
        vec!["-schema".into(), "no-such-directory".into()],
        Vec::new(),
        &mut streams.0,
        &mut streams.1,
    );
    assert_eq!((code, streams.0.len()), (1, 0));
    assert!(String::from_utf8_lossy(&streams.1).contains("Failed to read module directory"));
}

/// With `-strict`, undeclared variables and attributes are errors, but comments are not.
#[test]
fn strict_schema_rejects_undeclared_names() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let module = "variable \"a\" {\n  type = map(object({ b = optional(number) }))\n}\n";
    fs::write(directory.path().join("main.tf"), module).expect("the module is written");
    let request =
        Request { directory: directory.path().into(), as_errors: AsErrors::ALL, ..Request::default() };
    let document = generate_schema(&request).map_err(|e| e.diagnostics()).expect("the module is valid");
    let document: Value = serde_json::from_str(&document).expect("the schema is JSON");
    let strict = jsonschema::validator_for(&document).expect("the schema is valid");
    for (values, is_valid) in [
        (json!({"a": {"k": {"b": 1}}, "//": "A comment."}), true),
        (json!({"a": {"k": {"b": 1, "c": 1}}}), false),
        (json!({"a": {}, "c": 1}), false),
    ] {
        fs::write(directory.path().join("terraform.tfvars.json"), values.to_string()).expect("written");
        let accepted = (strict.is_valid(&values), evaluate(&request).is_valid());
        assert_eq!(accepted, (is_valid, is_valid), "{values}");
        assert!(validator(module).1.is_valid(&values) && evaluation_accepts(module, &values));
    }
}

/// The example in `README.md` has this schema.
#[test]
fn example_of_the_readme_is_current() {
    let page = include_str!("../../README.md");
    let section = page.split("## JSON Schema").nth(1).expect("the section exists");
    let block = |language: &str| {
        let start = section.split(&format!("```{language}\n")).nth(1).expect("the block exists");
        start.split("```").next().expect("the block ends")
    };
    let document = validator(block("hcl")).0;
    let expected: Value = serde_json::from_str(block("json")).expect("the example is JSON");
    let found: Value = serde_json::from_str(&document).expect("the schema is JSON");
    assert_eq!(found, expected, "{document}");
}

#[test]
fn defaults_of_attributes_are_filled_in() {
    let module = "variable \"x\" {\n  type = object({ disk = optional(object({ gb = optional(number, 10) }), {}) })\n}\n";
    let schema = generate_schema_of_sources(&texts(module)).expect("the module is valid");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    assert_eq!(schema["properties"]["x"]["properties"]["disk"]["default"], json!({"gb": 10}));
}
