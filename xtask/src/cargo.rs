//! Commands of the tasks.

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use crate::clients;
use crate::result::Result;

/// A command that runs Cargo.
pub(crate) fn cargo() -> Command {
    program(env!("CARGO"))
}

/// A command that runs Cargo in the workspace of the providers, with the target directory of this workspace.
///
/// # Errors
///
/// Returns an error if the directory of this repository cannot be determined.
pub(crate) fn cargo_of_providers() -> Result<Command> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("xtask has no parent directory")?;
    let mut command = cargo();
    command.current_dir(root.join("providers")).env("CARGO_TARGET_DIR", clients::target_directory()?);
    Ok(command)
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
