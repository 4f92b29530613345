//! Import patterns: the formats of import IDs.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The format of an import ID: attributes separated by literal strings.
///
/// An attribute matches up to the next separator. The last attribute must not contain the separator before it, so that
/// an ID with too many segments is rejected; [`rest`](ImportPattern::rest) matches everything that remains. No
/// attribute is empty.
///
/// A backslash escapes a separator inside a value, or another backslash before a separator. Any other backslash
/// is literal.
///
/// The last attributes can be [optional](ImportPattern::optional): an ID may end before the separator of each of them.
///
/// ```
/// use ferroform::schema::ImportPattern;
///
/// let pattern = ImportPattern::new().attribute("project").literal("/").attribute("name");
/// assert_eq!(pattern.to_string(), "{project}/{name}");
/// assert_eq!(pattern.read("a/b"), Some(vec![("project", "a".into()), ("name", "b".into())]));
/// assert_eq!(pattern.read("a/b/c"), None);
/// assert_eq!(pattern.read(r"a\/b/c"), Some(vec![("project", "a/b".into()), ("name", "c".into())]));
/// assert_eq!(pattern.write(|name| Some(if name == "project" { "a/b" } else { "c" }.into())).as_deref(), Some(r"a\/b/c"));
///
/// let pattern = ImportPattern::new().attribute("bucket").literal("/").rest("key");
/// assert_eq!(pattern.read("a/b/c"), Some(vec![("bucket", "a".into()), ("key", "b/c".into())]));
///
/// let pattern = ImportPattern::new().attribute("length").literal(",").optional("seed");
/// assert_eq!(pattern.read("8,x"), Some(vec![("length", "8".into()), ("seed", "x".into())]));
/// assert_eq!(pattern.read("8"), Some(vec![("length", "8".into())]));
/// assert_eq!(pattern.read("8,"), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportPattern {
    pub(crate) parts: Vec<ImportPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ImportPart {
    Literal(Arc<str>),
    Attribute { name: Arc<str>, extent: Extent },
}

/// The characters of an ID that an attribute of a pattern matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Everything up to the next separator.
    Segment,
    /// Everything that remains.
    Rest,
    /// Everything up to the next separator. The ID can end before the preceding separator.
    Optional,
}

impl Extent {
    fn marker(self) -> &'static str {
        match self {
            Extent::Segment => "",
            Extent::Rest => "..",
            Extent::Optional => "?",
        }
    }
}

impl ImportPart {
    fn is_optional(&self) -> bool {
        matches!(self, ImportPart::Attribute { extent: Extent::Optional, .. })
    }
}

impl ImportPattern {
    /// An empty pattern.
    pub fn new() -> ImportPattern {
        ImportPattern::default()
    }

    /// Adds a separator.
    #[must_use]
    pub fn literal(mut self, literal: impl Into<Arc<str>>) -> ImportPattern {
        self.parts.push(ImportPart::Literal(literal.into()));
        self
    }

    /// Adds an attribute.
    #[must_use]
    pub fn attribute(self, name: impl Into<Arc<str>>) -> ImportPattern {
        self.with(name, Extent::Segment)
    }

    /// Adds an attribute that matches everything that remains.
    #[must_use]
    pub fn rest(self, name: impl Into<Arc<str>>) -> ImportPattern {
        self.with(name, Extent::Rest)
    }

    /// Adds an attribute that is null if the ID ends before the separator that precedes it. Only optional attributes can
    /// follow it.
    #[must_use]
    pub fn optional(self, name: impl Into<Arc<str>>) -> ImportPattern {
        self.with(name, Extent::Optional)
    }

    fn with(mut self, name: impl Into<Arc<str>>, extent: Extent) -> ImportPattern {
        self.parts.push(ImportPart::Attribute { name: name.into(), extent });
        self
    }

    /// The forms of the IDs, each with the names of its attributes in braces: first the one with all optional attributes.
    pub(crate) fn forms(&self) -> Vec<String> {
        let optional = self.parts.iter().filter(|it| it.is_optional()).count();
        let form = |absent: usize| {
            let parts = self.parts.get(..self.parts.len().saturating_sub(absent * 2)).unwrap_or_default();
            let text = parts.iter().map(|it| match it {
                ImportPart::Literal(literal) => literal.to_string(),
                ImportPart::Attribute { name, .. } => format!("{{{name}}}"),
            });
            text.collect()
        };
        (0..=optional).map(form).collect()
    }

