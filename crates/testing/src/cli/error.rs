//! Why a step could not be taken.

use std::fmt;

use super::Output;

/// The answer of a step.
pub type Result<T, E = Failed> = std::result::Result<T, E>;

/// Why a step could not be taken, with all that the CLI printed.
///
/// `Debug` prints the same readable text as `Display`, since that is what a failed test shows.
pub struct Failed {
    text: String,
    output: Option<Box<Output>>,
}

impl Failed {
    pub(super) fn new(text: impl Into<String>) -> Failed {
        Failed { text: text.into(), output: None }
    }

    /// For `map_err`: says what was tried.
    pub(super) fn context<E: fmt::Display>(what: impl Into<String>) -> impl FnOnce(E) -> Failed {
        let what = what.into();
        move |error| Failed::new(format!("{what}: {error}"))
    }

    pub(super) fn of(text: impl Into<String>, output: Output) -> Failed {
        Failed { text: text.into(), output: Some(Box::new(output)) }
    }

    /// What the CLI answered, where it ran.
    pub fn output(&self) -> Option<&Output> {
        self.output.as_deref()
    }

    /// What the CLI printed as errors and warnings; empty where it did not run.
    pub fn stderr(&self) -> &str {
        self.output.as_ref().map_or("", |it| &it.stderr)
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        self.output.as_ref().map_or(Ok(()), |it| write!(f, "\n{it}"))
    }
}

impl fmt::Debug for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Failed {}
