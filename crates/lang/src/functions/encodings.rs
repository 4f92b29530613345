//! Functions that write values as texts, and read them again.

use std::fmt::Write;

use super::arguments::{Args, Function, Made, text};
use ferroform_value::{Type, Typed, json};

pub(crate) const ALL: &[Function] = &[
    ("jsonencode", 1..=1, |args| {
        let it = args.any()?;
        let it = json::encode_simple(&it.value).map_err(|e| args.failed(&e))?;
        Ok(text(String::from_utf8_lossy(&it)))
    }),
    ("jsondecode", 1..=1, |args| {
        let it = json::decode_simple(args.text()?.as_bytes()).map_err(|e| args.failed(&e))?;
        Typed::resolve(it, &Type::Dynamic).map_err(|e| args.failed(&e))
    }),
    ("base64encode", 1..=1, |args| Ok(text(base64(args.text()?.as_bytes())))),
    ("base64decode", 1..=1, base64decode),
    ("urlencode", 1..=1, urlencode),
];

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, i| bits << 8 | group.get(i).map_or(0, |it| u32::from(*it)));
        for i in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * i)) as usize & 63];
            out.push(if i <= group.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

fn base64decode(args: &mut Args<'_>) -> Made {
    let it = args.text()?;
    let wrong = || args.unfit("a string in Base64");
    // Lines may be broken anywhere.
    let digits: Vec<u8> = it.bytes().filter(|it| !matches!(it, b'\r' | b'\n')).collect();
    let plain = digits.strip_suffix(b"==").or_else(|| digits.strip_suffix(b"=")).unwrap_or(&digits);
    // A lone digit in the last group is less than a byte.
    if !digits.len().is_multiple_of(4) || plain.len() % 4 == 1 {
        return Err(wrong());
    }
    let mut bytes = Vec::with_capacity(plain.len());
    for group in plain.chunks(4) {
        let mut bits = 0_u32;
        for i in 0..4 {
            let digit = match group.get(i) {
                Some(it) => DIGITS.iter().position(|digit| digit == it).ok_or_else(wrong)?,
                None => 0,
            };
            bits = bits << 6 | digit as u32;
        }
        bytes.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    let decoded =
        String::from_utf8(bytes).map_err(|_| args.wrong("the decoded bytes are not valid UTF-8"))?;
    Ok(text(decoded))
}

/// As in the query of a URL, where a plus stands for a space.
fn urlencode(args: &mut Args<'_>) -> Made {
    let mut out = String::new();
    for it in args.text()?.bytes() {
        match it {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(it.into()),
            b' ' => out.push('+'),
            it => drop(write!(out, "%{it:02X}")),
        }
    }
    Ok(text(out))
}
