//! The validation of examples: each block for the provider must have a valid configuration.
//!
//! A value that is not constant, such as a reference, is unknown, as in `terraform validate`.
//!
//! ```text
//! resource.tf ──▶ block for the provider ──▶ config ──▶ engine: its value for the schema ──▶ rpc: ValidateResourceConfig
//! ```

mod config;
mod import;
mod location;
mod problem;
mod rpc;

use std::ops::Range;
use std::path::{Path, PathBuf};

use ferroform_engine::configuration::evaluate;
use ferroform_engine::{Definition, Diagnostics, Kind};
use ferroform_lang::Span;
use ferroform_lang::body::{self, Block, Body, FunctionCall, Traversal};

use self::problem::Problem;
use self::rpc::Provider;
use super::kind;
use super::objects::{Content, Object};
use super::project::{self, Project};

/// Validates all examples of the layout. Returns the warnings of the provider.
///
/// # Errors
///
/// Returns an error for each problem, with its file and line.
pub(super) fn validate(
    project: &Project,
    provider_type: &str,
    objects: &[Object<'_>],
    binary: &Path,
) -> Result<Vec<String>, Vec<String>> {
    let files = files(project, objects).map_err(|error| vec![error])?;
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let mut provider = Provider::start(binary).map_err(|error| vec![error])?;
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    for path in files {
        let text = match project::read(&path) {
            Ok(text) => text,
            Err(error) => {
                errors.push(error);
                continue;
            }
        };
        let mut file = File { provider_type, objects, text: &text, problems: Vec::new() };
        if let Err(error) = file.validate(&mut provider) {
            errors.push(error);
        }
        let name = project.display(&path);
        file.problems.sort_by_key(|it| it.at);
        for it in file.problems {
            let line = Span::of(&text, it.at..it.at).start.line;
            let message = format!("{name}:{line}: {}", it.message);
            if it.is_warning { warnings.push(message) } else { errors.push(message) }
        }
    }
    provider.stop();
    if errors.is_empty() { Ok(warnings) } else { Err(errors) }
}

/// Returns the files with examples. A directory for an object that does not exist is an error.
fn files(project: &Project, objects: &[Object<'_>]) -> Result<Vec<PathBuf>, String> {
    let mut files = project.example_files(Kind::Provider, "")?;
    for &kind in Definition::KINDS {
        for directory in project::entries(&project.examples.join(kind::directory(kind)))? {
            let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !directory.is_dir() {
                continue;
            }
            if !objects.iter().any(|it| it.kind == kind && it.name == name) {
                let directory = project.display(&directory);
                return Err(format!("{directory}: the provider has no {} {name:?}", kind.noun()));
            }
            let is_configuration = |it: &PathBuf| {
                let name = it.file_name().unwrap_or_default().to_string_lossy();
                it.is_file() && (name.ends_with(".tf") || name.ends_with(".tfquery.hcl"))
            };
            files.extend(project::entries(&directory)?.into_iter().filter(is_configuration));
        }
    }
    Ok(files)
}

/// A file with examples, while it is validated.
struct File<'a> {
    provider_type: &'a str,
    objects: &'a [Object<'a>],
    text: &'a str,
    problems: Vec<Problem>,
}

impl<'a> File<'a> {
    /// Validates the blocks of the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the provider cannot be called.
    fn validate(&mut self, provider: &mut Provider) -> Result<(), String> {
        let (file, errors) = body::parse_all(self.text, |_| true);
        self.problems.extend(errors.iter().flat_map(|it| it.iter()).map(Problem::of_source));
        self.references(&file);
        for block in &file.blocks {
            let (kind, name) = match (block.name, &*block.labels) {
                ("import", _) => {
                    import::validate(self.objects, block, &mut self.problems);
                    continue;
                }
                ("terraform", _) => {
                    for store in block.body.blocks.iter().filter(|it| it.name == "state_store") {
                        let name = store.labels.first().map_or("", |it| it.text.as_str());
                        self.object(Kind::StateStore, name, store, &store.body, provider)?;
                    }
                    continue;
                }
                (block_type, [name, ..]) => match Kind::of_block_type(block_type) {
                    Some(kind) => (kind, name.text.as_str()),
                    None => continue,
                },
                _ => continue,
            };
            // The configuration of list resources and actions is in a block of its own.
            let has_config = matches!(kind, Kind::ListResource | Kind::Action);
            let config = block.body.blocks.iter().find(|it| has_config && it.name == "config");
            let empty = Body::default();
            let body = match (has_config, config) {
                (true, Some(config)) => &config.body,
                (true, None) => &empty,
                (false, _) => &block.body,
            };
            self.object(kind, name, block, body, provider)?;
        }
        Ok(())
    }

