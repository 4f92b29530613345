//! Validators for lists, sets and maps.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

use ferroform_value::{Path, Step, Type, Value};

use ferroform_engine::validator::{
    Validator, element_count_between, invalid, is_collection, kind_mismatch, length, unsupported_type,
};

use super::IntoValidator;
use crate::{Attr, Diagnostics, MapKey, Set};

/// A collection, for validators such as [`size_at_least`] and [`each`]. A `#[derive(Attr)]` newtype of a collection is one.
///
/// ```
/// use ferroform::validators::{size_at_most, CollectionAttr};
///
/// /// Limits the number of elements of any collection.
/// fn few<T: CollectionAttr>() -> ferroform::validators::Validator<T> {
///     size_at_most(3)
/// }
/// # let _ = few::<Vec<String>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a collection",
    label = "not a collection",
    note = "collection validators support `Vec`, arrays, sets, maps, and `#[derive(Attr)]` newtypes of these"
)]
pub trait CollectionAttr: Attr {
    /// The type of an element.
    type Element: Attr;
}

/// A map, for validators such as [`each_key`].
///
/// ```
/// use std::collections::BTreeMap;
///
/// use ferroform::validators::{MapAttr, Validator, all, each_key, length_at_most, size_at_most};
/// use ferroform::value::Value;
///
/// /// A validator for every map with elements of any type.
/// fn labels<M: MapAttr>() -> Validator<M> {
///     all([size_at_most(16), each_key(length_at_most(63))])
/// }
///
/// let labels = labels::<BTreeMap<String, u64>>();
/// assert!(labels.validate(&Value::map([("team", 1.into())])).is_ok());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a map",
    label = "not a map",
    note = "key validators support `BTreeMap` and `HashMap`"
)]
pub trait MapAttr: CollectionAttr {}

macro_rules! elements {
    ($(impl<$($p:ident $(: $bound:path)?),+> for $collection:ty;)+) => {$(
        impl<$($p $(: $bound)?),+> CollectionAttr for $collection
        where
            T: Attr,
            $collection: Attr,
        {
            type Element = T;
        }
    )+};
}

elements! {
    impl<T> for Vec<T>;
    impl<T> for VecDeque<T>;
    impl<T> for Set<T>;
    impl<T> for BTreeSet<T>;
    impl<T, S> for HashSet<T, S>;
    impl<K: MapKey, T> for BTreeMap<K, T>;
    impl<K: MapKey, T, S> for HashMap<K, T, S>;
}

impl<K: MapKey, T: Attr> MapAttr for BTreeMap<K, T> where BTreeMap<K, T>: Attr {}
impl<K: MapKey, T: Attr, S> MapAttr for HashMap<K, T, S> where HashMap<K, T, S>: Attr {}

impl<T: Attr, const N: usize> CollectionAttr for [T; N] {
    type Element = T;
}

#[diagnostic::do_not_recommend]
impl<C: CollectionAttr> CollectionAttr for Option<C> {
    type Element = C::Element;
}

/// Requires at least `min` elements.
pub fn size_at_least<T: CollectionAttr>(min: usize) -> Validator<T> {
    element_count_between(min, usize::MAX)
}

/// Requires at most `max` elements.
pub fn size_at_most<T: CollectionAttr>(max: usize) -> Validator<T> {
    element_count_between(0, max)
}

/// Requires from `min` to `max` elements.
pub fn size_between<T: CollectionAttr>(min: usize, max: usize) -> Validator<T> {
    element_count_between(min, max)
}

/// Rejects equal elements. Unknown elements are not equal to any other.
pub fn unique_values<T: CollectionAttr>() -> Validator<T> {
    of_collection(Validator::new("elements that differ", |value| {
        let mut first: HashMap<&Value, Step> = HashMap::new();
        let mut found = Diagnostics::new();
        let summary = format!("Duplicate {} Value", kind(value));
        for (step, it) in elements(value)?.filter(|(_, it)| it.is_wholly_known()) {
            match first.get(it) {
                None => drop(first.insert(it, step)),
                Some(first) => found.extend(invalid(
                    &summary,
                    format_args!(
                        "the elements {} and {} have the same value{}; each element must be unique",
                        name(first),
                        name(&step),
                        shown(it)
                    ),
                )),
            }
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    }))
}

/// An element after a colon. A nested object may contain sensitive values, so it is not shown.
fn shown(element: &Value) -> String {
    match element {
        Value::Object(_) => String::new(),
        _ => format!(": {}", element.summary()),
    }
}

/// The index or the key of an element.
fn name(step: &Step) -> String {
    match step {
        Step::Key(key) => format!("{key:?}"),
        Step::Index(index) => index.to_string(),
        other => Path::from_iter([other.clone()]).to_string(),
    }
}

/// Limits a validator to collections.
fn of_collection<T: Attr>(validator: Validator<T>) -> Validator<T> {
    validator.partial().check_type(|ty| unsupported_type(is_collection(ty), "collections", ty))
}

fn kind(value: &Value) -> &'static str {
    match value.without_type() {
        Value::Map(_) => "Map",
        Value::Set(_) => "Set",
        _ => "List",
    }
}

