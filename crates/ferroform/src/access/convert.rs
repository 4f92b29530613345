//! A value of one type as one of another, where nothing is lost by it.
//!
//! This is not the language's conversion: no number is made of a text, and no element or attribute goes
//! missing. What changes is the form only: a list that becomes a set, a value that goes where any may be.

use std::borrow::Cow;

use ferroform_value::{self as value, Error, NfcString, Object, ObjectType, Step, Type, Value};

use ferroform_engine::type_mismatch::mismatch;

use crate::attr::{Attr, Unhandled};

/// From where to where.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Way {
    /// From the schema's type to a Rust type, which takes sets and tuples for lists by itself.
    Read,
    /// From a Rust type to the schema's.
    Write,
}

/// Reads a value of the type `from` as a Rust type.
pub(super) fn read<T: Attr>(value: &Value, from: &Type, unhandled: Unhandled) -> Result<T, Error> {
    let to = T::ty();
    let fitting =
        if *from == to { Cow::Borrowed(value) } else { Cow::Owned(fit(value, from, &to, Way::Read)?) };
    T::from_value_or(&fitting, unhandled)
}

/// A whole value of the type `from`, to be written as one of the type `to`.
pub(super) fn written(value: &Value, from: &Type, to: &Type) -> Result<Value, Error> {
    let value = fit(value, from, to, Way::Write)?;
    if to.has_dynamic() {
        // Elements of any type are of one.
        value::Typed::resolve(value.clone(), to)?;
    }
    Ok(value)
}

/// The value of the type `from` as one of the type `to`.
pub(super) fn fit(value: &Value, from: &Type, to: &Type, way: Way) -> Result<Value, Error> {
    let each = |it: &[Value], from: &dyn Fn(usize) -> Option<Type>, to: &dyn Fn(usize) -> Option<Type>| {
        let one = |(i, it): (usize, &Value)| match (from(i), to(i)) {
            (Some(from), Some(to)) => fit(it, &from, &to, way).map_err(|e| e.below(Step::Index(i))),
            _ => Err(Error::new("the number of elements is another")),
        };
        it.iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()
    };
    let element = |i: usize| move |ty: &Type| element_type(ty, i);
    let (from_at, to_at) = (|i: usize| element(i)(from), |i: usize| element(i)(to));
    Ok(match (to, value) {
        (Type::Dynamic, _) if *from == Type::Dynamic => value.clone(),
        (Type::Dynamic, _) => Value::dynamic(from.clone(), value.clone()),
        _ if *from == Type::Dynamic => {
            return Err(Error::invalid_value(name(to), "a value of any type"));
        }
        (_, Value::Null | Value::Unknown(_)) if way == Way::Read || alike(from, to) => value.clone(),
        (Type::Bool, Value::Bool(_))
        | (Type::Number, Value::Number(_))
        | (Type::String, Value::String(_)) => value.clone(),
        (Type::List(_), Value::List(it)) => Value::List(each(it, &from_at, &to_at)?),
        (Type::List(_), Value::Tuple(it)) if way == Way::Write || same_types(from) => {
            Value::List(each(it, &from_at, &to_at)?)
        }
        (Type::List(to), Value::Set(it)) if way == Way::Read => Value::Set(set(it.iter(), from, to, way)?),
        (Type::Set(to), Value::Set(it)) => Value::Set(set(it.iter(), from, to, way)?),
        (Type::Set(to), Value::List(it)) if way == Way::Write => Value::Set(unique(it, from, to)?),
        (Type::Tuple(types), Value::Tuple(it) | Value::List(it)) if types.len() == it.len() => {
            Value::Tuple(each(it, &from_at, &to_at)?)
        }
        (Type::Map(to), Value::Map(it)) => {
            let from = from.element().unwrap_or(to);
            let entry = |(key, it): (&NfcString, &Value)| {
                let it = fit(it, from, to, way).map_err(|e| e.below(Step::Key(key.clone())))?;
                Ok((key.clone(), it))
            };
            Value::Map(it.iter().map(entry).collect::<Result<_, Error>>()?)
        }
        (Type::Object(to), Value::Object(it)) => {
            let Type::Object(from) = from else {
                return Err(mismatch("an object", value));
            };
            Value::Object(object(it, from, to, way)?)
        }
        (_, Value::Null) => return Err(of_type(to, "a null", from)),
        (_, Value::Unknown(_)) => return Err(of_type(to, "an unknown", from)),
        (Type::Tuple(types), Value::Tuple(it) | Value::List(it)) => {
            let (count, given) = (types.len(), it.len());
            return Err(Error::new(format!(
                "{count} elements are required, but this {} has {given}",
                value.kind()
            )));
        }
        _ => return Err(mismatch(name(to), value)),
    })
}

