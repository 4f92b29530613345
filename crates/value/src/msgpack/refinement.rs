//! What is known of an unknown, as an extension of MessagePack.
//!
//! A plain unknown is an extension of one byte. A refined one is a map from small numbers: 1 to
//! whether it may be null, 2 to a prefix, 3 and 4 to bounds, 5 and 6 to lengths.

use unicode_normalization::char::canonical_combining_class;

use crate::error::Error;
use crate::nfc::normalized;
use crate::number::Number;
use crate::refine::Refinements;
use crate::ty::Type;
use crate::value::Value;

use super::read::{Reader, Scalar};
use super::write;

/// An unknown without refinements.
pub(super) const PLAIN: [u8; 3] = [0xd4, 0, 0];

/// The extension that carries refinements.
const REFINED: i8 = 12;

/// Terraform reads no longer extensions.
const MAX_LENGTH: usize = 1024;

/// Prefixes are cut to this many bytes.
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
    if it.not_null {
        body.extend([entry(1), 0xc2]);
    }
    if let Some(prefix) = it.prefix.as_deref().map(safe_prefix).filter(|it| !it.is_empty()) {
        body.push(entry(2));
        write::string(&mut body, prefix);
    }
    for (key, bound) in [(3, &it.min), (4, &it.max)] {
        if let Some((bound, inclusive)) = bound.as_ref().filter(|(bound, _)| !bound.is_infinite()) {
            body.extend([entry(key), 0x92]);
            write::number(&mut body, bound);
            body.push(if *inclusive { 0xc3 } else { 0xc2 });
        }
    }
    for (key, length) in [(5, it.len_min.filter(|&it| it > 0)), (6, it.len_max)] {
        if let Some(length) = length.and_then(|it| i64::try_from(it).ok()) {
            body.push(entry(key));
            write::integer(&mut body, length);
        }
    }
    if count == 0 {
        return out.extend(PLAIN);
    }
    // The map's own header is one byte: there are six keys at most.
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

/// As much of a prefix as may be written. What is cut off could have combined with the last character, so
/// that one goes as well.
fn safe_prefix(it: &str) -> &str {
    if it.len() <= MAX_PREFIX {
        return it;
    }
    let end = (0..MAX_PREFIX).rev().find(|&at| it.is_char_boundary(at)).unwrap_or(0);
    let it = &it[..end];
    let last = it.char_indices().rev().find(|&(_, c)| canonical_combining_class(c) == 0);
    &it[..last.map_or(0, |(at, _)| at)]
}

/// Reads the body of an extension, as an unknown of the type, or as what it can only be.
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
    let wrong = |what: &str| Error::malformed(format!("invalid refinements of an unknown value: {what}"));
    let mut it = Refinements::default();
    let mut null = false;
    let count = body.map_length().ok_or_else(|| wrong("expected a map"))?;
    for _ in 0..count {
        let Ok(Scalar::Int(key)) = body.scalar() else {
            return Err(wrong("expected a number as the key"));
        };
        match (key, ty) {
            (1, _) => match body.scalar() {
                Ok(Scalar::Bool(may_be_null)) => (it.not_null, null) = (!may_be_null, may_be_null),
                _ => return Err(wrong("expected a bool for nullness")),
            },
            (2, Type::String) => match body.scalar() {
                Ok(Scalar::Bytes(prefix)) => {
                    let prefix =
                        std::str::from_utf8(prefix).map_err(|_| wrong("the prefix is not valid UTF-8"))?;
                    it.prefix = Some(normalized(prefix).to_string());
                }
                _ => return Err(wrong("expected a string for the prefix")),
            },
            (3 | 4, Type::Number) => {
                let bound = bound(body).ok_or_else(|| wrong("expected a number and a bool for a bound"))?;
                if key == 3 { it.min = Some(bound) } else { it.max = Some(bound) }
            }
            (5 | 6, Type::List(_) | Type::Set(_) | Type::Map(_)) => match body.scalar() {
                Ok(Scalar::Int(length)) => {
                    let length = u64::try_from(length);
                    match key {
                        5 => it.len_min = length.ok(),
                        _ => it.len_max = Some(length.map_err(|_| wrong("the length bound is negative"))?),
                    }
                }
                _ => return Err(wrong("expected a number for a length bound")),
            },
            (2..=6, _) => return Err(wrong("the refinement does not apply to the type")),
            // Newer programs may know more.
            _ => body.skip()?,
        }
    }
    if null { Ok(Value::Null) } else { it.settle(ty) }
}

fn bound(body: &mut Reader<'_>) -> Option<(Number, bool)> {
    if body.array_length() != Some(2) {
        return None;
    }
    let number = body.scalar().ok()?.number()?;
    match body.scalar() {
        Ok(Scalar::Bool(inclusive)) => Some((number, inclusive)),
        _ => None,
    }
}
