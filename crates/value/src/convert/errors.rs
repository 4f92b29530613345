//! All errors of a conversion.

use super::convert;
use crate::error::Error;
use crate::path::{Path, Step};
use crate::ty::{ObjectType, Type};
use crate::value::Value;

/// Returns all errors of the conversion from the type `from` to the type `to`, at most `limit`; none if the value can be
/// converted. [`convert`] returns only the first one.
///
/// ```
/// use ferroform_value::convert::errors;
/// use ferroform_value::{Type, Value};
///
/// let from = Type::object([("open", Type::Number), ("port", Type::String)]);
/// let to = Type::object([("open", Type::Bool), ("port", Type::Number)]);
/// let value = Value::object([("open", 1.into()), ("port", "http".into())]);
/// let errors: Vec<String> = errors(&value, &from, &to, 10).iter().map(ToString::to_string).collect();
/// assert_eq!(errors, ["open: bool required, but have number", "port: a number is required"]);
/// ```
pub fn errors(value: &Value, from: &Type, to: &Type, limit: usize) -> Vec<Error> {
    let mut errors = Errors { found: Vec::new(), limit };
    collect(value, from, to, &mut Path::default(), &mut errors);
    // The elements can convert one by one, but not to a common type.
    if errors.found.is_empty() {
        errors.found.extend(convert(value.clone(), from, to).err());
    }
    errors.found
}

struct Errors {
    found: Vec<Error>,
    limit: usize,
}

/// Collects the errors of a value of the type `from` that is converted to the type `to`.
fn collect(it: &Value, from: &Type, to: &Type, path: &mut Path, errors: &mut Errors) {
    if errors.found.len() >= errors.limit {
        return;
    }
    match (it, from, to) {
        (Value::Object(it), Type::Object(types), Type::Object(target)) => {
            missing(target, |name| types.get(name).is_some(), path, errors);
            for ((name, it), from) in it.iter().zip(types.attributes()) {
                if let Some(to) = target.get(name) {
                    below(path, Step::Attribute(name.clone()), |path| {
                        collect(it, &from.ty, &to.ty, path, errors);
                    });
                }
            }
        }
        (Value::Map(it), Type::Map(from), Type::Object(target)) => {
            missing(target, |name| it.contains_key(name), path, errors);
            for (key, it) in it {
                if let Some(to) = target.get(key) {
                    below(path, Step::Key(key.clone()), |path| collect(it, from, &to.ty, path, errors));
                }
            }
        }
        (Value::Object(it), Type::Object(types), Type::Map(to)) => {
            for ((name, it), from) in it.iter().zip(types.attributes()) {
                below(path, Step::Key(name.into()), |path| collect(it, &from.ty, to, path, errors));
            }
        }
        (Value::Map(it), Type::Map(from), Type::Map(to)) => {
            for (key, it) in it {
                below(path, Step::Key(key.clone()), |path| collect(it, from, to, path, errors));
            }
        }
        (Value::Tuple(it), Type::Tuple(types), Type::List(to) | Type::Set(to)) => {
            for (i, (it, from)) in it.iter().zip(&**types).enumerate() {
                below(path, Step::Index(i), |path| collect(it, from, to, path, errors));
            }
        }
        (Value::List(it), Type::List(from), Type::List(to) | Type::Set(to)) => {
            for (i, it) in it.iter().enumerate() {
                below(path, Step::Index(i), |path| collect(it, from, to, path, errors));
            }
        }
        (Value::Tuple(it), Type::Tuple(types), Type::Tuple(target)) if it.len() == target.len() => {
            for (i, ((it, from), to)) in it.iter().zip(&**types).zip(&**target).enumerate() {
                below(path, Step::Index(i), |path| collect(it, from, to, path, errors));
            }
        }
        _ => errors.found.extend(convert(it.clone(), from, to).err().map(|e| e.at(path.clone()))),
    }
}

/// Reports the required attributes that a value does not have.
fn missing(target: &ObjectType, has: impl Fn(&str) -> bool, path: &Path, errors: &mut Errors) {
    let required = target.attributes().iter().filter(|it| !it.optional && !has(&it.name));
    let names: Vec<_> = required.map(|it| it.name.clone()).collect();
    if !names.is_empty() {
        errors.found.push(Error::missing_attributes(names).at(path.clone()));
    }
}

/// Calls the function with a longer path.
fn below(path: &mut Path, step: Step, collect: impl FnOnce(&mut Path)) {
    path.push(step);
    collect(path);
    path.pop();
}
