//! Errors and warnings, with their positions in the configuration.

use std::fmt;

use ferroform::value::Path;
use ferroform::{Diagnostics, Severity};
use ferroform_lang::{Errors, Span};
use serde_json::json;

use super::blocks::Located;
use super::deferral::{explain_deferral, reason_name};
use super::files::File;
use crate::outcome::StepFailure;
use crate::workspace::Json;

/// An error or a warning of an evaluation.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) is_error: bool,
    pub(crate) summary: String,
    pub(crate) detail: String,
    pub(crate) location: Option<Box<Location>>,
    /// The address of the resource instance.
    pub(crate) address: Option<String>,
    /// The attribute path.
    pub(crate) path: Option<Path>,
}

/// A position in the configuration.
#[derive(Clone, Debug)]
pub(crate) struct Location {
    file: String,
    span: Span,
    /// The header of the block, such as `resource "local_file" "a"`.
    context: String,
    /// The lines of the configuration that contain the position.
    code: String,
}

impl Location {
    fn new(file: &File, span: Span) -> Location {
        let (text, span) = match &file.json {
            Some(json) => {
                let at = json.position(&(span.start.byte..span.end.byte));
                (&json.text, Span::of(&json.text, at))
            }
            None => (&file.text, span),
        };
        let lines: Vec<&str> = text.lines().collect();
        let first = span.start.line - 1;
        let last = span.end.line.min(lines.len());
        let header =
            lines.iter().take(first + 1).rfind(|it| it.contains('{') && it.starts_with(char::is_alphabetic));
        Location {
            file: file.name.clone(),
            span,
            context: header.and_then(|it| it.split('{').next()).unwrap_or_default().trim_end().to_owned(),
            code: lines.get(first..last).unwrap_or_default().join("\n"),
        }
    }
}

/// The errors and warnings of a step.
pub(crate) type Problems = Vec<Problem>;

pub(crate) type Result<T> = std::result::Result<T, Problems>;

impl Problem {
    pub(crate) fn error(summary: impl Into<String>, detail: impl Into<String>) -> Problem {
        Problem {
            is_error: true,
            summary: summary.into(),
            detail: detail.into(),
            location: None,
            address: None,
            path: None,
        }
    }

    pub(crate) fn warning(summary: impl Into<String>, detail: impl Into<String>) -> Problem {
        Problem { is_error: false, ..Problem::error(summary, detail) }
    }

    /// The error about an argument or block that is not supported here. In JSON syntax, both are properties.
    fn unsupported_member(file: &File, name: &str, summary: &str, detail: String) -> Problem {
        match file.is_json() {
            true => Problem::unsupported_property(format!("No argument or block type is named {name:?}.")),
            false => Problem::error(summary, detail),
        }
    }

    /// The error about an argument or block in JSON syntax that is not supported here.
    pub(crate) fn unsupported_property(detail: String) -> Problem {
        Problem::error("Extraneous JSON object property", detail)
    }

    pub(crate) fn unsupported_argument(file: &File, name: &str) -> Problem {
        let detail = format!("An argument named {name:?} is not expected here.");
        Problem::unsupported_member(file, name, "Unsupported argument", detail)
    }

    pub(crate) fn unsupported_block(file: &File, name: &str) -> Problem {
        let detail = format!("Blocks of type {name:?} are not expected here.");
        Problem::unsupported_member(file, name, "Unsupported block type", detail)
    }

    pub(crate) fn missing_argument(name: &str) -> Problem {
        let detail = format!("The argument {name:?} is required, but no definition was found.");
        Problem::error("Missing required argument", detail)
    }

    /// The error about a construct that the simulation does not support.
    pub(crate) fn unsupported(construct: &str) -> Problem {
        let detail = format!(
            "{construct} is not supported in process. Run this configuration with a real `terraform` or `tofu`."
        );
        Problem::error("Unsupported Construct", detail)
    }

    /// Sets the position, unless there is one.
    pub(crate) fn at(mut self, file: &File, range: std::ops::Range<usize>) -> Problem {
        if self.location.is_none() {
            self.location = Some(Box::new(Location::new(file, Span::of(&file.text, range))));
        }
        self
    }

    /// Sets the position of an expression, unless there is one.
    pub(crate) fn at_expression(self, it: &Located<'_>) -> Problem {
        self.at(it.file, it.expression.at())
    }

    pub(crate) fn of(mut self, address: impl fmt::Display) -> Problem {
        self.address = Some(address.to_string());
        self
    }

    /// The errors of an expression.
    pub(crate) fn from_errors(file: &File, errors: &Errors) -> Problems {
        let problems = errors.iter().map(|it| Problem {
            location: Some(Box::new(Location::new(file, it.span()))),
            ..Problem::error(it.summary(), it.detail())
        });
        problems.collect()
    }

    /// The diagnostics of a provider.
    pub(crate) fn from_provider(diagnostics: Diagnostics, address: &str) -> Problems {
        let problems = diagnostics.into_iter().map(|it| Problem {
            is_error: it.severity == Severity::Error,
            summary: it.summary,
            detail: it.detail,
            location: None,
            address: Some(address.to_owned()),
            path: it.path,
        });
        problems.collect()
    }

    /// The diagnostics of an operation for which Terraform reports no address.
    pub(crate) fn without_address(problems: Problems) -> Problems {
        problems.into_iter().map(|it| Problem { address: None, ..it }).collect()
    }

    /// The diagnostic as `validate -json` prints it.
    pub(crate) fn json(&self) -> Json {
        let mut json = json!({
            "severity": if self.is_error { "error" } else { "warning" },
            "summary": self.summary,
            "detail": self.detail,
        });
        if let Some(Location { file, span, context, code }) = self.location.as_deref() {
            let position =
                |it: ferroform_lang::Position| json!({"line": it.line, "column": it.column, "byte": it.byte});
            json["range"] =
                json!({"filename": file, "start": position(span.start), "end": position(span.end)});
            json["snippet"] = json!({"context": context, "code": code, "start_line": span.start.line});
        }
        if let Some(address) = &self.address {
            json["address"] = json!(address);
        }
        json
    }
}

/// True if one of the problems is an error.
pub(crate) fn has_error(problems: &[Problem]) -> bool {
    problems.iter().any(|it| it.is_error)
}

/// The problem as Terraform prints it: `Error: Summary`, the position, the detail.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", if self.is_error { "Error" } else { "Warning" }, self.summary)?;
        if let Some(address) = &self.address {
            write!(f, "\n  with {address}")?;
        }
        if let Some(Location { file, span, .. }) = self.location.as_deref() {
            write!(f, "\n  on {file} line {}", span.start.line)?;
        }
        if let Some(path) = &self.path {
            write!(f, "\n  {path}")?;
        }
        write!(f, "\n{}", self.detail)
    }
}

/// Returns the diagnostics of a failed step of a provider.
pub(crate) fn diagnostics_of_failure(it: StepFailure, address: &str) -> Problems {
    match it {
        StepFailure::Errors(errors) => Problem::from_provider(errors, address),
        StepFailure::Deferred(reason) => {
            let explanation = explain_deferral(reason_name(reason));
            let detail = format!("The provider deferred this operation {explanation}.");
            vec![Problem::error("Deferred Operation", detail).of(address)]
        }
    }
}
