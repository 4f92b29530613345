//! The variable declarations of a module.
//!
//! Declarations of override files (`override.tf` and `*_override.tf`) replace the arguments of the base declarations:
//!
//! ```
//! use cargo_ferroform::vars::{SourceTexts, evaluate_sources};
//!
//! let text = |name: &str, text: &str| (name.to_owned(), text.to_owned());
//! let base = "variable \"size\" {\n  type = number\n  default = 1\n}";
//! let report = evaluate_sources(&SourceTexts {
//!     module: vec![text("main.tf", base), text("override.tf", "variable \"size\" {\n  default = 2\n}")],
//!     values: Vec::new(),
//! });
//! assert_eq!(report.to_text(), "size = 2\n");
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ferroform_lang::body::{Body, References};

use super::declaration::{Code, Declaration};
use super::diagnostic::{Diagnostic, Severity, diagnostics};
use super::document::{Document, is_override_file};
use super::json::{Kind, Member, Node, members};
use super::locals::Locals;
use super::source::{Location, Source};
use super::target::{Constraint, parse_constraints};
use super::terraform_names::{BLOCKS, FUNCTIONS, is_known_function};
use super::{block, block_json};
use crate::suggest::did_you_mean;

#[derive(Debug, Default)]
pub(super) struct Module<'d> {
    pub(super) variables: BTreeMap<String, Declaration<'d>>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// True if a variable is secret, or if some variables may be missing.
    pub(super) has_secrets: bool,
    /// True if declarations may be missing, because a file has syntax errors.
    pub(super) is_incomplete: bool,
    /// The names of secret variables that only override files declare.
    secret_overrides: BTreeSet<String>,
    pub(super) locals: Locals<'d>,
    /// The constraints of all `required_version` arguments.
    pub(super) required_version: Vec<Constraint>,
}

/// Reads the variable declarations of a module.
pub(super) fn load<'d>(sources: &[Source], documents: &'d [Document<'d>], files: Range<usize>) -> Module<'d> {
    let mut module = Module { is_incomplete: files.is_empty(), ..Module::default() };
    let mut all_secret = false;
    for source in files {
        let mut declarations = Vec::new();
        let overrides = is_override_file(&sources[source].name);
        // An override that could not be parsed can make any variable secret.
        all_secret |= overrides && documents[source].is_broken();
        match &documents[source] {
            Document::Native(body, errors) => {
                module.locals.add(body);
                module.add_required_versions(body, source);
                native(&mut module.diagnostics, body, (source, &sources[source].text), &mut declarations);
                if let Some(e) = errors {
                    module.diagnostics.extend(diagnostics(e, source));
                    module.is_incomplete = true;
                }
            }
            Document::Json(Ok(node)) => {
                module.locals.add_json(blocks(node, "locals"));
                for it in blocks(node, "terraform").filter(|it| it.name == "required_version") {
                    let text = if let Kind::String(text) = &it.value.kind { Some(&**text) } else { None };
                    module.add_required_version(text, Location::new(source, it.value.at.clone()));
                }
                block_json::file(&mut module.diagnostics, node, source, &mut declarations)
            }
            Document::Json(Err((at, detail))) => {
                module.diagnostics.push(Diagnostic::new(
                    "Invalid JSON",
                    detail,
                    Location::new(source, at.clone()),
                ));
                module.is_incomplete = true;
            }
            Document::Values(..) | Document::JsonValues(_) | Document::Value => {}
        }
        for new in declarations {
            if overrides { module.merge(new) } else { module.declare(new, sources) }
        }
    }
    for declaration in module.variables.values_mut() {
        declaration.is_secret |= all_secret;
        module.diagnostics.append(&mut declaration.errors);
    }
    module.has_secrets = module.is_incomplete || module.variables.values().any(|it| it.is_secret);
    module.check_references();
    module
}

fn native<'d>(
    found: &mut Vec<Diagnostic>,
    body: &'d Body<'d>,
    (source, text): (usize, &str),
    declarations: &mut Vec<Declaration<'d>>,
) {
    for it in &body.arguments {
        let detail = format!("The argument {:?} is not allowed outside of blocks.", it.name);
        found.push(Diagnostic::new(
            "Unsupported argument",
            detail,
            Location::new(source, it.name_at.clone()),
        ));
    }
    for it in &body.blocks {
        if it.name == "variable" {
            declarations.extend(block::variable(found, it, source, text));
        } else if !BLOCKS.contains(&it.name) {
            let detail = format!("Blocks of type {:?} are not expected in a module.", it.name);
            let location = Location::new(source, it.name_at.clone());
            found.push(
                Diagnostic::new("Unsupported block type", detail, location)
                    .help(did_you_mean(it.name, BLOCKS)),
            );
        }
    }
}

impl<'d> Module<'d> {
    fn add_required_versions(&mut self, body: &Body<'_>, source: usize) {
        let blocks = body.blocks.iter().filter(|it| it.name == "terraform");
        let arguments = blocks.flat_map(|it| &it.body.arguments).filter(|it| it.name == "required_version");
        for it in arguments {
            let value = it.value.constant().ok();
            let text = value.as_ref().and_then(|it| it.value.as_str());
            self.add_required_version(text, Location::new(source, it.value.at()));
        }
    }

    fn add_required_version(&mut self, text: Option<&str>, location: Location) {
        match text.and_then(parse_constraints) {
            Some(constraints) => self.required_version.extend(constraints),
            None => {
                let detail = "A version constraint such as \">= 1.9, < 2.0\" is required.";
                self.diagnostics.push(Diagnostic::new("Invalid version constraint", detail, location));
            }
        }
    }

