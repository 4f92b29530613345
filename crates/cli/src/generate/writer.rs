//! Writing the files of a crate, and formatting them with rustfmt.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use super::crate_code::SourceFile;
use crate::new;
use crate::new::error::NewError;

/// The warning if rustfmt is not installed.
const NOT_FORMATTED: &str =
    "rustfmt was not found, so the code is not formatted; install it with `rustup component add rustfmt`";

/// Writes the files of a crate into a new or empty directory, and formats them. Returns a warning if rustfmt is not
/// installed. After an error, no files are left.
///
/// # Errors
///
/// Returns an error if the directory contains files, if a file cannot be written, or if rustfmt fails.
pub(super) fn write(directory: &Path, files: &[SourceFile]) -> Result<Option<String>, String> {
    let files = files.iter().map(|(path, content)| (&**path, &**content));
    let format = || format_crate(directory).map_err(NewError::new);
    new::writer::write(directory, files, format).map_err(|error| error.to_string())
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
