//! Values in MessagePack, as the plugin protocol carries them.
//!
//! Both ways follow the type and go through the value once. What is written is what Terraform's own value
//! library writes: objects and maps by name, sets in the language's order, refinements of unknowns kept.
//!
//! ```
//! use ferroform_value::{Type, Value, msgpack};
//!
//! let ty = Type::object([("id", Type::String), ("tags", Type::list(Type::String))]);
//! let value = Value::object([("id", Value::UNKNOWN), ("tags", Value::List(vec!["a".into()]))]);
//! let bytes = msgpack::encode(&value, &ty)?;
//! assert_eq!(bytes, b"\x82\xa2id\xd4\0\0\xa4tags\x91\xa1a");
//! assert_eq!(msgpack::decode(&bytes, &ty)?, value);
//!
//! // Where the type is open, the value brings its own.
//! let open = Value::dynamic(Type::Bool, Value::Bool(true));
//! assert_eq!(msgpack::encode(&open, &Type::Dynamic)?, b"\x92\xc4\x06\"bool\"\xc3");
//! # Ok::<(), ferroform_value::Error>(())
//! ```

mod read;
mod refinement;
mod write;

use crate::error::Error;
use crate::ty::Type;
use crate::value::{Typed, Value};

/// Writes a value of the type.
///
/// # Errors
///
/// Where the value is not of the type.
pub fn encode(value: &Value, ty: &Type) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    write::value(&mut out, value, ty)?;
    Ok(out)
}

/// Writes a value of a type of its own for a place of the type `ty`, converted first where it does not
/// conform.
///
/// # Errors
///
/// Where the value does not convert.
pub fn encode_converted(value: Typed, ty: &Type) -> Result<Vec<u8>, Error> {
    encode(&value.fit(ty)?, ty)
}

/// Reads a value of the type. Bytes after it are left alone.
///
/// # Errors
///
/// Where the bytes are not MessagePack, or not a value of the type.
pub fn decode(bytes: &[u8], ty: &Type) -> Result<Value, Error> {
    read::Reader::new(bytes).value(ty)
}
