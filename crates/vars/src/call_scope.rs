//! The values that the arguments of a module call can refer to.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use ferroform_lang::body::{EvaluationContext, FailedCall, UnresolvedReference};
use ferroform_lang::expression::LogicalOperators;
use ferroform_lang::marks::Marked;
use ferroform_lang::{Errors, console};
use ferroform_value::Type;

use crate::argument_expression::ReferencedNames;
use crate::call::CallArgument;
use crate::call_references::describe_incomplete_reference;
use crate::diagnostic::{Diagnostic, DiagnosticCategory, Severity};
use crate::module::Module;
use crate::references::{describe_undeclared_local, describe_undeclared_variable, report_unknown_functions};
use crate::source::Location;
use crate::terraform_names::is_known_function;

/// The functions whose results are unknown in a plan.
const IMPURE_FUNCTIONS: [&str; 3] = ["bcrypt", "timestamp", "uuid"];

/// The values of a module: its variables and local values, and the repetition data of the current instance. All other
/// objects, such as resources, are unknown.
pub(crate) struct CallScope<'a, 'd> {
    module: &'a Module<'d>,
    variables: BTreeMap<String, Marked>,
    locals: BTreeMap<String, Marked>,
    /// The names of the local values that have been evaluated.
    evaluated: BTreeSet<String>,
    repetition: Option<RepetitionData>,
    /// The modules of the calls without `count` and `for_each`, if they are available.
    called_modules: BTreeMap<String, &'a Module<'d>>,
    /// The unsupported functions that the current expression has called with known arguments.
    unsupported: RefCell<BTreeSet<String>>,
    unknown: Marked,
    operators: LogicalOperators,
}

/// The repetition data of an instance: the values that differ between the instances of a module call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RepetitionData {
    /// The value of `count.index`.
    Count(Marked),
    /// The values of `each.key` and `each.value`.
    ForEach(Marked, Marked),
}

impl RepetitionData {
    /// Returns the key in the address of the instance: `[0]` or `["eu"]`. It is empty if it is unknown.
    pub(crate) fn key(&self) -> String {
        let (RepetitionData::Count(key) | RepetitionData::ForEach(key, _)) = self;
        let key = &key.typed;
        if key.value.is_unknown() { String::new() } else { format!("[{}]", console::show(key)) }
    }
}

impl<'a, 'd> CallScope<'a, 'd> {
    /// Creates the scope of a module. The variables without a value are unknown.
    pub(crate) fn new(
        module: &'a Module<'d>,
        variables: BTreeMap<String, Marked>,
        operators: LogicalOperators,
    ) -> CallScope<'a, 'd> {
        let unknown = Marked::unknown(Type::Dynamic);
        let mut scope = CallScope {
            module,
            variables,
            locals: BTreeMap::new(),
            evaluated: BTreeSet::new(),
            repetition: None,
            called_modules: BTreeMap::new(),
            unsupported: RefCell::default(),
            unknown,
            operators,
        };
        for (name, declaration) in &module.variables {
            let variables = &mut scope.variables;
            variables.entry(name.clone()).or_insert_with(|| declaration.unknown_value());
        }
        scope
    }

    /// Sets the module of a call without `count` and `for_each`, whose outputs expressions can refer to.
    pub(crate) fn set_called_module(&mut self, name: &str, module: &'a Module<'d>) {
        self.called_modules.insert(name.to_owned(), module);
    }

    /// Sets the repetition data that the next values refer to.
    pub(crate) fn set_repetition_data(&mut self, repetition: Option<RepetitionData>) {
        self.repetition = repetition;
    }

