//! Diagnostics: errors, warnings and notes, and how they are printed.
//!
//! A diagnostic contains excerpts of sources and values only together with their location. The [`Secrecy`] of the
//! sources decides at print time whether that text is shown, so the code that reports a diagnostic cannot reveal a
//! secret by mistake.
//!
//! ```text
//! error: Invalid value for input variable
//!  --> terraform.tfvars:3:12
//!   |
//! 3 |   { port = "http" },
//!   |            ^^^^^^
//!   |
//!   = The value is not compatible with the variable's type constraint: [1].port: a number is required.
//! ```
//!
//! The same diagnostic as JSON has the fields of `terraform validate -json`:
//!
//! ```
//! use ferroform_vars::{SourceTexts, evaluate_sources};
//!
//! let report = evaluate_sources(&SourceTexts {
//!     module: vec![("main.tf".to_owned(), "variable \"size\" {\n  type = strng\n}\n".to_owned())],
//!     values: Vec::new(),
//! });
//! let json = report.diagnostics_json();
//! assert!(json.contains(r#""severity":"error","summary":"Invalid type specification""#));
//! assert!(json.contains(r#""range":{"filename":"main.tf","start":{"line":2,"column":10,"byte":27}"#));
//! ```

use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use ferroform_lang::Errors;
use ferroform_value::json::write_string;

use crate::secrecy::{Excerpt, Secrecy};
use crate::source::{Location, Source};

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    Error,
    Warning,
    /// Information for the user; Terraform has no such severity.
    Note,
}

/// An error, a warning or a note.
#[derive(Debug)]
pub(crate) struct Diagnostic {
    pub(crate) severity: Severity,
    summary: String,
    detail: Detail,
    location: Option<Location>,
    /// An additional sentence after the detail.
    note: Option<Box<str>>,
    help: Option<Box<str>>,
    /// True if the note contains the address of a module instance.
    has_address: bool,
}

/// The detail of a diagnostic.
#[derive(Debug)]
enum Detail {
    /// A message that does not depend on a value.
    Constant(String),
    /// A message that can quote a value.
    Value(Box<ValueDetail>),
}

/// A message that can quote the value at a location, and its replacement if that value is secret.
#[derive(Debug)]
struct ValueDetail {
    message: String,
    redacted: String,
    origin: Location,
}

const REDACTED: &str =
    "The value is not valid. Details are not shown because they could reveal a sensitive value.";
const REDACTED_LINE: &str = "The line is not shown because it may contain a sensitive value.";

/// The width of a printed line of a source, in columns.
const WIDTH: usize = 110;

/// The maximum number of bytes before the location in an excerpt, and half of the maximum length of an excerpt.
const MAX_EXCERPT: usize = 400;

