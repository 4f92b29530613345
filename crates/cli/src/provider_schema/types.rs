//! Types of attributes, which the protocol encodes as JSON.

use ferroform_value::{Type, json};

/// Parses the JSON of a type.
pub(crate) fn parse(ty: &[u8]) -> Result<Type, String> {
    json::type_from_slice(ty).map_err(|error| format!("invalid type: {error}"))
}

/// The type as a type constraint of the language: `list(string)`.
pub(crate) fn constraint(ty: &[u8]) -> Result<String, String> {
    parse(ty).map(|it| it.to_string())
}
