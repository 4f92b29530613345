//! Checks of the references in the arguments of module calls. As in Terraform, they do not depend on values: a reference is
//! checked even if a conditional expression never evaluates it.
//!
//! | reference | is invalid if |
//! | --- | --- |
//! | `module.name` | the module has no such call |
//! | `type.name`, `data.type.name` | the module has no such resource or data source |
//! | `path.name`, `terraform.name` | the object has no such attribute |
//! | `name` | always: a reference to a resource type must be followed by a resource name |
//!
//! [`CallScope`](crate::call_scope::CallScope) reports undeclared variables, local values and outputs.

use ferroform_lang::body::{Expression, ExpressionReferences, Traversal};

use crate::argument_expression::ArgumentExpression;
use crate::call::{CallArgument, ModuleCall};
use crate::call_check::CallChecker;
use crate::diagnostic::Diagnostic;
use crate::json::{Kind, Node};
use crate::module::Module;
use crate::module_source::is_local_source;
use crate::source::Location;
use crate::suggest::did_you_mean;
use crate::terraform_names::OBJECTS;

/// The objects that are not resource types, in addition to [`OBJECTS`].
const OTHER_OBJECTS: [&str; 11] =
    ["var", "local", "each", "count", "self", "resource", "output", "run", "template", "lazy", "arg"];

impl<'d> CallChecker<'_, 'd> {
    /// Reports the invalid references of a call, and a version constraint for a local module.
    pub(crate) fn check_references(&mut self, caller: usize, call: &ModuleCall<'d>) {
        let module = &self.modules[caller];
        if module.is_incomplete || self.repository.directories[caller].is_installed() {
            return;
        }
        if let Some(version) = call.meta_argument("version")
            && call.source().is_some_and(|it| is_local_source(&it))
        {
            let detail = "The argument \"version\" applies only to modules from a registry, but the source is a local path.";
            let summary = "Invalid registry module source address";
            self.diagnostics.push(Diagnostic::new(summary, detail, version.name_location.clone()));
        }
        let meta = ["count", "for_each"].into_iter().filter_map(|it| call.meta_argument(it));
        for argument in call.inputs().map(|(_, it)| it).chain(meta) {
            let location = argument.location();
            let is_native = matches!(argument.value, ArgumentExpression::Native(_));
            argument.value.visit(&mut |it| {
                let references = it.references();
                self.diagnostics.extend(report_incomplete_references(module, &references, &location));
                self.check_traversals(caller, &references.traversals, (is_native, &location));
            });
        }
        if let Some(argument) = call.meta_argument("depends_on") {
            self.check_dependencies(caller, argument);
        }
    }

    fn check_dependencies(&mut self, caller: usize, argument: &CallArgument<'d>) {
        let location = argument.location();
        match argument.value {
            ArgumentExpression::Native(it) => {
                self.check_traversals(caller, &it.references().traversals, (true, &location));
            }
            ArgumentExpression::Json(Node { kind: Kind::Array(elements), .. }) => {
                for element in elements {
                    let Kind::String(text) = &element.kind else { continue };
                    let Ok(expression) = Expression::parse(text) else { continue };
                    let location = Location::new(location.source, element.at.clone());
                    let traversals = expression.references().traversals;
                    self.check_traversals(caller, &traversals, (false, &location));
                }
            }
            ArgumentExpression::Json(_) => {}
        }
    }

    fn check_traversals(
        &mut self,
        caller: usize,
        traversals: &[Traversal],
        (is_native, location): (bool, &Location),
    ) {
        for traversal in traversals {
            let found = report_undeclared(&self.modules[caller], traversal);
            self.diagnostics.extend(found.map(|error| {
                let location = match is_native {
                    true => Location::new(location.source, traversal.at.clone()),
                    false => location.clone(),
                };
                Diagnostic::new(error.summary, error.detail, location).with_help(error.help)
            }));
        }
    }
}

/// The error of a reference.
struct ReferenceError {
    summary: String,
    detail: String,
    help: Option<String>,
}

