//! CallFunction: calls a provider-defined function. The provider does not have to be configured. If it is, the
//! sensitive values of its configuration are masked in errors. The arguments and names are visible.
//!
//! The arguments are validated as attributes are. An argument with unknown parts is passed to the function only if its
//! parameter accepts unknown values; otherwise the result is unknown.
//!
//! Example: `provider::cloud::join(separator, items...)`, called as `join("-", "a", "b")`.
//!
//! | argument | parameter | path in an error of the function |
//! |---|---|---|
//! | 0: `"-"` | `separator` | `separator` |
//! | 1: `"a"` | `items`, variadic | `items[0]` |
//! | 2: `"b"` | `items`, variadic | `items[1]` |

use std::sync::Arc;

use ferroform_value::{Path, Step, Value};

use crate::diagnostic_kind::DiagnosticKind;
use crate::function::{FunctionError, FunctionSignature};
use crate::provider::AnyFunction;
use crate::redaction::SensitiveValues;
use crate::rpc::validate_config::validate_schema;
use crate::run_method::{Effect, run};
use crate::schema::{Attribute, Block};
use crate::{Diagnostic, Diagnostics, ProviderServer, Severity, contract};

impl ProviderServer {
    /// The function with this name.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none.
    pub fn function(&self, name: &str) -> Result<&Arc<dyn AnyFunction>, FunctionError> {
        self.provider.definitions().find(name).ok_or_else(|| {
            FunctionError::new(format!(
                "Function Not Found: this version of the provider has no function {name}"
            ))
        })
    }

    /// Calls the function with these arguments, which are values of the parameters' types.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such function, if the number or the value of an argument is invalid, or if the
    /// function returns an error or a value of another type, or panics.
    pub async fn call_function(&self, name: &str, arguments: Vec<Value>) -> Result<Value, FunctionError> {
        let mut sensitive = self.provider_sensitive_values();
        sensitive.add_visible([name]);
        arguments.iter().for_each(|it| sensitive.add_visible_value(it));
        let result = self.call_function_unmasked(name, arguments, &sensitive).await;
        result.map_err(|mut error| {
            if let Ok(function) = self.function(name) {
                sensitive.add_names(&function.signature().parameters);
            }
            error.text = sensitive.mask_string(error.text);
            error
        })
    }

    async fn call_function_unmasked(
        &self,
        name: &str,
        arguments: Vec<Value>,
        sensitive: &SensitiveValues,
    ) -> Result<Value, FunctionError> {
        let function = self.function(name)?.clone();
        let signature = function.signature();
        check_count(signature, arguments.len())?;
        let mut diagnostics = validate_arguments(name, signature, &arguments);
        if diagnostics.has_error() {
            return Err(FunctionError::from_diagnostics(signature, &diagnostics));
        }
        if has_unexpected_unknown(signature, &arguments) {
            return Ok(Value::UNKNOWN);
        }
        let cx = self.unconfigured_context(sensitive);
        let operation = format!("the function {name}");
        let method = function.call(cx.clone(), arguments);
        let result = run(&cx, &operation, Effect::Reads, method, &mut diagnostics).await;
        // The protocol has no warnings of functions.
        diagnostics
            .iter()
            .filter(|it| it.severity == Severity::Warning)
            .for_each(|it| tracing::warn!("{it}"));
        let Some(result) = result.filter(|_| !diagnostics.has_error()) else {
            return Err(FunctionError::from_diagnostics(signature, &diagnostics));
        };
        check_result(signature, result)
    }
}

fn check_count(signature: &FunctionSignature, count: usize) -> Result<(), FunctionError> {
    let expected = signature.positional_parameters().len();
    if count == expected || signature.is_variadic && count > expected {
        return Ok(());
    }
    let at_least = if signature.is_variadic { "at least " } else { "" };
    let (arguments, verb) = if expected == 1 { ("argument", "is") } else { ("arguments", "are") };
    Err(FunctionError::new(format!(
        "Unexpected Function Arguments Data: {at_least}{expected} {arguments} {verb} required, but got {count}"
    )))
}

/// Checks that the result has the type of the signature.
fn check_result(signature: &FunctionSignature, result: Value) -> Result<Value, FunctionError> {
    const RESULT: &str = "result";
    let block = Block::new().attribute(Attribute::raw(RESULT, signature.result.clone()));
    let object = Value::Object([(RESULT.into(), result.clone())].into_iter().collect());
    let violations = contract::check_type(&block, &object);
    match violations.iter().next().map(Diagnostic::kind) {
        None => Ok(result),
        Some(DiagnosticKind::FailedCheck(check)) => {
            // Terraform ends the message with a period.
            let ending = contract::REPORT_TO_AUTHORS.trim_end_matches('.');
            Err(FunctionError::new(format!("{}. {ending}", check.message)))
        }
        Some(_) => Err(FunctionError::from_diagnostics(signature, &violations)),
    }
}

/// Validates each argument by the attribute of its parameter.
fn validate_arguments(name: &str, signature: &FunctionSignature, arguments: &[Value]) -> Diagnostics {
    let mut all = Diagnostics::new();
    let operation = format!("the function {name}");
    let expected = signature.positional_parameters().len();
    for (position, argument) in arguments.iter().enumerate() {
        let Some(parameter) = signature.parameter_at(position) else { continue };
        let mut diagnostics = Diagnostics::new();
        let block = Block::new().attribute(parameter.clone());
        let object = Value::Object([(parameter.name.clone(), argument.clone())].into_iter().collect());
        validate_schema(&operation, &block, &object, true, &mut diagnostics);
        let index = position.checked_sub(expected);
        all.extend(diagnostics.into_iter().map(|it| at_index(without_summary(it), parameter, index)));
    }
    all
}

/// The summaries of validators name attributes, so only the detail is used for arguments.
fn without_summary(mut diagnostic: Diagnostic) -> Diagnostic {
    if !diagnostic.detail.is_empty() {
        diagnostic.summary = std::mem::take(&mut diagnostic.detail);
    }
    diagnostic
}

/// Inserts the index of a variadic argument into the path: `items.name` becomes `items[2].name`.
fn at_index(mut diagnostic: Diagnostic, parameter: &Attribute, index: Option<usize>) -> Diagnostic {
    let Some(index) = index else { return diagnostic };
    let inner = diagnostic.path.take().unwrap_or_default();
    let steps = [Step::Attribute(parameter.name.clone()), Step::Index(index)];
    let path: Path = steps.into_iter().chain(inner.steps().iter().skip(1).cloned()).collect();
    diagnostic.path = Some(path);
    diagnostic
}

/// True if an argument is unknown or has unknown parts, and its parameter does not accept that.
fn has_unexpected_unknown(signature: &FunctionSignature, arguments: &[Value]) -> bool {
    arguments.iter().enumerate().any(|(position, argument)| {
        let parameter = signature.parameter_at(position);
        let is_allowed = parameter.is_some_and(|it| signature.unknown_allowed.contains(&it.name));
        !is_allowed && !argument.is_wholly_known()
    })
}
