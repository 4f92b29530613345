//! The problems of a file.

/// A problem in a file.
#[derive(Debug)]
pub(super) struct Problem {
    /// The position, in bytes.
    pub(super) at: usize,
    pub(super) message: String,
    pub(super) is_warning: bool,
}

impl Problem {
    pub(super) fn error(at: usize, message: impl Into<String>) -> Problem {
        Problem { at, message: message.into(), is_warning: false }
    }

    /// An error in the source.
    pub(super) fn of_source(it: &ferroform_lang::Diagnostic) -> Problem {
        Problem::error(it.span().start.byte, format!("{}: {}", it.summary(), it.detail()))
    }
}
