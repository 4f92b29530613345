//! Diagnostics as they are printed, without secret parts.
//!
//! Every output format uses only these parts: text and JSON in this module, SARIF, GitHub and JUnit in [`crate::format`].

use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use ferroform_value::json::write_string;

use crate::diagnostic::Severity;
use crate::secrecy::{Excerpt, Secrecy};
use crate::source::{Location, Source};

const REDACTED_LINE: &str = "The line is not shown because it may contain a sensitive value.";

/// The width of a printed line of a source, in columns.
const WIDTH: usize = 110;

/// The maximum number of bytes before the location in an excerpt, and half of the maximum length of an excerpt.
const MAX_EXCERPT: usize = 400;

/// The parts of a diagnostic that can be printed.
#[derive(Debug)]
pub(crate) struct RedactedDiagnostic<'a> {
    pub(crate) severity: Severity,
    pub(crate) summary: &'a str,
    pub(crate) detail: &'a str,
    pub(crate) note: Option<&'a str>,
    pub(crate) help: Option<&'a str>,
    pub(crate) range: Option<RedactedRange<'a>>,
}

/// The range of a diagnostic in a source.
#[derive(Debug)]
pub(crate) struct RedactedRange<'a> {
    source: &'a Source,
    location: &'a Location,
    /// The visible part of the first line; `None` if the line must not be shown, or if the file is not readable.
    excerpt: Option<RedactedExcerpt<'a>>,
}

/// The visible part of a line.
#[derive(Debug)]
struct RedactedExcerpt<'a> {
    text: &'a str,
    marked: Range<usize>,
    /// True if a secret part follows on the line.
    is_truncated: bool,
}

impl<'a> RedactedRange<'a> {
    pub(crate) fn new(source: &'a Source, location: &'a Location, secrecy: &Secrecy) -> RedactedRange<'a> {
        let (_, line) = source.line(location.start);
        let excerpt = match secrecy.excerpt(location, line) {
            _ if !source.is_readable => None,
            Excerpt::Redacted => None,
            Excerpt::Visible { range, is_truncated } => {
                let start = location.start.clamp(range.start, range.end);
                let end = location.end.clamp(start, range.end);
                let marked = start - range.start..end - range.start;
                Some(RedactedExcerpt { text: &source.text[range], marked, is_truncated })
            }
        };
        RedactedRange { source, location, excerpt }
    }

    /// Returns the path of the file; `None` for a value from the environment or the command line.
    pub(crate) fn file(&self) -> Option<&'a str> {
        self.source.is_file.then_some(&*self.source.name)
    }

    /// Returns the name of the source: a path, `TF_VAR_name` or `-var name`.
    pub(crate) fn name(&self) -> &'a str {
        &self.source.name
    }

    /// Returns the start: `main.tf:3:12`.
    pub(crate) fn describe(&self) -> String {
        self.source.describe(self.location.start)
    }

    /// Returns the lines and columns of the start and of the end, as [`Source::code_unit_position`] does.
    pub(crate) fn code_units(&self, is_utf8: bool) -> [(usize, usize); 2] {
        [self.location.start, self.location.end].map(|it| self.source.code_unit_position(it, is_utf8))
    }

    /// Returns the lines and columns of the start and of the end. A column is a code point.
    pub(crate) fn code_points(&self) -> [(usize, usize); 2] {
        [self.location.start, self.location.end].map(|it| self.source.code_point_position(it))
    }
}

