//! The parser of templates: quoted strings and heredocs.
//!
//! ```
//! use ferroform_lang::expression;
//!
//! let string = |text| expression::constant(text).map(|it| it.value.as_str().unwrap_or_default().to_owned());
//! assert_eq!(string(r#""a ${1 + 1} $${b}""#)?, "a 2 ${b}");
//! assert_eq!(string(r#""%{ if true }yes%{ else }no%{ endif }""#)?, "yes");
//! assert_eq!(string("<<-EOT\n    a\n      b\n  EOT\n")?, "a\n  b\n");
//! assert_eq!(string("<<EOT\n%{ for x in [1, 2] ~}\n${x}\n%{ endfor ~}\nEOT\n")?, "1\n2\n");
//! # Ok::<(), ferroform_lang::Errors>(())
//! ```

use unicode_segmentation::UnicodeSegmentation;

use super::parser::Parser;
use super::scanner::{Kind, Sign, Token};
use super::tree::{Expr, ExprKind, Names, Part};
use crate::diagnostic::{Range, SourceError};

type Parsed<T> = Result<T, SourceError>;

/// The pieces of a template, before directives are matched with their ends.
enum Piece<'a> {
    /// A literal string. In a heredoc, it contains at most one line.
    Literal(String),
    Value(Expr<'a>),
    If(Expr<'a>),
    For(Names<'a>, Expr<'a>),
    Else,
    EndIf,
    EndFor,
}

/// Parses a template without quotes and escape sequences.
pub(crate) fn template(text: &str) -> Parsed<Expr<'_>> {
    let mut parser = Parser::new(text, false);
    let mut pieces = Pieces::default();
    // In a template from JSON, a byte order mark at the start is part of the string, so it is not skipped.
    parser.scanner.jump(0);
    loop {
        let at = parser.scanner.at;
        let rest = &text[at..];
        let Some(plain) = rest.find(['$', '%']) else {
            pieces.literal.push_str(rest);
            return parser.template(pieces, 0..text.len());
        };
        pieces.literal.push_str(&rest[..plain]);
        parser.marked(at + plain, &mut pieces)?;
    }
}

