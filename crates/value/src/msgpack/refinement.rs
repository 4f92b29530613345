//! Unknown values and their refinements, as MessagePack extensions.
//!
//! An unknown value without refinements is an extension of one byte. Otherwise it is an extension of the type 12
//! whose content is a map:
//!
//! | key | refinement | value |
//! | --- | --- | --- |
//! | 1 | nullness | false for not null, true for null |
//! | 2 | prefix of a string | a string of at most 256 bytes |
//! | 3, 4 | lower and upper bound of a number | an array of the number and whether it is included |
//! | 5, 6 | minimum and maximum number of elements | an integer |
//!
//! ```
//! use ferroform_value::{Refinements, Type, Value, msgpack};
//!
//! let id = Value::unknown(Refinements::new().not_null().with_prefix("i-"));
//! let bytes = msgpack::encode(&id, &Type::String)?;
//! assert_eq!(bytes, b"\xc7\x07\x0c\x82\x01\xc2\x02\xa2i-");
//! assert_eq!(msgpack::decode(&bytes, &Type::String)?, id);
//! # Ok::<(), ferroform_value::Error>(())
//! ```

use std::ops::Bound;

use unicode_normalization::char::canonical_combining_class;

use crate::error::Error;
use crate::number::Number;
use crate::refinements::{RefinementKind, Refinements};
use crate::ty::Type;
use crate::value::Value;

use super::read::{Reader, Scalar};
use super::write;

/// The encoding of an unknown value without refinements.
pub(super) const PLAIN: [u8; 3] = [0xd4, 0, 0];

/// The type of the extension that contains refinements.
const REFINED: i8 = 12;

/// The maximum length of an extension. Terraform rejects longer extensions.
const MAX_LENGTH: usize = 1024;

/// The maximum length of a prefix, in bytes. A longer prefix is truncated.
const MAX_PREFIX: usize = 256;

pub(super) fn write(out: &mut Vec<u8>, it: Option<&Refinements>) {
    let Some(it) = it else {
        return out.extend(PLAIN);
    };
    let mut count = 0;
    let mut body = Vec::new();
    let mut entry = |key: u8| {
        count += 1;
        key
    };
    if it.is_not_null() {
        body.extend([entry(1), 0xc2]);
    }
    match it.kind() {
        RefinementKind::Any => {}
        RefinementKind::String { prefix } => {
            let prefix = safe_prefix(prefix);
            if !prefix.is_empty() {
                body.push(entry(2));
                write::string(&mut body, prefix);
            }
        }
        RefinementKind::Number { min, max } => {
            for (key, bound) in [(3, min), (4, max)] {
                let (number, is_included) = match bound {
                    Bound::Included(number) => (number, 0xc3),
                    Bound::Excluded(number) => (number, 0xc2),
                    Bound::Unbounded => continue,
                };
                body.extend([entry(key), 0x92]);
                write::number(&mut body, number);
                body.push(is_included);
            }
        }
        RefinementKind::Collection { .. } => {
            for (key, length) in [(5, Some(it.min_length()).filter(|&min| min > 0)), (6, it.max_length())] {
                if let Some(length) = length.and_then(|it| i64::try_from(it).ok()) {
                    body.push(entry(key));
                    write::integer(&mut body, length);
                }
            }
        }
    }
    if count == 0 {
        return out.extend(PLAIN);
    }
    // The header of the map is one byte, because there are at most six keys.
    let length = body.len() + 1;
    match length {
        1 | 2 | 4 | 8 | 16 => out.push(0xd4 + length.ilog2() as u8),
        0..0x100 => out.extend([0xc7, length as u8]),
        _ => {
            out.push(0xc8);
            out.extend((length as u16).to_be_bytes());
        }
    }
    out.extend([REFINED as u8, 0x80 | count]);
    out.extend(body);
}

