//! Diagnostics: errors, warnings and notes.
//!
//! A diagnostic contains excerpts of sources and values only together with their location. [`Diagnostic::redact`] applies
//! the [`Secrecy`] of the sources and returns the parts that can be printed, so neither the code that reports a
//! diagnostic nor the code of an output format can reveal a secret accidentally.
//!
//! ```text
//! error: Invalid value for input variable
//!  --> terraform.tfvars:3:12
//!   |
//! 3 |   { port = "http" },
//!   |            ^^^^^^
//!   |
//!   = The value is not compatible with the variable's type constraint: var.ports[1].port: a number is required.
//! ```
//!
//! The same diagnostic as JSON has the fields of `terraform validate -json`:
//!
//! ```
//! use ferroform_vars::{SourceTexts, evaluate_sources};
//!
//! let report = evaluate_sources(&SourceTexts {
//!     module: vec![("main.tf".to_owned(), "variable \"size\" {\n  type = strng\n}\n".to_owned())],
//!     values: Vec::new(),
//! });
//! let json = report.diagnostics_json();
//! assert!(json.contains(r#""severity":"error","summary":"Invalid type specification""#));
//! assert!(json.contains(r#""range":{"filename":"main.tf","start":{"line":2,"column":10,"byte":27}"#));
//! ```

use ferroform_lang::Errors;

use crate::redacted_diagnostic::{RedactedDiagnostic, RedactedRange};
use crate::request::AsErrors;
use crate::secrecy::Secrecy;
use crate::source::{Location, Source};

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    Error,
    Warning,
    /// Information for the user; Terraform has no such severity.
    Note,
}

/// The category of a warning or note. It determines the option that reports the diagnostic as an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiagnosticCategory {
    /// A value for an undeclared variable: `-undeclared-as-errors`.
    Undeclared,
    /// A validation that is not evaluated: `-unevaluated-as-errors`.
    UnevaluatedValidation,
    /// A local value or an argument of a module call that is not evaluated: `-unevaluated-as-errors`.
    UnevaluatedExpression,
    /// Any other warning: `-warnings-as-errors`.
    Other,
}

/// An error, a warning or a note.
#[derive(Debug)]
pub(crate) struct Diagnostic {
    pub(crate) severity: Severity,
    category: DiagnosticCategory,
    summary: Box<str>,
    detail: Detail,
    location: Option<Location>,
    /// An additional sentence after the detail.
    note: Option<Box<str>>,
    help: Option<Box<str>>,
    /// The module instance, whose address the note contains.
    instance: Option<Box<DiagnosedInstance>>,
}

/// The module instance of a diagnostic.
#[derive(Debug)]
struct DiagnosedInstance {
    address: String,
    /// True if the error depends on the values of the instance.
    is_instance_specific: bool,
}

/// The parts of a diagnostic that identify an error.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DeduplicationKey {
    location: Option<Location>,
    summary: Box<str>,
    detail: String,
    /// The address of the module instance if the error depends on its values; otherwise empty.
    instance: String,
}

impl DeduplicationKey {
    /// Returns the keys of the same error without the callers of the module: if only the called module is checked, or for
    /// all of its instances.
    pub(crate) fn broader_keys(&self) -> impl Iterator<Item = DeduplicationKey> {
        let nested = self.instance.match_indices(".module.").map(|(at, _)| &self.instance[at + 1..]);
        let all = (!self.instance.is_empty()).then_some("");
        nested.chain(all).map(|instance| DeduplicationKey { instance: instance.into(), ..self.clone() })
    }
}

/// The detail of a diagnostic.
#[derive(Debug)]
enum Detail {
    /// A message that does not depend on a value.
    Constant(String),
    /// A message that can quote a value.
    Value(Box<ValueDetail>),
}

/// A message that can quote the value at a location, and its replacement if that value is secret.
#[derive(Debug)]
struct ValueDetail {
    message: String,
    redacted: String,
    origin: Location,
    /// True if the message is secret, even if the value at the location is not.
    is_secret: bool,
}

const REDACTED: &str =
    "The value is not valid. Details are not shown because they could reveal a sensitive value.";

