//! The local values of a module, which validations can refer to.
//!
//! A local value is evaluated if a validation refers to it, and only if its expression refers to nothing but variables
//! and other local values of this kind:
//!
//! ```
//! use cargo_ferroform::vars::{SourceTexts, evaluate_sources};
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

use ferroform_lang::body::{Body, Expression, References, Variables};
use ferroform_lang::expression::LogicalOperators;

use super::json::{Kind, Member, Node};

/// The expression of a local value.
#[derive(Debug)]
pub(super) enum Local<'d> {
    Native(&'d Expression<'d>),
    /// A string in JSON, which is a template.
    Template(Expression<'d>),
    /// Any other value in JSON. It is evaluated if it contains no strings.
    Json(&'d Node),
}

/// The local values of a module, by name.
#[derive(Debug, Default)]
pub(super) struct Locals<'d> {
    values: BTreeMap<String, Local<'d>>,
}

impl<'d> Locals<'d> {
    /// Adds the local values of a file in HCL. Those of a later file replace those of an earlier one.
    pub(super) fn add(&mut self, body: &'d Body<'d>) {
        for block in body.blocks.iter().filter(|it| it.name == "locals") {
            for it in &block.body.arguments {
                self.values.insert(it.name.to_owned(), Local::Native(&it.value));
            }
        }
    }

    /// Adds the local values of a file in JSON.
    pub(super) fn add_json(&mut self, members: impl Iterator<Item = &'d Member>) {
        for it in members.filter(|it| it.name != "//") {
            let local = match &it.value.kind {
                // A template with a syntax error has been reported.
                Kind::String(text) => Expression::template(text).map(Local::Template).ok(),
                _ => Some(Local::Json(&it.value)),
            };
            self.values.extend(local.map(|local| (it.name.clone(), local)));
        }
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.values.keys()
    }

    /// Evaluates the local values of these references, and sets them in `variables`. Those that cannot be evaluated are
    /// omitted.
    pub(super) fn resolve(
        &self,
        references: &References,
        variables: &mut Variables,
        operators: LogicalOperators,
    ) {
        // The order of this list is such that each local value follows those that it refers to.
        let mut order = Vec::new();
        self.visit(references, &mut order, &mut BTreeSet::new());
        for name in order {
            let value = match self.values.get(&name) {
                Some(Local::Native(it)) => it.evaluate_with(variables, operators).ok(),
                Some(Local::Template(it)) => it.evaluate_with(variables, operators).ok(),
                Some(Local::Json(it)) if !has_strings(it) => it.value().ok(),
                _ => None,
            };
            if let Some(value) = value {
                variables.set_local(name, value);
            }
        }
    }

    /// Returns the names of the variables that the references lead to, directly or through local values.
    pub(super) fn variables(&self, references: &References) -> BTreeSet<String> {
        let mut order = Vec::new();
        self.visit(references, &mut order, &mut BTreeSet::new());
        let direct = references.variables.iter().map(|(name, _)| name.clone());
        let inner = order.iter().filter_map(|name| self.references(name));
        direct.chain(inner.flat_map(|it| it.variables.into_iter().map(|(name, _)| name))).collect()
    }

    fn references(&self, name: &str) -> Option<References> {
        match self.values.get(name)? {
            Local::Native(it) => Some(it.references()),
            Local::Template(it) => Some(it.references()),
            Local::Json(_) => None,
        }
    }

    /// Appends the local values of these references to `order`, after those that they refer to.
    fn visit(&self, references: &References, order: &mut Vec<String>, visited: &mut BTreeSet<String>) {
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
