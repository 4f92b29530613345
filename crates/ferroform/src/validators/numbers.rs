//! Validators for numbers.

use std::cmp::Ordering;

use ferroform_value::{Number, Type, Value};

use super::attr_kinds::NumberAttr;
use crate::Attr;
use ferroform_engine::validator::{
    Validator, can_be_in_range, compare_numbers, describe_refinements, invalid, kind_mismatch,
    unsupported_type,
};

const SUMMARY: &str = "Invalid Attribute Value";

fn bounds<T: NumberAttr>(description: String, min: Option<Number>, max: Option<Number>) -> Validator<T> {
    let (expected, expected_for_refinements) = (description.clone(), description.clone());
    let (least, most) = (min.clone(), max.clone());
    let is_empty = matches!((&min, &max), (Some(min), Some(max)) if min.compare(max) == Ordering::Greater);
    Validator::new(description, move |value| {
        let Value::Number(actual) = value.without_type() else {
            return Err(kind_mismatch("a number", value));
        };
        let it = &as_read::<T>(actual);
        let low = min.as_ref().is_some_and(|min| compare_numbers(it, min) == Ordering::Less);
        let high = max.as_ref().is_some_and(|max| compare_numbers(it, max) == Ordering::Greater);
        if !low && !high {
            return Ok(());
        }
        Err(invalid(SUMMARY, format!("{expected} is required, but got {actual}")))
    })
    .check_refinements(move |known| match describe_refinements(known) {
        // If the type rounds, a number that is slightly out of range may be in range after rounding.
        Some(what) if T::EXACT && !can_be_in_range(known, least.as_ref(), most.as_ref()) => {
            Err(invalid(SUMMARY, format!("{expected_for_refinements} is required, but this {what}")))
        }
        _ => Ok(()),
    })
    .check_type(move |ty| {
        let bound_error = is_empty.then(|| "the lower bound is greater than the upper bound".to_owned());
        bound_error.or_else(|| unsupported_type(*ty == Type::Number, "numbers", ty))
    })
}

/// The number as the Rust type represents it, for example the nearest float. Bounds are represented in the same way.
fn as_read<T: Attr>(actual: &Number) -> Number {
    let read = if T::EXACT { None } else { T::from_value(&Value::Number(actual.clone())).ok() };
    read.and_then(number).unwrap_or_else(|| actual.clone())
}

/// The bound as a number. A value that is not a number, such as not-a-number, is no bound.
fn number<T: Attr>(bound: T) -> Option<Number> {
    if let Value::Number(it) = bound.to_value() { Some(it) } else { None }
}

/// Requires a number of at least `min`.
pub fn at_least<T: NumberAttr>(min: T) -> Validator<T> {
    let min = number(min);
    bounds(format!("a number of at least {}", show::<T>(&min)), min, None)
}

/// Requires a number of at most `max`.
pub fn at_most<T: NumberAttr>(max: T) -> Validator<T> {
    let max = number(max);
    bounds(format!("a number of at most {}", show::<T>(&max)), None, max)
}

/// Requires a number from `min` to `max`, inclusive.
///
/// ```
/// use ferroform::Model;
/// use ferroform::validators::{between};
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     #[attr(validate = between(1, 64))]
///     cores: u8,
/// }
/// ```
pub fn between<T: NumberAttr>(min: T, max: T) -> Validator<T> {
    let (min, max) = (number(min), number(max));
    bounds(format!("a number from {} to {}", show::<T>(&min), show::<T>(&max)), min, max)
}

fn show<T: Attr>(bound: &Option<Number>) -> String {
    bound.as_ref().map_or_else(|| "any".into(), |it| T::__display(&Value::Number(it.clone())))
}
