//! Lossless conversion between the type of a schema and the type of a Rust value.
//!
//! This is not the conversion of the Terraform language: a string never becomes a number, and no element or attribute
//! is dropped. Only the form changes: a list becomes a set, or a value becomes dynamic. A dynamic value is read as
//! `Dynamic`: code that reads it as one type would depend on the type that a practitioner happens to choose.

use std::borrow::Cow;

use ferroform_value::{self as value, Error, NfcString, Object, ObjectType, Step, Type, Value};

use ferroform_engine::type_mismatch::mismatch;

use crate::attr::{Attr, Unhandled};

/// The direction of the conversion.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Direction {
    /// From the type of the schema to a Rust type, which itself accepts sets and tuples as lists.
    Read,
    /// From a Rust type to the type of the schema.
    Write,
}

/// Reads a value of the type `from` as a Rust type.
pub(super) fn read<T: Attr>(value: &Value, from: &Type, unhandled: Unhandled) -> Result<T, Error> {
    let to = T::ty();
    let converted = if *from == to {
        Cow::Borrowed(value)
    } else {
        Cow::Owned(convert(value, from, &to, Direction::Read)?)
    };
    T::from_value_or(&converted, unhandled)
}

/// Converts a whole value of the type `from` into the type `to`, to write it.
pub(super) fn convert_for_write(value: &Value, from: &Type, to: &Type) -> Result<Value, Error> {
    let value = convert(value, from, to, Direction::Write)?;
    if to.has_dynamic() {
        // All dynamic elements of a collection must have the same type.
        value::Typed::resolve(value.clone(), to)?;
    }
    Ok(value)
}

/// Converts a value of the type `from` into the type `to`.
pub(super) fn convert(value: &Value, from: &Type, to: &Type, direction: Direction) -> Result<Value, Error> {
    let each = |it: &[Value], from: &dyn Fn(usize) -> Option<Type>, to: &dyn Fn(usize) -> Option<Type>| {
        let one = |(i, it): (usize, &Value)| match (from(i), to(i)) {
            (Some(from), Some(to)) => convert(it, &from, &to, direction).map_err(|e| e.below(Step::Index(i))),
            _ => Err(Error::new("the number of elements differs")),
        };
        it.iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()
    };
    let element = |i: usize| move |ty: &Type| element_type(ty, i);
    let (from_at, to_at) = (|i: usize| element(i)(from), |i: usize| element(i)(to));
    Ok(match (to, value) {
        (Type::Dynamic, _) if *from == Type::Dynamic => value.clone(),
        (Type::Dynamic, _) => Value::dynamic(from.clone(), value.clone()),
        _ if *from == Type::Dynamic => return Err(dynamic_mismatch(to, value, direction)),
        (_, Value::Null | Value::Unknown(_)) if direction == Direction::Read || has_same_null(from, to) => {
            value.clone()
        }
        (Type::Bool, Value::Bool(_))
        | (Type::Number, Value::Number(_))
        | (Type::String, Value::String(_)) => value.clone(),
        (Type::List(_), Value::List(it)) => Value::List(each(it, &from_at, &to_at)?),
        (Type::List(_), Value::Tuple(it))
            if direction == Direction::Write || has_equal_element_types(from) =>
        {
            Value::List(each(it, &from_at, &to_at)?)
        }
        (Type::List(to), Value::Set(it)) if direction == Direction::Read => {
            Value::Set(set(it.iter(), from, to, direction)?)
        }
        (Type::Set(to), Value::Set(it)) => Value::Set(set(it.iter(), from, to, direction)?),
        (Type::Set(to), Value::List(it)) if direction == Direction::Write => {
            Value::Set(unique(it, from, to)?)
        }
        (Type::Tuple(types), Value::Tuple(it) | Value::List(it)) if types.len() == it.len() => {
            Value::Tuple(each(it, &from_at, &to_at)?)
        }
        (Type::Map(to), Value::Map(it)) => {
            let from = from.element().unwrap_or(to);
            let entry = |(key, it): (&NfcString, &Value)| {
                let it = convert(it, from, to, direction).map_err(|e| e.below(Step::Key(key.clone())))?;
                Ok((key.clone(), it))
            };
            Value::Map(it.iter().map(entry).collect::<Result<_, Error>>()?)
        }
        (Type::Object(to), Value::Object(it)) => {
            let Type::Object(from) = from else {
                return Err(mismatch("an object", value));
            };
            Value::Object(object(it, from, to, direction)?)
        }
        (_, Value::Null) => return Err(typed_mismatch(to, "a null", from)),
        (_, Value::Unknown(_)) => return Err(typed_mismatch(to, "an unknown", from)),
        (Type::Tuple(types), Value::Tuple(it) | Value::List(it)) => {
            let (expected, actual) = (types.len(), it.len());
            return Err(Error::new(format!(
                "{expected} elements are required, but this {} has {actual}",
                value.kind()
            )));
        }
        _ => return Err(mismatch(name(to), value)),
    })
}

