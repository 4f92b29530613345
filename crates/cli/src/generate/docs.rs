//! Doc comments, which are the descriptions in the schema.

use super::definition::Description;

/// Returns the doc comment that the derive reads as exactly this description; empty without a description.
pub(super) fn doc_comment(description: &Description, indent: &str) -> String {
    let content = &*description.content;
    if content.is_empty() {
        return String::new();
    }
    // The derive removes spaces at the end of each line of a doc comment, but not inside an attribute.
    let is_regular = |it: &str| it.trim_end() == it && !it.contains(|it: char| it.is_control());
    if !content.split('\n').all(is_regular) {
        return format!("{indent}#[doc = {}]\n", string_literal(content));
    }
    let line =
        |it: &str| if it.is_empty() { format!("{indent}///\n") } else { format!("{indent}/// {it}\n") };
    content.split('\n').map(line).collect()
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
            it if it.is_control() => literal.extend(it.escape_unicode()),
            it => literal.push(it),
        }
    }
    literal.push('"');
    literal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comment(content: &str) -> String {
        doc_comment(&Description { content: content.to_owned(), is_plain: true }, "    ")
    }

    #[test]
    fn descriptions_become_doc_comments() {
        assert_eq!(comment(""), "");
        assert_eq!(comment("The name."), "    /// The name.\n");
        assert_eq!(comment("The name.\n\n  code"), "    /// The name.\n    ///\n    ///   code\n");
        assert_eq!(comment("One \nTwo"), "    #[doc = \"One \\nTwo\"]\n");
        assert_eq!(comment("A\ttab and \"quotes\""), "    #[doc = \"A\\ttab and \\\"quotes\\\"\"]\n");
    }
}
