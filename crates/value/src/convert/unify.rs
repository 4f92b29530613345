//! Unification of types: the type to which several types convert.
//!
//! Types of one kind are unified by their element or attribute types: `list(number)` and `list(string)` become
//! `list(string)`. Tuples of different lengths become lists, and objects with different attributes become maps, if
//! their elements or attributes can be unified. Types of different kinds are unified if one of them converts to the
//! other: `number` and `string` become `string`.

use std::sync::Arc;

use super::conversion::conversion;
use super::mode::Mode;
use crate::ty::{Attribute, ObjectType, Type};

/// The result of [`unify`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unified {
    /// The type to which all types convert.
    pub ty: Type,
    /// For each type, true if its values have to be converted.
    pub converts: Vec<bool>,
}

/// Returns the type to which all types convert, as Terraform determines it for `list(any)` and for the two results of a
/// conditional expression. Returns `None` if there is no such type or if `types` is empty.
///
/// ```
/// use ferroform_value::convert::Mode;
/// use ferroform_value::{Type, unify};
///
/// let unified = unify(&[Type::Number, Type::String], Mode::Unsafe).unwrap();
/// assert_eq!((unified.ty, unified.converts), (Type::String, vec![true, false]));
/// assert!(unify(&[Type::Number, Type::Bool], Mode::Unsafe).is_none());
/// ```
pub fn unify(types: &[Type], mode: Mode) -> Option<Unified> {
    let ty = common(types, mode)?;
    // If a null or unknown value without a type occurs among collections, objects or tuples, the unified type is not
    // determined, so every value has to be converted.
    let has_untyped = ty == Type::Dynamic && has_one_compound_kind(types);
    let converts = types.iter().map(|it| has_untyped || *it != ty).collect();
    Some(Unified { ty, converts })
}

/// Returns true if all types except `any` are of one kind, which is not a primitive type.
fn has_one_compound_kind(types: &[Type]) -> bool {
    let mut typed = types.iter().filter(|it| **it != Type::Dynamic);
    let Some(first) = typed.next() else { return false };
    let kind = std::mem::discriminant(first);
    !matches!(first, Type::Bool | Type::Number | Type::String)
        && typed.all(|it| std::mem::discriminant(it) == kind)
}

/// Returns the unified type, without the information which types have to be converted.
pub(crate) fn common(types: &[Type], mode: Mode) -> Option<Type> {
    // A long tuple has few distinct types, and the search for the preferred type takes quadratic time.
    let mut distinct: Vec<Type> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for ty in types {
        if seen.insert(ty) {
            distinct.push(ty.clone());
        }
    }
    match &*distinct {
        [] => return None,
        [ty] => return Some(ty.clone()),
        _ => {}
    }
    let count = |kind: fn(&Type) -> bool| distinct.iter().filter(|it| kind(it)).count();
    let maps = count(|it| matches!(it, Type::Map(_)));
    let lists = count(|it| matches!(it, Type::List(_)));
    let sets = count(|it| matches!(it, Type::Set(_)));
    let objects = count(|it| matches!(it, Type::Object(_)));
    let tuples = count(|it| matches!(it, Type::Tuple(_)));
    let untyped = count(|it| *it == Type::Dynamic);
    let only = |kinds: usize| kinds > 0 && kinds + untyped == distinct.len();
    let dynamic = (untyped > 0).then_some(Type::Dynamic);
    let elements = || distinct.iter().filter_map(Type::element).cloned().collect::<Vec<_>>();
    if only(maps) {
        return dynamic.or_else(|| Some(Type::map(common(&elements(), mode)?)));
    }
    if only(lists) {
        return dynamic.or_else(|| Some(Type::list(common(&elements(), mode)?)));
    }
    if only(sets) {
        return dynamic.or_else(|| Some(Type::set(common(&elements(), mode)?)));
    }
    if only(objects) {
        return dynamic.or_else(|| common_object(&distinct, mode));
    }
    if only(tuples) {
        return dynamic.or_else(|| common_tuple(&distinct, mode));
    }
    if maps > 0 && only(maps + objects) {
        // An object expression can be a map whose type is not declared.
        let is_object = |it: &Type| matches!(it, Type::Object(_));
        let unified = replaced(&distinct, is_object, common_map, mode);
        if let Some(ty @ Type::Map(_)) = unified.filter(|ty| can_convert_all(&distinct, ty, mode)) {
            return Some(ty);
        }
    } else if lists > 0 && only(lists + tuples) {
        let is_tuple = |it: &Type| matches!(it, Type::Tuple(_));
        let unified = replaced(&distinct, is_tuple, common_list, mode);
        if let Some(ty @ Type::List(_)) = unified.filter(|ty| can_convert_all(&distinct, ty, mode)) {
            return Some(ty);
        }
    } else if objects > 0 && tuples > 0 {
        return None;
    }
    preferred(&distinct).into_iter().find(|to| can_convert_all(&distinct, to, mode)).cloned()
}

/// Replaces the types of one kind by a collection of their unified element type, and returns the unified type of the
/// result.
fn replaced(
    types: &[Type],
    kind: impl Fn(&Type) -> bool,
    collection: impl Fn(&[Type], Mode) -> Option<Type>,
    mode: Mode,
) -> Option<Type> {
    let replaceable: Vec<Type> = types.iter().filter(|it| kind(it)).cloned().collect();
    let ty = collection(&replaceable, mode)?;
    let types: Vec<Type> = types.iter().map(|it| if kind(it) { ty.clone() } else { it.clone() }).collect();
    common(&types, mode)
}

