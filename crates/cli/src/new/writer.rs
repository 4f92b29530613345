//! Writes the files of a new project or crate. After an error, nothing is left behind.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::{NewError, Result};

/// Checks that the directory of a project can be created.
///
/// # Errors
///
/// Returns an error if it exists and is not empty.
pub(super) fn check(directory: &Path) -> Result {
    if fs::symlink_metadata(directory).is_err() {
        return Ok(());
    }
    let mut entries = fs::read_dir(directory).map_err(NewError::file(directory))?;
    match entries.next() {
        Some(_) => Err(NewError::new("the directory exists and is not empty").at(directory)),
        None => Ok(()),
    }
}

/// Writes the files, each with its path in the directory, and calls `finish`. After an error, removes them.
///
/// # Errors
///
/// Returns an error if the directory is not empty, or if a file cannot be written, and the error of `finish`.
pub(crate) fn write<'a, T>(
    directory: &Path,
    files: impl IntoIterator<Item = (&'a str, &'a str)>,
    finish: impl FnOnce() -> Result<T>,
) -> Result<T> {
    check(directory)?;
    let mut created = Created::default();
    let written = files.into_iter().try_for_each(|(path, it)| created.file(&directory.join(path), it));
    let result = written.and_then(|()| finish());
    if result.is_err() {
        created.remove();
    }
    result
}

/// The files and directories that were created, in this order.
#[derive(Default)]
struct Created {
    directories: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

impl Created {
    /// Creates a file with its parent directories.
    fn file(&mut self, path: &Path, content: &str) -> Result {
        self.directory(path.parent().unwrap_or(Path::new("")))?;
        // A file that is written in part is also removed.
        self.files.push(path.to_owned());
        fs::write(path, content).map_err(NewError::file(path))
    }

    fn directory(&mut self, path: &Path) -> Result {
        if path.as_os_str().is_empty() || path.is_dir() {
            return Ok(());
        }
        if path.exists() {
            return Err(NewError::new("not a directory").at(path));
        }
        if let Some(parent) = path.parent() {
            self.directory(parent)?;
        }
        fs::create_dir(path).map_err(NewError::file(path))?;
        self.directories.push(path.to_owned());
        Ok(())
    }

    /// Removes everything. Errors are ignored, because the first error is reported.
    fn remove(self) {
        for file in self.files {
            let _ = fs::remove_file(file);
        }
        // A directory is created after its parent.
        for directory in self.directories.into_iter().rev() {
            let _ = fs::remove_dir(directory);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(directory: &Path, paths: &[&'static str]) -> Result {
        super::write(directory, paths.iter().map(|it| (*it, "x")), || Ok(()))
    }

    #[test]
    fn nothing_is_left_behind_after_an_error() {
        let temporary = tempfile::tempdir().unwrap();
        let directory = temporary.path().join("parent").join("project");
        // `src/lib.rs` cannot be a file and a directory.
        let files = ["Cargo.toml", "src/lib.rs", "src/lib.rs/main.rs"];
        let error = write(&directory, &files).unwrap_err().to_string();
        assert!(error.contains("lib.rs"), "{error}");
        assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);

        // An empty directory that existed before remains.
        fs::create_dir_all(&directory).unwrap();
        write(&directory, &files).unwrap_err();
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
        write(&directory, &files[..2]).unwrap();
        assert_eq!(fs::read_to_string(directory.join("src/lib.rs")).unwrap(), "x");
    }

    #[test]
    fn files_of_others_are_kept() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("notes.txt"), "mine").unwrap();
        let error = write(directory.path(), &["notes.txt"]).unwrap_err().to_string();
        assert!(error.ends_with(": the directory exists and is not empty"), "{error}");
        assert_eq!(fs::read_to_string(directory.path().join("notes.txt")).unwrap(), "mine");
        assert!(check(&directory.path().join("notes.txt")).is_err());
    }
}
