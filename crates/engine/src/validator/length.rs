//! Validators for the number of elements of a collection.
//!
//! Unknown elements of a set may turn out to be equal to others, so a set has a minimum and a maximum length. Example: the
//! set `[1, unknown, unknown]` has one to three elements. "At least 4 elements" rejects it, "at least 2" does not.

use ferroform_value::{Set, Type, Value};

use super::refinements::{can_have_length, describe_refinements};
use super::{INVALID_VALUE, Validator, invalid, kind_mismatch};

/// The number of elements of a collection; `None` for any other value.
pub fn length(value: &Value) -> Option<usize> {
    if let Value::Object(_) = value { None } else { value.length() }
}

/// The minimum number of elements that a collection has once it is wholly known.
fn minimum_length(value: &Value) -> Option<usize> {
    let known = |it: &Set| it.iter().filter(|it| it.is_wholly_known()).count();
    match value {
        Value::Set(it) => Some(known(it).max(usize::from(!it.is_empty()))),
        _ => length(value),
    }
}

fn elements(number: usize) -> String {
    format!("{number} {}", if number == 1 { "element" } else { "elements" })
}

/// A validator for the number of elements, from `min` to `max`, both included; `usize::MAX` if there is no maximum.
pub fn element_count_between<T>(min: usize, max: usize) -> Validator<T> {
    let description = match (min, max) {
        (_, usize::MAX) => format!("at least {}", elements(min)),
        (0, _) => format!("at most {}", elements(max)),
        _ => format!("{min} to {}", elements(max)),
    };
    let required = match (min, max) {
        (1, usize::MAX) | (0, 1) => format!("{description} is required"),
        _ => format!("{description} are required"),
    };
    let required_by_refinements = required.clone();
    Validator::new(description, move |value| {
        let value = value.without_type();
        let (Some(least), Some(most)) = (minimum_length(value), length(value)) else {
            return Err(kind_mismatch("a collection", value));
        };
        if most >= min && least <= max {
            return Ok(());
        }
        let actual = if most < min { most } else { least };
        let are = if actual == 1 { "is" } else { "are" };
        Err(invalid(INVALID_VALUE, format!("{required}, but there {are} {}", elements(actual))))
    })
    .partial()
    .check_refinements(move |refinements| match describe_refinements(refinements) {
        Some(description) if !can_have_length(refinements, min, max) => {
            Err(invalid(INVALID_VALUE, format!("{required_by_refinements}, but this {description}")))
        }
        _ => Ok(()),
    })
    .check_type(move |ty| {
        let bound_error = (min > max).then(|| "the minimum is greater than the maximum".to_owned());
        bound_error.or_else(|| unsupported_type(is_collection(ty), "collections", ty))
    })
}

/// The validator for `min_items` and `max_items` of a schema, where a `max` of 0 means that there is no maximum; `None` if
/// there is no limit at all.
pub fn item_limits(min: u64, max: u64) -> Option<Validator<Value>> {
    let limit = |it: u64| usize::try_from(it).unwrap_or(usize::MAX);
    let most = if max == 0 { usize::MAX } else { limit(max) };
    (min > 0 || max > 0).then(|| element_count_between(limit(min), most))
}

/// The error about a validator that does not support the type of its attribute. A dynamic attribute may have any type.
pub fn unsupported_type(is_supported: bool, supported: &str, ty: &Type) -> Option<String> {
    (!is_supported && *ty != Type::Dynamic)
        .then(|| format!("it supports {supported}, but the attribute is of type {ty}"))
}

/// True for types whose values have elements.
pub fn is_collection(ty: &Type) -> bool {
    matches!(ty, Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_))
}
