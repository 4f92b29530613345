//! Commands of the tasks.

use std::env;
use std::ffi::OsStr;
use std::process::Command;

/// A command that runs Cargo.
pub(crate) fn cargo() -> Command {
    program(env!("CARGO"))
}

/// A command that runs a program without the environment variables that `cargo run` sets for this package. The build
/// script of `ring` depends on their values, so Cargo would compile `ring` and the crates that depend on it again.
pub(crate) fn program(path: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(path);
    for (name, _) in env::vars_os() {
        let is_of_package =
            name.to_str().is_some_and(|it| it.starts_with("CARGO_PKG_") || it.starts_with("CARGO_MANIFEST_"));
        if is_of_package {
            command.env_remove(name);
        }
    }
    command
}
