//! What went wrong, or might: errors and warnings that Terraform shows to the user.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use ferroform_value::Path;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The operation failed.
    Error,
    /// The operation went on.
    Warning,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// One line: what is wrong.
    pub summary: String,
    /// The rest: why, and what to do.
    pub detail: String,
    /// The place in the configuration, which Terraform shows with its line.
    pub path: Option<Path>,
}

impl Diagnostic {
    /// An error with this summary.
    pub fn error(summary: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Error, summary: summary.into(), detail: String::new(), path: None }
    }

    /// A warning with this summary.
    pub fn warning(summary: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(summary) }
    }

    /// Says why, and what to do.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Diagnostic {
        self.detail = detail.into();
        self
    }

    /// Says where.
    #[must_use]
    pub fn at(mut self, path: Path) -> Diagnostic {
        self.path = Some(path);
        self
    }
}

/// Printed as `path: summary: detail`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = self.path.as_ref().filter(|it| !it.is_root()) {
            write!(f, "{path}: ")?;
        }
        f.write_str(&self.summary)?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, ": {}", self.detail) }
    }
}

/// Errors and warnings, in the order in which they came.
///
/// Every error of the standard kind becomes one by `?`; [`Context`] says more about it.
#[derive(Clone, Default)]
pub struct Diagnostics {
    all: Vec<Diagnostic>,
    /// The hashes of all, once there are many: a list of thousands may be wrong in every element.
    hashes: HashSet<u64>,
}

/// So many are compared one by one.
const FEW: usize = 32;

/// The result of an author's method.
pub type Result<T, E = Diagnostics> = std::result::Result<T, E>;

impl Diagnostics {
    /// None yet.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds one, unless it is there already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let hash = |it: &Diagnostic| BuildHasherDefault::<DefaultHasher>::default().hash_one(it);
        let is_new = if self.all.len() < FEW {
            !self.contains(&diagnostic)
        } else {
            if self.hashes.is_empty() {
                self.hashes = self.all.iter().map(hash).collect();
            }
            self.hashes.insert(hash(&diagnostic)) || !self.contains(&diagnostic)
        };
        if is_new {
            self.all.push(diagnostic);
        }
    }

    /// All of them, to be changed.
    fn iter_mut(&mut self) -> std::slice::IterMut<'_, Diagnostic> {
        self.hashes.clear();
        self.all.iter_mut()
    }

    /// Adds those of another.
    pub fn extend(&mut self, others: impl IntoIterator<Item = Diagnostic>) {
        others.into_iter().for_each(|it| self.push(it));
    }

    /// True where one of them is an error.
    pub fn has_error(&self) -> bool {
        self.errors().next().is_some()
    }

    /// The errors among them.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.all.iter().filter(|it| it.severity == Severity::Error)
    }

    /// The warnings among them.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.all.iter().filter(|it| it.severity == Severity::Warning)
    }

    /// True where this one is among them.
    pub fn contains(&self, diagnostic: &Diagnostic) -> bool {
        self.all.contains(diagnostic)
    }

    /// True where there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.all.iter()
    }

    /// Says where, for those that do not say it themselves; those that do are inside that place.
    #[must_use]
    pub fn at(mut self, place: &Path) -> Diagnostics {
        for it in self.iter_mut() {
            it.path = Some(it.path.take().unwrap_or(Path::ROOT).below(place));
        }
        self
    }

    /// Takes the value of a result, and keeps its diagnostics.
    pub fn take<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(it) => Some(it),
            Err(more) => {
                self.extend(more);
                None
            }
        }
    }
}

/// Two are equal where they hold the same in the same order.
impl PartialEq for Diagnostics {
    fn eq(&self, other: &Diagnostics) -> bool {
        self.all == other.all
    }
}

impl Eq for Diagnostics {}

impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Diagnostics").field("all", &self.all).finish()
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.all.into_iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, it) in self.all.iter().enumerate() {
            write!(f, "{}{it}", if i > 0 { "\n" } else { "" })?;
        }
        Ok(())
    }
}

