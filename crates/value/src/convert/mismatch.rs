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
        (Type::Object(given), Type::Object(wanted)) => {
            objects(given, wanted).unwrap_or_else(|| required(from, to))
        }
        (Type::Tuple(_), Type::List(element) | Type::Set(element)) if **element == Type::Dynamic => {
            Error::inconsistent_elements(Some(to))
        }
        (Type::Object(_), Type::Map(element)) if **element == Type::Dynamic => {
            Error::inconsistent_elements(Some(to))
        }
        (Type::Tuple(given), Type::List(element) | Type::Set(element)) => {
            let bad = given.iter().enumerate().find(|(_, it)| cannot(it, element));
            bad.map_or_else(|| required(from, to), |(i, it)| mismatch(it, element).below(Step::Index(i)))
        }
        (Type::Tuple(given), Type::Tuple(wanted)) if given.len() == wanted.len() => {
            let bad = given.iter().zip(wanted.iter()).enumerate().find(|(_, (given, it))| cannot(given, it));
            bad.map_or_else(
                || required(from, to),
                |(i, (given, wanted))| mismatch(given, wanted).below(Step::Index(i)),
            )
        }
        (Type::Tuple(given), Type::Tuple(wanted)) => Error::tuple_length(wanted.len(), given.len()),
        (Type::Object(given), Type::Map(element)) => {
            let bad = given.attributes().iter().find(|it| cannot(&it.ty, element));
            bad.map_or_else(
                || required(from, to),
                |it| mismatch(&it.ty, element).below(Step::Key((&it.name).into())),
            )
        }
        (Type::List(given) | Type::Set(given), Type::List(wanted) | Type::Set(wanted))
        | (Type::Map(given), Type::Map(wanted)) => {
            mismatch(given, wanted).in_context(format!("incorrect {} element type", to.kind()))
        }
        _ => required(from, to),
    }
}

fn objects(given: &ObjectType, wanted: &ObjectType) -> Option<Error> {
    let wanted = wanted.attributes();
    let is_missing = |it: &&Attribute| !it.optional && given.get(&it.name).is_none();
    let missing: Vec<Arc<str>> = wanted.iter().filter(is_missing).map(|it| it.name.clone()).collect();
    if !missing.is_empty() {
        return Some(Error::missing_attributes(missing));
    }
    wanted.iter().find_map(|it| {
        let given = given.get(&it.name).filter(|given| cannot(&given.ty, &it.ty))?;
        Some(mismatch(&given.ty, &it.ty).below(Step::Attribute(it.name.clone())))
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
