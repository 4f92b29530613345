//! Values and types in JSON.
//!
//! The typed form depends on the type of the schema and contains the type of a value only if the schema has the type
//! `any`, as `{"value": …, "type": …}`. The simple form contains no types. Numbers keep every digit.
//!
//! ```
//! use ferroform_value::{Type, Value, json};
//!
//! let ty = Type::object([("size", Type::Number), ("extra", Type::Dynamic)]);
//! let value = json::decode(br#"{"size": 0.1, "extra": {"type": "bool", "value": true}}"#, &ty)?;
//! assert_eq!(value.attribute("extra"), Some(&Value::dynamic(Type::Bool, Value::Bool(true))));
//! assert_eq!(json::encode_simple(&value)?, br#"{"extra":true,"size":0.1}"#);
//!
//! let ty = json::type_from_slice(br#"["object",{"a":["list","string"]},["a"]]"#)?;
//! assert_eq!(ty.to_string(), "object({a = optional(list(string))})");
//! # Ok::<(), ferroform_value::Error>(())
//! ```

mod lexer;
mod read;
mod string;
mod types;
mod write;

pub use self::lexer::{Lexer, SyntaxError, SyntaxErrorReason, Token};
use self::read::{Dialect, Reader};
pub use self::string::write_string;
use crate::error::Error;
use crate::limits::MAX_DEPTH;
use crate::ty::Type;
use crate::value::{Typed, Value};

/// Encodes a value of the type.
///
/// # Errors
///
/// Returns an error if the value is not of the type, or if it contains an unknown value or an infinite number.
pub fn encode(value: &Value, ty: &Type) -> Result<Vec<u8>, Error> {
    let mut out = String::new();
    write::value(&mut out, value, Some(ty))?;
    Ok(out.into_bytes())
}

/// Converts a value to the type `ty` if it does not conform to it, and encodes it.
///
/// # Errors
///
/// Returns an error if the value does not convert, or if it contains an unknown value or an infinite number.
pub fn encode_converted(value: Typed, ty: &Type) -> Result<Vec<u8>, Error> {
    encode(&value.fit(ty)?, ty)
}

/// Encodes a value without types, as Terraform's `jsonencode` does.
///
/// # Errors
///
/// Returns an error if the value contains an unknown value or an infinite number.
pub fn encode_simple(value: &Value) -> Result<Vec<u8>, Error> {
    let mut out = String::new();
    write::value(&mut out, value, None)?;
    Ok(out.into_bytes())
}

/// Decodes a value of the type. Missing attributes are null. Input after the value is ignored.
///
/// # Errors
///
/// Returns an error if the input is not JSON or not a value of the type.
pub fn decode(text: &[u8], ty: &Type) -> Result<Value, Error> {
    Reader { lexer: Lexer::new(text), dialect: Dialect::Value }.value(ty)
}

/// Decodes a value of its [implied type](implied_type), for an attribute of the type `any`.
///
/// # Errors
///
/// Returns an error if the input is not exactly one JSON value.
pub fn decode_simple(text: &[u8]) -> Result<Value, Error> {
    let ty = implied_type(text)?;
    let value = decode(text, &ty)?;
    Ok(Value::dynamic(ty, value))
}

/// Decodes a stored state. In contrast to [`decode`], 0 and 1 are bools and a set can contain equal elements. If
/// `ignore_undefined` is true, attributes that the type does not have are ignored at every depth.
///
/// # Errors
///
/// Returns an error if the input is not JSON or not a value of the type.
pub fn decode_state(text: &[u8], ty: &Type, ignore_undefined: bool) -> Result<Value, Error> {
    Reader { lexer: Lexer::new(text), dialect: Dialect::State { ignore_undefined } }.value(ty)
}

/// Returns the implied type of a JSON value: arrays are tuples and objects are objects.
///
/// # Errors
///
/// Returns an error if the input is not exactly one JSON value.
pub fn implied_type(text: &[u8]) -> Result<Type, Error> {
    let mut lexer = Lexer::new(text);
    let ty = types::implied(&mut lexer)?;
    lexer.end()?;
    Ok(ty)
}

/// Encodes a type: `"string"`, `["list","string"]`, `["object",{"a":"number"}]`.
pub fn type_to_string(ty: &Type) -> String {
    let mut out = String::new();
    write_type(&mut out, ty);
    out
}

/// Appends a type to a string, as [`type_to_string`] writes it.
pub fn write_type(out: &mut String, ty: &Type) {
    types::write(out, ty);
}

/// Decodes a type.
///
/// # Errors
///
/// Returns an error if the input is not exactly one type.
pub fn type_from_slice(text: &[u8]) -> Result<Type, Error> {
    // A tuple type or an object type has two brackets for each level of nesting of its values.
    let mut lexer = Lexer::with_depth(text, 2 * MAX_DEPTH);
    let ty = types::read(&mut lexer)?;
    lexer.end()?;
    Ok(ty)
}