impl Diagnostic {
    /// Creates an error whose detail does not depend on a value.
    pub(crate) fn new(
        summary: impl Into<String>,
        detail: impl Into<String>,
        location: impl Into<Option<Location>>,
    ) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            category: DiagnosticCategory::Other,
            summary: summary.into().into(),
            detail: Detail::Constant(detail.into()),
            location: location.into(),
            note: None,
            help: None,
            instance: None,
        }
    }

    /// Creates the error of a missing argument.
    pub(crate) fn missing_argument(name: &str, block: Location) -> Diagnostic {
        let detail = format!("The argument {name:?} is required, but no definition was found.");
        Diagnostic::new("Missing required argument", detail, block)
    }

    /// Creates an error whose detail can quote the value at its location.
    pub(crate) fn for_value(
        summary: impl Into<String>,
        detail: impl Into<String>,
        location: Location,
    ) -> Diagnostic {
        let diagnostic = Diagnostic::new(summary, "", location.clone());
        diagnostic.with_value_detail(detail, REDACTED, location)
    }

    /// Sets the detail to a message that can quote the value at another location, such as an evaluated error message.
    pub(crate) fn with_value_detail(
        self,
        message: impl Into<String>,
        redacted: impl Into<String>,
        origin: Location,
    ) -> Diagnostic {
        let detail =
            ValueDetail { message: message.into(), redacted: redacted.into(), origin, is_secret: false };
        Diagnostic { detail: Detail::Value(Box::new(detail)), ..self }
    }

    /// Sets the detail that is printed if the value is secret.
    pub(crate) fn with_redacted(mut self, text: impl Into<String>) -> Diagnostic {
        if let Detail::Value(detail) = &mut self.detail {
            detail.redacted = text.into();
        }
        self
    }

    /// Removes the message that quotes a value if the value is secret.
    pub(crate) fn redact_if(mut self, is_secret: bool) -> Diagnostic {
        self.set_redacted(is_secret);
        self
    }

    /// Removes the message that quotes a value if the value is secret.
    pub(crate) fn set_redacted(&mut self, is_secret: bool) {
        if let Detail::Value(detail) = &mut self.detail {
            detail.is_secret |= is_secret;
        }
    }

    /// Returns true if the message that quotes a value is not printed.
    pub(crate) fn is_redacted(&self) -> bool {
        matches!(&self.detail, Detail::Value(detail) if detail.is_secret)
    }

    pub(crate) fn with_location(self, location: Location) -> Diagnostic {
        Diagnostic { location: Some(location), ..self }
    }

    pub(crate) fn with_severity(self, severity: Severity) -> Diagnostic {
        Diagnostic { severity, ..self }
    }

    pub(crate) fn with_category(self, category: DiagnosticCategory) -> Diagnostic {
        Diagnostic { category, ..self }
    }

    pub(crate) fn category(&self) -> DiagnosticCategory {
        self.category
    }

    /// Returns true if the diagnostic is about a validation or an expression that is not evaluated.
    pub(crate) fn is_unevaluated(&self) -> bool {
        matches!(
            self.category,
            DiagnosticCategory::UnevaluatedValidation | DiagnosticCategory::UnevaluatedExpression
        )
    }

    /// Makes the diagnostic an error if an option requires it.
    pub(crate) fn escalate(&mut self, as_errors: AsErrors) {
        let is_error = match self.category {
            DiagnosticCategory::Undeclared => as_errors.undeclared,
            DiagnosticCategory::UnevaluatedValidation | DiagnosticCategory::UnevaluatedExpression => {
                as_errors.unevaluated
            }
            DiagnosticCategory::Other => as_errors.warnings && self.severity == Severity::Warning,
        };
        if is_error {
            self.severity = Severity::Error;
        }
    }

    /// Sets the note: a sentence that does not depend on a sensitive value.
    pub(crate) fn with_note(mut self, note: impl Into<String>) -> Diagnostic {
        self.note = Some(note.into().into());
        self
    }

    /// Adds the address of a module instance, unless the diagnostic already has the address of a nested instance.
    /// `is_instance_specific` is true if the diagnostic depends on the values of the instance. The functions that an expression calls do
    /// not depend on it.
    pub(crate) fn add_address(&mut self, address: &str, is_instance_specific: bool) {
        if self.instance.is_none() && self.category != DiagnosticCategory::UnevaluatedExpression {
            let note = match self.severity {
                Severity::Error => format!("The error occurs in module instance {address}."),
                Severity::Warning | Severity::Note => format!("Module instance: {address}."),
            };
            self.add_note(&note);
            self.instance =
                Some(Box::new(DiagnosedInstance { address: address.to_owned(), is_instance_specific }));
        }
    }

    /// Appends a sentence to the note. It must not depend on a sensitive value.
    pub(crate) fn add_note(&mut self, note: &str) {
        let before = self.note.take().map(|it| format!("{it} ")).unwrap_or_default();
        self.note = Some(format!("{before}{note}").into());
    }

    pub(crate) fn with_help(self, help: Option<String>) -> Diagnostic {
        Diagnostic { help: help.map(Into::into), ..self }
    }

    pub(crate) fn location(&self) -> Option<&Location> {
        self.location.as_ref()
    }

    /// Returns the parts that identify a diagnostic: two diagnostics with the same parts are about the same error.
    pub(crate) fn deduplication_key(&self) -> DeduplicationKey {
        let detail = match &self.detail {
            Detail::Constant(text) => text,
            Detail::Value(detail) => &detail.message,
        };
        let instance = self.instance.as_ref().filter(|it| it.is_instance_specific);
        DeduplicationKey {
            location: self.location.clone(),
            summary: self.summary.clone(),
            detail: detail.clone(),
            instance: instance.map(|it| it.address.clone()).unwrap_or_default(),
        }
    }

    /// Returns the parts that can be printed.
    pub(crate) fn redact<'a>(&'a self, sources: &'a [Source], secrecy: &Secrecy) -> RedactedDiagnostic<'a> {
        let located = self.location.as_ref().and_then(|it| Some((sources.get(it.source)?, it)));
        RedactedDiagnostic {
            severity: self.severity,
            summary: &self.summary,
            detail: match &self.detail {
                Detail::Constant(text) => text,
                Detail::Value(detail) if detail.is_secret || secrecy.is_secret(&detail.origin) => {
                    &detail.redacted
                }
                Detail::Value(detail) => &detail.message,
            },
            note: self.note.as_deref(),
            help: self.help.as_deref(),
            range: located.map(|(source, location)| RedactedRange::new(source, location, secrecy)),
        }
    }

    /// Returns the estimated length of the printed diagnostic, in bytes.
    pub(crate) fn estimated_len(&self, sources: &[Source]) -> usize {
        let detail = match &self.detail {
            Detail::Constant(text) => text.len(),
            Detail::Value(detail) => detail.message.len(),
        };
        let source = self.location.as_ref().and_then(|it| Some((sources.get(it.source)?, it.start)));
        detail + source.map_or(0, |(source, start)| source.line(start).1.len())
    }
}

