//! Repeats a check whenever a file changes.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;
use std::time::Duration;
use std::{fs, io, thread};

/// The polling interval. Reading the metadata of 3,000 files takes about 10 ms.
const INTERVAL: Duration = Duration::from_millis(300);

/// Calls a function, and again after each change of a file in the directories that it returns.
///
/// # Errors
///
/// Returns the first error of the function. Otherwise, this function does not return.
pub(crate) fn watch(mut run: impl FnMut() -> io::Result<BTreeSet<PathBuf>>) -> io::Result<()> {
    loop {
        let directories = run()?;
        let before = fingerprint(&directories);
        while fingerprint(&directories) == before {
            thread::sleep(INTERVAL);
        }
    }
}

/// Returns a hash of the names, sizes and modification times of the files in the directories.
fn fingerprint(directories: &BTreeSet<PathBuf>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for directory in directories {
        let mut files: Vec<_> = fs::read_dir(directory)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| {
                let metadata = fs::metadata(entry.path()).ok();
                (entry.file_name(), metadata.map(|it| (it.len(), it.modified().ok())))
            })
            .collect();
        files.sort_unstable();
        (directory, files).hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_files_are_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let directories = BTreeSet::from([directory.path().to_owned()]);
        let file = directory.path().join("main.tf");
        let empty = fingerprint(&directories);
        fs::write(&file, "a").unwrap();
        let created = fingerprint(&directories);
        fs::write(&file, "ab").unwrap();
        let changed = fingerprint(&directories);
        fs::remove_file(&file).unwrap();
        assert!(empty != created && created != changed && fingerprint(&directories) == empty);
    }

    #[test]
    fn function_is_called_again_after_a_change() {
        let directory = tempfile::tempdir().unwrap();
        let mut calls = 0;
        let result = watch(|| {
            calls += 1;
            if calls == 3 {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            let file = directory.path().join(calls.to_string());
            thread::spawn(move || {
                thread::sleep(INTERVAL / 2);
                fs::write(file, "").unwrap();
            });
            Ok(BTreeSet::from([directory.path().to_owned()]))
        });
        assert_eq!((calls, result.unwrap_err().kind()), (3, io::ErrorKind::BrokenPipe));
    }
}
