//! The rules of `vectors/deviations.toml`: the failed cases to which each rule applies.

use serde_json::Value as Json;

use crate::common::Case;

const LISTED: &str = include_str!("../../vectors/deviations.toml");

/// Returns true if a rule applies to a case that failed for a reason.
type Validator = fn(&Case, &str) -> bool;

const RULES: [(&str, Validator); 14] = [
    ("dynamic-holds-known-values", dynamic_holds_known_values),
    ("dynamic-is-not-converted", dynamic_is_not_converted),
    ("one-number-type", one_number_type),
    ("null-and-unknown-convert-to-any-type", null_and_unknown_convert_to_any_type),
    ("nested-options", nested_options),
    ("framework-values-in-dynamic-attributes", framework_values_in_dynamic_attributes),
    ("arrays", arrays),
    ("path-inside-dynamic-value", path_inside_dynamic_value),
    ("maybe-is-not-null", maybe_is_not_null),
    ("value-inside-unknown-is-unknown", value_inside_unknown_is_unknown),
    ("big-integers-keep-digits", big_integers_keep_digits),
    ("element-error-path", element_error_path),
    ("typed-null", typed_null),
    ("does-not-compile", does_not_compile),
];

/// Returns the first rule that applies to a failed case. The rule must be listed in `deviations.toml`.
pub fn applies(case: &Case, why: &str) -> Option<&'static str> {
    let (name, _) = RULES.into_iter().find(|(_, rule)| rule(case, why))?;
    assert!(LISTED.contains(&format!("rule = \"{name}\"\nreason = ")), "{name} is not listed");
    Some(name)
}

fn target(case: &Case) -> &str {
    case.input["target"].as_str().unwrap_or_default()
}

fn native(case: &Case) -> &str {
    case.input["native"]["type"].as_str().unwrap_or_default()
}

/// Returns true if the Go framework returns an error and Ferroform a value.
fn only_ours_succeeds(case: &Case, why: &str) -> bool {
    case.expected.get("error").is_some() && why.starts_with("no error")
}

fn only_ours_fails(case: &Case, why: &str) -> bool {
    case.expected.get("ok").is_some() && why.starts_with("error: ")
}

fn error_paths_differ(case: &Case, why: &str) -> bool {
    case.expected.get("error").is_some() && why.starts_with("errors at ")
}

/// Returns true if the type name contains `any` outside of `types.any`.
fn is_any(name: &str) -> bool {
    name.replace("types.any", "").split(|c: char| !c.is_alphanumeric()).any(|it| it == "any")
}

fn dynamic_holds_known_values(case: &Case, why: &str) -> bool {
    let object = target(case).contains("{n:types.Object}") && only_ours_succeeds(case, why);
    object || is_any(target(case)) && (only_ours_succeeds(case, why) || error_paths_differ(case, why))
}

fn dynamic_is_not_converted(case: &Case, why: &str) -> bool {
    is_any(native(case)) && why.contains("but got a dynamic value")
}

const NUMBERS: [&str; 5] = ["Number", "Int64", "Int32", "Float64", "Float32"];

/// Returns the name of the requested Go framework type, unless it is the element of a collection.
fn framework_type(case: &Case) -> Option<&str> {
    target(case).strip_prefix("types.")
}

fn is_number(ty: &Json) -> bool {
    ty.as_str().is_some_and(|it| {
        it == "number" || NUMBERS.iter().any(|framework_type| framework_type.to_lowercase() == it)
    })
}

fn one_number_type(case: &Case, why: &str) -> bool {
    let numbers =
        framework_type(case).is_some_and(|it| NUMBERS.contains(&it)) && is_number(&case.input["type"]);
    numbers && only_ours_succeeds(case, why)
}

fn null_and_unknown_convert_to_any_type(case: &Case, why: &str) -> bool {
    let value = &case.input["value"];
    let empty = value.is_null() || value.get("unknown").is_some();
    target(case).contains("types.") && empty && only_ours_succeeds(case, why)
}

fn nested_options(case: &Case, why: &str) -> bool {
    target(case).starts_with("option<types.") && only_ours_succeeds(case, why)
}

fn framework_values_in_dynamic_attributes(case: &Case, why: &str) -> bool {
    native(case).starts_with("types.") && case.input["type"] == "dynamic" && only_ours_succeeds(case, why)
}

fn arrays(case: &Case, why: &str) -> bool {
    target(case).starts_with("array") && (only_ours_succeeds(case, why) || error_paths_differ(case, why))
}

/// The attribute path continues inside a dynamic value.
fn path_inside_dynamic_value(case: &Case, why: &str) -> bool {
    let through_any = case.input["type"] == "dynamic";
    case.op() == "get_path" && through_any && only_ours_succeeds(case, why)
}

fn maybe_is_not_null(case: &Case, why: &str) -> bool {
    target(case) == "unknownable<string>" && case.input["value"].is_null() && only_ours_fails(case, why)
}

/// A value on the path is unknown. The path starts at the value of `v`.
fn value_inside_unknown_is_unknown(case: &Case, _: &str) -> bool {
    let Some((_, mut steps)) = case.input["path"].as_array().and_then(|it| it.split_first()) else {
        return false;
    };
    let mut value = &case.input["value"];
    while let Some((step, rest)) = steps.split_first() {
        if value.get("unknown").is_some() {
            return true;
        }
        let name = step["attr"].as_str().or(step["key"].as_str());
        value = match (name, step["index"].as_str().and_then(|it| it.parse::<usize>().ok())) {
            (Some(name), _) => &value["map"][name],
            (_, Some(index)) => &value[index],
            _ => return false,
        };
        steps = rest;
    }
    false
}

/// A big integer, alone or inside another type, is recorded as a 64-bit float.
fn big_integers_keep_digits(case: &Case, _: &str) -> bool {
    fn has_float(it: &Json) -> bool {
        match it {
            Json::Object(it) => it.contains_key("f64") || it.values().any(has_float),
            Json::Array(it) => it.iter().any(has_float),
            _ => false,
        }
    }
    native(case).contains("bigint") && has_float(&case.expected)
}

fn element_error_path(case: &Case, why: &str) -> bool {
    native(case).starts_with("types.") && error_paths_differ(case, why)
}

fn typed_null(case: &Case, why: &str) -> bool {
    case.input["native"]["value"].is_null() && why.contains("but got null") && only_ours_fails(case, why)
}

fn does_not_compile(case: &Case, why: &str) -> bool {
    let keys = target(case).starts_with("map_keyed_by_i64");
    keys && (error_paths_differ(case, why) || why.contains("Does not compile"))
}
