//! Encoding of values as MessagePack.
//!
//! | value | encoding |
//! | --- | --- |
//! | null | nil |
//! | signed 64-bit integer | the shortest integer |
//! | fraction that an `f64` represents exactly | float 64 |
//! | any other number | decimal string |
//! | list, set, tuple | array |
//! | map, object | map, sorted by key |
//! | value of the type `any` | array of the type in JSON and the value |
//!
//! ```
//! use ferroform_value::{Number, Type, msgpack};
//!
//! let encode = |number: &str| msgpack::encode(&Number::parse(number)?.into(), &Type::Number);
//! assert_eq!(encode("443")?, b"\xcd\x01\xbb");
//! assert_eq!(encode("0.5")?, b"\xcb\x3f\xe0\0\0\0\0\0\0");
//! // No float is exactly a tenth, so the number is encoded as a string.
//! assert_eq!(encode("0.1")?, b"\xa30.1");
//! # Ok::<(), ferroform_value::Error>(())
//! ```

use crate::conformance::typed_elements;
use crate::error::Error;
use crate::json;
use crate::number::Number;
use crate::path::Step;
use crate::ty::Type;
use crate::value::{Typed, Value};

use super::refinement;

pub(super) fn value(out: &mut Vec<u8>, it: &Value, ty: &Type) -> Result<(), Error> {
    match (ty, it) {
        (Type::Dynamic, Value::Dynamic(it)) => typed(out, it)?,
        (_, Value::Null) => out.push(0xc0),
        (Type::Dynamic, Value::Unknown(_)) => out.extend(refinement::PLAIN),
        (_, Value::Unknown(it)) => refinement::write(out, it.as_deref()),
        (Type::Dynamic, it) => return self_typed(out, it),
        (Type::Bool, Value::Bool(it)) => out.push(if *it { 0xc3 } else { 0xc2 }),
        (Type::Number, Value::Number(it)) => number(out, it),
        (Type::String, Value::String(it)) => string(out, it),
        (Type::List(ty), Value::List(it)) => elements(out, it.iter().map(|it| (it, &**ty)))?,
        (Type::Set(ty), Value::Set(it)) => {
            elements(out, it.sorted().into_iter().map(|it| (it, &**ty)))?;
        }
        (Type::Tuple(types), Value::Tuple(it)) => {
            elements(out, typed_elements(it, types)?)?;
        }
        (Type::Map(ty), Value::Map(it)) => {
            map_header(out, it.len());
            for (key, it) in it {
                string(out, key);
                value(out, it, ty).map_err(|e| e.below(Step::Key(key.clone())))?;
            }
        }
        (Type::Object(types), Value::Object(it)) => {
            map_header(out, it.len());
            for (name, it, ty) in it.typed_attributes(types)? {
                string(out, name);
                value(out, it, ty).map_err(|e| e.below(Step::Attribute(name.clone())))?;
            }
        }
        (ty, Value::Dynamic(it)) if it.ty == *ty => return value(out, &it.value, ty),
        (ty, it) => return Err(Error::wrong_kind(ty, it)),
    }
    Ok(())
}

/// Writes a value of the type `any`: its type in JSON, then the value.
fn typed(out: &mut Vec<u8>, it: &Typed) -> Result<(), Error> {
    if it.ty == Type::Dynamic {
        return value(out, &it.value, &Type::Dynamic);
    }
    let ty = json::type_to_string(&it.ty.without_optional());
    out.push(0x92);
    header(out, ty.len(), [None, Some(0xc4), Some(0xc5)], 0xc6);
    out.extend(ty.as_bytes());
    value(out, &it.value, &it.ty)
}

/// Writes a value of the type `any` whose type follows from the value, such as a string.
fn self_typed(out: &mut Vec<u8>, it: &Value) -> Result<(), Error> {
    let resolved = Typed::resolve(it.clone(), &Type::Dynamic)?;
    typed(out, &resolved)
}

fn elements<'a>(
    out: &mut Vec<u8>,
    it: impl ExactSizeIterator<Item = (&'a Value, &'a Type)>,
) -> Result<(), Error> {
    header(out, it.len(), [Some(0x90), None, Some(0xdc)], 0xdd);
    for (i, (it, ty)) in it.enumerate() {
        value(out, it, ty).map_err(|e| e.below(Step::Index(i)))?;
    }
    Ok(())
}

/// Writes a signed 64-bit integer as an integer, a fraction that a float represents exactly as a float, and every other
/// number as a decimal string.
pub(super) fn number(out: &mut Vec<u8>, it: &Number) {
    if let Some(it) = it.to_i64() {
        integer(out, it);
    } else if let Some(float) = it.to_f64_exact().filter(|_| !it.is_integer()) {
        out.push(0xcb);
        out.extend(float.to_be_bytes());
    } else {
        string(out, &it.to_string());
    }
}

pub(super) fn integer(out: &mut Vec<u8>, it: i64) {
    let bytes = it.to_be_bytes();
    match it {
        -32..0x80 => out.push(it as u8),
        0x80..0x100 => tagged(out, 0xcc, &bytes[7..]),
        0x100..0x1_0000 => tagged(out, 0xcd, &bytes[6..]),
        0x1_0000..0x1_0000_0000 => tagged(out, 0xce, &bytes[4..]),
        0x1_0000_0000.. => tagged(out, 0xcf, &bytes),
        -0x80..-32 => tagged(out, 0xd0, &bytes[7..]),
        -0x8000..-0x80 => tagged(out, 0xd1, &bytes[6..]),
        -0x8000_0000..-0x8000 => tagged(out, 0xd2, &bytes[4..]),
        ..-0x8000_0000 => tagged(out, 0xd3, &bytes),
    }
}

fn tagged(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    out.push(tag);
    out.extend(bytes);
}

pub(super) fn string(out: &mut Vec<u8>, it: &str) {
    header(out, it.len(), [Some(0xa0), Some(0xd9), Some(0xda)], 0xdb);
    out.extend(it.as_bytes());
}

pub(super) fn map_header(out: &mut Vec<u8>, len: usize) {
    header(out, len, [Some(0x80), None, Some(0xde)], 0xdf);
}

/// Writes the tag for a length, with the length in the tag itself or in the following one, two or four bytes. The tag
/// of a string contains five bits of the length, and the other tags contain four.
fn header(out: &mut Vec<u8>, len: usize, [within, one, two]: [Option<u8>; 3], four: u8) {
    let max_within = if within == Some(0xa0) { 31 } else { 15 };
    match (within, one, two) {
        (Some(tag), _, _) if len <= max_within => out.push(tag | len as u8),
        (_, Some(tag), _) if len < 0x100 => tagged(out, tag, &[len as u8]),
        (_, _, Some(tag)) if len < 0x1_0000 => tagged(out, tag, &(len as u16).to_be_bytes()),
        _ => tagged(out, four, &(len as u32).to_be_bytes()),
    }
}