impl<'a> Parser<'a> {
    /// Parses a quoted template after its opening quote.
    #[inline(never)]
    pub(crate) fn quoted(&mut self, open: Token) -> Parsed<Expr<'a>> {
        let mut pieces = Pieces::default();
        loop {
            let at = self.scanner.at;
            let rest = &self.scanner.text[at..];
            let Some(plain) = rest.find(['"', '\\', '$', '%', '\n']) else {
                let at = open.start..open.end;
                return Err(SourceError::new(
                    "Unterminated template string",
                    at,
                    "The string has no closing quote.",
                ));
            };
            pieces.literal.push_str(&rest[..plain]);
            let at = at + plain;
            match rest.as_bytes()[plain] {
                b'"' => {
                    self.scanner.jump(at + 1);
                    return self.template(pieces, open.start..at + 1);
                }
                b'\\' => {
                    let (character, length) = escape(&rest[plain..]).ok_or_else(|| {
                        let length = rest[plain..].chars().take(2).map(char::len_utf8).sum::<usize>();
                        let detail = "The escape sequence is not valid.";
                        SourceError::new("Invalid escape sequence", at..at + length, detail)
                    })?;
                    pieces.literal.push(character);
                    self.scanner.jump(at + length);
                }
                b'\n' => {
                    let detail = "A quoted string cannot span lines; use a heredoc instead.";
                    return Err(SourceError::new("Invalid multi-line string", at..at + 1, detail));
                }
                _ => self.marked(at, &mut pieces)?,
            }
        }
    }

    /// Parses a heredoc after its opening line.
    #[inline(never)]
    pub(crate) fn heredoc(&mut self, open: Token) -> Parsed<Expr<'a>> {
        let word = self.scanner.word(open).trim_end();
        let flush = word.starts_with("<<-");
        let marker = word.trim_start_matches(['<', '-']);
        let mut pieces = Pieces::default();
        let mut line_starts = true;
        loop {
            let at = self.scanner.at;
            let rest = &self.scanner.text[at..];
            if line_starts {
                let line = rest.split('\n').next().unwrap_or_default();
                if line.len() == rest.len() {
                    let at = open.start..open.end;
                    let detail = format!("The heredoc has no closing marker {marker:?}.");
                    return Err(SourceError::new("Unterminated template string", at, detail));
                }
                if line.trim() == marker {
                    // The line break after the closing marker is a separate token, because it can end an argument.
                    let end = at + line.trim_end().len();
                    self.scanner.jump(end);
                    pieces.end_literal();
                    if flush {
                        unindent(&mut pieces.done);
                    }
                    return self.template(pieces, open.start..end);
                }
            }
            let plain = rest.find(['$', '%', '\n']).unwrap_or(rest.len());
            pieces.literal.push_str(&rest[..plain]);
            line_starts = rest[plain..].starts_with('\n');
            if line_starts {
                pieces.literal.push('\n');
                pieces.end_literal();
                self.scanner.jump(at + plain + 1);
            } else if plain == rest.len() {
                self.scanner.jump(at + plain);
                line_starts = true;
            } else {
                self.marked(at + plain, &mut pieces)?;
            }
        }
    }

    /// Parses an interpolation, a directive, or a plain dollar or percent sign.
    fn marked(&mut self, at: usize, pieces: &mut Pieces<'a>) -> Parsed<()> {
        let bytes = &self.scanner.text.as_bytes()[at..];
        let sign = bytes[0];
        let double = bytes.get(1) == Some(&sign) && bytes.get(2) == Some(&b'{');
        if double || bytes.get(1) != Some(&b'{') {
            let skipped = if double { 3 } else { 1 };
            pieces.literal.push(sign.into());
            pieces.literal.push_str(if double { "{" } else { "" });
            self.scanner.jump(at + skipped);
            return Ok(());
        }
        let strip = bytes.get(2) == Some(&b'~');
        if strip {
            pieces.literal.truncate(pieces.literal.trim_end().len());
        }
        pieces.end_literal();
        self.scanner.jump(at + 2 + usize::from(strip));
        let outer = self.scanner.newlines(false);
        let piece = if sign == b'$' { Piece::Value(self.expression()?) } else { self.directive()? };
        pieces.strip = self.scanner.accept(Sign::Tilde).is_some();
        let close = self.scanner.next();
        if close.kind != Kind::Sign(Sign::CloseBrace) {
            let at = close.start..close.end;
            let detail = "Expected a closing brace.";
            return Err(SourceError::new("Extra characters after interpolation expression", at, detail));
        }
        self.scanner.newlines(outer);
        pieces.done.push((piece, at..close.end));
        Ok(())
    }

    fn directive(&mut self) -> Parsed<Piece<'a>> {
        let word = self.scanner.next();
        Ok(match self.scanner.word(word) {
            "if" => Piece::If(self.expression()?),
            "for" => {
                let (names, of) = self.for_intro()?;
                Piece::For(names, of)
            }
            "else" => Piece::Else,
            "endif" => Piece::EndIf,
            "endfor" => Piece::EndFor,
            _ => {
                let at = word.start..word.end;
                let detail = "Expected one of the keywords if, else, endif, for and endfor.";
                return Err(SourceError::new("Invalid template directive", at, detail));
            }
        })
    }

    fn template(&mut self, mut pieces: Pieces<'a>, at: Range) -> Parsed<Expr<'a>> {
        pieces.end_literal();
        let mut left = pieces.done.into_iter();
        let (parts, end) = self.nested(&mut left)?;
        if let Some((_, at)) = end {
            let detail = "The directive has no matching opening directive.";
            return Err(SourceError::new("Unexpected template directive", at, detail));
        }
        Ok(Expr { kind: ExprKind::Template(parts), at })
    }

    /// Parses the parts up to the end of an enclosing directive.
    fn nested(
        &mut self,
        left: &mut impl Iterator<Item = (Piece<'a>, Range)>,
    ) -> Parsed<(Vec<Part<'a>>, EndDirective<'a>)> {
        let mut parts = Vec::new();
        while let Some((piece, at)) = left.next() {
            match piece {
                Piece::Literal(it) => parts.push(Part::Literal(it)),
                Piece::Value(it) => parts.push(Part::Value(it)),
                Piece::If(condition) => {
                    let (then, mut end) = self.deeper(|it| it.nested(left))?;
                    let mut otherwise = Vec::new();
                    if let Some((Piece::Else, _)) = end {
                        (otherwise, end) = self.deeper(|it| it.nested(left))?;
                    }
                    let Some((Piece::EndIf, _)) = end else {
                        return Err(unterminated(at, "endif"));
                    };
                    parts.push(Part::If(condition, then, otherwise));
                }
                Piece::For(names, of) => {
                    let (body, Some((Piece::EndFor, _))) = self.deeper(|it| it.nested(left))? else {
                        return Err(unterminated(at, "endfor"));
                    };
                    parts.push(Part::For(names, of, body));
                }
                Piece::Else | Piece::EndIf | Piece::EndFor => return Ok((parts, Some((piece, at)))),
            }
        }
        Ok((parts, None))
    }
}

/// The piece that ended a nested template, if there is one.
type EndDirective<'a> = Option<(Piece<'a>, Range)>;

