//! Checks of the references in validations and local values. Terraform reports these errors before it evaluates an
//! expression, so also if `||` or `&&` skips the part with the reference.
//!
//! | reference | is invalid if |
//! | --- | --- |
//! | `var.name`, `local.name` | the module does not declare the name |
//! | `each.key`, `count.index`, `self.id` | always, because a validation is not part of a resource |
//! | `type.name` | the module has no resource of this type |
//! | any | the validation refers to itself through local values or other validations |
//!
//! ```
//! use ferroform_vars::{SourceTexts, evaluate_sources};
//!
//! let module = "variable \"a\" {\n  validation {\n    condition = var.a == name\n    error_message = \"x\"\n  }\n}";
//! let module = vec![("main.tf".to_owned(), module.to_owned())];
//! let report = evaluate_sources(&SourceTexts { module, values: Vec::new() });
//! assert!(report.diagnostics().contains("error: Invalid reference"));
//! ```

use std::collections::{BTreeMap, BTreeSet};

use ferroform_lang::body::ExpressionReferences;
use ferroform_lang::expression::known_functions;

use crate::declaration::LocatedExpression;
use crate::diagnostic::{Diagnostic, DiagnosticCategory, Severity};
use crate::module::Module;
use crate::source::Location;
use crate::suggest::did_you_mean;
use crate::terraform_names::{OBJECTS, is_known_function};

impl Module<'_> {
    /// Reports invalid references and calls of unknown functions in validations.
    pub(crate) fn check_references(&mut self) {
        let mut diagnostics = Vec::new();
        for declaration in self.variables.values() {
            for validation in &declaration.validations {
                let references = &validation.condition.references;
                if !references.variables.iter().any(|(name, _)| *name == declaration.name) {
                    let name = &declaration.name;
                    let detail = format!(
                        "The condition for variable {name:?} must refer to var.{name} in order to test incoming values."
                    );
                    let location = validation.condition.location.clone();
                    diagnostics.push(Diagnostic::new(
                        "Invalid variable validation condition",
                        detail,
                        location,
                    ));
                }
                for expression in [&validation.condition, &validation.message] {
                    let references = &expression.references;
                    let unknown = report_unknown_functions(&references.functions, &expression.location);
                    diagnostics.extend(
                        unknown.map(|it| it.with_category(DiagnosticCategory::UnevaluatedValidation)),
                    );
                    if !self.is_incomplete {
                        self.check_names(&mut diagnostics, expression, references);
                    }
                }
            }
        }
        diagnostics.extend(self.find_cycle());
        self.diagnostics.append(&mut diagnostics);
    }

    /// Reports references to objects that the module does not declare, or that a validation cannot refer to.
    fn check_names(
        &self,
        diagnostics: &mut Vec<Diagnostic>,
        expression: &LocatedExpression<'_>,
        references: &ExpressionReferences,
    ) {
        for (name, at) in references.variables.iter().filter(|(name, _)| !self.variables.contains_key(name)) {
            let (summary, detail) = describe_undeclared_variable(name);
            let diagnostic = Diagnostic::new(summary, detail, expression.subexpression_location(at.clone()));
            diagnostics.push(diagnostic.with_help(did_you_mean(name, self.variables.keys())));
        }
        for name in references.locals.iter().filter(|name| !self.locals.contains(name)) {
            let (summary, detail) = describe_undeclared_local(name);
            let diagnostic = Diagnostic::new(summary, detail, expression.location.clone());
            diagnostics.push(diagnostic.with_help(did_you_mean(name, self.locals.names())));
        }
        for name in &references.others {
            let detail = match &**name {
                "each" | "count" | "self" => {
                    format!("The object {name:?} is available only in the blocks of resources and modules.")
                }
                "var" | "local" => {
                    format!("The object {name:?} requires an attribute, such as {name}.name.")
                }
                name if OBJECTS.contains(&name) || self.resource_types.contains(name) => continue,
                name => format!("The module has no resource of the type {name:?}."),
            };
            let is_variable = self.variables.contains_key(name);
            let help = is_variable.then(|| format!("to refer to the variable, write var.{name}"));
            let diagnostic = Diagnostic::new("Invalid reference", detail, expression.location.clone());
            diagnostics.push(diagnostic.with_help(help));
        }
    }

    /// Returns the error for local values and validations that depend on themselves.
    fn find_cycle(&self) -> Option<Diagnostic> {
        let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (name, names) in self.locals.all_names() {
            edges.insert(format!("local.{name}"), collect_nodes(&names.variables, &names.locals).collect());
        }
        for declaration in self.variables.values() {
            let own = format!("var.{}", declaration.name);
            let mut targets = BTreeSet::new();
            for expression in declaration.validations.iter().flat_map(|it| [&it.condition, &it.message]) {
                let references = &expression.references;
                targets.extend(collect_nodes(
                    references.variables.iter().map(|(name, _)| name),
                    &references.locals,
                ));
            }
            // A validation can refer to the variable itself.
            targets.remove(&own);
            edges.insert(own, targets);
        }
        let cycle = find_cyclic_nodes(edges);
        if cycle.is_empty() {
            return None;
        }
        let names: Vec<String> = cycle.into_iter().collect();
        let detail =
            format!("These local values and validations depend on each other: {}.", names.join(", "));
        let location = |node: &String| match node.split_once('.')? {
            ("local", name) => self.locals.name_location(name),
            (_, name) => self.variables.get(name).map(|it| &it.location),
        };
        let first = names.iter().filter_map(location).min().cloned();
        Some(Diagnostic::new("Cycle", detail, first))
    }
}