    /// The names of the attributes.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|it| match it {
            ImportPart::Attribute { name, .. } => Some(&**name),
            ImportPart::Literal(_) => None,
        })
    }

    /// The attributes with their values in the ID; `None` if the ID does not match.
    pub fn read<'a>(&'a self, id: &'a str) -> Option<Vec<(&'a str, Cow<'a, str>)>> {
        let mut remaining = id;
        let mut parts: Vec<(&str, Cow<'_, str>)> = Vec::new();
        for (i, part) in self.parts.iter().enumerate() {
            let (name, rest) = match part {
                ImportPart::Literal(literal) => {
                    remaining = remaining.strip_prefix(&**literal)?;
                    continue;
                }
                ImportPart::Attribute { name, extent } => (name, *extent == Extent::Rest),
            };
            let is_last = i + 2 >= self.parts.len();
            let is_end_allowed = self.parts.get(i + 2).is_some_and(ImportPart::is_optional);
            let separator_at = |literal| find_unescaped(remaining, literal);
            let is_end = is_end_allowed && self.literal_at(i + 1).and_then(separator_at).is_none();
            let end = match self.literal_at(i + 1).filter(|_| !is_end) {
                // The attribute before a separator at the end of the ID may contain the separator.
                Some(literal) if is_last => remaining.strip_suffix(literal)?.len(),
                Some(literal) => find_unescaped(remaining, literal)?,
                None => remaining.len(),
            };
            let (matched, after) = remaining.split_at(end);
            let separator = self.escaped_separator(i).filter(|_| !rest);
            let contains_separator =
                is_last && separator.is_some_and(|it| find_unescaped(matched, it).is_some());
            if matched.is_empty() || contains_separator {
                return None;
            }
            let is_before_separator = separator.is_some() && !is_last && !is_end;
            parts.push((
                name,
                separator.map_or(matched.into(), |it| unescaped(matched, it, is_before_separator)),
            ));
            if is_end {
                return Some(parts);
            }
            remaining = after;
        }
        remaining.is_empty().then_some(parts)
    }

    /// The ID of an object: the pattern with the values of its attributes, from which [`read`](ImportPattern::read)
    /// returns the same values. `None` if `value_of` returns `None` for one of them that is not optional, or if no ID has
    /// these values: one is empty, or ends with the beginning of a longer separator, or an optional one follows an absent
    /// one.
    pub fn write(&self, value_of: impl Fn(&str) -> Option<String>) -> Option<String> {
        let mut id = String::new();
        let is_absent = |it: &ImportPart| match it {
            ImportPart::Attribute { name, extent: Extent::Optional } => value_of(name).is_none(),
            _ => false,
        };
        // No separator precedes an absent attribute.
        let end = self.parts.iter().position(is_absent).map_or(self.parts.len(), |at| at.saturating_sub(1));
        let (present, absent) = self.parts.split_at(end);
        if !absent.iter().all(|it| matches!(it, ImportPart::Literal(_)) || is_absent(it)) {
            return None;
        }
        for (i, part) in present.iter().enumerate() {
            match part {
                ImportPart::Literal(literal) => id.push_str(literal),
                ImportPart::Attribute { name, extent } => {
                    let value = value_of(name)?;
                    match self.escaped_separator(i).filter(|_| *extent != Extent::Rest) {
                        Some(separator) => {
                            let is_before_separator = i + 2 < present.len();
                            push_escaped(&mut id, &value, separator, is_before_separator);
                        }
                        None => id.push_str(&value),
                    }
                }
            }
        }
        let is_same = |(name, value): &(&str, Cow<'_, str>)| value_of(name).as_deref() == Some(&**value);
        let can_be_read = self.read(&id).is_some_and(|values| values.iter().all(is_same));
        can_be_read.then_some(id)
    }

    fn literal_at(&self, i: usize) -> Option<&str> {
        match self.parts.get(i) {
            Some(ImportPart::Literal(literal)) => Some(literal),
            _ => None,
        }
    }

    /// The separator that must be escaped in the attribute at this index: the one after it, or for the last attribute the
    /// one before it. A literal before the first attribute is not a separator.
    fn escaped_separator(&self, i: usize) -> Option<&str> {
        let is_last = i + 2 >= self.parts.len();
        match is_last {
            false => self.literal_at(i + 1),
            true => i.checked_sub(1).filter(|it| *it > 0).and_then(|it| self.literal_at(it)),
        }
    }
}

/// The index of the first separator after an even number of backslashes.
fn find_unescaped(id: &str, separator: &str) -> Option<usize> {
    id.match_indices(separator).map(|(at, _)| at).find(|at| backslashes_before(&id[..*at]).is_multiple_of(2))
}

fn backslashes_before(prefix: &str) -> usize {
    prefix.len() - prefix.trim_end_matches('\\').len()
}