impl Diagnostic {
    /// Creates an error whose detail does not depend on a value.
    pub(crate) fn new(
        summary: impl Into<String>,
        detail: impl Into<String>,
        location: impl Into<Option<Location>>,
    ) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            summary: summary.into(),
            detail: Detail::Constant(detail.into()),
            location: location.into(),
            note: None,
            help: None,
            has_address: false,
        }
    }

    /// Creates an error whose detail can quote the value at its location.
    pub(crate) fn of_value(
        summary: impl Into<String>,
        detail: impl Into<String>,
        location: Location,
    ) -> Diagnostic {
        let diagnostic = Diagnostic::new(summary, "", location.clone());
        diagnostic.with_value_detail(detail, REDACTED, location)
    }

    /// Sets the detail to a message that can quote the value at another location, such as an evaluated error message.
    pub(crate) fn with_value_detail(
        self,
        message: impl Into<String>,
        redacted: impl Into<String>,
        origin: Location,
    ) -> Diagnostic {
        let detail = ValueDetail { message: message.into(), redacted: redacted.into(), origin };
        Diagnostic { detail: Detail::Value(Box::new(detail)), ..self }
    }

    /// Sets the detail that is printed if the value is secret.
    pub(crate) fn with_redacted(mut self, text: impl Into<String>) -> Diagnostic {
        if let Detail::Value(detail) = &mut self.detail {
            detail.redacted = text.into();
        }
        self
    }

    /// Removes the message that quotes a value if the value is secret.
    pub(crate) fn redact_if(self, is_secret: bool) -> Diagnostic {
        match self.detail {
            Detail::Value(detail) if is_secret => {
                Diagnostic { detail: Detail::Constant(detail.redacted), ..self }
            }
            _ => self,
        }
    }

    pub(crate) fn severity(self, severity: Severity) -> Diagnostic {
        Diagnostic { severity, ..self }
    }

    /// Adds a sentence that does not depend on a sensitive value.
    pub(crate) fn note(mut self, note: impl Into<String>) -> Diagnostic {
        self.note = Some(note.into().into());
        self
    }

    /// Adds the address of a module instance, unless the diagnostic has that of an instance in it.
    pub(crate) fn add_address(&mut self, address: &str) {
        if !std::mem::replace(&mut self.has_address, true) {
            let note = self.note.take().map(|it| format!("{it} ")).unwrap_or_default();
            self.note = Some(format!("{note}The module is called as {address}.").into());
        }
    }

    pub(crate) fn help(self, help: Option<String>) -> Diagnostic {
        Diagnostic { help: help.map(Into::into), ..self }
    }

    pub(crate) fn location(&self) -> Option<&Location> {
        self.location.as_ref()
    }

    /// Returns the parts that identify a diagnostic: two diagnostics with the same parts are about the same mistake.
    pub(crate) fn identity(&self) -> (Option<Location>, String, String) {
        let detail = match &self.detail {
            Detail::Constant(text) => text,
            Detail::Value(detail) => &detail.message,
        };
        (self.location.clone(), self.summary.clone(), detail.clone())
    }

    fn detail(&self, secrecy: &Secrecy) -> &str {
        match &self.detail {
            Detail::Constant(text) => text,
            Detail::Value(detail) if secrecy.is_secret(&detail.origin) => &detail.redacted,
            Detail::Value(detail) => &detail.message,
        }
    }

    /// Returns an estimate of the time for printing, in bytes.
    pub(crate) fn cost(&self, sources: &[Source]) -> usize {
        let detail = match &self.detail {
            Detail::Constant(text) => text.len(),
            Detail::Value(detail) => detail.message.len(),
        };
        let source = self.location.as_ref().and_then(|it| Some((sources.get(it.source)?, it.start)));
        detail + source.map_or(0, |(source, start)| source.line(start).1.len())
    }

    /// Prints the diagnostic with colors, followed by an empty line.
    pub(crate) fn render(&self, sources: &[Source], secrecy: &Secrecy) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let mut group: Group<'_> = Group::with_title(level.primary_title(&*self.summary));
        let located = self.location.as_ref().and_then(|it| Some((sources.get(it.source)?, it)));
        if let Some((source, location)) = located {
            let (number, line) = source.line(location.start);
            let (_, column) = source.position(location.start);
            let origin = Origin::path(&*source.name).line(number).char_column(column);
            group = match secrecy.excerpt(location, line) {
                Excerpt::Redacted => {
                    group.element(origin).element(Level::NOTE.no_name().message(REDACTED_LINE))
                }
                Excerpt::Visible { range, is_truncated } => {
                    let start = location.start.clamp(range.start, range.end);
                    let end = location.end.clamp(start, range.end);
                    let visible = window(&source.text, range, start);
                    let ellipsis = if is_truncated { "…" } else { "" };
                    let text = format!("{}{ellipsis}", &source.text[visible.clone()]);
                    let marked = start - visible.start..end.min(visible.end) - visible.start;
                    // The renderer counts code points of the excerpt, but Terraform counts graphemes of the line.
                    let has_column = column == text[..marked.start].chars().count() + 1;
                    let snippet = Snippet::source(text).line_start(number);
                    let snippet = snippet.annotation(AnnotationKind::Primary.span(marked));
                    if has_column {
                        group.element(snippet.path(&*source.name))
                    } else {
                        group.element(origin).element(snippet)
                    }
                }
            };
        }
        group = group.element(Level::NOTE.no_name().message(self.detail(secrecy)));
        if let Some(note) = &self.note {
            group = group.element(Level::NOTE.no_name().message(&**note));
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(&**help));
        }
        let renderer = Renderer::styled().decor_style(DecorStyle::Ascii).term_width(WIDTH);
        format!("{}\n\n", renderer.render(&[group]))
    }

    /// Appends the diagnostic as JSON, in the format of `terraform validate -json`. Notes have the severity `warning`.
    pub(crate) fn write_json(&self, out: &mut String, sources: &[Source], secrecy: &Secrecy) {
        let severity = if self.severity == Severity::Error { "error" } else { "warning" };
        let mut detail = self.detail(secrecy).to_owned();
        if let Some(note) = &self.note {
            let _ = write!(detail, " {note}");
        }
        if let Some(help) = &self.help {
            // Terraform's format has no separate field for help.
            let _ = write!(detail, " {}{}", help[..1].to_uppercase(), &help[1..]);
        }
        let _ = write!(out, "{{\"severity\":\"{severity}\",\"summary\":");
        write_string(out, &self.summary);
        out.push_str(",\"detail\":");
        write_string(out, &detail);
        let located = self.location.as_ref().and_then(|it| Some((sources.get(it.source)?, it)));
        if let Some((source, location)) = located {
            out.push_str(",\"range\":{\"filename\":");
            write_string(out, &source.name);
            for (name, byte) in [("start", location.start), ("end", location.end)] {
                let (line, column) = source.position(byte);
                let _ = write!(out, ",\"{name}\":{{\"line\":{line},\"column\":{column},\"byte\":{byte}}}");
            }
            out.push('}');
            let (number, line) = source.line(location.start);
            if let Excerpt::Visible { range, .. } = secrecy.excerpt(location, line) {
                out.push_str(",\"snippet\":{\"context\":null,\"code\":");
                write_string(out, &source.text[range.clone()]);
                let start = location.start.clamp(range.start, range.end) - range.start;
                let end = location.end.clamp(range.start + start, range.end) - range.start;
                let _ = write!(
                    out,
                    ",\"start_line\":{number},\"highlight_start_offset\":{start},\"highlight_end_offset\":{end},\
                     \"values\":[]}}"
                );
            }
        }
        out.push('}');
    }
}

