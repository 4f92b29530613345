//! Errors that prevent the server from starting.

use std::error::Error as StdError;
use std::fmt;

/// An error message for the user who started the process, and its cause.
#[derive(Debug)]
pub(super) struct Error {
    message: String,
    cause: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), cause: None }
    }

    /// For `map_err`: adds the failed operation.
    pub(super) fn context<E>(message: impl Into<String>) -> impl FnOnce(E) -> Self
    where
        E: Into<Box<dyn StdError + Send + Sync>>,
    {
        |cause| Self { message: message.into(), cause: Some(cause.into()) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.cause {
            Some(cause) => write!(f, ": {cause}"),
            None => Ok(()),
        }
    }
}
