//! Environment variables.

/// The process environment, or a test's.
pub(super) trait Environment {
    /// The variable's value; an empty one counts as absent, as it does for the host.
    fn get(&self, name: &str) -> Option<String>;
}

/// The environment of this process.
pub(super) struct Process;

impl Environment for Process {
    fn get(&self, name: &str) -> Option<String> {
        std::env::var_os(name)
            .map(|value| value.to_string_lossy().into_owned())
            .filter(|value| !value.is_empty())
    }
}
