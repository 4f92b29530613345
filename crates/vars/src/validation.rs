//! The validations of the variables.
//!
//! A validation is evaluated with the values of all variables, after their conversion. If its result depends on an
//! unsupported function or a reference that is not supported, a note contains the reason.
//!
//! ```
//! use ferroform_vars::{SourceTexts, evaluate_sources};
//!
//! let module = r#"
//! variable "ports" {
//!   validation {
//!     condition     = alltrue([for port in var.ports : port > 0])
//!     error_message = "Each port must be positive."
//!   }
//! }
//! "#;
//! let report = evaluate_sources(&SourceTexts {
//!     module: vec![("main.tf".to_owned(), module.to_owned())],
//!     values: vec![("terraform.tfvars".to_owned(), "ports = [80, -1]".to_owned())],
//! });
//! assert!(report.diagnostics().contains(" --> terraform.tfvars:1:14"));
//! assert!(report.diagnostics().contains("The validation at main.tf:3:3 rejects var.ports[1]."));
//! ```

use std::collections::{BTreeMap, BTreeSet, HashSet};

use ferroform_lang::body::Variables;
use ferroform_lang::{Errors, EvaluationError, Reason};
use ferroform_value::convert::convert;
use ferroform_value::{Path, Step, Type, Typed, Value};

use crate::declaration::{Declaration, ExpressionSyntax, LocatedExpression, Validation};
use crate::diagnostic::{Diagnostic, DiagnosticCategory, Severity};
use crate::explain::{ValidationOutcome, ValidationOutcomes};
use crate::input_values::{find_element, format_path, format_redacted_path};
use crate::inputs::Input;
use crate::module::Module;
use crate::source::{Location, Source};
use crate::target::Behavior;
use crate::terraform_names::is_known_function;

/// Evaluates validations.
pub(crate) struct Validator<'a, 'd> {
    pub(crate) module: &'a Module<'d>,
    pub(crate) sources: &'a [Source],
    pub(crate) inputs: &'a BTreeMap<&'d str, Input<'d>>,
    /// The names of the variables with a value.
    pub(crate) variables_with_values: HashSet<&'a str>,
    /// The names of the variables whose values are secret in this evaluation, in addition to the secret variables of the
    /// module.
    pub(crate) secret_variables: HashSet<&'a str>,
    /// The values that a validation can use.
    pub(crate) values: Variables,
    /// The values of all variables, for evaluating error messages, if a condition can use only the value of its own variable.
    pub(crate) all_values: Option<Variables>,
    /// The names of the local values that have been evaluated.
    pub(crate) locals: BTreeSet<String>,
    pub(crate) behavior: Behavior,
    pub(crate) mode: ValidationMode,
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
    /// The number of validations that were not evaluated.
    pub(crate) unevaluated: usize,
    /// The results, in the order of the declarations.
    pub(crate) outcomes: ValidationOutcomes,
}

/// The variables whose values a validation can use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ValidationMode {
    /// All variables have their values. Validations that are not evaluated are reported.
    Complete,
    /// Variables can be unknown. A validation whose result is unknown is not reported.
    Partial,
    /// As in `terraform validate`, a validation uses only the value of its variable, and all other variables are unknown.
    Validate,
    /// As [`ValidationMode::Validate`], but the values are defaults that callers can override.
    Defaults,
    /// All variables are unknown. Only errors are reported, because validations that are not evaluated are reported if
    /// the variables have values.
    Unknown,
}

const NOT_EVALUATED: &str = "The error message of the validation was not evaluated.";

/// The result of an expression.
enum ExpressionResult {
    Value(Typed),
    Invalid(Errors),
    /// The result in Terraform cannot be determined.
    Undetermined(Reason),
    /// The expression refers to a variable without a value, whose error has been reported.
    AlreadyReported,
}

