//! Converts the descriptions of schemas to Markdown.
//!
//! In plain text, everything that Markdown would drop or reformat is escaped. Code in backticks, lists and links look in Markdown
//! as the author wrote them, so they are not escaped:
//!
//! | plain text | Markdown |
//! | --- | --- |
//! | ``Maps <region> to *.example.com and `<zone>` `` | ``Maps \<region> to *.example.com and `<zone>` `` |
//! | `the product 2*3*4` | `the product 2\*3\*4` |

use std::collections::BTreeSet;

use ferroform_engine::FunctionSignature;
use ferroform_engine::schema::{Attribute, Block, DescriptionKind};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

/// The description of a block with the message of its deprecation.
pub(super) fn of_block(block: &Block) -> String {
    let description = description(block.full_description(), block.description_kind());
    with_deprecation(&description, block.deprecation())
}

/// The description of an attribute with the message of its deprecation.
pub(super) fn of_attribute(it: &Attribute) -> String {
    let description = description(&it.full_description(), it.description_kind());
    with_deprecation(&description, it.behavior().deprecated.as_deref())
}

/// The summary of a function, which is plain text.
pub(super) fn summary(it: &FunctionSignature) -> String {
    description(&it.summary, DescriptionKind::Plain)
}

/// A description in Markdown.
pub(super) fn description(text: &str, kind: DescriptionKind) -> String {
    let text = replace_control_characters(text.trim());
    let markdown = match kind {
        DescriptionKind::Markdown => text,
        DescriptionKind::Plain => escape(text),
    };
    close_fence(markdown)
}

/// Adds the message of a deprecation, which is plain text, to a description.
fn with_deprecation(description: &str, message: Option<&str>) -> String {
    let message = message.map(|it| self::description(it, DescriptionKind::Plain));
    match message.filter(|it| !it.is_empty()) {
        None => description.to_owned(),
        Some(message) if description.is_empty() => format!("**Deprecated:** {message}"),
        Some(message) => format!("{description}\n\n**Deprecated:** {message}"),
    }
}

