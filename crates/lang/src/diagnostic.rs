//! Errors of expressions, with their positions in the source.

use std::borrow::Cow;
use std::fmt;

use unicode_segmentation::UnicodeSegmentation;

use ferroform_value::{Error, Path, Type};

/// A range of bytes in a source.
pub(crate) type Range = std::ops::Range<usize>;

/// The maximum number of reported errors.
pub(crate) const MAX_REPORTED: usize = 64;

/// A position in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, starting at 1.
    pub line: usize,
    /// The column, starting at 1. As in Terraform, a column is a grapheme cluster: a letter with its accents.
    pub column: usize,
    /// The number of bytes before the position.
    pub byte: usize,
}

impl Position {
    const START: Position = Position { line: 1, column: 1, byte: 0 };

    /// Returns the position of a byte that is not before this position.
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

/// A range in a source.
///
/// ```
/// use ferroform_lang::Span;
///
/// let span = Span::of("a = 1\nb = 2\n", 6..7);
/// assert_eq!((span.start.line, span.start.column, span.start.byte), (2, 1, 6));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The start.
    pub start: Position,
    /// The end, which is exclusive.
    pub end: Position,
}

impl Span {
    /// Returns the span of a range of bytes. A byte after the end of the source or within a character is rounded down
    /// to the nearest valid position.
    pub fn of(text: &str, bytes: std::ops::Range<usize>) -> Span {
        let within =
            |at: usize| (0..=at.min(text.len())).rev().find(|&it| text.is_char_boundary(it)).unwrap_or(0);
        let start = Position::START.onward(text, within(bytes.start));
        Span { start, end: start.onward(text, within(bytes.end).max(start.byte)) }
    }
}

/// An error of an expression.
///
/// `Display` prints its position and detail: `1:6: The keyword "strng" is not a valid type.`
///
/// ```
/// use ferroform_lang::expression;
///
/// let errors = expression::constant("1 +").unwrap_err();
/// let error = errors.first();
/// assert_eq!((error.summary(), error.detail()), ("Missing expression", "Expected an expression."));
/// assert_eq!((error.span().start.line, error.span().start.column), (1, 4));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    summary: Cow<'static, str>,
    detail: String,
    span: Span,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// The source cannot be parsed or evaluated.
    Source,
    /// A value does not convert to a type.
    Value(Error),
    /// A variable has neither a value nor a default.
    MissingValue,
    /// The result in Terraform cannot be determined, so it is not certain that there is an error.
    Undetermined(Reason),
}

/// The reason why the result of an expression cannot be determined.
///
/// `Display` prints a clause: `it calls md5`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The expression calls this function, which is not supported.
    Function(String),
    /// The expression refers to this name, which has no value here: `local.region`, or a resource type.
    Reference(String),
    /// The expression refers to this variable, which has no value or no known value.
    Variable(String),
    /// The expression exceeds a limit, or uses a feature whose result in Terraform is not certain, such as a regular
    /// expression that Go and Rust can interpret differently.
    Uncertain,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Function(name) => write!(f, "it calls {name}"),
            Reason::Reference(name) => write!(f, "it refers to {name}"),
            Reason::Variable(name) => write!(f, "it refers to var.{name}"),
            Reason::Uncertain => f.write_str("its result in Terraform cannot be determined"),
        }
    }
}

impl Diagnostic {
    /// Returns the summary, which is that of Terraform.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Returns the detail.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Returns the position of the error.
    pub fn span(&self) -> Span {
        self.span
    }

    /// Returns the attribute path of the invalid attribute or element; the root if the error is not about a value.
    pub fn path(&self) -> &Path {
        self.value_error().map_or(const { &Path::ROOT }, Error::path)
    }

    /// Returns the conversion error, if the error is about a value.
    pub fn value_error(&self) -> Option<&Error> {
        if let Kind::Value(error) = &self.kind { Some(error) } else { None }
    }

    /// Returns true if a variable has neither a value nor a default.
    pub fn is_missing_value(&self) -> bool {
        self.kind == Kind::MissingValue
    }

    /// Returns true if it is not certain that Terraform reports an error as well, because the result in Terraform cannot
    /// be determined.
    pub fn is_undetermined(&self) -> bool {
        matches!(self.kind, Kind::Undetermined(_))
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column, .. } = self.span.start;
        write!(f, "{line}:{column}: {}", self.detail)
    }
}

/// One or more errors of an expression, in the order of the source.
///
/// ```
/// use ferroform_lang::type_constraint;
///
/// let errors = type_constraint::exact("object({a = strng, b = nmber})").unwrap_err();
/// assert_eq!(errors.iter().count(), 2);
/// assert_eq!(errors.first().to_string(), "1:13: The keyword \"strng\" is not a valid type.");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors {
    first: Box<Diagnostic>,
    rest: Vec<Diagnostic>,
}

impl Errors {
    /// Returns the first error.
    pub fn first(&self) -> &Diagnostic {
        &self.first
    }

    /// Returns all errors, at most 64.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        std::iter::once(&*self.first).chain(&self.rest)
    }

    /// Creates an error whose position is the whole source.
    pub(crate) fn whole(text: &str, summary: &'static str, detail: impl Into<String>) -> Errors {
        SourceError::new(summary, 0..text.len(), detail).into_errors(text)
    }

    /// Creates the error for a variable that has neither a value nor a default.
    pub(crate) fn missing_value(summary: &'static str, detail: impl Into<String>) -> Errors {
        let mut error = SourceError::new(summary, 0..0, detail);
        error.0.kind = Kind::MissingValue;
        error.into_errors("")
    }

    /// Creates a conversion error whose position is the whole source.
    pub(crate) fn value(text: &str, summary: &'static str, context: &str, cause: &Error) -> Errors {
        SourceError::value(summary, 0..text.len(), context, cause).into_errors(text)
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

/// The error of evaluating an expression with variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluationError {
    /// Terraform reports an error as well.
    Invalid(Errors),
    /// The result in Terraform cannot be determined.
    Undetermined(Reason),
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvaluationError::Invalid(errors) => errors.fmt(f),
            EvaluationError::Undetermined(reason) => write!(f, "the expression is not evaluated: {reason}"),
        }
    }
}

