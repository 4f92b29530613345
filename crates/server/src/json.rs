//! Just enough JSON to write a log line and the reattach variable.

use std::fmt::Write as _;

/// Appends the text as a JSON string.
pub(super) fn quote(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Writing to a string cannot fail.
            '\0'..='\x1f' => drop(write!(out, "\\u{:04x}", u32::from(letter))),
            _ => out.push(letter),
        }
    }
    out.push('"');
}

/// The text as a JSON string.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote(&mut out, text);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_must_be_escaped_is() {
        assert_eq!(quoted("a\"b\\c\n\r\t\u{1}é"), r#""a\"b\\c\n\r\t\u0001é""#);
    }
}
