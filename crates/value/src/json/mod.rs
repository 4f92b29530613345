//! Values and types in JSON.
//!
//! The typed form follows the type and contains the type of a value only where the schema leaves it open,
//! as `{"value": …, "type": …}`. The simple form contains no types. Numbers keep every digit.
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
use self::read::{Flavour, Reader};
use crate::error::Error;
use crate::limits::MAX_DEPTH;
use crate::ty::Type;
use crate::value::{Typed, Value};

/// Writes a value of the type.
///
/// # Errors
///
/// Where the value is not of the type, is not known, or is infinite.
pub fn encode(value: &Value, ty: &Type) -> Result<Vec<u8>, Error> {
    let mut out = String::new();
    write::value(&mut out, value, Some(ty))?;
    Ok(out.into_bytes())
}

/// Writes a value of a type of its own for a place of the type `ty`, converted first where it does not
/// conform.
///
/// # Errors
///
/// Where the value does not convert, is not known, or is infinite.
pub fn encode_converted(value: Typed, ty: &Type) -> Result<Vec<u8>, Error> {
    encode(&value.fit(ty)?, ty)
}

/// Writes a value without any type.
///
/// # Errors
///
/// Where the value is not known, or is infinite.
pub fn encode_simple(value: &Value) -> Result<Vec<u8>, Error> {
    let mut out = String::new();
    write::value(&mut out, value, None)?;
    Ok(out.into_bytes())
}

/// Reads a value of the type. Attributes that are not there are null; text after the value is left alone.
///
/// # Errors
///
/// Where the text is not JSON, or not a value of the type.
pub fn decode(text: &[u8], ty: &Type) -> Result<Value, Error> {
    Reader { lexer: Lexer::new(text), flavour: Flavour::Value }.value(ty)
}

/// Reads a value of the type that the text has by itself, for a place of the type `any`.
///
/// # Errors
///
/// Where the text is not JSON, or more than one value.
pub fn decode_simple(text: &[u8]) -> Result<Value, Error> {
    let ty = implied_type(text)?;
    let value = decode(text, &ty)?;
    Ok(Value::dynamic(ty, value))
}

/// Reads a saved state: as [`decode`], but strings are not normalised, 0 and 1 are bools, and a set may hold
/// equal elements. With `ignore_undefined`, attributes that the type does not have are ignored.
///
/// # Errors
///
/// Where the text is not JSON, or not a value of the type.
pub fn decode_state(text: &[u8], ty: &Type, ignore_undefined: bool) -> Result<Value, Error> {
    Reader { lexer: Lexer::new(text), flavour: Flavour::State { ignore_undefined } }.value(ty)
}

/// The type that the text has by itself: arrays are tuples, objects are objects.
///
/// # Errors
///
/// Where the text is not JSON, or more than one value.
pub fn implied_type(text: &[u8]) -> Result<Type, Error> {
    let mut lexer = Lexer::new(text);
    let ty = types::implied(&mut lexer)?;
    lexer.end()?;
    Ok(ty)
}

/// Writes a type: `"string"`, `["list","string"]`, `["object",{"a":"number"}]`.
pub fn type_to_string(ty: &Type) -> String {
    let mut out = String::new();
    write_type(&mut out, ty);
    out
}

/// Adds a type to a text, as [`type_to_string`] writes it.
pub fn write_type(out: &mut String, ty: &Type) {
    types::write(out, ty);
}

/// Reads a type.
///
/// # Errors
///
/// Where the text is not a type, or more than one.
pub fn type_from_slice(text: &[u8]) -> Result<Type, Error> {
    // A type as deep as a value may be: a tuple or an object takes two brackets.
    let mut lexer = Lexer::with_depth(text, 2 * MAX_DEPTH);
    let ty = types::read(&mut lexer)?;
    lexer.end()?;
    Ok(ty)
}