fn typed_mismatch(to: &Type, what: &str, from: &Type) -> Error {
    Error::invalid_value(name(to), format_args!("{what} of the type {from}"))
}

/// The error for a dynamic value that is read or written as a value of one type.
fn dynamic_mismatch(to: &Type, value: &Value, direction: Direction) -> Error {
    let content = match value.without_type() {
        Value::Null | Value::Unknown(_) => format!("is {}", value.kind()),
        _ => format!("contains {}", name_of_kind(value)),
    };
    let error = Error::invalid_value(name(to), format_args!("a dynamic value that {content}"));
    if direction == Direction::Read { error.with_reason("read it as `Dynamic`") } else { error }
}

/// The kind of a value with its article: `an object`.
fn name_of_kind(value: &Value) -> String {
    let kind = value.kind();
    let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {kind}")
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

/// Returns true if a null of one type can be a null of the other.
fn has_same_null(from: &Type, to: &Type) -> bool {
    let is_list_like = |it: &Type| matches!(it, Type::List(_) | Type::Set(_) | Type::Tuple(_));
    std::mem::discriminant(from) == std::mem::discriminant(to) || is_list_like(from) && is_list_like(to)
}

fn element_type(ty: &Type, i: usize) -> Option<Type> {
    match ty {
        Type::Tuple(types) => types.get(i).cloned(),
        _ => ty.element().cloned(),
    }
}

fn has_equal_element_types(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(types) if types.windows(2).all(|it| it[0] == it[1]))
}

fn set<'a>(
    elements: impl Iterator<Item = &'a Value>,
    from: &Type,
    to: &Type,
    direction: Direction,
) -> Result<value::Set, Error> {
    let from = from.element().unwrap_or(to);
    let one = |it: &Value| {
        convert(it, from, to, direction).map_err(|e| e.below(Step::Element(Box::new(it.clone()))))
    };
    Ok(value::Set::with_duplicates(elements.map(one).collect::<Result<_, _>>()?))
}

/// Converts the elements of a list into a set; equal elements are an error.
fn unique(list: &[Value], from: &Type, to: &Type) -> Result<value::Set, Error> {
    let all = set(list.iter(), from, to, Direction::Write)?;
    let unique: value::Set = all.iter().cloned().collect();
    if unique.len() == all.len() {
        Ok(unique)
    } else {
        Err(Error::new("a set cannot contain an element twice"))
    }
}

fn object(it: &Object, from: &ObjectType, to: &ObjectType, direction: Direction) -> Result<Object, Error> {
    let extra: Vec<_> = it.iter().map(|(name, _)| &**name).filter(|it| to.get(it).is_none()).collect();
    let missing: Vec<_> =
        to.attributes().iter().map(|it| &*it.name).filter(|name| it.get(name).is_none()).collect();
    let common = it.iter().filter_map(|(name, it)| Some((name, it, from.get(name)?, to.get(name)?)));
    let (mut converted, mut errors) = (Vec::new(), Vec::new());
    for (name, it, from, to) in common {
        match convert(it, &from.ty, &to.ty, direction) {
            Ok(it) => converted.push((name.clone(), it)),
            Err(e) => errors.push(e.below(Step::Attribute(name.clone()))),
        }
    }
    if extra.is_empty() && missing.is_empty() {
        // A single error keeps its path.
        match errors.len() {
            0 => return Ok(converted.into_iter().collect()),
            1 => return Err(errors.remove(0)),
            _ => {}
        }
    }
    let (attributes, fields) = if direction == Direction::Read { (extra, missing) } else { (missing, extra) };
    let none = |names: Vec<&str>, of: &str, no: &str| {
        (!names.is_empty()).then(|| format!("there is no {no} for the {of} {}", names.join(", ")))
    };
    let mut parts: Vec<String> =
        [none(attributes, "attributes", "field"), none(fields, "fields", "attribute")]
            .into_iter()
            .flatten()
            .collect();
    if parts.is_empty() {
        // A message begins with an uppercase letter, and the name of an attribute does not.
        parts.push("several attributes differ".to_owned());
    }
    // The attributes that the two objects have in common may differ as well.
    parts.extend(errors.iter().map(ToString::to_string));
    Err(Error::new(parts.join("; ")))
}
