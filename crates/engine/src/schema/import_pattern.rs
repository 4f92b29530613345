//! Import patterns: the formats of import IDs.

use std::fmt;
use std::sync::Arc;

/// The format of an import ID: attributes separated by literal strings.
///
/// An attribute matches up to the next separator. The last attribute must not contain the separator before it, so that
/// an ID with too many segments is rejected; [`rest`](ImportPattern::rest) matches everything that remains. No
/// attribute is empty.
///
/// ```
/// use ferroform::schema::ImportPattern;
///
/// let pattern = ImportPattern::new().attribute("project").literal("/").attribute("name");
/// assert_eq!(pattern.to_string(), "{project}/{name}");
/// assert_eq!(pattern.read("a/b"), Some(vec![("project", "a"), ("name", "b")]));
/// assert_eq!(pattern.read("a/b/c"), None);
///
/// let pattern = ImportPattern::new().attribute("bucket").literal("/").rest("key");
/// assert_eq!(pattern.read("a/b/c"), Some(vec![("bucket", "a"), ("key", "b/c")]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportPattern {
    pub(crate) parts: Vec<ImportPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ImportPart {
    Literal(Arc<str>),
    Attribute { name: Arc<str>, rest: bool },
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
    pub fn attribute(mut self, name: impl Into<Arc<str>>) -> ImportPattern {
        self.parts.push(ImportPart::Attribute { name: name.into(), rest: false });
        self
    }

    /// Adds an attribute that matches everything that remains.
    #[must_use]
    pub fn rest(mut self, name: impl Into<Arc<str>>) -> ImportPattern {
        self.parts.push(ImportPart::Attribute { name: name.into(), rest: true });
        self
    }

    /// The names of the attributes.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|it| match it {
            ImportPart::Attribute { name, .. } => Some(&**name),
            ImportPart::Literal(_) => None,
        })
    }

    /// The attributes with the matching segments of the ID; `None` if the ID does not match.
    pub fn read<'a>(&'a self, id: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
        let mut remaining = id;
        let mut parts: Vec<(&str, &str)> = Vec::new();
        let mut separator = None;
        for (i, part) in self.parts.iter().enumerate() {
            let next = match self.parts.get(i + 1) {
                Some(ImportPart::Literal(literal)) => Some(&**literal),
                _ => None,
            };
            match part {
                ImportPart::Literal(literal) => {
                    remaining = remaining.strip_prefix(&**literal)?;
                    separator = Some(literal).filter(|_| !parts.is_empty());
                }
                ImportPart::Attribute { name, rest } => {
                    let is_last = i + 2 >= self.parts.len();
                    let end = match next {
                        // The attribute before a separator at the end of the id may contain the separator.
                        Some(literal) if is_last => {
                            remaining.len() - remaining.strip_suffix(literal).map(|_| literal.len())?
                        }
                        Some(literal) => remaining.find(literal)?,
                        None => remaining.len(),
                    };
                    let (matched, after) = remaining.split_at(end);
                    let contains_separator =
                        is_last && !rest && separator.is_some_and(|it| matched.contains(&**it));
                    if matched.is_empty() || contains_separator {
                        return None;
                    }
                    parts.push((name, matched));
                    remaining = after;
                }
            }
        }
        remaining.is_empty().then_some(parts)
    }
}

/// Printed with the names of attributes in braces.
impl fmt::Display for ImportPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|it| match it {
            ImportPart::Literal(literal) => f.write_str(literal),
            ImportPart::Attribute { name, rest: false } => write!(f, "{{{name}}}"),
            ImportPart::Attribute { name, rest: true } => write!(f, "{{{name}..}}"),
        })
    }
}
