//! The error of a step.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Diagnostic, Output};

/// The result of a step.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The error of a step, with the output of Terraform.
///
/// `Debug` prints the message as `Display` does, because a failed test that returns a [`Result`] prints `Debug`. For the error
/// of a step, it adds the configuration and the steps that reproduce the failure.
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
    reproduction: Option<Reproduction>,
}

/// The instructions that reproduce a failure.
pub(super) struct Reproduction {
    pub(super) text: String,
    /// Becomes true when the text is printed, so that it is printed once.
    pub(super) is_printed: Arc<AtomicBool>,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), output: None, reproduction: None }
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

    /// Adds the instructions that reproduce the failure, for `Debug`.
    pub(super) fn with_reproduction(self, reproduction: Reproduction) -> Error {
        Error { reproduction: Some(reproduction), ..self }
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
        write!(f, "{self}")?;
        self.reproduction.as_ref().map_or(Ok(()), |it| {
            it.is_printed.store(true, Ordering::Relaxed);
            write!(f, "\n{}", it.text)
        })
    }
}

impl std::error::Error for Error {}
