//! Cases that the recorded vectors do not contain. The adapters run them, or report what they do not support.

use serde_json::{Value as Json, json};

use crate::common::Case;

fn case(input: Json, expected: Json) -> Case {
    Case { id: "unrecorded".to_owned(), input, expected }
}

#[track_caller]
fn passes(run: fn(&Case) -> Result<(), String>, input: Json, expected: Json) {
    let description = input.to_string();
    assert_eq!(run(&case(input, expected)), Ok(()), "{description}");
}

/// An error with the path of the attribute or of one of its elements.
fn error_at(path: &Json) -> Json {
    json!({"error": {"diagnostics": [{"path": path, "severity": "error"}]}})
}

#[test]
fn arrays_of_every_kind_are_read_and_written() {
    let kinds = [
        ("string", json!("string"), json!("x")),
        ("bool", json!("bool"), json!(true)),
        ("i8", json!("number"), json!("1")),
        ("u64", json!("number"), json!("1")),
        ("f32", json!("number"), json!("0.5")),
        ("f64", json!("number"), json!("0.5")),
        ("bigint", json!("number"), json!("7")),
        ("bigfloat", json!("number"), json!("7.5")),
        ("alias<string>", json!("string"), json!("x")),
        ("alias<i64>", json!("number"), json!("3")),
        ("types.String", json!("string"), json!("x")),
        ("types.Number", json!("number"), json!("3")),
    ];
    for (kind, ty, value) in kinds {
        let list = json!(["list", ty]);
        let two = json!([value, value]);
        let array = format!("array2<{kind}>");
        let read = |target: &str, of: &Json| json!({"op": "get", "target": target, "type": of, "value": two});
        passes(crate::reflection::run, read(&array, &list), json!({"ok": two}));
        passes(crate::reflection::run, read(&format!("vec<{kind}>"), &list), json!({"ok": two}));
        let native = json!({"type": array, "value": two});
        let write = json!({"op": "set", "type": list, "before": null, "native": native});
        passes(crate::reflection::run, write, json!({"ok": two}));
        // A set has no equal elements, so one element is read from it.
        let (set, one) = (json!(["set", ty]), json!([value]));
        let of_set = json!({"op": "get", "target": format!("vec<{kind}>"), "type": set, "value": one});
        passes(crate::reflection::run, of_set, json!({"ok": one}));
        let native = json!({"type": format!("vec<{kind}>"), "value": one});
        let write = json!({"op": "set", "type": set, "before": null, "native": native});
        let outcome = crate::reflection::run(&case(write, json!({"ok": one})));
        assert_eq!(outcome, Ok(()), "{kind} into a set");
    }
}

#[test]
fn arrays_with_another_number_of_elements_are_errors() {
    let read = json!({"op": "get", "target": "array3<i64>", "type": ["list", "number"], "value": ["1"]});
    passes(crate::reflection::run, read, error_at(&json!([{"attr": "v"}])));
}

#[test]
fn empty_tuples_are_read_into_vectors() {
    for target in ["vec<string>", "vec<i64>", "array0<string>"] {
        let read = json!({"op": "tuple_as", "target": target, "type": ["tuple", []], "value": []});
        passes(crate::reflection::run, read, json!({"ok": []}));
    }
}

#[test]
fn unsupported_native_types_are_reported() {
    for target in ["array9<string>", "struct{q:string}", "set<channel>"] {
        let read = json!({"op": "get", "target": target, "type": "string", "value": "x"});
        let error = crate::reflection::run(&case(read, json!({"ok": "x"}))).unwrap_err();
        assert!(error.starts_with("unsupported: "), "{error}");
    }
}

fn validate(ty: Json, validator: Json, value: Json) -> Json {
    let a = json!({"type": ty, "optional": true, "validators": [validator]});
    json!({"rpc": "validate", "schema": {"attributes": {"a": a}}, "config": {"map": {"a": value}}})
}

#[test]
fn one_of_takes_values_of_every_attribute_type() {
    let rejected = json!({"diagnostics":
        [{"path": [{"attr": "a"}], "severity": "error", "summary": "Invalid Attribute Value Match"}]});
    let cases = [
        ("string", json!(["a", "b"]), json!("a"), json!("c")),
        ("ci_string", json!(["a", "b"]), json!("a"), json!("c")),
        ("number", json!(["1", "2.5"]), json!("2.5"), json!("3")),
        ("number", json!([1, 2.5]), json!("2.5"), json!("3")),
        ("int64", json!(["1", "2"]), json!("2"), json!("3")),
        ("int32", json!([1, 2]), json!("2"), json!("3")),
        ("float64", json!(["0.5"]), json!("0.5"), json!("3")),
        ("float32", json!(["0.5"]), json!("0.5"), json!("3")),
    ];
    for (ty, values, good, bad) in cases {
        let one_of = json!({"name": "one_of", "values": values});
        passes(crate::server::run, validate(json!(ty), one_of.clone(), good), json!({"diagnostics": []}));
        passes(crate::server::run, validate(json!(ty), one_of, bad), rejected.clone());
    }
    for ty in [json!(["list", "string"]), json!("dynamic")] {
        let one_of = json!({"name": "one_of", "values": ["a"]});
        let error = crate::server::run(&case(validate(ty, one_of, Json::Null), json!({"diagnostics": []})));
        assert!(error.unwrap_err().starts_with("unsupported: "));
    }
    let numbers = json!({"name": "one_of", "values": ["x"]});
    let error =
        crate::server::run(&case(validate(json!("number"), numbers, Json::Null), json!({"diagnostics": []})));
    assert!(error.unwrap_err().starts_with("unsupported: "));
}

#[test]
fn zero_min_and_max_items_mean_unlimited() {
    let block = json!({"attributes": [], "blocks": [], "description": "", "deprecated": false, "deprecation_message": ""});
    let nested = json!({"name": "b", "nesting": "list", "block": block, "min_items": 0, "max_items": "0"});
    let mut root = block.clone();
    root["blocks"] = json!([nested]);
    let expected = json!({"diagnostics": [], "schema": {"version": "0", "block": root}});
    let schema = json!({"blocks": {"b": {"mode": "list", "attributes": {}}}});
    passes(crate::server::run, json!({"rpc": "schema", "schema": schema}), expected);
}

#[test]
fn plan_step_stores_every_json_document_in_private_state() {
    let schema = json!({"attributes": {"name": {"type": "string", "optional": true}}});
    let object = json!({"map": {"name": "a"}});
    for document in
        ["null", "1.5", "\"x\"", "[1,\"a\"]", "{\"a\":{\"b\":[true,null]}}", "{\"a\":1,\"b\":\"c\"}"]
    {
        let behavior = json!({"modify_plan": {"private": {"key": document}}});
        let input = json!({
            "rpc": "plan", "schema": schema, "behaviour": behavior,
            "prior": null, "config": object, "proposed": object,
        });
        let expected = json!({"diagnostics": [], "planned": object, "private": {"key": document}});
        passes(crate::server::run, input, expected);
    }
    let behavior = json!({"modify_plan": {"private": {"key": "not JSON"}}});
    let input = json!({
        "rpc": "plan", "schema": schema, "behaviour": behavior,
        "prior": null, "config": object, "proposed": object,
    });
    let error = crate::server::run(&case(input, json!({"diagnostics": [], "planned": object}))).unwrap_err();
    assert!(error.starts_with("not representable: "), "{error}");
}
