//! Encoding functions.
//!
//! | function | result |
//! | --- | --- |
//! | `jsonencode(value)`, `jsondecode(string)` | JSON; objects are sorted by name |
//! | `base64encode(string)`, `base64decode(string)` | Base64 with padding |
//! | `urlencode(string)` | a string for the query of a URL |
//!
//! ```
//! use ferroform_lang::{console, expression};
//!
//! let show = |source| expression::evaluate(source).map(|value| console::show(&value));
//! assert_eq!(show(r#"jsondecode("[1]") == [1]"#)?, r#"true"#);
//! assert_eq!(show(r#"base64encode("abc")"#)?, r#""YWJj""#);
//! assert_eq!(show(r#"urlencode("a b&c")"#)?, r#""a+b%26c""#);
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use std::fmt::Write;

use base64::engine::{GeneralPurpose, GeneralPurposeConfig};
use base64::{Engine as _, alphabet};

use super::arguments::Treatment::{Known, Unmarked};
use super::arguments::{Args, CallResult, Function, Kind, string};
use crate::unknown::{is_not_null, refined};
use ferroform_value::{Refinements, Type, Typed, json};

pub(crate) const ALL: &[Function] = &[
    ("jsonencode", 1..=1, Unmarked, jsonencode),
    ("jsondecode", 1..=1, Known(&[Kind::String], Kind::Any), |args| {
        let it = json::decode_simple(args.string()?.as_bytes()).map_err(|e| args.failed(&e))?;
        Ok(Typed::resolve(it, &Type::Dynamic).map_err(|e| args.failed(&e))?.into())
    }),
    ("base64encode", 1..=1, Known(&[Kind::String], Kind::String), |args| {
        Ok(string(BASE64.encode(&*args.string()?)))
    }),
    ("base64decode", 1..=1, Known(&[Kind::String], Kind::String), base64decode),
    ("urlencode", 1..=1, Known(&[Kind::String], Kind::String), urlencode),
];

/// Base64 as Terraform decodes it: padding is required, and the unused bits after the last byte are ignored.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// `jsonencode`: the type of a value that is not wholly known determines the first character of the string.
fn jsonencode(args: &mut Args<'_>) -> CallResult {
    let it = args.any()?;
    if it.value.is_wholly_known() {
        let it = json::encode_simple(&it.value).map_err(|e| args.failed(&e))?;
        return Ok(string(String::from_utf8_lossy(&it)));
    }
    let prefix = match it.ty {
        _ if !is_not_null(&it.value) => "",
        Type::String => "\"",
        Type::Object(_) | Type::Map(_) => "{",
        Type::List(_) | Type::Set(_) | Type::Tuple(_) => "[",
        _ => "",
    };
    Ok(refined(Type::String, Refinements::new().with_prefix(prefix)).into())
}

fn base64decode(args: &mut Args<'_>) -> CallResult {
    // As in Terraform, line breaks are ignored.
    let it = args.string()?.replace(['\r', '\n'], "");
    let bytes = BASE64.decode(it).map_err(|_| args.expected("a string in Base64"))?;
    let decoded =
        String::from_utf8(bytes).map_err(|_| args.invalid("the decoded bytes are not valid UTF-8"))?;
    Ok(string(decoded))
}

/// Encodes a string for the query of a URL, in which a plus sign represents a space.
fn urlencode(args: &mut Args<'_>) -> CallResult {
    let mut out = String::new();
    for it in args.string()?.bytes() {
        match it {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(it.into()),
            b' ' => out.push('+'),
            it => drop(write!(out, "%{it:02X}")),
        }
    }
    Ok(string(out))
}
