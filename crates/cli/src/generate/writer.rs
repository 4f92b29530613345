//! Writing the files of a crate, and formatting them with rustfmt.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::crate_code::SourceFile;

/// The warning if rustfmt is not installed.
const NOT_FORMATTED: &str =
    "rustfmt was not found, so the code is not formatted; install it with `rustup component add rustfmt`";

/// Writes the files of a crate into a new or empty directory, and formats them. Returns a warning if rustfmt is not
/// installed. The files are written to a temporary directory first, so that a failed run does not leave some of them.
///
/// # Errors
///
/// If the directory contains files, or if a file cannot be written.
pub(super) fn write(directory: &Path, files: &[SourceFile]) -> Result<Option<String>, String> {
    let at = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
    if fs::read_dir(directory).is_ok_and(|mut it| it.next().is_some()) {
        return Err(format!("{}: the directory is not empty", directory.display()));
    }
    // The target is created first, because its parent may not exist either.
    let existed = directory.exists();
    fs::create_dir_all(directory).map_err(|error| at(directory, error))?;
    let temporary = temporary_sibling(directory).map_err(|error| at(directory, error))?;
    let write = || {
        fs::create_dir_all(temporary.join("src")).map_err(|error| at(directory, error))?;
        for (path, content) in files {
            fs::write(temporary.join(path), content).map_err(|error| at(&directory.join(path), error))?;
        }
        let warning = format_crate(&temporary)?;
        for name in ["src", "Cargo.toml"] {
            let path = directory.join(name);
            fs::rename(temporary.join(name), &path).map_err(|error| at(&path, error))?;
        }
        Ok(warning)
    };
    let written = write();
    // An error of these calls does not change the result.
    drop(fs::remove_dir_all(&temporary));
    if written.is_err() {
        drop(fs::remove_dir_all(directory.join("src")));
        if !existed {
            drop(fs::remove_dir(directory));
        }
    }
    written
}

/// Returns the path of a directory next to another one, with the same file system.
fn temporary_sibling(directory: &Path) -> io::Result<PathBuf> {
    let directory = fs::canonicalize(directory)?;
    let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(directory.with_file_name(format!(".{name}.{}.tmp", std::process::id())))
}

/// Formats the files of a crate. Returns a warning if rustfmt is not installed.
fn format_crate(directory: &Path) -> Result<Option<String>, String> {
    let roots = [directory.join("src/lib.rs"), directory.join("src/main.rs")];
    let output = rustfmt().args(&roots).stdin(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => Ok(None),
        Ok(output) => Err(format!("rustfmt failed: {}", String::from_utf8_lossy(&output.stderr))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some(NOT_FORMATTED.to_owned())),
        Err(error) => Err(format!("rustfmt failed: {error}")),
    }
}

/// Formats a module. Returns a warning if rustfmt is not installed.
pub(super) fn format_code(code: String) -> Result<(String, Option<String>), String> {
    let failed = |error: &dyn std::fmt::Display| format!("rustfmt failed: {error}");
    let piped = rustfmt().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match piped {
        Ok(child) => child,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok((code, Some(NOT_FORMATTED.to_owned())));
        }
        Err(error) => return Err(failed(&error)),
    };
    // rustfmt reads all of its input before it writes, so the pipes cannot block each other.
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(code.as_bytes()).map_err(|error| failed(&error))?;
    }
    let output = child.wait_with_output().map_err(|error| failed(&error))?;
    if !output.status.success() {
        return Err(failed(&String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map(|it| (it, None)).map_err(|error| failed(&error))
}

fn rustfmt() -> Command {
    let mut command = Command::new("rustfmt");
    command.args(["--edition", "2024", "--quiet"]);
    command
}
