//! Values in MessagePack, as the plugin protocol carries them.
//!
//! Both ways follow the type and go through the value once. What is written is what Terraform's own value
//! library writes: objects and maps by name, sets in the language's order, refinements of unknowns kept.

mod read;
mod refinement;
mod write;

use crate::{Error, Type, Typed, Value};

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