/// Rejects null elements.
pub fn no_null_values<T: CollectionAttr>() -> Validator<T> {
    of_collection(Validator::new("elements that are not null", |value| {
        if !elements(value)?.any(|(_, it)| it.is_null()) {
            return Ok(());
        }
        Err(invalid(&format!("Null {} Value", kind(value)), "no element may be null, but one is"))
    }))
}

/// Validates each element. Null and unknown elements are not validated.
///
/// ```
/// use ferroform::Model;
/// use ferroform::validators::{each, length_at_most};
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     #[attr(validate = each(length_at_most(20)))]
///     tags: Vec<String>,
/// }
/// ```
pub fn each<T: CollectionAttr, Marker>(validator: impl IntoValidator<T::Element, Marker>) -> Validator<T> {
    let validator = validator.into_validator();
    let description = describe_each("elements", validator.description());
    let (constant, inner) = (validator.is_constant(), validator.clone());
    let hints = validator.hints().to_vec();
    let ranges = std::iter::once(None).chain(validator.ranges().iter().cloned()).collect();
    let every = Validator::new(description, move |value| {
        let mut found = Diagnostics::new();
        for (step, it) in elements(value)? {
            if let Err(errors) = validator.validate(it) {
                found.extend(errors.at(Path::from_iter([step])));
            }
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    });
    let every = every.partial().check_type(move |ty| match ty {
        Type::Tuple(types) => types.iter().find_map(|it| inner.type_error(it)),
        _ => match ty.element() {
            Some(element) => inner.type_error(element),
            None => unsupported_type(false, "collections", ty),
        },
    });
    every.constant(constant).with_ranges(ranges).with_hints(hints)
}

/// Validates each key of a map.
///
/// ```
/// use ferroform::Model;
/// use ferroform::validators::{each_key, matches};
///
/// #[derive(Model, Clone, Debug, PartialEq)]
/// struct Machine {
///     #[attr(validate = each_key(matches("^[a-z]+$", "lowercase letters are required")))]
///     labels: std::collections::BTreeMap<String, String>,
/// }
/// ```
pub fn each_key<T: MapAttr, Marker>(validator: impl IntoValidator<String, Marker>) -> Validator<T> {
    let validator = validator.into_validator();
    let description = describe_each("keys", validator.description());
    let (constant, inner) = (validator.is_constant(), validator.clone());
    let hints = validator.hints().to_vec();
    let every = Validator::new(description, move |value| {
        let Value::Map(entries) = value.without_type() else { return Err(kind_mismatch("a map", value)) };
        let mut found = Diagnostics::new();
        for key in entries.keys() {
            if let Err(errors) = validator.validate(&Value::String(key.clone())) {
                found.extend(errors.at(Path::from_iter([Step::Key(key.clone())])));
            }
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    });
    let every = every.partial().check_type(move |ty| {
        inner.type_error(&Type::String).or_else(|| unsupported_type(matches!(ty, Type::Map(_)), "maps", ty))
    });
    every.constant(constant).with_hints(hints)
}

/// The description of a validator of elements or keys. That of a function is empty.
fn describe_each(what: &str, description: &str) -> String {
    if description.is_empty() { String::new() } else { format!("{what}, each {description}") }
}

/// The elements of a collection, each with its path step.
fn elements(value: &Value) -> Result<impl Iterator<Item = (Step, &Value)>, Diagnostics> {
    match length(value.without_type()) {
        Some(_) => Ok(value.children()),
        None => Err(kind_mismatch("a collection", value)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::validators::length_at_least;

    fn accept(_: &String) -> Result<(), String> {
        Ok(())
    }

    #[test]
    fn validators_of_elements_and_keys_are_described_if_the_inner_one_is() {
        let description = |it: Validator<Vec<String>>| it.description().to_owned();
        assert_eq!(description(each(length_at_least(1))), "elements, each a string of at least 1 byte");
        assert_eq!(description(each(accept)), "");
        let description = |it: Validator<BTreeMap<String, String>>| it.description().to_owned();
        assert_eq!(description(each_key(length_at_least(1))), "keys, each a string of at least 1 byte");
        assert_eq!(description(each_key(accept)), "");
    }
}
