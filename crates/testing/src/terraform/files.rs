//! The files of a configuration.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ferroform_lang::body::{self, Body};

use super::problem::{Problem, Result};

/// A configuration file.
#[derive(Debug)]
pub(crate) struct File {
    /// The path relative to the directory of the root module.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The files of the modules, by directory relative to the root module. A saved plan keeps them, as in Terraform.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) root: PathBuf,
    pub(crate) modules: BTreeMap<PathBuf, Vec<File>>,
    /// The variable definitions files in the order in which they take precedence.
    pub(crate) variables: Vec<File>,
}

impl Files {
    /// Reads the files of the root module and of the local modules that it calls.
    pub(crate) fn read(root: &Path) -> Result<Files> {
        Files::read_where(root, |name| name.ends_with(".tf"))
    }

    /// Reads the query files of the root module as well.
    pub(crate) fn read_with_queries(root: &Path) -> Result<Files> {
        Files::read_where(root, |name| name.ends_with(".tf") || name.ends_with(".tfquery.hcl"))
    }

    fn read_where(root: &Path, is_read: impl Fn(&str) -> bool + Copy) -> Result<Files> {
        let mut files = Files { root: root.to_owned(), ..Files::default() };
        files.read_module(PathBuf::new(), is_read)?;
        let mut names: Vec<String> = ["terraform.tfvars", "terraform.tfvars.json"].map(str::to_owned).into();
        names.extend(
            directory(root)?
                .into_iter()
                .filter(|it| it.ends_with(".auto.tfvars") || it.ends_with(".auto.tfvars.json")),
        );
        for name in names.into_iter().filter(|it| root.join(it).is_file()) {
            let text = read(&root.join(&name))?;
            files.variables.push(File { name, text });
        }
        Ok(files)
    }

    fn read_module(&mut self, directory: PathBuf, is_read: impl Fn(&str) -> bool + Copy) -> Result<()> {
        if self.modules.contains_key(&directory) {
            return Ok(());
        }
        let path = self.root.join(&directory);
        let names = self::directory(&path)?;
        let mut files = Vec::new();
        for name in names.iter().filter(|it| !it.starts_with('.')) {
            if name.ends_with(".tf.json") || name.ends_with(".tofu") || name.ends_with(".tofu.json") {
                return Err(vec![Problem::unsupported(&format!("The file {name}"))]);
            }
            if !is_read(name) {
                continue;
            }
            if name == "override.tf" || name.ends_with("_override.tf") {
                return Err(vec![Problem::unsupported(&format!("The override file {name}"))]);
            }
            let relative = directory.join(name);
            let text = read(&path.join(name))?;
            let name = relative.to_string_lossy().replace('\\', "/");
            files.push(File { name, text });
        }
        let mut calls = Vec::new();
        for file in &files {
            // A file with syntax errors is parsed again when the configuration is evaluated, which reports them.
            if let Ok(body) = body::parse(&file.text) {
                calls.extend(local_sources(&body));
            }
        }
        let base = directory.clone();
        self.modules.insert(directory, files);
        for source in calls {
            self.read_module(join(&base, &source), is_read)?;
        }
        Ok(())
    }
}

/// Returns the names in a directory, sorted.
fn directory(path: &Path) -> Result<Vec<String>> {
    let unreadable = |error: std::io::Error| {
        let detail = format!("The directory {} cannot be read: {error}.", path.display());
        vec![Problem::error("Unreadable module directory", detail)]
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(path).map_err(unreadable)? {
        names.push(entry.map_err(unreadable)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| {
        let detail = format!("The file {} cannot be read: {error}.", path.display());
        vec![Problem::error("Failed to read file", detail)]
    })
}

/// Returns the local sources of the module calls of a file.
fn local_sources(body: &Body<'_>) -> Vec<String> {
    let calls = body.blocks.iter().filter(|it| it.name == "module");
    let sources = calls.filter_map(|it| it.body.arguments.iter().find(|it| it.name == "source"));
    let sources = sources.filter_map(|it| it.value.constant().ok()?.value.as_str().map(str::to_owned));
    sources.filter(|it| is_local(it)).collect()
}

/// True for a source that is a directory: `./network` or `../network`.
pub(crate) fn is_local(source: &str) -> bool {
    source.starts_with("./") || source.starts_with("../")
}

/// Returns the directory of a local module, relative to the root module.
pub(crate) fn join(base: &Path, source: &str) -> PathBuf {
    let mut path = base.to_owned();
    for part in source.split('/') {
        match part {
            "" | "." => {}
            ".." if path.file_name().is_some_and(|it| it != "..") => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path
}
