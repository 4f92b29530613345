//! `cargo ferroform docs`: the registry's documentation of a provider, from its schema.
//!
//! The command starts the provider binary as Terraform does and reads its schema over the wire, so it works for
//! providers that are written in any language:
//!
//! ```text
//! GetProviderSchema ──▶ provider_schema ──▶ objects ──▶ examples: are they valid?
//!                                              │
//!                                              └─▶ pages, with markdown and template ──▶ tree ──▶ docs/resources/file.md, …
//! ```

mod args;
mod examples;
mod kind;
pub(crate) mod markdown;
mod objects;
mod pages;
mod project;
mod template;
mod text;
mod tree;

use crate::provider_schema::{binary, source};
use std::io;
use std::path::PathBuf;

pub(crate) use args::{command, read};
use project::Project;
use tree::Report;

/// The arguments of the command.
#[derive(Debug, PartialEq)]
pub(crate) struct Request {
    /// The provider binary.
    pub(crate) binary: PathBuf,
    /// The directories of the pages, examples and templates.
    project: Project,
    /// The type of the provider, such as `local`. By default, it follows from the file name of the binary.
    pub(crate) provider_type: Option<String>,
    /// Reports differences and writes nothing.
    pub(crate) check: bool,
}

/// Runs the command and returns the exit code: 0; 1 if pages are not up to date or an error occurred.
pub(crate) fn run(
    request: &Request,
    stdout: &mut dyn io::Write,
    stderr: &mut dyn io::Write,
) -> (u8, io::Result<()>) {
    match generate(request) {
        Ok(report) => {
            let lines = report.changes.iter().map(|it| format!("{it}\n")).collect::<String>();
            let warnings = report.warnings.iter().map(|it| format!("warning: {it}\n")).collect::<String>();
            let result =
                stderr.write_all(warnings.as_bytes()).and_then(|()| stdout.write_all(lines.as_bytes()));
            (u8::from(request.check && !report.changes.is_empty()), result)
        }
        Err(errors) => {
            let lines = errors.iter().map(|it| format!("error: {it}\n")).collect::<String>();
            (1, stderr.write_all(lines.as_bytes()))
        }
    }
}

/// Generates the pages, and writes or compares them.
fn generate(request: &Request) -> Result<Report, Vec<String>> {
    let one = |error| vec![error];
    let provider_type = provider_type(request).map_err(one)?;
    let schemas = binary::of_binary(&request.binary).map_err(one)?;
    let objects = objects::objects(&schemas)?;
    let project = &request.project;
    let warnings = examples::validate(project, &provider_type, &objects, &request.binary)?;
    let pages = pages::pages(project, &provider_type, &objects).map_err(one)?;
    let report = match request.check {
        true => tree::check(&project.docs, &pages),
        false => tree::write(&project.docs, &pages),
    };
    let mut report = report.map_err(one)?;
    report.warnings.splice(0..0, warnings);
    Ok(report)
}

/// Returns the type of the provider: `local` for the binary `terraform-provider-local_v1.0.0`.
fn provider_type(request: &Request) -> Result<String, String> {
    if let Some(it) = &request.provider_type {
        return Ok(it.clone());
    }
    let name = request.binary.file_name().and_then(|it| it.to_str()).unwrap_or_default();
    source::provider_type(name).map(str::to_owned).ok_or_else(|| {
        format!("the file name {name:?} does not begin with \"terraform-provider-\"; set --provider-type")
    })
}
