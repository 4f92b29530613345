//! The variable declarations of a module.
//!
//! Declarations of override files (`override.tf` and `*_override.tf`) replace the arguments of the base declarations:
//!
//! ```
//! use ferroform_vars::{SourceTexts, evaluate_sources};
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

use ferroform_lang::body::Body;
use ferroform_lang::version_constraint::VersionConstraint;
use ferroform_value::Value;

use crate::call::{Calls, ModuleCall};
use crate::declaration::{Declaration, LocatedExpression};
use crate::diagnostic::{Diagnostic, locate_errors};
use crate::document::{Document, is_override_file};
use crate::json::{Kind, Member, Node, members};
use crate::locals::Locals;
use crate::source::{Location, Source};
use crate::suggest::did_you_mean;
use crate::terraform_names::BLOCKS;
use crate::{block, block_json};

#[derive(Debug, Default)]
pub(crate) struct Module<'d> {
    pub(crate) variables: BTreeMap<String, Declaration<'d>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// True if a variable is secret, or if some variables may be missing.
    pub(crate) has_secrets: bool,
    /// True if declarations may be missing, because a file has syntax errors.
    pub(crate) is_incomplete: bool,
    /// The names of secret variables that only override files declare.
    secret_overrides: BTreeSet<String>,
    pub(crate) locals: Locals<'d>,
    pub(crate) calls: Calls<'d>,
    /// The names of the local values that refer to sensitive variables.
    pub(crate) secret_locals: BTreeSet<String>,
    /// The types of the resources.
    pub(crate) resource_types: BTreeSet<String>,
    /// The addresses of the resources, data sources and outputs: `aws_vpc.a`, `data.aws_vpc.a` and `output.a`.
    pub(crate) addresses: BTreeSet<String>,
    /// The constraints of each `required_version` argument.
    pub(crate) required_versions: Vec<(Location, Vec<VersionConstraint>)>,
}