/// The value of a part of an ID. Only backslashes before a separator are escapes; `is_before_separator` if one follows the
/// part.
fn unescaped<'a>(part: &'a str, separator: &str, is_before_separator: bool) -> Cow<'a, str> {
    if !part.contains('\\') {
        return part.into();
    }
    let mut value = String::with_capacity(part.len());
    let mut rest = part;
    while let Some(at) = rest.find(separator) {
        let escapes = backslashes_before(&rest[..at]);
        value.push_str(&rest[..at - escapes.div_ceil(2)]);
        value.push_str(separator);
        rest = &rest[at + separator.len()..];
    }
    let escapes = if is_before_separator { backslashes_before(rest) } else { 0 };
    value.push_str(&rest[..rest.len() - escapes / 2]);
    value.into()
}

fn push_escaped(id: &mut String, value: &str, separator: &str, is_before_separator: bool) {
    let mut rest = value;
    while let Some(at) = rest.find(separator) {
        id.push_str(&rest[..at]);
        id.push_str(&"\\".repeat(backslashes_before(&rest[..at]) + 1));
        id.push_str(separator);
        rest = &rest[at + separator.len()..];
    }
    id.push_str(rest);
    if is_before_separator {
        id.push_str(&"\\".repeat(backslashes_before(rest)));
    }
}

/// Printed as in `#[attr(import = "…")]`.
impl fmt::Display for ImportPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|it| match it {
            ImportPart::Literal(literal) => f.write_str(literal),
            ImportPart::Attribute { name, extent } => write!(f, "{{{name}{}}}", extent.marker()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern() -> ImportPattern {
        ImportPattern::new().attribute("a").literal("/").attribute("b").literal("::").attribute("c")
    }

    #[test]
    fn written_id_is_read_as_the_same_values() {
        let values = ["x", "/", "::", r"\", r"a\", r"a\/", r"\\/b\\", r"a::b", r"C:\d", r"x\::y"];
        for a in values {
            for b in values {
                for c in values {
                    let value_of = |name: &str| {
                        Some(
                            match name {
                                "a" => a,
                                "b" => b,
                                _ => c,
                            }
                            .to_owned(),
                        )
                    };
                    let id = pattern().write(value_of).expect("all values");
                    let pattern = pattern();
                    let read = pattern.read(&id).unwrap_or_else(|| panic!("{id} matches for {a} {b} {c}"));
                    let read: Vec<&str> = read.iter().map(|(_, it)| &**it).collect();
                    assert_eq!(read, [a, b, c], "{id}");
                }
            }
        }
    }

    #[test]
    fn optional_attributes_can_be_absent() {
        let pattern =
            ImportPattern::new().attribute("a").literal("/").optional("b").literal(":").optional("c");
        assert_eq!(pattern.to_string(), "{a}/{b?}:{c?}");
        assert_eq!(pattern.forms(), ["{a}/{b}:{c}", "{a}/{b}", "{a}"]);
        let values = [None, Some("x"), Some("/"), Some(":"), Some(r"x\"), Some(r"\/x\:")];
        for a in values.into_iter().flatten() {
            for b in values {
                for c in values {
                    let value_of = |name: &str| match name {
                        "a" => Some(a.to_owned()),
                        "b" => b.map(str::to_owned),
                        _ => c.map(str::to_owned),
                    };
                    let Some(id) = pattern.write(value_of) else {
                        assert!(b.is_none() && c.is_some(), "{a} {b:?} {c:?}");
                        continue;
                    };
                    let read =
                        pattern.read(&id).unwrap_or_else(|| panic!("{id} matches for {a} {b:?} {c:?}"));
                    let read: Vec<Option<&str>> = read.iter().map(|(_, it)| Some(&**it)).collect();
                    let expected: Vec<_> =
                        [Some(a), b, c].into_iter().take_while(|it| it.is_some()).collect();
                    assert_eq!(read, expected, "{id}");
                }
            }
        }
        assert_eq!(pattern.read("a/"), None);
        assert_eq!(pattern.read("a/b:c:d"), None);
    }

    #[test]
    fn write_rejects_values_that_read_cannot_restore() {
        let write = |a: &'static str, b: &'static str| {
            pattern().write(|name| {
                Some(
                    match name {
                        "a" => a,
                        "b" => b,
                        _ => "c",
                    }
                    .to_owned(),
                )
            })
        };
        assert_eq!(write("", "b"), None);
        assert_eq!(write("a", "b:"), None);
        assert_eq!(pattern().write(|_| None), None);
    }

    #[test]
    fn backslash_not_before_separator_is_literal() {
        let pattern = ImportPattern::new().attribute("host").literal(":").attribute("path");
        let read = pattern.read(r"h:\d\e").expect("a match");
        assert_eq!(read, [("host", "h".into()), ("path", r"\d\e".into())]);
    }
}