    /// Validates the configuration of an object.
    fn object(
        &mut self,
        kind: Kind,
        name: &str,
        block: &Block<'_>,
        body: &Body<'_>,
        provider: &mut Provider,
    ) -> Result<(), String> {
        let is_own = match kind {
            Kind::Provider => name == self.provider_type,
            _ => name.split('_').next() == Some(self.provider_type),
        };
        let name = if kind == Kind::Provider { "" } else { name };
        let found = self.objects.iter().find(|it| it.kind == kind && it.name == name);
        let Some(schema) = found.and_then(Object::block) else {
            if is_own {
                let message = format!("the provider has no {} {name:?}", kind.noun());
                self.problems.push(Problem::error(block.header.start, message));
            }
            return Ok(());
        };
        if kind == Kind::Provider && !is_own {
            return Ok(());
        }
        let mut problems = Vec::new();
        // An attribute of the schema can have the name of an argument that Terraform reads in other kinds of blocks.
        let is_ignored = |name: &str| meta_arguments(kind).contains(&name) && schema.member(name).is_none();
        let configuration = config::configuration(body, &is_ignored, &mut problems);
        let diagnostics = match evaluate(schema, &configuration) {
            Ok(value) if problems.is_empty() => provider.validate(kind, name, value, schema.ty())?,
            Ok(_) => Diagnostics::new(),
            Err(errors) => errors,
        };
        problems.extend(diagnostics.iter().map(|it| location::problem(it, block, body)));
        self.problems.append(&mut problems);
        Ok(())
    }

    /// Reports references to functions and attributes that the provider does not have.
    fn references(&mut self, body: &Body<'a>) {
        for argument in &body.arguments {
            let start = at(argument.value.at());
            let references = argument.value.references();
            let messages = references.calls.iter().filter_map(|it| self.call_error(it));
            let messages: Vec<String> = messages
                .chain(references.traversals.iter().filter_map(|it| self.attribute_error(it)))
                .collect();
            self.problems.extend(messages.into_iter().map(|it| Problem::error(start, it)));
        }
        body.blocks.iter().for_each(|it| self.references(&it.body));
    }

    /// Returns the error for a call of a function of the provider.
    fn call_error(&self, call: &FunctionCall) -> Option<String> {
        let prefix = format!("provider::{}::", self.provider_type);
        let name = call.name.strip_prefix(&prefix)?;
        let function = self.objects.iter().find_map(|it| match &it.content {
            Content::Function(function) if it.name == name => Some(function),
            _ => None,
        });
        let Some(function) = function else {
            return Some(format!("the provider has no function {name:?}"));
        };
        let (expected, actual) = (function.positional_parameters().len(), call.arguments?);
        let number = match expected {
            1 => "1 argument".to_owned(),
            _ => format!("{expected} arguments"),
        };
        match function.variadic_parameter() {
            None if actual != expected => {
                Some(format!("the function {name:?} requires {number}, but got {actual}"))
            }
            Some(_) if actual < expected => {
                Some(format!("the function {name:?} requires at least {number}, but got {actual}"))
            }
            _ => None,
        }
    }

    /// Returns the error for a reference to an attribute that an object of the provider does not have:
    /// `notes_note.todo.size` for a resource without `size`.
    fn attribute_error(&self, reference: &Traversal) -> Option<String> {
        let names: Vec<&str> = reference.names.iter().map(String::as_str).collect();
        let (kind, name, attribute) = match *names.as_slice() {
            ["data", name, _, attribute, ..] => (Kind::DataSource, name, attribute),
            ["ephemeral", name, _, attribute, ..] => (Kind::EphemeralResource, name, attribute),
            [name, _, attribute, ..] => (Kind::Resource, name, attribute),
            _ => return None,
        };
        let object = self.objects.iter().find(|it| it.kind == kind && it.name == name)?;
        let has_attribute = object.block()?.member(attribute).is_some();
        (!has_attribute).then(|| format!("the {} {name:?} has no attribute {attribute:?}", kind.noun()))
    }
}

fn at(range: Range<usize>) -> usize {
    range.start
}

/// The arguments and blocks that Terraform itself reads.
fn meta_arguments(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Provider => &["alias", "version", "for_each"],
        Kind::Resource => &[
            "count",
            "for_each",
            "depends_on",
            "provider",
            "lifecycle",
            "provisioner",
            "connection",
            "enabled",
        ],
        Kind::DataSource | Kind::EphemeralResource => {
            &["count", "for_each", "depends_on", "provider", "lifecycle"]
        }
        Kind::StateStore => &["provider"],
        Kind::ListResource | Kind::Action | Kind::Function | Kind::ProviderMeta => &[],
    }
}
