//! The errors of starting a plugin and connecting to it.

use std::error::Error;
use std::fmt;

type Source = Box<dyn Error + Send + Sync>;

/// A plugin could not be started, or the connection to it failed.
#[derive(Debug)]
pub struct PluginError {
    kind: PluginErrorKind,
    message: String,
    source: Option<Source>,
}

/// The step that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PluginErrorKind {
    /// The program cannot be executed.
    Start,
    /// The program ended before it printed the handshake line. The message contains its output to stderr.
    Exited,
    /// The program did not print the handshake line in time.
    Timeout,
    /// The first line of the program is not a handshake line, or it contains an unsupported version, network or
    /// transport.
    Handshake,
    /// The connection could not be established.
    Connection,
}

impl PluginError {
    pub(super) fn new(kind: PluginErrorKind, message: impl Into<String>) -> PluginError {
        PluginError { kind, message: message.into(), source: None }
    }

    /// For `map_err`: adds the operation that failed.
    pub(super) fn context<E: Into<Source>>(
        kind: PluginErrorKind,
        message: impl Into<String>,
    ) -> impl FnOnce(E) -> PluginError {
        move |source| PluginError { kind, message: message.into(), source: Some(source.into()) }
    }

    /// The step that failed.
    pub fn kind(&self) -> PluginErrorKind {
        self.kind
    }
}

impl fmt::Display for PluginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.source {
            Some(source) => write!(f, ": {source}"),
            None => Ok(()),
        }
    }
}

impl Error for PluginError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|it| it as _)
    }
}
