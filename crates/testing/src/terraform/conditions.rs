//! Pre- and postconditions, validations and `check` blocks.

use ferroform::value::{Type, Value};
use ferroform_lang::marks::{Mark, Marked};

use super::address::{Address, ModuleInstance, ModulePath, module_path_prefix};
use super::checks::{CheckableObject, Status};
use super::configuration::Condition;
use super::evaluation::Evaluation;
use super::problem::{Problem, Problems, Result};
use super::resource_instance::ResourceInstance;
use super::scope::Scope;

/// The result of a condition.
pub(crate) enum ConditionResult {
    Passed,
    Unknown,
    Failed {
        message: String,
        /// The warning about a message that is not shown.
        warning: Option<Problem>,
    },
}

/// The error message of a condition, and the warning about a message that is not shown.
fn message(scope: &Scope<'_>, it: &Condition<'_>) -> (String, Option<Problem>) {
    let redacted = |kind: &str| {
        let problem = Problem::warning(
            format!("Error message refers to {kind} values"),
            format!("The error message refers to {kind} values, so it is not shown."),
        );
        let message = format!("The error message included {kind} values, so it is not shown.");
        (message, Some(problem.at_expression(&it.message)))
    };
    match scope.evaluate_as(&it.message, &Type::String) {
        Ok(message) if message.marks.contains(Mark::Ephemeral) => redacted("ephemeral"),
        Ok(message) if message.marks.contains(Mark::Sensitive) => redacted("sensitive"),
        Ok(message) => (message.typed.value.as_str().unwrap_or_default().to_owned(), None),
        Err(_) => ("The error message cannot be evaluated.".to_owned(), None),
    }
}

