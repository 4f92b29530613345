//! Texts in quotes as the language's own implementation prints them.

use std::fmt::Write;

/// Appends `text` to `out` in double quotes, with escapes for quotes, backslashes and unprintable characters, as
/// Terraform prints strings.
pub fn write_quoted(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.find(|it: char| !matches!(it, ' '..='!' | '#'..='[' | ']'..='~')) {
        out.push_str(&rest[..at]);
        let mut characters = rest[at..].chars();
        for it in characters.by_ref().take(1) {
            escape(out, it);
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

fn escape(out: &mut String, it: char) {
    let short = match it {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\u{7}' => "\\a",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\u{b}' => "\\v",
        _ => "",
    };
    let code = u32::from(it);
    let _ = match it {
        _ if !short.is_empty() => out.write_str(short),
        _ if is_printable(it) => out.write_char(it),
        '\0'..' ' | '\u{7f}' => write!(out, "\\x{code:02x}"),
        '\u{80}'..='\u{ffff}' => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}

/// Letters, marks, numbers, punctuation and symbols. The standard library knows them, but only tells by what
/// it escapes; it escapes marks as well where they have nothing to stand on.
fn is_printable(it: char) -> bool {
    let mut buffer = [b'a'; 5];
    let length = it.encode_utf8(&mut buffer[1..]).len();
    let text = std::str::from_utf8(&buffer[..=length]).unwrap_or_default();
    text.escape_debug().nth(1) == Some(it)
}
