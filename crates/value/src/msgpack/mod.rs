//! Values in MessagePack, the encoding of the plugin protocol.
//!
//! The encoder writes the same bytes as Terraform's value library: the attributes of objects and the elements of maps
//! are sorted by name, sets have Terraform's order, and unknown values keep their refinements.
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
//! // A value of the type `any` contains its own type.
//! let dynamic = Value::dynamic(Type::Bool, Value::Bool(true));
//! assert_eq!(msgpack::encode(&dynamic, &Type::Dynamic)?, b"\x92\xc4\x06\"bool\"\xc3");
//! # Ok::<(), ferroform_value::Error>(())
//! ```

mod read;
mod refinement;
mod write;

use crate::error::Error;
use crate::ty::Type;
use crate::value::{Typed, Value};

/// Encodes a value of the type.
///
/// # Errors
///
/// Returns an error if the value is not of the type.
pub fn encode(value: &Value, ty: &Type) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    write::value(&mut out, value, ty)?;
    Ok(out)
}

/// Converts a value to the type `ty` if it does not conform to it, and encodes it.
///
/// # Errors
///
/// Returns an error if the value does not convert.
pub fn encode_converted(value: Typed, ty: &Type) -> Result<Vec<u8>, Error> {
    encode(&value.fit(ty)?, ty)
}

/// Decodes a value of the type. Bytes after the value are ignored.
///
/// # Errors
///
/// Returns an error if the input is not MessagePack or not a value of the type.
pub fn decode(bytes: &[u8], ty: &Type) -> Result<Value, Error> {
    read::Reader::new(bytes).value(ty)
}