impl RedactedDiagnostic<'_> {
    /// Returns the detail with the note and the help, for formats without fields for them.
    pub(crate) fn message(&self) -> String {
        let mut message = self.detail.to_owned();
        if let Some(note) = self.note {
            let _ = write!(message, " {note}");
        }
        if let Some(help) = self.help {
            let _ = write!(message, " {}{}", help[..1].to_uppercase(), &help[1..]);
        }
        message
    }

    /// Returns the range and the name of its file; `None` without a location in a file.
    pub(crate) fn file_range(&self) -> Option<(&RedactedRange<'_>, &str)> {
        self.range.as_ref().and_then(|range| Some((range, range.file()?)))
    }

    /// Returns the message, for formats that refer to files only. A message about any other source starts with its name
    /// and the position: `-var size:1:1: …`.
    pub(crate) fn message_with_source(&self) -> String {
        match self.range.as_ref().filter(|it| it.file().is_none()) {
            Some(range) => format!("{}: {}", range.describe(), self.message()),
            None => self.message(),
        }
    }

    /// Returns the diagnostic as text with colors, followed by an empty line.
    pub(crate) fn render(&self) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let mut group: Group<'_> = Group::with_title(level.primary_title(self.summary));
        if let Some(range) = &self.range {
            let (number, column) = range.source.position(range.location.start);
            let origin = Origin::path(range.name()).line(number).char_column(column);
            group = match &range.excerpt {
                None if !range.source.is_readable => group.element(origin),
                None => group.element(origin).element(Level::NOTE.no_name().message(REDACTED_LINE)),
                Some(RedactedExcerpt { text, marked, is_truncated }) => {
                    let visible = find_window(text, marked.start);
                    let ellipsis = if *is_truncated { "…" } else { "" };
                    let text = format!("{}{ellipsis}", &text[visible.clone()]);
                    let marked = marked.start - visible.start..marked.end.min(visible.end) - visible.start;
                    // The renderer counts code points of the excerpt, but Terraform counts graphemes of the line.
                    let has_column = column == text[..marked.start].chars().count() + 1;
                    let snippet = Snippet::source(text).line_start(number);
                    let snippet = snippet.annotation(AnnotationKind::Primary.span(marked));
                    if has_column {
                        group.element(snippet.path(range.name()))
                    } else {
                        group.element(origin).element(snippet)
                    }
                }
            };
        }
        group = group.element(Level::NOTE.no_name().message(self.detail));
        if let Some(note) = self.note {
            group = group.element(Level::NOTE.no_name().message(note));
        }
        if let Some(help) = self.help {
            group = group.element(Level::HELP.message(help));
        }
        let renderer = Renderer::styled().decor_style(DecorStyle::Ascii).term_width(WIDTH);
        format!("{}\n\n", renderer.render(&[group]))
    }

    /// Appends the diagnostic as JSON, in the format of `terraform validate -json`. Notes have the severity `warning`.
    pub(crate) fn write_json(&self, out: &mut String) {
        let severity = if self.severity == Severity::Error { "error" } else { "warning" };
        let _ = write!(out, "{{\"severity\":\"{severity}\",\"summary\":");
        write_string(out, self.summary);
        out.push_str(",\"detail\":");
        write_string(out, &self.message());
        if let Some(RedactedRange { source, location, excerpt }) = &self.range {
            out.push_str(",\"range\":{\"filename\":");
            write_string(out, &source.name);
            for (name, byte) in [("start", location.start), ("end", location.end)] {
                let (line, column) = source.position(byte);
                let _ = write!(out, ",\"{name}\":{{\"line\":{line},\"column\":{column},\"byte\":{byte}}}");
            }
            out.push('}');
            if let Some(RedactedExcerpt { text, marked, .. }) = excerpt {
                out.push_str(",\"snippet\":{\"context\":null,\"code\":");
                write_string(out, text);
                let number = source.line(location.start).0;
                let Range { start, end } = marked;
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
fn find_window(line: &str, position: usize) -> Range<usize> {
    let boundary = |at: usize| (0..=at).rev().find(|&at| line.is_char_boundary(at)).unwrap_or_default();
    let start = if position > MAX_EXCERPT { boundary(position - MAX_EXCERPT / 2) } else { 0 };
    start..if line.len() - start > 2 * MAX_EXCERPT { boundary(start + 2 * MAX_EXCERPT) } else { line.len() }
}
