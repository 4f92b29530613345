//! Temporary directories.

use std::io::{self, Write as _};
use std::path::Path;

use tempfile::TempDir;

/// A temporary directory, which is removed on drop. If the test fails, the directory remains and its path is printed. Only its
/// owner can read it, because state files contain secrets.
#[derive(Debug)]
pub(super) struct TemporaryDirectory(TempDir);

impl TemporaryDirectory {
    pub(super) fn new() -> io::Result<TemporaryDirectory> {
        // Without symbolic links, because tests compare it with paths that providers and the CLI print.
        let parent = dunce::canonicalize(std::env::temp_dir())?;
        tempfile::Builder::new().prefix("ferroform-").tempdir_in(parent).map(TemporaryDirectory)
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.disable_cleanup(true);
            let _ = writeln!(io::stderr(), "kept for inspection: {}", self.0.path().display());
        }
    }
}
