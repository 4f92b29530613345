//! Doc comments, which are the descriptions in the schema.

use super::definition::Description;

/// Returns the doc comment that the derive reads as exactly this description; empty without a description.
pub(super) fn doc_comment(description: &Description, indent: &str) -> String {
    let content = &*description.content;
    if content.is_empty() {
        return String::new();
    }
    // The derive removes spaces at the end of each line of a doc comment, but not inside an attribute.
    let is_regular = |it: &str| it.trim_end() == it && !it.contains(is_invisible);
    if !content.split('\n').all(is_regular) {
        return format!("{indent}#[doc = {}]\n", string_literal(content));
    }
    let line =
        |it: &str| if it.is_empty() { format!("{indent}///\n") } else { format!("{indent}/// {it}\n") };
    content.split('\n').map(line).collect()
}

/// Returns text for a comment in one line.
pub(super) fn comment(content: &str) -> String {
    let mut text = String::new();
    for it in content.chars() {
        if is_invisible(it) { text.extend(it.escape_unicode()) } else { text.push(it) }
    }
    text
}

/// Returns true for control characters and for those that change the direction of text or have no width. The compiler or
/// Clippy rejects them in comments and literals, because the code would not be what it looks like.
fn is_invisible(it: char) -> bool {
    it.is_control()
        || matches!(it, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Returns a string literal of Rust.
pub(super) fn string_literal(content: &str) -> String {
    let mut literal = String::from("\"");
    for it in content.chars() {
        match it {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            it if is_invisible(it) => literal.extend(it.escape_unicode()),
            it => literal.push(it),
        }
    }
    literal.push('"');
    literal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(content: &str) -> String {
        doc_comment(&Description { content: content.to_owned(), is_plain: true }, "    ")
    }

    #[test]
    fn descriptions_become_doc_comments() {
        assert_eq!(described(""), "");
        assert_eq!(described("The name."), "    /// The name.\n");
        assert_eq!(described("The name.\n\n  code"), "    /// The name.\n    ///\n    ///   code\n");
        assert_eq!(described("One \nTwo"), "    #[doc = \"One \\nTwo\"]\n");
        assert_eq!(described("A\ttab and \"quotes\""), "    #[doc = \"A\\ttab and \\\"quotes\\\"\"]\n");
        assert_eq!(described("A \u{202e}b"), "    #[doc = \"A \\u{202e}b\"]\n");
        assert_eq!(comment("GET /a\n\u{2066}"), "GET /a\\u{a}\\u{2066}");
    }
}
