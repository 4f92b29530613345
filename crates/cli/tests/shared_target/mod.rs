//! The target directory of this workspace, in which the tests build projects, so that their dependencies are compiled only once.

use std::path::Path;
use std::process::Command;

/// The target directory of this workspace.
pub(crate) fn target_directory() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap()
}

/// Makes a command, and each `cargo` that it starts, use the target directory of this workspace.
pub(crate) fn use_target_directory(command: &mut Command) {
    command.env("CARGO_TARGET_DIR", target_directory());
    // Cargo sets variables of this package, with which build scripts would run again.
    let is_of_package = |it: &str| it.starts_with("CARGO_PKG_") || it.starts_with("CARGO_MANIFEST_");
    for (name, _) in std::env::vars_os().filter(|(it, _)| it.to_str().is_some_and(is_of_package)) {
        command.env_remove(name);
    }
}

/// Makes a `cargo` command apply the lints of Clippy to the packages of its workspace. `cargo clippy` would compile all
/// dependencies again.
pub(crate) fn deny_warnings_of_clippy(command: &mut Command) {
    command
        .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        .env("CLIPPY_ARGS", "-Dwarnings__CLIPPY_HACKERY__");
}
