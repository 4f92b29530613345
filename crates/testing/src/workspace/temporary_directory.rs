//! Temporary directories.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A temporary directory, which is removed on drop. Only its owner can read it, because state files contain secrets.
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

    /// The directory of the configuration. The other files of a workspace are next to it.
    pub(super) fn configuration(&self) -> PathBuf {
        self.path().join("configuration")
    }

    /// Keeps the directory for inspection.
    pub(super) fn keep(&mut self) {
        self.0.disable_cleanup(true);
    }
}
