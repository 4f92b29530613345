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
//! use ferroform_vars::{SourceTexts, evaluate_sources};
//!
//! let text = |name: &str, text: &str| (name.to_owned(), text.to_owned());
//! let report = evaluate_sources(&SourceTexts {
//!     module: vec![text("main.tf", "variable \"size\" {}")],
//!     values: vec![text("terraform.tfvars", "size = 1"), text("b.auto.tfvars", "size = 2")],
//! });
//! assert_eq!(report.to_text(), "size = 2\n");
//! ```

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use ferroform_lang::body::Block;
use ferroform_lang::values::{AssignedValue, ValuesFile};

use crate::diagnostic::{Diagnostic, Kind, Severity, diagnostics};
use crate::document::{Document, read_source};
use crate::json;
use crate::module::Module;
use crate::request::{Request, Setting};
use crate::source::{Location, Source};
use crate::suggest::did_you_mean;

/// The maximum number of warnings about values for undeclared variables.
const MAX_UNDECLARED: usize = 64;

/// The prefix of the names of environment variables.
const PREFIX: &str = "TF_VAR_";

/// The origin of a source of values.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Origin {
    File,
    Environment(String),
    Option(String),
}

/// A source of values, or the error of reading it.
struct InputSource {
    source: Result<Source, Diagnostic>,
    origin: Origin,
    /// True if the file does not exist, such as the target of a symbolic link.
    is_missing: bool,
}

/// The error of a source of values that cannot be read.
pub(crate) struct ReadError {
    pub(crate) diagnostic: Diagnostic,
    pub(crate) is_missing: bool,
}

/// Appends the sources of values. A later source takes precedence over an earlier one. Returns the origin of each one, and
/// the errors of the others.
pub(crate) fn read(request: &Request, sources: &mut Vec<Source>) -> (Vec<Origin>, Vec<ReadError>) {
    let (mut origins, mut errors) = (Vec::new(), Vec::new());
    for InputSource { source, origin, is_missing } in input_sources(request) {
        match source {
            Ok(source) => {
                sources.push(source);
                origins.push(origin);
            }
            Err(diagnostic) => errors.push(ReadError { diagnostic, is_missing }),
        }
    }
    (origins, errors)
}

