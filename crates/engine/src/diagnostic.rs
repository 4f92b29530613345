//! Diagnostics: the errors and warnings that Terraform shows to the practitioner.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash, Hasher};

use ferroform_value::Path;

use crate::diagnostic_kind::DiagnosticKind;
use crate::type_mismatch;

/// The severity of a diagnostic.
///
/// ```
/// use ferroform::{Diagnostic, Severity};
///
/// assert_eq!(Diagnostic::warning("Deprecated Region").severity, Severity::Warning);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The operation failed.
    Error,
    /// The operation continued.
    Warning,
}

/// One error or warning.
///
/// To recognize a diagnostic, call a predicate such as [`is_timeout`](Diagnostic::is_timeout) instead of comparing
/// messages. [`context`](Context::context) and [`at`](Context::at) change only the summary, the detail and the path, so
/// a predicate holds on every level of the provider:
///
/// ```
/// use ferroform_engine::{Clock, Context, Diagnostic, RequestContext, Result};
///
/// fn start(cx: &RequestContext) -> Result<()> {
///     Err(cx.interrupted()).context("Cannot Start Server")
/// }
///
/// let errors = start(&RequestContext::detached(Clock::test())).unwrap_err();
/// assert_eq!(errors.to_string(), "Cannot Start Server: Operation Canceled.");
/// assert!(errors.iter().all(Diagnostic::is_cancellation));
/// ```
///
/// Two diagnostics are equal if Terraform shows them identically: `PartialEq` compares the severity, the summary,
/// the detail and the path. So a test can build the expected diagnostic with [`error`](Diagnostic::error) and
/// [`warning`](Diagnostic::warning).
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Whether it is an error or a warning.
    pub severity: Severity,
    /// One line that states the problem.
    pub summary: String,
    /// A description of the problem, of the expected value, and of the solution.
    pub detail: String,
    /// The attribute path of the value that is wrong. Terraform shows the line of the configuration.
    pub path: Option<Path>,
    kind: DiagnosticKind,
    has_path_in_detail: bool,
}

impl Diagnostic {
    /// An error with this summary.
    pub fn error(summary: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            summary: summary.into(),
            detail: String::new(),
            path: None,
            kind: DiagnosticKind::Other,
            has_path_in_detail: false,
        }
    }

    /// A warning with this summary.
    pub fn warning(summary: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(summary) }
    }

    /// Sets the detail.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> Diagnostic {
        self.detail = detail.into();
        self
    }

    /// Sets the attribute path: [`path!`](crate::path). If the diagnostic has a path already, prepends the path to it.
    #[must_use]
    pub fn at(mut self, path: Path) -> Diagnostic {
        self.path = Some(self.path.take().unwrap_or(Path::ROOT).below(&path));
        self.has_path_in_detail = false;
        self
    }

    /// True if time ran out: the method was interrupted at its [deadline](crate::RequestContext::deadline), or a `Wait`
    /// ended at its timeout.
    pub fn is_timeout(&self) -> bool {
        matches!(self.kind, DiagnosticKind::DeadlineExceeded | DiagnosticKind::WaitTimedOut)
    }

    /// True if the method was interrupted because the practitioner asked Terraform to stop.
    pub fn is_cancellation(&self) -> bool {
        self.kind == DiagnosticKind::Cancelled
    }

    /// True if a `Wait` did not find the object.
    pub fn is_not_found(&self) -> bool {
        self.kind == DiagnosticKind::NotFound
    }

    /// True if a `Wait` found the object in an unexpected state.
    pub fn is_unexpected_state(&self) -> bool {
        self.kind == DiagnosticKind::UnexpectedState
    }

    /// True if it is the return value of [`defer`](crate::RequestContext::defer).
    pub fn is_deferral(&self) -> bool {
        self.kind == DiagnosticKind::Deferred
    }

    /// True if the operation needs the provider, but the provider's configuration has unknown values.
    pub fn is_provider_not_configured(&self) -> bool {
        self.kind == DiagnosticKind::ProviderNotConfigured
    }

    /// True if the framework has found a bug in the provider: a panic, an invalid definition, or a response that
    /// Terraform would reject.
    pub fn is_provider_bug(&self) -> bool {
        matches!(self.kind, DiagnosticKind::ProviderBug | DiagnosticKind::FailedCheck(_))
    }

    /// True if the framework has interrupted the method that returns it.
    pub(crate) fn is_interruption(&self) -> bool {
        matches!(self.kind, DiagnosticKind::Cancelled | DiagnosticKind::DeadlineExceeded)
    }

    /// Sets the kind.
    #[must_use]
    #[doc(hidden)]
    pub fn of_kind(mut self, kind: DiagnosticKind) -> Diagnostic {
        self.kind = kind;
        self
    }

    /// The kind.
    #[doc(hidden)]
    pub fn kind(&self) -> &DiagnosticKind {
        &self.kind
    }

    /// Marks the detail as one that names the attribute path itself. Setting another path removes the mark.
    #[must_use]
    pub(crate) fn naming_path(mut self) -> Diagnostic {
        self.has_path_in_detail = true;
        self
    }

    /// True if the detail names the attribute path itself.
    pub(crate) fn has_path_in_detail(&self) -> bool {
        self.has_path_in_detail
    }

    /// Changes every string of the diagnostic, including those that only code reads.
    #[must_use]
    pub(crate) fn map_strings(mut self, change: impl Fn(String) -> String) -> Diagnostic {
        self.summary = change(self.summary);
        self.detail = change(self.detail);
        match &mut self.kind {
            DiagnosticKind::ConversionError(it) => it.redacted = change(std::mem::take(&mut it.redacted)),
            DiagnosticKind::FailedCheck(it) => it.message = change(std::mem::take(&mut it.message)),
            _ => {}
        }
        self
    }

    /// The fields that Terraform shows.
    fn shown(&self) -> (Severity, &str, &str, Option<&Path>) {
        (self.severity, &self.summary, &self.detail, self.path.as_ref())
    }
}

