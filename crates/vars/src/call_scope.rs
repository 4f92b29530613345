//! The values that the arguments of a module call can refer to.

use std::collections::{BTreeMap, BTreeSet};

use ferroform_lang::body::{EvaluationContext, FailedCall, UnresolvedReference};
use ferroform_lang::expression::LogicalOperators;
use ferroform_lang::marks::Marked;
use ferroform_lang::{Errors, console};
use ferroform_value::Type;

use crate::argument_expression::{ArgumentExpression, ReferencedNames};
use crate::diagnostic::Diagnostic;
use crate::module::Module;
use crate::references::{describe_undeclared_local, describe_undeclared_variable, report_unknown_functions};
use crate::source::Location;

/// The values of a module: its variables and local values, and the current element of `for_each` or `count`. All other
/// objects, such as resources, are unknown.
pub(crate) struct CallScope<'a, 'd> {
    module: &'a Module<'d>,
    variables: BTreeMap<String, Marked>,
    locals: BTreeMap<String, Marked>,
    /// The names of the local values that have been evaluated.
    evaluated: BTreeSet<String>,
    repetition: Option<RepetitionData>,
    /// The modules of the calls without `count` and `for_each`, as far as they are available.
    called_modules: BTreeMap<String, &'a Module<'d>>,
    unknown: Marked,
    operators: LogicalOperators,
}

/// The values that differ between the instances of a module call.
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

    /// Sets the element of `for_each` or `count` that the next values refer to.
    pub(crate) fn set_repetition_data(&mut self, repetition: Option<RepetitionData>) {
        self.repetition = repetition;
    }

    /// Evaluates a value; `None` after an error, or if the result in Terraform cannot be determined.
    pub(crate) fn evaluate(
        &mut self,
        value: ArgumentExpression<'_>,
        location: &Location,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Marked> {
        let names = value.names();
        diagnostics.extend(report_unknown_functions(&names.functions, location));
        for name in self.module.locals.order(&names.locals, &mut self.evaluated) {
            if let Some(location) = self.module.locals.location(&name) {
                let functions = self.module.locals.find_references(&name).functions;
                diagnostics.extend(report_unknown_functions(&functions, location));
            }
            let result = self.module.locals.evaluate(&name, &mut |it| it.evaluate_in(self));
            match result {
                Some(Ok(value)) => drop(self.locals.insert(name, value)),
                Some(Err(errors)) if !errors.first().is_undetermined() => {
                    let is_secret = self.has_secret_reference(&self.module.locals.find_references(&name));
                    let errors = self.module.locals.locate_errors(&name, &errors);
                    diagnostics.extend(errors.into_iter().map(|it| it.redact_if(is_secret)));
                }
                _ => {}
            }
        }
        let result: Result<Marked, Errors> = value.evaluate(&mut |it| it.evaluate_in(self));
        result.map_or_else(
            |errors| {
                if !errors.first().is_undetermined() {
                    let is_secret = self.has_secret_reference(&names);
                    let errors = value.locate_errors(&errors, location).into_iter();
                    diagnostics.extend(errors.map(|it| it.redact_if(is_secret)));
                }
                None
            },
            Some,
        )
    }

    /// Returns true if it is certain that the module of a call does not declare an output.
    fn lacks_output(&self, name: &str, output: &str) -> bool {
        let module = self.called_modules.get(name).filter(|it| !it.is_incomplete);
        module.is_some_and(|it| !it.addresses.contains(&format!("output.{output}")))
    }

    /// Returns true if a name, or the current element, has a sensitive or ephemeral value.
    fn has_secret_reference(&self, names: &ReferencedNames) -> bool {
        let variables = names.variables.iter().filter_map(|it| self.variables.get(it));
        let locals = names.locals.iter().filter_map(|it| self.locals.get(it));
        let element = match &self.repetition {
            Some(RepetitionData::Count(it) | RepetitionData::ForEach(_, it)) => Some(it),
            None => None,
        };
        variables.chain(locals).chain(element).any(|it| !it.marks.is_empty())
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
            (["module", name, output, ..], _) if self.lacks_output(name, output) => {
                let detail = format!("The module {name:?} does not declare an output named {output:?}.");
                return Err(UnresolvedReference { summary: "Unsupported attribute".to_owned(), detail });
            }
            // An expression can use a part of an unknown object in any way.
            _ => return Ok((&self.unknown, names.len())),
        };
        match value {
            Some(it) => Ok((it, 2)),
            None if self.module.is_incomplete => Ok((&self.unknown, names.len())),
            None => Err(report_unresolved(names)),
        }
    }

    fn call(&self, _name: &str, _arguments: &[Marked]) -> Option<Result<Marked, FailedCall>> {
        Some(Ok(self.unknown.clone()))
    }

    fn logical_operators(&self) -> LogicalOperators {
        self.operators
    }
}

fn report_unresolved(names: &[&str]) -> UnresolvedReference {
    let name = names.get(1).copied().unwrap_or_default();
    let (summary, detail) = match names[0] {
        "var" => describe_undeclared_variable(name),
        "local" => describe_undeclared_local(name),
        object => {
            let argument = if object == "each" { "for_each" } else { "count" };
            let detail =
                format!("The object {object:?} is available only in blocks with the argument {argument:?}.");
            ("Invalid reference", detail)
        }
    };
    UnresolvedReference { summary: summary.to_owned(), detail }
}
