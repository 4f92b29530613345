//! The deviations of `vectors/deviations.toml`: the cases to which each one applies.

use serde_json::Value as Json;

use crate::common::Case;

const LISTED: &str = include_str!("../../vectors/deviations.toml");

/// Tells from a case, and from why it did not pass, whether a rule is about it.
type Validator = fn(&Case, &str) -> bool;

const RULES: [(&str, Validator); 15] = [
    ("any-holds-a-value", any_holds_a_value),
    ("any-stays-any", any_stays_any),
    ("one-number-type", one_number_type),
    ("no-class-without-value", no_class_without_value),
    ("options-nest", options_nest),
    ("three-states-fit-any", three_states_fit_any),
    ("arrays", arrays),
    ("inside-any", inside_any),
    ("maybe-is-not-null", maybe_is_not_null),
    ("below-unknown", below_unknown),
    ("digits-kept", digits_kept),
    ("digits-asked-for", digits_asked_for),
    ("place-inside", place_inside),
    ("null-has-a-type", null_has_a_type),
    ("does-not-compile", does_not_compile),
];

/// The rule that a case which did not pass falls under, where there is one and it is listed.
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

/// The reference refuses, and here there is a result.
fn read_here(case: &Case, why: &str) -> bool {
    case.expected.get("error").is_some() && why.starts_with("no error")
}

fn refused_here(case: &Case, why: &str) -> bool {
    case.expected.get("ok").is_some() && why.starts_with("error: ")
}

fn elsewhere(case: &Case, why: &str) -> bool {
    case.expected.get("error").is_some() && why.starts_with("errors at ")
}

/// `any` as a word of its own, not `types.any`.
fn is_any(name: &str) -> bool {
    name.replace("types.any", "").split(|c: char| !c.is_alphanumeric()).any(|it| it == "any")
}

fn any_holds_a_value(case: &Case, why: &str) -> bool {
    let object = target(case).contains("{n:types.Object}") && read_here(case, why);
    object || is_any(target(case)) && (read_here(case, why) || elsewhere(case, why))
}

fn any_stays_any(case: &Case, why: &str) -> bool {
    is_any(native(case)) && why.contains("but got a value of any type")
}

const NUMBERS: [&str; 5] = ["Number", "Int64", "Int32", "Float64", "Float32"];

/// The framework's class that is asked for, outside of any collection.
fn class(case: &Case) -> Option<&str> {
    target(case).strip_prefix("types.")
}

fn is_number(ty: &Json) -> bool {
    ty.as_str().is_some_and(|it| it == "number" || NUMBERS.iter().any(|class| class.to_lowercase() == it))
}

fn one_number_type(case: &Case, why: &str) -> bool {
    let numbers = class(case).is_some_and(|it| NUMBERS.contains(&it)) && is_number(&case.input["type"]);
    numbers && read_here(case, why)
}

fn no_class_without_value(case: &Case, why: &str) -> bool {
    let value = &case.input["value"];
    let empty = value.is_null() || value.get("unknown").is_some();
    target(case).contains("types.") && empty && read_here(case, why)
}

fn options_nest(case: &Case, why: &str) -> bool {
    target(case).starts_with("option<types.") && read_here(case, why)
}

fn three_states_fit_any(case: &Case, why: &str) -> bool {
    native(case).starts_with("types.") && case.input["type"] == "dynamic" && read_here(case, why)
}

fn arrays(case: &Case, why: &str) -> bool {
    target(case).starts_with("array") && (read_here(case, why) || elsewhere(case, why))
}

/// The path goes on inside a place of any type.
fn inside_any(case: &Case, why: &str) -> bool {
    let through_any = case.input["type"] == "dynamic";
    case.op() == "get_path" && through_any && read_here(case, why)
}

fn maybe_is_not_null(case: &Case, why: &str) -> bool {
    target(case) == "unknownable<string>" && case.input["value"].is_null() && refused_here(case, why)
}

/// Something on the way, which begins at the value of `v`, is unknown.
fn below_unknown(case: &Case, _: &str) -> bool {
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

fn digits_kept(case: &Case, _: &str) -> bool {
    native(case) == "bigint" && case.expected["ok"].get("f64").is_some()
}

fn digits_asked_for(case: &Case, why: &str) -> bool {
    let narrow =
        target(case).contains("f32") || ["float32", "float64"].iter().any(|it| case.input["type"] == *it);
    narrow && why.contains("-bit float can hold") && refused_here(case, why)
}

fn place_inside(case: &Case, why: &str) -> bool {
    native(case).starts_with("types.") && elsewhere(case, why)
}

fn null_has_a_type(case: &Case, why: &str) -> bool {
    case.input["native"]["value"].is_null() && why.contains("but got null") && refused_here(case, why)
}

fn does_not_compile(case: &Case, why: &str) -> bool {
    let keys = target(case).starts_with("map_keyed_by_i64");
    keys && (elsewhere(case, why) || why.contains("Does not compile"))
}
