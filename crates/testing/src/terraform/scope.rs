//! The values that expressions refer to.

use std::collections::HashMap;

use ferroform::value::Type;
use ferroform_lang::body::{EvaluationContext, FailedCall, TraversalStep, UnresolvedReference};
use ferroform_lang::expression::LogicalOperators;
use ferroform_lang::marks::Marked;

use super::address::{Mode, resource_name};
use super::blocks::Located;
use super::configuration::{Module, Repetition};
use super::functions::{self, Environment};
use super::problem::{Problem, Result};
use super::providers::Providers;

/// The values of a module instance, by their references: `var.size`, `local.name`, `module.network`, `aws_vpc.a`,
/// `data.aws_vpc.a`, `path.module`.
#[derive(Debug, Default)]
pub(crate) struct ModuleValues {
    pub(crate) values: HashMap<String, Marked>,
    pub(crate) outputs: HashMap<String, Marked>,
}

/// The values that an expression can refer to.
pub(crate) struct Scope<'s> {
    pub(crate) module: &'s ModuleValues,
    /// The values that are available only in one block, by their names: `each`, `count`, `self` and the iterators of
    /// `dynamic` blocks.
    pub(crate) names: Vec<(&'s str, &'s Marked)>,
    pub(crate) providers: &'s Providers,
    pub(crate) functions: Environment<'s>,
    /// The declarations of the module, to check references against, and the `check` block that contains the expression.
    pub(crate) declared: Option<(&'s Module<'s>, Option<&'s str>)>,
    /// The local names of providers with their addresses, for the functions of providers.
    pub(crate) requirements: &'s dyn Fn(&str) -> String,
}

impl Scope<'_> {
    /// Evaluates an expression.
    pub(crate) fn evaluate(&self, it: &Located<'_>) -> Result<Marked> {
        if let Some((module, check)) = self.declared {
            check_references(module, check, it)?;
        }
        it.expression.evaluate_in(self).map_err(|errors| Problem::from_errors(it.file, &errors))
    }

    /// Evaluates an expression and converts its value.
    pub(crate) fn evaluate_as(&self, it: &Located<'_>, ty: &Type) -> Result<Marked> {
        self.evaluate(it)?.convert(ty).map_err(|error| {
            let detail = format!("Unsuitable value: {error}.");
            vec![Problem::error("Unsuitable value type", detail).at_expression(it)]
        })
    }

    pub(crate) fn with<'n>(&'n self, name: &'n str, value: &'n Marked) -> Scope<'n> {
        let mut names: Vec<(&'n str, &'n Marked)> = self.names.clone();
        names.push((name, value));
        Scope { names, ..*self }
    }
}

impl EvaluationContext for Scope<'_> {
    fn resolve(&self, names: &[&str]) -> std::result::Result<(&Marked, usize), UnresolvedReference> {
        let Some((first, rest)) = names.split_first() else {
            return Err(unresolved("Invalid reference", "The reference is empty."));
        };
        if let Some((_, value)) = self.names.iter().rev().find(|(name, _)| name == first) {
            return Ok((value, 1));
        }
        let count = Mode::of_prefix(first).unwrap_or(Mode::Managed).name_count();
        if names.len() < count {
            return Err(match *first {
                "each" | "count" | "self" => unavailable(first),
                _ => unresolved("Invalid reference", incomplete_reference(first)),
            });
        }
        let key = names[..count].join(".");
        match self.module.values.get(&key) {
            Some(value) => Ok((value, count)),
            None => Err(undeclared(first, rest, &key)),
        }
    }

    /// As in Terraform 1.11.
    fn logical_operators(&self) -> LogicalOperators {
        LogicalOperators::Strict
    }

    fn call(&self, name: &str, arguments: &[Marked]) -> Option<std::result::Result<Marked, FailedCall>> {
        let Some((provider, function)) = name.strip_prefix("provider::").and_then(|it| it.split_once("::"))
        else {
            return functions::call(name, arguments, self.functions);
        };
        let address = (self.requirements)(provider);
        self.providers.call_function(&address, function, arguments)
    }
}

