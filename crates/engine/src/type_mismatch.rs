//! Errors for a value of another type than the required one, and the empty value of a type.

use ferroform_value::{Error, Type, Value};

/// The error for a value of the wrong kind: `a string is required, but got a number`.
pub fn mismatch(expected: &str, got: &Value) -> Error {
    let article = if got.kind().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    match got.without_type() {
        Value::Null => Error::invalid_value(expected, "null"),
        Value::Unknown(_) => Error::invalid_value(expected, "an unknown value"),
        _ => Error::invalid_value(expected, format_args!("{article} {}", got.kind())),
    }
}

/// The empty value of a type.
pub fn empty_value(ty: &Type) -> Value {
    match ty {
        Type::Bool => Value::Bool(false),
        Type::Number => Value::from(0),
        Type::String => Value::string(""),
        Type::Dynamic => Value::Null,
        Type::List(_) => Value::List(Vec::new()),
        Type::Set(_) => Value::set([]),
        Type::Map(_) => Value::map::<&str>([]),
        Type::Object(it) => {
            Value::object(it.attributes().iter().map(|a| (a.name.clone(), empty_value(&a.ty))))
        }
        Type::Tuple(it) => Value::Tuple(it.iter().map(empty_value).collect()),
    }
}

/// True if the value, with nulls and unknowns anywhere, is of the type.
pub fn conforms_to(value: &Value, ty: &Type) -> bool {
    match (value, ty) {
        (Value::Null | Value::Unknown(_), _)
        | (Value::Bool(_), Type::Bool)
        | (Value::Number(_), Type::Number)
        | (Value::String(_), Type::String) => true,
        (Value::Dynamic(it), Type::Dynamic) => conforms_to(&it.value, &it.ty),
        (Value::List(it), Type::List(element)) => it.iter().all(|it| conforms_to(it, element)),
        (Value::Set(it), Type::Set(element)) => it.iter().all(|it| conforms_to(it, element)),
        (Value::Map(it), Type::Map(element)) => it.values().all(|it| conforms_to(it, element)),
        (Value::Tuple(it), Type::Tuple(types)) => {
            it.len() == types.len() && it.iter().zip(types.iter()).all(|(it, ty)| conforms_to(it, ty))
        }
        (Value::Object(it), Type::Object(ty)) => {
            it.typed_attributes(ty).is_ok_and(|mut pairs| pairs.all(|(_, it, ty)| conforms_to(it, ty)))
        }
        _ => false,
    }
}
