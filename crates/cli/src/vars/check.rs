//! The values of the variables, and their validations.
//!
//! A value is parsed, completed with the defaults of optional attributes, and converted to the type of the variable.
//! After that, the validations are evaluated with all values. A validation that calls an unsupported function or refers
//! to anything but variables is reported with a note.
//!
//! ```
//! use cargo_ferroform::vars::{SourceTexts, evaluate_sources};
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

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use ferroform_lang::Errors;
use ferroform_lang::body::{Expression, References, Variables};
use ferroform_lang::variable::Variable;
use ferroform_value::convert::convert;
use ferroform_value::{Path, Type, Typed, Value};

use super::declaration::{Code, Declaration, Syntax, Validation};
use super::diagnostic::{Diagnostic, Severity, diagnostics};
use super::inputs::{Content, Input, Origin};
use super::module::Module;
use super::source::Location;
use super::variable_value::VariableValue;

/// Returns the values of all variables. If the sources of values are not `complete`, missing values are not reported.
pub(super) fn values(
    module: &Module<'_>,
    mut inputs: BTreeMap<String, Input<'_>>,
    complete: bool,
    found: &mut Vec<Diagnostic>,
) -> Vec<VariableValue> {
    let mut names = Variables::default();
    let mut values = Vec::new();
    for (name, declaration) in &module.variables {
        let Some(variable) = &declaration.variable else { continue };
        let input = inputs.remove(name);
        if input.is_none() && !complete && variable.accept(None).is_err() {
            // The value may be in a source that could not be read.
            continue;
        }
        if let (Some(message), Some(input)) = (&declaration.deprecated, &input) {
            let it = Diagnostic::new("Deprecated variable is set", message.trim(), input.location.clone());
            found.push(it.severity(Severity::Warning));
        }
        match value(name, declaration, variable, input) {
            Ok(value) => {
                names.set(name.as_str(), value.clone());
                let (sensitive, ephemeral) = (variable.sensitive, variable.ephemeral);
                values.push(VariableValue::new(name, value, sensitive, ephemeral));
            }
            Err(it) => found.extend(it),
        }
    }
    let valid: HashSet<&str> = values.iter().map(VariableValue::name).collect();
    for declaration in module.variables.values() {
        // The error of a variable without a value has been reported.
        if valid.contains(&*declaration.name) {
            for validation in &declaration.validations {
                check(found, validation, declaration, module, &names);
            }
        }
    }
    values
}

fn value(
    name: &str,
    declaration: &Declaration<'_>,
    variable: &Variable,
    input: Option<Input<'_>>,
) -> Result<Typed, Vec<Diagnostic>> {
    let Some(input) = input else {
        return variable.accept(None).map_err(|_| {
            let detail = format!("The variable {name:?} has no value and no default.");
            vec![Diagnostic::new("No value for required variable", detail, declaration.location.clone())]
        });
    };
    let source = input.location.source;
    let value = match input.content {
        Content::Native(it) => it.constant().map_err(|e| diagnostics(&e, source).collect::<Vec<_>>()),
        Content::Json(it) => it.value().map_err(|(at, detail)| {
            vec![Diagnostic::of_value("Duplicate object attribute", detail, Location::new(source, at))]
        }),
        Content::Text(it) => variable.read_text(it).map_err(|e| diagnostics(&e, source).collect()),
    };
    variable.accept(Some(value?)).map_err(|e| {
        let type_note = match &input.origin {
            Origin::File => String::new(),
            Origin::Environment(_) | Origin::Option(_) => format!(" The type is {}.", variable.constraint.ty),
        };
        let detail = |it: &ferroform_lang::Diagnostic| {
            if it.is_missing_value() {
                format!("The variable {name:?} must not be null, and it has no default.")
            } else {
                format!("{}{type_note}", it.detail())
            }
        };
        let location =
            |it: &ferroform_lang::Diagnostic| Location::new(source, part_range(input.content, it.path()));
        e.iter().map(|it| Diagnostic::of_value(it.summary(), detail(it), location(it))).collect()
    })
}

/// Returns the range of the nested value at the path in the source of a value.
fn part_range(content: Content<'_>, path: &Path) -> Range<usize> {
    match content {
        Content::Native(it) => it.part(path),
        Content::Json(it) => it.part(path),
        Content::Text(it) if path.is_root() => 0..it.len(),
        Content::Text(it) => Expression::parse(it).map_or(0..it.len(), |it| it.part(path)),
    }
}

