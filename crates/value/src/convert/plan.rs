//! Which conversion there is between two types.

use std::sync::Arc;

use super::mismatch::mismatch;
use super::mode::Mode;
use super::unify::common;
use crate::error::Error;
use crate::ty::Type;

/// A conversion, as a tree like the types'.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(super) to: Type,
    pub(super) kind: Kind,
    pub(super) mode: Mode,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// The value is right as it is.
    Keep,
    /// There is only null and unknown to convert.
    Untyped,
    ToString,
    ToNumber,
    ToBool,
    /// For each attribute of the target, how it is converted; none where the source does not have it.
    Object(Vec<Option<Plan>>),
    Tuple(Vec<Arc<Plan>>),
    /// A list, set or map to another of the kinds.
    Elements(Box<Plan>),
    /// A tuple to a list or set.
    FromTuple(Vec<Arc<Plan>>),
    /// An object to a map.
    FromObject(Vec<Plan>),
    /// A map to an object: for each attribute, how it is converted, or why it cannot be.
    ToObject(Vec<Result<Plan, Error>>),
}

/// The conversion from one type to the other, where there is one.
pub(crate) fn plan(from: &Type, to: &Type, mode: Mode) -> Option<Plan> {
    let kind = if from == to { Kind::Keep } else { kind(from, to, mode)? };
    Some(Plan { to: to.clone(), kind, mode })
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
            let attribute = |wanted: &crate::ty::Attribute| match from.get(&wanted.name) {
                Some(given) => plan(&given.ty, &wanted.ty, mode).map(Some),
                None => wanted.optional.then_some(None),
            };
            Kind::Object(to.attributes().iter().map(attribute).collect::<Option<_>>()?)
        }
        (Type::Tuple(from), Type::Tuple(to)) if from.len() == to.len() => {
            Kind::Tuple(each(from.iter().zip(to.iter()), mode)?)
        }
        // Order and repeats are lost on the way from a list to a set.
        (Type::List(_), Type::Set(_)) if !may_fail => return None,
        (Type::List(from) | Type::Set(from), Type::List(to) | Type::Set(to))
        | (Type::Map(from), Type::Map(to)) => Kind::Elements(Box::new(plan(from, to, mode)?)),
        (Type::Tuple(from), Type::List(to) | Type::Set(to)) => {
            let to = element(from, to, mode)?;
            if to == Type::Dynamic && from.iter().any(|it| *it != Type::Dynamic) {
                return None;
            }
            Kind::FromTuple(each(from.iter().map(|it| (it, &to)), mode)?)
        }
        (Type::Object(from), Type::Map(to)) => {
            let types: Vec<Type> = from.attributes().iter().map(|it| it.ty.clone()).collect();
            let to = element(&types, to, mode)?;
            Kind::FromObject(types.iter().map(|it| plan(it, &to, mode)).collect::<Option<_>>()?)
        }
        (Type::Map(from), Type::Object(to)) if may_fail => {
            let attribute = |it: &crate::ty::Attribute| match plan(from, &it.ty, mode) {
                Some(plan) => Some(Ok(plan)),
                // It only matters where the map has the key.
                None => it.optional.then(|| Err(mismatch(from, &it.ty))),
            };
            Kind::ToObject(to.attributes().iter().map(attribute).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// The type that the elements of a new collection get: where it is open, the one they have in common.
fn element(from: &[Type], to: &Type, mode: Mode) -> Option<Type> {
    match to {
        Type::Dynamic if !from.is_empty() => common(from, mode),
        _ => Some(to.clone()),
    }
}

/// A plan for each pair. Neighbours of one type share theirs, as a long tuple's elements are.
fn each<'a>(pairs: impl Iterator<Item = (&'a Type, &'a Type)>, mode: Mode) -> Option<Vec<Arc<Plan>>> {
    let mut last: Option<((&Type, &Type), Arc<Plan>)> = None;
    pairs
        .map(|pair| match &last {
            Some((before, plan)) if *before == pair => Some(plan.clone()),
            _ => {
                let plan = Arc::new(plan(pair.0, pair.1, mode)?);
                last = Some((pair, plan.clone()));
                Some(plan)
            }
        })
        .collect()
}
