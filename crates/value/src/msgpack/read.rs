//! Decoding of values from MessagePack.
//!
//! The decoder accepts all encodings that Terraform's value library accepts: integers and floats of every size,
//! numbers as decimal strings, byte arrays as strings, and attributes in any order. A length in the input reserves
//! memory for at most 4096 elements, and a value with more than four million elements is rejected.
//!
//! ```
//! use ferroform_value::{Type, Value, msgpack};
//!
//! assert_eq!(msgpack::decode(b"\xcd\x01\xbb", &Type::Number)?, Value::from(443));
//! assert_eq!(msgpack::decode(b"\xa3443", &Type::Number)?, Value::from(443));
//! let error = msgpack::decode(b"\xa3443", &Type::Bool).unwrap_err();
//! assert_eq!(error.to_string(), "bool required, but have string");
//! # Ok::<(), ferroform_value::Error>(())
//! ```

use std::collections::BTreeMap;

use crate::conformance::check_element_types;
use crate::element_budget::ElementBudget;
use crate::error::Error;
use crate::json;
use crate::limits::MAX_DEPTH;
use crate::nfc_string::NfcString;
use crate::number::Number;
use crate::path::Step;
use crate::ty::{ObjectType, Type};
use crate::value::{Object, Set, Typed, Value};

use super::refinement;

/// The maximum number of elements for which memory is reserved before they are decoded, because a length in the input
/// can be wrong.
const MAX_RESERVED: usize = 4096;

pub(super) struct Reader<'a> {
    rest: &'a [u8],
    depth: u32,
    budget: ElementBudget,
    /// The decoded attributes of the objects that are not complete yet.
    attributes: Vec<Value>,
}

/// A decoded scalar, or the header of an array, a map or an extension.
pub(super) enum Scalar<'a> {
    Nil,
    Bool(bool),
    Int(i64),
    Unsigned(u64),
    Float(f64),
    Bytes(&'a [u8]),
    Array(usize),
    Map(usize),
    /// The type of an extension and the number of bytes that follow.
    Extension(i8, usize),
}

