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

/// Checks that a case fails, and that the rule is the first one that explains why.
#[track_caller]
fn deviates(
    run: fn(&Case) -> Result<(), String>,
    applies: fn(&Case, &str) -> Option<&'static str>,
    input: Json,
    expected: Json,
    rule: &str,
) {
    let case = case(input, expected);
    let Err(why) = run(&case) else { panic!("no difference: {}", case.input) };
    assert_eq!(applies(&case, &why), Some(rule), "{}: {why}", case.input);
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

#[test]
fn deviations_of_reflection_apply_to_writing() {
    let v = || json!([{"attr": "v"}]);
    let in_set = || json!([{"attr": "v"}, {"index": "0"}]);
    let list = |element: &str| json!(["list", element]);
    let cases = [
        (
            "map_keyed_by_i64<string>",
            Json::Null,
            json!(["map", "string"]),
            json!({"ok": null}),
            "does-not-compile",
        ),
        (
            "vec<any>",
            json!(["a", null]),
            list("string"),
            error_at(&json!([{"attr": "v"}, {"index": "1"}])),
            "dynamic-is-not-converted",
        ),
        (
            "struct{n:types.Object}",
            json!({"map": {"n": {"map": {"a": "x"}}}}),
            json!(["object", {"n": ["object", {"a": "string"}]}]),
            json!({"ok": {"map": {"n": {"map": {"a": "x"}}}}}),
            "dynamic-is-not-converted",
        ),
        ("vec<string>", json!(["a"]), json!("dynamic"), error_at(&v()), "dynamic-attributes-hold-any-value"),
        ("bigint", json!("5"), json!("dynamic"), error_at(&v()), "dynamic-attributes-hold-any-value"),
        (
            "option<string>",
            Json::Null,
            json!("dynamic"),
            json!({"ok": null}),
            "dynamic-attributes-hold-any-value",
        ),
        ("types.List", Json::Null, list("number"), error_at(&v()), "null-and-unknown-convert-to-any-type"),
        (
            "types.Object",
            json!({"unknown": true}),
            json!(["object", {}]),
            error_at(&v()),
            "null-and-unknown-convert-to-any-type",
        ),
        ("option<string>", Json::Null, json!("number"), json!({"ok": null}), "typed-null"),
        ("bigfloat", Json::Null, json!("string"), json!({"ok": null}), "typed-null"),
        (
            "unknownable<string>",
            json!({"unknownable": {"unknown": true, "value": ""}}),
            json!("bool"),
            json!({"ok": {"unknown": true}}),
            "typed-null",
        ),
        ("array2<string>", json!(["a", "b"]), list("string"), error_at(&v()), "arrays"),
        ("types.List", json!(["a"]), json!(["set", "string"]), error_at(&v()), "lists-are-sets-and-tuples"),
        ("vec<string>", json!(["a"]), json!(["set", "number"]), error_at(&in_set()), "element-error-path"),
        (
            "map<string>",
            json!({"map": {"k": "a"}}),
            list("number"),
            error_at(&json!([{"attr": "v"}, {"key": "k"}])),
            "element-error-path",
        ),
        (
            "types.Object",
            json!({"map": {"a": "x"}}),
            json!(["object", {"a": "number"}]),
            error_at(&v()),
            "element-error-path",
        ),
    ];
    for (native, value, ty, expected, rule) in cases {
        let input =
            json!({"op": "set", "type": ty, "before": null, "native": {"type": native, "value": value}});
        deviates(crate::reflection::run, crate::reflection::rules::applies, input, expected, rule);
    }
}

#[test]
fn deviations_of_reflection_apply_inside_collections() {
    let at = |i: &str| json!([{"attr": "v"}, {"index": i}]);
    let get = |target: &str, ty: Json, value: Json| json!({"op": "get", "target": target, "type": ty, "value": value});
    let cases = [
        (
            get("option<string>", json!("dynamic"), Json::Null),
            json!({"ok": null}),
            "dynamic-is-not-converted",
        ),
        (
            get("vec<types.Int64>", json!(["list", "number"]), json!(["1"])),
            error_at(&at("0")),
            "one-number-type",
        ),
        (
            get("vec<types.Int64>", json!(["list", "number"]), json!(["1", "2.5"])),
            error_at(&at("0")),
            "one-number-type",
        ),
        (
            get("vec<types.String>", json!(["list", "bool"]), json!([null])),
            error_at(&at("0")),
            "null-and-unknown-convert-to-any-type",
        ),
    ];
    for (input, expected, rule) in cases {
        deviates(crate::reflection::run, crate::reflection::rules::applies, input, expected, rule);
    }
}

/// A plan of one attribute that is optional and computed, next to another one.
fn plan(modifiers: Json, prior: Json, config: Json, behavior: Json) -> Json {
    let a = json!({"type": "string", "optional": true, "computed": true, "plan_modifiers": modifiers});
    let schema = json!({"attributes": {"a": a, "b": {"type": "string", "optional": true}}});
    json!({"rpc": "plan", "schema": schema, "behaviour": behavior, "prior": {"map": prior}, "config": {"map": config}, "proposed": {"map": config}})
}

fn planned(planned: Json, requires_replace: Json) -> Json {
    json!({"core_complaints": [], "diagnostics": [], "planned": {"map": planned}, "private": null, "requires_replace": requires_replace})
}

#[test]
fn only_changes_of_the_final_plan_require_replacement() {
    let (run, applies) = (crate::server::run, crate::server::rules::applies);
    let prior = || json!({"a": "x", "b": "1"});
    let a = || json!([[{"attr": "a"}]]);
    let modifiers =
        |value: &str| json!([{"name": "requires_replace"}, {"name": "set_value", "value": value}]);
    let rule = "only-changes-require-replacement";
    let input = plan(modifiers("x"), prior(), json!({"a": "y", "b": "1"}), Json::Null);
    deviates(run, applies, input, planned(prior(), a()), rule);
    let input = plan(modifiers("y"), prior(), json!({"a": null, "b": "1"}), Json::Null);
    deviates(run, applies, input, planned(json!({"a": "y", "b": "1"}), json!([])), rule);
    // `ModifyPlan` requires replacement, although the value does not change.
    let changed = json!({"a": "x", "b": "2"});
    let input = plan(json!([]), prior(), changed.clone(), json!({"modify_plan": {"requires_replace": a()}}));
    deviates(run, applies, input, planned(changed, a()), "replacement-paths-are-checked");
}

#[test]
fn unknown_values_of_an_imported_state_are_errors_at_their_paths() {
    let n = json!({"nested": {"mode": "list", "attributes": {"x": {"type": "string", "optional": true}}}, "optional": true});
    let schema = json!({"attributes": {"id": {"type": "string", "computed": true}, "n": n}});
    let x = json!([{"attr": "n"}, {"index": "0"}, {"attr": "x"}]);
    let set = json!([
        {"path": [{"attr": "n"}], "value": [{"map": {"x": null}}]},
        {"path": x, "value": {"unknown": true}},
    ]);
    let input = json!({"rpc": "import", "id": "i", "schema": schema, "behaviour": {"import": {"passthrough": "id", "set": set}}});
    let state = json!({"map": {"id": "i", "n": [{"map": {"x": {"unknown": true}}}]}});
    let imported =
        json!([{"type_name": "test_thing", "private": {".import_before_read": "true"}, "state": state}]);
    let expected = json!({"diagnostics": [], "imported": imported});
    deviates(
        crate::server::run,
        crate::server::rules::applies,
        input.clone(),
        expected,
        "imported-state-is-known",
    );
    let found = json!([{"severity": "error", "path": x, "summary": "Provider produced invalid object"}]);
    passes(crate::server::run, input, json!({"diagnostics": found, "imported": []}));
}

#[test]
fn conversion_errors_inside_collections_of_every_kind_are_reported_at_their_paths() {
    let element = json!({"elem": {"type": "number", "value": "1.5"}});
    for (ty, value, step) in [
        (json!(["set", "int64"]), json!(["1", "1.5"]), element),
        (json!(["list", "int32"]), json!(["1.5"]), json!({"index": "0"})),
        (json!(["map", "int32"]), json!({"map": {"k": "1.5"}}), json!({"key": "k"})),
        (json!(["list", "float32"]), json!(["1e39"]), json!({"index": "0"})),
    ] {
        let at = |path: Json| json!({"diagnostics": [{"severity": "error", "path": path, "summary": "Configuration Read Error"}]});
        let a = json!({"type": ty, "optional": true});
        let input =
            json!({"rpc": "validate", "schema": {"attributes": {"a": a}}, "config": {"map": {"a": value}}});
        let is_set = step.get("elem").is_some();
        passes(crate::server::run, input.clone(), at(json!([{"attr": "a"}, step])));
        let (run, applies) = (crate::server::run, crate::server::rules::applies);
        // On the wire, a path ends before the element of a set.
        match is_set {
            true => passes(run, input, at(json!([{"attr": "a"}]))),
            false => deviates(run, applies, input, at(json!([{"attr": "a"}])), "conversion-error-path"),
        }
    }
}

#[test]
fn values_that_an_import_sets_are_checked_at_their_paths() {
    let l = json!({"type": ["list", "string"], "optional": true});
    let name = json!({"type": "string", "optional": true});
    let n = json!({"type": "int64", "optional": true});
    let schema =
        json!({"attributes": {"id": {"type": "string", "computed": true}, "l": l, "n": n, "name": name}});
    let import = |set: Json| json!({"rpc": "import", "id": "i", "schema": schema, "behaviour": {"import": {"passthrough": "id", "set": set}}});
    for (path, value) in [
        (json!([{"attr": "name"}]), json!(["a"])),
        (json!([{"attr": "name"}]), json!(true)),
        (json!([{"attr": "n"}]), json!("x")),
        (json!([{"attr": "l"}]), json!("x")),
        (json!([{"attr": "l"}, {"index": "0"}]), json!(true)),
    ] {
        let found = json!([{"path": path, "severity": "error", "summary": "Value Conversion Error"}]);
        let input = import(json!([{"path": path, "value": value}]));
        passes(crate::server::run, input, json!({"diagnostics": found, "imported": []}));
    }
    let first = json!([{"path": [{"attr": "l"}, {"index": "0"}], "value": "a"}]);
    let state = json!({"map": {"id": "i", "l": ["a"], "n": null, "name": null}});
    let imported =
        json!([{"type_name": "test_thing", "private": {".import_before_read": "true"}, "state": state}]);
    passes(crate::server::run, import(first), json!({"diagnostics": [], "imported": imported}));
}

/// The builder makes such an attribute optional and computed, so the schema is valid.
#[test]
fn default_of_an_attribute_that_is_not_computed_is_a_deviation() {
    let schema = json!({"attributes": {"a": {"type": "string", "optional": true, "default": "d"}}});
    let found = json!([{"severity": "error", "path": [{"attr": "a"}], "summary": "Schema Using Attribute Default For Non-Computed Attribute"}]);
    let input = json!({"rpc": "schema", "schema": schema});
    let (run, applies) = (crate::server::run, crate::server::rules::applies);
    deviates(run, applies, input, json!({"diagnostics": found}), "default-is-computed");
}

/// No rule applies to what the adapter does not support, even if the Go framework reports an error.
#[test]
fn unsupported_parts_of_schemas_fail() {
    let modified =
        |name: &str| json!({"type": "string", "optional": true, "plan_modifiers": [{"name": name}]});
    let nested =
        json!({"optional": true, "nested": {"mode": "list", "attributes": {"x": modified("set_unknown")}}});
    for a in [modified("set_null"), nested, json!({"type": ["list", ["map", "int64"]], "optional": true})] {
        let input = json!({"rpc": "schema", "schema": {"attributes": {"a": a}}});
        let case = case(input, json!({"diagnostics": [{"severity": "error", "summary": "Any"}]}));
        let why = crate::server::run(&case).unwrap_err();
        assert!(why.starts_with("unsupported: "), "{why}");
        assert_eq!(crate::server::rules::applies(&case, &why), None);
    }
    let input = json!({"rpc": "schema", "schema": {"attributes": {}}});
    assert_eq!(
        crate::server::rules::applies(&case(input, json!({"diagnostics": []})), "not representable: other"),
        None
    );
}
