//! `cargo ferroform generate`: models and skeletons of the objects of a provider, from its schema, from the description
//! of an API or from example configurations.
//!
//! ```text
//! provider_schema ──▶ from_schema ─┐
//! OpenAPI document ──▶ openapi ────┼─▶ definition ──▶ models, skeletons ──▶ crate_code ──▶ writer, with rustfmt
//! configuration ──▶ hcl ───────────┘
//! ```

mod args;
mod crate_code;
mod defaults;
mod definition;
mod docs;
mod from_schema;
mod hcl;
mod models;
mod names;
mod openapi;
mod skeletons;
mod writer;

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

pub(crate) use args::{command, read};

use crate::ferroform_source::FerroformSource;
use crate::provider_schema::source::Source;

/// The arguments of the command.
#[derive(Debug, PartialEq)]
pub(crate) struct Request {
    source: Source,
    format: Format,
    /// The address of the provider.
    provider: Option<String>,
    /// The directory of the new crate; without it, the code is printed.
    out: Option<PathBuf>,
    /// The names of the objects and functions to generate; all if it is empty.
    only: Vec<String>,
    /// The source of the crate `ferroform`.
    ferroform: FerroformSource,
    /// The Rust type of numbers.
    number: &'static str,
}

/// The format of the source.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Format {
    /// The schema of a provider.
    Schema,
    /// An OpenAPI document.
    OpenApi,
    /// Example configurations.
    Hcl,
}

/// Runs the command and returns the exit code: 0, or 1 if an error occurred.
pub(crate) fn run(
    request: &Request,
    stdout: &mut dyn io::Write,
    stderr: &mut dyn io::Write,
) -> (u8, io::Result<()>) {
    match generate(request, stdout, stderr) {
        Ok(result) => (0, result),
        Err(error) => (1, writeln!(stderr, "error: {error}")),
    }
}

fn generate(
    request: &Request,
    stdout: &mut dyn io::Write,
    stderr: &mut dyn io::Write,
) -> Result<io::Result<()>, String> {
    let mut progress = |message: &str| {
        if io::stderr().is_terminal() {
            // The progress is only a convenience, so an error is ignored.
            drop(writeln!(stderr, "{message}"));
        }
    };
    let source = &request.source;
    progress(&format!("reading {source}"));
    let mut warnings = Vec::new();
    let provider = read_provider(request, &mut warnings);
    let mut provider = provider.map_err(|error| format!("{source}: {error}"))?;
    select(&mut provider, &request.only)?;
    progress("generating code");
    let result = match &request.out {
        Some(directory) => {
            let files = crate_code::crate_files(&provider, &request.ferroform)?;
            progress("writing and formatting code");
            warnings.extend(writer::write(directory, &files)?);
            let summary = format!(
                "{}: {} objects and {} functions in {} files\n",
                directory.display(),
                provider.objects.len(),
                provider.functions.len(),
                files.len(),
            );
            stdout.write_all(summary.as_bytes())
        }
        None => {
            let (code, warning) = writer::format_code(crate_code::single_module(&provider))?;
            warnings.extend(warning);
            stdout.write_all(code.as_bytes())
        }
    };
    let warnings: String = warnings.iter().map(|it| format!("warning: {it}\n")).collect();
    Ok(stderr.write_all(warnings.as_bytes()).and(result))
}

/// Reads the objects of a provider.
fn read_provider(request: &Request, warnings: &mut Vec<String>) -> Result<definition::Provider, String> {
    let address = request.provider.as_deref();
    match request.format {
        Format::Schema => {
            let (found, schema) = request.source.read(address)?;
            from_schema::provider(address.unwrap_or(&found), &schema, request.number, warnings)
        }
        Format::Hcl => hcl::provider(&request.source.read_to_string()?, address, warnings),
        Format::OpenApi => openapi::provider(&request.source.read_to_string()?, address, warnings),
    }
}

/// Keeps the objects and functions with these names.
fn select(provider: &mut definition::Provider, only: &[String]) -> Result<(), String> {
    if only.is_empty() {
        return Ok(());
    }
    let objects = provider.objects.iter().map(|it| &it.name);
    let known: Vec<&String> = objects.chain(provider.functions.iter().map(|it| &it.name)).collect();
    if let Some(unknown) = only.iter().find(|it| !known.contains(it)) {
        return Err(format!("the provider has no type or function {unknown:?}"));
    }
    provider.objects.retain(|it| only.contains(&it.name));
    provider.functions.retain(|it| only.contains(&it.name));
    Ok(())
}
