//! What was wrong with a value, and where.

use std::fmt;

use crate::{Path, Step};

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
        Error {
            inner: Box::new(Inner {
                path: Path::ROOT,
                message: message.into(),
            }),
        }
    }

    /// The same error, seen from the value one step further out.
    #[must_use]
    pub fn below(mut self, step: Step) -> Error {
        self.inner.path = self.inner.path.below(&Path::from_iter([step]));
        self
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
