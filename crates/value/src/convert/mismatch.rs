//! The error for two types without a conversion.
//!
//! The messages are those of Terraform. The error contains the path to the first part that has no conversion:
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

use super::mode::Mode;
use super::plan::plan;
use crate::error::Error;
use crate::path::Step;
use crate::ty::{Attribute, ObjectType, Type};

/// Returns the error for the conversion of the type `from` to the type `to`, between which there is no conversion. Its path is as
/// specific as the types allow.
pub fn mismatch(from: &Type, to: &Type) -> Error {
    match (from, to) {
        (Type::Object(actual), Type::Object(expected)) => {
            objects(actual, expected).unwrap_or_else(|| required(from, to))
        }
        (Type::Tuple(_), Type::List(element) | Type::Set(element)) if **element == Type::Dynamic => {
            Error::inconsistent_elements(Some(to))
        }
        (Type::Object(_), Type::Map(element)) if **element == Type::Dynamic => {
            Error::inconsistent_elements(Some(to))
        }
        (Type::Tuple(actual), Type::List(element) | Type::Set(element)) => {
            let bad = actual.iter().enumerate().find(|(_, it)| cannot(it, element));
            bad.map_or_else(|| required(from, to), |(i, it)| mismatch(it, element).below(Step::Index(i)))
        }
        (Type::Tuple(actual), Type::Tuple(expected)) if actual.len() == expected.len() => {
            let bad =
                actual.iter().zip(expected.iter()).enumerate().find(|(_, (actual, it))| cannot(actual, it));
            bad.map_or_else(
                || required(from, to),
                |(i, (actual, expected))| mismatch(actual, expected).below(Step::Index(i)),
            )
        }
        (Type::Tuple(actual), Type::Tuple(expected)) => Error::tuple_length(expected.len(), actual.len()),
        (Type::Object(actual), Type::Map(element)) => {
            let bad = actual.attributes().iter().find(|it| cannot(&it.ty, element));
            bad.map_or_else(
                || required(from, to),
                |it| mismatch(&it.ty, element).below(Step::Key((&it.name).into())),
            )
        }
        (Type::List(actual) | Type::Set(actual), Type::List(expected) | Type::Set(expected))
        | (Type::Map(actual), Type::Map(expected)) => {
            mismatch(actual, expected).in_context(format!("incorrect {} element type", to.kind()))
        }
        _ => required(from, to),
    }
}

fn objects(actual: &ObjectType, expected: &ObjectType) -> Option<Error> {
    let expected = expected.attributes();
    let is_missing = |it: &&Attribute| !it.optional && actual.get(&it.name).is_none();
    let missing: Vec<Arc<str>> = expected.iter().filter(is_missing).map(|it| it.name.clone()).collect();
    if !missing.is_empty() {
        return Some(Error::missing_attributes(missing));
    }
    expected.iter().find_map(|it| {
        let actual = actual.get(&it.name).filter(|actual| cannot(&actual.ty, &it.ty))?;
        Some(mismatch(&actual.ty, &it.ty).below(Step::Attribute(it.name.clone())))
    })
}

fn cannot(from: &Type, to: &Type) -> bool {
    plan(from, to, Mode::Unsafe).is_none()
}

fn required(from: &Type, to: &Type) -> Error {
    Error::type_mismatch(constraint_name(to), type_name(from))
}

/// Returns the name of the required type, as Terraform prints it. An element type `any` is `any single type`.
fn constraint_name(ty: &Type) -> String {
    named(ty, "any type", "any single type")
}

/// Returns the name of the type of a value, as Terraform prints it.
fn type_name(ty: &Type) -> String {
    named(ty, "dynamic", "dynamic")
}

/// Returns the name of a type, without the parts of an object or a tuple. `open` and `open_element` are the names of `any`.
fn named(ty: &Type, open: &str, open_element: &str) -> String {
    match ty {
        Type::Dynamic => open.to_owned(),
        Type::List(it) | Type::Set(it) | Type::Map(it) => {
            format!("{} of {}", ty.kind(), named(it, open_element, open_element))
        }
        _ => ty.kind().to_owned(),
    }
}
