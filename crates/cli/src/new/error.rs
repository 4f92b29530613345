//! The errors of `cargo ferroform new`.

use std::fmt;
use std::path::{Path, PathBuf};

/// An error with the file or the directory that it is about.
#[derive(Debug)]
pub(crate) struct NewError {
    path: Option<PathBuf>,
    message: String,
}

impl NewError {
    pub(crate) fn new(message: impl Into<String>) -> NewError {
        NewError { path: None, message: message.into() }
    }

    /// Returns a function that adds the path to the error of a file operation.
    pub(crate) fn file<E: fmt::Display>(path: &Path) -> impl FnOnce(E) -> NewError + use<'_, E> {
        move |error| NewError::new(error.to_string()).at(path)
    }

    /// Sets the file that the error is about.
    pub(crate) fn at(mut self, path: &Path) -> NewError {
        self.path = Some(path.to_owned());
        self
    }
}

impl fmt::Display for NewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", path.display())?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for NewError {}

/// The result of a step.
pub(crate) type Result<T = ()> = std::result::Result<T, NewError>;