fn of_type(to: &Type, what: &str, from: &Type) -> Error {
    Error::invalid_value(name(to), format_args!("{what} of the type {from}"))
}

/// The type with its article, for messages: `a string`.
fn name(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "a bool",
        Type::Number => "a number",
        Type::String => "a string",
        Type::List(_) => "a list",
        Type::Set(_) => "a set",
        Type::Map(_) => "a map",
        Type::Object(_) => "an object",
        Type::Tuple(_) => "a tuple",
        Type::Dynamic => "a value",
    }
}

/// True where a null of the one type can be a null of the other.
fn alike(from: &Type, to: &Type) -> bool {
    let ordered = |it: &Type| matches!(it, Type::List(_) | Type::Set(_) | Type::Tuple(_));
    std::mem::discriminant(from) == std::mem::discriminant(to) || ordered(from) && ordered(to)
}

fn element_type(ty: &Type, i: usize) -> Option<Type> {
    match ty {
        Type::Tuple(types) => types.get(i).cloned(),
        _ => ty.element().cloned(),
    }
}

fn same_types(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(types) if types.windows(2).all(|it| it[0] == it[1]))
}

fn set<'a>(
    elements: impl Iterator<Item = &'a Value>,
    from: &Type,
    to: &Type,
    way: Way,
) -> Result<value::Set, Error> {
    let from = from.element().unwrap_or(to);
    let one = |it: &Value| fit(it, from, to, way).map_err(|e| e.below(Step::Element(Box::new(it.clone()))));
    Ok(value::Set::with_repeats(elements.map(one).collect::<Result<_, _>>()?))
}

/// The elements of a list as a set, where no two are the same.
fn unique(list: &[Value], from: &Type, to: &Type) -> Result<value::Set, Error> {
    let all = set(list.iter(), from, to, Way::Write)?;
    let kept: value::Set = all.iter().cloned().collect();
    if kept.len() == all.len() {
        Ok(kept)
    } else {
        Err(Error::new("a set holds no element twice, but here one is"))
    }
}

fn object(it: &Object, from: &ObjectType, to: &ObjectType, way: Way) -> Result<Object, Error> {
    let extra: Vec<_> = it.iter().map(|(name, _)| &**name).filter(|it| to.get(it).is_none()).collect();
    let missing: Vec<_> =
        to.attributes().iter().map(|it| &*it.name).filter(|name| it.get(name).is_none()).collect();
    if !(extra.is_empty() && missing.is_empty()) {
        let (attributes, fields) = if way == Way::Read { (extra, missing) } else { (missing, extra) };
        let none = |names: Vec<&str>, of: &str, no: &str| {
            (!names.is_empty()).then(|| format!("there is no {no} for the {of} {}", names.join(", ")))
        };
        let parts = [none(attributes, "attributes", "field"), none(fields, "fields", "attribute")];
        return Err(Error::new(parts.into_iter().flatten().collect::<Vec<_>>().join("; ")));
    }
    it.iter()
        .map(|(name, it)| match (from.get(name), to.get(name)) {
            (Some(from), Some(to)) => {
                let it =
                    fit(it, &from.ty, &to.ty, way).map_err(|e| e.below(Step::Attribute(name.clone())))?;
                Ok((name.clone(), it))
            }
            _ => Err(Error::new(format!("the attribute {name:?} is not of the type"))),
        })
        .collect()
}
