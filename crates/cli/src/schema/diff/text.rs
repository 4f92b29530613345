//! Types and nesting modes in messages.

use serde_json::Value;

use crate::provider_schema::types;

/// Returns a type as a type constraint of the language, such as `list(string)`. An invalid type is returned as its JSON.
pub(crate) fn type_text(ty: &Value) -> String {
    let json = ty.to_string();
    types::constraint(json.as_bytes()).unwrap_or(json)
}

/// Returns the nesting mode of a nested attribute or block in words.
pub(crate) fn nesting_text(mode: &str) -> &str {
    match mode {
        "single" | "group" => "object",
        "list" => "list of objects",
        "set" => "set of objects",
        "map" => "map of objects",
        other => other,
    }
}
