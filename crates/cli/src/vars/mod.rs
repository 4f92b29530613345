//! `cargo ferroform vars`: the values of a module's input variables.
//!
//! [`evaluate`] reads the `variable` blocks of a module and the values that Terraform would assign to them, in its order of
//! precedence. The [`Report`] contains the value of each variable and all diagnostics.

mod block;
mod block_json;
mod check;
mod diagnostic;
mod document;
mod inputs;
mod json;
mod known;
mod module;
mod secrecy;
mod source;
mod variable_value;

use std::collections::HashSet;
use std::ffi::OsString;
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use self::diagnostic::{Diagnostic, Severity};
use self::document::Document;
use self::inputs::Origin;
use self::secrecy::Secrecy;
use self::source::Source;
pub use self::variable_value::VariableValue;

/// The maximum size of the source lines that are printed, in bytes. A file can consist of one long line with thousands of
/// errors, each of which prints the line.
const MAX_PRINTED_SOURCE: usize = 20_000_000;

/// The module and the inputs to evaluate.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The directory of the module.
    pub folder: PathBuf,
    /// The values and files of the command line, in their order.
    pub options: Vec<Setting>,
    /// The environment. Variables with the prefix `TF_VAR_` are inputs.
    pub environment: Vec<(OsString, OsString)>,
}

/// An input on the command line.
/// ```
/// use cargo_ferroform::vars::{Request, Setting};
///
/// let request = Request {
///     folder: "examples/web".into(),
///     options: vec![
///         Setting::File("production.tfvars".into()),
///         Setting::Value { name: "region".to_owned(), value: "eu".to_owned() },
///     ],
///     environment: std::env::vars_os().collect(),
/// };
/// assert_eq!(request.options.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// `-var name=value`
    Value {
        /// The name of the variable.
        name: String,
        /// The value as it is written.
        value: String,
    },
    /// `-var-file file`
    File(PathBuf),
}

/// The values of the variables, and the diagnostics.
/// ```
/// use cargo_ferroform::vars::{SourceTexts, evaluate_sources};
///
/// let module = ("main.tf".to_owned(), "variable \"size\" {\n  type = number\n}\n".to_owned());
/// let values = ("terraform.tfvars".to_owned(), "size = \"large\"\nsiez = 3\n".to_owned());
/// let report = evaluate_sources(&SourceTexts { module: vec![module], values: vec![values] });
///
/// assert!(!report.is_valid());
/// assert_eq!(report.diagnostics(), r#"error: Invalid value for input variable
///  --> terraform.tfvars:1:8
///   |
/// 1 | size = "large"
///   |        ^^^^^^^
///   |
///   = The value is not compatible with the variable's type constraint: a number is required.
///
/// warning: Value for undeclared variable
///  --> terraform.tfvars:2:1
///   |
/// 2 | siez…
///   | ^^^^
///   |
///   = The module does not declare a variable named "siez". The value is ignored.
///   = help: did you mean "size"?
///
/// "#);
/// ```
#[derive(Debug)]
pub struct Report {
    /// The variables by name, without those whose value is invalid.
    pub variables: Vec<VariableValue>,
    diagnostics: Vec<Diagnostic>,
    sources: Vec<Source>,
    secrecy: Secrecy,
}

impl Report {
    /// Returns true if there are no errors.
    pub fn is_valid(&self) -> bool {
        self.count(Severity::Error) == 0
    }

    /// Returns true if a validation was not evaluated, because it uses a function or a reference that is not supported.
    pub fn has_unevaluated_validations(&self) -> bool {
        self.count(Severity::Note) > 0
    }

    /// Returns true if there are errors, warnings or notes.
    pub fn has_diagnostics(&self) -> bool {
        !self.diagnostics.is_empty()
    }

    fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|it| it.severity == severity).count()
    }

    /// Returns the diagnostics with excerpts of their sources, as plain text.
    pub fn diagnostics(&self) -> String {
        anstream::adapter::strip_str(&self.styled_diagnostics()).to_string()
    }

    /// Returns the diagnostics with excerpts of their sources and ANSI colors.
    pub fn styled_diagnostics(&self) -> String {
        let mut out = String::new();
        let mut printed = HashSet::new();
        let mut remaining = MAX_PRINTED_SOURCE;
        for (i, diagnostic) in self.diagnostics.iter().enumerate() {
            let Some(rest) = remaining.checked_sub(diagnostic.cost(&self.sources)) else {
                let _ = writeln!(out, "… and {} more\n", self.diagnostics.len() - i);
                break;
            };
            remaining = rest;
            // Two declarations of a variable can result in the same diagnostic.
            let text = diagnostic.render(&self.sources, &self.secrecy);
            if !printed.contains(&text) {
                out.push_str(&text);
                printed.insert(text);
            }
        }
        out
    }

    /// Returns the diagnostics as JSON, in the format of `terraform validate -json`.
    pub fn diagnostics_json(&self) -> String {
        let (errors, notes) = (self.count(Severity::Error), self.count(Severity::Note));
        let warnings = self.count(Severity::Warning) + notes;
        let mut out = format!(
            "{{\"format_version\":\"1.0\",\"valid\":{},\"error_count\":{errors},\"warning_count\":{warnings},\"diagnostics\":[",
            errors == 0
        );
        let mut remaining = MAX_PRINTED_SOURCE;
        for (i, diagnostic) in self.diagnostics.iter().enumerate() {
            let Some(rest) = remaining.checked_sub(diagnostic.cost(&self.sources)) else { break };
            remaining = rest;
            out.push_str(if i > 0 { ",\n" } else { "\n" });
            diagnostic.write_json(&mut out, &self.sources, &self.secrecy);
        }
        out.push_str("]}\n");
        out
    }
}

