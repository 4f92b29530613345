//! The values of the variables.
//!
//! Each value is parsed, completed with the defaults of optional attributes, and converted to the type of its variable.
//! The module `validation` then evaluates the validations.
//!
//! ```
//! use ferroform_vars::{SourceTexts, evaluate_sources};
//!
//! let module = r#"
//! variable "size" {
//!   type = number
//!   validation {
//!     condition     = var.size > 5
//!     error_message = "The size must be greater than 5, not ${var.size}."
//!   }
//! }
//! "#;
//! let report = evaluate_sources(&SourceTexts {
//!     module: vec![("main.tf".to_owned(), module.to_owned())],
//!     values: vec![("terraform.tfvars".to_owned(), "size = 3".to_owned())],
//! });
//! assert!(!report.is_valid());
//! assert!(report.diagnostics().contains("The size must be greater than 5, not 3."));
//! ```

use std::collections::BTreeMap;
use std::ops::Range;

use ferroform_lang::Errors;
use ferroform_lang::body::{Expression, Variables};
use ferroform_lang::type_constraint::Constraint;
use ferroform_lang::variable::Variable;
use ferroform_value::{Error, Path, Step, Typed};

use crate::declaration::Declaration;
use crate::diagnostic::{Diagnostic, Severity, locate_errors};
use crate::inputs::{Content, Input, InputOrigin};
use crate::json;
use crate::module::Module;
use crate::source::Location;
use crate::variable_value::VariableValue;

/// The summary of the error of a required variable without a value.
pub(crate) const MISSING_VALUE: &str = "No value for required variable";

/// Returns the values of all variables. If the sources of values are not `complete`, missing values are not reported.
pub(crate) fn evaluate(
    module: &Module<'_>,
    inputs: &BTreeMap<&str, Input<'_>>,
    complete: bool,
    values: &mut Variables,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<VariableValue> {
    let mut variables = Vec::new();
    for (name, declaration) in &module.variables {
        let Some(variable) = &declaration.variable else { continue };
        let input = inputs.get(name.as_str());
        if input.is_none() && !complete && variable.accept(None).is_err() {
            // The value may be in a source that could not be read.
            continue;
        }
        if let (Some(message), Some(input)) = (&declaration.deprecated, input) {
            let diagnostic =
                Diagnostic::new("Deprecated variable got a value", message.trim(), input.location.clone());
            diagnostics.push(diagnostic.with_severity(Severity::Warning));
        }
        match evaluate_variable(name, declaration, variable, input, diagnostics) {
            Ok(value) => {
                let (sensitive, ephemeral) = (variable.sensitive, variable.ephemeral);
                let value = VariableValue::new(name, value, sensitive, ephemeral);
                values.set(name.as_str(), value.shared());
                variables.push(value);
            }
            Err(it) => diagnostics.extend(it),
        }
    }
    variables
}

fn evaluate_variable(
    name: &str,
    declaration: &Declaration<'_>,
    variable: &Variable,
    input: Option<&Input<'_>>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Typed, Vec<Diagnostic>> {
    let Some(input) = input else {
        return variable.accept(None).map_err(|_| {
            let detail =
                format!("The root module input variable {name:?} is not set, and has no default value.");
            vec![Diagnostic::new(MISSING_VALUE, detail, declaration.location.clone())]
        });
    };
    if let Content::Native(assigned) | Content::Json(assigned) = input.content
        && let Some(fitted) = assigned.fit(&variable.constraint)
        && let Ok(value) = variable.accept_fitted(fitted.value)
    {
        if fitted.has_undeclared {
            let value = read_configured(variable, input)?;
            report_undeclared_attributes(
                name,
                &variable.constraint,
                &value,
                (input, Undeclared::Everywhere),
                diagnostics,
            );
        }
        return Ok(value);
    }
    let configured = read_configured(variable, input)?;
    report_undeclared_attributes(
        name,
        &variable.constraint,
        &configured,
        (input, Undeclared::Everywhere),
        diagnostics,
    );
    variable.accept(Some(configured)).or_else(|errors| {
        // The value can be large, so it is read again instead of copied.
        Err(report_rejected_value(name, variable, input, read_configured(variable, input)?, &errors))
    })
}

/// Returns the errors of a value that the variable does not accept.
pub(crate) fn report_rejected_value(
    name: &str,
    variable: &Variable,
    input: &Input<'_>,
    configured: Typed,
    errors: &Errors,
) -> Vec<Diagnostic> {
    if !errors.first().is_missing_value() {
        let errors = variable.constraint.mismatches(configured);
        return errors.iter().map(|it| report_mismatch(name, variable, input, it)).collect();
    }
    let detail = format!("The variable {name:?} must not be null, and it has no default.");
    let location = Location::new(input.location.source, find_element(input.content, &Path::ROOT));
    errors.iter().map(|it| Diagnostic::for_value(it.summary(), &*detail, location.clone())).collect()
}

/// Returns the configured value before its conversion.
pub(crate) fn read_configured(variable: &Variable, input: &Input<'_>) -> Result<Typed, Vec<Diagnostic>> {
    let source = input.location.source;
    match input.content {
        Content::Native(it) => it.constant().map_err(|e| locate_errors(&e, source).collect()),
        Content::Json(assigned) => json::value_at(&assigned).map_err(|(at, detail)| {
            vec![Diagnostic::for_value("Duplicate object attribute", detail, Location::new(source, at))]
        }),
        Content::Text(it) => variable.read_text(it).map_err(|e| locate_errors(&e, source).collect()),
    }
}

/// Returns the error for a value that does not convert to the type of the variable. If the value is sensitive, the detail
/// contains only the required type and the names of attributes of the type.
fn report_mismatch(name: &str, variable: &Variable, input: &Input<'_>, error: &Error) -> Diagnostic {
    let type_note = match &input.origin {
        InputOrigin::File => String::new(),
        InputOrigin::Environment(_) | InputOrigin::Option(_) => {
            format!(" The type is {}.", variable.constraint.ty)
        }
    };
    let detail = |path: &str, message: &str| {
        let context = "The value is not compatible with the variable's type constraint";
        format!("{context}: {path}: {message}.{type_note}")
    };
    let location = Location::new(input.location.source, find_element(input.content, error.path()));
    Diagnostic::for_value(
        "Invalid value for input variable",
        detail(&format_path(name, error.path()), error.message()),
        location,
    )
    .with_redacted(detail(&format_redacted_path(name, error.path()), &error.redacted()))
}

/// The undeclared attributes that are reported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Undeclared {
    Everywhere,
    /// Those that the source of the value contains. An object that is passed on can have attributes for other modules.
    InLiterals,
}

