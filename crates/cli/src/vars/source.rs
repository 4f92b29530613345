//! The texts that are read, and what is wrong with them.

use std::ops::Range;

use ferroform_value::expr::{Errors, Span};
use unicode_segmentation::UnicodeSegmentation;

/// How much of a long line is shown.
const WIDTH: usize = 100;

/// A file, or a value of the environment or the command line.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: String,
}

/// A part of a source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) source: usize,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Place {
    pub(super) fn new(source: usize, at: Range<usize>) -> Place {
        Place { source, start: at.start, end: at.end }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Error,
    Warning,
    Note,
}

/// One thing that is to be said.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) level: Level,
    pub(super) summary: String,
    pub(super) detail: String,
    pub(super) place: Option<Place>,
    pub(super) help: Option<String>,
    /// Whether the line of the source may be shown.
    pub(super) hidden: bool,
    /// Whether the detail may hold a part of a value.
    pub(super) of_value: bool,
    /// Whether what follows on that line is left out.
    pub(super) cut: bool,
}

impl Problem {
    pub(super) fn new(summary: &str, detail: impl Into<String>, place: impl Into<Option<Place>>) -> Problem {
        Problem {
            level: Level::Error,
            summary: summary.to_owned(),
            detail: detail.into(),
            place: place.into(),
            help: None,
            hidden: false,
            of_value: false,
            cut: false,
        }
    }

    pub(super) fn level(mut self, level: Level) -> Problem {
        self.level = level;
        self
    }

    pub(super) fn help(mut self, help: Option<String>) -> Problem {
        self.help = help;
        self
    }

    pub(super) fn hidden(mut self, hidden: bool) -> Problem {
        self.hidden |= hidden;
        self
    }

    /// Shows the line no further than its part that this is about.
    pub(super) fn cut(mut self) -> Problem {
        self.cut = true;
        self
    }

    /// Says that the detail speaks of a value.
    pub(super) fn of_value(mut self) -> Problem {
        self.of_value = true;
        self
    }

    /// Takes away what could show a value that is secret: words of it may be in what is said, too.
    pub(super) fn secret(mut self, secret: bool) -> Problem {
        if secret && self.of_value {
            self.detail =
                "It does not fit. More is not said, since that could show a sensitive value.".into();
        }
        self.hidden(secret)
    }

    /// As it is printed, with an empty line after it.
    pub(super) fn render(&self, sources: &[Source]) -> String {
        let level = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Note => "note",
        };
        let mut out = format!("{level}: {}\n", self.summary);
        let mut gutter = String::from(" ");
        if let Some((source, place)) = self.place.as_ref().and_then(|it| Some((sources.get(it.source)?, it)))
        {
            let span = Span::of(&source.text, place.start..place.end);
            let number = span.start.line.to_string();
            gutter = " ".repeat(number.len() + 1);
            out += &format!(
                "{}--> {}:{}:{}\n",
                &gutter[1..],
                visible(&source.name),
                span.start.line,
                span.start.column
            );
            if self.hidden {
                out += &format!("{gutter}= The line is not shown: it may hold a sensitive value.\n");
            } else {
                let text = if self.cut { &source.text[..span.end.byte] } else { &*source.text };
                let (line, underline) = excerpt(text, span);
                let line = if self.cut { line + " …" } else { line };
                out += &format!("{gutter}|\n{number} | {line}\n{gutter}| {underline}\n");
            }
        }
        for (i, line) in self.detail.lines().enumerate() {
            out += &format!("{gutter}{} {}\n", if i == 0 { "=" } else { " " }, visible(line));
        }
        if let Some(help) = &self.help {
            out += &format!("{gutter}= help: {}\n", visible(help));
        }
        out.push('\n');
        out
    }
}

/// Everything that is wrong with an expression that is a source of its own, or a part of one.
pub(super) fn problems(errors: &Errors, source: usize) -> impl Iterator<Item = Problem> {
    errors.iter().map(move |it| {
        let at = it.span().start.byte..it.span().end.byte;
        Problem::new(it.summary(), it.detail(), Place::new(source, at))
    })
}

/// The same of one that is written in a string, whose place stands for every place in it.
pub(super) fn problems_at<'a>(errors: &'a Errors, place: &'a Place) -> impl Iterator<Item = Problem> + 'a {
    errors.iter().map(|it| Problem::new(it.summary(), it.detail(), place.clone()))
}

/// The line on which the span begins, and what underlines the span on it.
fn excerpt(text: &str, span: Span) -> (String, String) {
    let at = span.start.byte;
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    let start = if text[start..at].starts_with('\u{feff}') { start + '\u{feff}'.len_utf8() } else { start };
    let length = text[at..].find('\n').unwrap_or(text.len() - at);
    let line = text[start..at + length].trim_end_matches('\r');
    let end = span.end.byte.min(start + line.len()).max(at.min(start + line.len()));
    let before = line[..(at - start).min(line.len())].graphemes(true).count();
    let within = text[at.min(end)..end].graphemes(true).count().max(1);
    let skipped = before.saturating_sub(WIDTH / 2);
    let shown: String = line.graphemes(true).skip(skipped).take(WIDTH).collect();
    let marks = within.min(WIDTH.saturating_sub(before - skipped)).max(1);
    let underline = format!("{}{}", " ".repeat(before - skipped), "^".repeat(marks));
    (visible(&shown), underline)
}

/// The text without what would move the cursor.
fn visible(text: &str) -> String {
    text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect::<String>().trim_end().to_owned()
}
