//! The local values of a module.
//!
//! A local value is evaluated only if a validation or a module call refers to it. For a validation, its expression may
//! refer only to variables and other such local values:
//!
//! ```
//! use ferroform_vars::{SourceTexts, evaluate_sources};
//!
//! let module = r#"
//! locals {
//!   sizes = ["small", "large"]
//! }
//! variable "size" {
//!   default = "medium"
//!   validation {
//!     condition     = contains(local.sizes, var.size)
//!     error_message = "The size must be one of ${join(", ", local.sizes)}."
//!   }
//! }
//! "#;
//! let module = vec![("main.tf".to_owned(), module.to_owned())];
//! let report = evaluate_sources(&SourceTexts { module, values: Vec::new() });
//! assert!(report.diagnostics().contains("The size must be one of small, large."));
//! ```

use std::collections::{BTreeMap, BTreeSet};

use ferroform_lang::body::{Body, Expression, Variables};
use ferroform_lang::expression::LogicalOperators;
use ferroform_lang::marks::Marked;
use ferroform_lang::{Errors, EvaluationError};

use crate::argument_expression::{ArgumentExpression, ReferencedNames};
use crate::diagnostic::Diagnostic;
use crate::json::Member;
use crate::source::Location;

/// A local value.
#[derive(Debug)]
struct Local<'d> {
    value: ArgumentExpression<'d>,
    names: ReferencedNames,
    name_location: Location,
    value_location: Location,
}

/// The local values of a module, by name.
#[derive(Debug, Default)]
pub(crate) struct Locals<'d> {
    values: BTreeMap<String, Local<'d>>,
}

impl<'d> Locals<'d> {
    /// Adds the local values of a file in HCL.
    pub(crate) fn add(
        &mut self,
        body: &'d Body<'d>,
        source: usize,
        overrides: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let blocks = body.blocks.iter().filter(|it| it.name == "locals");
        for argument in blocks.flat_map(|it| &it.body.arguments) {
            let value = ArgumentExpression::Native(&argument.value);
            let local = Local {
                value,
                names: value.names(),
                name_location: Location::new(source, argument.name_at.clone()),
                value_location: Location::new(source, argument.value.at()),
            };
            self.insert(argument.name, local, overrides, diagnostics);
        }
    }

    /// Adds the local values of a file in JSON.
    pub(crate) fn add_json(
        &mut self,
        members: impl Iterator<Item = &'d Member>,
        source: usize,
        overrides: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for member in members.filter(|it| it.name != "//") {
            let value = ArgumentExpression::Json(&member.value);
            let name_location = Location::new(source, member.name_at.clone());
            let value_location = Location::new(source, member.value.at.clone());
            self.insert(
                &member.name,
                Local { value, names: value.names(), name_location, value_location },
                overrides,
                diagnostics,
            );
        }
    }

    /// Adds a local value. That of an override file replaces the previous one.
    fn insert(&mut self, name: &str, local: Local<'d>, overrides: bool, diagnostics: &mut Vec<Diagnostic>) {
        let location = local.name_location.clone();
        let is_known = self.values.contains_key(name);
        if is_known && !overrides {
            let detail = format!(
                "A local value named {name:?} was already defined. Local value names must be unique within a module."
            );
            diagnostics.push(Diagnostic::new("Duplicate local value definition", detail, location));
        } else if !is_known && overrides {
            let detail = format!(
                "There is no local value named {name:?}. An override file can only override a local value that was already defined in a primary configuration file."
            );
            let summary = "Missing base local value definition to override";
            diagnostics.push(Diagnostic::new(summary, detail, location));
        } else {
            self.values.insert(name.to_owned(), local);
        }
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.values.keys()
    }

    /// Returns the names that each local value refers to.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = (&String, &ReferencedNames)> {
        self.values.iter().map(|(name, it)| (name, &it.names))
    }

    /// Evaluates the local values with these names, and sets them in `variables`. Those that cannot be evaluated are
    /// omitted, and their errors are added to `diagnostics` once.
    pub(crate) fn resolve(
        &self,
        names: &BTreeSet<String>,
        (variables, operators): (&mut Variables, LogicalOperators),
        evaluated: &mut BTreeSet<String>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for name in self.order(names, evaluated) {
            let mut evaluate = |it: &Expression<'_>| it.evaluate_with(variables, operators).map(Marked::from);
            match self.evaluate(&name, &mut evaluate) {
                Some(Ok(it)) => variables.set_local(name, it.typed),
                Some(Err(EvaluationError::Invalid(errors))) => {
                    diagnostics.extend(self.locate_errors(&name, &errors))
                }
                Some(Err(EvaluationError::Undetermined(_))) | None => {}
            }
        }
    }

    /// Returns the names that a local value refers to.
    pub(crate) fn references(&self, name: &str) -> Option<&ReferencedNames> {
        self.values.get(name).map(|it| &it.names)
    }

    /// Evaluates a local value with a function for its expressions; `None` if there is no such local value.
    pub(crate) fn evaluate<E>(
        &self,
        name: &str,
        evaluate: &mut dyn FnMut(&Expression<'_>) -> Result<Marked, E>,
    ) -> Option<Result<Marked, E>> {
        self.values.get(name).map(|it| it.value.evaluate(evaluate))
    }

    /// Returns the errors of a local value.
    pub(crate) fn locate_errors(&self, name: &str, errors: &Errors) -> Vec<Diagnostic> {
        self.values.get(name).map_or_else(Vec::new, |it| it.value.locate_errors(errors, &it.value_location))
    }

    /// Returns the location of the expression of a local value.
    pub(crate) fn location(&self, name: &str) -> Option<&Location> {
        self.values.get(name).map(|it| &it.value_location)
    }

    /// Returns the location of the name of a local value.
    pub(crate) fn name_location(&self, name: &str) -> Option<&Location> {
        self.values.get(name).map(|it| &it.name_location)
    }

    /// Returns the names of the local values that refer to a sensitive variable, directly or through other local values.
    pub(crate) fn secret_names(&self, is_secret: impl Fn(&str) -> bool) -> BTreeSet<String> {
        let mut users: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut pending = Vec::new();
        for (name, names) in self.all_names() {
            if names.variables.iter().any(|it| is_secret(it)) {
                pending.push(name.clone());
            }
            for local in &names.locals {
                users.entry(local.clone()).or_default().push(name.clone());
            }
        }
        let mut secret = BTreeSet::new();
        while let Some(name) = pending.pop() {
            pending.extend(users.remove(&name).unwrap_or_default());
            secret.insert(name);
        }
        secret
    }

    /// Returns these local values and those that they refer to, without the visited ones. Each one follows the local
    /// values that it refers to.
    pub(crate) fn order(&self, names: &BTreeSet<String>, visited: &mut BTreeSet<String>) -> Vec<String> {
        let mut order = Vec::new();
        // A list of pending steps instead of recursion, because the number of local values has no limit.
        let mut pending: Vec<(String, bool)> = names.iter().map(|it| (it.clone(), false)).collect();
        while let Some((name, is_complete)) = pending.pop() {
            if is_complete {
                order.push(name);
            } else if visited.insert(name.clone()) {
                let inner = self.references(&name);
                pending.push((name, true));
                pending.extend(inner.into_iter().flat_map(|it| &it.locals).map(|it| (it.clone(), false)));
            }
        }
        order
    }
}
