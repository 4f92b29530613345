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
use ferroform_lang::values::{AssignedValue, VariablesFile};

use crate::diagnostic::{Diagnostic, DiagnosticCategory, Severity, locate_errors};
use crate::document::{Document, UnreadableFile, read_source};
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
pub(crate) enum InputOrigin {
    File,
    Environment(String),
    Option(String),
}

/// A source of values, or the error if it cannot be read.
struct InputSource {
    source: Result<Source, Box<UnreadableFile>>,
    origin: InputOrigin,
    /// True if the file does not exist, such as the target of a symbolic link.
    is_missing: bool,
}

/// The error of a source of values that cannot be read.
pub(crate) struct ReadError {
    pub(crate) diagnostic: Diagnostic,
    pub(crate) is_missing: bool,
}

/// Appends the sources of values. A later source takes precedence over an earlier one. Returns the origin of each one, and
/// the errors of those that cannot be read.
pub(crate) fn read(request: &Request, sources: &mut Vec<Source>) -> (Vec<InputOrigin>, Vec<ReadError>) {
    let (mut origins, mut errors) = (Vec::new(), Vec::new());
    for InputSource { source, origin, is_missing } in read_input_sources(request) {
        match source {
            Ok(source) => {
                sources.push(source);
                origins.push(origin);
            }
            Err(error) => {
                let UnreadableFile { mut diagnostic, source } = *error;
                if let Some(source) = source {
                    diagnostic = diagnostic.with_location(Location::new(sources.len(), 0..0));
                    sources.push(source);
                    origins.push(origin);
                }
                errors.push(ReadError { diagnostic, is_missing });
            }
        }
    }
    (origins, errors)
}

/// A value for a variable, before its conversion to the type of the variable.
#[derive(Debug)]
pub(crate) struct Input<'d> {
    pub(crate) origin: InputOrigin,
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

fn read_input_sources(request: &Request) -> Vec<InputSource> {
    let mut input_sources = Vec::new();
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
            Diagnostic::new("Invalid character encoding", detail, None).into()
        });
        let source = source.map(|value| Source::from_value(source_name, value));
        input_sources.push(InputSource {
            source,
            origin: InputOrigin::Environment(name.to_owned()),
            is_missing: false,
        });
    }
    for name in list_files(&request.resolve(&request.directory)) {
        let path = request.directory.join(name);
        input_sources.push(InputSource {
            source: read_source(request, &path),
            origin: InputOrigin::File,
            is_missing: !request.resolve(&path).exists(),
        });
    }
    for option in &request.options {
        input_sources.push(match option {
            Setting::File(path) => {
                let is_missing = !request.resolve(path).exists();
                let source = if is_missing {
                    let detail = format!("The variables file {} does not exist.", request.describe(path));
                    Err(Diagnostic::new("Failed to read variables file", detail, None).into())
                } else {
                    read_source(request, path)
                };
                InputSource { source, origin: InputOrigin::File, is_missing }
            }
            Setting::Value { name, value } => {
                let source = Source::from_value(format!("-var {name}"), value.clone());
                InputSource {
                    source: Ok(source),
                    origin: InputOrigin::Option(name.clone()),
                    is_missing: false,
                }
            }
        });
    }
    input_sources
}

