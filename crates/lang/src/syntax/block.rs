//! The parser of blocks and arguments.
//!
//! ```
//! use ferroform_lang::body;
//!
//! let file = body::parse("size = 1\nrule \"a\" {\n  port = 80\n}\nempty {}\n")?;
//! assert_eq!(file.arguments[0].name, "size");
//! assert_eq!((file.blocks[0].name, &*file.blocks[0].labels[0].text), ("rule", "a"));
//! assert!(file.blocks[1].body.arguments.is_empty());
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use std::collections::HashSet;

use super::parser::{Parser, SkipValue, expected_name};
use super::scanner::{Kind, Scanner, Sign, Token};
use super::tree::{Expr, ExprKind};
use crate::diagnostic::{MAX_REPORTED, Range, SourceError};

type Parsed<T> = Result<T, SourceError>;

/// The body of a block, or of a whole file.
#[derive(Debug, Default)]
pub(crate) struct RawBody<'a> {
    pub(crate) arguments: Vec<(&'a str, Range, Expr<'a>)>,
    pub(crate) blocks: Vec<RawBlock<'a>>,
    /// The names of the arguments.
    seen: HashSet<&'a str>,
    /// The start of the last argument or block, even if it has an error.
    last: usize,
}

#[derive(Debug)]
pub(crate) struct RawBlock<'a> {
    pub(crate) name: &'a str,
    pub(crate) labels: Vec<(String, Range)>,
    pub(crate) name_at: Range,
    /// The name and the labels.
    pub(crate) header: Range,
    pub(crate) body: RawBody<'a>,
}

/// Parses a whole file. After an error, parsing continues with the next line that starts a block whose type is
/// accepted by `starts`.
pub(crate) fn body(text: &str, starts: impl Fn(&str) -> bool) -> (RawBody<'_>, Vec<SourceError>) {
    let mut it = RawBody::default();
    let mut errors = Vec::new();
    let mut parser = Parser::new(text, true);
    while let Err(error) = whole(&mut parser, &mut it) {
        let after = error.at().start;
        errors.push(error);
        // The search for the next block can scan the rest of the file, so it ends after the maximum number of
        // reported errors.
        let next = if errors.len() < MAX_REPORTED { next(text, it.last, after, &starts) } else { None };
        let Some(next) = next else { break };
        parser = Parser::new(text, true);
        parser.scanner.jump(next);
    }
    (it, errors)
}

/// Parses a variables file. The expressions of its arguments contain only their positions.
pub(crate) fn values(text: &str, skip: SkipValue) -> (RawBody<'_>, Vec<SourceError>) {
    let mut it = RawBody::default();
    let mut parser = Parser::new(text, true);
    parser.skip_value = Some(skip);
    let errors = whole(&mut parser, &mut it).err().into_iter().collect();
    (it, errors)
}

/// Parses up to the end of the file.
fn whole<'a>(parser: &mut Parser<'a>, into: &mut RawBody<'a>) -> Parsed<()> {
    items(parser, into)?;
    let end = parser.scanner.peek();
    match end.kind {
        Kind::End => Ok(()),
        _ => Err(expected_name(end)),
    }
}

/// Returns the start of the next line that starts a block, after an error in the block or argument at `from`. Strings
/// and comments are skipped.
fn next(text: &str, from: usize, after: usize, starts: impl Fn(&str) -> bool) -> Option<usize> {
    let mut scanner = Scanner::new(text, true);
    scanner.jump(from);
    loop {
        let token = scanner.next();
        let rest = &text[token.end..];
        match token.kind {
            Kind::End => return None,
            Kind::Quote => scanner.jump(token.end + string_length(rest)),
            Kind::Heredoc => {
                let marker = scanner.word(token).trim_start_matches(['<', '-']).trim_end();
                scanner.jump(token.end + heredoc_length(rest, marker));
            }
            Kind::Name if token.start > after && text[..token.start].ends_with('\n') => {
                let begins =
                    matches!(scanner.peek().kind, Kind::Name | Kind::Quote | Kind::Sign(Sign::OpenBrace));
                if begins && starts(scanner.word(token)) {
                    return Some(token.start);
                }
            }
            _ => {}
        }
    }
}

/// Returns the length of a heredoc, including its closing marker; zero if it has no closing marker.
fn heredoc_length(text: &str, marker: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        if line.trim() == marker {
            return length;
        }
    }
    0
}