/// Truncates a prefix to its maximum length. The character after the truncated prefix can combine with the last
/// character, so the last character is removed as well.
fn safe_prefix(prefix: &str) -> &str {
    if prefix.len() <= MAX_PREFIX {
        return prefix;
    }
    let end = (0..MAX_PREFIX).rev().find(|&at| prefix.is_char_boundary(at)).unwrap_or(0);
    let prefix = &prefix[..end];
    let last = prefix.char_indices().rev().find(|&(_, c)| canonical_combining_class(c) == 0);
    &prefix[..last.map_or(0, |(at, _)| at)]
}

/// Decodes the body of an extension: an unknown value of the type, or the only value that its refinements allow.
pub(super) fn read(reader: &mut Reader<'_>, code: i8, length: usize, ty: &Type) -> Result<Value, Error> {
    let body = reader.take(length)?;
    match (ty, code) {
        _ if length <= 1 => Ok(Value::UNKNOWN),
        _ if code != REFINED => Err(Error::malformed(format!(
            "unsupported MessagePack extension of type {code} and {length} bytes"
        ))),
        _ if length > MAX_LENGTH => {
            Err(Error::malformed("the refinements of the unknown value are too long"))
        }
        (Type::Dynamic, _) => Ok(Value::UNKNOWN),
        _ => refined(&mut Reader::new(body), ty),
    }
}

fn refined(body: &mut Reader<'_>, ty: &Type) -> Result<Value, Error> {
    let invalid =
        |reason: &str| Error::malformed(format!("invalid refinements of an unknown value: {reason}"));
    let mut refinements = Refinements::new();
    let (mut nullness, mut min, mut max) = (None, Bound::Unbounded, Bound::Unbounded);
    let (mut min_length, mut max_length) = (Bound::Unbounded, Bound::Unbounded);
    let count = body.map_length().ok_or_else(|| invalid("expected a map"))?;
    for _ in 0..count {
        let Ok(Scalar::Int(key)) = body.scalar() else {
            return Err(invalid("expected a number as the key"));
        };
        match (key, ty) {
            (1, _) => match body.scalar() {
                Ok(Scalar::Bool(is_null)) => nullness = Some(is_null),
                _ => return Err(invalid("expected a bool for nullness")),
            },
            (2, Type::String) => match body.scalar() {
                Ok(Scalar::Bytes(prefix)) => {
                    let prefix =
                        std::str::from_utf8(prefix).map_err(|_| invalid("the prefix is not valid UTF-8"))?;
                    refinements = refinements.with_prefix(prefix);
                }
                _ => return Err(invalid("expected a string for the prefix")),
            },
            (3 | 4, Type::Number) => {
                let bound = bound(body).ok_or_else(|| invalid("expected a number and a bool for a bound"))?;
                if key == 3 { min = bound } else { max = bound }
            }
            (5 | 6, Type::List(_) | Type::Set(_) | Type::Map(_)) => match body.scalar() {
                Ok(Scalar::Int(length)) => {
                    let length = u64::try_from(length);
                    match key {
                        5 => min_length = length.map_or(Bound::Unbounded, Bound::Included),
                        _ => {
                            let length = length.map_err(|_| invalid("the length bound is negative"))?;
                            max_length = Bound::Included(length);
                        }
                    }
                }
                _ => return Err(invalid("expected a number for a length bound")),
            },
            (2..=6, _) => return Err(invalid("the refinement does not apply to the type")),
            // Later versions of Terraform may define further refinements.
            _ => body.skip()?,
        }
    }
    let refinements = match ty {
        Type::Number => refinements.with_range((min, max)),
        Type::List(_) | Type::Set(_) | Type::Map(_) => refinements.with_length((min_length, max_length)),
        _ => refinements,
    };
    match nullness {
        Some(true) => Ok(Value::Null),
        Some(false) => refinements.not_null().into_value(ty),
        None => refinements.into_value(ty),
    }
}

fn bound(body: &mut Reader<'_>) -> Option<Bound<Number>> {
    if body.array_length() != Some(2) {
        return None;
    }
    let number = body.scalar().ok()?.number()?;
    match body.scalar() {
        Ok(Scalar::Bool(true)) => Some(Bound::Included(number)),
        Ok(Scalar::Bool(false)) => Some(Bound::Excluded(number)),
        _ => None,
    }
}
