//! The context of a cursor in a variables file: the enclosing objects and lists, and the name or value at the cursor.
//!
//! A file is incomplete while it is edited, so the scanner accepts any text, in HCL and in JSON. An unclosed
//! string ends after its first word, so it does not affect the rest of the file.

use std::ops::Range;

use ferroform_value::{Path, Step};

/// The context of a cursor.
#[derive(Debug, PartialEq)]
pub(crate) struct Cursor {
    /// The path from the file to the object that contains the name at the cursor, or to the value at the cursor.
    pub(crate) path: Path,
    /// The name or value at the cursor; empty between tokens.
    pub(crate) word: Range<usize>,
    /// True if the cursor is at a value, false if it is at a name.
    pub(crate) is_value: bool,
    /// True if an equals sign or a colon follows the word.
    pub(crate) is_assigned: bool,
    /// The names that the innermost object sets, without the one at the cursor.
    pub(crate) siblings: Vec<String>,
}

/// An object or a list.
#[derive(Debug, Default)]
struct Frame {
    is_object: bool,
    /// True after the equals sign or the colon.
    is_value: bool,
    name: String,
    index: usize,
    names: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    /// A name, a literal or a string.
    Word,
    /// A comment or a heredoc.
    Opaque,
    Punctuation(u8),
}

impl Cursor {
    /// Returns the context of a byte; `None` in a comment or a heredoc.
    pub(crate) fn at(text: &str, byte: usize, is_json: bool) -> Option<Cursor> {
        let mut frames = vec![Frame { is_object: !is_json, ..Frame::default() }];
        let mut found: Option<(Cursor, usize)> = None;
        let mut end = 0;
        let mut is_next = false;
        while let Some((token, range)) = next_token(text, end, is_json) {
            end = range.end;
            if let Some((cursor, _)) = &mut found {
                let is_assignment = matches!(token, Token::Punctuation(b'=' | b':'));
                cursor.is_assigned |= std::mem::take(&mut is_next) && is_assignment;
            } else if byte <= range.start || token == Token::Word && byte <= range.end {
                is_next = token == Token::Word && byte >= range.start;
                let word = if is_next { range.clone() } else { byte..byte };
                found = Some((Cursor::new(&frames, word, is_json), frames.len()));
            } else if token == Token::Opaque && byte <= range.end {
                return None;
            }
            let depth = frames.len();
            let Some(frame) = frames.last_mut() else { break };
            match token {
                Token::Word if frame.is_object && !frame.is_value => {
                    text[range].trim_matches('"').clone_into(&mut frame.name);
                }
                Token::Punctuation(b'=' | b':') if frame.is_object && !frame.is_value => {
                    frame.is_value = true;
                    frame.names.push(frame.name.clone());
                }
                Token::Punctuation(b',') => {
                    frame.index += 1;
                    frame.is_value = false;
                }
                Token::Punctuation(b'\n') if !is_json => frame.is_value = false,
                Token::Punctuation(open @ (b'{' | b'[')) => {
                    frames.push(Frame { is_object: open == b'{', ..Frame::default() });
                }
                Token::Punctuation(b'}' | b']') if found.as_ref().is_some_and(|it| it.1 == depth) => break,
                Token::Punctuation(b'}' | b']') if depth > 1 => drop(frames.pop()),
                _ => {}
            }
        }
        let (mut cursor, depth) =
            found.unwrap_or_else(|| (Cursor::new(&frames, byte..byte, is_json), frames.len()));
        let name = text[cursor.word.clone()].trim_matches('"');
        let names = frames.drain(..).nth(depth - 1).map(|it| it.names).unwrap_or_default();
        cursor.siblings = names.into_iter().filter(|it| it != name).collect();
        Some(cursor)
    }

    fn new(frames: &[Frame], word: Range<usize>, is_json: bool) -> Cursor {
        // The root of a JSON file contains one value.
        let frames = &frames[usize::from(is_json)..];
        let is_value = frames.last().is_none_or(|it| !it.is_object || it.is_value);
        let steps = frames.iter().filter(|it| !it.is_object || it.is_value);
        let steps = steps.map(|frame| match frame.is_object {
            true => Step::Attribute(frame.name.as_str().into()),
            false => Step::Index(frame.index),
        });
        Cursor {
            path: steps.fold(Path::ROOT, Path::then),
            word,
            is_value,
            is_assigned: false,
            siblings: Vec::new(),
        }
    }
}