/// Returns the names of the files in the directory that Terraform reads automatically, in its order.
fn list_files(directory: &Path) -> Vec<OsString> {
    let mut names: Vec<OsString> = Vec::new();
    for name in ["terraform.tfvars", "terraform.tfvars.json"] {
        if directory.join(name).exists() {
            names.push(name.into());
        }
    }
    let is_auto = |file_name: &OsString| {
        let name = file_name.as_encoded_bytes();
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
    (from, origins): (usize, &'d [InputOrigin]),
    module: &Module<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> BTreeMap<&'d str, Input<'d>> {
    let mut inputs = BTreeMap::new();
    // A file can have any number of them, so only the first ones are stored.
    let (mut undeclared_count, mut other_undeclared) = (0, HashSet::new());
    for (source, origin) in (from..).zip(origins) {
        let mut add = |name: &'d str, location, content| {
            let is_undeclared = *origin == InputOrigin::File && !module.can_declare(name);
            if is_undeclared && !inputs.contains_key(name) {
                if undeclared_count == MAX_UNDECLARED {
                    other_undeclared.insert(name);
                    return;
                }
                undeclared_count += 1;
            }
            let previous = inputs.remove(name);
            let overrides = previous.map_or_else(Vec::new, |overridden: Input<'_>| {
                let mut overrides = overridden.overrides;
                overrides.push(overridden.location);
                overrides
            });
            inputs.insert(name, Input { origin: origin.clone(), location, content, overrides });
        };
        match (origin, &documents[source]) {
            (InputOrigin::Environment(name) | InputOrigin::Option(name), _) => {
                let text = &sources[source].text;
                add(name, Location::new(source, 0..text.len()), Content::Text(text));
            }
            (InputOrigin::File, Document::Values(file, errors)) => {
                diagnostics.extend(errors.iter().flat_map(|e| locate_errors(e, source)));
                gather_native(diagnostics, file, source, &mut add);
            }
            (InputOrigin::File, Document::JsonValues(Ok(file))) => {
                gather_json(diagnostics, file, (source, &sources[source].text), &mut add);
            }
            (InputOrigin::File, Document::JsonValues(Err((at, detail)))) => {
                let location = Location::new(source, at.clone());
                diagnostics.push(Diagnostic::for_value("Invalid JSON", detail, location));
            }
            (InputOrigin::File, Document::Native(..) | Document::Json(_) | Document::Value) => {}
        }
    }
    if !other_undeclared.is_empty() {
        let others = other_undeclared.len();
        let detail = format!("The files contain {others} more values for undeclared variables.");
        let diagnostic = Diagnostic::new("Values for undeclared variables", detail, None);
        diagnostics
            .push(diagnostic.with_severity(Severity::Warning).with_category(DiagnosticCategory::Undeclared));
    }
    inputs.retain(|name, input| {
        let is_declared = module.can_declare(name);
        if !is_declared {
            diagnostics.extend(report_undeclared(name, input, module));
        }
        is_declared
    });
    inputs
}

fn gather_native<'d>(
    diagnostics: &mut Vec<Diagnostic>,
    file: &'d VariablesFile<'d>,
    source: usize,
    add: &mut impl FnMut(&'d str, Location, Content<'d>),
) {
    for block in &file.blocks {
        diagnostics.push(report_block(block, source));
    }
    for assignment in &file.assignments {
        add(
            assignment.name,
            Location::new(source, assignment.name_at.clone()),
            Content::Native(assignment.value),
        );
    }
}

fn report_block(block: &Block<'_>, source: usize) -> Diagnostic {
    let location = Location::new(source, block.header.clone());
    match &*block.labels {
        [label] if block.name == "variable" => {
            let detail = "A .tfvars file assigns values to variables; it cannot declare them.";
            let help = format!("to give it a value, write: {} = …", label.text);
            Diagnostic::new("Variable declaration in .tfvars file", detail, location).with_help(Some(help))
        }
        _ => {
            let location = Location::new(source, block.name_at.clone());
            Diagnostic::new("Unexpected block", "Blocks are not allowed in a .tfvars file.", location)
        }
    }
}

fn gather_json<'d>(
    diagnostics: &mut Vec<Diagnostic>,
    file: &'d json::JsonVariablesFile,
    (source, text): (usize, &'d str),
    add: &mut impl FnMut(&'d str, Location, Content<'d>),
) {
    let assignments = match file {
        json::JsonVariablesFile::Object(assignments) => assignments,
        json::JsonVariablesFile::Other(root) => {
            let detail = format!(
                "A JSON variables file must contain one object, but got {}.",
                root.type_with_article()
            );
            let location = Location::new(source, root.at.clone());
            diagnostics.push(Diagnostic::new("Incorrect JSON value type", detail, location));
            return;
        }
    };
    let mut seen = HashSet::new();
    for assignment in assignments.iter().filter(|it| it.name != "//") {
        let location = Location::new(source, assignment.name_at.clone());
        if !seen.insert(&assignment.name) {
            let detail = format!("The key {:?} is set more than once.", assignment.name);
            diagnostics.push(Diagnostic::new("Duplicate attribute definition", detail, location));
            continue;
        }
        add(
            &assignment.name,
            location,
            Content::Json(AssignedValue::json(text, assignment.value_at.clone())),
        );
    }
}

/// Returns the diagnostic for the value of an undeclared variable.
fn report_undeclared(name: &str, input: &Input<'_>, module: &Module<'_>) -> Option<Diagnostic> {
    let help = || did_you_mean(name, module.variables.keys());
    let summary = "Value for undeclared variable";
    match &input.origin {
        InputOrigin::Option(_) => {
            let detail = format!("The module does not declare a variable named {name:?}.");
            // The diagnostic has no location, because the name of the variable identifies the option.
            Some(Diagnostic::new(summary, detail, None).with_help(help()))
        }
        InputOrigin::File => {
            let is_invalid = match input.content {
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
                Diagnostic::new(summary, detail, input.location.clone())
                    .with_severity(Severity::Warning)
                    .with_category(DiagnosticCategory::Undeclared)
                    .with_help(help()),
            )
        }
        // The environment is shared with other modules, so only a name that looks like a typing error is reported.
        InputOrigin::Environment(_) => {
            let nearest = help()?;
            let detail = format!("{PREFIX}{name} is set, and the module has no variable {name:?}; {nearest}");
            Some(
                Diagnostic::new(summary, detail, None)
                    .with_severity(Severity::Note)
                    .with_category(DiagnosticCategory::Undeclared),
            )
        }
    }
}
