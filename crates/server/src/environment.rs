//! Environment variables.

/// The environment of the process, or that of a test.
pub(super) trait Environment {
    /// The value of a variable. As in Terraform, an empty value counts as unset.
    fn get(&self, name: &str) -> Option<String>;
    /// The names of all variables.
    fn names(&self) -> Vec<String>;
}

/// The environment of this process.
pub(super) struct Process;

impl Environment for Process {
    fn get(&self, name: &str) -> Option<String> {
        std::env::var_os(name)
            .map(|value| value.to_string_lossy().into_owned())
            .filter(|value| !value.is_empty())
    }

    fn names(&self) -> Vec<String> {
        std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect()
    }
}
