//! Access to files.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Component, Path, PathBuf};

use ferroform::{Context, Diagnostic, Result, path};

use crate::binary::Base64;
use crate::permission::Permission;

/// The content, which the configuration sets in one of three attributes.
pub(crate) fn bytes(text: Option<String>, base64: Option<Base64>, source: Option<String>) -> Result<Vec<u8>> {
    match (text, base64, source) {
        (Some(text), ..) => Ok(text.into_bytes()),
        (_, Some(Base64(bytes)), _) => Ok(bytes),
        (.., Some(source)) => {
            fs::read(&source).context(format!("Cannot read the file {source:?}")).at(path!(source))
        }
        (None, None, None) => Ok(Vec::new()),
    }
}

/// Writes a file and creates missing parent directories. The permissions apply to created files and directories.
pub(crate) fn write(filename: &str, bytes: &[u8], file: Permission, directory: Permission) -> Result<()> {
    let write = || {
        let parent = clean(Path::new(filename).parent().unwrap_or(Path::new("")));
        builder(directory).recursive(true).create(parent)?;
        options(file).write(true).create(true).truncate(true).open(filename)?.write_all(bytes)
    };
    write().context(format!("Cannot write the file {filename:?}")).at(path!(filename))
}

/// Removes `.` and `..` from a path without accessing the file system: `a/b/../c` becomes `a/c`, and an empty path `.`. So no
/// directory `a/b` is created for this path.
pub(crate) fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir
                if matches!(cleaned.components().next_back(), Some(Component::Normal(_))) =>
            {
                cleaned.pop();
            }
            Component::CurDir => {}
            component => cleaned.push(component),
        }
    }
    if cleaned.as_os_str().is_empty() { PathBuf::from(".") } else { cleaned }
}

/// Returns the content of a file; `None` if it does not exist.
pub(crate) fn read(filename: &str) -> Result<Option<Vec<u8>>> {
    match fs::read(filename) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).context(format!("Cannot read the file {filename:?}")).at(path!(filename)),
    }
}

/// Deletes a file, if it exists. A directory at its path is deleted only if it is empty, as in the original provider.
pub(crate) fn delete(filename: &str) -> Result<()> {
    let Err(error) = fs::remove_file(filename) else { return Ok(()) };
    if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
        return Ok(());
    }
    if fs::symlink_metadata(filename).is_ok_and(|it| it.is_dir()) {
        // A directory that is not empty stays: it is not an object of this resource.
        let _ = fs::remove_dir(filename);
        return Ok(());
    }
    Err(error).context(format!("Cannot delete the file {filename:?}"))
}

/// An existing file.
pub(crate) struct Found {
    pub(crate) bytes: Vec<u8>,
    pub(crate) permission: Permission,
}

/// Reads a file that must exist.
pub(crate) fn find(filename: &str) -> Result<Found> {
    let missing = || {
        let detail = format!("There is no file at {filename:?}. The import ID of a file is its path.");
        Diagnostic::error("File Not Found").detail(detail)
    };
    let bytes = read(filename)?.ok_or_else(missing)?;
    let metadata = fs::metadata(filename).context(format!("Cannot read the file {filename:?}"))?;
    Ok(Found { bytes, permission: permission(&metadata) })
}

#[cfg(unix)]
fn options(Permission(bits): Permission) -> OpenOptions {
    let mut options = OpenOptions::new();
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, bits);
    options
}

#[cfg(unix)]
fn builder(Permission(bits): Permission) -> DirBuilder {
    let mut builder = DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, bits);
    builder
}

#[cfg(unix)]
fn permission(metadata: &fs::Metadata) -> Permission {
    Permission(std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777)
}

/// On systems other than Unix, files have no permission bits.
#[cfg(not(unix))]
fn options(_: Permission) -> OpenOptions {
    OpenOptions::new()
}

#[cfg(not(unix))]
fn builder(_: Permission) -> DirBuilder {
    DirBuilder::new()
}

#[cfg(not(unix))]
fn permission(_: &fs::Metadata) -> Permission {
    Permission(0o777)
}