/// Returns the part of a long line around a position. The renderer would trim the line as well, but it takes time that
/// is proportional to the length of the whole line.
fn window(text: &str, line: Range<usize>, position: usize) -> Range<usize> {
    let boundary = |at: usize| (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
    let start =
        if position - line.start > MAX_EXCERPT { boundary(position - MAX_EXCERPT / 2) } else { line.start };
    start..if line.end - start > 2 * MAX_EXCERPT { boundary(start + 2 * MAX_EXCERPT) } else { line.end }
}

/// Returns the errors of an expression in a source as diagnostics.
pub(crate) fn diagnostics(errors: &Errors, source: usize) -> impl Iterator<Item = Diagnostic> {
    errors.iter().map(move |error| {
        let range = error.span().start.byte..error.span().end.byte;
        Diagnostic::of_value(error.summary(), error.detail(), Location::new(source, range))
    })
}

/// Returns the error of an argument of a variable. If the argument is sensitive, the detail contains only the required type.
pub(crate) fn argument_error(error: &ferroform_lang::Diagnostic, location: Location) -> Diagnostic {
    match error.value_error() {
        Some(value) => {
            let redacted = format!("The value of the argument is not suitable: {}.", value.redacted());
            Diagnostic::of_value(error.summary(), error.detail(), location).with_redacted(redacted)
        }
        // The message does not depend on a value.
        None => Diagnostic::new(error.summary(), error.detail(), location),
    }
}

/// Returns the errors of an expression in a JSON string as diagnostics, all at the location of the string.
pub(crate) fn diagnostics_at<'a>(
    errors: &'a Errors,
    location: &'a Location,
) -> impl Iterator<Item = Diagnostic> + 'a {
    errors.iter().map(|error| Diagnostic::of_value(error.summary(), error.detail(), location.clone()))
}