fn unterminated(at: Range, end: &str) -> SourceError {
    SourceError::new("Unterminated template directive", at, format!("The directive has no matching {end}."))
}

#[derive(Default)]
struct Pieces<'a> {
    done: Vec<(Piece<'a>, Range)>,
    /// The literal string since the last piece.
    literal: String,
    /// True if white space at the start of the literal is stripped.
    strip: bool,
}

impl Pieces<'_> {
    fn end_literal(&mut self) {
        let mut literal = std::mem::take(&mut self.literal);
        if std::mem::take(&mut self.strip) {
            literal = literal.trim_start().to_owned();
        }
        if !literal.is_empty() {
            self.done.push((Piece::Literal(literal), 0..0));
        }
    }
}

/// Removes the common indentation of the lines of a heredoc. Empty lines are ignored.
fn unindent(pieces: &mut [(Piece<'_>, Range)]) {
    let indent = |text: &str| text.len() - text.trim_start().len();
    let mut least = usize::MAX;
    let mut starts = Vec::new();
    let mut line_starts = true;
    for (i, (piece, _)) in pieces.iter().enumerate() {
        let text = if let Piece::Literal(it) = piece { it.as_str() } else { "" };
        if line_starts && !(text.ends_with('\n') && text.trim_start().is_empty()) {
            least = least.min(text[..indent(text)].graphemes(true).count());
            starts.push(i);
        }
        line_starts = text.ends_with('\n');
    }
    for i in starts {
        if let Piece::Literal(it) = &mut pieces[i].0 {
            let cut: usize = it.graphemes(true).take(least).map(str::len).sum();
            it.drain(..cut);
        }
    }
}

/// Returns the character of an escape sequence and the length of the sequence.
fn escape(text: &str) -> Option<(char, usize)> {
    let digits = match text.as_bytes().get(1)? {
        b'n' => return Some(('\n', 2)),
        b'r' => return Some(('\r', 2)),
        b't' => return Some(('\t', 2)),
        b'"' => return Some(('"', 2)),
        b'\\' => return Some(('\\', 2)),
        b'u' => text.get(2..6)?,
        b'U' => text.get(2..10)?,
        _ => return None,
    };
    if !digits.bytes().all(|it| it.is_ascii_hexdigit()) {
        return None;
    }
    let code = u32::from_str_radix(digits, 16).ok()?;
    let it = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    Some((it, 2 + digits.len()))
}
