//! The keywords of JSON schemas that restrict the values of a type.

use std::fmt::Debug;

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

/// Returns a minimum and a maximum; neither, with a warning, if the minimum is above the maximum.
fn limits<T: PartialOrd + Debug>(
    kind: &str,
    min: Option<T>,
    max: Option<T>,
    warn: &mut dyn FnMut(String),
) -> (Option<T>, Option<T>) {
    if let (Some(min), Some(max)) = (&min, &max)
        && min > max
    {
        warn(format!(
            "the minimum {kind} {min:?} and the maximum {kind} {max:?} are ignored, because no value satisfies both"
        ));
        return (None, None);
    }
    (min, max)
}

/// Returns the minimum and the maximum number of elements; zero means no limit.
pub(super) fn item_limits(schema: &Merged<'_>, warn: &mut dyn FnMut(String)) -> (u64, u64) {
    let limit = |name: &str| schema.get(name).and_then(Value::as_u64);
    let (min, max) = limits("number of elements", limit("minItems"), limit("maxItems"), warn);
    (min.unwrap_or(0), max.unwrap_or(0))
}

/// Returns the validators of a schema.
pub(super) fn validators(schema: &Merged<'_>, ty: &Type, warn: &mut dyn FnMut(String)) -> Vec<String> {
    let mut found = Vec::new();
    let mut range = |function: &str, limits: (Option<String>, Option<String>)| match limits {
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
                inclusive.or(exclusive_limit.map(|it| it + step))
            };
            let (first, last) = (*values_of_type.start(), *values_of_type.end());
            let min = limit("minimum", "exclusiveMinimum", 1).filter(|it| *it >= first);
            let max = limit("maximum", "exclusiveMaximum", -1).filter(|it| *it <= last);
            // The type is a limit, too.
            let (min, max) = (min.or(max.map(|_| first)), max.or(min.map(|_| last)));
            let (min, max) = limits("value", min, max, warn);
            let shown = |it: Option<i128>, of_type| it.filter(|it| *it != of_type).map(|it| it.to_string());
            range("", (shown(min, first), shown(max, last)));
            let values = schema.allowed_values().into_iter().filter_map(integer);
            let values: Vec<String> =
                values.filter(|it| values_of_type.contains(it)).map(|it| format!("{it}_{name}")).collect();
            if !values.is_empty() {
                found.push(format!("validators::one_of([{}])", values.join(", ")));
            }
        }
        Type::Scalar("f64") => {
            let limit = |name| schema.get(name)?.as_f64();
            let (min, max) = limits("value", limit("minimum"), limit("maximum"), warn);
            range("", (min.map(|it| format!("{it:?}")), max.map(|it| format!("{it:?}"))));
        }
        Type::Scalar("String") => {
            // A JSON schema counts characters.
            let limit = |name| schema.get(name)?.as_u64();
            let (min, max) = limits("length", limit("minLength"), limit("maxLength"), warn);
            range("utf8_length_", (min.map(|it| it.to_string()), max.map(|it| it.to_string())));
        }
        _ => {}
    }
    found
}
