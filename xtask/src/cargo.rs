//! Cargo, as the tasks run it.

use std::env;
use std::process::Command;

/// Cargo, without the variables that `cargo run` has set for this package. The build script of `ring` depends on their
/// values, so Cargo would compile `ring` and the crates that depend on it again.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.env_remove("CARGO_MANIFEST_DIR");
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_PKG_")) {
        command.env_remove(name);
    }
    command
}