/// Returns the errors of an expression in a source as diagnostics.
pub(crate) fn locate_errors(errors: &Errors, source: usize) -> impl Iterator<Item = Diagnostic> {
    errors.iter().map(move |error| {
        let range = error.span().start.byte..error.span().end.byte;
        Diagnostic::for_value(error.summary(), error.detail(), Location::new(source, range))
    })
}

/// Returns the error of an argument of a variable. If the argument is sensitive, the detail contains only the required type.
pub(crate) fn locate_argument_error(error: &ferroform_lang::Diagnostic, location: Location) -> Diagnostic {
    match error.value_error() {
        Some(value) => {
            let redacted = format!("The value of the argument is not suitable: {}.", value.redacted());
            Diagnostic::for_value(error.summary(), error.detail(), location).with_redacted(redacted)
        }
        // The message does not depend on a value.
        None => Diagnostic::new(error.summary(), error.detail(), location),
    }
}

/// Returns the errors of an expression in a JSON string as diagnostics, all at the location of the string.
pub(crate) fn locate_errors_at<'a>(
    errors: &'a Errors,
    location: &'a Location,
) -> impl Iterator<Item = Diagnostic> + 'a {
    errors.iter().map(|error| Diagnostic::for_value(error.summary(), error.detail(), location.clone()))
}
