//! The secret parts of the sources. The module `sensitive_parts` determines them before the first diagnostic is printed.

use std::ops::Range;

use crate::source::Location;

/// The secret parts of all sources.
#[derive(Debug, Default)]
pub(crate) struct Secrecy {
    sources: Vec<SecretRanges>,
}

/// The secret parts of a source.
#[derive(Debug, Default)]
struct SecretRanges {
    /// The redactions that apply to the whole source.
    whole: Vec<Redaction>,
    /// The parts, sorted by their start.
    parts: Vec<SecretRange>,
    /// For each part, the maximum end of the parts up to it.
    max_ends: Vec<usize>,
}

#[derive(Debug)]
struct SecretRange {
    range: Range<usize>,
    redaction: Redaction,
}

/// The aspect of a part that is redacted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Redaction {
    /// The source of the part, and messages that can quote its value.
    Everything,
    /// The source of the part, because a secret can be on the same line.
    Source,
    /// Messages that can quote the value of the part.
    Value,
}

/// The visible part of a line.
#[derive(Debug, PartialEq)]
pub(crate) enum Excerpt {
    /// The line must not be shown.
    Redacted,
    /// This part of the line can be shown.
    Visible {
        range: Range<usize>,
        /// True if a secret part follows on the line.
        is_truncated: bool,
    },
}

impl Secrecy {
    /// Creates the secrecy of this number of sources, without secret parts.
    pub(crate) fn new(sources: usize) -> Secrecy {
        Secrecy { sources: (0..sources).map(|_| SecretRanges::default()).collect() }
    }

    /// Adds a source without secret parts.
    pub(crate) fn add_source(&mut self) {
        self.sources.push(SecretRanges::default());
    }

    pub(crate) fn redact(&mut self, source: usize, range: Range<usize>, redaction: Redaction) {
        self.sources[source].parts.push(SecretRange { range, redaction });
    }

    pub(crate) fn redact_source(&mut self, source: usize, redaction: Redaction) {
        self.sources[source].whole.push(redaction);
    }

    /// Sorts the parts. [`Secrecy::is_secret`] and [`Secrecy::excerpt`] require sorted parts.
    pub(crate) fn sort(&mut self) {
        self.sources.iter_mut().for_each(SecretRanges::sort);
    }

    /// Returns true if values at the location are secret.
    pub(crate) fn is_secret(&self, location: &Location) -> bool {
        let Some(parts) = self.sources.get(location.source) else { return false };
        let is_whole = parts.whole.iter().any(|it| *it != Redaction::Source);
        is_whole || parts.overlapping(&location.range()).any(|part| part.redaction != Redaction::Source)
    }

    /// Returns the visible part of a line that contains the start of the location.
    pub(crate) fn excerpt(&self, location: &Location, line: Range<usize>) -> Excerpt {
        let Some(parts) = self.sources.get(location.source) else { return Excerpt::Redacted };
        if parts.whole.iter().any(|it| *it != Redaction::Value) {
            return Excerpt::Redacted;
        }
        let marked = line.start..location.end.clamp(location.start, line.end.max(location.start));
        let mut end = line.end;
        for part in parts.overlapping(&line).filter(|part| part.redaction != Redaction::Value) {
            if is_overlapping(&part.range, &marked) {
                return Excerpt::Redacted;
            }
            end = end.min(part.range.start);
        }
        Excerpt::Visible { is_truncated: end < line.end, range: line.start..end }
    }
}

impl SecretRanges {
    fn sort(&mut self) {
        self.parts.sort_by_key(|part| part.range.start);
        let ends = self.parts.iter().scan(0, |max, part| {
            *max = part.range.end.max(*max);
            Some(*max)
        });
        self.max_ends = ends.collect();
    }

    /// Returns the parts that overlap a range. A file can have thousands of parts, so this is a binary search.
    fn overlapping<'a>(&'a self, range: &'a Range<usize>) -> impl Iterator<Item = &'a SecretRange> {
        let end = self.parts.partition_point(|part| part.range.start <= range.end);
        let candidates = self.parts[..end].iter().zip(&self.max_ends[..end]).rev();
        let candidates = candidates.take_while(|(_, max_end)| **max_end >= range.start);
        candidates.map(|(part, _)| part).filter(|part| is_overlapping(&part.range, range))
    }
}

/// Returns true if the ranges have a common byte. An empty range overlaps a range that contains or touches it.
fn is_overlapping(one: &Range<usize>, other: &Range<usize>) -> bool {
    if one.is_empty() || other.is_empty() {
        one.start <= other.end && other.start <= one.end
    } else {
        one.start < other.end && other.start < one.end
    }
}