/// Warns about attributes that are not part of the variable's type constraint. Terraform drops them.
pub(crate) fn report_undeclared_attributes(
    name: &str,
    constraint: &Constraint,
    value: &Typed,
    (input, undeclared): (&Input<'_>, Undeclared),
    diagnostics: &mut Vec<Diagnostic>,
) {
    for undeclared_attribute in constraint.undeclared_attributes(value) {
        let Some(Step::Attribute(attribute)) = undeclared_attribute.path.last() else { continue };
        let object = undeclared_attribute.path.parent().unwrap_or_default();
        let at = find_element(input.content, &undeclared_attribute.path);
        if undeclared == Undeclared::InLiterals && at == find_element(input.content, &object) {
            continue;
        }
        let location = Location::new(input.location.source, at);
        let suggestion =
            undeclared_attribute.suggestion.map(|it| format!(" Did you mean {it:?}?")).unwrap_or_default();
        let detail = format!(
            "The type of {} has no attribute {attribute:?}, so the attribute is ignored.{suggestion}",
            format_path(name, &object)
        );
        let redacted = format!(
            "The type of {} does not have this attribute, so the attribute is ignored.",
            format_redacted_path(name, &object)
        );
        let diagnostic = Diagnostic::for_value("Undeclared object attribute", detail, location);
        diagnostics.push(diagnostic.with_redacted(redacted).with_severity(Severity::Warning));
    }
}

/// Returns the path of an element of a variable: `var.ports[1].number`.
pub(crate) fn format_path(name: &str, path: &Path) -> String {
    path.clone().below(&Path::attribute("var").name(name)).to_string()
}

/// Returns the path of an element of a sensitive variable. The keys of maps are part of the value, so they are omitted.
pub(crate) fn format_redacted_path(name: &str, path: &Path) -> String {
    let mut redacted = format!("var.{name}");
    for step in path.steps() {
        match step {
            Step::Key(_) | Step::Element(_) => redacted.push_str("[…]"),
            step => redacted.push_str(&Path::default().name("").then(step.clone()).to_string()),
        }
    }
    redacted
}

/// Returns the range of the nested value at the path in the source of a value.
pub(crate) fn find_element(content: Content<'_>, path: &Path) -> Range<usize> {
    match content {
        Content::Native(it) => it.part(path),
        Content::Json(it) => json::range_at(&it, path),
        Content::Text(it) if path.is_root() => 0..it.len(),
        Content::Text(it) => Expression::parse(it).map_or(0..it.len(), |it| it.part(path)),
    }
}
