//! Errors of expressions, with their positions in the source.

use std::fmt;

use unicode_segmentation::UnicodeSegmentation;

use ferroform_value::{Error, Path, Type};

/// A part of a text, in bytes.
pub(crate) type Range = std::ops::Range<usize>;

/// How many mistakes are reported at once.
pub(crate) const MAX_REPORTED: usize = 64;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, counted in characters as a reader sees them: a letter and its accents are one.
    pub column: usize,
    /// How many bytes stand before it.
    pub byte: usize,
}

impl Position {
    const START: Position = Position { line: 1, column: 1, byte: 0 };

    /// The place of that byte, which is not before this one.
    fn onward(self, text: &str, byte: usize) -> Position {
        let before = &text[..byte];
        let line = self.line + text[self.byte..byte].bytes().filter(|&it| it == b'\n').count();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let start =
            if start == 0 && text.starts_with('\u{feff}') { '\u{feff}'.len_utf8().min(byte) } else { start };
        let column = before[start..].graphemes(true).count() + 1;
        Position { line, column, byte }
    }
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Where it begins.
    pub start: Position,
    /// Where it ends: just after its last character.
    pub end: Position,
}

impl Span {
    /// The part of the text between two of its bytes. What lies beyond its end, or within a character, counts
    /// from the next place before that.
    pub fn of(text: &str, bytes: std::ops::Range<usize>) -> Span {
        let within =
            |at: usize| (0..=at.min(text.len())).rev().find(|&it| text.is_char_boundary(it)).unwrap_or(0);
        let start = Position::START.onward(text, within(bytes.start));
        Span { start, end: start.onward(text, within(bytes.end).max(start.byte)) }
    }
}

/// One thing that is wrong with an expression.
///
/// Printed as `1:6: The keyword "strng" is not a valid type.`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    summary: &'static str,
    detail: String,
    span: Span,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// The text cannot be parsed or evaluated.
    Text,
    /// A value does not fit a type.
    Value(Error),
    /// A variable has neither a value nor a default.
    MissingValue,
}

impl Diagnostic {
    /// What kind of mistake it is, in the words that Terraform has for it.
    pub fn summary(&self) -> &str {
        self.summary
    }

    /// What exactly is wrong.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The part of the text that it is about.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The path of the part of the value that the error is about; the root if the error is not about a value.
    pub fn path(&self) -> &Path {
        self.value_error().map_or(const { &Path::ROOT }, Error::path)
    }

    /// Why a value does not fit, if this error is about a value.
    pub fn value_error(&self) -> Option<&Error> {
        if let Kind::Value(error) = &self.kind { Some(error) } else { None }
    }

    /// Returns true if a variable has neither a value nor a default.
    pub fn is_missing_value(&self) -> bool {
        self.kind == Kind::MissingValue
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column, .. } = self.span.start;
        write!(f, "{line}:{column}: {}", self.detail)
    }
}

/// Everything that is wrong with an expression: at least one thing, in the order of the text's reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors {
    first: Box<Diagnostic>,
    rest: Vec<Diagnostic>,
}

impl Errors {
    /// The first mistake.
    pub fn first(&self) -> &Diagnostic {
        &self.first
    }

    /// All of them, no more than 64.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        std::iter::once(&*self.first).chain(&self.rest)
    }

    /// One mistake that is in no particular part of the text.
    pub(crate) fn whole(text: &str, summary: &'static str, detail: impl Into<String>) -> Errors {
        Mistake::new(summary, 0..text.len(), detail).into_errors(text)
    }

    /// A variable that has neither a value nor a default.
    pub(crate) fn missing_value(summary: &'static str, detail: impl Into<String>) -> Errors {
        let mut mistake = Mistake::new(summary, 0..0, detail);
        mistake.0.kind = Kind::MissingValue;
        mistake.into_errors("")
    }

    /// A value that does not fit, of no particular part of the text.
    pub(crate) fn value(text: &str, summary: &'static str, what: &str, why: &Error) -> Errors {
        Mistake::value(summary, 0..text.len(), what, why).into_errors(text)
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, it) in self.iter().enumerate() {
            write!(f, "{}{it}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}

/// An error whose line and column are not computed yet. One word, because every step of parsing may return one.
#[derive(Debug)]
pub(crate) struct Mistake(Box<Inner>);

#[derive(Debug)]
struct Inner {
    summary: &'static str,
    at: Range,
    detail: String,
    kind: Kind,
    /// What the expression would have come to.
    ty: Option<Type>,
}

impl Mistake {
    pub(crate) fn new(summary: &'static str, at: Range, detail: impl Into<String>) -> Mistake {
        let ty = Some(Type::Dynamic);
        Mistake(Box::new(Inner { summary, at, detail: detail.into(), kind: Kind::Text, ty }))
    }

    /// Says of which type the expression would have been; none, if that is not certain.
    pub(crate) fn would_be(mut self, ty: impl Into<Option<Type>>) -> Mistake {
        self.0.ty = ty.into();
        self
    }

    /// The type that the expression would have had, as far as Terraform knows: `any` if it knows nothing.
    /// None where it is not certain how much it knows.
    pub(crate) fn ty(&self) -> Option<&Type> {
        self.0.ty.as_ref()
    }

    /// True where a text could not be put together. The program may go on with the parts that are there.
    pub(crate) fn is_text(&self) -> bool {
        self.0.ty == Some(Type::String)
    }

    /// A value that does not fit, with the place in it.
    pub(crate) fn value(summary: &'static str, at: Range, what: &str, why: &Error) -> Mistake {
        let mut it = Mistake::new(summary, at, format!("{what}: {why}."));
        it.0.kind = Kind::Value(why.clone());
        it
    }

    pub(crate) fn at(&self) -> &Range {
        &self.0.at
    }

    pub(crate) fn into_errors(self, text: &str) -> Errors {
        Errors { first: Box::new(self.locate(text)), rest: Vec::new() }
    }

    fn locate(self, text: &str) -> Diagnostic {
        Diagnostic {
            summary: self.0.summary,
            detail: self.0.detail,
            kind: self.0.kind,
            span: Span::of(text, self.0.at),
        }
    }
}

/// The outcome, or the mistakes where there are any.
pub(crate) fn settle<T>(text: &str, it: T, mistakes: Vec<Mistake>) -> Result<T, Errors> {
    let mut mistakes = mistakes.into_iter().take(MAX_REPORTED).map(|it| it.locate(text));
    match mistakes.next() {
        None => Ok(it),
        Some(first) => Err(Errors { first: Box::new(first), rest: mistakes.collect() }),
    }
}
