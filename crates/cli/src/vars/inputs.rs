//! The inputs of a module: values from the environment, files and the command line.
//!
//! The precedence is that of Terraform, from lowest to highest:
//!
//! 1. `TF_VAR_name` in the environment
//! 2. `terraform.tfvars`
//! 3. `terraform.tfvars.json`
//! 4. `*.auto.tfvars` and `*.auto.tfvars.json`, by name
//! 5. `-var` and `-var-file`, in the order of the command line
//!
//! A value for an undeclared variable is an error on the command line and a warning in a file. In the environment, it
//! is a note if the name is similar to that of a variable.
//!
//! ```
//! use cargo_ferroform::vars::{SourceTexts, evaluate_sources};
//!
//! let text = |name: &str, text: &str| (name.to_owned(), text.to_owned());
//! let report = evaluate_sources(&SourceTexts {
//!     module: vec![text("main.tf", "variable \"size\" {}")],
//!     values: vec![text("terraform.tfvars", "size = 1"), text("b.auto.tfvars", "size = 2")],
//! });
//! assert_eq!(report.to_text(), "size = 2\n");
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ferroform_lang::body::{Block, Body, Expression};

use super::diagnostic::{Diagnostic, Severity, diagnostics};
use super::document::{Document, read_source};
use super::json::{Kind, Node};
use super::module::Module;
use super::request::{Request, Setting};
use super::source::{Location, Source};
use crate::suggest::did_you_mean;

/// The prefix of the names of environment variables.
const PREFIX: &str = "TF_VAR_";

/// The origin of a source of values.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Origin {
    File,
    Environment(String),
    Option(String),
}

/// A source of values, or the error of reading it.
pub(super) struct InputSource {
    pub(super) source: Result<Source, Diagnostic>,
    pub(super) origin: Origin,
}

/// A value for a variable, before its conversion to the type of the variable.
#[derive(Debug)]
pub(super) struct Input<'d> {
    pub(super) origin: Origin,
    /// The location of the name. For a value from the environment or the command line, it is the whole source.
    pub(super) location: Location,
    pub(super) content: Content<'d>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Content<'d> {
    Native(&'d Expression<'d>),
    Json(&'d Node),
    Text(&'d str),
}

/// Returns the sources of values. A later source takes precedence over an earlier one.
pub(super) fn sources(request: &Request) -> Vec<InputSource> {
    let mut found = Vec::new();
    let mut environment: Vec<(&str, &str)> = request
        .environment
        .iter()
        .filter_map(|(name, value)| Some((name.to_str()?.strip_prefix(PREFIX)?, value.to_str()?)))
        .collect();
    environment.sort_unstable();
    for (name, value) in environment {
        let source = Source::new(format!("{PREFIX}{name}"), value.to_owned());
        found.push(InputSource { source: Ok(source), origin: Origin::Environment(name.to_owned()) });
    }
    for name in files(&request.directory) {
        found.push(InputSource {
            source: read_source(&request.directory.join(&name), name),
            origin: Origin::File,
        });
    }
    for it in &request.options {
        found.push(match it {
            Setting::File(path) => {
                let source = if path.exists() {
                    read_source(path, path.to_string_lossy().into_owned())
                } else {
                    let detail = format!("The variables file {} does not exist.", path.display());
                    Err(Diagnostic::new("Failed to read variables file", detail, None))
                };
                InputSource { source, origin: Origin::File }
            }
            Setting::Value { name, value } => {
                let source = Source::new(format!("-var {name}"), value.clone());
                InputSource { source: Ok(source), origin: Origin::Option(name.clone()) }
            }
        });
    }
    found
}

/// Returns the names of the files in the directory that Terraform reads automatically, in its order.
fn files(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in ["terraform.tfvars", "terraform.tfvars.json"] {
        if directory.join(name).exists() {
            names.push(name.to_owned());
        }
    }
    let listed = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut auto: Vec<String> = listed
        .filter_map(|it| it.file_name().into_string().ok())
        .filter(|it| it.ends_with(".auto.tfvars") || it.ends_with(".auto.tfvars.json"))
        .collect();
    auto.sort_unstable();
    names.extend(auto);
    names
}

/// Returns the value of highest precedence for each name. The first of the origins is that of the source `from`.
pub(super) fn gather<'d>(
    sources: &'d [Source],
    documents: &'d [Document<'d>],
    (from, origins): (usize, &[Origin]),
    module: &Module<'_>,
    found: &mut Vec<Diagnostic>,
) -> BTreeMap<String, Input<'d>> {
    let mut inputs = BTreeMap::new();
    for (source, origin) in (from..).zip(origins) {
        let mut add = |name: &str, location, content| {
            inputs.insert(name.to_owned(), Input { origin: origin.clone(), location, content });
        };
        match (origin, &documents[source]) {
            (Origin::Environment(name) | Origin::Option(name), _) => {
                let text = &sources[source].text;
                add(name, Location::new(source, 0..text.len()), Content::Text(text));
            }
            (Origin::File, Document::Native(body, errors)) => {
                found.extend(errors.iter().flat_map(|e| diagnostics(e, source)));
                native(found, body, source, &mut add);
            }
            (Origin::File, Document::Json(Ok(root))) => json(found, root, source, &mut add),
            (Origin::File, Document::Json(Err((at, detail)))) => {
                let location = Location::new(source, at.clone());
                found.push(Diagnostic::of_value("Invalid JSON", detail, location));
            }
            (Origin::File, Document::Value) => {}
        }
    }
    if !module.is_incomplete {
        inputs.retain(|name, it| {
            let is_declared = module.variables.contains_key(name);
            if !is_declared {
                found.extend(undeclared(name, it, module));
            }
            is_declared
        });
    }
    inputs
}

