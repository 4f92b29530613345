//! Blocks and arguments from their text.

use std::collections::HashSet;

use super::diagnostic::Mistake;
use super::parse::{Parser, Range};
use super::scan::{Kind, Sign, Token};
use super::tree::Expr;

type Parsed<T> = Result<T, Mistake>;

/// What stands between braces, or in a whole file.
#[derive(Debug, Default)]
pub(crate) struct RawBody<'a> {
    pub(crate) arguments: Vec<(&'a str, Range, Expr<'a>)>,
    pub(crate) blocks: Vec<RawBlock<'a>>,
    /// The names of the arguments.
    seen: HashSet<&'a str>,
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

/// Reads a whole file.
pub(crate) fn body(text: &str) -> Parsed<RawBody<'_>> {
    let mut parser = Parser::new(text, true);
    let it = items(&mut parser)?;
    let end = parser.scanner.peek();
    match end.kind {
        Kind::End => Ok(it),
        _ => Err(wrong("Argument or block definition required", end, "A name is required here.")),
    }
}

fn wrong(summary: &'static str, at: Token, detail: &str) -> Mistake {
    Mistake::new(summary, at.start..at.end, detail)
}

/// Reads up to the first token that begins neither an argument nor a block.
fn items<'a>(parser: &mut Parser<'a>) -> Parsed<RawBody<'a>> {
    let mut it = RawBody::default();
    loop {
        let name = parser.scanner.peek();
        match name.kind {
            Kind::Newline => drop(parser.scanner.next()),
            Kind::Name => {
                parser.scanner.next();
                item(parser, name, &mut it)?;
                let end = parser.scanner.peek();
                if !matches!(end.kind, Kind::Newline | Kind::End) {
                    let why = "What follows must stand on a line of its own.";
                    return Err(wrong("Missing newline after argument or block", end, why));
                }
            }
            _ => return Ok(it),
        }
    }
}

/// What follows a name: an equals sign and a value, or labels and braces.
fn item<'a>(parser: &mut Parser<'a>, name: Token, into: &mut RawBody<'a>) -> Parsed<()> {
    let word = parser.scanner.word(name);
    let name_at = name.start..name.end;
    if parser.scanner.accept(Sign::Assign).is_some() {
        if !into.seen.insert(word) {
            let why = format!("There is a value for {word:?} already.");
            return Err(Mistake::new("Attribute redefined", name_at, why));
        }
        let value = parser.expression()?;
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
                let body = parser.deeper(|it| braces(it, next))?;
                into.blocks.push(RawBlock { name: word, labels, name_at, header, body });
                return Ok(());
            }
            _ if labels.is_empty() => {
                let why = "After a name, an equals sign and a value are required, or a block in braces.";
                return Err(Mistake::new("Invalid block definition", next.start..next.end, why));
            }
            _ => {
                let why = "An opening brace is required here.";
                return Err(Mistake::new("Invalid block definition", next.start..next.end, why));
            }
        }
    }
}

/// The text of a label, in which nothing is computed.
fn label(it: &Expr<'_>) -> Parsed<String> {
    let why = "The label of a block is not computed.";
    let wrong = || Mistake::new("Invalid string literal", it.at.clone(), why);
    it.plain_text().map(str::to_owned).ok_or_else(wrong)
}

/// What follows an opening brace: lines, or one argument on the line of the brace.
fn braces<'a>(parser: &mut Parser<'a>, open: Token) -> Parsed<RawBody<'a>> {
    let first = parser.scanner.peek();
    let mut body = RawBody::default();
    match first.kind {
        Kind::Newline => body = items(parser)?,
        Kind::Name => {
            parser.scanner.next();
            item(parser, first, &mut body)?;
            if let Some(inner) = body.blocks.first() {
                let why = "A block within a block needs a line of its own.";
                return Err(Mistake::new(
                    "Invalid single-argument block definition",
                    inner.header.clone(),
                    why,
                ));
            }
        }
        _ => {}
    }
    let close = parser.scanner.next();
    match close.kind {
        Kind::Sign(Sign::CloseBrace) => Ok(body),
        Kind::End => Err(wrong("Unclosed configuration block", open, "This brace is not closed.")),
        _ if first.kind == Kind::Name => {
            let why = "A block on one line has one argument at most, and then its closing brace.";
            Err(wrong("Invalid single-argument block definition", close, why))
        }
        _ => Err(wrong("Argument or block definition required", close, "A name is required here.")),
    }
}
