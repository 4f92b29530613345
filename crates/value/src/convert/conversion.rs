//! Conversions between two types, as trees of steps.
//!
//! | from | to | mode |
//! | --- | --- | --- |
//! | any type | `any` | safe; the value keeps its type |
//! | `number`, `bool` | `string` | safe |
//! | `string` | `number`, `bool` | unsafe |
//! | `list(A)`, `set(A)` | `list(B)`, `set(B)` | as `A` to `B`; from a list to a set: unsafe, as it loses duplicates |
//! | `map(A)` | `map(B)` | as `A` to `B` |
//! | tuple | tuple of the same length | as its elements |
//! | tuple | `list(B)`, `set(B)` | as its elements; for `any`, the elements are unified |
//! | object | object | as its attributes; optional attributes can be missing, and additional attributes are removed |
//! | object | `map(B)` | as its attributes; for `any`, the attributes are unified |
//! | `map(A)` | object | unsafe; each required attribute needs an element |
//!
//! ```
//! use ferroform_value::Type;
//! use ferroform_value::convert::{Availability, availability};
//!
//! let tuple = Type::tuple([Type::Number, Type::String]);
//! assert_eq!(availability(&tuple, &Type::list(Type::String)), Availability::Safe);
//! assert_eq!(availability(&Type::list(Type::String), &tuple), Availability::None);
//! assert_eq!(availability(&Type::list(Type::String), &Type::set(Type::String)), Availability::Unsafe);
//! ```

use std::sync::Arc;

use super::mismatch::mismatch;
use super::mode::Mode;
use super::unify::common;
use crate::error::Error;
use crate::ty::Type;

/// A conversion, as a tree with the structure of the types.
#[derive(Clone, Debug)]
pub(crate) struct Conversion {
    pub(super) to: Type,
    pub(super) kind: Kind,
    pub(super) mode: Mode,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// The value does not change.
    Keep,
    /// The source type is `any`, so the value is null or unknown.
    Untyped,
    ToString,
    ToNumber,
    ToBool,
    /// The conversion of each attribute of the target; `None` if the source does not have the attribute.
    Object(Vec<Option<Conversion>>),
    Tuple(Vec<Arc<Conversion>>),
    /// A list, set or map to a list, set or map.
    Elements(Box<Conversion>),
    /// A tuple to a list or set.
    FromTuple(Vec<Arc<Conversion>>),
    /// An object to a map.
    FromObject(Vec<Conversion>),
    /// A map to an object: the conversion of each attribute, or its error if the map has the key.
    ToObject(Vec<Result<Conversion, Error>>),
}

/// Returns the conversion from one type to another; `None` if there is none.
pub(crate) fn conversion(from: &Type, to: &Type, mode: Mode) -> Option<Conversion> {
    let kind = if from == to { Kind::Keep } else { kind(from, to, mode)? };
    Some(Conversion { to: to.clone(), kind, mode })
}

fn kind(from: &Type, to: &Type, mode: Mode) -> Option<Kind> {
    let may_fail = mode == Mode::Unsafe;
    Some(match (from, to) {
        (_, Type::Dynamic) => Kind::Keep,
        (Type::Dynamic, _) if may_fail => Kind::Untyped,
        (Type::Number | Type::Bool, Type::String) => Kind::ToString,
        (Type::String, Type::Number) if may_fail => Kind::ToNumber,
        (Type::String, Type::Bool) if may_fail => Kind::ToBool,
        (Type::Object(from), Type::Object(to)) => {
            let attribute = |target: &crate::ty::Attribute| match from.get(&target.name) {
                Some(source) => conversion(&source.ty, &target.ty, mode).map(Some),
                None => target.optional.then_some(None),
            };
            Kind::Object(to.attributes().iter().map(attribute).collect::<Option<_>>()?)
        }
        (Type::Tuple(from), Type::Tuple(to)) if from.len() == to.len() => {
            Kind::Tuple(element_plans(from.iter().zip(to.iter()), mode)?)
        }
        // A conversion from a list to a set loses the order and the duplicates.
        (Type::List(_), Type::Set(_)) if !may_fail => return None,
        (Type::List(from) | Type::Set(from), Type::List(to) | Type::Set(to))
        | (Type::Map(from), Type::Map(to)) => Kind::Elements(Box::new(conversion(from, to, mode)?)),
        (Type::Tuple(from), Type::List(to) | Type::Set(to)) => {
            let to = element_type(from, to, mode)?;
            if to == Type::Dynamic && from.iter().any(|it| *it != Type::Dynamic) {
                return None;
            }
            Kind::FromTuple(element_plans(from.iter().map(|it| (it, &to)), mode)?)
        }
        (Type::Object(from), Type::Map(to)) => {
            let types: Vec<Type> = from.attributes().iter().map(|it| it.ty.clone()).collect();
            let to = element_type(&types, to, mode)?;
            Kind::FromObject(types.iter().map(|it| conversion(it, &to, mode)).collect::<Option<_>>()?)
        }
        (Type::Map(from), Type::Object(to)) if may_fail => {
            let attribute = |it: &crate::ty::Attribute| match conversion(from, &it.ty, mode) {
                Some(conversion) => Some(Ok(conversion)),
                // The error is only reported if the map has the key.
                None => it.optional.then(|| Err(mismatch(from, &it.ty))),
            };
            Kind::ToObject(to.attributes().iter().map(attribute).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// Returns the element type of a new collection. For `any`, it is the unified type of the elements.
fn element_type(from: &[Type], to: &Type, mode: Mode) -> Option<Type> {
    match to {
        Type::Dynamic if !from.is_empty() => common(from, mode),
        _ => Some(to.clone()),
    }
}

/// Returns a conversion for each pair of a source and a target type. Adjacent equal pairs share a conversion, for example in a long
/// tuple.
fn element_plans<'a>(
    pairs: impl Iterator<Item = (&'a Type, &'a Type)>,
    mode: Mode,
) -> Option<Vec<Arc<Conversion>>> {
    let mut last: Option<((&Type, &Type), Arc<Conversion>)> = None;
    pairs
        .map(|pair| match &last {
            Some((before, conversion)) if *before == pair => Some(conversion.clone()),
            _ => {
                let conversion = Arc::new(conversion(pair.0, pair.1, mode)?);
                last = Some((pair, conversion.clone()));
                Some(conversion)
            }
        })
        .collect()
}