/// Replaces control characters and bidirectional formatting characters, which could disguise the content. Markdown itself
/// replaces NUL in this way.
fn replace_control_characters(text: &str) -> String {
    let is_invisible = |it: char| {
        it.is_control() && !matches!(it, '\n' | '\t')
            || matches!(it, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.replace("\r\n", "\n").replace(is_invisible, "\u{fffd}")
}

/// Closes a code block that would contain the rest of the page.
fn close_fence(mut markdown: String) -> String {
    if let Some(fence) = open_fence(&markdown).map(str::to_owned) {
        markdown.push('\n');
        markdown.push_str(&fence);
    }
    markdown
}

/// The opening marks of a code block without closing ones. Inside a list, the end of the list closes it.
fn open_fence(markdown: &str) -> Option<&str> {
    let mut depth = 0;
    for (event, range) in Parser::new(markdown).into_offset_iter() {
        if let (0, Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)))) = (depth, &event) {
            let source = markdown[range].trim_start();
            let end = source.find(|it| !source.starts_with(it)).unwrap_or(source.len());
            let fence = &source[..end];
            let last = source[end..].trim_end().rsplit_once('\n').map_or("", |(_, it)| it.trim_start());
            let is_closed = last.starts_with(fence) && last.chars().all(|it| fence.starts_with(it));
            if !is_closed {
                return Some(fence);
            }
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Escapes a plain text. An escaped character can change the meaning of the following ones, so this is repeated until Markdown
/// shows the text as it is.
fn escape(mut text: String) -> String {
    text = insert_backslashes(&text, literal_backslashes(&text));
    loop {
        let positions = reformatted(&text);
        if positions.is_empty() {
            return text;
        }
        text = insert_backslashes(&text, positions);
    }
}

fn insert_backslashes(text: &str, positions: BTreeSet<usize>) -> String {
    let mut out = String::with_capacity(text.len() + positions.len());
    let mut start = 0;
    for position in positions {
        out.push_str(&text[start..position]);
        out.push('\\');
        start = position;
    }
    out.push_str(&text[start..]);
    out
}

/// The backslashes that Markdown would read as the start of an escape sequence.
fn literal_backslashes(text: &str) -> BTreeSet<usize> {
    let mut code = Vec::new();
    for (event, range) in Parser::new(text).into_offset_iter() {
        if matches!(event, Event::Code(_) | Event::Start(Tag::CodeBlock(_))) {
            code.push(range);
        }
    }
    let bytes = text.as_bytes();
    let is_escape = |(at, _): &(usize, &str)| {
        bytes.get(at + 1).is_some_and(|it| it.is_ascii_punctuation() || *it == b'\n')
    };
    let all = text.match_indices('\\').filter(is_escape).map(|(at, _)| at);
    all.filter(|at| !code.iter().any(|it| it.contains(at))).collect()
}

/// The characters with which Markdown would begin or end an element. None of them is escaped.
fn reformatted(text: &str) -> BTreeSet<usize> {
    let parser = Parser::new_ext(text, Options::ENABLE_STRIKETHROUGH);
    // The definition of a link is not shown.
    let mut found: BTreeSet<usize> =
        parser.reference_definitions().iter().map(|(_, it)| it.span.start).collect();
    for (event, range) in parser.into_offset_iter() {
        let source = &text[range.clone()];
        let indentation = source.len() - source.trim_start().len();
        let positions: Vec<usize> = match event {
            Event::Html(_) | Event::InlineHtml(_) => source.match_indices('<').map(|(at, _)| at).collect(),
            Event::Start(Tag::Emphasis) => vec![0, source.len() - 1],
            Event::Start(Tag::Strong) => vec![0, 1, source.len() - 2, source.len() - 1],
            Event::Start(Tag::Strikethrough) => {
                let length = if source.starts_with("~~") { 2 } else { 1 };
                (0..length).chain(source.len() - length..source.len()).collect()
            }
            Event::Start(Tag::BlockQuote(_)) => {
                let is_first = |at: &usize| {
                    source[..*at].rsplit('\n').next().is_some_and(|it| it.trim_start().is_empty())
                };
                source.match_indices('>').map(|(at, _)| at).filter(is_first).collect()
            }
            Event::Start(Tag::Heading { .. }) if !source.trim_start().starts_with('#') => {
                let underline = source.trim_end().rfind('\n').map_or(0, |it| it + 1);
                vec![source.len() - source[underline..].trim_start().len()]
            }
            Event::Start(Tag::Heading { .. }) | Event::Rule => vec![indentation],
            // An entity, such as `&lt;`.
            Event::Text(it) if source.starts_with('&') && *it != *source => vec![0],
            _ => Vec::new(),
        };
        found.extend(positions.into_iter().map(|it| range.start + it));
    }
    let is_escaped = |at: &usize| {
        let before = &text[..*at];
        (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
    };
    found.retain(|it| !is_escaped(it));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::docs::template::plain_markdown;

    /// The Markdown of a plain text shows the same text.
    fn plain(text: &str) -> String {
        let markdown = description(text, DescriptionKind::Plain);
        let shown = plain_markdown(&markdown);
        assert_eq!(shown, text.trim().replace('`', ""), "{markdown}");
        markdown
    }

    #[test]
    fn plain_text_is_escaped_where_markdown_would_change_it() {
        for (text, expected) in [
            ("Map of <region> to <b>value</b>", r"Map of \<region> to \<b>value\</b>"),
            ("<!-- note --> text", r"\<!-- note --> text"),
            ("<region>\n<zone>", "\\<region>\n\\<zone>"),
            ("2*3*4 and **x** and ***y***", r"2\*3\*4 and \*\*x\*\* and \*\*\*y\*\*\*"),
            ("_a_ and __b__, but a_b_c and *.x", r"\_a\_ and \_\_b\_\_, but a_b_c and *.x"),
            ("~~a~~", r"\~\~a\~\~"),
            ("# title", r"\# title"),
            ("title\n---", "title\n\\---"),
            ("a\n\n***\n\nb", "a\n\n\\***\n\nb"),
            (">= 1.2", r"\>= 1.2"),
            (r"C:\*.txt", r"C:\\*.txt"),
            ("&lt; &amp; &x", r"\&lt; \&amp; &x"),
            ("[name]: value", r"\[name]: value"),
            // Code remains.
            ("`<region>` and `a*b*c`", "`<region>` and `a*b*c`"),
            ("1 < 2, 2 * 3, ~> 1.0, a & b, $HOME/[x]", "1 < 2, 2 * 3, ~> 1.0, a & b, $HOME/[x]"),
        ] {
            assert_eq!(plain(text), expected);
        }
    }

    #[test]
    fn lists_and_links_in_plain_text_are_not_escaped() {
        for text in ["One of:\n\n- a\n- b", "[guide](https://x.example/a_b_c)", "<https://x.example>"] {
            assert_eq!(description(text, DescriptionKind::Plain), text);
        }
    }

    #[test]
    fn markdown_is_not_escaped() {
        let text = "# a\n\n*b* <c> \\*";
        assert_eq!(description(text, DescriptionKind::Markdown), text);
    }

    #[test]
    fn control_and_bidirectional_characters_are_replaced() {
        for kind in [DescriptionKind::Markdown, DescriptionKind::Plain] {
            assert_eq!(
                description("a\0b\x1b[31m\u{202e}c\u{2066}\r\n\td", kind),
                "a\u{fffd}b\u{fffd}[31m\u{fffd}c\u{fffd}\n\td"
            );
        }
    }

    #[test]
    fn open_code_blocks_are_closed() {
        for (text, expected) in [
            ("```\na", "```\na\n```"),
            ("a\n\n~~~~ text\n~~~", "a\n\n~~~~ text\n~~~\n~~~~"),
            ("```\na\n```", "```\na\n```"),
            ("```\na\n````\nb", "```\na\n````\nb"),
            ("```", "```\n```"),
            ("- a\n  ```\n  b", "- a\n  ```\n  b"),
        ] {
            assert_eq!(description(text, DescriptionKind::Markdown), expected);
        }
    }
}
