//! The remote service: a directory with JSON files.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;

use ferroform::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(super) struct Store {
    directory: PathBuf,
}

impl Store {
    pub(super) fn new(directory: PathBuf) -> Result<Store> {
        fs::create_dir_all(&directory).context("Cannot Create Directory")?;
        Ok(Store { directory })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.directory.join(format!("{name}.json"))
    }

    /// The price of a number of items.
    pub(super) fn price_of(&self, items: i64) -> i64 {
        items.saturating_mul(3)
    }

    pub(super) fn write(&self, name: &str, object: &impl Serialize) -> Result<()> {
        let json = serde_json::to_vec(object)?;
        fs::write(self.file(name), json).context("Cannot write the object")
    }

    /// Appends a line to a file.
    pub(super) fn append(&self, file: &str, line: &str) -> Result<()> {
        let path = self.directory.join(file);
        let file = fs::OpenOptions::new().append(true).create(true).open(path);
        file.and_then(|mut it| it.write_all(format!("{line}\n").as_bytes())).context("Cannot append a line")
    }

    pub(super) fn read<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>> {
        match fs::read(self.file(name)) {
            Ok(json) => Ok(Some(serde_json::from_slice(&json).context("Cannot read the object")?)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).context("Cannot read the object"),
        }
    }

    /// The names of all objects, sorted.
    pub(super) fn names(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.directory).context("Cannot read the directory")? {
            let name = entry.context("Cannot read the directory")?.file_name();
            names.extend(name.to_str().and_then(|it| it.strip_suffix(".json")).map(str::to_owned));
        }
        names.sort();
        Ok(names)
    }

    pub(super) fn remove(&self, name: &str) -> Result<()> {
        match fs::remove_file(self.file(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).context("Cannot remove the object")
            }
            _ => Ok(()),
        }
    }
}
