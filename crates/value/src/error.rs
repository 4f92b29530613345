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
}

impl Error {
    /// An error at the value itself.
    pub fn new(message: impl Into<String>) -> Error {
        Error { inner: Box::new(Inner { path: Path::ROOT, message: message.into() }) }
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
        Error::new(format!("{} is required, but this is {}", article(wanted.kind()), article(given.kind())))
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
        Error::new(error.to_string())
    }
}