/// Returns the summary and the detail of the error of a reference to a variable that is not declared.
pub(crate) fn describe_undeclared_variable(name: &str) -> (&'static str, String) {
    let detail = format!("An input variable with the name {name:?} has not been declared.");
    ("Reference to undeclared input variable", detail)
}

/// Returns the summary and the detail of the error of a reference to a local value that is not declared.
pub(crate) fn describe_undeclared_local(name: &str) -> (&'static str, String) {
    let detail = format!("A local value with the name {name:?} has not been declared.");
    ("Reference to undeclared local value", detail)
}

/// Returns the nodes for variables and local values.
fn collect_nodes<'a>(
    variables: impl IntoIterator<Item = &'a String>,
    locals: &BTreeSet<String>,
) -> impl Iterator<Item = String> {
    let variables = variables.into_iter().map(|name| format!("var.{name}"));
    variables.chain(locals.iter().map(|name| format!("local.{name}")))
}

/// Returns the nodes that are part of a cycle or on a path between two cycles.
fn find_cyclic_nodes(edges: BTreeMap<String, BTreeSet<String>>) -> BTreeSet<String> {
    let reversed = |edges: &BTreeMap<String, BTreeSet<String>>| {
        let mut reversed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (node, targets) in edges {
            reversed.entry(node.clone()).or_default();
            for target in targets.iter().filter(|it| edges.contains_key(*it)) {
                reversed.entry(target.clone()).or_default().insert(node.clone());
            }
        }
        reversed
    };
    let with_cycle_after = remove_leaves(edges);
    let with_cycle_before = remove_leaves(reversed(&with_cycle_after));
    with_cycle_before.into_keys().collect()
}

/// Removes the nodes without targets until each node has one.
fn remove_leaves(mut edges: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    let mut sources: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let nodes: BTreeSet<String> = edges.keys().cloned().collect();
    for (node, targets) in &mut edges {
        targets.retain(|it| nodes.contains(it));
        for target in targets.iter() {
            sources.entry(target.clone()).or_default().push(node.clone());
        }
    }
    let mut leaves: Vec<String> =
        edges.iter().filter(|(_, targets)| targets.is_empty()).map(|(node, _)| node.clone()).collect();
    while let Some(leaf) = leaves.pop() {
        edges.remove(&leaf);
        for source in sources.remove(&leaf).unwrap_or_default() {
            if let Some(targets) = edges.get_mut(&source)
                && targets.remove(&leaf)
                && targets.is_empty()
            {
                leaves.push(source);
            }
        }
    }
    edges
}

/// Returns warnings for the calls of functions that neither Terraform nor OpenTofu has. A later version can have them.
pub(crate) fn report_unknown_functions(
    functions: &BTreeSet<String>,
    location: &Location,
) -> impl Iterator<Item = Diagnostic> {
    functions.iter().filter(|name| !is_known_function(name)).map(|name| {
        let detail = format!(
            "No known version of Terraform or OpenTofu has a function named {name:?}, so this expression is not evaluated."
        );
        Diagnostic::new("Call to unknown function", detail, location.clone())
            .with_severity(Severity::Warning)
            .with_help(did_you_mean(name, known_functions()))
    })
}
