//! The sources of a module and its values, and locations in them.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

/// A file, or a value from the environment or the command line.
#[derive(Debug)]
pub(crate) struct Source {
    /// The name in messages: the file name, `TF_VAR_name` or `-var name`.
    pub(crate) name: String,
    pub(crate) text: String,
    /// False for a value from the environment or the command line.
    pub(crate) is_file: bool,
    /// False for a file that is not encoded in UTF-8. Its text is empty.
    pub(crate) is_readable: bool,
    /// The start of each line, in bytes. The first one follows a byte order mark.
    line_starts: Vec<usize>,
}

impl Source {
    pub(crate) fn new(name: String, text: String) -> Source {
        let first = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let next = text.bytes().enumerate().filter(|it| it.1 == b'\n').map(|it| it.0 + 1);
        let line_starts = std::iter::once(first).chain(next).collect();
        Source { name, text, is_file: true, is_readable: true, line_starts }
    }

    /// Creates a source from a value from the environment or the command line.
    pub(crate) fn from_value(name: String, text: String) -> Source {
        Source { is_file: false, ..Source::new(name, text) }
    }

    /// Creates the source for a file that is not encoded in UTF-8.
    pub(crate) fn unreadable(name: String) -> Source {
        Source { is_readable: false, ..Source::new(name, String::new()) }
    }

    /// Returns the number of the line that contains the byte, starting at 1, and the range of the line without its line
    /// break.
    pub(crate) fn line(&self, byte: usize) -> (usize, Range<usize>) {
        let number = self.line_starts.partition_point(|it| *it <= byte).max(1);
        let start = self.line_starts[number - 1];
        let end = self.line_starts.get(number).map_or(self.text.len(), |it| it - 1);
        (number, start..start + self.text[start..end].trim_end_matches('\r').len())
    }

    /// Returns the line and column of the byte, starting at 1. As in Terraform, a column is a grapheme cluster.
    pub(crate) fn position(&self, byte: usize) -> (usize, usize) {
        let (number, line) = self.line(byte);
        let column = self.text[line.start.min(byte)..byte].graphemes(true).count() + 1;
        (number, column)
    }

    /// Returns the line and column of the byte, starting at 1. A column is a code point, as in most report formats.
    pub(crate) fn code_point_position(&self, byte: usize) -> (usize, usize) {
        let (number, line) = self.line(byte);
        (number, self.text[line.start.min(byte)..byte].chars().count() + 1)
    }

    /// Returns the line and column of the byte, starting at 0, as the language server protocol counts them. A column is a
    /// code unit of UTF-8 or UTF-16.
    pub(crate) fn code_unit_position(&self, byte: usize, is_utf8: bool) -> (usize, usize) {
        let (number, line) = self.line(byte);
        let before = &self.text[line.start.min(byte)..byte];
        (number - 1, if is_utf8 { before.len() } else { before.encode_utf16().count() })
    }

    /// Returns the byte at a line and column of the language server protocol. A column after the end of the line is its
    /// end.
    pub(crate) fn byte_at(&self, (line, column): (usize, usize), is_utf8: bool) -> usize {
        let Some(start) = self.line_starts.get(line) else { return self.text.len() };
        let range = self.line(*start).1;
        let mut units = 0;
        for (at, character) in self.text[range.clone()].char_indices() {
            if units >= column {
                return range.start + at;
            }
            units += if is_utf8 { character.len_utf8() } else { character.len_utf16() };
        }
        range.end
    }

    /// Returns the position of the byte for messages: `main.tf:3:12`.
    pub(crate) fn describe(&self, byte: usize) -> String {
        let (line, column) = self.position(byte);
        format!("{}:{line}:{column}", self.name)
    }
}

/// A part of a source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Location {
    /// The index of the source.
    pub(crate) source: usize,
    /// The start, in bytes.
    pub(crate) start: usize,
    /// The end, in bytes.
    pub(crate) end: usize,
}

impl Location {
    pub(crate) fn new(source: usize, range: Range<usize>) -> Location {
        Location { source, start: range.start, end: range.end }
    }

    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the position of the start for messages: `main.tf:3:12`.
    pub(crate) fn describe(&self, sources: &[Source]) -> String {
        sources[self.source].describe(self.start)
    }
}