/// Compares the fields that Terraform shows, but not the kind.
impl PartialEq for Diagnostic {
    fn eq(&self, other: &Diagnostic) -> bool {
        self.shown() == other.shown()
    }
}

impl Eq for Diagnostic {}

/// Consistent with `PartialEq`: the kind is not hashed.
impl Hash for Diagnostic {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.shown().hash(state);
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

/// Errors and warnings, in the order in which they were found.
///
/// The `?` operator converts every [`std::error::Error`] into diagnostics; [`Context`] adds a summary and a path. For that reason,
/// `Diagnostics` cannot implement `Error` itself, as `anyhow::Error` does not. To return them where a `Box<dyn Error>` is required,
/// convert them to a string: `Box::<dyn Error>::from(diagnostics.to_string())`.
///
/// ```
/// use ferroform::{Diagnostic, Diagnostics, path};
///
/// let mut found = Diagnostics::new();
/// for (index, port) in [80, 99_999].into_iter().enumerate() {
///     if u16::try_from(port).is_err() {
///         found.push(Diagnostic::error("Invalid Port").at(path!(ports[index])));
///     }
/// }
/// assert!(found.has_error());
/// assert_eq!(found.to_string(), "ports[1]: Invalid Port");
/// ```
#[derive(Clone, Default)]
pub struct Diagnostics {
    all: Vec<Diagnostic>,
    /// The hashes of all diagnostics, once there are many: a list may have errors in thousands of elements.
    hashes: HashSet<u64>,
}

/// The number of diagnostics that are compared one by one.
const LINEAR_SEARCH_LIMIT: usize = 32;

/// The result of a provider author's method.
///
/// ```
/// fn parse(size: &str) -> ferroform::Result<u64> {
///     Ok(size.parse()?)
/// }
///
/// assert_eq!(parse("7"), Ok(7));
/// assert!(parse("seven").is_err());
/// ```
pub type Result<T, E = Diagnostics> = std::result::Result<T, E>;

impl Diagnostics {
    /// An empty list.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Adds a diagnostic, unless the list already contains it.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let hash = |it: &Diagnostic| BuildHasherDefault::<DefaultHasher>::default().hash_one(it);
        // Diagnostics that look identical are different if code can distinguish them.
        let is_same = |it: &Diagnostic| *it == diagnostic && it.kind == diagnostic.kind;
        let is_new = if self.all.len() < LINEAR_SEARCH_LIMIT {
            !self.all.iter().any(is_same)
        } else {
            if self.hashes.is_empty() {
                self.hashes = self.all.iter().map(hash).collect();
            }
            self.hashes.insert(hash(&diagnostic)) || !self.all.iter().any(is_same)
        };
        if is_new {
            self.all.push(diagnostic);
        }
    }

