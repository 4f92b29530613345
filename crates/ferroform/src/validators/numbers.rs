//! Rules for numbers.

use std::cmp::Ordering;

use ferroform_value::{Number, Type, Value};

use super::attr_kinds::NumberAttr;
use crate::Attr;
use ferroform_engine::validator::{
    Validator, can_be_in_range, compare_numbers, describe_refinements, invalid, kind_mismatch,
    unsupported_type,
};

const SUMMARY: &str = "Invalid Attribute Value";

fn bounds<T: NumberAttr>(text: String, min: Option<Number>, max: Option<Number>) -> Validator<T> {
    let (wanted, wanted_early) = (text.clone(), text.clone());
    let (least, most) = (min.clone(), max.clone());
    let empty = matches!((&min, &max), (Some(min), Some(max)) if min.compare(max) == Ordering::Greater);
    Validator::new(text, move |value| {
        let Value::Number(given) = value.without_type() else { return Err(kind_mismatch("a number", value)) };
        let it = &as_read::<T>(given);
        let low = min.as_ref().is_some_and(|min| compare_numbers(it, min) == Ordering::Less);
        let high = max.as_ref().is_some_and(|max| compare_numbers(it, max) == Ordering::Greater);
        if !low && !high {
            return Ok(());
        }
        Err(invalid(SUMMARY, format!("{wanted} is required, but got {given}")))
    })
    .check_refinements(move |known| match describe_refinements(known) {
        // What is outside by less than the type can tell may be inside once it is read.
        Some(what) if T::EXACT && !can_be_in_range(known, least.as_ref(), most.as_ref()) => {
            Err(invalid(SUMMARY, format!("{wanted_early} is required, but this {what}")))
        }
        _ => Ok(()),
    })
    .check_type(move |ty| {
        let none = empty.then(|| "there is no number from its first bound to its last".to_owned());
        none.or_else(|| unsupported_type(*ty == Type::Number, "numbers", ty))
    })
}

/// The number that the type makes of it: the nearest float, say, as which a bound is written too.
fn as_read<T: Attr>(given: &Number) -> Number {
    let read = if T::EXACT { None } else { T::from_value(&Value::Number(given.clone())).ok() };
    read.and_then(number).unwrap_or_else(|| given.clone())
}

/// A bound as a number; what is none (not-a-number, say) bounds nothing.
fn number<T: Attr>(bound: T) -> Option<Number> {
    if let Value::Number(it) = bound.to_value() { Some(it) } else { None }
}

/// No less than `min`.
pub fn at_least<T: NumberAttr>(min: T) -> Validator<T> {
    let min = number(min);
    bounds(format!("a number of at least {}", show::<T>(&min)), min, None)
}

/// No more than `max`.
pub fn at_most<T: NumberAttr>(max: T) -> Validator<T> {
    let max = number(max);
    bounds(format!("a number of at most {}", show::<T>(&max)), None, max)
}

/// From `min` to `max`, both included.
pub fn between<T: NumberAttr>(min: T, max: T) -> Validator<T> {
    let (min, max) = (number(min), number(max));
    bounds(format!("a number from {} to {}", show::<T>(&min), show::<T>(&max)), min, max)
}

fn show<T: Attr>(bound: &Option<Number>) -> String {
    bound.as_ref().map_or_else(|| "any".into(), |it| T::__display(&Value::Number(it.clone())))
}
