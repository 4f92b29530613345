//! The rules of `vectors/deviations.toml`: the failed cases to which each rule applies.

use serde_json::Value as Json;

use ferroform_value::Type;

use super::{Case, any, number, ty};

const LISTED: &str = include_str!("../vectors/deviations.toml");

/// Returns true if a rule applies to a case that failed for a reason.
pub type Rule = fn(&Case, &str) -> bool;

const RULES: [(&str, Rule); 7] = [
    ("not-utf8", not_utf8),
    ("missing-members", missing_members),
    ("repeated-name", repeated_name),
    ("map-key-is-not-a-string", map_key_is_not_a_string),
    ("unknown-list-of-a-set", unknown_list_of_a_set),
    ("exact-float", exact_float),
    ("big-integers-keep-digits", big_integers_keep_digits),
];

/// Returns the first rule that applies to a failed case. The rule must be listed in `deviations.toml`.
pub fn applies(case: &Case, why: &str) -> Option<&'static str> {
    find(&RULES, LISTED, case, why)
}

/// Returns the first of the rules that applies to a failed case. `listed` is the content of a `deviations.toml`,
/// which must list the rule.
pub fn find(rules: &[(&'static str, Rule)], listed: &str, case: &Case, why: &str) -> Option<&'static str> {
    let (name, _) = rules.iter().find(|(_, rule)| rule(case, why))?;
    assert!(listed.contains(&format!("rule = \"{name}\"\nreason = ")), "{name} is not listed");
    Some(name)
}

/// The input or the outcome contains a string of bytes.
fn not_utf8(case: &Case, why: &str) -> bool {
    why.contains("UTF-8") && (contains_bytes(&case.input) || contains_bytes(&case.expected["ok"]))
}

fn contains_bytes(it: &Json) -> bool {
    any(it, &|it| it.as_object().is_some_and(|it| it.len() == 1 && it.contains_key("bytes")))
}

/// The reference returns a value that does not conform to the requested type; terraform-plugin-go rejects it.
fn missing_members(case: &Case, why: &str) -> bool {
    let found = &case.expected["ok"]["type"];
    case.op() == "unmarshal"
        && why.starts_with("error")
        && protocol_library_rejects(case)
        && !found.is_null()
        && !ty(found).conforms_to(&ty(&case.input["type"]))
}

/// The reference returns an object that lacks an attribute, and terraform-plugin-go panics, at any depth and inside a
/// dynamic value too.
fn repeated_name(case: &Case, why: &str) -> bool {
    let protocol = &case.expected["tftypes"];
    let panics = protocol == "panic" || protocol.get("panic").is_some();
    case.op() == "unmarshal" && why.starts_with("error") && panics
}

/// The reference returns an entry with the empty key; terraform-plugin-go rejects it.
fn map_key_is_not_a_string(case: &Case, why: &str) -> bool {
    why.contains("string as the name required") && protocol_library_rejects(case)
}

fn protocol_library_rejects(case: &Case) -> bool {
    let protocol = &case.expected["tftypes"];
    protocol == "error" || protocol.get("error").is_some()
}

/// A set with unknown elements was converted to an unknown list that has the element type of the set.
fn unknown_list_of_a_set(case: &Case, _: &str) -> bool {
    fn unconverted(from: &Type, to: &Type, found: &Type) -> bool {
        match (from, to, found) {
            (Type::Set(from), Type::List(to), Type::List(found)) => from == found && to != found,
            (Type::Object(from), Type::Object(to), Type::Object(found)) => to.attributes().iter().any(|to| {
                from.get(&to.name)
                    .zip(found.get(&to.name))
                    .is_some_and(|(from, found)| unconverted(&from.ty, &to.ty, &found.ty))
            }),
            (Type::Tuple(from), Type::Tuple(to), Type::Tuple(found)) => {
                let mut each = from.iter().zip(to.iter()).zip(found.iter());
                each.any(|((from, to), found)| unconverted(from, to, found))
            }
            _ => match (from.element(), to.element(), found.element()) {
                (Some(from), Some(to), Some(found)) => unconverted(from, to, found),
                _ => false,
            },
        }
    }
    let (from, found) = (&case.input["value"]["type"], &case.expected["ok"]["type"]);
    !case.input["to"].is_null()
        && !found.is_null()
        && unconverted(&ty(from), &ty(&case.input["to"]), &ty(found))
}

/// A float represents the number exactly, and the reference rejects it.
fn exact_float(case: &Case, why: &str) -> bool {
    let float = ["as f32: Some(", "as f64: Some("].iter().any(|it| why.starts_with(it));
    float
        && why.ends_with("expected None")
        && case.op() == "fit"
        && number(&case.input["number"]).to_f64_exact().is_some()
}

/// A big integer is recorded as a 64-bit float.
fn big_integers_keep_digits(case: &Case, _: &str) -> bool {
    case.op() == "from_native"
        && case.input["native"] == "bigint"
        && any(&case.expected, &|it| it.get("f64").is_some())
}