    /// All diagnostics, mutably.
    fn iter_mut(&mut self) -> std::slice::IterMut<'_, Diagnostic> {
        self.hashes.clear();
        self.all.iter_mut()
    }

    /// True if one of them is an error.
    pub fn has_error(&self) -> bool {
        self.errors().next().is_some()
    }

    /// The errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.all.iter().filter(|it| it.severity == Severity::Error)
    }

    /// The warnings.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.all.iter().filter(|it| it.severity == Severity::Warning)
    }

    /// True if the list contains a diagnostic that Terraform would show like this one.
    pub fn contains(&self, diagnostic: &Diagnostic) -> bool {
        self.all.contains(diagnostic)
    }

    /// True if the list is empty.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The number of diagnostics.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// All diagnostics in their order.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.all.iter()
    }

    /// Prepends an attribute path to the path of each diagnostic; a diagnostic without a path gets this one.
    #[must_use]
    pub fn at(mut self, path: Path) -> Diagnostics {
        for it in self.iter_mut() {
            it.path = Some(it.path.take().unwrap_or(Path::ROOT).below(&path));
            it.has_path_in_detail = false;
        }
        self
    }

    /// Replaces the summary of each diagnostic, as [`Context::context`] does for a `Result`.
    #[must_use]
    pub fn context(mut self, summary: impl Into<String>) -> Diagnostics {
        let summary = summary.into();
        for it in self.iter_mut() {
            let old = std::mem::replace(&mut it.summary, summary.clone());
            it.detail = match it.detail.as_str() {
                "" => sentence(&old),
                detail => sentence(&format!("{old}: {detail}")),
            };
        }
        self
    }

    /// Returns the value of a result, or adds its diagnostics to the list.
    pub fn ok_or_extend<T>(&mut self, result: Result<T>) -> Option<T> {
        match result {
            Ok(it) => Some(it),
            Err(more) => {
                self.extend(more);
                None
            }
        }
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, others: I) {
        others.into_iter().for_each(|it| self.push(it));
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Two lists are equal if they contain equal diagnostics in the same order.
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
        let mut diagnostics = Diagnostics::new();
        diagnostics.extend(all);
        diagnostics
    }
}

impl From<Diagnostic> for Diagnostics {
    fn from(it: Diagnostic) -> Diagnostics {
        Diagnostics { all: vec![it], hashes: HashSet::new() }
    }
}

