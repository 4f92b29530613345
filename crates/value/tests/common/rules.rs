//! The rules behind `vectors/deviations.toml`: which cases each of them is about.

use serde_json::Value as Json;

use ferroform_value::Type;

use super::{Case, number, ty};

const LISTED: &str = include_str!("../vectors/deviations.toml");

/// Tells from a case, and from why it did not pass, whether a rule is about it.
pub type Rule = fn(&Case, &str) -> bool;

const RULES: [(&str, Rule); 5] = [
    ("not-utf8", not_utf8),
    ("lacks-members", lacks_members),
    ("key-is-no-string", key_is_no_string),
    ("unknown-list-of-a-set", unknown_list_of_a_set),
    ("exactly-a-float", exactly_a_float),
];

/// The rule that a case which did not pass falls under, where there is one and it is listed.
pub fn applies(case: &Case, why: &str) -> Option<&'static str> {
    find(&RULES, LISTED, case, why)
}

/// The first of the rules that is about the case. It must be one of `listed`, the text of a `deviations.toml`.
pub fn find(rules: &[(&'static str, Rule)], listed: &str, case: &Case, why: &str) -> Option<&'static str> {
    let (name, _) = rules.iter().find(|(_, rule)| rule(case, why))?;
    assert!(listed.contains(&format!("rule = \"{name}\"\nreason = ")), "{name} is not listed");
    Some(name)
}

/// A string of bytes stands in the input or in the outcome.
fn not_utf8(case: &Case, why: &str) -> bool {
    why.contains("UTF-8") && (holds_bytes(&case.input) || holds_bytes(&case.expected["ok"]))
}

fn holds_bytes(it: &Json) -> bool {
    match it {
        Json::Object(it) => {
            it.len() == 1 && it.get("bytes").is_some_and(Json::is_string) || it.values().any(holds_bytes)
        }
        Json::Array(it) => it.iter().any(holds_bytes),
        _ => false,
    }
}

/// The value library answers a value that is not of the wanted type; the protocol library refuses.
fn lacks_members(case: &Case, why: &str) -> bool {
    let found = &case.expected["ok"]["type"];
    case.op() == "unmarshal"
        && why.starts_with("error")
        && protocol_refuses(case)
        && !found.is_null()
        && !ty(found).conforms_to(&ty(&case.input["type"]))
}

/// The value library answers an entry under the empty key; the protocol library refuses.
fn key_is_no_string(case: &Case, why: &str) -> bool {
    why.contains("string as the name required") && protocol_refuses(case)
}

fn protocol_refuses(case: &Case) -> bool {
    let protocol = &case.expected["tftypes"];
    protocol == "error" || protocol.get("error").is_some()
}

/// A list of unknown length, made of a set with unknown elements, that has the set's element type.
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

/// A float holds the number exactly, and the reference refuses it.
fn exactly_a_float(case: &Case, why: &str) -> bool {
    let float = ["as f32: Some(", "as f64: Some("].iter().any(|it| why.starts_with(it));
    float
        && why.ends_with("expected None")
        && case.op() == "fit"
        && number(&case.input["number"]).to_f64_exact().is_some()
}
