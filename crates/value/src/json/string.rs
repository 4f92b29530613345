//! Writing of JSON strings.

use std::fmt::Write;

use crate::bytes::bytes;

/// The first bytes of the characters that [`write_string`] escapes. The byte `0xe2` is the first byte of the two line
/// separators of Unicode and of many other characters.
const SPECIAL: [bool; 256] = bytes!(0..0x20 | b'"' | b'\\' | b'<' | b'>' | b'&' | 0xe2);

/// Writes a string in quotes. As in Go, the characters `<`, `>`, `&` and the two line separators of Unicode are
/// escaped, so that the result can be embedded in HTML and JavaScript.
///
/// ```
/// let mut out = String::new();
/// ferroform_value::json::write_string(&mut out, "a \"b\" <c>");
/// assert_eq!(out, r#""a \"b\" \u003cc\u003e""#);
/// ```
pub fn write_string(out: &mut String, string: &str) {
    out.push('"');
    let mut rest = string;
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
