//! Finds changes of the sources of a provider.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::Value as Json;

use super::build::{Binary, BuildOptions};
use super::error::{Error, Result};

/// The pause between two checks for changes.
pub(super) const INTERVAL: Duration = Duration::from_millis(300);

/// The files of a provider and of a Terraform configuration, with the time and the size of each.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Snapshot(BTreeMap<PathBuf, (Option<SystemTime>, u64)>);

impl Snapshot {
    /// Reads the files of the packages in these directories, and the configuration in a directory.
    pub(super) fn take(packages: &BTreeSet<PathBuf>, configuration: &Path) -> Snapshot {
        let mut snapshot = Snapshot::default();
        for directory in packages {
            snapshot.add_directory(directory);
        }
        snapshot.add_files(configuration, is_configuration);
        snapshot
    }

    /// Returns the first path that differs.
    pub(super) fn first_change(&self, newer: &Snapshot) -> Option<PathBuf> {
        let changed = newer.0.iter().find(|(path, file)| self.0.get(*path) != Some(file));
        let removed = || self.0.iter().find(|(path, _)| !newer.0.contains_key(*path));
        changed.or_else(removed).map(|(path, _)| path.clone())
    }

    fn add_directory(&mut self, directory: &Path) {
        for inner in self.add_files(directory, is_source) {
            let name = inner.file_name().unwrap_or_default().to_string_lossy();
            // A target directory is marked by Cargo. Its content changes with every build.
            if !name.starts_with('.') && !inner.join("CACHEDIR.TAG").exists() {
                self.add_directory(&inner);
            }
        }
    }

    /// Adds the files in a directory, and returns the directories in it. A directory that cannot be read has none.
    fn add_files(&mut self, directory: &Path, is_relevant: fn(&Path) -> bool) -> Vec<PathBuf> {
        let mut directories = Vec::new();
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.metadata() {
                Ok(it) if it.is_dir() => directories.push(path),
                Ok(it) if is_relevant(&path) => {
                    self.0.insert(path, (it.modified().ok(), it.len()));
                }
                _ => {}
            }
        }
        directories
    }
}

fn is_source(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name == "Cargo.toml"
        || name == "Cargo.lock"
        || path.extension().is_some_and(|it| it == "rs" || it == "md")
}

fn is_configuration(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "tf" || it == "tofu" || it == "tfvars")
}

/// Returns the directory to which Terraform or OpenTofu changes: `examples` for `terraform -chdir=examples plan`.
pub(super) fn chdir(command: &[OsString]) -> &Path {
    let option = command.iter().skip(1).find_map(|it| it.to_str()?.strip_prefix("-chdir="));
    Path::new(option.unwrap_or_default())
}

/// Returns the directories of the package and of its path dependencies.
pub(super) fn package_directories(options: &BuildOptions, binary: &Binary) -> Result<BTreeSet<PathBuf>> {
    let mut command = options.cargo("metadata");
    command.arg("--format-version=1");
    // Of the arguments of `cargo build`, these also apply to `cargo metadata`.
    let mut arguments = options.arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == "--offline" || argument == "--locked" {
            command.arg(argument);
        } else if argument == "--manifest-path" {
            command.arg(argument).args(arguments.next());
        }
    }
    let output = command.output().map_err(Error::context("cannot run cargo metadata"))?;
    if !output.status.success() {
        return Err(Error::new(format!(
            "cargo metadata failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        )));
    }
    let metadata: Json = serde_json::from_slice(&output.stdout)
        .map_err(|error| Error::new(format!("cannot read the output of cargo metadata: {error}")))?;
    Ok(local_dependencies(&metadata, &binary.package))
}

fn local_dependencies(metadata: &Json, package: &str) -> BTreeSet<PathBuf> {
    let array = |value: &Json| value.as_array().cloned().unwrap_or_default();
    let nodes = array(&metadata["resolve"]["nodes"]);
    let dependencies: BTreeMap<&str, Vec<&str>> = nodes
        .iter()
        .filter_map(|node| {
            let names = node["dependencies"].as_array()?.iter().filter_map(Json::as_str).collect();
            Some((node["id"].as_str()?, names))
        })
        .collect();
    let mut found = BTreeSet::new();
    let mut queue = vec![package];
    while let Some(id) = queue.pop() {
        if found.insert(id) {
            queue.extend(dependencies.get(id).into_iter().flatten());
        }
    }
    let packages = array(&metadata["packages"]);
    let local = packages.iter().filter(|it| it["source"].is_null());
    let local = local.filter(|it| it["id"].as_str().is_some_and(|id| found.contains(id)));
    local.filter_map(|it| Some(Path::new(it["manifest_path"].as_str()?).parent()?.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_and_configuration_are_watched() {
        let root = std::env::temp_dir().join(format!("ferroform-watch-{}", std::process::id()));
        let (package, module) = (root.join("package"), root.join("module"));
        for directory in ["src/deep", "target", ".git"] {
            fs::create_dir_all(package.join(directory)).unwrap();
        }
        fs::create_dir_all(&module).unwrap();
        fs::write(package.join("target/CACHEDIR.TAG"), "").unwrap();
        let packages = BTreeSet::from([package.clone()]);
        let mut last = Snapshot::take(&packages, &module);
        let mut change = |path: PathBuf, text: &str| {
            fs::write(&path, text).unwrap();
            let next = Snapshot::take(&packages, &module);
            let changed = last.first_change(&next);
            last = next;
            changed.is_some_and(|it| it == path)
        };
        assert!(change(package.join("Cargo.toml"), ""));
        assert!(change(package.join("src/deep/a.rs"), "a"));
        assert!(change(package.join("src/deep/a.rs"), "longer"));
        assert!(change(module.join("main.tf"), ""));
        assert!(!change(module.join("terraform.tfstate"), ""));
        assert!(!change(package.join("target/b.rs"), ""));
        assert!(!change(package.join(".git/c.rs"), ""));
        fs::remove_file(module.join("main.tf")).unwrap();
        let next = Snapshot::take(&packages, &module);
        assert_eq!(last.first_change(&next), Some(module.join("main.tf")));
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn local_dependencies_are_found() {
        let metadata = serde_json::json!({
            "packages": [
                {"id": "a", "source": null, "manifest_path": "/w/a/Cargo.toml"},
                {"id": "b", "source": null, "manifest_path": "/w/b/Cargo.toml"},
                {"id": "c", "source": null, "manifest_path": "/w/c/Cargo.toml"},
                {"id": "r", "source": "registry", "manifest_path": "/r/Cargo.toml"},
            ],
            "resolve": {"nodes": [
                {"id": "a", "dependencies": ["r", "b"]},
                {"id": "b", "dependencies": ["a"]},
                {"id": "c", "dependencies": ["a"]},
                {"id": "r", "dependencies": []},
            ]},
        });
        let directories = local_dependencies(&metadata, "a");
        assert_eq!(directories, BTreeSet::from(["/w/a".into(), "/w/b".into()]));
    }
}