fn native<'d>(
    found: &mut Vec<Diagnostic>,
    body: &'d Body<'d>,
    source: usize,
    add: &mut impl FnMut(&str, Location, Content<'d>),
) {
    for it in &body.blocks {
        found.push(block(it, source));
    }
    for it in &body.arguments {
        add(it.name, Location::new(source, it.name_at.clone()), Content::Native(&it.value));
    }
}

fn block(it: &Block<'_>, source: usize) -> Diagnostic {
    let location = Location::new(source, it.header.clone());
    match &*it.labels {
        [label] if it.name == "variable" => {
            let detail = "A .tfvars file assigns values to variables; it cannot declare them.";
            let help = format!("to give it a value, write: {} = …", label.text);
            Diagnostic::new("Variable declaration in .tfvars file", detail, location).help(Some(help))
        }
        _ => {
            let location = Location::new(source, it.name_at.clone());
            Diagnostic::new("Unexpected block", "Blocks are not allowed in a .tfvars file.", location)
        }
    }
}

fn json<'d>(
    found: &mut Vec<Diagnostic>,
    root: &'d Node,
    source: usize,
    add: &mut impl FnMut(&str, Location, Content<'d>),
) {
    let Kind::Object(members) = &root.kind else {
        let detail = format!("A JSON variables file must contain one object, but got {}.", root.article());
        let location = Location::new(source, root.at.clone());
        found.push(Diagnostic::new("Incorrect JSON value type", detail, location));
        return;
    };
    let mut seen = std::collections::HashSet::new();
    for it in members.iter().filter(|it| it.name != "//") {
        let location = Location::new(source, it.name_at.clone());
        if !seen.insert(&it.name) {
            let detail = format!("The key {:?} is set more than once.", it.name);
            found.push(Diagnostic::new("Duplicate attribute definition", detail, location));
            continue;
        }
        add(&it.name, location, Content::Json(&it.value));
    }
}

/// Returns the diagnostic for the value of an undeclared variable.
fn undeclared(name: &str, it: &Input<'_>, module: &Module<'_>) -> Option<Diagnostic> {
    let help = || did_you_mean(name, module.variables.keys());
    let summary = "Value for undeclared variable";
    match &it.origin {
        Origin::Option(_) => {
            let detail = format!("The module does not declare a variable named {name:?}.");
            // The diagnostic has no location, because the name of the variable identifies the option.
            Some(Diagnostic::new(summary, detail, None).help(help()))
        }
        Origin::File => {
            let is_invalid = match it.content {
                Content::Native(it) => it.constant().is_err(),
                Content::Json(it) => it.value().is_err(),
                Content::Text(_) => false,
            };
            if is_invalid {
                return None;
            }
            let detail =
                format!("The module does not declare a variable named {name:?}. The value is ignored.");
            Some(
                Diagnostic::new(summary, detail, it.location.clone())
                    .severity(Severity::Warning)
                    .help(help()),
            )
        }
        // The environment is shared with other modules, so only a name that looks like a typing error is reported.
        Origin::Environment(_) => {
            let nearest = help()?;
            let detail = format!("{PREFIX}{name} is set, and the module has no variable {name:?}; {nearest}");
            Some(Diagnostic::new(summary, detail, None).severity(Severity::Note))
        }
    }
}
