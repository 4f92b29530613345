//! Checks of the references in the arguments of module calls. As in Terraform, they do not depend on values: a reference is
//! checked even if a conditional expression never evaluates it.
//!
//! | reference | is invalid if |
//! | --- | --- |
//! | `module.name` | the module has no such call |
//! | `type.name`, `data.type.name` | the module has no such resource or data source |
//! | `path.name`, `terraform.name` | the object has no such attribute |
//! | `name` | always, because each reference has at least two names |
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
    /// Reports the invalid references of a call, and a version constraint without a registry.
    pub(crate) fn check_references(&mut self, caller: usize, call: &ModuleCall<'d>) {
        let module = &self.modules[caller];
        if module.is_incomplete || self.repository.directories[caller].is_installed() {
            return;
        }
        if let Some(version) = call.meta_argument("version")
            && call.source().is_some_and(|it| is_local_source(&it))
        {
            let detail =
                "The argument \"version\" applies only to modules from a registry, but the source is a path.";
            let summary = "Invalid registry module source address";
            self.diagnostics.push(Diagnostic::new(summary, detail, version.name_at.clone()));
        }
        let meta = ["count", "for_each"].into_iter().filter_map(|it| call.meta_argument(it));
        for argument in call.inputs().map(|(_, it)| it).chain(meta) {
            let location = argument.location();
            let is_native = matches!(argument.value, ArgumentExpression::Native(_));
            argument.value.visit(&mut |it| {
                let references = it.references();
                self.diagnostics.extend(report_single_names(module, &references, &location));
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
            self.diagnostics.extend(found.map(|(summary, detail, help)| {
                let location = match is_native {
                    true => Location::new(location.source, traversal.at.clone()),
                    false => location.clone(),
                };
                Diagnostic::new(summary, detail, location).with_help(help)
            }));
        }
    }
}

/// The summary, the detail and the help of a diagnostic.
type Problem = (&'static str, String, Option<String>);

/// Returns the error of a reference to an object that the module does not declare.
fn report_undeclared(module: &Module<'_>, traversal: &Traversal) -> Option<Problem> {
    let names: Vec<&str> = traversal.names.iter().map(String::as_str).collect();
    match *names {
        ["module", name, ..] if module.calls.get(name).is_none() => {
            let detail = format!("The module has no `module` block named {name:?}.");
            let help = did_you_mean(name, module.calls.iter().map(|it| &it.name));
            Some(("Reference to undeclared module", detail, help))
        }
        ["path", name, ..] => {
            report_unknown_attribute("Invalid \"path\" attribute", name, &["cwd", "module", "root"])
        }
        ["terraform", name, ..] => {
            report_unknown_attribute("Invalid \"terraform\" attribute", name, &["applying", "workspace"])
        }
        ["data", ty, name, ..] => report_undeclared_resource(module, "data.", ty, name),
        [object, ..] if OBJECTS.contains(&object) || OTHER_OBJECTS.contains(&object) => None,
        [ty, name, ..] => report_undeclared_resource(module, "", ty, name),
        _ => None,
    }
}

fn report_unknown_attribute(summary: &'static str, name: &str, attributes: &[&str]) -> Option<Problem> {
    let detail = format!("The attributes of this object are {}.", attributes.join(", "));
    (!attributes.contains(&name)).then(|| (summary, detail, did_you_mean(name, attributes)))
}

fn report_undeclared_resource(module: &Module<'_>, prefix: &str, ty: &str, name: &str) -> Option<Problem> {
    if module.addresses.contains(&format!("{prefix}{ty}.{name}")) {
        return None;
    }
    let kind = if prefix.is_empty() { "managed" } else { "data" };
    let detail = format!("The module has no {kind} resource {ty}.{name}.");
    let help = did_you_mean(name, names_after(module, &format!("{prefix}{ty}.")));
    Some(("Reference to undeclared resource", detail, help))
}

/// Returns the errors of names without an attribute, such as `region` instead of `var.region`.
fn report_single_names(
    module: &Module<'_>,
    references: &ExpressionReferences,
    location: &Location,
) -> Vec<Diagnostic> {
    let is_single = |name: &&String| references.traversals.iter().all(|it| it.names[0] != **name);
    let report = |name: &String| {
        let help = module.variables.contains_key(name);
        let help = help.then(|| format!("to refer to the variable, write var.{name}"));
        let detail = format!("The reference {name:?} requires an attribute, such as {name}.name.");
        Diagnostic::new("Invalid reference", detail, location.clone()).with_help(help)
    };
    references.others.iter().filter(is_single).map(report).collect()
}

/// Returns the parts of the addresses after a prefix.
fn names_after<'a>(module: &'a Module<'_>, prefix: &str) -> impl Iterator<Item = &'a str> {
    let prefix = prefix.to_owned();
    module.addresses.iter().filter_map(move |it| it.strip_prefix(&*prefix))
}