impl FromIterator<Diagnostic> for Diagnostics {
    fn from_iter<I: IntoIterator<Item = Diagnostic>>(all: I) -> Diagnostics {
        let mut made = Diagnostics::new();
        made.extend(all);
        made
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(it: Diagnostic) -> Diagnostics {
        Diagnostics { all: vec![it], hashes: HashSet::new() }
    }
}

/// `?` on any error: its first line is the summary, what caused it the detail.
impl<E: std::error::Error + 'static> From<E> for Diagnostics {
    fn from(error: E) -> Diagnostics {
        let dynamic: &(dyn std::error::Error + 'static) = &error;
        if let Some(value) = dynamic.downcast_ref::<ferroform_value::Error>() {
            let found = Diagnostic::error("Value Conversion Error").detail(sentence(value.message()));
            return found.at(value.path().clone()).into();
        }
        let text = error.to_string();
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let summary = if first.trim().is_empty() { std::any::type_name::<E>() } else { first };
        let causes = std::iter::successors(error.source(), |it| it.source()).map(ToString::to_string);
        let detail: Vec<_> =
            Some(rest.to_owned()).filter(|it| !it.is_empty()).into_iter().chain(causes).collect();
        Diagnostic::error(summary).detail(detail.join(": ")).into()
    }
}

/// Capital letter and full stop, as Terraform writes details.
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", chars.as_str())
}

/// Says more about an error on its way out.
pub trait Context<T> {
    /// Gives it this summary; what was the summary goes into the detail.
    ///
    /// # Errors
    ///
    /// Those that were there.
    fn context(self, summary: impl Into<String>) -> Result<T>;

    /// Says where: [`path!`](crate::path).
    ///
    /// # Errors
    ///
    /// Those that were there.
    fn at(self, place: Path) -> Result<T>;
}

impl<T, E: Into<Diagnostics>> Context<T> for Result<T, E> {
    fn context(self, summary: impl Into<String>) -> Result<T> {
        self.map_err(|error| {
            let mut all: Diagnostics = error.into();
            let summary = summary.into();
            for it in all.iter_mut() {
                let old = std::mem::replace(&mut it.summary, summary.clone());
                it.detail = match it.detail.as_str() {
                    "" => sentence(&old),
                    detail => sentence(&format!("{old}: {detail}")),
                };
            }
            all
        })
    }

    fn at(self, place: Path) -> Result<T> {
        self.map_err(|error| error.into().at(&place))
    }
}

impl<T> Context<T> for Option<T> {
    fn context(self, summary: impl Into<String>) -> Result<T> {
        self.ok_or_else(|| Diagnostic::error(summary).into())
    }

    fn at(self, place: Path) -> Result<T> {
        self.ok_or_else(|| Diagnostic::error("Missing value").at(place).into())
    }
}

/// A place in a model: `path!(owner.name)`, `path!(tags[2])`, `path!(labels["env"])`.
///
/// ```
/// assert_eq!(ferroform::path!(disks[1].size).to_string(), "disks[1].size");
///
/// // In the brackets stands any number or text, such as the key of a map.
/// for key in std::collections::BTreeMap::from([("env".to_owned(), 1)]).keys() {
///     assert_eq!(ferroform::path!(labels[key]).to_string(), "labels[\"env\"]");
/// }
/// ```
#[macro_export]
macro_rules! path {
    ($first:ident $($rest:tt)*) => {
        $crate::path!(@ $crate::value::Path::attribute(stringify!($first)); $($rest)*)
    };
    (@ $path:expr; . $name:ident $($rest:tt)*) => {
        $crate::path!(@ $path.name(stringify!($name)); $($rest)*)
    };
    (@ $path:expr; [ $index:expr ] $($rest:tt)*) => {
        $crate::path!(@ $path.then($crate::value::Step::from($index)); $($rest)*)
    };
    (@ $path:expr;) => { $path };
}
