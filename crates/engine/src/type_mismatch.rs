//! Errors for a value of another type than the required one, and the empty value of a type.

use ferroform_value::{Error, Type, Value};

/// The error for a value of the wrong kind: `a string is required, but this is a number`.
pub fn mismatch(wanted: &str, got: &Value) -> Error {
    let article = if got.kind().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    match got.bare() {
        Value::Null => Error::mismatch(wanted, "null"),
        Value::Unknown(_) => Error::mismatch(wanted, "not known yet"),
        _ => Error::mismatch(wanted, format_args!("{article} {}", got.kind())),
    }
}

/// The empty value of a type.
pub fn empty(ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(false),
        Type::Number => Value::from(0),
        Type::String => Value::string(""),
        Type::Dynamic => Value::Null,
        Type::List(_) => Value::List(Vec::new()),
        Type::Set(_) => Value::set([]),
        Type::Map(_) => Value::map::<&str>([]),
        Type::Object(it) => Value::object(it.attributes().iter().map(|a| (a.name.clone(), empty(&a.ty)))),
        Type::Tuple(it) => Value::Tuple(it.iter().map(empty).collect()),
    }
}