impl Evaluation<'_> {
    /// Evaluates a condition.
    pub(crate) fn evaluate_condition(
        &self,
        instance: &ModuleInstance,
        values: &[(&'static str, Marked)],
        it: &Condition<'_>,
    ) -> Result<ConditionResult> {
        self.with_scope(instance, values, |scope| {
            let invalid = |detail: &str| {
                let problem = Problem::error("Invalid condition result", detail);
                vec![problem.at_expression(&it.condition)]
            };
            let value = scope.evaluate(&it.condition)?;
            let value = value
                .convert(&Type::Bool)
                .map_err(|error| invalid(&format!("The condition value is invalid: {error}.")))?;
            match value.typed.value {
                Value::Bool(true) => return Ok(ConditionResult::Passed),
                Value::Unknown(_) => return Ok(ConditionResult::Unknown),
                Value::Null => return Err(invalid("The condition must be true or false, but it is null.")),
                _ => {}
            }
            let (message, warning) = message(scope, it);
            Ok(ConditionResult::Failed { message, warning })
        })
    }

    /// Evaluates the preconditions of a resource instance.
    pub(crate) fn check_preconditions(&mut self, it: &ResourceInstance<'_>) -> Result<()> {
        let (module, conditions) = (&it.address.module, &it.resource.lifecycle.preconditions);
        let checked = CheckableObject::resource(&it.address);
        self.check_conditions(module, &it.values, conditions, "Resource precondition failed", &checked)
    }

    /// Evaluates the postconditions of a resource instance with its value.
    pub(crate) fn check_postconditions(&mut self, it: &ResourceInstance<'_>, value: &Marked) -> Result<()> {
        let (module, conditions) = (&it.address.module, &it.resource.lifecycle.postconditions);
        let (values, checked) = (it.values_with_self(value), CheckableObject::resource(&it.address));
        self.check_conditions(module, &values, conditions, "Resource postcondition failed", &checked)
    }

    /// Evaluates the conditions of an object, and records the results. Returns an error for each condition that is false.
    pub(crate) fn check_conditions(
        &mut self,
        instance: &ModuleInstance,
        values: &[(&'static str, Marked)],
        conditions: &[Condition<'_>],
        summary: &str,
        checked: &CheckableObject,
    ) -> Result<()> {
        let mut problems = Problems::new();
        for it in conditions {
            let result = self.evaluate_condition(instance, values, it);
            if matches!(result, Ok(ConditionResult::Passed | ConditionResult::Unknown))
                && !checked.is_variable()
            {
                let message = self.with_scope(instance, values, |scope| message(scope, it));
                self.problems.extend(message.1);
            }
            match result {
                Ok(ConditionResult::Passed) => self.checks.record(checked, Status::Pass, None),
                Ok(ConditionResult::Unknown) => self.checks.record(checked, Status::Unknown, None),
                Ok(ConditionResult::Failed { message, warning }) => {
                    self.checks.record(checked, Status::Fail, Some(message.clone()));
                    problems.extend(warning);
                    let problem = Problem::error(summary, message);
                    problems.push(problem.at_expression(&it.condition));
                }
                Err(errors) => {
                    self.checks.record(checked, Status::Error, None);
                    problems.extend(errors);
                }
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Records the errors of a data source in a `check` block, and reports them as warnings.
    pub(crate) fn fail_check(&mut self, address: &Address, check: &str, problems: Problems) {
        let checked = CheckableObject::of("check", &address.module, &format!("check.{check}"));
        for it in problems.iter().filter(|it| it.is_error) {
            self.checks.record(&checked, Status::Fail, Some(it.summary.clone()));
        }
        self.warn(problems);
    }

    /// Reports errors as warnings.
    pub(crate) fn warn(&mut self, problems: Problems) {
        self.problems.extend(problems.into_iter().map(|it| Problem { is_error: false, ..it }));
    }

    /// Declares the objects with conditions, which a destroy does not evaluate.
    pub(crate) fn declare_checks(&mut self) {
        for (path, module) in &self.configuration.modules {
            let prefix = module_path_prefix(path);
            let checks = &mut self.checks;
            for resource in module.resources.values() {
                let lifecycle = &resource.lifecycle;
                if !lifecycle.preconditions.is_empty() || !lifecycle.postconditions.is_empty() {
                    checks.declare("resource", &format!("{prefix}{}", resource.id));
                }
            }
            for (name, _) in module.outputs.iter().filter(|(_, it)| !it.preconditions.is_empty()) {
                checks.declare("output_value", &format!("{prefix}output.{name}"));
            }
            for (name, _) in module.variables.iter().filter(|(_, it)| !it.validations.is_empty()) {
                checks.declare("var", &format!("{prefix}var.{name}"));
            }
            for check in &module.checks {
                checks.declare("check", &format!("{prefix}check.{}", check.name));
            }
        }
    }

    /// Evaluates a `check` block.
    pub(crate) fn evaluate_check(&mut self, path: &ModulePath, index: usize) -> Result<()> {
        let Some(check) = self.module(path).and_then(|it| it.checks.get(index)) else { return Ok(()) };
        self.check = Some(check.name.clone());
        let mut errors = Problems::new();
        for instance in self.instances_of(path) {
            let checked = CheckableObject::of("check", &instance, &format!("check.{}", check.name));
            // A data source of the check could not be read.
            if self.checks.has_failed(&checked) {
                continue;
            }
            for it in &check.assertions {
                let at = |problem: Problem| problem.at_expression(&it.condition);
                match self.evaluate_condition(&instance, &[], it) {
                    Ok(_) if self.validates => {}
                    Ok(ConditionResult::Passed) => self.checks.record(&checked, Status::Pass, None),
                    Ok(ConditionResult::Unknown) => {
                        self.checks.record(&checked, Status::Unknown, None);
                        let detail = "The condition could not be evaluated at this time, so a result will be known when this \
                                      plan is applied.";
                        self.problems
                            .push(at(Problem::warning("Check block assertion known after apply", detail)));
                    }
                    Ok(ConditionResult::Failed { message, warning }) => {
                        self.checks.record(&checked, Status::Fail, Some(message.clone()));
                        self.problems.extend(warning);
                        self.problems.push(at(Problem::warning("Check block assertion failed", message)));
                    }
                    Err(problems) => {
                        self.checks.record(&checked, Status::Error, None);
                        errors.extend(problems);
                    }
                }
            }
        }
        self.check = None;
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }
}
