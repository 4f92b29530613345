//! Validators for numbers.

use std::cmp::Ordering;

use ferroform_value::{Error, Number, NumberRange, Type, Value};

use super::attr_kinds::NumberAttr;
use crate::Attr;
use ferroform_engine::validator::{
    INVALID_VALUE, Validator, can_be_in_range, compare_numbers, conversion_error, describe_refinements,
    invalid, kind_mismatch, out_of_range, unsupported_type,
};

fn bounds<T: NumberAttr>(min: Option<Number>, max: Option<Number>) -> Validator<T> {
    let (least, most) = (min.clone(), max.clone());
    let is_empty = matches!((&min, &max), (Some(min), Some(max)) if min.compare(max) == Ordering::Greater);
    let range = NumberRange::numbers(min.as_ref().map(shown::<T>), max.as_ref().map(shown::<T>));
    let range = T::__number_range().map_or(range.clone(), |of_type| of_type.intersection(&range));
    let (required, required_by_refinements) = (range.clone(), range.clone());
    Validator::new(range.to_string(), move |value| {
        let bare = value.without_type();
        let Value::Number(actual) = bare else { return Err(kind_mismatch("a number", value)) };
        T::from_value(bare).map_err(|it| conversion_error(&it.narrowed_to(&required)))?;
        let it = &as_read::<T>(actual);
        let low = min.as_ref().is_some_and(|min| compare_numbers(it, min) == Ordering::Less);
        let high = max.as_ref().is_some_and(|max| compare_numbers(it, max) == Ordering::Greater);
        if !low && !high {
            return Ok(());
        }
        Err(out_of_range(Error::number_out_of_range(required.clone(), actual.clone())))
    })
    .with_ranges(vec![Some(range)])
    .check_refinements(move |known| match describe_refinements(known) {
        // If the type rounds, a number that is slightly out of range may be in range after rounding.
        Some(what) if T::EXACT && !can_be_in_range(known, least.as_ref(), most.as_ref()) => {
            Err(invalid(INVALID_VALUE, format!("{required_by_refinements} is required, but this {what}")))
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
    bounds(number(min), None)
}

/// Requires a number of at most `max`.
pub fn at_most<T: NumberAttr>(max: T) -> Validator<T> {
    bounds(None, number(max))
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
    bounds(number(min), number(max))
}

/// The bound with no more digits than the type can represent, for messages.
fn shown<T: Attr>(bound: &Number) -> Number {
    T::__display(&Value::Number(bound.clone())).parse().unwrap_or_else(|_| bound.clone())
}
