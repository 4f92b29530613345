//! The local values of a module, which validations can refer to.
//!
//! A local value is evaluated if a validation refers to it, and only if its expression refers to nothing but variables
//! and other local values of this kind:
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

use ferroform_lang::body::{Body, Expression, ExpressionReferences, Variables};
use ferroform_lang::expression::LogicalOperators;
use ferroform_lang::{Errors, EvaluationError};

use crate::diagnostic::{Diagnostic, diagnostics, diagnostics_at};
use crate::json::{Kind, Member, Node};
use crate::source::Location;

/// A local value.
#[derive(Debug)]
struct Local<'d> {
    syntax: Syntax<'d>,
    name_at: Location,
    value_at: Location,
}

/// The expression of a local value.
#[derive(Debug)]
enum Syntax<'d> {
    Native(&'d Expression<'d>),
    /// A string in JSON, which is a template.
    Template(Expression<'d>),
    /// Any other value in JSON. It is evaluated if it contains no strings.
    Json(&'d Node),
}

impl Local<'_> {
    fn diagnostics(&self, errors: &Errors) -> Vec<Diagnostic> {
        match self.syntax {
            Syntax::Native(_) => diagnostics(errors, self.value_at.source).collect(),
            _ => diagnostics_at(errors, &self.value_at).collect(),
        }
    }
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
        found: &mut Vec<Diagnostic>,
    ) {
        let blocks = body.blocks.iter().filter(|it| it.name == "locals");
        for it in blocks.flat_map(|it| &it.body.arguments) {
            let local = Local {
                syntax: Syntax::Native(&it.value),
                name_at: Location::new(source, it.name_at.clone()),
                value_at: Location::new(source, it.value.at()),
            };
            self.insert(it.name, local, overrides, found);
        }
    }

    /// Adds the local values of a file in JSON.
    pub(crate) fn add_json(
        &mut self,
        members: impl Iterator<Item = &'d Member>,
        source: usize,
        overrides: bool,
        found: &mut Vec<Diagnostic>,
    ) {
        for it in members.filter(|it| it.name != "//") {
            let syntax = match &it.value.kind {
                // A template with a syntax error has been reported.
                Kind::String(text) => {
                    Expression::template(text).map_or(Syntax::Json(&it.value), Syntax::Template)
                }
                _ => Syntax::Json(&it.value),
            };
            let name_at = Location::new(source, it.name_at.clone());
            let value_at = Location::new(source, it.value.at.clone());
            self.insert(&it.name, Local { syntax, name_at, value_at }, overrides, found);
        }
    }

    /// Adds a local value. That of an override file replaces the previous one.
    fn insert(&mut self, name: &str, local: Local<'d>, overrides: bool, found: &mut Vec<Diagnostic>) {
        let location = local.name_at.clone();
        let is_known = self.values.contains_key(name);
        if is_known && !overrides {
            let detail = format!("The local value {name:?} is already defined.");
            found.push(Diagnostic::new("Duplicate local value definition", detail, location));
        } else if !is_known && overrides {
            let detail = format!("No base definition was found for the override of local value {name:?}.");
            let summary = "Missing base local value definition to override";
            found.push(Diagnostic::new(summary, detail, location));
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

    /// Returns the references of each local value.
    pub(crate) fn all_references(&self) -> impl Iterator<Item = (&String, ExpressionReferences)> {
        self.values.keys().filter_map(|name| Some((name, self.references(name)?)))
    }

    /// Evaluates the local values of these references, and sets them in `variables`. Those that cannot be evaluated are
    /// omitted, and their errors are added to `found` once.
    pub(crate) fn resolve(
        &self,
        references: &ExpressionReferences,
        (variables, operators): (&mut Variables, LogicalOperators),
        evaluated: &mut BTreeSet<String>,
        found: &mut Vec<Diagnostic>,
    ) {
        // Topological order: each local value follows the local values that it refers to.
        let mut order = Vec::new();
        self.visit(references, &mut order, evaluated);
        for name in order {
            let Some(local) = self.values.get(&name) else { continue };
            let result = match &local.syntax {
                Syntax::Native(it) => it.evaluate_with(variables, operators),
                Syntax::Template(it) => it.evaluate_with(variables, operators),
                Syntax::Json(it) if !has_strings(it) => match it.value() {
                    Ok(value) => Ok(value),
                    Err(_) => continue,
                },
                Syntax::Json(_) => continue,
            };
            match result {
                Ok(value) => variables.set_local(name, value),
                Err(EvaluationError::Invalid(errors)) => found.extend(local.diagnostics(&errors)),
                Err(EvaluationError::Undetermined(_)) => {}
            }
        }
    }

    /// Returns the location of the expression of a local value.
    pub(crate) fn location(&self, name: &str) -> Option<&Location> {
        self.values.get(name).map(|it| &it.value_at)
    }

    /// Returns the names of the local values that refer to a sensitive variable, directly or through other local values.
    pub(crate) fn secret_names(&self, is_secret: impl Fn(&str) -> bool) -> BTreeSet<String> {
        let mut users: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut pending = Vec::new();
        for (name, references) in self.all_references() {
            if references.variables.iter().any(|(variable, _)| is_secret(variable)) {
                pending.push(name.clone());
            }
            for local in references.locals {
                users.entry(local).or_default().push(name.clone());
            }
        }
        let mut secret = BTreeSet::new();
        while let Some(name) = pending.pop() {
            pending.extend(users.remove(&name).unwrap_or_default());
            secret.insert(name);
        }
        secret
    }

    fn references(&self, name: &str) -> Option<ExpressionReferences> {
        match &self.values.get(name)?.syntax {
            Syntax::Native(it) => Some(it.references()),
            Syntax::Template(it) => Some(it.references()),
            Syntax::Json(_) => None,
        }
    }

    /// Appends the local values of these references to `order`, after those that they refer to.
    fn visit(
        &self,
        references: &ExpressionReferences,
        order: &mut Vec<String>,
        visited: &mut BTreeSet<String>,
    ) {
        // A list of pending steps instead of recursion, because the number of local values has no limit.
        let mut pending: Vec<(String, bool)> =
            references.locals.iter().map(|it| (it.clone(), false)).collect();
        while let Some((name, is_complete)) = pending.pop() {
            if is_complete {
                order.push(name);
            } else if visited.insert(name.clone()) {
                let inner = self.references(&name);
                pending.push((name, true));
                pending.extend(inner.into_iter().flat_map(|it| it.locals).map(|it| (it, false)));
            }
        }
    }
}

/// Returns true if a JSON value contains a string or a property name, which is a template.
fn has_strings(it: &Node) -> bool {
    match &it.kind {
        Kind::String(_) => true,
        Kind::Array(elements) => elements.iter().any(has_strings),
        Kind::Object(members) => !members.is_empty(),
        Kind::Null | Kind::Bool(_) | Kind::Number(_) => false,
    }
}
