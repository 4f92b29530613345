//! The files of a configuration.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use ferroform_lang::body::{self, Body};

use super::json_syntax::translate;
use super::problem::{Problem, Result};

/// A configuration file.
#[derive(Debug)]
pub(crate) struct File {
    /// The path relative to the directory of the root module.
    pub(crate) name: String,
    /// The text in native syntax.
    pub(crate) text: String,
    pub(crate) json: Option<JsonSource>,
}

/// A file in JSON syntax.
#[derive(Debug)]
pub(crate) struct JsonSource {
    pub(crate) text: String,
    /// The positions of names and values in the native syntax, with their positions in the JSON.
    positions: Vec<(Range<usize>, Range<usize>)>,
}

impl JsonSource {
    /// Returns the position in JSON for a position in native syntax: that of the smallest value that contains it.
    pub(crate) fn position(&self, at: &Range<usize>) -> Range<usize> {
        let enclosing = self.positions.iter().filter(|(it, _)| it.start <= at.start && at.end <= it.end);
        enclosing.min_by_key(|(it, _)| it.len()).map_or(0..0, |(_, json)| json.clone())
    }
}

impl File {
    /// A file in native syntax.
    pub(crate) fn native(name: String, text: String) -> File {
        File { name, text, json: None }
    }

    /// A file in JSON syntax.
    fn json(name: String, text: String) -> Result<File> {
        match translate(&text) {
            Ok((native, positions)) => {
                Ok(File { name, text: native, json: Some(JsonSource { text, positions }) })
            }
            Err((at, summary, detail)) => {
                Err(vec![Problem::error(summary, detail).at(&File::native(name, text), at)])
            }
        }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json.is_some()
    }

    /// True for an override file.
    pub(crate) fn is_override(&self) -> bool {
        let name = self.name.rsplit('/').next().unwrap_or_default();
        let name = name.strip_suffix(".json").unwrap_or(name);
        name == "override.tf" || name.ends_with("_override.tf")
    }
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
        Files::read_where(root, is_terraform_file)
    }

    /// Reads the query files of the root module as well.
    pub(crate) fn read_with_queries(root: &Path) -> Result<Files> {
        Files::read_where(root, |name| is_terraform_file(name) || name.ends_with(".tfquery.hcl"))
    }

    fn read_where(root: &Path, is_read: impl Fn(&str) -> bool + Copy) -> Result<Files> {
        let mut files = Files { root: root.to_owned(), ..Files::default() };
        files.read_module(PathBuf::new(), is_read)?;
        let mut names: Vec<String> = ["terraform.tfvars", "terraform.tfvars.json"].map(str::to_owned).into();
        names.extend(
            list_directory(root)?
                .into_iter()
                .filter(|it| it.ends_with(".auto.tfvars") || it.ends_with(".auto.tfvars.json")),
        );
        for name in names.into_iter().filter(|it| root.join(it).is_file()) {
            let text = read_file(&root.join(&name))?;
            files.variables.push(File::native(name, text));
        }
        Ok(files)
    }

    fn read_module(&mut self, directory: PathBuf, is_read: impl Fn(&str) -> bool + Copy) -> Result<()> {
        if self.modules.contains_key(&directory) {
            return Ok(());
        }
        let path = self.root.join(&directory);
        let names = list_directory(&path)?;
        let mut files = Vec::new();
        for name in names.iter().filter(|it| !it.starts_with('.')) {
            if name.ends_with(".tofu") || name.ends_with(".tofu.json") {
                return Err(vec![Problem::unsupported(&format!("The file {name}"))]);
            }
            if !is_read(name) {
                continue;
            }
            let relative = directory.join(name);
            let text = read_file(&path.join(name))?;
            let name = relative.to_string_lossy().replace('\\', "/");
            files.push(match name.ends_with(".json") {
                true => File::json(name, text)?,
                false => File::native(name, text),
            });
        }
        let mut calls = BTreeMap::new();
        let (overrides, others): (Vec<_>, Vec<_>) = files.iter().partition(|it: &&File| it.is_override());
        for file in others.into_iter().chain(overrides) {
            // A file with syntax errors is parsed again when the configuration is evaluated, which reports them.
            if let Ok(body) = body::parse(&file.text) {
                calls.extend(module_sources(&body));
            }
        }
        let base = directory.clone();
        self.modules.insert(directory, files);
        for source in calls.into_values().filter(|it| is_local(it)) {
            self.read_module(join(&base, &source), is_read)?;
        }
        Ok(())
    }
}

/// True for the name of a configuration file of Terraform.
fn is_terraform_file(name: &str) -> bool {
    name.ends_with(".tf") || name.ends_with(".tf.json")
}

/// True for the name of a configuration file of Terraform or OpenTofu.
pub(crate) fn is_configuration_file(name: &str) -> bool {
    is_terraform_file(name) || name.ends_with(".tofu") || name.ends_with(".tofu.json")
}

/// Returns the names in a directory, sorted.
fn list_directory(path: &Path) -> Result<Vec<String>> {
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

fn read_file(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(|error| {
        let detail = format!("The file {} cannot be read: {error}.", path.display());
        vec![Problem::error("Failed to read file", detail)]
    })
}

/// Returns the names and sources of the module calls of a file.
fn module_sources(body: &Body<'_>) -> Vec<(String, String)> {
    let calls = body.blocks.iter().filter(|it| it.name == "module");
    let sources = calls.filter_map(|it| {
        let source = it.body.arguments.iter().find(|it| it.name == "source")?.value.constant().ok()?;
        Some((it.labels.first()?.text.clone(), source.value.as_str()?.to_owned()))
    });
    sources.collect()
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