    /// Returns true if an expression refers to a secret variable, directly or through local values.
    pub(super) fn refers_to_secret(&self, code: &Code<'_>) -> bool {
        let variables = self.locals.variables(&code.expression().references());
        variables.iter().any(|name| self.is_secret(name))
    }

    /// Returns true if the values of a variable must not be shown.
    pub(super) fn is_secret(&self, name: &str) -> bool {
        let declaration = self.variables.get(name);
        declaration.map_or(self.is_incomplete || self.secret_overrides.contains(name), |it| it.is_secret)
    }

    fn declare(&mut self, new: Declaration<'d>, sources: &[Source]) {
        if let Some(old) = self.variables.get_mut(&new.name) {
            old.is_secret |= new.is_secret;
            let at = sources[old.location.source].describe(old.location.start);
            let detail = format!("The variable {:?} is already declared at {at}.", new.name);
            self.diagnostics.extend(new.errors);
            self.diagnostics.push(Diagnostic::new("Duplicate variable declaration", detail, new.location));
            return;
        }
        self.variables.insert(new.name.clone(), new);
    }

    fn merge(&mut self, new: Declaration<'d>) {
        let Some(base) = self.variables.get_mut(&new.name) else {
            if new.is_secret {
                self.secret_overrides.insert(new.name.clone());
            }
            self.diagnostics.extend(new.errors);
            if !self.is_incomplete {
                let detail =
                    format!("No base declaration was found for the override of variable {:?}.", new.name);
                let help = did_you_mean(&new.name, self.variables.keys());
                let summary = "Missing base variable declaration to override";
                self.diagnostics.push(Diagnostic::new(summary, detail, new.location).help(help));
            }
            return;
        };
        if let Some(validation) = new.validations.first() {
            let detail = "An override file cannot contain validation blocks.";
            self.diagnostics.push(Diagnostic::new(
                "Can't override validation blocks",
                detail,
                validation.location.clone(),
            ));
        }
        base.is_secret |= new.is_secret;
        base.errors.extend(new.errors);
        if let (Some(variable), Some(overriding)) = (&mut base.variable, new.variable) {
            if let Err(e) = variable.override_with(overriding, &new.argument_names) {
                let location = new.default_at.clone().unwrap_or(new.location);
                let problem = "After the override, the default value is not compatible with the variable's type constraint";
                let diagnostic = Diagnostic::of_value(
                    "Invalid default value for variable",
                    format!("{problem}: {e}."),
                    location,
                );
                self.diagnostics.push(diagnostic.with_redacted(format!("{problem}.")));
                base.variable = None;
            }
        } else {
            base.variable = None;
        }
        base.deprecated = new.deprecated.or(base.deprecated.take());
    }

    /// Reports references to undeclared variables and calls of unknown functions in validations.
    fn check_references(&mut self) {
        for it in self.variables.values() {
            for validation in &it.validations {
                let uses = validation.condition.expression().references();
                if !uses.variables.iter().any(|(name, _)| *name == it.name) {
                    let detail = format!(
                        "The condition must refer to var.{}, the variable that it validates.",
                        it.name
                    );
                    let location = validation.condition.location.clone();
                    self.diagnostics.push(Diagnostic::new(
                        "Invalid variable validation condition",
                        detail,
                        location,
                    ));
                }
                for code in [&validation.condition, &validation.message] {
                    let uses = code.expression().references();
                    check_functions(&mut self.diagnostics, code, &uses);
                    if !self.is_incomplete {
                        let known = (&self.variables, &self.locals);
                        check_references(&mut self.diagnostics, code, &uses, known);
                    }
                }
            }
        }
    }
}

/// Reports references to variables and local values that are not declared.
fn check_references(
    found: &mut Vec<Diagnostic>,
    code: &Code<'_>,
    uses: &References,
    (variables, locals): (&BTreeMap<String, Declaration<'_>>, &Locals<'_>),
) {
    for (name, at) in uses.variables.iter().filter(|(name, _)| !variables.contains_key(name)) {
        let detail = format!("The variable {name:?} is not declared.");
        let it = Diagnostic::new("Reference to undeclared input variable", detail, code.part(at.clone()));
        found.push(it.help(did_you_mean(name, variables.keys())));
    }
    for name in uses.locals.iter().filter(|name| !locals.contains(name)) {
        let detail = format!("The local value {name:?} is not declared.");
        let it = Diagnostic::new("Reference to undeclared local value", detail, code.location.clone());
        found.push(it.help(did_you_mean(name, locals.names())));
    }
}

/// Reports calls of functions that neither Terraform nor OpenTofu has. A later version can have them.
fn check_functions(found: &mut Vec<Diagnostic>, code: &Code<'_>, uses: &References) {
    for name in uses.functions.iter().filter(|name| !is_known_function(name)) {
        let detail = format!(
            "No known version of Terraform or OpenTofu has a function named {name:?}, so this expression is not evaluated."
        );
        let it = Diagnostic::new("Call to unknown function", detail, code.location.clone());
        found.push(it.severity(Severity::Warning).help(did_you_mean(name, FUNCTIONS)));
    }
}

/// Returns the members of all blocks of a type in a JSON file.
fn blocks<'d>(root: &'d Node, name: &'static str) -> impl Iterator<Item = &'d Member> {
    members(root).filter(move |it| it.name == name).flat_map(|it| members(&it.value))
}