/// Returns the token after a position.
fn next_token(text: &str, from: usize, is_json: bool) -> Option<(Token, Range<usize>)> {
    let rest = text[from..].trim_start_matches([' ', '\t', '\r', '\u{feff}']);
    let start = text.len() - rest.len();
    let first = rest.chars().next()?;
    let line = rest.find('\n').unwrap_or(rest.len());
    let (token, length) = match first {
        '"' => (Token::Word, measure_string(&rest[..line])),
        '#' => (Token::Opaque, line),
        '/' if rest.starts_with("//") => (Token::Opaque, line),
        '/' if rest.starts_with("/*") => {
            (Token::Opaque, rest[2..].find("*/").map_or(rest.len(), |it| it + 4))
        }
        '<' if rest.starts_with("<<") && !is_json => (Token::Opaque, measure_heredoc(rest)),
        _ if is_word_character(first) => {
            (Token::Word, rest.find(|it| !is_word_character(it)).unwrap_or(rest.len()))
        }
        // Other characters than ASCII have no meaning.
        _ => (Token::Punctuation(u8::try_from(first).unwrap_or(b'.')), first.len_utf8()),
    };
    Some((token, start..start + length))
}

/// Returns the length of the string at the start of a line. An unclosed string ends after its first word.
fn measure_string(line: &str) -> usize {
    let mut is_escaped = false;
    let is_end = |&(_, character): &(usize, char)| {
        let is_end = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        is_end
    };
    let end = line.char_indices().skip(1).find(is_end).map(|it| it.0 + 1);
    end.unwrap_or_else(|| 1 + line[1..].find(|it| !is_word_character(it)).unwrap_or(line.len() - 1))
}

fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_' || character == '-'
}

fn measure_heredoc(text: &str) -> usize {
    let marker = text.lines().next().unwrap_or_default()[2..].trim_start_matches('-').trim();
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if line.trim() == marker {
            return length - (line.len() - line.trim_end().len());
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    /// Shows the context of the cursor `|`.
    fn check(text: &str, expected: Expect) {
        let byte = text.find('|').unwrap();
        let text = text.replacen('|', "", 1);
        let shown = Cursor::at(&text, byte, text.starts_with('{')).map_or("none".to_owned(), |cursor| {
            let kind = if cursor.is_value { "value" } else { "name" };
            let assigned = if cursor.is_assigned { " assigned" } else { "" };
            format!(
                "{:?} {kind} {:?}{assigned} {:?}",
                cursor.path.to_string(),
                &text[cursor.word],
                cursor.siblings
            )
        });
        expected.assert_eq(&shown);
    }

    #[test]
    fn names_and_values_in_hcl() {
        check("a = 1\nre|\nb = 2\n", expect![[r#""" name "re" ["a", "b"]"#]]);
        check("re|gion = 1\n", expect![[r#""" name "region" assigned []"#]]);
        check("a = tr|", expect![[r#""a" value "tr" ["a"]"#]]);
        check("a = |\nb = 1", expect![[r#""a" value "" ["a", "b"]"#]]);
        check("|", expect![[r#""" name "" []"#]]);
        check("a = [{ b = 1, c = { d = [] }, | }, { e = 1 }]", expect![[r#""a[0]" name "" ["b", "c"]"#]]);
        check("a = [{ b = 1 }, {\n  c = 2\n  |\n  d = 3\n}]", expect![[r#""a[1]" name "" ["c", "d"]"#]]);
        check("a = { \"b|\" = 1 }", expect![[r#""a" name "\"b\"" assigned []"#]]);
        check("a = { b = [true, f|", expect![[r#""a.b[1]" value "f" []"#]]);
        check("a = <<EOT\nx = {\nEOT\nb|", expect![[r#""" name "b" ["a"]"#]]);
        check("a = \"x{\\\"[\" # {\nb /* { */ = |", expect![[r#""b" value "" ["a", "b"]"#]]);
        check("}]}\né| = 1", expect![[r#""" name "é" assigned []"#]]);
    }

    #[test]
    fn names_and_values_in_json() {
        check("{\"a\": 1, \"re|\n}", expect![[r#""" name "\"re" ["a"]"#]]);
        check("{\"a\":\n1, |, \"b\": {\"c\": 2}}", expect![[r#""" name "" ["a", "b"]"#]]);
        check("{\"a\": {\"b|\": [1]}}", expect![[r#""a" name "\"b\"" assigned []"#]]);
        check("{\"a\": {\"b\": [1, |]}}", expect![[r#""a.b[1]" value "" []"#]]);
    }

    #[test]
    fn comments_and_heredocs_have_no_context() {
        for text in ["# a|", "a = 1 // |", "/* | */", "a = <<EOT\n|\nEOT\n", "a = <<-EOT\n  x|"] {
            check(text, expect!["none"]);
        }
    }

    /// The scanner accepts each part of a text, at each position.
    #[test]
    fn every_text_has_context() {
        let text = "a = [{ \"é\\\"\" = <<X\n\"\nX\n}] } ] /* # */ // \u{1f600}\n{\"a\": \"";
        let bytes: Vec<usize> = text.char_indices().map(|it| it.0).chain([text.len()]).collect();
        for &start in &bytes {
            for end in bytes.iter().filter(|it| **it >= start) {
                for byte in bytes.iter().filter(|it| **it >= start && *it <= end) {
                    for is_json in [false, true] {
                        let _ = Cursor::at(&text[start..*end], byte - start, is_json);
                    }
                }
            }
        }
    }
}
