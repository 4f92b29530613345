//! The errors of `cargo ferroform dist`.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// The step that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DistErrorKind {
    /// The package, its version or the address of the provider cannot be used.
    Package,
    /// A binary was not built, or does not run.
    Build,
    /// A file cannot be read or written.
    File,
    /// The checksums were not signed.
    Signature,
    /// A registry would reject the release.
    Verification,
}

/// An error with the file that it is about.
#[derive(Debug)]
pub(crate) struct DistError {
    pub(crate) kind: DistErrorKind,
    path: Option<PathBuf>,
    message: String,
}

impl DistError {
    pub(crate) fn new(kind: DistErrorKind, message: impl Into<String>) -> DistError {
        DistError { kind, path: None, message: message.into() }
    }

    /// Returns a function that adds the path to the error of a file operation.
    pub(crate) fn file<E: fmt::Display>(path: &Path) -> impl FnOnce(E) -> DistError + use<'_, E> {
        move |error| DistError::new(DistErrorKind::File, error.to_string()).at(path)
    }

    /// Sets the file that the error is about.
    pub(crate) fn at(mut self, path: &Path) -> DistError {
        self.path = Some(path.to_owned());
        self
    }
}

impl fmt::Display for DistError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", path.display())?;
        }
        f.write_str(&self.message)
    }
}

impl Error for DistError {}

/// The result of a step.
pub(crate) type Result<T = ()> = std::result::Result<T, DistError>;
