//! A temporary folder of a test's own.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Removed with the value, unless the test is just failing: then it is left for a look, and named.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> io::Result<Folder> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let mut builder = DirBuilder::new();
        // States hold secrets.
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        // Resolved, since providers and CLI name it in what they print.
        let parent = fs::canonicalize(std::env::temp_dir())?;
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let path = parent.join(format!("ferroform-{}-{count}", std::process::id()));
            match builder.create(&path) {
                // Left by an earlier process of the same number.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Folder(path)),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = writeln!(io::stderr(), "left for a look: {}", self.0.display());
        } else {
            // What cannot be removed is only litter in a temporary folder.
            let _ = fs::remove_dir_all(&self.0);
        }
    }
}