/// Returns the error of a reference to an object that the module does not declare.
fn report_undeclared(module: &Module<'_>, traversal: &Traversal) -> Option<ReferenceError> {
    let names: Vec<&str> = traversal.names.iter().map(String::as_str).collect();
    match *names {
        ["module", name, ..] if module.calls.get(name).is_none() => {
            let detail = format!("No module call named {name:?} is declared in this module.");
            let help = did_you_mean(name, module.calls.iter().map(|it| &it.name));
            Some(ReferenceError { summary: "Reference to undeclared module".to_owned(), detail, help })
        }
        ["path", name, ..] => report_unknown_attribute("path", name, &["cwd", "module", "root"]),
        ["terraform", name, ..] => report_unknown_attribute("terraform", name, &["applying", "workspace"]),
        ["data", ty, name, ..] => report_undeclared_resource(module, "data.", ty, name),
        [object, ..] if OBJECTS.contains(&object) || OTHER_OBJECTS.contains(&object) => None,
        [ty, name, ..] => report_undeclared_resource(module, "", ty, name),
        _ => None,
    }
}

fn report_unknown_attribute(object: &str, name: &str, attributes: &[&str]) -> Option<ReferenceError> {
    if attributes.contains(&name) {
        return None;
    }
    let (last, others) = attributes.split_last()?;
    let others = others.join(", ");
    let detail = format!(
        "The {object:?} object does not have an attribute named {name:?}. Its attributes are {others} and {last}."
    );
    let summary = format!("Invalid {object:?} attribute");
    Some(ReferenceError { summary, detail, help: did_you_mean(name, attributes) })
}

fn report_undeclared_resource(
    module: &Module<'_>,
    prefix: &str,
    ty: &str,
    name: &str,
) -> Option<ReferenceError> {
    if module.addresses.contains(&format!("{prefix}{ty}.{name}")) {
        return None;
    }
    let kind = if prefix.is_empty() { "managed" } else { "data" };
    let detail = format!("A {kind} resource {ty:?} {name:?} has not been declared in this module.");
    let help = did_you_mean(name, names_after(module, &format!("{prefix}{ty}.")));
    Some(ReferenceError { summary: "Reference to undeclared resource".to_owned(), detail, help })
}

/// Returns the errors of references without an attribute, such as `region` instead of `var.region`.
fn report_incomplete_references(
    module: &Module<'_>,
    references: &ExpressionReferences,
    location: &Location,
) -> Vec<Diagnostic> {
    let is_single = |name: &&String| references.traversals.iter().all(|it| it.names[0] != **name);
    let report = |name: &String| {
        let help = module.variables.contains_key(name);
        let help = help.then(|| format!("to refer to the variable, write var.{name}"));
        let detail = describe_incomplete_reference(name);
        Diagnostic::new("Invalid reference", detail, location.clone()).with_help(help)
    };
    references.others.iter().filter(is_single).map(report).collect()
}

/// Returns the detail of the error of a reference without an attribute, as Terraform prints it.
pub(crate) fn describe_incomplete_reference(name: &str) -> String {
    match name {
        "each" | "count" | "self" | "var" | "local" | "module" | "path" | "terraform" | "tofu" => {
            format!("The {name:?} object cannot be accessed directly. Instead, access one of its attributes.")
        }
        "data" | "ephemeral" | "resource" => {
            let ty = match name {
                "data" => "data source",
                "ephemeral" => "ephemeral resource",
                _ => "resource",
            };
            format!(
                "The {name:?} object must be followed by two attribute names: the {ty} type and the resource name."
            )
        }
        _ => "A reference to a resource type must be followed by at least one attribute access, specifying the resource name."
            .to_owned(),
    }
}

/// Returns the rest of each address that starts with a prefix.
fn names_after<'a>(module: &'a Module<'_>, prefix: &str) -> impl Iterator<Item = &'a str> {
    let prefix = prefix.to_owned();
    module.addresses.iter().filter_map(move |it| it.strip_prefix(&*prefix))
}