impl std::error::Error for EvaluationError {}

/// An error with a byte range, whose line and column are not determined yet. It is boxed because every step of
/// parsing can return one.
#[derive(Debug)]
pub(crate) struct SourceError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    summary: Cow<'static, str>,
    at: Range,
    detail: String,
    kind: Kind,
    /// The type that the expression would have without the error; `None` if it cannot be determined.
    ty: Option<Type>,
    /// The errors of other operands of the expression.
    others: Vec<SourceError>,
}

impl SourceError {
    pub(crate) fn new(
        summary: impl Into<Cow<'static, str>>,
        at: Range,
        detail: impl Into<String>,
    ) -> SourceError {
        let ty = Some(Type::Dynamic);
        SourceError(Box::new(Inner {
            summary: summary.into(),
            at,
            detail: detail.into(),
            kind: Kind::Source,
            ty,
            others: Vec::new(),
        }))
    }

    /// Creates the error of an expression whose result in Terraform cannot be determined. Its type is not known either.
    pub(crate) fn undetermined(
        summary: &'static str,
        at: Range,
        detail: impl Into<String>,
        reason: Reason,
    ) -> SourceError {
        let mut it = SourceError::new(summary, at, detail).with_type(None);
        it.0.kind = Kind::Undetermined(reason);
        it
    }

    /// Returns true if it is not certain that Terraform reports an error.
    pub(crate) fn is_undetermined(&self) -> bool {
        matches!(self.0.kind, Kind::Undetermined(_))
    }

    /// Marks the error as undetermined, because it depends on a type that is not known.
    pub(crate) fn into_undetermined(mut self) -> SourceError {
        if !self.is_undetermined() {
            self.0.kind = Kind::Undetermined(Reason::Uncertain);
        }
        self
    }

    /// Adds the error of another operand. An error that is not certain is not added.
    pub(crate) fn and(mut self, other: SourceError) -> SourceError {
        if !other.is_undetermined() && self.0.others.len() < MAX_REPORTED {
            self.0.others.push(other);
        }
        self
    }

    /// Returns the reason if it is not certain that Terraform reports an error; otherwise the error.
    pub(crate) fn into_evaluation_error(self, text: &str) -> EvaluationError {
        match self.0.kind {
            Kind::Undetermined(reason) => EvaluationError::Undetermined(reason),
            _ => EvaluationError::Invalid(self.into_errors(text)),
        }
    }

    /// Sets the type that the expression would have without the error; `None` if it cannot be determined.
    pub(crate) fn with_type(mut self, ty: impl Into<Option<Type>>) -> SourceError {
        self.0.ty = ty.into();
        self
    }

    /// Returns the type that the expression has in Terraform after this error. It is `any` if Terraform does not
    /// determine the type, and `None` if it cannot be determined here.
    pub(crate) fn ty(&self) -> Option<&Type> {
        self.0.ty.as_ref()
    }

    /// Returns true if the expression with the error is a template. Terraform can continue with the valid parts of a
    /// template.
    pub(crate) fn is_template_error(&self) -> bool {
        self.0.ty == Some(Type::String)
    }

    /// Creates a conversion error with the path of the invalid attribute or element.
    pub(crate) fn value(summary: &'static str, at: Range, context: &str, cause: &Error) -> SourceError {
        let mut it = SourceError::new(summary, at, format!("{context}: {cause}."));
        it.0.kind = Kind::Value(cause.clone());
        it
    }

    pub(crate) fn at(&self) -> &Range {
        &self.0.at
    }

    pub(crate) fn into_errors(self, text: &str) -> Errors {
        let mut rest = Vec::new();
        let first = self.locate(text, &mut rest);
        Errors { first: Box::new(first), rest }
    }

    /// Returns the error with its position, and adds those of other operands to `rest`.
    fn locate(self, text: &str, rest: &mut Vec<Diagnostic>) -> Diagnostic {
        let Inner { summary, at, detail, kind, others, .. } = *self.0;
        for other in others {
            let mut nested = Vec::new();
            let first = other.locate(text, &mut nested);
            rest.extend(std::iter::once(first).chain(nested).take(MAX_REPORTED - 1 - rest.len()));
        }
        Diagnostic { summary, detail, kind, span: Span::of(text, at) }
    }
}

/// Returns both operands, or the errors of both.
pub(crate) fn both<T>(
    left: Result<T, SourceError>,
    right: Result<T, SourceError>,
) -> Result<(T, T), SourceError> {
    match (left, right) {
        (Ok(left), Ok(right)) => Ok((left, right)),
        (Err(left), Err(right)) => Err(left.and(right)),
        (Err(e), Ok(_)) | (Ok(_), Err(e)) => Err(e),
    }
}

/// Returns the result if there are no errors; otherwise the first [`MAX_REPORTED`] errors with their positions.
pub(crate) fn result_or_errors<T>(text: &str, it: T, errors: Vec<SourceError>) -> Result<T, Errors> {
    let errors = errors.into_iter().take(MAX_REPORTED);
    match errors.reduce(SourceError::and) {
        None => Ok(it),
        Some(error) => Err(error.into_errors(text)),
    }
}
