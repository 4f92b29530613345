//! What was wrong with a value, and where.

use std::fmt;

use crate::number::NumberError;
use crate::path::{Path, Step};
use crate::ty::Type;
use crate::value::Value;

/// A value, or an encoding of one, that is not what was wanted.
///
/// Printed as `tags[2]: a string is required, but this is a number`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    inner: Box<Inner>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    path: Path,
    message: String,
    /// The message for a sensitive value. It does not depend on the value.
    redacted: Option<String>,
}

/// The message for a sensitive value if the error offers no better one.
const REDACTED: &str = "the value is not valid; the reason is not shown, because the value is sensitive";

impl Error {
    /// An error at the value itself. The message may depend on the value, so it is not shown if the value is sensitive;
    /// [`constant`](Error::constant) and [`mismatch`](Error::mismatch) say more in that case.
    pub fn new(message: impl Into<String>) -> Error {
        Error { inner: Box::new(Inner { path: Path::ROOT, message: message.into(), redacted: None }) }
    }

    /// An error whose message does not depend on the value, so that it is shown for a sensitive value as well.
    pub fn constant(message: &'static str) -> Error {
        Error::new(message).with_redacted(message)
    }

    /// An error about a value that is not what was expected. Only the expectation is shown if the value is sensitive.
    ///
    /// ```
    /// use ferroform_value::Error;
    ///
    /// let error = Error::mismatch("a string of four digits", "\"12a\"");
    /// assert_eq!(error.message(), "a string of four digits is required, but this is \"12a\"");
    /// assert_eq!(error.redacted(), "a string of four digits is required, but this is (sensitive value)");
    /// ```
    pub fn mismatch(expected: impl fmt::Display, found: impl fmt::Display) -> Error {
        let message = |found: &dyn fmt::Display| format!("{expected} is required, but this is {found}");
        Error::new(message(&found)).with_redacted(message(&"(sensitive value)"))
    }

    /// Sets the message for a sensitive value. It must not depend on the value.
    #[must_use]
    pub fn with_redacted(mut self, message: impl Into<String>) -> Error {
        self.inner.redacted = Some(message.into());
        self
    }

    /// What is wrong with a sensitive value, without the path and without anything that depends on the value.
    pub fn redacted(&self) -> &str {
        self.inner.redacted.as_deref().unwrap_or(REDACTED)
    }

    /// The same error at another path.
    #[must_use]
    pub fn at(mut self, path: Path) -> Error {
        self.inner.path = path;
        self
    }

    /// The same error, seen from the value one step further out.
    #[must_use]
    pub fn below(mut self, step: Step) -> Error {
        self.inner.path = self.inner.path.below(&Path::from_iter([step]));
        self
    }

    /// The same error, seen from further out: what was its root is `parent` now.
    #[must_use]
    pub fn under(mut self, parent: &Path) -> Error {
        self.inner.path = self.inner.path.below(parent);
        self
    }

    /// A value of another kind than was wanted.
    pub(crate) fn kind(wanted: &Type, given: &Value) -> Error {
        Error::mismatch(article(wanted.kind()), article(given.kind()))
    }

    /// Where the error is.
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.inner.message
    }
}

/// `a string`, `an object`; the words that are no nouns stand alone.
pub(crate) fn article(kind: &str) -> String {
    match kind {
        "null" | "unknown" | "dynamic" => kind.to_owned(),
        "object" => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.inner.path.is_root() {
            f.write_str(&self.inner.message)
        } else {
            write!(f, "{}: {}", self.inner.path, self.inner.message)
        }
    }
}

impl std::error::Error for Error {}

impl From<NumberError> for Error {
    fn from(error: NumberError) -> Error {
        // The messages of numbers do not depend on the number.
        let message = error.to_string();
        Error::new(message.clone()).with_redacted(message)
    }
}