/// Returns the detail of the error about a reference with too few names, as Terraform prints it.
fn incomplete_reference(first: &str) -> String {
    match first {
        "data" => format!(
            "The {first:?} object must be followed by two attribute names: the data source type and the resource name."
        ),
        "ephemeral" | "action" | "list" => format!(
            "The {first:?} object must be followed by two attribute names: the resource type and the resource name."
        ),
        "var" | "local" | "module" | "path" | "terraform" => format!(
            "The {first:?} object cannot be accessed directly. Instead, access one of its attributes."
        ),
        _ => "A reference to a resource type must be followed by at least one attribute access, specifying the resource name."
            .to_owned(),
    }
}

/// Reports a reference without an instance key to a resource with `count` or `for_each`, a reference with one to any other
/// resource, and a reference to a data source of another `check` block.
fn check_references(module: &Module<'_>, check: Option<&str>, it: &Located<'_>) -> Result<()> {
    for traversal in it.expression.references().traversals {
        let Some(name) = resource_name(&traversal.steps) else { continue };
        let Some(resource) = module.resources.get(&name) else { continue };
        let next = traversal.steps.get(name.mode.name_count());
        let argument = match resource.repetition {
            Repetition::None => None,
            Repetition::Count(_) => Some("count"),
            Repetition::ForEach(_) => Some("for_each"),
        };
        let is_scoped = resource.check.is_some() && resource.check.as_deref() != check;
        let problem = match (argument, next) {
            _ if is_scoped => Problem::error(
                "Reference to scoped resource",
                format!("The referenced data resource {name} is not available from this context."),
            ),
            (Some(argument), Some(TraversalStep::Name(_))) => Problem::error(
                "Missing resource instance key",
                format!(
                    "Because {name} has {argument:?} set, its attributes must be accessed on specific instances."
                ),
            ),
            (None, Some(TraversalStep::Index(_))) => Problem::error(
                "Unexpected resource instance key",
                format!(
                    "Because {name} does not have \"count\" or \"for_each\" set, references to it must not include an index key."
                ),
            ),
            _ => continue,
        };
        return Err(vec![problem.at(it.file, traversal.at)]);
    }
    Ok(())
}

fn unresolved(summary: &str, detail: impl Into<String>) -> UnresolvedReference {
    UnresolvedReference { summary: summary.to_owned(), detail: detail.into() }
}

fn unavailable(root: &str) -> UnresolvedReference {
    match root {
        "each" => unresolved(
            "Reference to \"each\" in context without for_each",
            "The \"each\" object can be used only in \"module\" or \"resource\" blocks, and only when the \"for_each\" \
             argument is set.",
        ),
        "count" => unresolved(
            "Reference to \"count\" in non-counted context",
            "The \"count\" object can only be used in \"module\", \"resource\", and \"data\" blocks, and only when the \
             \"count\" argument is set.",
        ),
        _ => unresolved(
            "Invalid \"self\" reference",
            "The \"self\" object can be used only in postconditions.",
        ),
    }
}

fn undeclared(first: &str, rest: &[&str], key: &str) -> UnresolvedReference {
    let name = rest.first().copied().unwrap_or_default();
    match first {
        "var" => unresolved(
            "Reference to undeclared input variable",
            format!("An input variable with the name {name:?} has not been declared."),
        ),
        "local" => unresolved(
            "Reference to undeclared local value",
            format!("A local value with the name {name:?} has not been declared."),
        ),
        "module" => unresolved(
            "Reference to undeclared module",
            format!("No module call named {name:?} is declared in this module."),
        ),
        "path" | "terraform" => unresolved(
            format!("Invalid {first:?} attribute").as_str(),
            format!("The {first:?} object does not have an attribute named {name:?}."),
        ),
        "each" | "count" | "self" => unavailable(first),
        _ => unresolved(
            "Reference to undeclared resource",
            format!("The resource {key:?} has not been declared in this module."),
        ),
    }
}
