//! Errors for a value of another type than the required one, and the empty value of a type.

use ferroform_value::{Error, Number, Type, Value};

/// The error for a value of the wrong kind: `a string is required, but got a number`.
pub fn mismatch(expected: &str, got: &Value) -> Error {
    if let Some(number) = unrepresentable_number(got) {
        const MAX_LENGTH: usize = 80;
        let ellipsis = if number.len() > MAX_LENGTH { "…" } else { "" };
        let shown = number.get(..MAX_LENGTH).unwrap_or(number);
        return Error::invalid_value(
            expected,
            format_args!("{shown}{ellipsis}, which Terraform cannot represent"),
        );
    }
    match got.without_type() {
        Value::Null => Error::invalid_value(expected, "null"),
        Value::Unknown(_) => Error::invalid_value(expected, "an unknown value"),
        _ => Error::invalid_value(expected, with_article(got.kind())),
    }
}

/// The message of an error. If the error is about types, the message has the form of [`mismatch`] instead of the one in
/// Terraform's own messages, which is `string required, but have number`.
pub fn message(error: &Error) -> String {
    match (error.expected(), error.found()) {
        (Some(expected), Some(found)) if error.is_type_mismatch() => {
            Error::invalid_value(with_article(expected), with_article(found)).to_string()
        }
        _ => error.message().to_owned(),
    }
}

/// The same, after the attribute path of the error.
pub fn message_with_path(error: &Error) -> String {
    let at = if error.path().is_root() { String::new() } else { format!("{}: ", error.path()) };
    at + &message(error)
}

/// The noun with its article.
pub fn with_article(noun: &str) -> String {
    format!("{} {noun}", if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" })
}

/// The printed number, if the value is a string that stands for a Rust number without a Terraform value: not-a-number, or
/// an integer with more than 512 significant bits. `Attr::to_value` returns such a string for it.
pub fn unrepresentable_number(value: &Value) -> Option<&str> {
    let printed = value.without_type().as_str()?;
    let digits = printed.strip_prefix('-').unwrap_or(printed);
    let is_integer = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    let is_representable = || Number::parse(printed).is_ok_and(|it| it.to_string() == printed);
    let is_too_long = is_integer && digits.len() > MAX_EXACT_DIGITS && !is_representable();
    (printed == "NaN" || is_too_long).then_some(printed)
}

/// Every integer with this number of decimal digits has at most 512 bits.
const MAX_EXACT_DIGITS: usize = 154;

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
        (Value::List(_), Type::List(element))
        | (Value::Set(_), Type::Set(element))
        | (Value::Map(_), Type::Map(element)) => value.elements().all(|it| conforms_to(it, element)),
        (Value::Tuple(it), Type::Tuple(types)) => {
            it.len() == types.len() && it.iter().zip(types.iter()).all(|(it, ty)| conforms_to(it, ty))
        }
        (Value::Object(it), Type::Object(ty)) => {
            it.typed_attributes(ty).is_ok_and(|mut pairs| pairs.all(|(_, it, ty)| conforms_to(it, ty)))
        }
        _ => false,
    }
}
