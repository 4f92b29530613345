//! The directories of a provider's documentation, in the layout of HashiCorp's documentation tool.
//!
//! ```text
//! docs/                                       the generated pages
//! examples/resources/local_file/resource.tf   an example for the page of a resource
//! templates/resources/file.md.tmpl            a template for its page
//! ```

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ferroform_engine::Kind;

use super::kind;

/// The directories.
#[derive(Debug, PartialEq)]
pub(super) struct Project {
    /// The directory to which paths in templates are relative.
    pub(super) root: PathBuf,
    pub(super) docs: PathBuf,
    pub(super) examples: PathBuf,
    pub(super) templates: PathBuf,
}

impl Project {
    /// By default, examples and templates are next to the pages.
    pub(super) fn new(docs: PathBuf, examples: Option<PathBuf>, templates: Option<PathBuf>) -> Project {
        let root = docs.parent().unwrap_or(Path::new("")).to_owned();
        Project {
            examples: examples.unwrap_or_else(|| root.join("examples")),
            templates: templates.unwrap_or_else(|| root.join("templates")),
            root,
            docs,
        }
    }

    /// The directory with the examples of an object.
    pub(super) fn example_directory(&self, kind: Kind, name: &str) -> PathBuf {
        let directory = self.examples.join(kind::directory(kind));
        if kind == Kind::Provider { directory } else { directory.join(name) }
    }

    /// The files with examples for a page, sorted by name.
    pub(super) fn example_files(&self, kind: Kind, name: &str) -> Result<Vec<PathBuf>, String> {
        let (start, extension) = kind::example(kind);
        let mut files = entries(&self.example_directory(kind, name))?;
        files.retain(|it| {
            let name = it.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(&start) && name.ends_with(extension) && it.is_file()
        });
        Ok(files)
    }

    /// The path as templates and messages contain it: relative to the root, with slashes.
    pub(super) fn display(&self, path: &Path) -> String {
        let relative = path.strip_prefix(&self.root).unwrap_or(path);
        relative.to_string_lossy().replace('\\', "/")
    }
}

/// Returns the entries of a directory, sorted by name; none if it does not exist.
pub(super) fn entries(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let cannot_read = |error| format!("cannot read {}: {error}", directory.display());
    let found = match fs::read_dir(directory) {
        Ok(it) => it,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(cannot_read(error)),
    };
    let mut entries =
        found.map(|it| it.map(|it| it.path())).collect::<Result<Vec<_>, _>>().map_err(cannot_read)?;
    entries.sort();
    Ok(entries)
}

/// Reads a file that must exist.
pub(super) fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}
