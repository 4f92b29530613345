//! What an import id looks like.

use std::fmt;
use std::sync::Arc;

/// What an import id looks like: attributes with text between them.
///
/// An attribute takes the text up to what comes next, and the last one must not hold what stands before it, so that
/// an id with too many parts is invalid_options; [`rest`](ImportPattern::rest) takes all that is left. None takes nothing.
///
/// ```
/// use ferroform::schema::ImportPattern;
///
/// let pattern = ImportPattern::new().attribute("project").text("/").attribute("name");
/// assert_eq!(pattern.to_string(), "{project}/{name}");
/// assert_eq!(pattern.read("a/b"), Some(vec![("project", "a"), ("name", "b")]));
/// assert_eq!(pattern.read("a/b/c"), None);
///
/// let pattern = ImportPattern::new().attribute("bucket").text("/").rest("key");
/// assert_eq!(pattern.read("a/b/c"), Some(vec![("bucket", "a"), ("key", "b/c")]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportPattern {
    pub(crate) parts: Vec<ImportPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ImportPart {
    Text(Arc<str>),
    Attribute { name: Arc<str>, rest: bool },
}

impl ImportPattern {
    /// Nothing yet.
    pub fn new() -> ImportPattern {
        ImportPattern::default()
    }

    /// Goes on with this text.
    #[must_use]
    pub fn text(mut self, text: impl Into<Arc<str>>) -> ImportPattern {
        self.parts.push(ImportPart::Text(text.into()));
        self
    }

    /// Goes on with the value of this attribute.
    #[must_use]
    pub fn attribute(mut self, name: impl Into<Arc<str>>) -> ImportPattern {
        self.parts.push(ImportPart::Attribute { name: name.into(), rest: false });
        self
    }

    /// Goes on with the value of this attribute, which is all that is left, whatever it holds.
    #[must_use]
    pub fn rest(mut self, name: impl Into<Arc<str>>) -> ImportPattern {
        self.parts.push(ImportPart::Attribute { name: name.into(), rest: true });
        self
    }

    /// The names of the attributes.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|it| match it {
            ImportPart::Attribute { name, .. } => Some(&**name),
            ImportPart::Text(_) => None,
        })
    }

    /// The attributes with their texts, where the id looks like this.
    pub fn read<'a>(&'a self, id: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
        let mut left = id;
        let mut found: Vec<(&str, &str)> = Vec::new();
        let mut between = None;
        for (i, part) in self.parts.iter().enumerate() {
            let next = match self.parts.get(i + 1) {
                Some(ImportPart::Text(text)) => Some(&**text),
                _ => None,
            };
            match part {
                ImportPart::Text(text) => {
                    left = left.strip_prefix(&**text)?;
                    between = Some(text).filter(|_| !found.is_empty());
                }
                ImportPart::Attribute { name, rest } => {
                    let is_last = i + 2 >= self.parts.len();
                    let end = match next {
                        // The text at the end of the id: what is before it may hold the same.
                        Some(text) if is_last => left.len() - left.strip_suffix(text).map(|_| text.len())?,
                        Some(text) => left.find(text)?,
                        None => left.len(),
                    };
                    let (taken, after) = left.split_at(end);
                    let holds = is_last && !rest && between.is_some_and(|it| taken.contains(&**it));
                    if taken.is_empty() || holds {
                        return None;
                    }
                    found.push((name, taken));
                    left = after;
                }
            }
        }
        left.is_empty().then_some(found)
    }
}

/// With each attribute's name in braces.
impl fmt::Display for ImportPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|it| match it {
            ImportPart::Text(text) => f.write_str(text),
            ImportPart::Attribute { name, rest: false } => write!(f, "{{{name}}}"),
            ImportPart::Attribute { name, rest: true } => write!(f, "{{{name}..}}"),
        })
    }
}