impl Scalar<'_> {
    /// Converts a number, or a string of digits, to a number.
    pub(super) fn number(&self) -> Option<Number> {
        match *self {
            Scalar::Int(it) => Some(it.into()),
            Scalar::Unsigned(it) => Some(it.into()),
            Scalar::Float(it) => Number::from_f64(it),
            Scalar::Bytes(it) => Number::parse(std::str::from_utf8(it).ok()?).ok(),
            _ => None,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Scalar::Nil => "null",
            Scalar::Bool(_) => "bool",
            Scalar::Int(_) | Scalar::Unsigned(_) | Scalar::Float(_) => "number",
            Scalar::Bytes(_) => "string",
            Scalar::Array(_) => "array",
            Scalar::Map(_) => "map",
            Scalar::Extension(..) => "unknown",
        }
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes, depth: 0, budget: ElementBudget::new(), attributes: Vec::new() }
    }

    pub(super) fn value(&mut self, ty: &Type) -> Result<Value, Error> {
        if self.depth == MAX_DEPTH {
            return Err(Error::nested_too_deeply());
        }
        self.depth += 1;
        let it = self.shallow(ty);
        self.depth -= 1;
        it
    }

    fn shallow(&mut self, ty: &Type) -> Result<Value, Error> {
        Ok(match (ty, self.scalar()?) {
            (_, Scalar::Nil) => Value::Null,
            (_, Scalar::Extension(code, length)) => refinement::read(self, code, length, ty)?,
            (Type::Bool, Scalar::Bool(it)) => Value::Bool(it),
            (Type::String, Scalar::Bytes(it)) => Value::String(utf8(it)?.into()),
            (Type::Number, it) => {
                let number = match it {
                    Scalar::Bytes(it) => Number::parse(utf8(it)?)?,
                    it => it.number().ok_or_else(|| mismatch("number", &it))?,
                };
                self.budget.add_exponent(number.exponent())?;
                Value::Number(number)
            }
            (Type::List(ty), Scalar::Array(length)) => Value::List(self.elements(length, ty)?),
            (Type::Set(ty), Scalar::Array(length)) => Value::Set(Set::from_iter(self.elements(length, ty)?)),
            (Type::Tuple(types), Scalar::Array(length)) => {
                if length != types.len() {
                    return Err(Error::tuple_length(types.len(), length));
                }
                self.budget.add(length)?;
                let element = |(i, ty)| self.value(ty).map_err(|e| e.below(Step::Index(i)));
                Value::Tuple(types.iter().enumerate().map(element).collect::<Result<_, _>>()?)
            }
            (Type::Map(ty), Scalar::Map(length)) => self.map(length, ty)?,
            (Type::Object(types), Scalar::Map(length)) => self.object(length, types)?,
            (Type::Dynamic, Scalar::Array(2)) => self.dynamic()?,
            (Type::Dynamic, it) => return Err(mismatch("dynamic value with its type", &it)),
            (ty, it) => return Err(mismatch(ty.kind(), &it)),
        })
    }

    fn elements(&mut self, length: usize, ty: &Type) -> Result<Vec<Value>, Error> {
        // Each element has at least one byte. If the length is wrong, decoding fails later at the end of the data.
        self.budget.add(length.min(self.rest.len()))?;
        let mut elements = Vec::with_capacity(length.min(MAX_RESERVED));
        for i in 0..length {
            elements.push(self.value(ty).map_err(|e| e.below(Step::Index(i)))?);
        }
        check_element_types(ty, elements.iter())?;
        Ok(elements)
    }

    fn map(&mut self, length: usize, ty: &Type) -> Result<Value, Error> {
        // Each entry has at least two bytes.
        self.budget.add_entries(length.min(self.rest.len() / 2), true)?;
        // Every encoder sorts the keys, and collecting a sorted sequence is faster than inserting each key.
        let mut entries = Vec::new();
        for _ in 0..length {
            let key = NfcString::new(utf8(self.name()?)?);
            let value = self.value(ty).map_err(|e| e.below(Step::Key(key.clone())))?;
            entries.push((key, value));
        }
        let entries: BTreeMap<_, _> = entries.into_iter().collect();
        check_element_types(ty, entries.values())?;
        Ok(Value::Map(entries))
    }

    fn object(&mut self, length: usize, types: &ObjectType) -> Result<Value, Error> {
        let expected = types.attributes().len();
        if length != expected {
            return Err(Error::object_length(expected, length));
        }
        self.budget.add(length)?;
        let start = self.attributes.len();
        let mut out_of_order = Vec::new();
        for i in 0..length {
            let name = self.name()?;
            // Every encoder sorts the attributes by name, as the type does.
            let Some(at) = types.position(name, i) else {
                let name = utf8(name)?;
                return Err(Error::unsupported_attribute(name).below(Step::Attribute(name.into())));
            };
            let attribute = &types.attributes()[at];
            let value =
                self.value(&attribute.ty).map_err(|e| e.below(Step::Attribute(attribute.name.clone())))?;
            if at == self.attributes.len() - start {
                self.attributes.push(value);
            } else {
                out_of_order.push((at, value));
            }
        }
        out_of_order.sort_by_key(|(at, _)| *at);
        for (at, value) in out_of_order {
            if at != self.attributes.len() - start {
                return Err(Error::malformed("the object has a duplicate attribute"));
            }
            self.attributes.push(value);
        }
        Ok(Value::Object(Object::of_type(types, self.attributes.drain(start..))))
    }

    /// Reads the name of an attribute or the key of a map, which may not be valid UTF-8. Nil is the empty string.
    fn name(&mut self) -> Result<&'a [u8], Error> {
        match self.scalar() {
            Ok(Scalar::Bytes(it)) => Ok(it),
            Ok(Scalar::Nil) => Ok(b""),
            Ok(it) => Err(mismatch("string as the name", &it)),
            Err(_) => {
                Err(Error::malformed("unexpected end of data: an attribute name or map key is missing"))
            }
        }
    }

    /// Reads a type and a value of this type.
    fn dynamic(&mut self) -> Result<Value, Error> {
        let Scalar::Bytes(ty) = self.scalar()? else {
            return Err(Error::malformed("the type of a dynamic value must be a string"));
        };
        self.budget.add_type(ty.len())?;
        let ty = json::type_from_slice(ty)?.without_optional();
        let value = self.value(&ty)?;
        let resolved = Typed::resolve(value, &ty)?;
        Ok(Value::dynamic(resolved.ty, resolved.value))
    }

    /// Reads the next tag, with the bytes of a value that contains no other values.
    pub(super) fn scalar(&mut self) -> Result<Scalar<'a>, Error> {
        let [tag] = self.array()?;
        Ok(match tag {
            0x00..=0x7f => Scalar::Int(tag.into()),
            0x80..=0x8f => Scalar::Map((tag & 0x0f).into()),
            0x90..=0x9f => Scalar::Array((tag & 0x0f).into()),
            0xa0..=0xbf => Scalar::Bytes(self.take((tag & 0x1f).into())?),
            0xc0 => Scalar::Nil,
            0xc1 => return Err(Error::malformed("invalid MessagePack: reserved format c1")),
            0xc2 | 0xc3 => Scalar::Bool(tag == 0xc3),
            0xc4 | 0xd9 => self.bytes(1)?,
            0xc5 | 0xda => self.bytes(2)?,
            0xc6 | 0xdb => self.bytes(4)?,
            0xc7 => self.extension(1)?,
            0xc8 => self.extension(2)?,
            0xc9 => self.extension(4)?,
            0xca => Scalar::Float(f32::from_be_bytes(self.array()?).into()),
            0xcb => Scalar::Float(f64::from_be_bytes(self.array()?)),
            0xcc => Scalar::Int(u8::from_be_bytes(self.array()?).into()),
            0xcd => Scalar::Int(u16::from_be_bytes(self.array()?).into()),
            0xce => Scalar::Int(u32::from_be_bytes(self.array()?).into()),
            0xcf => {
                let it = u64::from_be_bytes(self.array()?);
                i64::try_from(it).map_or(Scalar::Unsigned(it), Scalar::Int)
            }
            0xd0 => Scalar::Int(i8::from_be_bytes(self.array()?).into()),
            0xd1 => Scalar::Int(i16::from_be_bytes(self.array()?).into()),
            0xd2 => Scalar::Int(i32::from_be_bytes(self.array()?).into()),
            0xd3 => Scalar::Int(i64::from_be_bytes(self.array()?)),
            0xd4..=0xd8 => Scalar::Extension(self.extension_code()?, 1 << (tag - 0xd4)),
            0xdc => Scalar::Array(self.length(2)?),
            0xdd => Scalar::Array(self.length(4)?),
            0xde => Scalar::Map(self.length(2)?),
            0xdf => Scalar::Map(self.length(4)?),
            0xe0..=0xff => Scalar::Int((tag as i8).into()),
        })
    }

    fn bytes(&mut self, width: usize) -> Result<Scalar<'a>, Error> {
        let length = self.length(width)?;
        Ok(Scalar::Bytes(self.take(length)?))
    }

    fn extension(&mut self, width: usize) -> Result<Scalar<'a>, Error> {
        let length = self.length(width)?;
        Ok(Scalar::Extension(self.extension_code()?, length))
    }

    fn extension_code(&mut self) -> Result<i8, Error> {
        Ok(i8::from_be_bytes(self.array()?))
    }

    fn length(&mut self, width: usize) -> Result<usize, Error> {
        Ok(self.take(width)?.iter().fold(0, |it, &byte| it << 8 | usize::from(byte)))
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], Error> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or_else(unexpected_end)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or_else(unexpected_end)?;
        self.rest = rest;
        Ok(*taken)
    }

    pub(super) fn map_length(&mut self) -> Option<usize> {
        if let Ok(Scalar::Map(it)) = self.scalar() { Some(it) } else { None }
    }

    pub(super) fn array_length(&mut self) -> Option<usize> {
        if let Ok(Scalar::Array(it)) = self.scalar() { Some(it) } else { None }
    }

    /// Skips one value.
    pub(super) fn skip(&mut self) -> Result<(), Error> {
        let mut remaining = 1usize;
        while remaining > 0 {
            remaining -= 1;
            match self.scalar()? {
                Scalar::Array(length) => remaining = remaining.saturating_add(length),
                Scalar::Map(length) => remaining = remaining.saturating_add(length).saturating_add(length),
                Scalar::Extension(_, length) => drop(self.take(length)?),
                _ => {}
            }
        }
        Ok(())
    }
}

fn utf8(it: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(it).map_err(|_| Error::malformed("the string is not valid UTF-8"))
}

fn mismatch(expected: &'static str, found: &Scalar<'_>) -> Error {
    Error::type_mismatch(expected, found.kind())
}

fn unexpected_end() -> Error {
    Error::malformed("unexpected end of data")
}