impl<'a, 'd> Validator<'a, 'd> {
    /// Creates a validator of a module whose variables have no values.
    pub(crate) fn new(
        module: &'a Module<'d>,
        sources: &'a [Source],
        inputs: &'a BTreeMap<&'d str, Input<'d>>,
        behavior: Behavior,
        mode: ValidationMode,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Validator<'a, 'd> {
        Validator {
            module,
            sources,
            inputs,
            variables_with_values: HashSet::new(),
            secret_variables: HashSet::new(),
            values: Variables::default(),
            all_values: None,
            locals: BTreeSet::new(),
            behavior,
            mode,
            diagnostics,
            unevaluated: 0,
            outcomes: ValidationOutcomes::new(),
        }
    }

    pub(crate) fn check_all(&mut self) {
        let module = self.module;
        if !matches!(self.mode, ValidationMode::Complete | ValidationMode::Partial) {
            self.all_values = Some(std::mem::take(&mut self.values));
        }
        let mut unknown = Variables::default();
        if self.all_values.is_some() {
            let variables = module.variables.iter();
            variables.for_each(|(name, it)| unknown.set(name.as_str(), it.unknown_value().typed));
        }
        let before = self.diagnostics.len();
        for declaration in module.variables.values().filter(|it| !it.validations.is_empty()) {
            let own = self.all_values.as_ref().map(|all| {
                let mut own = unknown.clone();
                let value = all.value(&declaration.name).cloned();
                value.into_iter().for_each(|it| own.set(declaration.name.as_str(), it));
                own
            });
            // The error of a variable without a value has been reported.
            if self.variables_with_values.contains(&*declaration.name) {
                for validation in &declaration.validations {
                    own.iter().for_each(|it| self.set_values(it.clone()));
                    let is_supported = !self.behavior.is_limited_to_validated_variable
                        || self.check_references_to_others(declaration, validation);
                    let outcome = if is_supported {
                        self.check(validation, declaration)
                    } else {
                        ValidationOutcome::Invalid
                    };
                    self.outcomes.entry(declaration.name.clone()).or_default().push(outcome);
                }
            }
        }
        if self.mode == ValidationMode::Defaults {
            // A caller can set another value than the default.
            let errors = self.diagnostics[before..].iter_mut().filter(|it| it.severity == Severity::Error);
            errors.for_each(|it| it.severity = Severity::Warning);
        }
    }

    fn set_values(&mut self, values: Variables) {
        self.values = values;
        self.locals.clear();
    }

    /// Before Terraform 1.9 and OpenTofu 1.9, a validation can refer only to the variable that it validates.
    fn check_references_to_others(
        &mut self,
        declaration: &Declaration<'_>,
        validation: &Validation<'_>,
    ) -> bool {
        let before = self.diagnostics.len();
        for expression in [&validation.condition, &validation.message] {
            let references = &expression.references;
            let variables = references.variables.iter().filter(|(name, _)| *name != declaration.name);
            let others = variables.map(|(name, _)| format!("var.{name}"));
            let others = others.chain(references.locals.iter().map(|name| format!("local.{name}")));
            let others: Vec<String> = others.chain(references.others.iter().cloned()).collect();
            if let Some(other) = others.first() {
                let detail = format!(
                    "Before Terraform 1.9 and OpenTofu 1.9, the validation of variable {:?} can refer only to var.{}, but this validation refers to {other}.",
                    declaration.name, declaration.name
                );
                let summary = "Invalid reference in variable validation";
                self.diagnostics.push(Diagnostic::new(summary, detail, expression.location.clone()));
            }
        }
        self.diagnostics.len() == before
    }

    fn evaluate(&mut self, expression: &LocatedExpression<'_>) -> ExpressionResult {
        let operators = self.behavior.operators;
        let values = (&mut self.values, operators);
        let locals = &expression.references.locals;
        self.module.locals.resolve(locals, values, &mut self.locals, self.diagnostics);
        match expression.expression().evaluate_with(&self.values, operators) {
            Ok(it) => ExpressionResult::Value(it),
            Err(EvaluationError::Invalid(e)) => ExpressionResult::Invalid(e),
            Err(EvaluationError::Undetermined(Reason::Variable(name))) if !self.values.has(&name) => {
                ExpressionResult::AlreadyReported
            }
            Err(EvaluationError::Undetermined(reason)) => ExpressionResult::Undetermined(reason),
        }
    }

    fn check(&mut self, validation: &Validation<'_>, declaration: &Declaration<'_>) -> ValidationOutcome {
        let condition = match self.evaluate(&validation.condition) {
            ExpressionResult::Value(it) => it,
            ExpressionResult::Invalid(e) => {
                self.diagnostics.extend(locate_expression_errors(&validation.condition, &e));
                return ValidationOutcome::Invalid;
            }
            ExpressionResult::Undetermined(reason) => {
                self.report_unevaluated(validation, declaration, &reason);
                return ValidationOutcome::NotEvaluated(reason.to_string());
            }
            ExpressionResult::AlreadyReported => {
                return ValidationOutcome::NotEvaluated("a value that it refers to has an error".to_owned());
            }
        };
        let is_satisfied = match evaluate_condition(validation, condition) {
            Ok(it) => it,
            Err(e) => {
                self.diagnostics.push(*e);
                return ValidationOutcome::Invalid;
            }
        };
        if is_satisfied == Some(false)
            && let Some(all) = self.all_values.clone()
        {
            self.set_values(all);
        }
        let message = match self.evaluate(&validation.message) {
            // In JSON, a string that cannot be evaluated is the message.
            ExpressionResult::Invalid(e)
                if matches!(validation.message.syntax, ExpressionSyntax::Native(_)) =>
            {
                self.diagnostics.extend(locate_expression_errors(&validation.message, &e));
                return ValidationOutcome::Invalid;
            }
            _ if is_satisfied == Some(true) => return ValidationOutcome::Passed,
            _ if is_satisfied.is_none() => {
                return ValidationOutcome::NotEvaluated("its result is unknown".to_owned());
            }
            ExpressionResult::Value(value) => {
                match convert(value.value, &value.ty, &Type::String).map(|it| it.value) {
                    Ok(Value::String(it)) if !it.trim().is_empty() => it.trim().to_owned(),
                    Ok(Value::Unknown(_)) => NOT_EVALUATED.to_owned(),
                    _ => "The error message of the validation could not be evaluated.".to_owned(),
                }
            }
            ExpressionResult::Invalid(_)
            | ExpressionResult::Undetermined(_)
            | ExpressionResult::AlreadyReported => NOT_EVALUATED.to_owned(),
        };
        let diagnostic = self.report_rejection(validation, declaration, message);
        self.diagnostics.push(diagnostic);
        ValidationOutcome::Failed
    }

    fn report_unevaluated(
        &mut self,
        validation: &Validation<'_>,
        declaration: &Declaration<'_>,
        reason: &Reason,
    ) {
        let is_unknown = self.mode != ValidationMode::Complete && matches!(reason, Reason::Variable(_));
        if is_unknown || self.mode == ValidationMode::Unknown {
            return;
        }
        self.unevaluated += 1;
        // A warning about a function that no version has is reported with the declaration.
        let is_reported = matches!(reason, Reason::Function(name) if !is_known_function(name));
        if !is_reported {
            let detail =
                format!("A validation of variable {:?} was not evaluated: {reason}.", declaration.name);
            let note = Diagnostic::new("Validation not evaluated", detail, validation.location.clone());
            self.diagnostics.push(
                note.with_severity(Severity::Note).with_category(DiagnosticCategory::UnevaluatedValidation),
            );
        }
    }

    /// Returns the error of a value that a validation rejects, with the location of the value.
    fn report_rejection(
        &self,
        validation: &Validation<'_>,
        declaration: &Declaration<'_>,
        message: String,
    ) -> Diagnostic {
        let expression = validation.condition.expression();
        let elements = expression.rejected_elements(&self.values, self.behavior.operators);
        let first = elements.iter().find(|(name, _)| *name == declaration.name);
        let path = first.map_or(const { &Path::ROOT }, |(_, path)| path);
        let rejected: Vec<String> = match &*elements {
            [] => vec![format!("the value of var.{}", declaration.name)],
            _ => elements.iter().map(|(name, path)| self.describe_element(name, path)).collect(),
        };
        let (last, others) = rejected.split_last().map_or(("", &[][..]), |(last, rest)| (last, rest));
        let rejected =
            if others.is_empty() { last.to_owned() } else { format!("{} and {last}", others.join(", ")) };
        let position = validation.location.describe(self.sources);
        let location = match self.inputs.get(declaration.name.as_str()) {
            Some(input) => Location::new(input.location.source, find_element(input.content, path)),
            None => declaration.default_location.clone().unwrap_or_else(|| declaration.location.clone()),
        };
        Diagnostic::new("Invalid value for variable", "", location)
            .with_value_detail(
                message,
                "The error message of the validation is not shown because it could reveal a sensitive value.",
                validation.message.location.clone(),
            )
            .with_note(format!("The validation at {position} rejects {rejected}."))
            .redact_if(self.has_secret_reference(validation))
    }

    /// Returns true if the message of a validation can contain a value that is secret in this evaluation.
    fn has_secret_reference(&self, validation: &Validation<'_>) -> bool {
        let references = &validation.message.references;
        let mut names = references.variables.iter().map(|(name, _)| &**name);
        // Local values can refer to any variable.
        names.any(|it| self.secret_variables.contains(it))
            || !(references.locals.is_empty() || self.secret_variables.is_empty())
    }

    fn describe_element(&self, name: &str, path: &Path) -> String {
        if self.module.is_secret(name) || self.secret_variables.contains(name) {
            return format_redacted_path(name, path);
        }
        match (path.last(), path.parent()) {
            (Some(Step::Element(element)), Some(set)) => {
                format!("the element {element} of {}", format_path(name, &set))
            }
            _ => format_path(name, path),
        }
    }
}

/// Returns the result of a condition, or the error if it is not a bool; `None` if it is unknown.
fn evaluate_condition(
    validation: &Validation<'_>,
    condition: Typed,
) -> Result<Option<bool>, Box<Diagnostic>> {
    let location = || validation.condition.location.clone();
    let invalid_result =
        |detail: &str| Diagnostic::new("Invalid variable validation result", detail, location());
    match convert(condition.value, &condition.ty, &Type::Bool).map(|it| it.value) {
        Ok(Value::Bool(it)) => Ok(Some(it)),
        Ok(Value::Unknown(_)) => Ok(None),
        Ok(_) => Err(Box::new(invalid_result(
            "Validation condition expression must return either true or false, not null.",
        ))),
        Err(e) => {
            let detail = |error: &str| format!("Invalid validation condition result value: {error}.");
            let diagnostic = invalid_result("");
            Err(Box::new(diagnostic.with_value_detail(
                detail(e.message()),
                detail(&e.redacted()),
                location(),
            )))
        }
    }
}

/// Returns the errors of an expression with their locations.
fn locate_expression_errors(expression: &LocatedExpression<'_>, errors: &Errors) -> Vec<Diagnostic> {
    let diagnostics = errors.iter().map(|error| {
        let range = error.span().start.byte..error.span().end.byte;
        Diagnostic::for_value(error.summary(), error.detail(), expression.subexpression_location(range))
    });
    diagnostics.collect()
}
