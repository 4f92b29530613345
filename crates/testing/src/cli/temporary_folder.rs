//! Temporary folders.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A temporary folder, which is removed on drop. If the test fails, the folder remains and its path is printed.
#[derive(Debug)]
pub(super) struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    pub(super) fn new() -> io::Result<TemporaryFolder> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let mut builder = DirBuilder::new();
        // State files contain secrets.
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        // Without symbolic links, because tests compare it with paths that providers and the CLI print.
        let parent = fs::canonicalize(std::env::temp_dir())?;
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("ferroform-{}-{count}", std::process::id()));
            match builder.create(&path) {
                // An earlier process with the same ID did not remove its folder.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                created => return created.map(|()| TemporaryFolder(path)),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = writeln!(io::stderr(), "kept for inspection: {}", self.0.display());
        } else {
            // A folder that cannot be removed does no harm.
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}
