//! Writing of JSON strings.

use std::fmt::Write;

use crate::bytes::bytes;

/// The first bytes of the characters that [`write_string`] escapes. The last one is the first byte of the two line separators and of
/// many other characters.
const SPECIAL: [bool; 256] = bytes!(0..0x20 | b'"' | b'\\' | b'<' | b'>' | b'&' | 0xe2);

/// Writes a string in quotes. As in Go, it can be embedded in HTML and JavaScript.
pub fn write_string(out: &mut String, it: &str) {
    out.push('"');
    let mut rest = it;
    while let Some(at) = rest.bytes().position(|it| SPECIAL[usize::from(it)]) {
        out.push_str(&rest[..at]);
        let mut chars = rest[at..].chars();
        match chars.next().unwrap_or_default() {
            it @ ('"' | '\\') => out.extend(['\\', it]),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            it @ ('\0'..' ' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}') => {
                let _ = write!(out, "\\u{:04x}", u32::from(it));
            }
            it => out.push(it),
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}