/// Returns the length of a quoted string, including its closing quote, or up to the end of the line.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    let end = text.find(|it| match it {
        '\n' => true,
        '"' => !escaped,
        it => {
            escaped = it == '\\' && !escaped;
            false
        }
    });
    match end {
        Some(end) if text[end..].starts_with('"') => end + 1,
        Some(end) => end,
        None => text.len(),
    }
}

fn syntax_error(summary: &'static str, at: Token, detail: &str) -> SourceError {
    SourceError::new(summary, at.start..at.end, detail)
}

/// Parses up to the first token that starts neither an argument nor a block.
fn items<'a>(parser: &mut Parser<'a>, into: &mut RawBody<'a>) -> Parsed<()> {
    loop {
        let name = parser.scanner.peek();
        into.last = name.start;
        match name.kind {
            Kind::Newline => drop(parser.scanner.next()),
            Kind::Name => {
                parser.scanner.next();
                item(parser, name, into)?;
                let end = parser.scanner.peek();
                if !matches!(end.kind, Kind::Newline | Kind::End) {
                    let detail = "A newline is required before the next argument or block.";
                    return Err(syntax_error("Missing newline after argument or block", end, detail));
                }
            }
            _ => return Ok(()),
        }
    }
}

/// Parses the rest of an argument or a block after its name.
fn item<'a>(parser: &mut Parser<'a>, name: Token, into: &mut RawBody<'a>) -> Parsed<()> {
    let word = parser.scanner.word(name);
    let name_at = name.start..name.end;
    if parser.scanner.accept(Sign::Assign).is_some() {
        if !into.seen.insert(word) {
            let detail = format!("The argument {word:?} is set more than once.");
            return Err(SourceError::new("Attribute redefined", name_at, detail));
        }
        let value = match parser.skip_value {
            // The value is read again when it is needed.
            Some(skip) => Expr { kind: ExprKind::Null, at: skip(parser)? },
            None => parser.expression()?,
        };
        into.arguments.push((word, name_at, value));
        return Ok(());
    }
    let mut labels = Vec::new();
    let mut header = name_at.clone();
    loop {
        let next = parser.scanner.next();
        match next.kind {
            Kind::Name => {
                labels.push((parser.scanner.word(next).to_owned(), next.start..next.end));
                header.end = next.end;
            }
            Kind::Quote => {
                let it = parser.quoted(next)?;
                header.end = it.at.end;
                labels.push((label(&it)?, it.at));
            }
            Kind::Sign(Sign::OpenBrace) => {
                let skip = parser.skip_value.take();
                let body = parser.deeper(|it| braces(it, next))?;
                parser.skip_value = skip;
                into.blocks.push(RawBlock { name: word, labels, name_at, header, body });
                return Ok(());
            }
            _ if labels.is_empty() => {
                let detail = "Expected an equals sign and a value, or a block in braces, after the name.";
                return Err(SourceError::new("Invalid block definition", next.start..next.end, detail));
            }
            _ => {
                let detail = "Expected an opening brace.";
                return Err(SourceError::new("Invalid block definition", next.start..next.end, detail));
            }
        }
    }
}

/// Returns the string of a label, which cannot contain templates.
fn label(it: &Expr<'_>) -> Parsed<String> {
    let detail = "A block label cannot contain template sequences.";
    let invalid = || SourceError::new("Invalid string literal", it.at.clone(), detail);
    it.literal_string().map(str::to_owned).ok_or_else(invalid)
}

/// Parses a body after its opening brace: lines, or one argument on the line of the brace.
fn braces<'a>(parser: &mut Parser<'a>, open: Token) -> Parsed<RawBody<'a>> {
    let first = parser.scanner.peek();
    let mut body = RawBody::default();
    match first.kind {
        Kind::Newline => items(parser, &mut body)?,
        Kind::Name => {
            parser.scanner.next();
            item(parser, first, &mut body)?;
            if let Some(inner) = body.blocks.first() {
                let detail = "A single-line block cannot contain another block.";
                return Err(SourceError::new(
                    "Invalid single-argument block definition",
                    inner.header.clone(),
                    detail,
                ));
            }
        }
        _ => {}
    }
    let close = parser.scanner.next();
    match close.kind {
        Kind::Sign(Sign::CloseBrace) => Ok(body),
        Kind::End => {
            Err(syntax_error("Unclosed configuration block", open, "The block has no closing brace."))
        }
        _ if first.kind == Kind::Name => {
            let detail = "A single-line block can contain only one argument.";
            Err(syntax_error("Invalid single-argument block definition", close, detail))
        }
        _ => Err(expected_name(close)),
    }
}
