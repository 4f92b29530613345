//! The error for two types between which there is no conversion.
//!
//! The messages are those of Terraform. The error has the path of the first attribute or element that has no
//! conversion:
//!
//! ```
//! use ferroform_value::Type;
//! use ferroform_value::convert::mismatch;
//!
//! let from = Type::object([("rules", Type::tuple([Type::Bool]))]);
//! let to = Type::object([("rules", Type::list(Type::map(Type::String)))]);
//! assert_eq!(mismatch(&from, &to).to_string(), "rules[0]: map of string required, but have bool");
//! ```

use std::sync::Arc;

use super::conversion::conversion;
use super::mode::Mode;
use crate::error::Error;
use crate::path::Step;
use crate::ty::{Attribute, ObjectType, Type};

/// Returns the error for a conversion from the type `from` to the type `to` that does not exist. Its path is as
/// specific as the types allow.
pub fn mismatch(from: &Type, to: &Type) -> Error {
    match (from, to) {
        (Type::Object(actual), Type::Object(expected)) => {
            object_mismatch(actual, expected).unwrap_or_else(|| type_mismatch(from, to))
        }
        (Type::Tuple(_), Type::List(element) | Type::Set(element)) if **element == Type::Dynamic => {
            Error::inconsistent_elements(Some(to))
        }
        (Type::Object(_), Type::Map(element)) if **element == Type::Dynamic => {
            Error::inconsistent_elements(Some(to))
        }
        (Type::Tuple(actual), Type::List(element) | Type::Set(element)) => {
            let first_mismatch = actual.iter().enumerate().find(|(_, it)| has_no_conversion(it, element));
            first_mismatch.map_or_else(
                || type_mismatch(from, to),
                |(i, it)| mismatch(it, element).below(Step::Index(i)),
            )
        }
        (Type::Tuple(actual), Type::Tuple(expected)) if actual.len() == expected.len() => {
            let first_mismatch = actual
                .iter()
                .zip(expected.iter())
                .enumerate()
                .find(|(_, (actual, it))| has_no_conversion(actual, it));
            first_mismatch.map_or_else(
                || type_mismatch(from, to),
                |(i, (actual, expected))| mismatch(actual, expected).below(Step::Index(i)),
            )
        }
        (Type::Tuple(actual), Type::Tuple(expected)) => Error::tuple_length(expected.len(), actual.len()),
        (Type::Object(actual), Type::Map(element)) => {
            let first_mismatch = actual.attributes().iter().find(|it| has_no_conversion(&it.ty, element));
            first_mismatch.map_or_else(
                || type_mismatch(from, to),
                |it| mismatch(&it.ty, element).below(Step::Key((&it.name).into())),
            )
        }
        (Type::List(actual) | Type::Set(actual), Type::List(expected) | Type::Set(expected))
        | (Type::Map(actual), Type::Map(expected)) => {
            mismatch(actual, expected).in_context(format!("incorrect {} element type", to.kind()))
        }
        _ => type_mismatch(from, to),
    }
}

fn object_mismatch(actual: &ObjectType, expected: &ObjectType) -> Option<Error> {
    let expected = expected.attributes();
    let is_missing = |it: &&Attribute| !it.optional && actual.get(&it.name).is_none();
    let missing: Vec<Arc<str>> = expected.iter().filter(is_missing).map(|it| it.name.clone()).collect();
    if !missing.is_empty() {
        return Some(Error::missing_attributes(missing));
    }
    expected.iter().find_map(|it| {
        let actual = actual.get(&it.name).filter(|actual| has_no_conversion(&actual.ty, &it.ty))?;
        Some(mismatch(&actual.ty, &it.ty).below(Step::Attribute(it.name.clone())))
    })
}

fn has_no_conversion(from: &Type, to: &Type) -> bool {
    conversion(from, to, Mode::Unsafe).is_none()
}

fn type_mismatch(from: &Type, to: &Type) -> Error {
    Error::type_mismatch(constraint_name(to), type_name(from))
}

/// Returns the name of the required type, as Terraform prints it. An element type `any` is `any single type`.
fn constraint_name(ty: &Type) -> String {
    describe(ty, "any type", "any single type")
}

/// Returns the name of the type of a value, as Terraform prints it.
fn type_name(ty: &Type) -> String {
    describe(ty, "dynamic", "dynamic")
}

/// Returns the name of a type without the attributes of an object or the elements of a tuple. `dynamic` is the name
/// of the type `any`, and `dynamic_element` is its name as an element type.
fn describe(ty: &Type, dynamic: &str, dynamic_element: &str) -> String {
    match ty {
        Type::Dynamic => dynamic.to_owned(),
        Type::List(it) | Type::Set(it) | Type::Map(it) => {
            format!("{} of {}", ty.kind(), describe(it, dynamic_element, dynamic_element))
        }
        _ => ty.kind().to_owned(),
    }
}
