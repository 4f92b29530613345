//! The error of a step.

use std::fmt;

use super::Output;

/// The result of a step.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of a step, with the output of the CLI.
///
/// `Debug` prints the same as `Display`, because a failed test that returns a [`Result`] prints `Debug`.
pub struct Error {
    message: String,
    output: Option<Box<Output>>,
}

impl Error {
    pub(super) fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), output: None }
    }

    /// Adds the failed operation to another error, for `map_err`.
    pub(super) fn context<E: fmt::Display>(operation: impl Into<String>) -> impl FnOnce(E) -> Error {
        let operation = operation.into();
        move |error| Error::new(format!("{operation}: {error}"))
    }

    /// An error of a CLI run.
    pub(super) fn with_output(message: impl Into<String>, output: Output) -> Error {
        Error { message: message.into(), output: Some(Box::new(output)) }
    }

    /// Returns the output of the CLI, if it ran.
    pub fn output(&self) -> Option<&Output> {
        self.output.as_deref()
    }

    /// Returns the errors and warnings that the CLI printed; an empty string if it did not run.
    pub fn stderr(&self) -> &str {
        self.output.as_ref().map_or("", |it| &it.stderr)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.output.as_ref().map_or(Ok(()), |it| write!(f, "\n{it}"))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