/// The result of an expression.
enum Evaluated {
    Value(Typed),
    Invalid(Errors),
    /// The expression uses a function or reference that is not supported; contains the reason.
    Unsupported(String),
    /// The expression refers to a variable without a value, whose error has been reported.
    AlreadyReported,
}

fn evaluate(code: &Code<'_>, module: &Module<'_>, names: &Variables) -> Evaluated {
    let uses = code.expression().references();
    match code.expression().evaluate(names) {
        Some(Ok(it)) => Evaluated::Value(it),
        Some(Err(e)) => Evaluated::Invalid(e),
        None => {
            if let Some(it) = uses.others.first() {
                return Evaluated::Unsupported(format!("it refers to {it}"));
            }
            if let Some(it) = uses.unknown_function() {
                return Evaluated::Unsupported(format!("it calls {it}"));
            }
            let is_valid =
                |(name, _): &(String, _)| module.variables.get(name).is_some_and(|it| it.variable.is_some());
            // A variable with a valid declaration that is not in `names` has an invalid value, which has been reported.
            if uses.variables.iter().all(is_valid) && has_all(&uses, names) {
                Evaluated::Unsupported("its result in Terraform cannot be determined".to_owned())
            } else {
                Evaluated::AlreadyReported
            }
        }
    }
}

fn has_all(uses: &References, names: &Variables) -> bool {
    uses.variables.iter().all(|(name, _)| names.has(name))
}

fn check(
    found: &mut Vec<Diagnostic>,
    validation: &Validation<'_>,
    declaration: &Declaration<'_>,
    module: &Module<'_>,
    names: &Variables,
) {
    let located = |code: &Code<'_>, errors: &Errors| -> Vec<Diagnostic> {
        let diagnostics = errors.iter().map(|it| {
            let range = it.span().start.byte..it.span().end.byte;
            Diagnostic::of_value(it.summary(), it.detail(), code.part(range))
        });
        diagnostics.collect()
    };
    let condition = match evaluate(&validation.condition, module, names) {
        Evaluated::Value(it) => it,
        Evaluated::Invalid(e) => return found.extend(located(&validation.condition, &e)),
        Evaluated::Unsupported(detail) => {
            let detail =
                format!("A validation of variable {:?} was not evaluated: {detail}.", declaration.name);
            let note = Diagnostic::new("Validation not evaluated", detail, validation.location.clone());
            return found.push(note.severity(Severity::Note));
        }
        Evaluated::AlreadyReported => return,
    };
    let invalid_result = |detail: String| {
        let location = validation.condition.location.clone();
        Diagnostic::new("Invalid variable validation result", detail, location)
    };
    let is_satisfied = match convert(condition.value, &condition.ty, &Type::Bool).map(|it| it.value) {
        Ok(Value::Bool(it)) => it,
        Ok(_) => {
            return found
                .push(invalid_result("The condition must be either true or false, not null.".to_owned()));
        }
        Err(e) => {
            let detail = |error: &str| format!("The condition must be either true or false: {error}.");
            let location = validation.condition.location.clone();
            let diagnostic = invalid_result(String::new());
            let diagnostic =
                diagnostic.with_value_detail(detail(e.message()), detail(&e.redacted()), location);
            return found.push(diagnostic);
        }
    };
    let message = match evaluate(&validation.message, module, names) {
        // In JSON, a string that cannot be evaluated is the message.
        Evaluated::Invalid(e) if matches!(validation.message.syntax, Syntax::Native(_)) => {
            return found.extend(located(&validation.message, &e));
        }
        _ if is_satisfied => return,
        Evaluated::Value(it) => match convert(it.value, &it.ty, &Type::String).map(|it| it.value) {
            Ok(Value::String(it)) if !it.trim().is_empty() => it.trim().to_owned(),
            _ => "The error message of the validation could not be evaluated.".to_owned(),
        },
        Evaluated::Invalid(_) | Evaluated::Unsupported(_) | Evaluated::AlreadyReported => {
            "The error message of the validation was not evaluated.".to_owned()
        }
    };
    let location = validation.condition.location.clone();
    found.push(Diagnostic::new("Invalid value for variable", "", location).with_value_detail(
        message,
        "The error message of the validation is not shown because it could reveal a sensitive value.",
        validation.message.location.clone(),
    ));
}