/// Unifies objects with the same attribute names attribute by attribute, and other objects as maps.
fn common_object(types: &[Type], mode: Mode) -> Option<Type> {
    let objects: Vec<&Arc<ObjectType>> =
        types.iter().filter_map(|it| if let Type::Object(it) = it { Some(it) } else { None }).collect();
    let (first, rest) = objects.split_first()?;
    let names = |it: &ObjectType| it.attributes().iter().map(|a| a.name.clone()).collect::<Vec<_>>();
    let first = names(first);
    if rest.iter().any(|it| names(it) != first) {
        return common_map(types, mode);
    }
    let attributes = first.into_iter().enumerate().map(|(i, name)| {
        let attribute_types: Vec<Type> = objects.iter().map(|it| it.attributes()[i].ty.clone()).collect();
        Some(Attribute { name, ty: common(&attribute_types, mode)?, optional: false })
    });
    let ty = Type::Object(Arc::new(ObjectType::new(attributes.collect::<Option<Vec<_>>>()?)));
    can_convert_all(types, &ty, mode).then_some(ty).or_else(|| common_map(types, mode))
}

/// Unifies tuples of the same length element by element, and other tuples as lists.
fn common_tuple(types: &[Type], mode: Mode) -> Option<Type> {
    let tuples: Vec<&Arc<[Type]>> =
        types.iter().filter_map(|it| if let Type::Tuple(it) = it { Some(it) } else { None }).collect();
    let length = tuples.first()?.len();
    if tuples.iter().any(|it| it.len() != length) {
        return common_list(types, mode);
    }
    let elements = (0..length).map(|i| {
        let element_types: Vec<Type> = tuples.iter().map(|it| it[i].clone()).collect();
        common(&element_types, mode)
    });
    let ty = Type::tuple(elements.collect::<Option<Vec<_>>>()?);
    can_convert_all(types, &ty, mode).then_some(ty).or_else(|| common_list(types, mode))
}

fn common_map(types: &[Type], mode: Mode) -> Option<Type> {
    let attributes = types.iter().filter_map(|it| if let Type::Object(it) = it { Some(it) } else { None });
    let all: Vec<Type> = attributes.flat_map(|it| it.attributes()).map(|a| a.ty.clone()).collect();
    let ty = Type::map(common(&all, mode)?);
    can_convert_all(types, &ty, mode).then_some(ty)
}

fn common_list(types: &[Type], mode: Mode) -> Option<Type> {
    let elements = types.iter().filter_map(|it| if let Type::Tuple(it) = it { Some(it) } else { None });
    let all: Vec<Type> = elements.flat_map(|it| it.iter().cloned()).collect();
    let ty = Type::list(common(&all, mode)?);
    can_convert_all(types, &ty, mode).then_some(ty)
}

fn can_convert_all(types: &[Type], to: &Type, mode: Mode) -> bool {
    types.iter().all(|from| from == to || conversion(from, to, mode).is_some())
}

/// Sorts the types by preference, the preferred ones first. The sort is stable.
fn preferred(types: &[Type]) -> Vec<&Type> {
    let is_preferred = |a: usize, b: usize| prefers(&types[a], &types[b]) == Some(true);
    let count = types.len();
    let mut blocked: Vec<usize> =
        (0..count).map(|it| (0..count).filter(|&other| is_preferred(other, it)).count()).collect();
    let mut order: Vec<usize> = (0..count).filter(|&it| blocked[it] == 0).collect();
    let mut next = 0;
    while let Some(&it) = order.get(next) {
        next += 1;
        for other in (0..count).filter(|&other| is_preferred(it, other)) {
            blocked[other] -= 1;
            if blocked[other] == 0 {
                order.push(other);
            }
        }
    }
    order.into_iter().map(|it| &types[it]).collect()
}

/// Returns true if the first type is preferred as the unified type, false if the second one is, and `None` if
/// neither is. `any` is never preferred, because every type converts to it.
fn prefers(a: &Type, b: &Type) -> Option<bool> {
    match (a, b) {
        (Type::Dynamic, Type::Dynamic) => None,
        (_, Type::Dynamic) => Some(true),
        (Type::Dynamic, _) => Some(false),
        (Type::String, Type::Bool | Type::Number) => Some(true),
        (Type::Bool | Type::Number, Type::String) => Some(false),
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => {
            prefers(a, b)
        }
        (Type::List(_) | Type::Tuple(_), Type::Set(_))
        | (Type::Map(_), Type::Object(_))
        | (Type::List(_), Type::Tuple(_)) => Some(true),
        (Type::Set(_), Type::List(_) | Type::Tuple(_))
        | (Type::Object(_), Type::Map(_))
        | (Type::Tuple(_), Type::List(_)) => Some(false),
        (Type::Object(a), Type::Object(b)) => {
            let (a, b) = (a.attributes(), b.attributes());
            let same_names = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.name == b.name);
            if same_names {
                agreed_preference(a.iter().zip(b).map(|(a, b)| prefers(&a.ty, &b.ty)))
            } else {
                None
            }
        }
        (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
            agreed_preference(a.iter().zip(b.iter()).map(|(a, b)| prefers(a, b)))
        }
        _ => None,
    }
}

/// Returns the preference of the elements or attributes that have one; `None` if they contradict each other or none
/// has one.
fn agreed_preference(mut results: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    results.try_fold(None, |so_far, result| match (so_far, result) {
        (Some(a), Some(b)) if a != b => None,
        (so_far, result) => Some(result.or(so_far)),
    })?
}
