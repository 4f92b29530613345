//! The modules of a crate, read from its files.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

/// A module path from the root of the crate, such as `["schema", "block"]`. The path of the root is empty.
pub(crate) type ModulePath = Vec<String>;

/// A file of a crate.
pub(crate) struct Module {
    pub(crate) path: ModulePath,
    pub(crate) syntax: syn::File,
}

/// The files of a crate. Each one is a module.
pub(crate) struct Modules {
    files: Vec<Module>,
    by_path: BTreeMap<ModulePath, usize>,
}

impl Modules {
    /// Reads every file below a `src` directory.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be read or parsed.
    pub(crate) fn read(src: &Path) -> Result<Modules, Box<dyn Error>> {
        let mut modules = Modules { files: Vec::new(), by_path: BTreeMap::new() };
        modules.read_directory(src, &[])?;
        Ok(modules)
    }

    fn read_directory(&mut self, directory: &Path, above: &[String]) -> Result<(), Box<dyn Error>> {
        let mut entries = fs::read_dir(directory)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            let Some(stem) = path.file_stem().and_then(|it| it.to_str()).map(str::to_owned) else { continue };
            let below = || above.iter().cloned().chain([stem.clone()]).collect::<Vec<_>>();
            if path.is_dir() {
                self.read_directory(&path, &below())?;
            } else if path.extension().is_some_and(|it| it == "rs") {
                let is_module_root = matches!(stem.as_str(), "mod" | "lib" | "main");
                let module = if is_module_root { above.to_vec() } else { below() };
                let text = fs::read_to_string(&path)?;
                let syntax =
                    syn::parse_file(&text).map_err(|error| format!("{}: {error}", path.display()))?;
                // The modules of a crate with `lib.rs` and `main.rs` belong to the library.
                if stem != "main" || !directory.join("lib.rs").exists() {
                    self.by_path.insert(module.clone(), self.files.len());
                }
                self.files.push(Module { path: module, syntax });
            }
        }
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.files.len()
    }

    pub(crate) fn files(&self) -> impl Iterator<Item = (usize, &Module)> {
        self.files.iter().enumerate()
    }

    pub(crate) fn file(&self, file: usize) -> &Module {
        &self.files[file]
    }

    /// The file of a module; `None` if the path is not that of a file's module.
    pub(crate) fn at(&self, path: &[String]) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The name of a file's module, for messages.
    pub(crate) fn name(&self, file: usize) -> String {
        match self.files[file].path.as_slice() {
            [] => "the root".to_owned(),
            path => path.join("::"),
        }
    }
}
