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

use super::arguments::{Args, CallResult, Function, string};
use ferroform_value::{Type, Typed, json};

pub(crate) const ALL: &[Function] = &[
    ("jsonencode", 1..=1, |args| {
        let it = args.any()?;
        let it = json::encode_simple(&it.value).map_err(|e| args.failed(&e))?;
        Ok(string(String::from_utf8_lossy(&it)))
    }),
    ("jsondecode", 1..=1, |args| {
        let it = json::decode_simple(args.string()?.as_bytes()).map_err(|e| args.failed(&e))?;
        Typed::resolve(it, &Type::Dynamic).map_err(|e| args.failed(&e))
    }),
    ("base64encode", 1..=1, |args| Ok(string(BASE64.encode(&*args.string()?)))),
    ("base64decode", 1..=1, base64decode),
    ("urlencode", 1..=1, urlencode),
];

/// Base64 as Terraform decodes it: padding is required, and the unused bits after the last byte are ignored.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

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
