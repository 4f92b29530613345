//! Quoted strings: the format of Go's `%q`, and HCL string literals.

use std::fmt::Write;

/// Appends `string` to `out` as an HCL string literal.
///
/// Quotes, backslashes and unprintable characters are escaped, as are `${` and `%{`, which begin a template sequence.
///
/// ```
/// let mut out = String::new();
/// ferroform_value::write_hcl_string(&mut out, "a \"b\"\n${c}");
/// assert_eq!(out, r#""a \"b\"\n$${c}""#);
/// ```
pub fn write_hcl_string(out: &mut String, string: &str) {
    out.push('"');
    let mut characters = string.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '$' | '%' if characters.peek() == Some(&'{') => out.extend([character, character]),
            _ if is_printable(character) => out.push(character),
            _ => {
                let code = u32::from(character);
                // Writing to a string cannot fail.
                let _ =
                    if code < 0x1_0000 { write!(out, "\\u{code:04x}") } else { write!(out, "\\U{code:08x}") };
            }
        }
    }
    out.push('"');
}

/// Returns `string` as an HCL string literal, as [`write_hcl_string`] writes it.
///
/// ```
/// assert_eq!(ferroform_value::hcl_string("${c}"), r#""$${c}""#);
/// ```
pub fn hcl_string(string: &str) -> String {
    let mut out = String::new();
    write_hcl_string(&mut out, string);
    out
}

/// Appends `string` to `out` in quotes with the escape sequences of Go's `%q`, which Terraform uses in its messages.
///
/// ```
/// let mut out = String::new();
/// ferroform_value::write_quoted(&mut out, "a \"b\"\u{7}");
/// assert_eq!(out, r#""a \"b\"\a""#);
/// ```
pub fn write_quoted(out: &mut String, string: &str) {
    out.push('"');
    let mut rest = string;
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

/// Returns true for letters, marks, numbers, punctuation and symbols. The standard library does not export this
/// classification, but `escape_debug` escapes all other characters. It also escapes a mark that does not follow another
/// character, so a letter is prepended.
fn is_printable(it: char) -> bool {
    let mut buffer = [b'a'; 5];
    let length = it.encode_utf8(&mut buffer[1..]).len();
    let with_letter = std::str::from_utf8(&buffer[..=length]).unwrap_or_default();
    with_letter.escape_debug().nth(1) == Some(it)
}
