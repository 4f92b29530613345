//! The syntax of CLI configuration files, as far as the development override needs it.
//!
//! These files have an older syntax than Terraform's configuration language: the key of an argument can be a string.
//! Terraform also reads the rest of the file, so this module reports only what it needs itself.

use std::ops::Range;

/// A token with its position in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    kind: Kind,
    at: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// A name, or the content of a string as it is in the file, with its escape sequences.
    Word(String),
    Open,
    Close,
    Equals,
    Other,
}

/// The block `provider_installation` of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Installation {
    /// The position after the opening brace.
    pub(super) start: usize,
    /// The blocks `dev_overrides`, from their names to their closing braces.
    pub(super) overrides: Vec<Range<usize>>,
    /// The arguments of these blocks: addresses and directories, with the escape sequences of the file.
    pub(super) entries: Vec<(String, String)>,
    /// The number of other blocks, which are installation methods such as `direct`.
    pub(super) methods: usize,
}

/// Finds the first block `provider_installation`.
///
/// # Errors
///
/// Returns the byte position of a string, a comment or a block that has no end.
pub(super) fn provider_installation(text: &str) -> Result<Option<Installation>, usize> {
    let tokens = tokens(text)?;
    let mut at = 0;
    while at < tokens.len() {
        let (name, open) = header(&tokens, at);
        let Some(open) = open else {
            at += argument_length(&tokens[at..]);
            continue;
        };
        let close = closing_brace(&tokens, open)?;
        if name == Some("provider_installation") {
            return installation(&tokens, open, close).map(Some);
        }
        at = close + 1;
    }
    Ok(None)
}

fn installation(tokens: &[Token], open: usize, close: usize) -> Result<Installation, usize> {
    let mut found = Installation { start: tokens[open].at.end, ..Installation::default() };
    let mut at = open + 1;
    while at < close {
        let (name, Some(inner)) = header(tokens, at) else {
            at += argument_length(&tokens[at..]);
            continue;
        };
        let end = closing_brace(tokens, inner)?;
        if name == Some("dev_overrides") {
            found.overrides.push(tokens[at].at.start..tokens[end].at.end);
            found.entries.extend(entries(&tokens[inner + 1..end]));
        } else {
            found.methods += 1;
        }
        at = end + 1;
    }
    Ok(found)
}

/// Returns the arguments `"address" = "directory"`.
fn entries(tokens: &[Token]) -> Vec<(String, String)> {
    let windows = tokens.windows(3).filter_map(|it| match [&it[0].kind, &it[1].kind, &it[2].kind] {
        [Kind::Word(key), Kind::Equals, Kind::Word(value)] => Some((key.clone(), value.clone())),
        _ => None,
    });
    windows.collect()
}

/// Returns the name of the block that starts at the index, and the index of its opening brace: `host "x" {` or
/// `host = {`. The brace is `None` if no block starts here.
fn header(tokens: &[Token], at: usize) -> (Option<&str>, Option<usize>) {
    let Some(Token { kind: Kind::Word(name), .. }) = tokens.get(at) else { return (None, None) };
    let mut next = at + 1;
    while matches!(tokens.get(next).map(|it| &it.kind), Some(Kind::Word(_))) {
        next += 1;
    }
    if matches!(tokens.get(next).map(|it| &it.kind), Some(Kind::Equals)) && next == at + 1 {
        next += 1;
    }
    let is_open = tokens.get(next).is_some_and(|it| it.kind == Kind::Open);
    (Some(name), is_open.then_some(next))
}

/// Returns the number of tokens of an argument such as `a = "b"`, whose value must not be taken for the name of a block;
/// otherwise 1.
fn argument_length(tokens: &[Token]) -> usize {
    match tokens {
        [_, Token { kind: Kind::Equals, .. }, Token { kind: Kind::Word(_), .. }, ..] => 3,
        _ => 1,
    }
}

fn closing_brace(tokens: &[Token], open: usize) -> Result<usize, usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Ok(index);
        }
    }
    Err(tokens[open].at.start)
}

fn tokens(text: &str) -> Result<Vec<Token>, usize> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let line = rest.find('\n').unwrap_or(rest.len());
        let (kind, length) = match first {
            ' ' | '\t' | '\r' | '\n' => (None, 1),
            '#' => (None, line),
            '/' if rest.starts_with("//") => (None, line),
            '/' if rest.starts_with("/*") => (None, rest.find("*/").ok_or(at)? + 2),
            '"' => {
                let length = string_length(rest).ok_or(at)?;
                (Some(Kind::Word(rest[1..length - 1].to_owned())), length)
            }
            '{' => (Some(Kind::Open), 1),
            '}' => (Some(Kind::Close), 1),
            '=' => (Some(Kind::Equals), 1),
            _ if is_name(first) => {
                let length = rest.find(|it| !is_name(it)).unwrap_or(rest.len());
                (Some(Kind::Word(rest[..length].to_owned())), length)
            }
            _ => (Some(Kind::Other), first.len_utf8()),
        };
        tokens.extend(kind.map(|kind| Token { kind, at: at..at + length }));
        at += length;
    }
    Ok(tokens)
}

fn is_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.')
}

/// Returns the length of a string with its quotation marks; `None` if it has no end.
fn string_length(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if std::mem::take(&mut escaped) => {}
            b'\\' => escaped = true,
            b'"' => return Some(index + 1),
            b'\n' => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overrides_of_provider_installation_are_found() {
        let text = r#"
plugin_cache_dir = "$HOME/cache"
# provider_installation { dev_overrides {} }
credentials "example.com" { token = "}{" }
disable_checkpoint = true
provider_installation {
  dev_overrides {
    "acme/disk" = "/a b" // a comment
    notes = "C:\\x"
  }
  /* } */
  network_mirror { url = "https://mirror.example/" }
  direct {}
}
"#;
        let found = provider_installation(text).unwrap().unwrap();
        assert_eq!(&text[found.overrides[0].clone()].lines().next(), &Some("dev_overrides {"));
        assert!(text[found.overrides[0].clone()].ends_with("}"));
        let entries = [("acme/disk".to_owned(), "/a b".to_owned()), ("notes".into(), r"C:\\x".into())];
        assert_eq!(found.entries, entries);
        assert_eq!(found.methods, 2);
        assert!(text[found.start..].starts_with("\n  dev_overrides"));
    }

    #[test]
    fn files_without_the_block_have_none() {
        for text in ["", "plugin_cache_dir = \"a\"", "a = {}\n} {", "provider_installation = 1", "[é]"] {
            assert_eq!(provider_installation(text), Ok(None), "{text}");
        }
        let found = provider_installation("provider_installation = {}").unwrap().unwrap();
        assert_eq!((found.start, found.methods), (25, 0));
    }

    #[test]
    fn unfinished_files_are_rejected() {
        assert_eq!(provider_installation("provider_installation {"), Err(22));
        assert_eq!(provider_installation("a = \"b\n\""), Err(4));
        assert_eq!(provider_installation("/* "), Err(0));
        assert_eq!(provider_installation("provider_installation { direct {}"), Err(22));
    }
}
