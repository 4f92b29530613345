//! The result of an evaluation, and how it is printed.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io;
use std::ops::Range;

use ferroform_value::{Value, json};

use crate::diagnostic::{Diagnostic, Severity};
use crate::explain::Explanation;
use crate::redacted_diagnostic::RedactedDiagnostic;
use crate::secrecy::Secrecy;
use crate::source::{Location, Source};
use crate::text_output::write_to_string;
use crate::variable_value::VariableValue;

/// The maximum size of the source lines that are printed, in bytes. A file can consist of one long line with thousands
/// of errors, each of which prints the line.
const MAX_PRINTED_SOURCE: usize = 20_000_000;

/// The values of the variables, and the diagnostics.
///
/// ```
/// use ferroform_vars::{SourceTexts, evaluate_sources};
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
///   = The value is not compatible with the variable's type constraint: var.size: a number is required.
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
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) sources: Vec<Source>,
    pub(crate) secrecy: Secrecy,
    /// The number of validations that were not evaluated.
    pub(crate) unevaluated: usize,
    /// The explanations of all variables; empty unless [`Request::explain`](crate::Request::explain) is set.
    pub explanations: Vec<Explanation>,
}

impl Report {
    /// Creates a report that contains only diagnostics.
    pub(crate) fn from_diagnostics(
        diagnostics: Vec<Diagnostic>,
        sources: Vec<Source>,
        secrecy: Secrecy,
    ) -> Report {
        let (variables, explanations) = (Vec::new(), Vec::new());
        Report { variables, diagnostics, sources, secrecy, unevaluated: 0, explanations }
    }

    /// Adds a source without secret parts, and returns the location of a range in it.
    pub(crate) fn add_source(&mut self, source: Source, range: Range<usize>) -> Location {
        self.sources.push(source);
        self.secrecy.add_source();
        Location::new(self.sources.len() - 1, range)
    }

    /// Returns true if there are no errors.
    pub fn is_valid(&self) -> bool {
        self.count(Severity::Error) == 0
    }

    /// Returns true if a validation was not evaluated, because it uses a function or a reference that is not supported.
    pub fn has_unevaluated_validations(&self) -> bool {
        self.unevaluated > 0
    }

    /// Returns true if there are errors, warnings or notes.
    pub fn has_diagnostics(&self) -> bool {
        !self.diagnostics.is_empty()
    }

    fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|it| it.severity == severity).count()
    }

    /// Returns the parts of the diagnostics that can be printed, until the source lines exceed the maximum size.
    pub(crate) fn redacted_diagnostics(&self) -> impl Iterator<Item = RedactedDiagnostic<'_>> {
        let mut remaining = MAX_PRINTED_SOURCE;
        let is_within = move |diagnostic: &&Diagnostic| {
            let rest = remaining.checked_sub(diagnostic.estimated_len(&self.sources));
            remaining = rest.unwrap_or_default();
            rest.is_some()
        };
        self.diagnostics.iter().take_while(is_within).map(|it| it.redact(&self.sources, &self.secrecy))
    }

    /// Returns the diagnostics with excerpts of their sources, as plain text.
    pub fn diagnostics(&self) -> String {
        anstream::adapter::strip_str(&self.styled_diagnostics()).to_string()
    }

    /// Returns the diagnostics with excerpts of their sources and ANSI colors.
    pub fn styled_diagnostics(&self) -> String {
        let mut out = String::new();
        let mut printed = HashSet::new();
        let mut count = 0;
        for diagnostic in self.redacted_diagnostics() {
            count += 1;
            // Two declarations of a variable can result in the same diagnostic.
            let text = diagnostic.render();
            if !printed.contains(&text) {
                out.push_str(&text);
                printed.insert(text);
            }
        }
        if count < self.diagnostics.len() {
            let _ = writeln!(out, "… and {} more\n", self.diagnostics.len() - count);
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
        for (i, diagnostic) in self.redacted_diagnostics().enumerate() {
            out.push_str(if i > 0 { ",\n" } else { "\n" });
            diagnostic.write_json(&mut out);
        }
        out.push_str("]}\n");
        out
    }

    /// Returns the variables as `name = value`, one after the other.
    pub fn to_text(&self) -> String {
        write_to_string(|out| self.write_text(out))
    }

    /// Writes the string that [`Report::to_text`] returns. Large values are not held in memory a second time.
    ///
    /// # Errors
    ///
    /// Returns the first error of `out`.
    pub fn write_text(&self, out: &mut dyn io::Write) -> io::Result<()> {
        for variable in &self.variables {
            write!(out, "{} = ", variable.name())?;
            variable.write_text(out)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    /// Returns the variables as a JSON object with their types and their values, without secret values.
    pub fn to_json(&self) -> String {
        write_to_string(|out| self.write_json(out))
    }

    /// Writes the string that [`Report::to_json`] returns.
    ///
    /// # Errors
    ///
    /// Returns the first error of `out`.
    pub fn write_json(&self, out: &mut dyn io::Write) -> io::Result<()> {
        out.write_all(b"{")?;
        for (i, variable) in self.variables.iter().enumerate() {
            let name = to_json(&Value::string(variable.name()));
            write!(out, "{}\n  {name}: {{", if i > 0 { "," } else { "" })?;
            write!(out, "\"type\": {}", json::type_to_string(variable.ty()))?;
            if variable.is_ephemeral {
                out.write_all(b", \"ephemeral\": true")?;
            }
            write!(out, ", \"sensitive\": {}", variable.is_sensitive)?;
            if let Some(value) = variable.value() {
                out.write_all(b", \"value\": ")?;
                out.write_all(to_json(value).as_bytes())?;
            }
            out.write_all(b"}")?;
        }
        out.write_all(if self.variables.is_empty() { b"}\n" } else { b"\n}\n" })
    }
}

/// Returns the error of an invalid command line in the format of [`Report::diagnostics_json`]. The message is that for
/// a terminal: its first paragraph is the error, the others contain help.
pub(crate) fn format_usage_error(message: &str) -> String {
    let detail = message.split("\n\n").next().unwrap_or_default().trim();
    let detail = detail.strip_prefix("error: ").unwrap_or(detail);
    let diagnostics = vec![Diagnostic::new("Invalid command line", detail, None)];
    Report::from_diagnostics(diagnostics, Vec::new(), Secrecy::default()).diagnostics_json()
}

/// Encodes a value as JSON. An infinite number, which JSON cannot represent, is null.
fn to_json(value: &Value) -> String {
    let bytes = json::encode_simple(value).unwrap_or_else(|_| b"null".to_vec());
    String::from_utf8_lossy(&bytes).into_owned()
}