/// Reads the variable declarations of a module.
pub(crate) fn load<'d>(
    sources: &'d [Source],
    documents: &'d [Document<'d>],
    files: Range<usize>,
) -> Module<'d> {
    let mut module = Module { is_incomplete: files.is_empty(), ..Module::default() };
    let mut all_secret = false;
    for source in files {
        let mut declarations = Vec::new();
        let overrides = is_override_file(&sources[source].name);
        // An override that could not be parsed can make any variable secret.
        all_secret |= overrides && documents[source].has_syntax_errors();
        let text: (usize, &'d str) = (source, &sources[source].text);
        module.calls.add(read_calls(&documents[source], text), overrides, &mut module.diagnostics);
        match &documents[source] {
            Document::Native(body, errors) => {
                module.locals.add(body, source, overrides, &mut module.diagnostics);
                let resources = body.blocks.iter().filter(|it| it.name == "resource");
                let types = resources.filter_map(|it| it.labels.first()).map(|it| it.text.clone());
                module.resource_types.extend(types);
                module.add_addresses(body);
                module.add_required_versions(body, source);
                read_native_blocks(&mut module.diagnostics, body, text, &mut declarations);
                if let Some(e) = errors {
                    module.diagnostics.extend(locate_errors(e, source));
                    module.is_incomplete = true;
                }
            }
            Document::Json(Ok(node)) => {
                let locals = find_json_blocks(node, "locals");
                module.locals.add_json(locals, source, overrides, &mut module.diagnostics);
                module.resource_types.extend(find_json_blocks(node, "resource").map(|it| it.name.clone()));
                module.add_json_addresses(node);
                for member in find_json_blocks(node, "terraform").filter(|it| it.name == "required_version") {
                    let location = Location::new(source, member.value.at.clone());
                    match &member.value.kind {
                        Kind::Null => {}
                        Kind::String(text) => module.add_required_version(Some(text), location),
                        _ => module.add_required_version(None, location),
                    }
                }
                block_json::read_variables(&mut module.diagnostics, node, text, &mut declarations)
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
    module.secret_locals = module.locals.secret_names(|name| module.is_secret(name));
    module.check_references();
    module
}

/// Returns the module calls of a file.
pub(crate) fn read_calls<'d>(
    document: &'d Document<'d>,
    text: (usize, &'d str),
) -> impl Iterator<Item = ModuleCall<'d>> {
    let (native, json) = match document {
        Document::Native(body, _) => (&*body.blocks, None),
        Document::Json(Ok(node)) => (&[][..], Some(node)),
        _ => (&[][..], None),
    };
    let native = native.iter().filter(|it| it.name == "module");
    let json = json.into_iter().flat_map(|it| find_json_blocks(it, "module")).filter(|it| it.name != "//");
    native
        .filter_map(move |it| ModuleCall::from_block(it, text))
        .chain(json.map(move |it| ModuleCall::from_json(it, text)))
}

fn read_native_blocks<'d>(
    diagnostics: &mut Vec<Diagnostic>,
    body: &'d Body<'d>,
    (source, text): (usize, &str),
    declarations: &mut Vec<Declaration<'d>>,
) {
    for argument in &body.arguments {
        let detail = format!("The argument {:?} is not allowed outside of blocks.", argument.name);
        diagnostics.push(Diagnostic::new(
            "Unsupported argument",
            detail,
            Location::new(source, argument.name_at.clone()),
        ));
    }
    for block in &body.blocks {
        if block.name == "variable" {
            declarations.extend(block::read_variable(diagnostics, block, source, text));
        } else if !BLOCKS.contains(&block.name) {
            let detail = format!("Blocks of type {:?} are not expected in a module.", block.name);
            let location = Location::new(source, block.name_at.clone());
            diagnostics.push(
                Diagnostic::new("Unsupported block type", detail, location)
                    .with_help(did_you_mean(block.name, BLOCKS)),
            );
        }
    }
}

impl<'d> Module<'d> {
    fn add_addresses(&mut self, body: &Body<'_>) {
        for block in &body.blocks {
            match (block.name, &*block.labels) {
                ("resource", [ty, name]) => self.addresses.insert(format!("{}.{}", ty.text, name.text)),
                ("data", [ty, name]) => self.addresses.insert(format!("data.{}.{}", ty.text, name.text)),
                ("output", [name]) => self.addresses.insert(format!("output.{}", name.text)),
                // A check can contain a data source.
                ("check", _) => {
                    self.add_addresses(&block.body);
                    continue;
                }
                _ => continue,
            };
        }
    }

    fn add_json_addresses(&mut self, root: &Node) {
        for (block, prefix) in [("resource", ""), ("data", "data.")] {
            for ty in find_json_blocks(root, block) {
                let names = members(&ty.value).map(|it| format!("{prefix}{}.{}", ty.name, it.name));
                self.addresses.extend(names);
            }
        }
        self.addresses.extend(find_json_blocks(root, "output").map(|it| format!("output.{}", it.name)));
    }

    fn add_required_versions(&mut self, body: &Body<'_>, source: usize) {
        let blocks = body.blocks.iter().filter(|it| it.name == "terraform");
        let arguments = blocks.flat_map(|it| &it.body.arguments).filter(|it| it.name == "required_version");
        for argument in arguments {
            let value = argument.value.constant().ok();
            if value.as_ref().is_some_and(|it| it.value == Value::Null) {
                continue;
            }
            let text = value.as_ref().and_then(|it| it.value.as_str());
            self.add_required_version(text, Location::new(source, argument.value.at()));
        }
    }

    fn add_required_version(&mut self, text: Option<&str>, location: Location) {
        match text.and_then(VersionConstraint::parse) {
            Some(constraints) => self.required_versions.push((location, constraints)),
            None => {
                let detail = "A version constraint such as \">= 1.9, < 2.0\" is required.";
                self.diagnostics.push(Diagnostic::new("Invalid version constraint", detail, location));
            }
        }
    }

    /// Returns true if an expression refers to a sensitive variable, directly or through local values.
    pub(crate) fn has_secret_reference(&self, expression: &LocatedExpression<'_>) -> bool {
        let references = &expression.references;
        references.variables.iter().any(|(name, _)| self.is_secret(name))
            || references.locals.iter().any(|name| self.secret_locals.contains(name))
    }

    /// Returns true if the values of a variable must not be shown.
    pub(crate) fn is_secret(&self, name: &str) -> bool {
        let declaration = self.variables.get(name);
        declaration.map_or(self.is_incomplete || self.secret_overrides.contains(name), |it| it.is_secret)
    }

    /// Returns true if the module declares the variable, or if a part of the module cannot be read.
    pub(crate) fn can_declare(&self, name: &str) -> bool {
        self.is_incomplete || self.variables.contains_key(name)
    }

    fn declare(&mut self, new: Declaration<'d>, sources: &[Source]) {
        if let Some(old) = self.variables.get_mut(&new.name) {
            old.is_secret |= new.is_secret;
            let at = old.location.describe(sources);
            let detail = format!(
                "A variable named {:?} was already declared at {at}. Variable names must be unique within a module.",
                new.name
            );
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
                let detail = format!(
                    "There is no variable named {:?}. An override file can only override a variable that was already declared in a primary configuration file.",
                    new.name
                );
                let help = did_you_mean(&new.name, self.variables.keys());
                let summary = "Missing base variable declaration to override";
                self.diagnostics.push(Diagnostic::new(summary, detail, new.location).with_help(help));
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
        base.type_location = new.type_location.clone().or(base.type_location.take());
        base.default_location = new.default_location.clone().or(base.default_location.take());
        base.errors.extend(new.errors);
        if let (Some(variable), Some(overriding)) = (&mut base.variable, new.variable) {
            if let Err(e) = variable.override_with(overriding, &new.argument_names) {
                let location = new.default_location.clone().unwrap_or(new.location);
                let problem = match (new.type_location.is_some(), new.default_location.is_some()) {
                    (true, false) => {
                        "Overriding this variable's type constraint has made its default value invalid"
                    }
                    (false, true) => {
                        "The overridden default value for this variable is not compatible with the variable's type constraint"
                    }
                    _ => "This variable's default value is not compatible with its type constraint",
                };
                let diagnostic = Diagnostic::for_value(
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
        base.description = new.description.or(base.description.take());
        base.deprecated = new.deprecated.or(base.deprecated.take());
    }
}

/// Returns the members of all blocks of a type in a JSON file.
fn find_json_blocks<'d>(root: &'d Node, name: &'static str) -> impl Iterator<Item = &'d Member> {
    members(root).filter(move |it| it.name == name).flat_map(|it| members(&it.value))
}