/// The `?` operator on any error: its first line becomes the summary, the rest and its sources become the detail.
impl<E: std::error::Error + 'static> From<E> for Diagnostics {
    fn from(error: E) -> Diagnostics {
        let dynamic: &(dyn std::error::Error + 'static) = &error;
        if let Some(value) = dynamic.downcast_ref::<ferroform_value::Error>() {
            let found = Diagnostic::error(value.summary().unwrap_or("Value Conversion Error"));
            let found = found.detail(sentence(&type_mismatch::message(value)));
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

/// The characters that end a sentence.
pub(crate) const SENTENCE_ENDS: [char; 3] = ['.', '!', '?'];

/// The string with a capital letter and a period, as Terraform writes details. A technical term at its beginning, such as `x509`,
/// stays in lowercase, and an error of a client library that begins with its category, such as `io: connection refused`, is
/// returned unchanged.
pub fn sentence(text: &str) -> String {
    let word = text.split_whitespace().next().unwrap_or_default();
    let is_lowercase = text.starts_with(char::is_lowercase);
    if is_lowercase && word.ends_with(':') {
        return text.to_owned();
    }
    let is_part_of_word = |it: char| it.is_lowercase() || matches!(it, '-' | '.' | ',' | ';' | '\'' | '’');
    let end = if text.ends_with(SENTENCE_ENDS) { "" } else { "." };
    match is_lowercase && !word.chars().all(is_part_of_word) {
        true => text.to_owned() + end,
        false => capitalized(text) + end,
    }
}

/// Capitalizes the first letter.
pub(crate) fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + chars.as_str()
}

/// Adds a summary and an attribute path to errors.
///
/// ```
/// use ferroform::{Context as _, Result, path};
///
/// fn parse(size: &str) -> Result<u64> {
///     size.parse::<u64>().context("Invalid Size").at(path!(disk.size))
/// }
///
/// let error = parse("seven").unwrap_err();
/// assert_eq!(error.to_string(), "disk.size: Invalid Size: Invalid digit found in string.");
/// ```
pub trait Context<T> {
    /// Replaces the summary of each diagnostic; the previous summary becomes the beginning of the detail.
    ///
    /// # Errors
    ///
    /// The same diagnostics with the new summary.
    fn context(self, summary: impl Into<String>) -> Result<T>;

    /// Prepends an attribute path: [`path!`](crate::path).
    ///
    /// # Errors
    ///
    /// The same diagnostics with the longer path.
    fn at(self, path: Path) -> Result<T>;
}

impl<T, E: Into<Diagnostics>> Context<T> for Result<T, E> {
    fn context(self, summary: impl Into<String>) -> Result<T> {
        self.map_err(|error| error.into().context(summary))
    }

    fn at(self, path: Path) -> Result<T> {
        self.map_err(|error| error.into().at(path))
    }
}

impl<T> Context<T> for Option<T> {
    fn context(self, summary: impl Into<String>) -> Result<T> {
        self.ok_or_else(|| Diagnostic::error(summary).into())
    }

    fn at(self, path: Path) -> Result<T> {
        self.ok_or_else(|| Diagnostic::error("Missing Value").at(path).into())
    }
}

/// Adds a summary to the errors of an `async` block, such as several requests that share one summary.
///
/// ```
/// use ferroform::{FutureContext as _, Result};
///
/// async fn sum(left: &str, right: &str) -> Result<u64> {
///     async { Ok(left.parse::<u64>()? + right.parse::<u64>()?) }.context("Invalid Size").await
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let error = sum("1", "two").await.unwrap_err();
/// assert_eq!(error.to_string(), "Invalid Size: Invalid digit found in string.");
/// # });
/// ```
pub trait FutureContext<T>: Future<Output = Result<T>> + Sized {
    /// Replaces the summary of each diagnostic, as [`Context::context`] does.
    ///
    /// # Errors
    ///
    /// The diagnostics of the future with the new summary.
    fn context(self, summary: impl Into<String>) -> impl Future<Output = Result<T>> {
        async { self.await.context(summary) }
    }
}

impl<T, F: Future<Output = Result<T>>> FutureContext<T> for F {}

/// The attribute name of an identifier in [`path!`](crate::path) or [`pattern!`](crate::pattern): `type` for `r#type`.
#[doc(hidden)]
pub fn attribute_name(identifier: &'static str) -> &'static str {
    identifier.strip_prefix("r#").unwrap_or(identifier)
}

/// An attribute path: `path!(owner.name)`, `path!(tags[2])`, `path!(labels["env"])`.
///
/// ```
/// assert_eq!(ferroform_engine::path!(disks[1].size).to_string(), "disks[1].size");
/// assert_eq!(ferroform_engine::path!(disks[1].r#type).to_string(), "disks[1].type");
///
/// // The brackets take any number or string, such as the key of a map.
/// for key in std::collections::BTreeMap::from([("env".to_owned(), 1)]).keys() {
///     assert_eq!(ferroform_engine::path!(labels[key]).to_string(), "labels[\"env\"]");
/// }
/// ```
#[macro_export]
macro_rules! path {
    ($first:ident $($rest:tt)*) => {
        $crate::path!(@ $crate::value::Path::attribute($crate::attribute_name(stringify!($first))); $($rest)*)
    };
    (@ $path:expr; . $name:ident $($rest:tt)*) => {
        $crate::path!(@ $path.name($crate::attribute_name(stringify!($name))); $($rest)*)
    };
    (@ $path:expr; [ $index:expr ] $($rest:tt)*) => {
        $crate::path!(@ $path.then($crate::value::Step::from($index)); $($rest)*)
    };
    (@ $path:expr;) => { $path };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn technical_terms_stay_in_lowercase_at_the_beginning_of_a_sentence() {
        let cases = [
            ("invalid digit found in string", "Invalid digit found in string."),
            ("non-zero values only", "Non-zero values only."),
            ("no, thanks!", "No, thanks!"),
            ("a", "A."),
            ("\"ab\" is invalid", "\"ab\" is invalid."),
            ("Already: done", "Already: done."),
            ("", "."),
            ("io: connection refused", "io: connection refused"),
            ("timeout: global", "timeout: global"),
            ("example.com: refused", "example.com: refused"),
            ("x509 certificate expired", "x509 certificate expired."),
            ("disk_size must be positive", "disk_size must be positive."),
            ("hyper::Error(Canceled)", "hyper::Error(Canceled)."),
            ("mTLS required", "mTLS required."),
        ];
        for (text, expected) in cases {
            assert_eq!(sentence(text), expected);
        }
    }
}
