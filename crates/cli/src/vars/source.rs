//! The texts that are read, and what is wrong with them.

use std::ops::Range;

use ferroform_lang::Errors;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// How many columns of a long line are shown.
const WIDTH: usize = 100;

/// A file, or a value of the environment or the command line.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: String,
    /// Where its lines begin, after a mark at its beginning.
    lines: Vec<usize>,
}

impl Source {
    pub(super) fn new(name: String, text: String) -> Source {
        let first = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let next = text.bytes().enumerate().filter(|it| it.1 == b'\n').map(|it| it.0 + 1);
        let lines = std::iter::once(first).chain(next).collect();
        Source { name, text, lines }
    }

    /// The number of the line in which that byte is, from 1, and where it is, without its end.
    fn line(&self, at: usize) -> (usize, Range<usize>) {
        let number = self.lines.partition_point(|it| *it <= at).max(1);
        let start = self.lines[number - 1];
        let end = self.lines.get(number).map_or(self.text.len(), |it| it - 1);
        (number, start..start + self.text[start..end].trim_end_matches('\r').len())
    }

    /// Where that byte is: `main.tf:3:12`. Columns are counted in characters as a reader sees them.
    pub(super) fn place(&self, at: usize) -> String {
        let (number, line) = self.line(at);
        let column = self.text[line.start.min(at)..at].graphemes(true).count() + 1;
        format!("{}:{number}:{column}", visible(&self.name))
    }
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
                "The value is not valid. Details are not shown because they could reveal a sensitive value."
                    .into();
        }
        self.hidden(secret)
    }

    /// How much there is to look at before it is printed, in bytes.
    pub(super) fn cost(&self, sources: &[Source]) -> usize {
        let source = self.place.as_ref().and_then(|it| Some((sources.get(it.source)?, it.start)));
        self.detail.len() + source.map_or(0, |(source, at)| source.line(at).1.len())
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
            let (number, line) = source.line(place.start);
            let number = number.to_string();
            gutter = " ".repeat(number.len() + 1);
            out += &format!("{}--> {}\n", &gutter[1..], source.place(place.start));
            if self.hidden {
                out +=
                    &format!("{gutter}= The line is not shown because it may contain a sensitive value.\n");
            } else {
                let shown = if self.cut { line.start..place.end.min(line.end) } else { line };
                let (line, underline) = excerpt(&source.text, shown, place.start..place.end);
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

/// The part of the line that is shown, and what underlines what is meant of it. Some characters are two columns
/// wide.
fn excerpt(text: &str, line: Range<usize>, meant: Range<usize>) -> (String, String) {
    let start = meant.start.clamp(line.start, line.end);
    let end = meant.end.clamp(start, line.end);
    let wide = |it: &str| if it.len() == 1 { 1 } else { visible(it).width() };
    let before: Vec<(&str, usize)> =
        text[line.start..start].graphemes(true).map(|it| (it, wide(it))).collect();
    let mut indent = before.iter().map(|it| it.1).sum::<usize>();
    let mut skipped = 0;
    while indent > WIDTH / 2 && skipped < before.len() {
        indent -= before[skipped].1;
        skipped += 1;
    }
    let mut shown: String = before[skipped..].iter().map(|it| it.0).collect();
    let (mut columns, mut marks) = (indent, 0);
    for (at, it) in text[start..line.end].grapheme_indices(true) {
        let width = wide(it);
        if columns + width > WIDTH {
            break;
        }
        shown.push_str(it);
        columns += width;
        marks += if start + at < end { width } else { 0 };
    }
    (visible(&shown).trim_end().to_owned(), format!("{}{}", " ".repeat(indent), "^".repeat(marks.max(1))))
}

/// The text without what would move the cursor.
fn visible(text: &str) -> String {
    text.chars().map(|it| if it.is_control() { ' ' } else { it }).collect()
}
