//! The keywords of JSON schemas that restrict the values of a type.

use regex_lite::Regex;
use serde_json::Value;

use super::schemas::Merged;
use crate::generate::defaults::integers;
use crate::generate::definition::Type;
use crate::generate::docs::string_literal;

/// Returns the validator of a keyword `pattern`.
///
/// # Errors
///
/// JSON schemas use the regular expressions of JavaScript, some of which the validator does not support.
pub(super) fn pattern_validator(pattern: &str) -> Result<String, regex_lite::Error> {
    Regex::new(pattern)?;
    let message = string_literal(&format!("a match of {pattern} is required"));
    Ok(format!("validators::matches({}, {message})", string_literal(pattern)))
}

/// Returns the minimum and the maximum number of elements; zero means no limit.
pub(super) fn item_limits(schema: &Merged<'_>) -> (u64, u64) {
    let limit = |name: &str| schema.get(name).and_then(Value::as_u64).unwrap_or(0);
    let (min, max) = (limit("minItems"), limit("maxItems"));
    // A maximum below the minimum is a mistake in the document.
    (min, if max < min { 0 } else { max })
}

/// Returns the validators of a schema.
pub(super) fn validators(schema: &Merged<'_>, ty: &Type) -> Vec<String> {
    let mut found = Vec::new();
    let mut range = |function: &str, min: Option<String>, max: Option<String>| match (min, max) {
        (Some(min), Some(max)) => found.push(format!("validators::{function}between({min}, {max})")),
        (Some(min), None) => found.push(format!("validators::{function}at_least({min})")),
        (None, Some(max)) => found.push(format!("validators::{function}at_most({max})")),
        (None, None) => {}
    };
    match ty {
        Type::Scalar(name @ ("i32" | "i64" | "u32" | "u64")) => {
            let values_of_type = integers(name);
            let integer = |it: &Value| it.as_number()?.as_i128();
            // An exclusive limit is a number, or in OpenAPI 3.0 a property of the limit.
            let limit = |keyword: &str, exclusive: &str, step: i128| {
                let is_exclusive = schema.is_true(exclusive);
                let limit = schema.get(keyword).and_then(integer);
                let exclusive_limit = schema.get(exclusive).and_then(integer);
                let inclusive = limit.map(|it| if is_exclusive { it + step } else { it });
                let found = inclusive.or(exclusive_limit.map(|it| it + step));
                found.filter(|it| values_of_type.contains(it)).map(|it| it.to_string())
            };
            range("", limit("minimum", "exclusiveMinimum", 1), limit("maximum", "exclusiveMaximum", -1));
            let values = schema.allowed_values().into_iter().filter_map(integer);
            let values: Vec<String> =
                values.filter(|it| values_of_type.contains(it)).map(|it| format!("{it}_{name}")).collect();
            if !values.is_empty() {
                found.push(format!("validators::one_of([{}])", values.join(", ")));
            }
        }
        Type::Scalar("f64") => {
            let limit = |name| schema.get(name)?.as_f64().map(|it| format!("{it:?}"));
            range("", limit("minimum"), limit("maximum"));
        }
        Type::Scalar("String") => {
            // A JSON schema counts characters.
            let limit = |name| schema.get(name)?.as_u64().map(|it| it.to_string());
            range("utf8_length_", limit("minLength"), limit("maxLength"));
        }
        _ => {}
    }
    found
}
