//! Validators for the number of elements of a collection.

use ferroform_value::{Set as ValueSet, Type, Value};

use super::early::{described, may_have};
use super::{Validator, invalid, other_kind};

/// How many elements a collection has; none where it is not one.
pub fn size(value: &Value) -> Option<usize> {
    match value {
        Value::List(it) | Value::Tuple(it) => Some(it.len()),
        Value::Set(it) => Some(it.len()),
        Value::Map(it) => Some(it.len()),
        _ => None,
    }
}

/// The least number of elements that there will be: elements of a set that are not known yet may turn out to be
/// equal to others.
fn certain(value: &Value) -> Option<usize> {
    let known = |it: &ValueSet| it.iter().filter(|it| it.is_wholly_known()).count();
    match value {
        Value::Set(it) => Some(known(it).max(usize::from(!it.is_empty()))),
        _ => size(value),
    }
}

fn elements(number: usize) -> String {
    format!("{number} {}", if number == 1 { "element" } else { "elements" })
}

/// A validator for the number of elements: from `min` to `max`; `usize::MAX` for any number.
pub fn sized<T>(min: usize, max: usize) -> Validator<T> {
    const SUMMARY: &str = "Invalid Attribute Value";
    let text = match (min, max) {
        (_, usize::MAX) => format!("at least {}", elements(min)),
        (0, _) => format!("at most {}", elements(max)),
        _ => format!("{min} to {}", elements(max)),
    };
    let wanted = match (min, max) {
        (1, usize::MAX) | (0, 1) => format!("{text} is required"),
        _ => format!("{text} are required"),
    };
    let early = wanted.clone();
    Validator::new(text, move |value| {
        let value = value.without_type();
        let (Some(least), Some(most)) = (certain(value), size(value)) else {
            return Err(other_kind("a collection", value));
        };
        if most >= min && least <= max {
            return Ok(());
        }
        let got = if most < min { most } else { least };
        let are = if got == 1 { "is" } else { "are" };
        Err(invalid(SUMMARY, format!("{wanted}, but there {are} {}", elements(got))))
    })
    .partial()
    .early(move |known| match described(known) {
        Some(what) if !may_have(known, min, max) => {
            Err(invalid(SUMMARY, format!("{early}, but this {what}")))
        }
        _ => Ok(()),
    })
    .unless(move |ty| {
        let none = (min > max).then(|| "there is no number from its first bound to its last".to_owned());
        none.or_else(|| unless(is_collection(ty), "collections", ty))
    })
}

/// What the bounds of a schema say; `max` is 0 for any number.
pub fn items(min: u64, max: u64) -> Option<Validator<Value>> {
    let bound = |it: u64| usize::try_from(it).unwrap_or(usize::MAX);
    let most = if max == 0 { usize::MAX } else { bound(max) };
    (min > 0 || max > 0).then(|| sized(bound(min), most))
}

/// Why a rule is not for values of this type; [`Type::Dynamic`] may turn out to be anything.
pub fn unless(fits: bool, what: &str, ty: &Type) -> Option<String> {
    (!fits && *ty != Type::Dynamic).then(|| format!("it is for {what}, but this is a {ty}"))
}

/// True for types whose values have elements.
pub fn is_collection(ty: &Type) -> bool {
    matches!(ty, Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_))
}