/// A module and its values in memory, as file names with their contents.
#[derive(Clone, Debug, Default)]
pub struct SourceTexts {
    /// The files of the module.
    pub module: Vec<(String, String)>,
    /// The files of values. A later file takes precedence over an earlier one.
    pub values: Vec<(String, String)>,
}

/// The sources that were read, and the errors of those that could not be read.
#[derive(Default)]
struct Reading {
    /// The files of the module, followed by one source for each of the origins.
    sources: Vec<Source>,
    module: Range<usize>,
    origins: Vec<Origin>,
    /// False if a source of values could not be read.
    is_complete: bool,
    diagnostics: Vec<Diagnostic>,
}

/// Reads a module and its inputs, and evaluates its variables.
///
/// ```no_run
/// use cargo_ferroform::vars::{Request, evaluate};
///
/// let report = evaluate(&Request { folder: "examples/web".into(), ..Request::default() });
/// print!("{}{}", report.diagnostics(), report.to_text());
/// ```
pub fn evaluate(request: &Request) -> Report {
    let mut reading = Reading { is_complete: true, ..Reading::default() };
    match document::files(&request.folder) {
        Ok(sources) => reading.sources = sources,
        Err(error) => reading.diagnostics.push(error),
    }
    document::sort(&mut reading.sources);
    reading.module = 0..reading.sources.len();
    for input in inputs::sources(request) {
        match input.source {
            Ok(source) => {
                reading.sources.push(source);
                reading.origins.push(input.origin);
            }
            Err(error) => {
                reading.diagnostics.push(error);
                reading.is_complete = false;
            }
        }
    }
    evaluate_reading(reading)
}

/// Evaluates the variables of a module in memory.
///
/// ```
/// use cargo_ferroform::vars::{SourceTexts, evaluate_sources};
///
/// let module = ("main.tf".to_owned(), "variable \"size\" {\n  type = number\n}\n".to_owned());
/// let values = ("terraform.tfvars".to_owned(), "size = \"3\"\n".to_owned());
/// let report = evaluate_sources(&SourceTexts { module: vec![module], values: vec![values] });
/// assert_eq!(report.to_text(), "size = 3\n");
/// ```
pub fn evaluate_sources(texts: &SourceTexts) -> Report {
    let source = |(name, text): &(String, String)| Source::new(name.clone(), text.clone());
    let mut sources: Vec<Source> = texts.module.iter().map(source).collect();
    document::sort(&mut sources);
    let module = 0..sources.len();
    sources.extend(texts.values.iter().map(source));
    let origins = vec![Origin::File; texts.values.len()];
    evaluate_reading(Reading { sources, module, origins, is_complete: true, diagnostics: Vec::new() })
}

fn evaluate_reading(reading: Reading) -> Report {
    let Reading { sources, module: files, origins, mut is_complete, mut diagnostics } = reading;
    let (module_sources, inputs) = sources.split_at(files.end);
    let inputs = inputs.iter().zip(&origins).map(|(source, origin)| match origin {
        Origin::File => Document::read(source, false),
        Origin::Environment(_) | Origin::Option(_) => Document::Value,
    });
    let documents: Vec<Document<'_>> =
        module_sources.iter().map(|it| Document::read(it, true)).chain(inputs).collect();
    is_complete &= !documents[files.end..].iter().any(Document::is_broken);
    let mut module = module::load(&sources, &documents, files.clone());
    diagnostics.append(&mut module.diagnostics);
    let secrecy = Secrecy::of(&sources, &documents, &module, files.clone(), &origins);
    let inputs = inputs::gather(&sources, &documents, (files.end, &origins), &module, &mut diagnostics);
    let variables = check::values(&module, inputs, is_complete, &mut diagnostics);
    diagnostics.sort_by_key(|it| it.severity);
    drop(module);
    drop(documents);
    Report { variables, diagnostics, sources, secrecy }
}

/// Returns true if the name has the extension of JSON.
fn is_json(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it == "json")
}

/// Reads a file.
fn read_source(path: &Path, name: String) -> Result<Source, Diagnostic> {
    let bytes = std::fs::read(path).map_err(|error| {
        let detail = format!("The file {} cannot be read: {error}.", path.display());
        Diagnostic::new("Failed to read file", detail, None)
    })?;
    String::from_utf8(bytes).map(|text| Source::new(name.clone(), text)).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.iter().filter(|it| **it == b'\n').count() + 1;
        let detail =
            format!("The file {name} is not encoded in UTF-8: line {line} contains an invalid byte.");
        Diagnostic::new("Invalid character encoding", detail, None)
    })
}