/// A value for a variable, before its conversion to the type of the variable.
#[derive(Debug)]
pub(crate) struct Input<'d> {
    pub(crate) origin: Origin,
    /// The location of the name. For a value from the environment or the command line, it is the whole source.
    pub(crate) location: Location,
    pub(crate) content: Content<'d>,
    /// The locations of the values that this one overrides, the latest last.
    pub(crate) overrides: Vec<Location>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Content<'d> {
    Native(AssignedValue<'d>),
    Json(AssignedValue<'d>),
    Text(&'d str),
}

fn input_sources(request: &Request) -> Vec<InputSource> {
    let mut found = Vec::new();
    let mut environment: Vec<(&str, &OsString)> = request
        .environment
        .iter()
        .filter_map(|(name, value)| Some((name.to_str()?.strip_prefix(PREFIX)?, value)))
        .collect();
    environment.sort_unstable();
    for (name, value) in environment {
        let source_name = format!("{PREFIX}{name}");
        let source = value.to_str().map(str::to_owned).ok_or_else(|| {
            let detail = format!("The value of {source_name} in the environment is not encoded in UTF-8.");
            Diagnostic::new("Invalid character encoding", detail, None)
        });
        let source = source.map(|value| Source::of_value(source_name, value));
        found.push(InputSource { source, origin: Origin::Environment(name.to_owned()), is_missing: false });
    }
    for name in files(&request.resolve(&request.directory)) {
        let path = request.directory.join(name);
        found.push(InputSource {
            source: read_source(request, &path),
            origin: Origin::File,
            is_missing: !request.resolve(&path).exists(),
        });
    }
    for it in &request.options {
        found.push(match it {
            Setting::File(path) => {
                let is_missing = !request.resolve(path).exists();
                let source = if is_missing {
                    let detail = format!("The variables file {} does not exist.", request.describe(path));
                    Err(Diagnostic::new("Failed to read variables file", detail, None))
                } else {
                    read_source(request, path)
                };
                InputSource { source, origin: Origin::File, is_missing }
            }
            Setting::Value { name, value } => {
                let source = Source::of_value(format!("-var {name}"), value.clone());
                InputSource { source: Ok(source), origin: Origin::Option(name.clone()), is_missing: false }
            }
        });
    }
    found
}

/// Returns the names of the files in the directory that Terraform reads automatically, in its order.
fn files(directory: &Path) -> Vec<OsString> {
    let mut names: Vec<OsString> = Vec::new();
    for name in ["terraform.tfvars", "terraform.tfvars.json"] {
        if directory.join(name).exists() {
            names.push(name.into());
        }
    }
    let is_auto = |it: &OsString| {
        let name = it.as_encoded_bytes();
        name.ends_with(b".auto.tfvars") || name.ends_with(b".auto.tfvars.json")
    };
    let listed = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut auto: Vec<OsString> = listed.map(|it| it.file_name()).filter(is_auto).collect();
    auto.sort_unstable();
    names.extend(auto);
    names
}

/// Returns the value of highest precedence for each name. The first of the origins is that of the source `from`.
pub(crate) fn gather<'d>(
    sources: &'d [Source],
    documents: &'d [Document<'d>],
    (from, origins): (usize, &'d [Origin]),
    module: &Module<'_>,
    found: &mut Vec<Diagnostic>,
) -> BTreeMap<&'d str, Input<'d>> {
    let mut inputs = BTreeMap::new();
    // A file can have any number of them, so only the first ones are stored.
    let (mut undeclared_count, mut other_undeclared) = (0, HashSet::new());
    for (source, origin) in (from..).zip(origins) {
        let mut add = |name: &'d str, location, content| {
            let is_undeclared = *origin == Origin::File && !module.may_declare(name);
            if is_undeclared && !inputs.contains_key(name) {
                if undeclared_count == MAX_UNDECLARED {
                    other_undeclared.insert(name);
                    return;
                }
                undeclared_count += 1;
            }
            let previous = inputs.remove(name);
            let overrides = previous.map_or_else(Vec::new, |it: Input<'_>| {
                let mut overrides = it.overrides;
                overrides.push(it.location);
                overrides
            });
            inputs.insert(name, Input { origin: origin.clone(), location, content, overrides });
        };
        match (origin, &documents[source]) {
            (Origin::Environment(name) | Origin::Option(name), _) => {
                let text = &sources[source].text;
                add(name, Location::new(source, 0..text.len()), Content::Text(text));
            }
            (Origin::File, Document::Values(file, errors)) => {
                found.extend(errors.iter().flat_map(|e| diagnostics(e, source)));
                native(found, file, source, &mut add);
            }
            (Origin::File, Document::JsonValues(Ok(file))) => {
                json_values(found, file, (source, &sources[source].text), &mut add);
            }
            (Origin::File, Document::JsonValues(Err((at, detail)))) => {
                let location = Location::new(source, at.clone());
                found.push(Diagnostic::of_value("Invalid JSON", detail, location));
            }
            (Origin::File, Document::Native(..) | Document::Json(_) | Document::Value) => {}
        }
    }
    if !other_undeclared.is_empty() {
        let others = other_undeclared.len();
        let detail = format!("The files contain {others} more values for undeclared variables.");
        let diagnostic = Diagnostic::new("Values for undeclared variables", detail, None);
        found.push(diagnostic.severity(Severity::Warning).kind(Kind::Undeclared));
    }
    inputs.retain(|name, it| {
        let is_declared = module.may_declare(name);
        if !is_declared {
            found.extend(undeclared(name, it, module));
        }
        is_declared
    });
    inputs
}

fn native<'d>(
    found: &mut Vec<Diagnostic>,
    file: &'d ValuesFile<'d>,
    source: usize,
    add: &mut impl FnMut(&'d str, Location, Content<'d>),
) {
    for it in &file.blocks {
        found.push(block(it, source));
    }
    for it in &file.assignments {
        add(it.name, Location::new(source, it.name_at.clone()), Content::Native(it.value));
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

fn json_values<'d>(
    found: &mut Vec<Diagnostic>,
    file: &'d json::ValuesFile,
    (source, text): (usize, &'d str),
    add: &mut impl FnMut(&'d str, Location, Content<'d>),
) {
    let assignments = match file {
        json::ValuesFile::Object(assignments) => assignments,
        json::ValuesFile::Other(root) => {
            let detail = format!(
                "A JSON variables file must contain one object, but got {}.",
                root.type_with_article()
            );
            let location = Location::new(source, root.at.clone());
            found.push(Diagnostic::new("Incorrect JSON value type", detail, location));
            return;
        }
    };
    let mut seen = HashSet::new();
    for it in assignments.iter().filter(|it| it.name != "//") {
        let location = Location::new(source, it.name_at.clone());
        if !seen.insert(&it.name) {
            let detail = format!("The key {:?} is set more than once.", it.name);
            found.push(Diagnostic::new("Duplicate attribute definition", detail, location));
            continue;
        }
        add(&it.name, location, Content::Json(AssignedValue::json(text, it.value_at.clone())));
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
                Content::Json(it) => json::value_at(&it).is_err(),
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
                    .kind(Kind::Undeclared)
                    .help(help()),
            )
        }
        // The environment is shared with other modules, so only a name that looks like a typing error is reported.
        Origin::Environment(_) => {
            let nearest = help()?;
            let detail = format!("{PREFIX}{name} is set, and the module has no variable {name:?}; {nearest}");
            Some(Diagnostic::new(summary, detail, None).severity(Severity::Note).kind(Kind::Undeclared))
        }
    }
}
