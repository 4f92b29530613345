//! The rules of `vectors/deviations.toml`: the failed cases to which each rule applies.

use serde_json::Value as Json;

use super::table::DO_NOT_COMPILE;
use crate::common::{Case, any};

const LISTED: &str = include_str!("../../vectors/deviations.toml");

/// Returns true if a rule applies to a case that failed for a reason.
type Validator = fn(&Case, &str) -> bool;

const RULES: [(&str, Validator); 15] = [
    ("does-not-compile", does_not_compile),
    ("dynamic-holds-known-values", dynamic_holds_known_values),
    ("dynamic-is-not-converted", dynamic_is_not_converted),
    ("dynamic-attributes-hold-any-value", dynamic_attributes_hold_any_value),
    ("one-number-type", one_number_type),
    ("null-and-unknown-convert-to-any-type", null_and_unknown_convert_to_any_type),
    ("typed-null", typed_null),
    ("nested-options", nested_options),
    ("arrays", arrays),
    ("path-inside-dynamic-value", path_inside_dynamic_value),
    ("maybe-is-not-null", maybe_is_not_null),
    ("value-inside-unknown-is-unknown", value_inside_unknown_is_unknown),
    ("big-integers-keep-digits", big_integers_keep_digits),
    ("lists-are-sets-and-tuples", lists_are_sets_and_tuples),
    ("element-error-path", element_error_path),
];

/// Returns the first rule that applies to a failed case. The rule must be listed in `deviations.toml`.
pub fn applies(case: &Case, why: &str) -> Option<&'static str> {
    let (name, _) = RULES.into_iter().find(|(_, rule)| rule(case, why))?;
    assert!(LISTED.contains(&format!("rule = \"{name}\"\nreason = ")), "{name} is not listed");
    Some(name)
}

/// Returns true if a native value is written, and false if one is read.
fn is_write(case: &Case) -> bool {
    case.input.get("native").is_some()
}

/// Returns the name of the native type, which is written or read.
fn native(case: &Case) -> &str {
    let name = if is_write(case) { &case.input["native"]["type"] } else { &case.input["target"] };
    name.as_str().unwrap_or_default()
}

/// Returns the value that is converted: the native value that is written, or the framework value that is read.
fn converted(case: &Case) -> &Json {
    if is_write(case) { &case.input["native"]["value"] } else { &case.input["value"] }
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

/// Returns true if the Rust type is or contains a `Dynamic`: the counterpart of `any`, outside of `types.any`, and of an
/// object with arbitrary attributes.
fn has_dynamic(name: &str) -> bool {
    let words = name.replace("types.any", "");
    name.contains("{n:types.Object}") || words.split(|c: char| !c.is_alphanumeric()).any(|it| it == "any")
}

/// Returns true if the type of the attribute is or contains `dynamic`.
fn is_dynamic(case: &Case) -> bool {
    any(&case.input["type"], &|it| it == "dynamic")
}

/// Returns true if the value is or contains a null or unknown value.
fn has_null_or_unknown(value: &Json) -> bool {
    any(value, &|it| it.is_null() || it.get("unknown").is_some())
}

fn dynamic_holds_known_values(case: &Case, why: &str) -> bool {
    !is_write(case)
        && has_dynamic(native(case))
        && (only_ours_succeeds(case, why) || error_paths_differ(case, why))
}

/// Reading fails for a null or unknown value in a dynamic attribute, and writing for a `Dynamic` in an attribute of one type.
fn dynamic_is_not_converted(case: &Case, why: &str) -> bool {
    match is_write(case) {
        false => is_dynamic(case) && has_null_or_unknown(converted(case)) && only_ours_fails(case, why),
        true => has_dynamic(native(case)) && (only_ours_fails(case, why) || error_paths_differ(case, why)),
    }
}

/// The value keeps its type, even if it is null.
fn dynamic_attributes_hold_any_value(case: &Case, why: &str) -> bool {
    let keeps_type_of_null = || has_null_or_unknown(&case.expected["ok"]) && why.contains("expected");
    is_write(case) && is_dynamic(case) && (only_ours_succeeds(case, why) || keeps_type_of_null())
}

const NUMBERS: [&str; 5] = ["Number", "Int64", "Int32", "Float64", "Float32"];

fn one_number_type(case: &Case, why: &str) -> bool {
    let is_number = |it: &Json| {
        it == "number" || NUMBERS.iter().any(|framework_type| *it == *framework_type.to_lowercase())
    };
    let is_requested = |it: &&str| native(case).contains(&format!("types.{it}"));
    NUMBERS.iter().any(is_requested)
        && any(&case.input["type"], &is_number)
        && (only_ours_succeeds(case, why) || error_paths_differ(case, why))
}

/// When written, the value must have a type of the same kind.
fn null_and_unknown_convert_to_any_type(case: &Case, why: &str) -> bool {
    let is_null = case.op() == "get_path" && why == "no error: Null";
    native(case).contains("types.")
        && (is_null || has_null_or_unknown(converted(case)))
        && only_ours_succeeds(case, why)
}

/// A null or unknown value has the type of its Rust type.
fn typed_null(case: &Case, why: &str) -> bool {
    let has_hook = ["nullable<", "converter<"].iter().any(|it| native(case).starts_with(it));
    is_write(case) && (has_hook || has_null_or_unknown(converted(case))) && only_ours_fails(case, why)
}

fn nested_options(case: &Case, why: &str) -> bool {
    native(case).starts_with("option<types.") && only_ours_succeeds(case, why)
}

fn arrays(case: &Case, why: &str) -> bool {
    native(case).starts_with("array") && (only_ours_succeeds(case, why) || error_paths_differ(case, why))
}

/// The attribute path continues inside a dynamic value.
fn path_inside_dynamic_value(case: &Case, why: &str) -> bool {
    let through_any = case.input["type"] == "dynamic";
    matches!(case.op(), "get_path" | "set_path") && through_any && only_ours_succeeds(case, why)
}

fn maybe_is_not_null(case: &Case, why: &str) -> bool {
    native(case) == "unknownable<string>" && converted(case).is_null() && only_ours_fails(case, why)
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
    native(case).contains("bigint") && any(&case.expected, &|it| it.get("f64").is_some())
}

fn lists_are_sets_and_tuples(case: &Case, why: &str) -> bool {
    native(case) == "types.List"
        && ["set", "tuple"].iter().any(|it| case.input["type"][0] == *it)
        && only_ours_succeeds(case, why)
}

/// Both report an error, at a written collection or at one of its elements.
fn element_error_path(case: &Case, why: &str) -> bool {
    let collections = ["vec<", "map<", "map_keyed_by_alias<", "types."];
    let is_collection = collections.iter().any(|it| native(case).contains(it));
    is_write(case) && is_collection && error_paths_differ(case, why)
}

/// The compiler reports the error, so nothing is written or read, not even null.
fn does_not_compile(case: &Case, why: &str) -> bool {
    DO_NOT_COMPILE.contains(&native(case)) && (only_ours_fails(case, why) || error_paths_differ(case, why))
}