    /// Evaluates an argument; `None` after an error, or if the result in Terraform cannot be determined.
    pub(crate) fn evaluate(
        &mut self,
        argument: &CallArgument<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Marked> {
        let CallArgument { value, names, .. } = argument;
        let location = &argument.location();
        self.resolve_locals(&names.locals, diagnostics);
        report_calls_of_unknown_functions(names, location, diagnostics);
        self.unsupported.take();
        let result: Result<Marked, Errors> = value.evaluate(&mut |it| it.evaluate_in(self));
        diagnostics.extend(self.report_unevaluated(result.as_ref().ok(), location));
        result.map_or_else(
            |errors| {
                if !errors.first().is_undetermined() {
                    let is_secret = self.has_secret_reference(names);
                    let errors = value.locate_errors(&errors, location).into_iter();
                    diagnostics.extend(errors.map(|it| it.redact_if(is_secret)));
                }
                None
            },
            Some,
        )
    }

    /// Evaluates the local values with these names, and those that they refer to.
    pub(crate) fn resolve_locals(&mut self, names: &BTreeSet<String>, diagnostics: &mut Vec<Diagnostic>) {
        let locals = &self.module.locals;
        for name in locals.order(names, &mut self.evaluated) {
            let Some((location, references)) = locals.location(&name).zip(locals.references(&name)) else {
                continue;
            };
            report_calls_of_unknown_functions(references, location, diagnostics);
            self.unsupported.take();
            let Some(result) = locals.evaluate(&name, &mut |it| it.evaluate_in(self)) else { continue };
            diagnostics.extend(self.report_unevaluated(result.as_ref().ok(), location));
            match result {
                Ok(value) => drop(self.locals.insert(name, value)),
                Err(errors) if !errors.first().is_undetermined() => {
                    let is_secret = self.has_secret_reference(references);
                    let errors = locals.locate_errors(&name, &errors);
                    diagnostics.extend(errors.into_iter().map(|it| it.redact_if(is_secret)));
                }
                Err(_) => {}
            }
        }
    }

    /// Returns a note if the value is unknown because its expression has called unsupported functions.
    fn report_unevaluated(&self, value: Option<&Marked>, location: &Location) -> Option<Diagnostic> {
        let functions = self.unsupported.take();
        let is_unknown = value.is_some_and(|it| !it.typed.value.is_wholly_known());
        if functions.is_empty() || !is_unknown {
            return None;
        }
        let functions: Vec<String> = functions.into_iter().collect();
        let detail = format!("This expression was not evaluated: it calls {}.", functions.join(" and "));
        let note = Diagnostic::new("Expression not evaluated", detail, location.clone());
        Some(note.with_severity(Severity::Note).with_category(DiagnosticCategory::UnevaluatedExpression))
    }

    /// Returns true if it is certain that the module of a call does not declare an output.
    fn is_undeclared_output(&self, name: &str, output: &str) -> bool {
        let module = self.called_modules.get(name).filter(|it| !it.is_incomplete);
        module.is_some_and(|it| !it.addresses.contains(&format!("output.{output}")))
    }

    /// Returns true if a name, or the repetition data, has a sensitive or ephemeral value.
    fn has_secret_reference(&self, names: &ReferencedNames) -> bool {
        let variables = names.variables.iter().filter_map(|it| self.variables.get(it));
        let locals = names.locals.iter().filter_map(|it| self.locals.get(it));
        let repetition = match &self.repetition {
            Some(RepetitionData::Count(it) | RepetitionData::ForEach(_, it)) => Some(it),
            None => None,
        };
        variables.chain(locals).chain(repetition).any(|it| !it.marks.is_empty())
    }
}

impl EvaluationContext for CallScope<'_, '_> {
    fn resolve(&self, names: &[&str]) -> Result<(&Marked, usize), UnresolvedReference> {
        let value = match (names, &self.repetition) {
            (["var", name, ..], _) => self.variables.get(*name),
            (["local", name, ..], _) => {
                self.locals.get(*name).or_else(|| self.module.locals.contains(name).then_some(&self.unknown))
            }
            (["count", "index", ..], Some(RepetitionData::Count(index))) => Some(index),
            (["each", "key", ..], Some(RepetitionData::ForEach(key, _))) => Some(key),
            (["each", "value", ..], Some(RepetitionData::ForEach(_, value))) => Some(value),
            (["each" | "count", ..], _) => None,
            (["module", name, output, ..], _) if self.is_undeclared_output(name, output) => {
                let detail = format!("The module {name:?} does not declare an output named {output:?}.");
                return Err(UnresolvedReference { summary: "Unsupported attribute".to_owned(), detail });
            }
            // An expression can access any element or attribute of an unknown object.
            _ => return Ok((&self.unknown, names.len())),
        };
        match value {
            Some(it) => Ok((it, 2)),
            None if self.module.is_incomplete => Ok((&self.unknown, names.len())),
            None => Err(report_unresolved(names)),
        }
    }

    fn call(&self, name: &str, arguments: &[Marked]) -> Option<Result<Marked, FailedCall>> {
        let has_known_result = !IMPURE_FUNCTIONS.contains(&name.strip_prefix("core::").unwrap_or(name))
            && arguments.iter().all(|it| it.typed.value.is_wholly_known());
        // A warning about a function that no version has is reported for the whole expression.
        if has_known_result && is_known_function(name) {
            self.unsupported.borrow_mut().insert(name.to_owned());
        }
        Some(Ok(self.unknown.clone()))
    }

    fn logical_operators(&self) -> LogicalOperators {
        self.operators
    }
}

/// Reports the calls of functions that no version of Terraform or OpenTofu has.
fn report_calls_of_unknown_functions(
    names: &ReferencedNames,
    location: &Location,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let unknown = report_unknown_functions(&names.functions, location);
    diagnostics.extend(unknown.map(|it| it.with_category(DiagnosticCategory::UnevaluatedExpression)));
}

fn report_unresolved(names: &[&str]) -> UnresolvedReference {
    let name = names.get(1).copied().unwrap_or_default();
    let (summary, detail) = match names[0] {
        "var" => describe_undeclared_variable(name),
        "local" => describe_undeclared_local(name),
        object => describe_repetition_error(object, names.get(1).copied()),
    };
    UnresolvedReference { summary: summary.to_owned(), detail }
}

/// Returns the summary and the detail of the error of a reference to `each` or `count`, as Terraform prints them.
fn describe_repetition_error(object: &str, attribute: Option<&str>) -> (&'static str, String) {
    match (object, attribute) {
        (_, None) => ("Invalid reference", describe_incomplete_reference(object)),
        ("each", Some("key" | "value")) => (
            "Reference to \"each\" in context without for_each",
            "The \"each\" object can be used only in \"module\" or \"resource\" blocks, and only when the \"for_each\" \
             argument is set."
                .to_owned(),
        ),
        ("each", Some(attribute)) => (
            "Invalid \"each\" attribute",
            format!(
                "The \"each\" object does not have an attribute named {attribute:?}. The supported attributes are each.key and \
                 each.value, the current key and value pair of the \"for_each\" attribute set."
            ),
        ),
        (_, Some("index")) => (
            "Reference to \"count\" in non-counted context",
            "The \"count\" object can only be used in \"module\", \"resource\", and \"data\" blocks, and only when the \
             \"count\" argument is set."
                .to_owned(),
        ),
        (_, Some(attribute)) => (
            "Invalid \"count\" attribute",
            format!(
                "The \"count\" object does not have an attribute named {attribute:?}. The only supported attribute is \
                 count.index, which is the index of each instance of a resource block that has the \"count\" argument set."
            ),
        ),
    }
}
