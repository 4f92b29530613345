//! The error of a step.

use std::fmt;
use std::sync::Arc;

use super::{Diagnostic, Output};

/// The result of a step.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of a step, with the output of Terraform.
///
/// `Debug` prints the message as `Display` does, because a failed test that returns a [`Result`] prints `Debug`. If a test returns
/// an error with `?`, the [`Workspace`](super::Workspace) prints the configuration and the steps that reproduce the failure.
///
/// ```no_run
/// # fn example(workspace: ferroform_testing::workspace::Workspace) -> ferroform_testing::workspace::Result<()> {
/// workspace.write("main.tf", "resource \"notes_note\" \"a\" {}\n")?;
/// let error = workspace.plan().unwrap_err();
/// let [diagnostic] = error.diagnostics() else { panic!("{error}") };
/// assert_eq!((&*diagnostic.summary, &*diagnostic.location), ("Missing required argument", "main.tf:1"));
/// # Ok(())
/// # }
/// ```
pub struct Error {
    message: String,
    output: Option<Box<Output>>,
    /// Clones [`ERRORS`].
    _counted: Arc<()>,
}

thread_local! {
    /// Each error of this thread holds a clone.
    static ERRORS: Arc<()> = Arc::default();
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), output: None, _counted: ERRORS.with(Arc::clone) }
    }

    /// True if an error of this thread has not been dropped. A test that returns an error with `?` drops its workspace before it.
    pub(super) fn has_undropped() -> bool {
        ERRORS.try_with(|it| Arc::strong_count(it) > 1).unwrap_or(false)
    }

    /// Adds the failed operation to another error, for `map_err`.
    pub(crate) fn context<E: fmt::Display>(operation: impl Into<String>) -> impl FnOnce(E) -> Error {
        let operation = operation.into();
        move |error| Error::new(format!("{operation}: {error}"))
    }

    /// An error of a run.
    pub(crate) fn with_output(message: impl Into<String>, output: Output) -> Error {
        Error { output: Some(Box::new(output)), ..Error::new(message) }
    }

    /// Returns the diagnostics of Terraform and the providers. The slice is empty if Terraform did not run, for example because
    /// a file cannot be written.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.output.as_ref().map_or(&[], |it| &it.diagnostics)
    }

    /// Returns the output of Terraform, if it ran.
    pub fn output(&self) -> Option<&Output> {
        self.output.as_deref()
    }

    /// Returns the errors that Terraform printed; an empty string if it did not run.
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
