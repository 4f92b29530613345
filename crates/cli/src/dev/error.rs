//! Errors of `cargo ferroform dev`.

use std::fmt;
use std::io;

/// An error with the exit code of the command.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Error {
    /// The text for the user. It is empty if a program that ran has already printed the reason.
    message: String,
    code: u8,
}

pub(crate) type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error with exit code 1.
    pub(crate) fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), code: 1 }
    }

    /// A program has ended with this exit code, and has printed the reason.
    pub(crate) fn exit(code: u8) -> Error {
        Error { message: String::new(), code }
    }

    /// Converts an error of the operating system. The context states what failed: `cannot read main.rs`.
    pub(crate) fn context(context: impl fmt::Display) -> impl FnOnce(io::Error) -> Error {
        move |error| Error::new(format!("{context}: {error}"))
    }

    #[must_use]
    pub(crate) fn with_code(self, code: u8) -> Error {
        Error { code, ..self }
    }

    pub(crate) fn code(&self) -> u8 {
        self.code
    }

    /// The text for the user; `None` if a program has already printed the reason.
    pub(crate) fn message(&self) -> Option<&str> {
        Some(&*self.message).filter(|it| !it.is_empty())
    }
}
